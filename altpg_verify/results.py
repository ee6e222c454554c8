"""What a check found, as frozen data, and how it reads in text and JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from altpg_verify.sealing import sealed
from altpg_verify.verdicts import Verdict, as_intended
from altpg_verify.wording import counted


@dataclass(frozen=True)
class Counterexample:
    """The smallest case found in which a law fails, its two sides, and how to run it again.

    Args:
        case: π, rewards and baseline in print.
        left, right: the two sides there, in print.
        replay: the command that shows it again.
    """

    case: str
    left: str
    right: str
    replay: str


@sealed()
@dataclass(frozen=True)
class CheckResult:
    """One law, one estimator.

    Args:
        law, formula: which law, and its statement.
        verdict: computed from the evidence.
        evidence: what the verdict rests on, in words: domain, numbers of actions, cases tried.
        required: whether a refutation counts against the estimator.
        examples: cases tried by enumeration.
        counterexample: for REFUTED.
        gap: left minus right as a formula, if one was recognised, with how far it was verified.
        holds_when: conditions found under which the law holds after all.
        expected_failure: the reason given by the estimator, if it marks this law.
        reason: for INCONCLUSIVE and SKIPPED.
        summary: the law in one sentence.
        conditions: what must differ from zero for a proof to hold ("b ≠ 7"); the law is then proved
            only in part.
        unreached: lines and branches of the formula that no case reached, in words.

    Examples:
        >>> from altpg_verify import alternate, check_estimator
        >>> result = check_estimator(alternate, only=["unbiased"], max_examples=20)["unbiased"]
        >>> str(result.verdict), result.ok
        ('REFUTED', True)
    """

    law: str
    formula: str
    summary: str
    verdict: Verdict
    evidence: str = ""
    required: bool = True
    examples: int = 0
    counterexample: Counterexample | None = None
    gap: str = ""
    holds_when: tuple[str, ...] = ()
    expected_failure: str = ""
    reason: str = ""
    conditions: tuple[str, ...] = ()
    unreached: str = ""

    @property
    def whole(self) -> bool:
        """The evidence covers all that the law speaks of and all of the formula; else it is no pass
        under `--strict`.

        Not whole: a proof that holds only where some denominator differs from zero (`conditions`),
        and any evidence for a formula of which some lines or branches never ran (`unreached`).
        """
        return not self.conditions and not self.unreached

    @property
    def ok(self) -> bool:
        """As it should be: a required law that holds, a marked law that fails, a property of either
        kind.

        A law that was skipped is ok and counts for nothing; one that stayed INCONCLUSIVE isn't ok.
        """
        return as_intended(
            self.verdict, required=self.required, expected_failure=bool(self.expected_failure)
        )

    @property
    def headline(self) -> str:
        """One line that suffices by itself: the verdict with its evidence, the gap or the reason;
        for a marked law, that it fails as expected, or that it unexpectedly holds.
        """
        if self.expected_failure and self.verdict is Verdict.REFUTED:
            return f"refuted, as expected: {self.expected_failure}"
        if self.expected_failure and self.verdict.is_for:
            return (
                f"UNEXPECTEDLY HOLDS ({self.evidence}): remove the mark {self.law!r}, or mend the"
                " estimator"
            )
        if self.verdict is Verdict.REFUTED:
            word = "REFUTED by a minimal counterexample" if self.required else "no"
            detail = (
                f": gap {self.gap}"
                if self.gap
                else f": {self.counterexample.case}"
                if self.counterexample
                else ""
            )
            return word + ("" if self.required else detail)
        if self.verdict.is_for:
            return f"{str(self.verdict).lower():<8} {self.evidence}" + (
                f"; {self.unreached}" if self.unreached else ""
            )
        return f"{self.verdict}: {self.reason}"

    def block(self) -> str:
        """The result as text: one line, or the full explanation of a failure.

        The line begins with ✓ for a law that holds on whole evidence, ~ for one that fails as
        expected, ✗ for what isn't as it should be, and · for the rest: a property that it doesn't
        have, a law that was skipped or holds only in part.
        """
        sign = (
            "✓"
            if self.ok and self.verdict.is_for and self.whole
            else "~"
            if self.ok and self.expected_failure
            else "·"
            if self.ok
            else "✗"
        )
        lines = [f"  {sign} {self.law:<26}{self.headline}"]
        found = self.counterexample
        if found and self.required and not self.expected_failure:
            rows = [
                ("law", f"{self.formula}      {self.summary}"),
                ("where", found.case),
                ("left", found.left),
            ]
            if found.right:
                rows.append(("right", found.right))
            if self.evidence:
                rows.append(("evidence", self.evidence))
            if self.gap:
                rows.append(("gap", self.gap))
            if self.holds_when:
                rows.append(("holds", "when " + ", or when ".join(self.holds_when)))
            rows += [
                ("intended?", f'expected_failures={{"{self.law}": "why"}}'),
                ("replay", found.replay),
            ]
            lines += [f"      {name:<10}{text}" for name, text in rows]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """Plain data, fit for JSON: texts, numbers, truth values, lists and None, under the names
        of the fields, with `ok` beside them.
        """
        found = self.counterexample
        return {
            "law": self.law,
            "formula": self.formula,
            "verdict": str(self.verdict),
            "ok": self.ok,
            "required": self.required,
            "evidence": self.evidence,
            "examples": self.examples,
            "counterexample": (
                None
                if found is None
                else {
                    "case": found.case,
                    "left": found.left,
                    "right": found.right,
                    "replay": found.replay,
                }
            ),
            "gap": self.gap,
            "holds_when": list(self.holds_when),
            "expected_failure": self.expected_failure,
            "reason": self.reason,
            "conditions": list(self.conditions),
            "unreached": self.unreached,
        }


@sealed()
@dataclass(frozen=True)
class Report:
    """All laws for one estimator, with what is known of where training ends.

    Reads as text (`str`), as data (`as_dict`, `as_json`) and as a table in notebooks. It can be
    iterated over, and asked for a law by name; `KeyError` if that law wasn't asked for.

    Args:
        estimator: its name.
        description: its formula, the first line of its docstring.
        policy: the parameterisation by name, e.g. softmax.
        results: one for each law that was asked for.
        facts: (name, sentence) pairs: fixed points, where training ends.
        seconds: by the clock; not in the JSON.
        searched: the ranges of the search, in words; empty if one case was tried.

    Examples:
        >>> from altpg_verify import check_estimator, regular
        >>> report = check_estimator(regular, only=["unbiased", "zero_sum"], max_examples=20)
        >>> [(result.law, str(result.verdict)) for result in report]
        [('unbiased', 'PROVED'), ('zero_sum', 'PROVED')]
    """

    estimator: str
    description: str
    policy: str
    results: tuple[CheckResult, ...]
    facts: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    searched: str = ""

    def __getitem__(self, law: str) -> CheckResult:
        for result in self.results:
            if result.law == law:
                return result
        raise KeyError(law)

    def __iter__(self) -> Iterator[CheckResult]:
        return iter(self.results)

    @property
    def ok(self) -> bool:
        """Every result is as it should be, and at least one law was decided: a report in which all
        was skipped isn't ok.
        """
        return all(result.ok for result in self.results) and any(
            result.verdict is not Verdict.SKIPPED for result in self.results
        )

    @property
    def skipped(self) -> int:
        """How many laws were not decided because they don't apply."""
        return sum(result.verdict is Verdict.SKIPPED for result in self.results)

    @property
    def partial(self) -> int:
        """How many laws hold on evidence that doesn't cover everything: a condition on a
        denominator, or lines that never ran.
        """
        return sum(result.verdict.is_for and not result.whole for result in self.results)

    def summary(self) -> str:
        """One line: what was checked and how it came out, with every count: laws proved, holding,
        refuted (as expected, as a property, or else in capitals), undecided, skipped; exact cases
        and seconds.
        """
        kinds: Counter[str] = Counter()
        for result in self.results:
            if result.verdict is Verdict.REFUTED and result.expected_failure:
                kinds["refuted as expected"] += 1
            elif result.verdict is Verdict.REFUTED:
                kinds["REFUTED" if result.required else "a property it doesn't have"] += 1
            elif result.expected_failure and result.verdict.is_for:
                kinds["UNEXPECTEDLY HOLDS"] += 1
            else:
                kinds[str(result.verdict).lower()] += 1
        # strongest first, then what needs attention
        order = [
            "proved",
            "certified",
            "holds",
            "refuted as expected",
            "a property it doesn't have",
            "REFUTED",
            "UNEXPECTEDLY HOLDS",
            "inconclusive",
        ]
        parts = [f"{kinds[kind]} {kind}" for kind in order if kinds[kind]]
        if self.partial:
            parts.append(f"{self.partial} of them only in part")
        parts.append(f"{self.skipped} skipped" if self.skipped else "none skipped")
        examples = sum(result.examples for result in self.results)
        cases = counted(examples, "exact case")
        return (
            f"{self.estimator}: {counted(len(self.results), 'law')}: {', '.join(parts)}; {cases}"
            f" ({self.seconds:.1f} s)"
        )

    def __str__(self) -> str:
        lines = [self.summary()]
        lines += [result.block() for result in self.results if result.required]
        properties = [result.block() for result in self.results if not result.required]
        if properties:
            lines += ["  what it does besides:", *properties]
        if self.facts:
            width = max(len(name) for name, _ in self.facts) + 2
            lines += ["  facts:", *(f"    {name:<{width}}{text}" for name, text in self.facts)]
        if self.searched:
            lines.append(f"  searched: {self.searched}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """Plain data, fit for JSON; no clock, so that the same check gives the same data."""
        return {
            "estimator": self.estimator,
            "says": self.description,
            "policy": self.policy,
            "ok": self.ok,
            "results": [result.as_dict() for result in self.results],
            "facts": dict(self.facts),
            "searched": self.searched,
        }

    def as_json(self) -> str:
        """`as_dict` as indented JSON text that ends with a newline."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n"

    def _repr_html_(self) -> str:
        """For notebooks: the summary, and a row for each law."""
        import html

        rows = "".join(
            f"<tr><th>{html.escape(result.law)}</th><td>{html.escape(result.formula)}</td><td>{html.escape(result.headline)}</td></tr>"
            for result in self.results
        )
        facts = "".join(
            f"<tr><th>{html.escape(name)}</th><td colspan=2>{html.escape(text)}</td></tr>"
            for name, text in self.facts
        )
        return f"<p><b>{html.escape(self.summary())}</b></p><table>{rows}{facts}</table>"


class EstimatorCheckError(AssertionError):
    """An estimator isn't what it says; carries the whole report.

    Attributes:
        report: the whole `Report`, as data.

    Examples:
        >>> from altpg_verify import EstimatorCheckError, check_estimator, estimator
        >>> @estimator
        ... def no_policy(r, e):
        ...     return r * e
        >>> try:
        ...     check_estimator(no_policy, only=["unbiased"], max_examples=20)
        ... except EstimatorCheckError as error:
        ...     print(type(error).__name__)
        EstimatorCheckError
    """

    def __init__(self, report: Report) -> None:
        failed = [result for result in report.results if not result.ok]
        first = f"{report.estimator}: " + "; ".join(
            f"{result.law} {result.headline}" for result in failed
        )
        super().__init__("\n".join([first, *(result.block() for result in failed)]))
        self.report = report
