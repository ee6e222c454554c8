"""Softmax policies that are linear in the features (appendix C.3), on small MDPs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, join
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.mdps.cases_environment import MDPS, Mdp

_SMALL = "three small MDPs, with and without cycles"


def _columns(m: Mdp, column: Callable[[int], Vec]) -> Vec:
    """A d x k matrix from its columns, as the vector of its rows."""
    return _stacked([column(c) for c in m.actions])


def _stacked(columns: Sequence[Vec]) -> Vec:
    """The matrix with these columns, as the vector of its rows."""
    return join([Vec(*(one[i] for one in columns)) for i in range(len(columns[0]))])


def _scaled(m: Mdp, s: int, weights: Vec) -> Vec:
    """The matrix with the columns x(s) weights(c)."""
    return _columns(m, lambda c: m.features[s] * weights[c])


def _weighted(m: Mdp, c: int, weight: Callable[[int, int], Fraction]) -> Vec:
    """sum_s nu(s) sum_a I(c = a) x(s) weight(s, a)."""
    terms = [m.features[s] * (m.nu[s] * (c == a) * weight(s, a)) for s, a in m.pairs()]
    return sum(terms[1:], terms[0])


def _error(m: Mdp, s: int, a: int) -> Fraction:
    """r + gamma v(s') - v(s) for the first outcome of the action."""
    _, to, reward = m.moves[s][a][0]
    return reward + m.gamma * (Fraction(0) if to is None else m.v[to]) - m.v[s]


STATEMENTS: dict[str, Statement] = {
    "preference-weight-gradient": Statement(
        # the preference is linear, so a unit change of one weight changes it by its derivative
        lambda m: join(
            [
                Vec(*(x * (c == a) for x in m.features[s]))
                for s in m.states
                for c in m.actions
                for a in m.actions
            ]
        ),
        lambda m: join(
            [
                Vec(*(m.preference_slope(s, a)[i * m.k + c] for i in range(len(m.features[s]))))
                for s in m.states
                for c in m.actions
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL,
    ),
    "weight-gradient-by-columns": Statement(
        # lambda(W) = sum_ij (i + 2 j + 1) w_ij^2 at w_ij = j - i: derivatives entry by entry, and
        # column by column
        lambda size: Vec(
            *(2 * (i + 2 * j + 1) * (j - i) for i in range(size[0]) for j in range(size[1]))
        ),
        lambda size: _stacked(
            [Vec(*(2 * (i + 2 * j + 1) * (j - i) for i in range(size[0]))) for j in range(size[1])]
        ),
        [(2, 3), (3, 2)],
        "a quadratic function of 2 x 3 and of 3 x 2 weights",
    ),
    "linear-gradient-first-line": Statement(
        Mdp.weight_gradient,
        lambda m: m.by_weights([m.nu[s] * (m.p[s] * (m.q[s] - m.v[s])) for s in m.states]),
        MDPS,
        _SMALL,
    ),
    "linear-gradient-second-line": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(lambda s, a: m.preference_slope(s, a) * (m.q[s][a] - m.v[s])),
        MDPS,
        _SMALL,
    ),
    "linear-gradient-third-line": Statement(
        Mdp.weight_gradient,
        lambda m: _columns(
            m, lambda c: _weighted(m, c, lambda s, a: m.p[s][a] * (m.q[s][a] - m.v[s]))
        ),
        MDPS,
        _SMALL,
    ),
    "linear-gradient-column": Statement(
        Mdp.weight_gradient,
        lambda m: _columns(
            m,
            lambda c: sum(
                (m.features[s] * (m.nu[s] * m.p[s][c] * (m.q[s][c] - m.v[s])) for s in m.states),
                0 * m.features[0],
            ),
        ),
        MDPS,
        _SMALL,
    ),
    "linear-gradient-matrix": Statement(
        Mdp.weight_gradient,
        lambda m: sum(
            (
                join([m.p[s] * (m.q[s] - m.v[s]) * (m.nu[s] * x) for x in m.features[s]])
                for s in m.states
            ),
            0 * m.weight_gradient(),
        ),
        MDPS,
        _SMALL,
    ),
    "linear-policy-chain-rule": Statement(
        lambda m: join([m.p[s][a] * m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [
                sum(
                    (m.preference_slope(s, d) * m.policy_slope(s, d)[a] for d in m.actions),
                    0 * m.preference_slope(s, 0),
                )
                for s in m.states
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL,
    ),
    "linear-policy-gradient": Statement(
        lambda m: join([m.p[s][a] * m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [
                join(
                    [
                        Vec(*(m.p[s][a] * x * ((c == a) - m.p[s][c]) for c in m.actions))
                        for x in m.features[s]
                    ]
                )
                for s in m.states
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL,
    ),
    "linear-log-policy-column": Statement(
        lambda m: join([m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [_scaled(m, s, Vec(*((c == a) - m.p[s][c] for c in m.actions))) for s, a in m.pairs()]
        ),
        MDPS,
        _SMALL,
    ),
    "linear-log-policy-matrix": Statement(
        lambda m: join([m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [join([(basis(a, m.k) - m.p[s]) * x for x in m.features[s]]) for s, a in m.pairs()]
        ),
        MDPS,
        _SMALL,
    ),
    "linear-actor-critic-regular": Statement(
        lambda m: join([m.score(s, a) * (m.gamma**2 * _error(m, s, a)) for s, a in m.pairs()]),
        lambda m: join(
            [
                (m.gamma**2 * _error(m, s, a))
                * join([(basis(a, m.k) - m.p[s]) * x for x in m.features[s]])
                for s in m.states
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL + ", k = 2",
    ),
    "linear-preference-matrix": Statement(
        lambda m: join([_scaled(m, s, Vec(*(c == a for c in m.actions))) for s, a in m.pairs()]),
        lambda m: join([join([basis(a, m.k) * x for x in m.features[s]]) for s, a in m.pairs()]),
        MDPS,
        _SMALL,
    ),
    "linear-actor-critic-alternate": Statement(
        lambda m: join(
            [m.preference_slope(s, a) * (m.gamma**2 * _error(m, s, a)) for s, a in m.pairs()]
        ),
        lambda m: join(
            [
                (m.gamma**2 * _error(m, s, a)) * join([basis(a, m.k) * x for x in m.features[s]])
                for s, a in m.pairs()
            ]
        ),
        MDPS,
        _SMALL + ", k = 2",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def linear_policies(claim: str) -> Finding:
    """Both sides of each statement on linear policies, as fractions.

    Appendix C.3: matrices (d, k) are compared entry by entry, from the slopes of the values and
    from the printed products.
    """
    return STATEMENTS[claim].judged()
