"""What an audit says of an update as laws with verdicts: it follows its target, points the right
way, is a gradient field.
"""

from __future__ import annotations

from dataclasses import dataclass

from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.report.content import shown
from altpg_verify.report.markup import sentence, words
from altpg_verify.report.own.standing import INTENDED, NO, counted
from altpg_verify.report.own.statements import statement
from altpg_verify.verdicts import Verdict

REQUIRED, PROPERTY = "requirement", "property"
CONFORMS, FOLLOWS, DIRECTION, GRADIENT = (
    "conforms",
    "follows_target",
    "right_direction",
    "gradient_field",
)
SAME = 1e-9
"""Share by which factors of different prompts may differ and be called the same."""
TITLES = {
    CONFORMS: "The published algorithm",
    FOLLOWS: "Follows its target",
    DIRECTION: "Right direction",
    GRADIENT: "Gradient field",
}


@dataclass(frozen=True)
class UpdateLaw:
    """One law of an update.

    Args:
        name: its key in `TITLES`.
        formula, summary: its statement, in Unicode mathematics and in words.
        kind: requirement or property.
        verdict: what the audit's evidence says of it.
        because: what that rests on, in words.
        intended: it is refuted, and the update is marked so.
    """

    name: str
    formula: str
    summary: str
    kind: str
    verdict: Verdict
    because: str
    intended: bool = False

    @property
    def mark(self) -> str:
        """The word that is shown, as for the laws of an estimator."""
        if self.verdict is not Verdict.REFUTED:
            return str(self.verdict)
        return INTENDED if self.intended else str(self.verdict) if self.kind == REQUIRED else NO

    @property
    def standing(self) -> str:
        """How the verdict stands to what is required, in a few words."""
        if self.verdict is Verdict.REFUTED:
            return (
                "fails as intended"
                if self.intended
                else "should hold"
                if self.kind == REQUIRED
                else "not so"
            )
        return "as it should be" if self.verdict.is_for and self.kind == REQUIRED else ""


def laws_of(found: Audit) -> tuple[UpdateLaw, ...]:
    """The laws of an audited update: that it is its algorithm, if one is declared, that it follows
    its target, its direction, its curl.
    """
    held = ", while what is declared frozen is held" if found.curl_moving is not None else ""
    follows = UpdateLaw(
        FOLLOWS,
        "E[ĝ] = ∇J",
        f"the expected update is the gradient of {found.target}"
        + ("" if found.formula in found.target.split() else f", J = {found.formula}"),
        # an update that is meant to be a published algorithm is required to be that, whatever it
        # follows
        REQUIRED if found.conformance is None else PROPERTY,
        found.verdict,
        (
            f"{found.sentence}; {found.evidence}"
            if found.verdict is Verdict.REFUTED
            else found.evidence
        ),
        intended=found.ok and bool(found.intended),
    )
    direction = UpdateLaw(
        DIRECTION,
        "E[ĝ] = c ∇J,  c > 0",
        "the expected update is a positive multiple of that gradient",
        PROPERTY,
        *_along(found),
    )
    field = UpdateLaw(
        GRADIENT,
        "∂E[ĝ]ₐ/∂θ_c = ∂E[ĝ]_c/∂θₐ, modulo shifts",
        "the expected update is the gradient of some objective, up to a shift of all preferences"
        f" of a state{held}",
        PROPERTY,
        *_conservative(found),
    )
    return *_conforming(found), follows, direction, field


def _conforming(found: Audit) -> tuple[UpdateLaw, ...]:
    """That it is the published algorithm that it is declared to be; nothing if none is declared."""
    it = found.conformance
    if it is None:
        return ()
    verdict = (
        Verdict.HOLDS
        if it.conforms
        else Verdict.REFUTED
        if it.difference is not None
        else Verdict.INCONCLUSIVE
    )
    summary = f"on every draw it is the update f of {it.wanted}"
    return (
        UpdateLaw(CONFORMS, "ĝ = f", summary, REQUIRED, verdict, f"{it.sentence}; {it.evidence}"),
    )


