"""The engine: prove, search, shrink, recognise, word. One engine behind the prompt, pytest and the command line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.exact import evaluate
from altpg_verify.gaps import difference, recognise, verified_for
from altpg_verify.judging import RELATIONS
from altpg_verify.laws import LAWS, Domain, Law, law_named
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.rational_functions import NotRational
from altpg_verify.results import CheckResult, Counterexample, EstimatorCheckError, Report
from altpg_verify.search import sample, search
from altpg_verify.verdicts import Verdict

PROOF_ACTIONS = (2, 3, 4)
"""The numbers of actions for which a law is proved symbolically; `theory` proves the paper's claims for every k."""

TOLERANCE = 1e-9
"""Relative tolerance of float64 comparisons, which can refute or fail to refute but never prove."""

ROUNDING = 1e-13
"""Rounding error of a float64 side, as a share of the rewards (or of their squares), that is no deviation."""

SATURATED = 1e-10
"""Probability of an action below which float64 may lose what it contributes."""

SMALLEST = 1e-150
"""A number below this has no square in float64."""

EXAMPLES_AFTER_PROOF = 20
"""Exact cases tried after a proof, as an independent road to the same answer."""


SAMPLED_CASES = 40
"""Exact cases on which a gap or a condition is recognised."""


def check_estimator(
    estimator: Estimator,
    *,
    only: Sequence[str] | None = None,
    laws: tuple[Law, ...] = LAWS,
    max_examples: int = 100,
    seed: int = 0,
    on_fail: str = "raise",
    parameterisation: Parameterisation = softmax,
    case: Case | None = None,
    thorough: bool = False,
    facts: bool = True,
    origin: str = "",
) -> Report:
    """Check an estimator against the laws; all of them run, whatever the first ones say.

    Args:
        estimator: made by `@estimator`.
        only: names of laws; all by default.
        laws: the laws to choose from; add your own with `(*LAWS, my_law)`.
        max_examples: exact cases to search for a counterexample where a law isn't proved.
        seed: of the search, which is otherwise deterministic.
        on_fail: "raise" (EstimatorCheckError with the whole report) or "return".
        parameterisation: how preferences become the policy.
        case: try just this case instead of proving and searching.
        thorough: search all `max_examples` cases even where a law is proved; else a few, as a cross-check.
        facts: also derive what is known of bias, fixed points and the value converged to.
        origin: "module:name" for the replay command.

    Raises:
        BadInput: unknown law, unusable option; BadEstimator: the estimator broke its contract.
        EstimatorCheckError: a result isn't as it should be.
    """
    begin = time.perf_counter()
    if not isinstance(estimator, Estimator):
        raise BadInput(f"check_estimator needs an estimator, not {type(estimator).__name__}; decorate the function with @estimator")
    if on_fail not in ("raise", "return"):
        raise BadInput(f"on_fail is {on_fail!r}; choose 'raise' or 'return'")
    if max_examples < 1:
        raise BadInput(f"max_examples is {max_examples}; give at least 1")
    for name in (*estimator.expected_failures, *estimator.promises):
        law_named(name, laws)
    chosen = laws if only is None else tuple(law_named(name, laws) for name in only)
    if only is None and len({law.name for law in laws}) < len(laws):
        raise BadInput("two laws have the same name; give each its own")
    after_proof = max_examples if thorough else min(EXAMPLES_AFTER_PROOF, max_examples)
    engine = _Engine(estimator, laws, max_examples, after_proof, seed, parameterisation, origin or _origin(estimator))
    results = tuple(engine.check(law, case) for law in chosen)
    found: tuple[tuple[str, str], ...] = ()
    if facts and case is None:
        from altpg_verify.facts import describe

        found = describe(estimator, results, parameterisation)
    report = Report(estimator.name, estimator.says, parameterisation.name, results, found, time.perf_counter() - begin)
    if on_fail == "raise" and not all(result.ok for result in results):
        raise EstimatorCheckError(report)
    return report


def _origin(estimator: Estimator) -> str:
    return f"{estimator.formula.__module__}:{estimator.name}"


