"""Numbers and plain facts that the experiments' text states (appendices D to G), computed from
their definitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.chain.cases import START, Chain, solved
from altpg_verify.theory.exact_cases.arithmetic import Vec, constant, total
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.sampling_tree.cases_as_executed import exponential

_HALF = Fraction(1, 2)
_POLICIES = [
    Chain(constant(_HALF, 5)),
    Chain(constant(Fraction(1, 4), 5)),
    Chain(Vec(_HALF, Fraction(3, 4), 1, Fraction(2, 3), 1)),
]
_SATURATED = Chain(constant(Fraction(1, 21), 5))
"""A little less saturated than preferences 3 and 0: 1/21 is about 1/(1 + e^3)."""
_FOUR = "five policies of the chain"
_RIGHT = Chain(constant(1, 5))
_ACROBOT = (Vec(Fraction(5, 13), Fraction(12, 13)), Vec(Fraction(3, 5), Fraction(4, 5)))
"""(cos, sin) of both joints."""


def _steps_to_the_right(c: Chain) -> Fraction:
    """Expected steps from s_3 until an end, gamma = 1: (I - P) n = 1."""
    rows = [
        [
            int(s == t) - (1 - c.right[s]) * (t == s - 1) - c.right[s] * (t == s + 1)
            for t in range(5)
        ]
        for s in range(5)
    ]
    return solved([[Fraction(entry) for entry in row] for row in rows], [Fraction(1)] * 5)[START]


def _return_variance(c: Chain) -> Fraction:
    """Variance of the noiseless return from s_3: the reward is 1 at one end, so the square has the
    discount gamma squared.
    """
    # the reward is 1, once: E[γ^(2n)] is a value with the discount γ²
    squares = Chain(c.right, c.b, c.gamma**2)
    return squares.v[START] - c.v[START] ** 2


@dataclass(frozen=True)
class Branch:
    """A corner: the one action that is taken leads to a state worth one or to one worth zero; no
    reward is noisy.

    The smallest case of noise in the return without noise in a reward: appendix E.2's remark on
    random transitions.

    Args:
        chance: the probability of the better state.
    """

    chance: Fraction

    @property
    def noise(self) -> Fraction:
        """The variance of the alternate estimate less that of the regular one, baseline v, from the
        list of outcomes.
        """
        outcomes = ((self.chance, Fraction(1)), (1 - self.chance, Fraction(0)))
        value = sum(weight * gain for weight, gain in outcomes)
        e = pi = Vec(1, 0)
        spreads = []
        for direction in (e, e - pi):
            first = sum((weight * (gain - value) * direction for weight, gain in outcomes), 0 * e)
            second = sum(
                (weight * ((gain - value) * direction) ** 2 for weight, gain in outcomes), 0 * e
            )
            spreads.append(total(second - first**2))
        return spreads[0] - spreads[1]


def _reflected(joints: tuple[Vec, Vec]) -> tuple[Vec, Vec]:
    """The second joint bent the other way."""
    return joints[0], Vec(joints[1][0], -joints[1][1])


STATEMENTS: dict[str, Statement] = {
    "saturated-starts": Statement(
        lambda theta: exponential(theta) / (exponential(theta) + 2),
        lambda theta: _HALF,
        (0, 5, 10, 50),
        "the starts as listed",
        ">",
        summary="the probability of a_0 at the start, and a half",
    ),
    "saturated-starts-corrected": Statement(
        lambda theta: exponential(theta) / (exponential(theta) + 2),
        lambda theta: _HALF,
        (5, 10, 50),
        "the starts without zero",
        ">",
    ),
    "zero-not-optimistic-for-001": Statement(
        lambda r: 0, max, [Vec(0, 0, 1)], "r = (0, 0, 1)", "<="
    ),
    "chain-three-steps": Statement(
        _steps_to_the_right, lambda c: 3, [_RIGHT], "always right, from s_3"
    ),
    "hundredth-power-of-discount": Statement(
        lambda gamma: abs(gamma**100 - Fraction(27, 10**6)),
        lambda gamma: Fraction(5, 10**7),
        [Fraction(9, 10)],
        "gamma = 0.9",
        "<=",
        summary=(
            "the distance of the hundredth power from the printed number, and half a unit of its"
            " last digit"
        ),
    ),
    "timeout-contribution-negligible": Statement(
        lambda c: c.gamma**100 * max(c.v),
        lambda c: _RIGHT.v[START] / 10000,
        [*_POLICIES, _RIGHT, _SATURATED],
        _FOUR,
        "<=",
    ),
    "discount-caps-nonnegative-rewards": Statement(
        lambda c: max(c.v), lambda c: 1 / (1 - c.gamma), [*_POLICIES, _RIGHT], _FOUR, "<="
    ),
    "timeout-contribution-of-saturated-start": Statement(
        lambda c: c.gamma**100 * c.v[4],
        lambda c: c.v[START] / 100,
        [_SATURATED],
        "the chain, probability 1/21 of going right in every state",
        ">",
        summary="what is left out at a cut in s_5, at most, and a hundredth of the return",
    ),
    "return-noise-without-reward-noise": Statement(
        lambda c: c.noise if isinstance(c, Branch) else _return_variance(c),
        lambda c: 0,
        [*map(Branch, (_HALF, Fraction(1, 10))), *_POLICIES],
        "two corners with random transitions, three policies of the chain",
        ">",
        summary=(
            "the variance of the alternate estimate at the corner less that of the regular one; on"
            " the chain, that of the return"
        ),
    ),
    "uniform-policy-explores-poorly": Statement(
        # undiscounted, the value is the probability of the rewarding end
        lambda right: Chain(constant(right, 5), gamma=Fraction(1)).v[START],
        lambda right: Chain(constant(_HALF, 5), gamma=Fraction(1)).v[START] / 10,
        [Fraction(1, 4)],
        "one of four actions goes right, against one of two",
        "<",
        summary=(
            "the probability to reach the rewarding end, and a tenth of that of the two-action"
            " chain"
        ),
    ),
    "maximum-return-number": Statement(
        lambda c: c.v[START], lambda c: Fraction(81, 100), [_RIGHT], "always right, gamma = 0.9"
    ),
    "acrobot-state": Statement(
        lambda j: Vec(*j[0], j[1][0], j[0][1]),
        lambda j: Vec(*_reflected(j)[0], _reflected(j)[1][0], _reflected(j)[0][1]),
        [_ACROBOT],
        "two positions that differ in the second joint",
        "!=",
        summary=(
            "the state as printed, without velocities, of two positions: cosines (5/13, 3/5) and"
            " sines (12/13, 4/5) or (12/13, -4/5)"
        ),
    ),
    "acrobot-state-corrected": Statement(
        lambda j: Vec(*j[0], *j[1]),
        lambda j: Vec(*_reflected(j)[0], *_reflected(j)[1]),
        [_ACROBOT],
        "two positions that differ in the second joint",
        "!=",
    ),
    "tile-features-sum-to-one": Statement(
        lambda tilings: sum(([Fraction(1, 9)] * (tilings + 1)), Fraction(0)),
        lambda tilings: 1,
        [8],
        "one active tile in each tiling and the bias",
    ),
    "saturated-return-below-minus-1000": Statement(
        lambda cut: -cut,
        lambda cut: -1000,
        [1000],
        "an episode that is cut after as many steps, at -1 a step",
        "<",
        summary="its return, and the number printed",
    ),
    "saturated-return-is-minus-1000": Statement(
        lambda cut: -cut,
        lambda cut: -1000,
        [1000],
        "an episode that is cut after as many steps, at -1 a step",
    ),
    "all-critic-starts-optimistic": Statement(
        lambda start: start,
        lambda start: -1001,
        (0, 500, -500),
        "a policy that takes 1001 steps on average",
        ">",
    ),
    "maximum-possible-return": Statement(
        lambda cut: max(-steps for steps in range(1, cut + 1)),
        lambda cut: -1000,
        [1000],
        "episodes of 1 to 1000 steps",
        summary=(
            "the largest return of an episode cut at this many steps, at -1 a step, and the number"
            " printed"
        ),
    ),
    "minimum-possible-return": Statement(
        lambda cut: min(-steps for steps in range(1, cut + 1)),
        lambda cut: -1000,
        [1000],
        "episodes of 1 to 1000 steps",
    ),
    "average-return-fits-most-failing": Statement(
        lambda good: Fraction(1000 - 700, 1000 + good),
        lambda good: _HALF,
        (-200, -150, 0),
        "successful runs at -200, -150 and 0",
        "<",
        summary="the share of successful runs that gives the average -700, and a half",
    ),
    "alternate-one-parameter-fewer": Statement(
        lambda names: len(names[0]) + 1,
        lambda names: len(names[1]),
        [(("alpha", "beta"), ("alpha", "beta", "p"))],
        "the parameters of both agents",
    ),
    "dotreacher-nine-actions": Statement(
        lambda n: len({(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}),
        lambda n: 9,
        [None],
        "moves by -1, 0 or 1 along both axes",
    ),
    "dotreacher-critic-starts": Statement(
        lambda returns: Vec(0, 25, 25),
        lambda returns: Vec(max(returns), max(returns), -min(returns)),
        [[Fraction(-n, 100) for n in range(1001)]],
        "returns of 0 to 1000 steps at -0.01 a step",
        ">=",
        summary="0 and 25 against the largest return, and minus -25 against minus the smallest",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def experiment_numbers(claim: str) -> Finding:
    """Each number from its definition.

    Exact where the definition is rational; an exponential is a fraction of thirty digits. What runs
    show isn't judged here but in `sim`.
    """
    return STATEMENTS[claim].judged()