def _along(found: Audit) -> tuple[Verdict, str]:
    """Whether E[g] is a positive multiple of the target's gradient; the kinds that are none were
    told apart by that very question.
    """
    if found.kind is Kind.UNDECIDED:
        return Verdict.INCONCLUSIVE, found.evidence
    if found.kind is Kind.SCALED and found.scale is not None and len(found.scale.factors) > 1:
        # each prompt's gradient has a factor of its own: the whole is a multiple only if they are
        # the same at every policy
        factors = list(map(float, found.scale.factors.values()))
        if max(factors) - min(factors) > SAME * max(factors):
            return (
                Verdict.REFUTED,
                f"each prompt's direction is right, but not by the same factor: {found.scale}",
            )
        return (
            Verdict.INCONCLUSIVE,
            "each prompt's direction is right, by the same factor at the policy of the audit",
        )
    return (
        found.strength if found.kind in (Kind.UNBIASED, Kind.SCALED) else Verdict.REFUTED
    ), found.evidence


def _conservative(found: Audit) -> tuple[Verdict, str]:
    """Whether it is the gradient of something, and why."""
    if found.kind is Kind.UNDECIDED or found.sampled:
        return Verdict.NOT_RUN, "the curl is computed only of enumerated updates that were decided"
    if found.kind is Kind.NOT_A_GRADIENT:
        return Verdict.REFUTED, "it has a curl" + (
            f" of {found.curl[1]:.6g}" if found.curl and found.curl[1] else " at another policy"
        )
    constant = found.scale is not None and found.scale.constant
    if found.kind in (Kind.UNBIASED, Kind.ZERO, Kind.OTHER_OBJECTIVE) or (
        found.kind in (Kind.SCALED, Kind.REVERSED) and constant
    ):
        return found.strength, found.evidence
    if found.curl is None:
        return Verdict.NOT_RUN, "its curl was not computed, since the draws are many"
    if found.curl[1] == 0.0:
        return Verdict.HOLDS, "its curl is 0 at the policy of the audit"
    return Verdict.REFUTED, f"it has a curl of {found.curl[1]:.6g}"


def part(found: Audit, command: str) -> dict[str, object]:
    """The laws by kind, their table, and the titles that links show. Args: command: that checks it
    again.
    """
    laws = laws_of(found)
    sections = {
        "Requirement: what the update is meant to be": REQUIRED,
        "Properties: what describes it": PROPERTY,
    }
    return {
        "titles": {law.name: TITLES[law.name] for law in laws},
        "sections": [
            {
                "title": name,
                "claims": [_entry(law, found, command) for law in laws if law.kind == kind],
            }
            for name, kind in sections.items()
        ],
        "ledger": [
            {
                "id": law.name,
                "line": 0,
                "kind": law.kind,
                "verdict": law.mark,
                "ours": False,
                "evidence": law.standing,
            }
            for law in laws
        ],
    }


def counts(found: Audit) -> dict[str, object]:
    """How many laws of each kind are shown with each verdict."""
    return counted((REQUIRED, PROPERTY), [(law.kind, law.mark) for law in laws_of(found)])


def _entry(law: UpdateLaw, found: Audit, command: str) -> dict[str, object]:
    refuted = law.verdict is Verdict.REFUTED
    kind = (
        "Counterexample"
        if refuted
        else {Verdict.PROVED: "Proof", Verdict.NOT_RUN: "Not run"}.get(law.verdict, "Enumeration")
    )
    sides = {
        name: said for name, said in found.rows() if name in ("where", "left", "right", "bias")
    }
    return {
        "id": law.name,
        "title": TITLES[law.name],
        "verdict": law.mark,
        "facts": [one for one in (law.kind, law.standing) if one],
        "statement": statement(law.formula, law.summary),
        "given": [],
        "uses": [],
        "corrects": None,
        "corrections": [],
        "notes": [f"It is marked as meant: {found.intended}."] if law.intended else [],
        "evidence": [
            {
                "domain": [],
                "numbers": [],
                "steps": [],
                "source": "",
                "hash": "",
                "kind": kind,
                "verdict": law.mark,
                "says": words(sentence(shown(law.because))),
                "instance": (
                    [[name, words(shown(text.partition("   ")[0]))] for name, text in sides.items()]
                    if refuted
                    else []
                ),
                "command": command,
            }
        ],
    }
