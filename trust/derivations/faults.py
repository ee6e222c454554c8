"""Faults, each in one of the three methods only, as contexts: while one is open, that method makes
wrong numbers and says nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np


@dataclass(frozen=True)
class Fault:
    """A fault that can be opened.

    While it is open one of the three methods (derivation, enumeration, simulation) computes wrong
    numbers, and the ledger has to show that it contradicts the other two.

    Attributes:
        method: the one that it is in.
        summary: what is wrong, in words.
        opened: gives the context within which it is.
    """

    method: str
    summary: str
    opened: Callable[[], Any]


# --- derivation: theory's symbols and rules
# ---------------------------------------------------------------------------


def _seen(letter: str, formula: Callable[[Any], Any]) -> Callable[[], Any]:
    """The estimate's formula, as the derivations see it, replaced."""

    @contextmanager
    def opened() -> Iterator[None]:
        from altpg_verify.theory.proving import calculus

        wrong = {getattr(calculus, letter): formula}
        with ExitStack() as stack:
            for rules in (calculus.ESTIMATES, calculus.ON_POLICY, calculus.SOFTMAX):
                stack.enter_context(patch.dict(rules, wrong))
            yield

    return opened


def _alternate_turned(action: Any) -> Any:
    from altpg_verify.theory.proving.notation import R, b, e

    return (b - R) * e[action]


def _regular_without_baseline(action: Any) -> Any:
    from altpg_verify.theory.proving.notation import R, e, pi, r

    return (R - r[action]) * (e[action] - pi[action])


def _alternate_with_half_baseline(action: Any) -> Any:
    from altpg_verify.theory.proving.notation import R, b, e

    return (R - b / 2) * e[action]


@contextmanager
def _noise_forgotten() -> Iterator[None]:
    from sympy import Integer, Poly, expand

    from altpg_verify.theory.proving import calculus

    def conditional(expression: Any, action: Any) -> Any:
        polynomial = Poly(expand(expression.subs(calculus.r_A, calculus.r[action])), calculus.R)
        return sum(
            (factor * calculus.r[action] ** power for (power,), factor in polynomial.terms()),
            start=Integer(0),
        )

    with patch.object(calculus, "conditional", conditional):
        yield


@contextmanager
def _mean_not_subtracted() -> Iterator[None]:
    from altpg_verify.theory.proving import calculus

    with patch.object(
        calculus,
        "covariance",
        lambda one, other: calculus.mean(calculus.written_out(one) * calculus.written_out(other)),
    ):
        yield


@contextmanager
def _an_arm_forgotten() -> Iterator[None]:
    from altpg_verify.theory.attraction import three_arms

    def kappa(baseline: Any, rewards: Any = three_arms.REWARDS) -> Any:
        return 1 / sum(1 / (reward - baseline) for reward in rewards[:-1])

    with patch.object(three_arms, "kappa", kappa):
        yield


# --- enumeration: the list of every outcome
# ---------------------------------------------------------------------------


@contextmanager
def _draws(changed: Callable[[Any, list[Any]], list[Any]]) -> Iterator[None]:
    from altpg_verify.cases import Case

    original = Case.draws

    def draws(self: Any) -> Iterator[Any]:
        yield from changed(self, list(original(self)))

    with patch.object(Case, "draws", draws):
        yield


def _next_probability(case: Any, draws: list[Any]) -> list[Any]:
    following = [draws[(i + 1) % len(draws)][0] for i in range(len(draws))]
    return [
        (chance, action, reward)
        for chance, (_, action, reward) in zip(following, draws, strict=True)
    ]


def _last_forgotten(case: Any, draws: list[Any]) -> list[Any]:
    return draws[:-1]


def _next_action(case: Any, draws: list[Any]) -> list[Any]:
    return [(chance, (action + 1) % case.k, reward) for chance, action, reward in draws]


@contextmanager
def _squares_only() -> Iterator[None]:
    from altpg_verify import exact
    from altpg_verify.report.evidence import saturation

    def variance(estimator: Any, case: Any) -> Any:
        return (
            case.expectation(
                lambda action, reward: exact.evaluate(estimator, case, action, reward) ** 2
            )
            + 0 * case.pi
            + 1
        )

    with ExitStack() as stack:
        for module in (exact, saturation):
            stack.enter_context(patch.object(module, "variance", variance))
        yield


@contextmanager
def _half_the_quotient_rule() -> Iterator[None]:
    from altpg_verify.forward_mode import Dual

    original = Dual.__truediv__

    def over(self: Any, other: Any) -> Any:
        found = original(self, other)
        return (
            Dual(found.value, [slope / other.value for slope in self.gradient])
            if isinstance(other, Dual)
            else found
        )

    with patch.object(Dual, "__truediv__", over):
        yield


