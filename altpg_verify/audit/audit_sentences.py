"""An audit as a reader has it: its sentence, and the rows of everything that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altpg_verify.audit.kinds import Kind, bracketed, small
from altpg_verify.audit.numbers import beyond_rounding, say, say_cosine, say_vector
from altpg_verify.wording import counted

if TYPE_CHECKING:
    from altpg_verify.audit.findings import Audit

AGAINST = 1e-6
"""A cosine beyond this is a pull along the target, or the other way, and not rounding."""

BIASES = (Kind.BIASED, Kind.OTHER_OBJECTIVE, Kind.NOT_A_GRADIENT)
"""Beside these a verdict says how the update pulls at the target."""


def sentence(found: Audit) -> str:
    """The verdict as people say it, fit to be pasted into an issue."""
    target = f"∇{bracketed(found.formula)}"
    match found.kind:
        case Kind.UNBIASED:
            said = (
                f"no bias seen: the mean update agrees with {target} at this policy"
                if found.sampled
                else f"unbiased: the expected update is {target}{_besides(found, 1)}"
            )
        case Kind.SCALED | Kind.REVERSED if found.sampled:
            begins = "right direction, wrong scale" if found.kind is Kind.SCALED else "reversed"
            said = (
                f"{begins}: at this policy the mean of the sampled updates agrees with {target}"
                f" times {found.scale}"
            )
        case Kind.ZERO if found.sampled:
            said = (
                f"zero: the mean of the sampled updates agrees with 0, and with {target} times"
                f" {found.scale} only"
            )
        case Kind.SCALED:
            where = "" if found.scale is None or found.scale.constant else " at the policies tried"
            said = (
                f"right direction{where}, wrong scale: the expected update is {target} times"
                f" {found.scale}{_besides(found)}"
            )
        case Kind.ZERO:
            said = (
                f"zero: the expected update is 0{_besides(found, 0)}, where {target} ="
                f" {say_vector(found.gradient)}"
            )
            said += f"; {found.causes[0]}" if found.causes else ""
        case Kind.REVERSED:
            said = f"reversed: the expected update is {target} times {found.scale}{_besides(found)}"
        case Kind.OTHER_OBJECTIVE:
            said = f"biased for {found.target}, but exactly the gradient of {found.follows}"
            said += f", {found.reservation}" if found.reservation else ""
        case Kind.NOT_A_GRADIENT:
            turns = (
                f"curl {say(found.curl[1])}{' modulo shifts of the logits' if found.logits else ''}"
                if found.curl and found.curl[1]
                else "its curl shows at another policy"
            )
            said = f"biased for {found.target}, and not a gradient field: {turns}"
        case Kind.BIASED if found.sampled:
            said = f"biased for {found.target}, beyond what sampling explains"
        case Kind.BIASED if found.by_construction:
            said = f"biased for {found.target}, and by construction the gradient of {found.follows}"
            said += ", which is no objective that was recognised"
        case Kind.BIASED:
            said = (
                f"biased for {found.target}; conservative at the policies tried, but no"
                " objective was recognised"
            )
        case _:
            said = f"not decided: {found.evidence}"
    if (
        found.kind in (Kind.SCALED, Kind.REVERSED)
        and found.follows
        and found.elsewhere
        and not found.reservation
    ):
        said += f"; exactly the gradient of {found.follows}"
    return f"{said}, {found.precision}" if found.precision else said


def rows(found: Audit) -> list[tuple[str, str]]:
    """(name, text) of everything that is known, in reading order."""
    nearly = " " + found.precision.split(":")[0] if found.precision else ""
    rows = [
        ("law", f"E[g] = ∇{bracketed(found.formula)}{nearly}: {found.verdict!s}"),
        (
            "where",
            (
                f"{found.space}"
                f" ({counted(found.draws, 'sampled draw' if found.sampled else 'draw')});"
                f" {found.point}"
            ),
        ),
        (
            "left",
            (
                f"{say_vector(found.expected)}   the"
                f" {'mean of the sampled' if found.sampled else 'expected'} update"
            ),
        ),
        ("right", f"{say_vector(found.gradient)}   the gradient of {found.target}"),
    ]
    if not found.expected:
        rows.pop(2)
    elif found.kind is not Kind.UNBIASED:
        rows.append(("bias", say_vector(found.bias) + _bias_formula(found)))
    if found.scale is not None:
        rows.append(("scale", str(found.scale)))
    elif _pull(found):
        rows.append(("pull", _pull(found)))
    if found.by_construction:
        rows.append(
            (
                "follows",
                (
                    "minus the loss's own mean, E_μ[-L], by construction: the policy that is"
                    " sampled is fixed"
                ),
            )
        )
    elif found.follows and found.kind is not Kind.OTHER_OBJECTIVE:
        rows.append(
            (
                "follows",
                (
                    "exactly the gradient of"
                    f" {found.follows}{f', {found.reservation}' if found.reservation else ''}"
                ),
            )
        )
    if found.elsewhere:
        rows.append(("elsewhere", found.elsewhere))
    rows += [("cause", cause) for cause in found.causes]
    rows += [("mend", mend.sentence) for mend in found.mends]
    if found.unmended:
        rows.append(("mend", found.unmended))
    rows.append(("evidence", f"{found.strength}: {found.evidence}"))
    if found.curl is not None:
        raw, gauge = map(small, found.curl)
        rows.append(
            (
                "curl",
                (
                    f"{raw} in the raw logits, {gauge} modulo their shifts"
                    if found.logits
                    else gauge
                ),
            )
        )
    if found.curl_moving is not None:
        rows.append(("", f"{small(found.curl_moving)} if what is frozen moves with the parameters"))
    if found.variance is not None:
        rows.append(
            (
                "variance",
                f"{beyond_rounding(found.variance, found.expected):.6g} in total, for one draw",
            )
        )
    if found.conformance is not None:
        rows.append(("conforms", found.conformance.sentence))
        rows += [
            (name, text)
            for name, text in found.conformance.rows()
            if name in ("is", "differs", "blind")
        ]
    if found.unrun:
        rows.append(("unseen", found.unrun))
    rows += [("run", how) for how in found.run]
    rows += [("also", note) for note in found.notes]
    rows += [("ends", end) for end in found.ends]
    if found.intended:
        rows.append(("intended", found.intended))
    elif found.unexpected and found.kind is Kind.UNBIASED:
        rows.append(("intended", "it is marked as something else, and isn't; remove the mark"))
    elif found.unexpected:
        rows.append(
            (
                "intended",
                (
                    "it is marked as something else; remove the mark, or write"
                    f" intended={{{str(found.kind)!r}: 'why'}}"
                ),
            )
        )
    elif not found.ok and found.kind is not Kind.UNDECIDED:
        rows.append(("intended?", f"intended={{{str(found.kind)!r}: 'why'}}"))
    if found.replay and not found.ok:
        rows.append(("replay", found.replay))
    return rows


def _pull(found: Audit) -> str:
    """How the expected update goes along the target at this policy; empty where one of them is
    0, or the sentence has said it.
    """
    cosine = found.cosine
    if cosine is None or found.scale is not None or found.kind in (Kind.ZERO, Kind.UNBIASED):
        return ""
    said = f"the cosine of left and right is {say_cosine(cosine)}"
    if found.sampled:
        # of a mean with an error: which way it goes isn't known for sure
        return f"{said}, as sampled" if found.kind in BIASES else ""
    if cosine < -AGAINST:
        return f"reversed at this policy: {said}"
    if found.kind not in BIASES:
        return ""
    way = "with the target" if cosine > AGAINST else "neither with the target nor against it"
    return f"{way}: {said}"


def _besides(found: Audit, factor: Any = None) -> str:
    """Says that the numbers differ from what is said of them, by shifts that leave the policy
    unchanged.
    """
    if not found.logits:
        return ""
    if factor is None:
        if found.scale is None or len(found.scale.factors) != 1:
            return ""
        (factor,) = found.scale.factors.values()
    gaps = [
        abs(float(one) - float(factor) * float(other))
        for one, other in zip(found.expected, found.gradient, strict=True)
    ]
    size = max((abs(float(entry)) for entry in (*found.expected, *found.gradient)), default=0.0)
    rounding = 1e-6 if found.precision else 1e-8
    return (
        ", up to shifts of the logits that leave the policy unchanged"
        if max(gaps, default=0.0) > rounding * size
        else ""
    )


def _bias_formula(found: Audit) -> str:
    if found.kind is Kind.OTHER_OBJECTIVE:
        return f" = ∇{bracketed(found.follows)} - ∇{bracketed(found.formula)}"
    if (
        found.kind in (Kind.SCALED, Kind.REVERSED)
        and found.scale is not None
        and found.scale.constant
    ):
        factor = next(iter(found.scale.factors.values()))
        return f" = {say(factor - 1)} ∇{bracketed(found.formula)}{_besides(found)}"
    return ""
