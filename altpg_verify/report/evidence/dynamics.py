"""Where updates lead: bonuses, corners and faces that attract or repel, and both updates followed
for many steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from altpg_verify.cases import Case, bandit
from altpg_verify.estimators import alternate, expected_gradient, regular
from altpg_verify.exact import expected_update, policy_gradient
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.ball_arithmetic import ball, entropy, sign, stepped
from altpg_verify.report.evidence.boundary_approach import NEAR_CORNERS, Near
from altpg_verify.report.evidence.domains import ANYWHERE, UNEQUAL, Domain
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.optimism import STEPSIZES, Followed, change_of, likeliest

TAUS = (Fraction(1, 2), Fraction(2))
SCALES = (1, 40, 300)
HALF = Fraction(1, 2)


def _better_than_any_without(c: Case) -> tuple[object, object]:
    def gain(tau: Fraction) -> int:
        def excess() -> Any:
            policy = stepped((Fraction(1, c.k),) * c.k, c.q / tau)
            value = sum((p * ball(reward) for p, reward in zip(policy, c.q, strict=True)), ball(0))
            # the policy that is best without a bonus has no entropy
            return value + ball(tau) * entropy(policy) - ball(max(c.q))

        return sign(excess)

    return [gain(tau) for tau in TAUS], [0] * len(TAUS)


def _inside(c: Case) -> tuple[object, object]:
    def both(scale: int) -> list[int]:
        uniform = (Fraction(1, c.k),) * c.k
        return [
            sign(lambda a=a, left=left: (1 - 2 * left) * stepped(uniform, scale * c.q)[a] + left)  # type: ignore[misc]
            for a in range(c.k)
            for left in (0, 1)
        ]

    found = [entry for scale in SCALES for entry in both(scale)]
    return found, [0] * len(found)


def _steps_vanish(n: Near) -> tuple[object, object]:
    steps = [
        alpha * entry for alpha in STEPSIZES for entry in abs(expected_update(regular, n.case))
    ]
    return steps, [alpha * n.spread * n.epsilon for alpha in STEPSIZES for _ in range(n.case.k)]


def _raised(n: Near) -> Iterable[Near]:
    """The corner's action made the one best."""
    extra = max(n.case.q) - n.case.q[n.corner] + 1
    rewards = tuple(
        tuple((reward + extra * (a == n.corner), weight) for reward, weight in outcomes)
        for a, outcomes in enumerate(n.case.rewards)
    )
    yield Near(Case(tuple(n.case.pi), rewards, n.case.b), n.limit, n.epsilon)


def _value_exceeds_others(n: Near) -> bool:
    return all(n.case.v > reward for a, reward in enumerate(n.case.q) if a != n.corner)


def _towards_best(n: Near) -> tuple[object, object]:
    gradient = policy_gradient(n.case)
    signal = [entry if a == n.corner else -entry for a, entry in enumerate(gradient)]
    return [signal, [change_of(n.case, n.corner, alpha * gradient) for alpha in STEPSIZES]], [
        [0] * n.case.k,
        [0] * len(STEPSIZES),
    ]


def _optimistic(n: Near) -> Iterable[Near]:
    yield Near(n.case.with_baseline(max(n.case.q) + 1), n.limit, n.epsilon)


def _worse_and_heaviest(n: Near) -> bool:
    return (
        n.case.q[n.corner] < max(n.case.q)
        and likeliest(n.case.pi * (n.case.b - n.case.q)) == n.corner
    )


def _leaves(n: Near) -> tuple[object, object]:
    update = expected_update(alternate, n.case)
    return [change_of(n.case, n.corner, alpha * update) for alpha in STEPSIZES], [0] * len(
        STEPSIZES
    )


MISSING = Fraction(1, 50)


def _climbs(max_examples: int, seed: int) -> Iterable[Followed]:
    for policy in (
        (HALF, HALF),
        (Fraction(9, 10), Fraction(1, 10)),
        (Fraction(99, 100), Fraction(1, 100)),
    ):
        yield Followed(bandit((0, 2), policy, 0), Fraction(1), 200)
    yield Followed(
        bandit((0, 1, 3), (Fraction(3, 5), Fraction(3, 10), Fraction(1, 10)), 0), Fraction(1), 200
    )
    yield Followed(
        bandit(
            (2, 1, 0, 4), (Fraction(7, 10), Fraction(1, 10), Fraction(1, 10), Fraction(1, 10)), 0
        ),
        HALF,
        200,
    )


def _arrives(f: Followed) -> tuple[object, object]:
    return sign(lambda: f.after(expected_gradient)[f.best] - ball(1 - MISSING)), 0


ESCAPE_TIME = 12