@contextmanager
def _baseline_moved() -> Iterator[None]:
    from altpg_verify.cases import Case

    original = Case.arguments

    def arguments(self: Any, action: int, reward: Any) -> Any:
        found = original(self, action, reward)
        found["b"] = found["b"] + 1
        return found

    with patch.object(Case, "arguments", arguments):
        yield


# --- simulation: the compiled agents
# ----------------------------------------------------------------------------------


@contextmanager
def _agents(
    changed: Callable[[Any], Any], after: Callable[[Any], Any] = lambda outcome: outcome
) -> Iterator[None]:
    """Each agent runs with another setting than the one asked for, or its outcome is put down
    wrong.
    """
    from altpg_verify.sim import bandit

    original = bandit._run

    def run(estimate: Any, setting: Any, *rest: Any) -> Any:
        return after(original(estimate, changed(setting), *rest))

    with patch.object(bandit, "_run", run):
        yield


def _same(setting: Any) -> Any:
    return setting


@contextmanager
def _draws_the_action_before() -> Iterator[None]:
    """The sampler itself: an action is taken from where its share of the unit interval ends, not
    from where it begins.
    """
    from numba import njit

    from altpg_verify.sim import bandit

    def choose(pi, rewards, uniform, below, action, ret, value):  # type: ignore[no-untyped-def]
        k, n = pi.shape
        for i in range(n):
            below[i], value[i] = 0.0, 0.0
        for a in range(k):
            for i in range(n):
                below[i] += pi[a, i]
                taken = a == 0 or uniform[i] >= below[i]
                value[i] += pi[a, i] * rewards[a]
                action[i] = float(a) if taken else action[i]
                ret[i] = rewards[a] if taken else ret[i]

    # compiled for this once: the faulty kernel must never be kept on disk
    unkept = functools.partial(_not_kept, bandit.compile_kernel)
    with (
        patch.object(bandit, "choose", njit(error_model="numpy", nogil=True)(choose)),
        patch.object(bandit, "compile_kernel", unkept),
    ):
        kernel = bandit._kernel.__wrapped__()  # type: ignore[attr-defined]
    with patch.object(bandit, "_kernel", lambda: kernel):
        yield


def _not_kept(compiler: Callable[..., Any], function: Any, signature: Any, *, keep: bool) -> Any:
    return compiler(function, signature, keep=False)


FAULTS = (
    Fault(
        "derivation",
        "the alternate estimator with its sign turned",
        _seen("ghat_ALT", _alternate_turned),
    ),
    Fault(
        "derivation",
        "the alternate estimator with half its baseline",
        _seen("ghat_ALT", _alternate_with_half_baseline),
    ),
    Fault(
        "derivation",
        "the regular estimator with the reward's own mean as its baseline",
        _seen("ghat_REG", _regular_without_baseline),
    ),
    Fault("derivation", "a second moment without the noise", _noise_forgotten),
    Fault("derivation", "a covariance without the product of the means", _mean_not_subtracted),
    Fault("derivation", "κ without the last arm", _an_arm_forgotten),
    Fault(
        "enumeration",
        "every outcome with the probability of the next one",
        functools.partial(_draws, _next_probability),
    ),
    Fault("enumeration", "the last outcome forgotten", functools.partial(_draws, _last_forgotten)),
    Fault(
        "enumeration",
        "the action after the one that was drawn",
        functools.partial(_draws, _next_action),
    ),
    Fault("enumeration", "a variance without the square of the mean", _squares_only),
    Fault("enumeration", "half of the quotient rule", _half_the_quotient_rule),
    Fault("enumeration", "estimates with a baseline larger by one", _baseline_moved),
    Fault(
        "simulation",
        "the reward of the neighbouring arm",
        functools.partial(
            _agents,
            lambda setting: replace(setting, rewards=(*setting.rewards[1:], setting.rewards[0])),
        ),
    ),
    Fault(
        "simulation",
        "a baseline larger by 1/4",
        functools.partial(_agents, lambda setting: replace(setting, b=setting.b + 0.25)),
    ),
    Fault(
        "simulation",
        "half as much noise again",
        functools.partial(_agents, lambda setting: replace(setting, sigma=1.5 * setting.sigma)),
    ),
    Fault(
        "simulation",
        "stepsizes a tenth too large",
        functools.partial(_agents, lambda setting: replace(setting, alpha=1.1 * setting.alpha)),
    ),
    Fault(
        "simulation",
        "actions put down in the wrong order",
        functools.partial(
            _agents,
            _same,
            lambda outcome: replace(
                outcome, theta=np.roll(outcome.theta, 1, axis=1), mean=4 - outcome.mean
            ),
        ),
    ),
    Fault(
        "simulation", "the sampler takes an action where its share ends", _draws_the_action_before
    ),
)
