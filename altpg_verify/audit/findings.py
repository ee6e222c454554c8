"""What an audit found, as frozen data: at a prompt, in a notebook, as JSON."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import Any

from altpg_verify.audit import audit_sentences
from altpg_verify.audit.kinds import Kind, Scale
from altpg_verify.audit.numbers import cosine, say_vector
from altpg_verify.sealing import sealed
from altpg_verify.verdicts import Verdict


@sealed()
@dataclass(frozen=True)
class Audit:
    """Whether an update is what it is meant to be.

    Args:
        update, space, target: what was audited, where, and the objective it is meant to ascend.
        kind: what it is.
        verdict: PROVED, HOLDS, SUPPORTED or REFUTED: what the evidence says of "E[g] = ∇target"; of
            the statement in `sentence` where that is an exact one (a scale, another objective), see
            `strength`.
        strength: how well the sentence is established: PROVED (as rational functions, for every
            policy on this space) or HOLDS (at the policies tried), SUPPORTED if sampled.
        evidence: what that rests on, in words.
        expected, gradient: E[g] and ∇target at the point, flattened; Fractions where everything
            could be run exactly, else float64.
        bias: their difference.
        point: the policy and parameters at the point, in words.
        scale: for right directions of the wrong length.
        follows: the objective that it ascends, if recognised.
        curl: the largest |∂Fᵢ/∂θⱼ - ∂Fⱼ/∂θᵢ|, and the same modulo what leaves the policy unchanged;
            None if not differentiated.
        curl_moving: the gauge curl if the frozen quantities move after all; None if nothing is
            frozen.
        variance: trace of the covariance of one draw's update.
        draws: how many were enumerated.
        largest_deviation: over all policies tried, of the statement in the sentence.
        notes: what else was found, one sentence each.
        intended: why this kind is meant, if the update says so.
        replay: the command that runs it again.
        sampled: the numbers are means of sampled draws, not enumerated.
        formula: the target as a formula, e.g. V + 0.1 H.
        ends: where training ends from each start, one sentence each; empty unless asked for.
        unexpected: the update is marked as another kind than it turned out to be.
        unrun: lines and branches of the update that never ran, in words; empty if all did.
        run: how the draws were evaluated, where that isn't simply all of them at once, one sentence
            each.
        precision: how far off it is by rounding and safety epsilons, which were tried: "up to 6e-9:
            an epsilon of 1e-08"; everything else but `expected` and `bias` is said of it without
            them. Empty if there is nothing of the kind.
        causes: why it isn't what it is meant to be, as far as that was established, one sentence
            each.
        elsewhere: what the same update is with other rewards and other lengths, where an objective
            is named.
        reservation: "on this space only" or "at these lengths only", where it couldn't be confirmed
            on enough others.
        by_construction: the policy that is sampled is fixed, and the update is the gradient of
            minus the loss's own mean, E_μ[-L].
        logits: the parameters are logits, so that shifts of them leave the policy unchanged.
        mends: small edits of its source that make it what it is meant to be (`mend.Mend`), where
            they were looked for.
        unmended: what is said where they were looked for and there are none.
        conformance: whether it is the published algorithm that it is meant to be (an
            `Identification`), if one is declared: that is the test then, and the kind is
            information.

    Examples:
        >>> from altpg_verify.audit import audit, bandit, update
        >>> @update(space=bandit([1, 0]))
        ... def reversed_sign(r, score):
        ...     return -r * score
        >>> found = audit(reversed_sign)
        >>> found.ok, str(found.kind), found.follows
        (False, 'reversed', '')
    """

    update: str
    space: str
    target: str
    formula: str
    kind: Kind
    verdict: Verdict
    strength: Verdict
    evidence: str
    expected: tuple[Any, ...]
    gradient: tuple[Any, ...]
    bias: tuple[Any, ...]
    point: str
    scale: Scale | None = None
    follows: str = ""
    curl: tuple[float, float] | None = None
    curl_moving: float | None = None
    variance: float | None = None
    draws: int = 0
    largest_deviation: float = 0.0
    notes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    intended: str = ""
    unexpected: bool = False
    replay: str = ""
    sampled: bool = False
    run: tuple[str, ...] = ()
    unrun: str = ""
    conformance: Any = None
    precision: str = ""
    causes: tuple[str, ...] = ()
    elsewhere: str = ""
    reservation: str = ""
    by_construction: bool = False
    logits: bool = True
    mends: tuple[Any, ...] = ()
    unmended: str = ""

    @property
    def ok(self) -> bool:
        """Unbiased, or of the kind it is meant to be; an intended kind that doesn't come out is not
        ok.
        """
        if self.conformance is not None and not (self.conformance.ok and not self.unexpected):
            return False
        if self.conformance is not None:
            return True
        return not self.unexpected and (self.kind is Kind.UNBIASED or bool(self.intended))

    @property
    def partial(self) -> bool:
        """Some of the update never ran, so that nothing is known of it."""
        return bool(self.unrun)

    @property
    def cosine(self) -> float | None:
        """Of the expected update and the target's gradient, at the policy shown; None where one of
        them is 0.
        """
        return cosine(self.expected, self.gradient)

    @property
    def sentence(self) -> str:
        """The verdict as people say it, fit to be pasted into an issue."""
        return audit_sentences.sentence(self)

    def __str__(self) -> str:
        sign = "~" if self.ok and self.intended else "✓" if self.ok else "✗"
        lines = [
            f"{sign} {self.update}: {self.sentence}",
            *(f"    {name:<10}{text}" for name, text in self.rows()),
        ]
        return "\n".join(lines)

    def rows(self) -> list[tuple[str, str]]:
        """(name, text) of everything that is known, in reading order."""
        return audit_sentences.rows(self)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON: exact numbers as text, floats as floats."""
        return {
            "update": self.update,
            "space": self.space,
            "target": self.target,
            "kind": str(self.kind),
            "ok": self.ok,
            "sentence": self.sentence,
            "verdict": str(self.verdict),
            "strength": str(self.strength),
            "evidence": self.evidence,
            "expected": [float(entry) for entry in self.expected],
            "gradient": [float(entry) for entry in self.gradient],
            "bias": [float(entry) for entry in self.bias],
            "cosine": self.cosine,
            "expected_as_read": say_vector(self.expected),
            "gradient_as_read": say_vector(self.gradient),
            "scale": (
                None
                if self.scale is None
                else {
                    "factors": {name: float(value) for name, value in self.scale.factors.items()},
                    "constant": self.scale.constant,
                    "formula": self.scale.formula,
                    "alone": self.scale.alone,
                    "intervals": {name: list(ends) for name, ends in self.scale.intervals.items()},
                }
            ),
            "follows": self.follows,
            "elsewhere": self.elsewhere,
            "reservation": self.reservation,
            "by_construction": self.by_construction,
            "curl": None if self.curl is None else {"raw": self.curl[0], "gauge": self.curl[1]},
            "curl_moving": self.curl_moving,
            "variance": self.variance,
            "draws": self.draws,
            "sampled": self.sampled,
            "largest_deviation": self.largest_deviation,
            "precision": self.precision,
            "causes": list(self.causes),
            "mends": [mend.as_dict() for mend in self.mends],
            "unmended": self.unmended,
            "notes": list(self.notes),
            "run": list(self.run),
            "unrun": self.unrun,
            "ends": list(self.ends),
            "intended": self.intended,
            "replay": self.replay,
            "conformance": None if self.conformance is None else self.conformance.as_dict(),
        }

    def as_json(self) -> str:
        """`as_dict` as indented JSON text that ends with a newline."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n"

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, and the rest as a table."""
        body = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>"
            for name, text in self.rows()
        )
        return (
            f"<p><b>{html.escape(self.update)}</b>:"
            f" {html.escape(self.sentence)}</p><table>{body}</table>"
        )


class AuditError(AssertionError):
    """An update isn't what it is meant to be; the message is the whole audit.

    Args:
        found: the `Audit`; kept as `audit`.

    Examples:
        >>> from altpg_verify.audit import AuditError, bandit, check_update, update
        >>> @update(space=bandit([1, 0]))
        ... def reversed_sign(r, score):
        ...     return -r * score
        >>> try:
        ...     check_update(reversed_sign)
        ... except AuditError as error:
        ...     print(str(error).splitlines()[0])
        ✗ reversed_sign: reversed: the expected update is ∇V times -1
    """

    def __init__(self, found: Audit) -> None:
        super().__init__(str(found))
        self.audit = found