def _escapes(max_examples: int, seed: int) -> Iterable[Followed]:
    for far in (Fraction(1, 100), Fraction(1, 10**4), Fraction(1, 10**6)):
        for alpha in (HALF, Fraction(1)):
            yield Followed(bandit((1, 2), (1 - far, far), 3), alpha, int(ESCAPE_TIME / alpha))
            yield Followed(
                bandit((1, 2, 1), (1 - far, far / 4, 3 * far / 4), 3),
                alpha,
                int(ESCAPE_TIME / alpha),
            )


def _biased_is_out(f: Followed) -> tuple[object, object]:
    out = sign(lambda: ball(HALF) - f.after(alternate)[0])
    still_in = sign(lambda: f.after(expected_gradient)[0] - ball(HALF))
    on_its_way = sign(lambda: ball(f.case.pi[0]) - f.after(expected_gradient)[0])
    return [out, still_in, on_its_way], [0, 0, 0]


def _waits(max_examples: int, seed: int) -> Iterable[Followed]:
    for odds in (10, 100, 1000):
        far = Fraction(1, odds + 1)
        # half of (e^l - 1) / (2 D), the least time to even odds, in which log odds l start at
        # log(odds); D = 1
        for alpha in (Fraction(1), Fraction(2)):
            yield Followed(bandit((1, 2), (1 - far, far), 0), alpha, int((odds - 1) / (4 * alpha)))
            yield Followed(
                bandit((1, 2, 1), (1 - far, far / 2, far / 2), 0),
                alpha,
                int((odds - 1) / (4 * alpha)),
            )


def _still_saturated(f: Followed) -> tuple[object, object]:
    def left() -> Any:
        return f.after(expected_gradient)[0]

    return [sign(lambda: left() - ball(HALF)), sign(lambda: ball(f.case.pi[0]) - left())], [0, 0]


CLAIMS: dict[str, Enumerated] = {
    "true-gradient-slow-when-saturated": Enumerated(
        _still_saturated,
        Domain(
            "two and three actions, odds 10, 100, 1000 for a worse one; times proportional to the"
            " odds, e^M",
            _waits,
        ),
        ">",
        summary=(
            "the signs of that action's probability by the true gradient less 1/2, and of how far"
            " it has been lowered"
        ),
    ),
    "bonuses-change-the-optimum": Enumerated(
        _better_than_any_without,
        UNEQUAL,
        ">",
        summary=(
            "the sign of J + tau H at a policy in the interior, e^(r / tau) normalised, less its"
            " value at the corner of the best action, for two weights tau, by ball arithmetic"
        ),
    ),
    "softmax-never-at-boundary": Enumerated(
        _inside,
        ANYWHERE,
        ">",
        summary=(
            "the signs of each probability and of one less it, preferences 1, 40 and 300 times the"
            " rewards, by ball arithmetic"
        ),
    ),
    "weights-not-updated-near-corners": Enumerated(
        _steps_vanish,
        NEAR_CORNERS,
        "<=",
        summary=(
            "each entry of the expected step, three stepsizes, and the stepsize times the spread of"
            " the rewards times epsilon"
        ),
    ),
    "optimal-corner-attracts": Enumerated(
        _towards_best,
        NEAR_CORNERS.each("the corner's action made the one best", _raised).where(
            "value above all other rewards", _value_exceeds_others
        ),
        ">",
        summary=(
            "the gradient's entry for the best action, minus its other entries, and the sign of the"
            " change of that action's probability for three stepsizes, by ball arithmetic"
        ),
    ),
    "optimistic-lowers-suboptimal-corner-action": Enumerated(
        _leaves,
        NEAR_CORNERS.each("the baseline above the largest reward by one", _optimistic).where(
            "the corner's action not the best, pi(a) (b - r(a)) largest for it", _worse_and_heaviest
        ),
        "<",
        summary=(
            "the sign of the change of the corner action's probability in one expected step, three"
            " stepsizes, by ball arithmetic"
        ),
    ),
    "true-gradient-flow-reaches-optimal-corner": Enumerated(
        _arrives,
        Domain(
            "five starts on two to four actions, one best, 200 steps of stepsize 1 or 1/2", _climbs
        ),
        ">",
        summary=(
            "the sign of the best action's probability less 98/100 after all steps, by ball"
            " arithmetic"
        ),
    ),
    "biased-update-escapes-faster": Enumerated(
        _biased_is_out,
        Domain(
            "two and three actions, 1/100 to 10^-6 off the corner of a worse action, b = 3, times"
            " of 12 over the stepsize",
            _escapes,
        ),
        ">",
        summary=(
            "the signs of 1/2 less the corner action's probability by the biased update, of that by"
            " the true gradient less 1/2, and of how far the true gradient has lowered it"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def where_updates_lead(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Signs near corners and after many steps."""
    return CLAIMS[claim].judged(max_examples, seed)
