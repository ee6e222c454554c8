"""The five forms in which somebody hands us a policy gradient, each with a trick in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from altpg_verify.audit import audit, bandit, from_function, from_jax, from_torch
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.checks import check_estimator
from altpg_verify.estimators import estimator
from altpg_verify.verdicts import Verdict

Trick = Callable[[Any, Any], Any]
"""(reward, an array of the call) -> the factor by which the update is multiplied: 1 wherever the
trick hides.
"""

WRONG = frozenset(
    {"REFUTED", *(kind.value for kind in Kind if kind not in (Kind.UNBIASED, Kind.UNDECIDED))}
)
"""What an update is called that isn't what it claims to be."""

REFUSED = frozenset({"refused"})
UNSURE = REFUSED | {"partial", "INCONCLUSIVE"}
NEVER_PASSED = WRONG | UNSURE
"""All but a whole pass."""

PASSED = frozenset({"PROVED", "CERTIFIED", "HOLDS", "SUPPORTED"})
ANYTHING = NEVER_PASSED | PASSED
"""For what is right however odd it looks: only a crash is a fault."""

Acceptable = frozenset[str] | dict[str, frozenset[str]]
"""The only acceptable outcomes; by form where forms differ, with "" for the others (else
anything).
"""

WHOLE = "whole"
"""The form of programs that bring their own space and declarations."""

SAMPLES = 2000


def of_form(acceptable: Acceptable, form: str) -> frozenset[str]:
    """What is acceptable in one form."""
    return (
        acceptable
        if isinstance(acceptable, frozenset)
        else acceptable.get(form, acceptable.get("", ANYTHING))
    )


@dataclass(frozen=True)
class Hostile:
    """A hostile program.

    Attributes:
        kind: the assumption of the engine that it attacks.
        name: of the trick.
        make: a fresh trick, with state of its own; of a whole program the program itself, which
            returns what it came to.
        form: how it is handed over, or "whole".
        acceptable: the only outcomes that are.
    """

    kind: str
    name: str
    make: Callable[[], Any]
    form: str
    acceptable: frozenset[str]

    @property
    def title(self) -> str:
        """Kind, name and form."""
        return f"{self.kind}: {self.name}, {self.form}"

    def ask(self) -> str:
        """What it comes to, in one word."""
        made = self.make()
        return made if self.form == WHOLE else FORMS[self.form](made)


def formula(trick: Trick) -> str:
    """The regular estimator."""

    def mine(pi: Any, e: Any, r: Any, b: Any) -> Any:
        return (r - b) * (e - pi) * trick(r, pi)

    (found,) = check_estimator(estimator(mine), only=("unbiased",), on_fail="return", facts=False)
    return "partial" if found.verdict.is_for and not found.whole else found.verdict.value


def numpy(trick: Trick) -> str:
    """REINFORCE as a function of a draw."""

    def mine(reward: Any, score: Any) -> Any:
        return reward * score * trick(reward, score)

    return _audited(from_function(mine, space=_space()))


def sampler(trick: Trick) -> str:
    """REINFORCE with a generator, judged by sampling."""

    def mine(reward: Any, score: Any, rng: Any) -> Any:
        return reward * score * trick(reward, score)

    return _audited(from_function(mine, space=_space()), samples=SAMPLES)


def torch(trick: Trick) -> str:
    """The loss of REINFORCE in torch."""

    def mine(theta: Any, actions: Any, rewards: Any) -> Any:
        return -(theta.log_softmax(-1)[actions] * rewards * trick(rewards[0], theta)).sum()

    return _audited(from_torch(mine, space=_space()))


def jax(trick: Trick) -> str:
    """The loss of REINFORCE in JAX."""
    from jax.nn import log_softmax

    def mine(theta: Any, actions: Any, rewards: Any) -> Any:
        return -(log_softmax(theta)[actions] * rewards * trick(rewards[0], theta)).sum()

    return _audited(from_jax(mine, space=_space()))


FORMS: dict[str, Callable[[Trick], str]] = {
    "formula": formula,
    "numpy": numpy,
    "torch": torch,
    "jax": jax,
    "sampler": sampler,
}


def missing(form: str) -> str:
    """Why a form can't be run here; empty if it can."""
    return f"{form} isn't installed" if form in ("torch", "jax") and find_spec(form) is None else ""


def _space() -> Any:
    return bandit([-1, "1/2", 2, 3, 5, 7, 8])


def _audited(update: Any, **options: Any) -> str:
    return outcome_of(audit(update, differentiate=False, **options))


def outcome_of(found: Audit) -> str:
    """What an audit came to, in one word."""
    if found.kind is Kind.UNDECIDED or found.verdict is Verdict.INCONCLUSIVE:
        return "INCONCLUSIVE"
    if found.kind is not Kind.UNBIASED:
        return found.kind.value
    return "partial" if found.partial else found.strength.value
