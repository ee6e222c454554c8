"""The engine behind every check of an estimator: prove, search, shrink, recognise, word.

The life of one law, in `LawEngine.check`:

    prove       both sides over rational functions, k = 2, 3, 4 (`proving`)
    search      simple cases, the formula's own constants, then far cases (`tried`, `wide`)
    shrink      the smallest failing case, by Hypothesis or by hand (`search`, `wide.shrunk`)
    recognise   left - right as a formula, and conditions under which it vanishes (`gaps`)
    word        a `CheckResult`, whose verdict `verdicts.of_a_law` computes

The search runs even where there is a proof: the two share no arithmetic, so that a fault in one
shows as a contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from altpg_verify.cases import Case
from altpg_verify.comparing_sides import Comparing
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import Calls, NotDifferentiable, Raised, TooLarge, Undefined
from altpg_verify.gaps import difference, recognise, verified_for
from altpg_verify.laws import Law, is_own
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.proving import PROOF_ACTIONS, UNPROVABLE, Prover, other_on_plain
from altpg_verify.results import CheckResult, Counterexample
from altpg_verify.sealing import remade, seal
from altpg_verify.search import search
from altpg_verify.tried import Tried
from altpg_verify.untrusted.constants import constants
from altpg_verify.untrusted.type_queries import type_query
from altpg_verify.verdicts import Verdict, of_a_law
from altpg_verify.wide import shrunk

SPARE = 8
"""So many times the cases are drawn where float64 can't tell some apart."""


FEWEST_FAILURES = 5
"""A condition is named only if the law fails without it in so many of the sampled cases."""


SAMPLED_CASES = 40
"""Exact cases on which a gap or a condition is recognised."""


