"""A derivation as a list of certified lines, and how it becomes evidence.

Each line is shown to the reader as the very sympy formula whose certificate the kernel checks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from sympy import Ge, Gt

from altpg_verify.certificate_kinds import Checkable
from altpg_verify.judging import Finding, Step, certified, proved
from altpg_verify.ledger import evidence
from altpg_verify.theory.proving.certificates import Signs, certify
from altpg_verify.theory.proving.expression_trees import Meaning
from altpg_verify.theory.proving.notation import equation


@dataclass
class Proof:
    """What is said, where it holds, and the lines that show it.

    Args:
        summary: the statement, in words.
        domain: what it is proved for.
        signs: what is assumed of the signs of the symbols.
        where: symbols that stand for something, and what.
        given: equations that every line may use.
        rigorous_on_domain: the certificates speak of a domain only, so that the judge says
            CERTIFIED and not PROVED.
        steps: the lines in words and formulas, in order.
        certificates: one for each line that claims something.
        numbers: figures to be kept with the finding.
    """

    summary: str
    domain: str
    signs: Signs = field(default_factory=Signs)
    where: Meaning = field(default_factory=dict)
    given: Sequence[Any] = ()
    rigorous_on_domain: bool = False
    steps: list[Step] = field(default_factory=list)
    certificates: list[Checkable] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)

    def equal(
        self,
        text: str,
        left: Any,
        right: Any,
        *,
        given: Sequence[Any] = (),
        where: Meaning | None = None,
    ) -> Proof:
        """A line `left = right`.

        Args:
            text: the line in words.
            given: equations, expressions that are 0, beside the proof's own.
            where: symbols that stand for something in this line only.
        """
        return self._line(text, equation(left, right), left, "=", right, 0, given, where)

    def at_least(
        self,
        text: str,
        left: Any,
        right: Any,
        witness: Any,
        *,
        given: Sequence[Any] = (),
        where: Meaning | None = None,
    ) -> Proof:
        """A line `left >= right`, because left - right is the witness, which is manifestly
        nonnegative.

        A sum of squares with positive factors is such a witness; the kernel reads its sign off its
        parts.
        """
        return self._line(
            text, Ge(left, right, evaluate=False), left, ">=", right, witness, given, where
        )

    def greater(
        self,
        text: str,
        left: Any,
        right: Any,
        witness: Any,
        *,
        given: Sequence[Any] = (),
        where: Meaning | None = None,
    ) -> Proof:
        """A line `left > right`, because left - right is the witness, which is manifestly
        positive.

        Positive by the declared signs of its symbols: see `Signs`.
        """
        return self._line(
            text, Gt(left, right, evaluate=False), left, ">", right, witness, given, where
        )

    def note(self, text: str, formula: Any = None) -> Proof:
        """Words between the lines: a definition, a named fact, a conclusion; no certificate."""
        self.steps.append(Step(text, formula))
        return self

    def attach(
        self, certificate: Checkable, text: str, formula: Any = None, **numbers: Any
    ) -> Proof:
        """A line whose certificate is of another kind.

        Args:
            certificate: anything that can be re-checked.
            numbers: figures to be kept with the finding.
        """
        self.certificates.append(certificate)
        self.numbers.update(numbers)
        return self.note(text, formula)

    def include(self, other: Proof) -> Proof:
        """Append the lines of another proof, whose certificates keep their own assumptions."""
        self.certificates += other.certificates
        self.numbers.update(other.numbers)
        self.steps += other.steps
        return self

    def judge(self) -> Finding:
        """What the judge says once every certificate was checked again.

        PROVED, or CERTIFIED if the certificates speak of a domain only; not if any is refused.
        """
        # a proof for one bandit or one range is certified there, and proves no general statement
        judge = certified if self.rigorous_on_domain else proved
        return judge(
            self.certificates,
            self.summary,
            domain=self.domain,
            steps=self.steps,
            numbers=self.numbers,
        )

    def _line(
        self,
        text: str,
        formula: Any,
        left: Any,
        relation: str,
        right: Any,
        witness: Any,
        given: Sequence[Any],
        where: Meaning | None,
    ) -> Proof:
        meaning: Mapping[Any, Any] = {**self.where, **(where or {})}
        certificate = certify(
            left,
            relation,
            right,
            summary=text,
            witness=witness,
            # what the whole proof assumes, then what this line does
            given=[*self.given, *given],
            where=meaning,
            signs=self.signs,
        )
        return self.attach(certificate, text, formula)


class Derivation(Protocol):
    """Evidence that writes a proof and has it judged.

    Args:
        proof: the writing alone, anew at each call.
        judged: the proof that was judged last; None before.
    """

    proof: Callable[[], Proof]
    judged: Proof | None

    def __call__(self) -> Finding:
        """What the judge says of the proof."""


def derivation(
    *claims: str, kind: str = "derivation"
) -> Callable[[Callable[[], Proof]], Derivation]:
    """Make a function that writes a proof into evidence for the claims.

    What it returns is called by the ledger and judged; `.proof` writes the proof without judging
    it.

    Args:
        claims: ids of the claims it serves.
        kind: of the evidence.
    """

    def mark(write: Callable[[], Proof]) -> Derivation:
        @functools.wraps(write)
        def judged() -> Finding:
            # kept, so that writing its certificates needs no second run
            marked.judged = write()
            return marked.judged.judge()

        marked = cast(Derivation, evidence(*claims, kind=kind)(judged))
        marked.proof, marked.judged = write, None
        return marked

    return mark
