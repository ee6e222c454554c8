"""From an update of the audit to its report: `<name>.pdf`, `<name>.html` and `<name>.json`."""

from __future__ import annotations

import hashlib
import json
import shlex
from typing import Any

from altpg_verify.audit import audit
from altpg_verify.audit.expected_update import affordable
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.mending import cheap
from altpg_verify.audit.training import End, endpoints
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.report.build import writable
from altpg_verify.report.formats import rendered
from altpg_verify.report.own.audited import audit_laws, chapters, updates_at_policies
from altpg_verify.report.own.document import assembled, reproduced
from altpg_verify.report.own.kept import kept
from altpg_verify.report.own.target import file_name
from altpg_verify.report.progress import reporting
from altpg_verify.report.settings import Built, Settings
from altpg_verify.report.summary import text

FOLLOWED = 2_000
"""Above so many draws training isn't followed to its end."""

_BEFORE = """
A verdict is computed from evidence; none was typed by hand. The update's own code is run on every draw that a small space has, and its
expectation is compared with the gradient of what it is meant to ascend.
"""

_AFTER = """
Here PROVED means: as rational functions, for every policy on this space. HOLDS means: at the policies that were tried, in float64. A
verdict speaks of this space; on another one the same code may follow something else.
"""


def build(origin: str, update: Update, settings: Settings, *, quiet: bool = False) -> Built:
    """Audit and write.

    Raises:
        BadInput: a policy was asked for, the update can't be audited, or the folder can't be
            written; nothing was written.
    """
    if settings.policy:
        raise BadInput(
            "--policy goes with an estimator; an update or a loss has the policy of its space"
        )
    with reporting(quiet) as progress:
        with progress.stage("audit"):
            found = audit(update, origin=origin, mend=cheap(update))
        writable(settings.out)
        with progress.stage("policies"):
            field, no_field = updates_at_policies.field_of(update)
            rows = updates_at_policies.compared(update)
            ends, no_ends = _ends(update)
        name = file_name(update.name)
        with progress.stage("page"):
            data = _data(origin, found, rows, ends)
            content = _content(origin, update, found, field, no_field, rows, ends, no_ends, data)
            pages = rendered(
                content,
                settings.format,
                name,
                simplex=lambda: field.playground() if field is not None else None,
            )
    summary = f"{update.name}: {found.sentence}"
    return kept(settings.out, name, pages, data, summary=summary, ok=found.ok)


def _ends(update: Update) -> tuple[tuple[End, ...], str]:
    """Where training ends, from the point of the audit and from near the corners; or none, and
    why.
    """
    if update.random:
        return (), "it draws its own randomness, so that its expected update can't be followed"
    count = update.program.order.enumeration.count
    if count > FOLLOWED or not affordable(update):
        return (
            (),
            f"not followed, since each of its {count} draws would be enumerated at every step",
        )
    try:
        return endpoints(update, everywhere=True), ""
    except BadInput as error:
        # far from the policies of the audit a formula may have no finite value
        return (), f"not followed to the end: {error}"


def _content(
    origin: str,
    update: Update,
    found: Audit,
    field: updates_at_policies.Field | None,
    no_field: str,
    rows: list[dict[str, Any]],
    ends: tuple[End, ...],
    no_ends: str,
    data: bytes,
) -> dict[str, Any]:
    what, check = chapters.what(update), f"python -m altpg_verify check {shlex.quote(origin)}"
    findings = chapters.verdict(found)
    picture = field.figure(ends) if field is not None else None
    chapter_list: list[dict[str, Any]] = [
        {
            "title": "What else was found",
            "parts": [*chapters.besides(found), *chapters.ending(ends, no_ends)],
        },
        {
            "title": f"The {what} and where it was tried",
            "parts": [*chapters.source(update), *chapters.where(update, found)],
        },
        {"title": "At other policies", "parts": chapters.elsewhere(rows)},
    ]
    if picture is None:
        why = no_field or "at some policy it keeps no draw or isn't finite"
        chapter_list[0]["parts"].append(
            text(
                "The picture of the simplex is for bandits of three actions with logits of their"
                f" own: {why}."
            )
        )
    commands = [
        {
            "says": "This report",
            "command": f"python -m altpg_verify.report --estimator {shlex.quote(origin)}",
        },
        {"says": "The audit alone", "command": check},
    ]
    return assembled(
        title=f"The {what} {update.name}",
        subtitle=f"Verification report of {origin}, on {found.space}",
        summary={
            "lead": chapters.lead(origin, update, found),
            "action": [] if found.ok else findings,
            "picture": picture,
            "numbers": [],
            "findings": findings if found.ok else [],
            "counts": audit_laws.counts(found),
        },
        reading=(_BEFORE, _AFTER),
        chapters=chapter_list,
        lead=(
            "Each law with its statement, its verdict and what that rests on. The last line of each"
            " is the command that checks it again."
        ),
        reproducing=reproduced(commands, {}, hashlib.sha256(data).hexdigest()),
        laws=audit_laws.part(found, check),
    )


def _data(origin: str, found: Audit, rows: list[dict[str, Any]], ends: tuple[End, ...]) -> bytes:
    """Everything the page says, as JSON; no clock."""
    whole = {
        "origin": origin,
        **found.as_dict(),
        "laws": {
            law.name: {"verdict": str(law.verdict), "shown_as": law.mark, "because": law.because}
            for law in audit_laws.laws_of(found)
        },
        "policies": rows,
        "training_ends": [end.as_dict() for end in ends],
    }
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()