class LawEngine:
    """What one run knows of an estimator, whatever the law.

    Args:
        estimator, parameterisation: what is checked, and how preferences become its policy.
        max_examples: exact cases to search where a law isn't proved.
        after_proof: exact cases that are tried where it is.
        seed: of the search.
        origin: "module:name", for the replay command.
        calls: what is noted of every call of the formula.

    Attributes:
        comparing: tells whether a law fails in a case.
        prover, cases: the proofs, and the cases that are tried.
        plain: the same in float64, for a formula that may answer otherwise to floats; None for
            others.
        raised: for each law, what the formula raised.
    """

    def __init__(
        self,
        estimator: Estimator,
        max_examples: int,
        after_proof: int,
        seed: int,
        parameterisation: Parameterisation,
        origin: str,
        calls: Calls,
    ) -> None:
        self.estimator, self.seed, self.calls = estimator, seed, calls
        self.max_examples, self.after_proof = max_examples, after_proof
        self.parameterisation, self.origin = parameterisation, origin
        self.comparing = Comparing(estimator, parameterisation)
        self.prover = Prover(estimator, parameterisation, self.comparing.exact)
        self.cases = Tried(parameterisation, seed, constants(estimator))
        self.plain: LawEngine | None = None
        self.raised: dict[str, list[BadEstimator]] = {}
        if self.comparing.exact and (
            type_query(estimator.formula, numbers=True)
            or other_on_plain(estimator, parameterisation)
        ):
            # it may answer, or answers, otherwise to the floats of training than to exact numbers
            self.plain = copy(self)
            self.plain.comparing = self.comparing.in_float64()

    def check(self, law: Law, case: Case | None, progress: Callable[[str], None]) -> CheckResult:
        """Decide one law: for a case alone, or by proof and search.

        Args:
            law: which one.
            case: try this one only; None to prove and search.
            progress: is told the law's name before anything runs.

        Returns:
            A sealed result. A law whose domain doesn't fit is SKIPPED; one that needs derivatives
            of a formula without them, or whose formula raises, is INCONCLUSIVE.

        Raises:
            BadEstimator: the estimator broke its contract at a policy that an agent can have.
        """
        progress(law.name)
        blank = seal(
            CheckResult(
                law.name,
                law.formula,
                law.summary,
                Verdict.INCONCLUSIVE,
                required=law.required or law.name in self.estimator.promises,
                expected_failure=self.estimator.expected_failures.get(law.name, ""),
            )
        )
        if law.domain.softmax_only and not self.parameterisation.normalised:
            return remade(
                blank,
                verdict=Verdict.SKIPPED,
                reason=f"stated for softmax policies, not for {self.parameterisation.name}",
            )
        self.raised[law.name] = []
        try:
            return (
                self._one_case(law, case, blank) if case is not None else self._decide(law, blank)
            )
        except NotDifferentiable as error:
            return remade(
                blank,
                reason=f"this law needs derivatives, which the formula doesn't carry: {error}",
            )
        except Raised as error:
            self.raised[law.name].append(error)
            return remade(blank, reason=str(error))
        except BadEstimator as error:
            if not law.domain.boundary:
                raise
            # softmax never reaches the boundary, so a formula need not be defined there
            return remade(
                blank,
                verdict=Verdict.SKIPPED,
                reason=f"the formula isn't defined at a corner: {error}",
            )

    def _decide(self, law: Law, blank: CheckResult) -> CheckResult:
        # the proof first: where it divides, the search then looks
        proved = self.prover.proof(law)
        self.cases.look_at(proved.roots)
        counterexample, tried, special = self._search(
            law, self.after_proof if proved else self.max_examples
        )
        blank = remade(blank, examples=tried + special)
        # a proof speaks of its own numbers of actions, and only of cases where both sides exist
        contradicted = counterexample is not None and counterexample.k in proved.actions
        contradicted = (
            counterexample is not None
            and contradicted
            and not self.comparing.undefined(law, counterexample)
        )
        verdict = of_a_law(
            proved=bool(proved),
            conditions=bool(proved.conditions),
            counterexample=counterexample is not None,
            contradicted=contradicted,
            tried=tried,
        )
        if contradicted:
            actions = _numbers(proved.actions)
            why = (
                f"proved for k = {actions}, yet {counterexample} is a counterexample: does the"
                " formula branch on its inputs?"
            )
            return remade(blank, reason=why)
        if counterexample is not None:
            return self._refuted(law, counterexample, remade(blank, verdict=verdict))
        # a number beyond float64 is a limit of float64, not of the formula: such cases are counted
        raised = [error for error in self.raised[law.name] if not isinstance(error, TooLarge)]
        if raised:
            return remade(
                blank,
                reason=(
                    f"{raised[0]}; in the {tried + special} other cases nothing speaks against"
                    " the law"
                ),
            )
        if not tried:
            return remade(blank, reason="the search produced no case")
        plain = self.plain._decide(law, blank) if self.plain is not None else None
        if plain is not None and plain.verdict is not Verdict.HOLDS:
            return plain
        kind = (
            "exact"
            if self.comparing.exact and not self.comparing.rounds and not law.domain.floats
            else "float64"
        )
        count = f"{tried} {kind} cases" + (
            f" and {special} at constants of the formula" if special else ""
        )
        if left_out := len(self.raised[law.name]):
            count += f" ({left_out} more are too large for float64)"
        if proved and not proved.conditions:
            how = self._how_proved(law)
            return remade(
                blank, verdict=verdict, evidence=f"k = {_numbers(proved.actions)}{how}; and {count}"
            )
        if proved:
            where = ", ".join(proved.conditions)
            evidence = f"{count}; proved for k = {_numbers(proved.actions)} only where {where}"
            return remade(blank, verdict=verdict, evidence=evidence, conditions=proved.conditions)
        if plain is not None and kind == "exact":
            count += f", and {plain.examples} in float64"
        return remade(
            blank,
            verdict=verdict,
            evidence=count + (f"; not proved: {proved.why}" if proved.why else ""),
        )

    def _how_proved(self, law: Law) -> str:
        # a user's word on what is trivial is no reason that was found
        if is_own(law) and law.trivial and not law.trivial & set(self.estimator.needs):
            return f", by construction: the formula doesn't see {', '.join(sorted(law.trivial))}"
        if law.relation != "=" or law.domain.symbolic is None:
            return f", follows from {law.implied_by}"
        return ""

    def _one_case(self, law: Law, case: Case, blank: CheckResult) -> CheckResult:
        if not law.domain.includes(case):
            return remade(
                blank,
                verdict=Verdict.SKIPPED,
                reason=f"the case is none that the law speaks of: {law.domain.name}",
            )
        fails = (
            self.comparing.fails(law, case)
            if self.comparing.exact or law.domain.floats
            else self.comparing.fails_in_floats(law, case)
        )
        if fails is None:
            why = (
                "float64 can't tell: what is to be compared is lost in the rounding of numbers much"
                " larger, or the policy is saturated"
            )
            return remade(blank, reason=why, examples=1)
        verdict = of_a_law(
            proved=False, conditions=False, counterexample=fails, contradicted=False, tried=1
        )
        if fails:
            return self._refuted(law, case, remade(blank, verdict=verdict, examples=1))
        return remade(blank, verdict=verdict, evidence=f"1 case: {case}", examples=1)

    def _search(self, law: Law, budget: int) -> tuple[Case | None, int, int]:
        """The simplest case found in which the law fails, the cases tried up to the first, and of
        these the ones at constants.
        """
        domain = law.domain
        # half of the budget for simple cases, which read best, and half for far ones
        far = budget // 2 if domain.restrict is not None else 0
        near = self.cases.simple(domain, budget - far)
        tried, special = 0, 0
        for case in near:
            fails = self._refutes(law, case)
            tried += fails is not None
            if fails:
                return self._smallest(law, case, budget), tried, 0
        if not near or domain.restrict is None:
            return None, tried, 0
        for case in self.cases.at_constants(domain, budget):
            if self.comparing.tellable(case):
                fails = self._refutes(law, case)
                special += fails is not None
                if fails:
                    return self._shrunk(law, case), tried, special
        # float64 can't tell the numbers of most far cases apart, so more are drawn than are tried
        for case in self.cases.far(domain, far if self.comparing.exact else SPARE * far):
            if tried == budget:
                break
            if self.comparing.tellable(case):
                fails = self._refutes(law, case)
                tried += fails is not None
                if fails:
                    return self._shrunk(law, case), tried, special
        return None, tried, special

    def _refutes(self, law: Law, case: Case) -> bool | None:
        """Whether the law fails in this case; None where the formula raised an exception, which is
        noted.
        """
        try:
            return self.comparing.fails(law, case)
        except Raised as error:
            self.raised[law.name].append(error)
            return None

    def _smallest(self, law: Law, case: Case, budget: int) -> Case:
        """The simplest case that Hypothesis finds, or else what becomes of this one when it is made
        simpler.
        """

        def fails(other: Case) -> bool:
            return bool(self._refutes(law, other))

        found = search(law.domain.strategy(self.parameterisation), fails, budget, self.seed)[0]
        return found or self._shrunk(law, case)

    def _shrunk(self, law: Law, case: Case) -> Case:
        def fails(other: Case) -> bool:
            try:
                return self.comparing.tellable(other) and self.comparing.fails(law, other)
            except (BadEstimator, NotDifferentiable, ArithmeticError):
                return False

        return shrunk(case, fails, law.domain.restrict or (lambda other: other))

    def _refuted(self, law: Law, case: Case, blank: CheckResult) -> CheckResult:
        # the two sides are shown in the numbers in which they were found to differ
        shown = case if self.comparing.exact or law.domain.floats else case.as_float()
        options = (
            "" if self.parameterisation.normalised else f" --policy {self.parameterisation.name}"
        )
        replay = (
            f'python -m altpg_verify check {self.origin} --only {law.name}{options} --case "{case}"'
        )
        try:
            left, right = law.sides(self.estimator, shown)
        except Undefined as error:
            found = Counterexample(case.describe(), f"undefined: {error}", "", replay)
            return remade(blank, counterexample=found)
        result = remade(
            blank, counterexample=Counterexample(case.describe(), _show(left), _show(right), replay)
        )
        decided = (
            None
            if self.comparing.exact and not self.comparing.rounds
            else self.comparing.on_balls(law, case, (left, right))
        )
        if decided is not None and decided[0]:
            result = remade(
                result,
                evidence=(
                    f"certified by interval arithmetic at {decided[1]} bits, at exactly this case"
                ),
            )
        if self.comparing.exact and law.relation == "=" and not law.domain.floats:
            result = remade(result, gap=self._gap(law), holds_when=self._holds_when(law, case))
        return result

    def _gap(self, law: Law) -> str:
        cases = self.cases.sampled(law.domain, SAMPLED_CASES)
        # fitted on some and tried on others: a formula with enough terms fits any few cases
        fitted, fresh = cases[:12], cases[12:]
        try:
            gap = recognise(law, self.estimator, fitted)
            if gap is None or any(
                difference(law, self.estimator, case) != gap.entries(case) for case in fresh
            ):
                return ""
        except (Undefined, Raised):
            return ""
        proved: list[int] = []
        if law.domain.symbolic:
            symbolic = law.domain.symbolic
            try:
                with self.prover.sharing():
                    proved = verified_for(
                        gap,
                        law,
                        self.estimator,
                        lambda k: symbolic(k, self.parameterisation),
                        PROOF_ACTIONS,
                    )
            except UNPROVABLE:
                proved = []
        return (
            f"{gap}  "
            f" [{f'proved for k = {_numbers(proved)}' if proved else f'fits {len(cases)} cases exactly'}]"
        )

    def _holds_when(self, law: Law, counterexample: Case) -> tuple[str, ...]:
        """Conditions under which the law holds in every case; none is named where the law fails too
        seldom to tell.
        """
        cases = self.cases.sampled(law.domain, SAMPLED_CASES)
        failures = (case for case in cases if self._refutes(law, case) is True)
        if len(list(islice(failures, FEWEST_FAILURES))) < FEWEST_FAILURES:
            return ()
        # conditions are judged where the law was refuted, too, and far from the simple cases
        further = [counterexample]
        if law.domain.restrict is not None:
            further += self.cases.at_constants(law.domain, self.max_examples)[:SAMPLED_CASES]
            further += self.cases.far(law.domain, self.max_examples // 2)[: SAMPLED_CASES // 2]
        return tuple(
            f"{name} ({len(cases)} exact cases)"
            for name, restrict in _CONDITIONS.items()
            if all(self._refutes(law, restrict(case)) is False for case in [*cases, *further])
        )


_CONDITIONS: dict[str, Callable[[Case], Case]] = {
    "b = v": lambda case: case.at_value(),
    "b = 0": lambda case: case.with_baseline(Fraction(0)),
    "every action pays the same": lambda case: replace(case, rewards=(case.rewards[0],) * case.k),
    "the policy is uniform": lambda case: replace(case, x=(Fraction(1, case.k),) * case.k),
    "rewards have no noise": lambda case: replace(
        case, rewards=tuple(((mean, Fraction(1)),) for mean in case.q)
    ),
}


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _show(side: Sequence[object]) -> str:
    entries = [f"{entry:.6g}" if isinstance(entry, float) else str(entry) for entry in side]
    shown = entries if len(entries) <= 12 else [*entries[:11], f"... {len(entries)} entries"]
    return entries[0] if len(entries) == 1 else "(" + ", ".join(shown) + ")"
