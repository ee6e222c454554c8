"""The table of library audits: every audit has its row, and what isn't installed is said, not
passed over.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

import altpg_verify.audit.libraries as libraries
from altpg_verify.__main__ import main
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.table import (
    MODULES,
    Row,
    as_data,
    every_audit,
    rows,
    run,
    summary,
)
from altpg_verify.errors import BadInput

HEAVY = {
    "torch",
    "jax",
    "rlax",
    "torchrl",
    "tensordict",
    "stable_baselines3",
    "trl",
    "tianshou",
    "gymnasium",
    "transformers",
}


def absent() -> LibraryAudit:
    return LibraryAudit(
        "loss",
        "no-such-library",
        "1.0",
        "no_such.loss",
        "a policy gradient",
        "two steps",
        lambda: None,
    )


def test_every_file_of_audits_is_in_the_table():
    files = {
        path.stem
        for path in Path(libraries.__file__).parent.glob("*.py")
        if "AUDITS =" in path.read_text(encoding="utf-8")
    }
    assert files == set(MODULES)


def test_names_are_unique_and_every_field_is_filled():
    audits = every_audit()
    assert len({each.name for each in audits}) == len(audits)
    assert all(
        (each.package, each.version, each.calls, each.summary, each.setting) for each in audits
    )
    assert len({each.package for each in audits}) == len(MODULES)


def test_the_extra_pins_the_versions_the_audits_were_written_for():
    import tomllib

    project = tomllib.loads(
        (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    assert set(project["optional-dependencies"]["audits"]) == {
        f"{each.package}=={each.version}" for each in every_audit()
    }


def test_libraries_are_imported_when_an_audit_is_built_and_not_before():
    for name in MODULES:
        tree = ast.parse(
            (Path(libraries.__file__).parent / f"{name}.py").read_text(encoding="utf-8")
        )
        for node in tree.body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not HEAVY & {each.split(".")[0] for each in names}


def test_a_library_that_is_absent_is_a_row_that_says_so():
    row = run(absent())
    assert row.found is None
    assert row.kind == "NOT RUN"
    assert "'no-such-library==1.0'" in str(row)
    assert row.as_dict()["audit"] is None


def test_a_library_that_cannot_be_imported_is_a_row_that_says_so(monkeypatch):
    def broken():
        raise ImportError("needs\na newer\nrelative")

    monkeypatch.setattr(LibraryAudit, "installed", property(lambda self: "1.0"))
    audit = LibraryAudit(
        "loss", "numpy", "1.0", "numpy.loss", "a policy gradient", "two steps", broken
    )
    assert run(audit).reason == "numpy 1.0 can't be imported: needs a newer relative"


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(BadInput, match="rlax policy_gradient_loss"):
        rows("nonsense")


def test_the_command_writes_the_table_and_fails_if_nothing_ran(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("altpg_verify.audit.libraries.table.every_audit", lambda: [absent()])
    file = tmp_path / "audits.json"
    assert main(["audits", "--json", str(file)]) == 2
    assert "1 audits: 1 NOT RUN" in capsys.readouterr().out
    assert json.loads(file.read_text(encoding="utf-8"))["rows"][0]["kind"] == "NOT RUN"
    assert main(["audits", "--only", "nonsense"]) == 2


def test_rounding_errors_are_not_written():
    row = Row(absent(), reason="why")
    assert as_data([row])["summary"] == summary([row]) == "1 audits: 1 NOT RUN"
    from altpg_verify.audit.libraries.table import _rounded

    assert _rounded({"a": [3e-17, 1 / 3]}) == {"a": [0.0, 0.3333333333]}


@pytest.mark.thorough
def test_listing_the_audits_loads_no_library():
    import subprocess

    code = (
        "import sys; from altpg_verify.audit.libraries.table import every_audit; every_audit();"
        " print([n for n in %r if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code % sorted(HEAVY)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
