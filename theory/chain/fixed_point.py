"""The five-state chain with a fixed value estimate: the exact fixed point of the expected REINFORCE
update, found and enclosed.

Expected REINFORCE with the alternate estimator moves θ(s, a) by ν(s) π(a|s) (q_π(s, a) - b). As for
the bandit, the policy stays exactly if these are equal for the two actions of each state: π(a|s) is
proportional to 1/(q_π(s, a) - b). The paper puts the immediate rewards in the place of q_π. Ball
arithmetic (Arb) finds the solution; exact rational intervals check it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Symbol

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.theory.fixed_points.fixed_baseline import EITHER_SIDE, gap
from altpg_verify.theory.proving import chain_check
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    b,
    ghat_ALT,
    ghat_REG,
    j,
    kappa,
    pi,
    r,
    r_pi,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

DISCOUNT = Fraction(9, 10)
STATES = 5
OPTIMISTIC_BASELINE, PESSIMISTIC_BASELINE = Fraction(4), Fraction(-4)


def value(policy: list[Fraction]) -> list[Fraction]:
    """v_p exactly, given the probabilities of going right: Gaussian elimination on (I - γ P) v = p₅
    e₅.

    The matrix is tridiagonal, so one sweep up and one down solve it: v(s) = constant + above · v(s
    + 1).

    Args:
        policy: (5,) probabilities of going right.
    Returns:
        (5,) values, as fractions.
    """
    above = [Fraction(0)] * (STATES + 1)
    constant = [Fraction(0)] * (STATES + 1)
    for state, right in enumerate(policy):
        left = DISCOUNT * (1 - right) if state else Fraction(0)
        reward = right if state == STATES - 1 else Fraction(0)
        # the forward sweep for a tridiagonal system (Thomas's algorithm)
        scale = 1 - left * above[state]
        above[state + 1] = DISCOUNT * right / scale if state < STATES - 1 else Fraction(0)
        constant[state + 1] = (reward + left * constant[state]) / scale
    values = [Fraction(0)] * (STATES + 1)
    for state in reversed(range(STATES)):
        values[state] = constant[state + 1] + above[state + 1] * values[state + 1]
    return values[:STATES]


def immediate_reward_policy() -> list[Fraction]:
    """The paper's policy: probability of right proportional to 1/(r - b) with the immediate
    rewards, so 1/2 but in the last state.

    (5,), in fractions, for b = +4: [1/2, 1/2, 1/2, 1/2, 4/7], appendix E.3.
    """
    baseline = OPTIMISTIC_BASELINE
    last = (0 - baseline) / ((0 - baseline) + (1 - baseline))
    return [Fraction(1, 2)] * (STATES - 1) + [last]


@certificate_kind
@dataclass(frozen=True)
class ChainCertificate:
    """Boxes that show one fixed point, as `chain_check` reads them.

    Args:
        data: the JSON object: baseline, boxes and bounds, as decimal or rational text.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `chain_check` accepts the data, read back from JSON text."""
        return chain_check.holds(json.loads(self.as_json()))

    def as_json(self) -> str:
        """The data as JSON text on one line."""
        return json.dumps(self.data)

    def __str__(self) -> str:
        return f"the fixed point of the chain with b = {self.data.get('baseline')}"


def solve(baseline: Fraction, digits: int = 40) -> list[Fraction]:
    """The fixed point as centres of balls: iterate π(right|s) = (q_L - b)/(q_L + q_R - 2 b),
    solving for v with Arb each time.

    A fixed-point iteration, which converges as the map contracts for b above the returns. What it
    gives is a guess: `certificate` puts boxes around it that are checked without it.

    Args:
        baseline: b, the same in each state; a whole number.
        digits: decimal digits of the arithmetic.
    Returns:
        (5,) probabilities of going right.
    """
    import flint

    with flint.ctx.workdps(digits):
        base, discount = flint.arb(int(baseline)), flint.arb(9) / 10
        policy = [flint.arb(1) / 2] * STATES
        # enough in practice; the check of the boxes relies on none of it
        for _ in range(2 * digits):
            matrix = flint.arb_mat(STATES, STATES)
            reward = flint.arb_mat(STATES, 1)
            for state, right in enumerate(policy):
                matrix[state, state] = 1
                if state:
                    matrix[state, state - 1] = -discount * (1 - right)
                if state < STATES - 1:
                    matrix[state, state + 1] = -discount * right
            reward[STATES - 1, 0] = policy[-1]
            found = matrix.solve(reward)
            values = [found[state, 0] for state in range(STATES)]
            left = [flint.arb(0), *(discount * one for one in values[:-1])]
            right_values = [*(discount * one for one in values[1:]), flint.arb(1)]
            # only the centres are kept: the enclosure is made and checked afterwards
            policy = [
                ((x - base) / (x + y - 2 * base)).mid()
                for x, y in zip(left, right_values, strict=True)
            ]
        return [_rational(one) for one in policy]


def _rational(ball: Any) -> Fraction:
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def certificate(
    baseline: Fraction = OPTIMISTIC_BASELINE, radius: Fraction = Fraction(1, 10**10)
) -> ChainCertificate:
    """Boxes around the solution that Arb found, wide enough for the maps to send them into
    themselves.

    The outer box is one that the map sends every policy into; the inner one has the fixed point.
    That a map sends a box into itself shows that there is one (Brouwer), its Lipschitz constant
    that there is only one.

    Args:
        baseline: b, the same in each state.
        radius: half the width of the inner box, in probability.
    """
    centre = [_rounded(one) for one in solve(baseline)]
    inner = [(one - radius, one + radius) for one in centre]
    # a change of the policy changes the values by at most spread/(1 - γ) < 7 times as much
    inner_values = [(one - 7 * radius, one + 7 * radius) for one in map(_rounded, value(centre))]
    unit = [(Fraction(0), Fraction(1))] * STATES
    # the image of all policies: every fixed point lies in it
    outer = chain_check.improved(unit, DISCOUNT, baseline)
    data = {
        "discount": str(DISCOUNT),
        "baseline": str(baseline),
        "outer": _written(outer),
        "outer_values": _written(_values_of_box(outer)),
        "inner": _written(inner),
        "inner_values": _written(inner_values),
        "value": _written([inner_values[2]])[0],
        # above every return: the optimistic case, in which the point attracts
        "attracts": baseline > 1,
        "slopes": _written(_slopes(inner_values)),
    }
    return ChainCertificate(data)


def _rounded(number: Fraction) -> Fraction:
    # short fractions, as the check squares and divides them; the boxes are wider than the rounding
    return Fraction(round(number * 10**14), 10**14)


def _written(box: chain_check.Box) -> list[list[str]]:
    return [[str(low), str(high)] for low, high in box]


def _values_of_box(policy: chain_check.Box) -> chain_check.Box:
    """Values of all policies in the box: the value grows with each probability of going right. A
    margin pays for the rounding.
    """
    margin = Fraction(1, 1000)
    low, high = value([one for one, _ in policy]), value([one for _, one in policy])
    return [
        (max(_rounded(x) - margin, Fraction(0)), _rounded(y) + margin)
        for x, y in zip(low, high, strict=True)
    ]


def _slopes(values: chain_check.Box) -> chain_check.Box:
    """Bounds u with u_s >= γ max(u_{s-1}, u_{s+1}) + (q_R - q_L)/4, by iteration and a margin."""
    left, right = chain_check.actions(values, DISCOUNT)
    gains = [(high[1] - low[0]) / 4 for low, high in zip(left, right, strict=True)]
    bounds = [Fraction(0)] * STATES
    # γ^200 < 10⁻⁹: what is left is far below the margin
    for _ in range(200):
        around = [Fraction(0), *bounds, Fraction(0)]
        bounds = [
            _rounded(DISCOUNT * max(around[s], around[s + 2]) + gains[s]) for s in range(STATES)
        ]
    margin = Fraction(1, 100)
    return [(Fraction(0), one + margin) for one in bounds]


MEETS_LEMMA = (
    "the chain's expected REINFORCE update with b in every state, every interior policy, no cut of"
    " episodes"
)


@derivation("chain-policy-converges-to-action-value-point")
def action_value_point() -> Proof:
    """In each visited state π(a|s) (q(s, a) - b) is the same for all actions.

    Appendix E.3, line 1330, corrected: lemma 2.1 carries over with q_π(s, a) in the place of r(a),
    and q_π depends on the policy in all states.
    """
    proof = Proof(
        "a fixed point has π(a|s) proportional to 1/(q(s, a) - b) in every visited state",
        MEETS_LEMMA,
        Signs(nonzero=(gap, kappa)),
        where=EITHER_SIDE,
    )
    occupancy = Symbol("nu")
    proof.note(
        "Fix a state s and read r_a as q_π(s, a), the mean of the return after a in s, and ν as γ^t"
        " summed over the visits of s."
    )
    proof.equal(
        "Each visit adds the alternate estimator's mean;", E(ghat_ALT[a]), pi[a] * (r[a] - b)
    )
    proof.note(
        "so the preferences of s move by ν times it, and ν > 0. The policy stays exactly if all"
        " entries are equal, to κ say."
    )
    proof.signs = Signs(nonzero=(gap, kappa), positive=(occupancy,))
    # the common entry with the occupancy still in it
    common = Symbol("kappa'")
    proof.equal(
        "Divide by ν,",
        pi[a] * (r[a] - b),
        common / occupancy,
        given=[occupancy * pi[a] * (r[a] - b) - common],
    )
    each = Given(pi[j] * (r[j] - b) - kappa, each=j, weight=1 / (r[j] - b))
    proof.equal(
        "then by q - b and sum over the actions.",
        kappa * total(1 / (r[j] - b), j),
        1,
        given=[each, SIMPLEX],
    )
    return proof.equal(
        "So π is the lemma's formula with q in the place of r.",
        pi[a],
        kappa / (r[a] - b),
        given=[pi[a] * (r[a] - b) - kappa],
    )


@derivation("fixed-value-keeps-regular-unbiased")
def regular_stays_unbiased() -> Proof:
    """In each state E[(G - b)(e_A - π)] = π ∘ (q - v) for every b.

    Appendix E.3, line 1330: in each state the score has mean zero, so a fixed value drops out,
    however wrong it is.
    """
    proof = Proof(
        "the regular estimator's mean doesn't depend on the fixed value b",
        MEETS_LEMMA,
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.note(
        "Fix a state s, read r_a as q_π(s, a) and r_π as v_π(s); the return after a in s has the"
        " mean q_π(s, a)."
    )
    proof.equal(
        "Each visit of s adds the regular estimator's mean, in which b cancels;",
        E(ghat_REG[a]),
        pi[a] * (r[a] - r_pi),
    )
    return proof.note(
        "summed over states with the weight ν(s) this is the policy gradient, entry by entry."
    )


def _fixed_point_proof(summary: str) -> Proof:
    boxes = certificate()
    at_paper, low, high = value(immediate_reward_policy())[2], *map(Fraction, boxes.data["value"])
    proof = Proof(
        summary,
        "the five-state chain, γ = 0.9, b = +4 in every state, all policies, no cut of episodes",
        rigorous_on_domain=True,
    )
    proof.note(
        "Every fixed point solves π(right|s) = (q(s, left) - b)/(q(s, left) + q(s, right) - 2 b) ="
        " F(π)(s)."
    )
    proof.note(
        "F sends every policy into [3/7, 4/7]⁵ and contracts there; it sends a box of half-width"
        " 10⁻¹⁰ into itself."
    )
    return proof.attach(
        boxes,
        f"So there is exactly one fixed point, and v(s₃) is in [{float(low):.10f},"
        f" {float(high):.10f}] there.",
        value_at_fixed_point=float((low + high) / 2),
        value_at_immediate_reward_policy=float(at_paper),
        lipschitz_constant=float(
            chain_check.lipschitz(
                [(Fraction(x), Fraction(y)) for x, y in boxes.data["outer_values"]],
                DISCOUNT,
                OPTIMISTIC_BASELINE,
            )
        ),
        probability_of_right=[round(float(Fraction(x)), 6) for x, _ in boxes.data["inner"]],
    )


@derivation("chain-exact-fixed-point-value", kind="certificate")
def exact_fixed_point() -> Proof:
    """v(s₃) = 0.2976411 at the one fixed point.

    Beyond the paper, which prints 0.28 for the policy from immediate rewards: the value where the
    expected update really comes to rest.
    """
    return _fixed_point_proof(
        "the expected update has exactly one interior fixed point, with v(s3) = 0.2976411"
    )


@derivation("theorem-may-hold-for-mdps", kind="certificate")
def one_attracting_fixed_point() -> Proof:
    """The fixed point is the only one and is linearly stable.

    Appendix E.3, line 1330, "might also hold": read as a claim about the chain, with stability of
    the flow. At large stepsizes it fails (`cases_stepsize`).
    """
    proof = _fixed_point_proof(
        "the chain's expected update with b = +4 has one interior fixed point, and it attracts"
        " nearby policies"
    )
    return proof.note(
        "Its linearised flow is stable: in every row of the Jacobian the diagonal is negative and"
        " exceeds the rest, by the same boxes."
    )
