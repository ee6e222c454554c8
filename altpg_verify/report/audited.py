"""The chapter on losses of public libraries: the table that `python -m altpg_verify audits --json
reports/audits.json` wrote.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import read_json
from altpg_verify.report.markup import words
from altpg_verify.report.parts import note
from altpg_verify.report.summary import text

NAME = "audits.json"
COMMAND = f"python -m altpg_verify audits --json reports/{NAME}"

_LEAD = (
    "What losses follow in expectation as public libraries ship them. The libraries' own code ran,"
    " on policies over two or three actions and on episodes of a few steps, and every outcome was"
    " enumerated. A verdict other than unbiased is no report of a bug: many of these are choices"
    " that their authors describe, and a small bandit says nothing about how well they train."
)


def stored(out: Path, name: str = NAME) -> Path:
    """The table for a report in `out`: its own if there is one, else the repository's.

    Args:
        out: the report's folder.
        name: of the file.
    """
    own = Path(out) / name
    return own if own.is_file() else Path(__file__).parents[2] / "reports" / name


def audited(path: Path) -> list[dict[str, Any]]:
    """The parts of the chapter; one note, with the command, where the libraries were not audited.

    Raises:
        BadInput: the file isn't such a table.
    """
    if not path.is_file():
        return [note(f"NOT RUN: there is no table of audits; make it with: {COMMAND}")]
    table = read_json(path, mend=f"make it again with: {COMMAND}")
    try:
        rows = [_row(row) for row in table["rows"]]
        ran = note(f"{table['summary'].capitalize()}. The table is kept; it was made by: {COMMAND}")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"{str(path)!r} is no table of audits ({type(error).__name__}); make it again with:"
            f" {COMMAND}"
        ) from error
    header = ["loss, and what it says it follows", "what it follows", "where that is meant"]
    return [
        text(_LEAD),
        ran,
        {"kind": "prose", "header": header, "widths": [6, 5, 4], "rows": rows},
    ]


def _row(row: dict[str, Any]) -> list[Any]:
    """Three cells: name, version, statement and setting; the sentence; why it is meant so."""
    version = row["installed"] or row["written_for"]
    return [
        words(
            f"{row['name']} ({version}): {row['says']}."
            f" {row['setting'][:1].upper()}{row['setting'][1:]}."
        ),
        words(row["sentence"] or f"{row['kind']}: {row['reason']}"),
        words("" if row["kind"] == "unbiased" else row["design"]),
    ]