class _Engine:
    """What one run knows: the estimator, its face, and the verdicts so far (for laws that imply others)."""

    def __init__(
        self,
        estimator: Estimator,
        laws: tuple[Law, ...],
        max_examples: int,
        after_proof: int,
        seed: int,
        parameterisation: Parameterisation,
        origin: str,
    ) -> None:
        self.estimator, self.laws, self.seed = estimator, laws, seed
        self.max_examples, self.after_proof = max_examples, after_proof
        self.parameterisation, self.origin = parameterisation, origin
        self.exact = is_exact(estimator, parameterisation)
        self.proofs: dict[str, tuple[int, ...]] = {}
        self.samples: dict[str, list[Case]] = {}

    def check(self, law: Law, case: Case | None) -> CheckResult:
        blank = CheckResult(
            law.name,
            law.formula,
            law.says,
            Verdict.INCONCLUSIVE,
            required=law.required or law.name in self.estimator.promises,
            expected_failure=self.estimator.expected_failures.get(law.name, ""),
        )
        if law.domain.softmax_only and not self.parameterisation.normalised:
            return replace(blank, verdict=Verdict.SKIPPED, reason=f"stated for softmax policies, not for {self.parameterisation.name}")
        try:
            return self._one_case(law, case, blank) if case is not None else self._decide(law, blank)
        except BadEstimator as error:
            if not law.domain.boundary:
                raise
            # softmax never reaches the boundary, so a formula need not be defined there
            return replace(blank, verdict=Verdict.SKIPPED, reason=f"the formula isn't defined at a corner: {error}")

    def _decide(self, law: Law, blank: CheckResult) -> CheckResult:
        proved = self._proof(law)
        counterexample, tried = self._search(law, self.after_proof if proved else self.max_examples)
        if counterexample is not None and proved:
            why = f"proved for k = {_numbers(proved)}, yet {counterexample} is a counterexample: does the formula branch on its inputs?"
            return replace(blank, reason=why, examples=tried)
        if counterexample is not None:
            return self._refuted(law, counterexample, replace(blank, examples=tried))
        if not tried:
            return replace(blank, reason="the search produced no case")
        kind = "exact" if self.exact and not law.domain.floats else "float64"
        count = f"{tried} {kind} cases"
        if proved:
            how = self._how_proved(law)
            return replace(blank, verdict=Verdict.PROVED, evidence=f"k = {_numbers(proved)}{how}; and {count}", examples=tried)
        return replace(blank, verdict=Verdict.HOLDS, evidence=count, examples=tried)

    def _how_proved(self, law: Law) -> str:
        if law.trivial and not law.trivial & set(self.estimator.needs):
            return f", by construction: the formula doesn't see {', '.join(sorted(law.trivial))}"
        if law.relation != "=" or law.domain.symbolic is None:
            return f", follows from {law.implied_by}"
        return ""

    def _one_case(self, law: Law, case: Case, blank: CheckResult) -> CheckResult:
        if not law.domain.includes(case):
            return replace(blank, verdict=Verdict.SKIPPED, reason=f"the case is none that the law speaks of: {law.domain.name}")
        fails = self._fails(law, case) if self.exact or law.domain.floats else self._fails_in_floats(law, case)
        if fails is None:
            why = "float64 can't tell: what is to be compared is lost in the rounding of numbers much larger, or the policy is saturated"
            return replace(blank, reason=why, examples=1)
        if fails:
            return self._refuted(law, case, replace(blank, examples=1))
        return replace(blank, verdict=Verdict.HOLDS, evidence=f"1 case: {case}", examples=1)

    def _proof(self, law: Law) -> tuple[int, ...]:
        """The numbers of actions for which the law is proved; empty if it isn't."""
        if law.name not in self.proofs:
            self.proofs[law.name] = self._prove(law)
        return self.proofs[law.name]

    def _prove(self, law: Law) -> tuple[int, ...]:
        if law.domain.symbolic is not None and law.relation == "=":
            try:
                if all(_equal(law, self.estimator, case) for k in PROOF_ACTIONS for case in law.domain.symbolic(k, self.parameterisation)):
                    return PROOF_ACTIONS
                return ()
            except (ArithmeticError, AttributeError, BadEstimator, TypeError):
                # not a rational function of its arguments: nothing is proved, the search decides
                return ()
        if law.implied_by and law.relation == ">=":
            return self._proof(law_named(law.implied_by, self.laws))
        return ()

    def _fails(self, law: Law, case: Case) -> bool:
        """Whether the law fails in this case, exactly where the estimator is exact, else beyond the float tolerance."""
        if not self.exact and not law.domain.floats:
            case = case.as_float()
        left, right = law.sides(self.estimator, case)
        relation = RELATIONS[law.relation]
        pairs = zip(left, right, strict=True)
        if law.domain.floats or all(_is_rational(entry) for entry in (*left, *right)):
            return not all(relation(one, two) for one, two in pairs)
        return not all(_close(one, two) or (law.relation != "=" and relation(one, two)) for one, two in pairs)

    def _fails_in_floats(self, law: Law, case: Case) -> bool | None:
        """Whether the law fails in a case of numbers of any size, run in float64; None where rounding hides it."""
        left, right = law.sides(self.estimator, case.as_float())
        pairs = [(float(one), float(two)) for one, two in zip(left, right, strict=True)]
        if not all(math.isfinite(entry) for pair in pairs for entry in pair):
            return None
        size = max([0.0, *(abs(entry) for pair in pairs for entry in pair)])
        numbers = {Fraction(0), Fraction(case.b), *(Fraction(reward) for outcomes in case.rewards for reward, _ in outcomes)}
        largest = max(float(law.moves), *(float(abs(number)) for number in numbers))
        closest = min((float(two - one) for one, two in pairwise(sorted(numbers))), default=largest)
        # laws are of the first or of the second degree in the rewards
        least, most = sorted(ROUNDING * power for power in (largest, largest**2))
        if law.relation in ("<", ">") and any(abs(one - two) <= least for one, two in pairs):
            return None
        off = [abs(one - two) for one, two in pairs if not RELATIONS[law.relation](one, two)]
        deviation = max(off, default=0.0)
        if deviation > most + TOLERANCE * size:
            return True
        # numbers that vanish beside others, and numbers whose squares vanish, may hide a deviation altogether
        hidden = ROUNDING * largest > TOLERANCE * closest or closest < SMALLEST
        saturated = any(0 < entry < SATURATED for entry in case.pi)
        return False if not hidden and (deviation <= TOLERANCE * size or (deviation <= least and not saturated)) else None

    def _search(self, law: Law, budget: int) -> tuple[Case | None, int]:
        return search(law.domain.strategy(self.parameterisation), lambda case: self._fails(law, case), budget, self.seed)

    def _refuted(self, law: Law, case: Case, blank: CheckResult) -> CheckResult:
        shown = case if self.exact or law.domain.floats else case.as_float()
        left, right = law.sides(self.estimator, shown)
        options = "" if self.parameterisation.normalised else f" --policy {self.parameterisation.name}"
        replay = f'python -m altpg_verify check {self.origin} --only {law.name}{options} --case "{case}"'
        result = replace(blank, verdict=Verdict.REFUTED, counterexample=Counterexample(case.describe(), _show(left), _show(right), replay))
        if self.exact and law.relation == "=" and not law.domain.floats:
            result = replace(result, gap=self._gap(law), holds_when=self._holds_when(law))
        return result

    def _sampled(self, domain: Domain) -> list[Case]:
        """The same cases for all laws of a domain, drawn once."""
        if domain.name not in self.samples:
            self.samples[domain.name] = sample(domain.strategy(self.parameterisation), SAMPLED_CASES, self.seed + 1)
        return self.samples[domain.name]

    def _gap(self, law: Law) -> str:
        cases, fresh = self._sampled(law.domain)[:12], self._sampled(law.domain)[12:]
        gap = recognise(law, self.estimator, cases)
        if gap is None or any(difference(law, self.estimator, case) != gap.entries(case) for case in fresh):
            return ""
        try:
            symbolic = law.domain.symbolic
            proved = verified_for(gap, law, self.estimator, lambda k: symbolic(k, self.parameterisation), PROOF_ACTIONS) if symbolic else []
        except (ArithmeticError, AttributeError, BadEstimator, TypeError):
            proved = []
        return f"{gap}   [{f'proved for k = {_numbers(proved)}' if proved else f'fits {len(cases) + len(fresh)} cases exactly'}]"

    def _holds_when(self, law: Law) -> tuple[str, ...]:
        cases = self._sampled(law.domain)
        return tuple(
            f"{name} ({len(cases)} exact cases)"
            for name, restrict in _CONDITIONS.items()
            if all(not self._fails(law, restrict(case)) for case in cases)
        )


