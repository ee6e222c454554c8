"""Section 5 and appendix C.1 on small MDPs: both sides as fractions, no tolerance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, dot, join, total
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.mdps.cases_environment import LOOP, MDPS, TREE, Mdp

_SMALL = "three small MDPs, with and without cycles"


def _matrix_product(rows: Sequence[Vec], vector: Vec) -> Vec:
    return Vec(*(dot(row, vector) for row in rows))


def _jacobian(m: Mdp, s: int) -> list[Vec]:
    """d pi(a | s) / d theta_c in row c and column a, the paper's layout, by the quotient rule."""
    return [m.policy_slope(s, c) for c in m.actions]


def _likelihood(m: Mdp) -> Vec:
    """nabla_theta pi(. | s) q(s, .), state by state."""
    return join([_matrix_product(_jacobian(m, s), m.q[s]) for s in m.states])


def _each(m: Mdp, formula: Callable[[Vec, Vec, Fraction], Vec]) -> Vec:
    """A formula of pi(. | s), q(s, .) and v(s), state by state."""
    return join([formula(m.p[s], m.q[s], m.v[s]) for s in m.states])


STATEMENTS: dict[str, Statement] = {
    "policy-gradient-theorem": Statement(
        lambda m: join(m.gradient()),
        lambda m: join([m.nu[s] * _matrix_product(_jacobian(m, s), m.q[s]) for s in m.states]),
        MDPS,
        _SMALL,
    ),
    "policy-gradient-as-expectation": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(lambda s, a: m.score(s, a) * m.advantage(s, a)),
        MDPS,
        _SMALL,
    ),
    "policy-chain-rule": Statement(
        lambda m: join([m.p[s][a] * m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [
                join([Vec(*(_jacobian(m, s)[c][a] * x for c in m.actions)) for x in m.features[s]])
                for s, a in m.pairs()
            ]
        ),
        MDPS,
        _SMALL,
    ),
    "policy-gradient-in-vectors": Statement(
        lambda m: join(
            [
                m.nu[s]
                * sum((_jacobian(m, s)[c][a] * m.q[s][a] for a in m.actions), Fraction(0))
                * Vec(1)
                for s in m.states
                for c in m.actions
            ]
        ),
        lambda m: join([m.nu[s] * _matrix_product(_jacobian(m, s), m.q[s]) for s in m.states]),
        MDPS,
        _SMALL,
    ),
    "policy-gradient-separated": Statement(
        Mdp.weight_gradient,
        lambda m: m.by_weights(
            [m.nu[s] * _matrix_product(_jacobian(m, s), m.q[s]) for s in m.states]
        ),
        MDPS,
        _SMALL,
    ),
    "likelihood-gradient-by-jacobian": Statement(
        _likelihood,
        lambda m: _each(
            m, lambda p, q, v: _matrix_product([(basis(a, m.k) - p[a]) * p for a in m.actions], q)
        ),
        MDPS,
        _SMALL,
    ),
    "likelihood-gradient-expanded": Statement(
        _likelihood, lambda m: _each(m, lambda p, q, v: p * q - p * total(p * q)), MDPS, _SMALL
    ),
    "likelihood-gradient-elementwise": Statement(
        _likelihood, lambda m: _each(m, lambda p, q, v: p * q - p * dot(p, q)), MDPS, _SMALL
    ),
    "likelihood-gradient-swapped": Statement(
        _likelihood, lambda m: _each(m, lambda p, q, v: q * p - p * dot(q, p)), MDPS, _SMALL
    ),
    "likelihood-gradient-factored": Statement(
        _likelihood,
        lambda m: _each(
            m, lambda p, q, v: _matrix_product([basis(a, m.k) * q - p[a] * q for a in m.actions], p)
        ),
        MDPS,
        _SMALL,
    ),
    "likelihood-gradient-as-score": Statement(
        _likelihood,
        lambda m: _each(
            m,
            lambda p, q, v: join(
                [
                    Vec(sum((p[a] * q[a] * ((a == c) - p[c]) for a in m.actions), Fraction(0)))
                    for c in m.actions
                ]
            ),
        ),
        MDPS,
        _SMALL,
    ),
    "mdp-gradient-as-score-sum": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(
            lambda s, a: m.q[s][a] * join([(basis(a, m.k) - m.p[s]) * x for x in m.features[s]])
        ),
        MDPS,
        _SMALL,
    ),
    "mdp-regular-estimator-unbiased": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(
            lambda s, a: (
                (
                    m.preference_slope(s, a)
                    - sum(
                        (m.preference_slope(s, c) * m.p[s][c] for c in m.actions),
                        0 * m.preference_slope(s, 0),
                    )
                )
                * m.advantage(s, a)
            )
        ),
        MDPS,
        _SMALL,
    ),
    "likelihood-gradient-as-difference": Statement(
        _likelihood, lambda m: _each(m, lambda p, q, v: q * p - dot(p, q) * p), MDPS, _SMALL
    ),
    "likelihood-gradient-with-value": Statement(
        _likelihood, lambda m: _each(m, lambda p, q, v: (q - v) * p), MDPS, _SMALL
    ),
    "likelihood-gradient-as-advantage": Statement(
        _likelihood,
        lambda m: _each(
            m,
            lambda p, q, v: Vec(
                *(
                    sum((p[a] * (q[a] - v) * (a == c) for a in m.actions), Fraction(0))
                    for c in m.actions
                )
            ),
        ),
        MDPS,
        _SMALL,
    ),
    "value-is-mean-action-value": Statement(
        lambda m: m.v, lambda m: Vec(*(dot(m.p[s], m.q[s]) for s in m.states)), MDPS, _SMALL
    ),
    "mdp-gradient-as-advantage-sum": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(
            lambda s, a: m.advantage(s, a) * join([basis(a, m.k) * x for x in m.features[s]])
        ),
        MDPS,
        _SMALL,
    ),
    "mdp-alternate-estimator-unbiased": Statement(
        Mdp.weight_gradient,
        lambda m: m.expected(lambda s, a: m.preference_slope(s, a) * m.advantage(s, a)),
        MDPS,
        _SMALL,
    ),
    "mdp-estimators-equal-in-expectation": Statement(
        lambda m: m.expected(lambda s, a: m.score(s, a) * m.advantage(s, a)),
        lambda m: m.expected(lambda s, a: m.preference_slope(s, a) * m.advantage(s, a)),
        MDPS,
        _SMALL,
    ),
    "mdp-estimators-differ-per-sample": Statement(
        lambda m: m.score(0, 0) * m.advantage(0, 0),
        lambda m: m.preference_slope(0, 0) * m.advantage(0, 0),
        [TREE, LOOP],
        "the first state and action of two MDPs",
        "!=",
    ),
    "neurd-drops-policy-weight": Statement(
        lambda m: join(
            [m.p[s] * Vec(*(m.nu[s] * m.advantage(s, a) for a in m.actions)) for s in m.states]
        ),
        lambda m: join(m.gradient()),
        MDPS,
        _SMALL + ", tabular preferences",
        summary="the NeuRD update times the policy, entry by entry, and the gradient",
    ),
    "mdp-regular-is-familiar-estimator": Statement(
        lambda m: join(
            [
                (
                    m.preference_slope(s, a)
                    - sum(
                        (m.preference_slope(s, c) * m.p[s][c] for c in m.actions),
                        0 * m.preference_slope(s, 0),
                    )
                )
                * m.advantage(s, a)
                for s in m.states
                for a in m.actions
            ]
        ),
        lambda m: join([m.score(s, a) * m.advantage(s, a) for s, a in m.pairs()]),
        MDPS,
        _SMALL,
    ),
    "log-policy-gradient-steps": Statement(
        lambda m: join([m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [
                m.preference_slope(s, a)
                - sum(
                    (m.weights[s][c] * m.preference_slope(s, c) for c in m.actions),
                    0 * m.preference_slope(s, 0),
                )
                / total(m.weights[s])
                for s in m.states
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL,
    ),
    "log-policy-gradient": Statement(
        lambda m: join([m.score(s, a) for s, a in m.pairs()]),
        lambda m: join(
            [
                m.preference_slope(s, a)
                - sum(
                    (m.p[s][c] * m.preference_slope(s, c) for c in m.actions),
                    0 * m.preference_slope(s, 0),
                )
                for s in m.states
                for a in m.actions
            ]
        ),
        MDPS,
        _SMALL,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def mdp_estimators(claim: str) -> Finding:
    """Both sides of each statement on the MDP estimators, as fractions.

    The left sides differentiate (I − γP) v = R, so the policy gradient theorem is tested and not
    assumed; the estimators' means are sums over the occupancy and the policy.
    """
    return STATEMENTS[claim].judged()
