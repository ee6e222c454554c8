"""python -m trust.everywhere: the whole suite in settings of the matrix, kept beside the figures of
the part.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from altpg_verify.errors import BadInput
from altpg_verify.terminal import ended
from trust import record
from trust.everywhere import interpreters, part
from trust.everywhere.matrix import PYTHONS, Setting, settings
from trust.everywhere.packages import build, environment
from trust.everywhere.trial import REPORT, Tried, files, tried


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if every test passes, 1 if one doesn't, 2 if a setting can't be tried."""
    commands = {python: found for python in PYTHONS if (found := interpreters.find(python))}
    possible = {setting.name: setting for setting in settings(list(commands))}
    parser = argparse.ArgumentParser(
        prog="python -m trust.everywhere",
        description="Run the whole test suite in settings of the matrix.",
    )
    parser.add_argument(
        "settings",
        nargs="*",
        metavar="SETTING",
        help=f"of {', '.join(possible)}; without any, they are listed",
    )
    parser.add_argument(
        "--reports",
        metavar="FOLDER",
        type=Path,
        help="write what pytest says of each setting to FOLDER/SETTING.xml",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep what they gave in reports/trust.json, beside the figures of the part",
    )
    options = parser.parse_args(arguments)
    return ended("trust.everywhere", lambda: _run(options, commands, possible))


def _run(
    options: argparse.Namespace, commands: dict[str, str], possible: dict[str, Setting]
) -> int:
    if unknown := [name for name in options.settings if name not in possible]:
        raise BadInput(f"there is no setting {unknown[0]!r} here; there are {', '.join(possible)}")
    if not options.settings:
        print("\n".join(possible))
    if options.reports:
        options.reports.mkdir(parents=True, exist_ok=True)
    worst = 0
    for name in options.settings:
        found, code = _whole(
            possible[name], commands[possible[name].environment.python], options.reports
        )
        if options.keep:
            keep({name: found}, code, record.KEPT)
        worst = max(worst, 1 if found.failures else 0)
    return worst


def _whole(setting: Setting, command: str, reports: Path | None) -> tuple[Tried, str]:
    """What the setting gave, and which code it was."""
    with tempfile.TemporaryDirectory() as folder:
        built = build(Path(folder))
        python = environment(setting.environment, command, built.wheel, Path(folder))
        place = Path(folder) / "trial"
        place.mkdir()
        found = tried(python, built.source, setting.surroundings, files(built.source), place)
        code = built.code
        if reports and (place / REPORT).exists():
            shutil.copyfile(place / REPORT, reports / f"{setting.name}.xml")
    print(
        f"{setting.name}: {found.tests} tests, {found.skipped} skipped, {len(found.failures)}"
        f" failures, {found.seconds:.0f} s"
    )
    print("".join(f"  {failure}\n" for failure in found.failures), end="", flush=True)
    return found, code


def keep(found: dict[str, Tried], code: str, path: Path) -> None:
    """Put what whole suites gave into the part's entry, beside what is there.

    Args:
        code: which code was tried, `Built.code`.

    Raises:
        BadInput: the part hasn't been run, so there is no entry.
    """
    kept = record.read(path)
    entry = record.of_part(kept, part.NAME)
    if entry is None:
        raise BadInput(
            f"--keep: {str(path)!r} has no figures of this part yet; run `python -m trust --only"
            f" {part.NAME}` first"
        )
    date = record.today()
    entry["details"].setdefault("whole", {}).update(
        {name: {"date": date, "code": code, **each.as_dict()} for name, each in found.items()}
    )
    record.write(path, kept, "--keep")


if __name__ == "__main__":
    sys.exit(main())