_CONDITIONS: dict[str, Callable[[Case], Case]] = {
    "b = v": lambda case: case.at_value(),
    "b = 0": lambda case: case.with_baseline(Fraction(0)),
    "every action pays the same": lambda case: replace(case, rewards=(case.rewards[0],) * case.k),
    "the policy is uniform": lambda case: replace(case, x=(Fraction(1, case.k),) * case.k),
    "rewards have no noise": lambda case: replace(case, rewards=tuple(((mean, Fraction(1)),) for mean in case.q)),
}


def is_exact(estimator: Estimator, parameterisation: Parameterisation = softmax) -> bool:
    """Whether the formula stays within exact rationals; if not, float64 is tried, and only then is it an error.

    Raises:
        BadEstimator: it works on neither.
    """
    probe = sample(_probe_strategy(parameterisation), 3, 0)
    try:
        return all(
            _is_rational(entry)
            for case in probe
            for _, action, reward in case.draws()
            for entry in evaluate(estimator, case, action, reward)
        )
    except BadEstimator as trouble:
        for case in probe:
            for _, action, reward in case.as_float().draws():
                try:
                    evaluate(estimator, case.as_float(), action, reward)
                except BadEstimator as error:
                    # say what the float run said, unless only the exact one is telling
                    raise error from trouble
        return False


def _probe_strategy(parameterisation: Parameterisation) -> Any:
    from altpg_verify import strategies

    return strategies.cases(parameterisation, min_actions=3, max_actions=3)


def _is_rational(entry: Any) -> bool:
    return isinstance(entry, int | Fraction) and not isinstance(entry, bool | np.bool_)


def _equal(law: Law, estimator: Estimator, case: Case) -> bool:
    try:
        left, right = law.sides(estimator, case)
    except BadEstimator as error:
        raise NotRational(str(error)) from error
    return list(left) == list(right)


def _close(one: Any, two: Any) -> bool:
    return abs(float(one) - float(two)) <= TOLERANCE * (1 + abs(float(one)) + abs(float(two)))


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _show(side: Sequence[Any]) -> str:
    entries = [f"{entry:.6g}" if isinstance(entry, float) else str(entry) for entry in side]
    shown = entries if len(entries) <= 12 else [*entries[:11], f"... {len(entries)} entries"]
    return entries[0] if len(entries) == 1 else "(" + ", ".join(shown) + ")"
