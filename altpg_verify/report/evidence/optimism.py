"""What a biased baseline does to a policy: flatten it, saturate it, or push it off its corner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case, bandit
from altpg_verify.estimators import Estimator, alternate
from altpg_verify.exact import expected_update, outcomes, policy_gradient
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.ball_arithmetic import ball, entropy, excess, sign, stepped
from altpg_verify.report.evidence.boundary_approach import NEAR_CORNERS
from altpg_verify.report.evidence.domains import ANYWHERE, OPTIMISTIC, Domain
from altpg_verify.report.evidence.enumerated import Enumerated

STEPSIZES = (Fraction(1, 100), Fraction(1), Fraction(40))
TIME = 40
SMALL = (Fraction(1, 100), Fraction(1, 10**6))
SATURATED = Fraction(1, 10**12)


def likeliest(entries: Any) -> int:
    """The position of the largest entry."""
    return max(range(len(entries)), key=lambda a: entries[a])


def alone(entries: Any) -> bool:
    """Whether the largest entry is attained once."""
    return list(entries).count(max(entries)) == 1


def change_of(case: Case, action: int, step: Any) -> int:
    """The sign of the change of pi(action) when `step` is added to the preferences."""
    # pi(a) becomes pi(a) / sum_c pi(c) e^(x_c - x_a)
    return -excess(case.pi, step - step[action])


def _by_bias(c: Case) -> tuple[object, object]:
    bias = expected_update(alternate, c) - policy_gradient(c)
    return [change_of(c, likeliest(c.pi), alpha * bias) for alpha in STEPSIZES], [0] * len(
        STEPSIZES
    )


def _entropy_by_bias(c: Case) -> tuple[object, object]:
    bias = expected_update(alternate, c) - policy_gradient(c)

    def change(alpha: Fraction) -> int:
        return sign(lambda: entropy(stepped(c.pi, alpha * bias)) - entropy(map(ball, c.pi)))

    return [change(alpha / (c.b - c.v)) for alpha in SMALL], [0] * len(SMALL)


def _by_update(c: Case) -> tuple[object, object]:
    heaviest = likeliest(c.pi * (c.b - c.q))
    update = expected_update(alternate, c)
    return [change_of(c, heaviest, alpha * update) for alpha in STEPSIZES], [0] * len(STEPSIZES)


@dataclass(frozen=True)
class Followed:
    """A bandit's policy after many expected steps, in balls.

    Args:
        case: the bandit, the policy at the start and the baseline.
        alpha: the stepsize.
        steps: how many.
    """

    case: Case
    alpha: Fraction
    steps: int

    def after(self, estimator: Estimator) -> list[Any]:
        """(k,) the policy at the end, following the estimator's expectation."""
        rewards = tuple(
            tuple((ball(reward), ball(weight)) for reward, weight in outcomes)
            for outcomes in self.case.rewards
        )
        policy = [ball(p) for p in self.case.pi]
        for _ in range(self.steps):
            update = expected_update(estimator, Case(tuple(policy), rewards, ball(self.case.b)))
            weights = [
                p * (ball(self.alpha) * entry).exp()
                for p, entry in zip(policy, update, strict=True)
            ]
            policy = [weight / sum(weights, ball(0)) for weight in weights]
        return policy

    @cached_property
    def best(self) -> int:
        """The action of the largest reward."""
        return likeliest(list(self.case.q))

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {"case": str(self.case), "alpha": self.alpha, "steps": self.steps}


def _runs(max_examples: int, seed: int) -> Iterable[Followed]:
    for better in (Fraction(1, 5), Fraction(1, 10), Fraction(1, 100)):
        for alpha in (Fraction(1, 10), Fraction(1)):
            yield Followed(bandit((1, 2), (1 - better, better), 0), alpha, int(TIME / alpha))


def _saturates(run: Followed) -> tuple[Any, Any]:
    return [
        run.case.q[0] - run.case.q[1],
        sign(lambda: run.after(alternate)[1] - ball(SATURATED)),
    ], [0, 0]


_DELTAS = (4, 100)
_EXAMPLE = Domain(
    "the example's bandit and policy, no noise and noise of 1, baselines 4 and 100",
    lambda max_examples, seed: [
        parse_case(f"pi=1,0,0; r={rewards}; b={delta}")
        for delta in _DELTAS
        for rewards in ("0,0,1", "-1@1/2|1@1/2,-1@1/2|1@1/2,0@1/2|2@1/2")
    ],
)

CLAIMS: dict[str, Enumerated] = {
    "optimistic-bias-makes-policy-more-uniform": Enumerated(
        _by_bias,
        (ANYWHERE + OPTIMISTIC).where(
            "one likeliest action, baseline above the value",
            lambda case: alone(case.pi) and case.b > case.v,
        ),
        "<",
        summary=(
            "the sign of the change of the likeliest action's probability by the bias alone, for"
            " three stepsizes, by ball arithmetic"
        ),
    ),
    "optimistic-bias-increases-entropy": Enumerated(
        _entropy_by_bias,
        (ANYWHERE + OPTIMISTIC).where(
            "policy not uniform, baseline above the value",
            lambda case: len(set(case.pi)) > 1 and case.b > case.v,
        ),
        ">",
        summary=(
            "the sign of the change of the entropy by the bias alone, stepsizes 1/100 and 10^-6"
            " over b - r_pi, by ball arithmetic"
        ),
    ),
    "optimistic-flattens-saturated-policy": Enumerated(
        _by_update,
        (OPTIMISTIC + NEAR_CORNERS.each("their cases", lambda near: [near.case])).where(
            "baseline above all rewards, pi(a) (b - r(a)) largest for one action",
            lambda case: case.b > max(case.q) and alone(case.pi * (case.b - case.q)),
        ),
        "<",
        summary=(
            "the sign of the change of that action's probability in one step, for three stepsizes,"
            " by ball arithmetic"
        ),
    ),
    "pessimistic-can-saturate-wrongly": Enumerated(
        _saturates,
        Domain(
            "r = (1, 2), b = 0, 0.8 to 0.99 of the mass on the worse action, 400 steps of stepsize"
            " 1/10 and 40 of 1",
            _runs,
        ),
        "<",
        summary=(
            "the first reward less the second, and the sign of the second action's final"
            " probability less 10^-12, by ball arithmetic"
        ),
    ),
    "baseline-signal-escapes": Enumerated(
        lambda c: (
            [expected_update(alternate, c)[0], [draw[0] < 0 for draw in outcomes(alternate, c)]],
            [-c.b, [True for _ in c.draws()]],
        ),
        _EXAMPLE,
        summary=(
            "the expected update of the saturated preference, and 1 for each draw of it that is"
            " negative; - delta, and 1"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def biased_baselines(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Policies after a step with a biased baseline."""
    return CLAIMS[claim].judged(max_examples, seed)
