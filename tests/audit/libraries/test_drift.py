"""What changed since the kept table: each outcome is told apart by what the verdicts say, and a
verdict that changed fails the command.

The libraries are stand-ins: a table of updates written here, and versions that are said.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from altpg_verify.__main__ import main
from altpg_verify.audit import audit, bandit, update
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.drift import compared
from altpg_verify.audit.libraries.kept import KEPT, read_kept
from altpg_verify.errors import BadInput

SPACE = bandit([1, "1/2", 0])
AUDIT = functools.cache(audit)


@functools.cache
def times(factor):
    """Makes an update that is the gradient of V times a number, estimated by the score."""

    @update(space=SPACE)
    def estimator(scores, rewards):
        return factor * sum(scores) * sum(rewards)

    return lambda: estimator


@pytest.fixture(autouse=True)
def once(monkeypatch):
    """An update that several tests share is audited once."""
    monkeypatch.setattr("altpg_verify.audit.libraries.table.audit", AUDIT)


def audit_of(name, made, package="lib"):
    return LibraryAudit(
        name, package, "1.0", f"{package}.{name}", "a policy gradient", "one step", made
    )


@pytest.fixture
def library(monkeypatch):
    """Says which audits there are and what version of each library is installed; returns the
    function that does.
    """

    def say(audits, **versions):
        monkeypatch.setattr("altpg_verify.audit.libraries.table.every_audit", lambda: audits)
        monkeypatch.setattr(
            LibraryAudit, "installed", property(lambda self: versions.get(self.package, ""))
        )

    return say


@pytest.fixture
def kept(library, tmp_path, capsys):
    """A table of two losses: one right, one half as long."""
    library([audit_of("right", times(1)), audit_of("half", times(0.5))], lib="1.0")
    path = tmp_path / "kept.json"
    assert main(["audits", "--json", str(path), "--against", str(KEPT)]) == 0
    capsys.readouterr()
    return path


def edited(path, change, row=0):
    """The table with one row changed."""
    table = json.loads(path.read_text(encoding="utf-8"))
    change(table["rows"][row])
    path.write_text(json.dumps(table), encoding="utf-8")
    return path


def outcomes(kept, tmp_path, code, *more):
    """What the command finds against the kept table, by name, and its JSON."""
    path = tmp_path / "now.json"
    assert main(["audits", "--against", str(kept), "--json", str(path), *more]) == code
    found = json.loads(path.read_text(encoding="utf-8"))["comparison"]
    return {row["name"]: row["outcome"] for row in found["rows"]}, found


def test_nothing_changed(kept, tmp_path, capsys):
    assert outcomes(kept, tmp_path, 0)[0] == {"right": "same", "half": "same"}
    assert capsys.readouterr().out.endswith(
        f"compared with {kept}: 2 same\nversions: as they were\n"
    )


def test_another_version_with_the_same_verdicts_is_no_drift(library, kept, tmp_path, capsys):
    library([audit_of("right", times(1)), audit_of("half", times(0.5))], lib="1.1")
    found, data = outcomes(kept, tmp_path, 0)
    assert set(found.values()) == {"same"}
    assert data["versions"] == {"lib": "1.0 → 1.1"}
    assert "versions: lib 1.0 → 1.1" in capsys.readouterr().out


def test_another_kind_is_a_change_and_fails(library, kept, tmp_path, capsys):
    library([audit_of("right", times(2)), audit_of("half", times(0.5))], lib="1.1")
    found, data = outcomes(kept, tmp_path, 1)
    assert found == {"right": "changed", "half": "same"}
    assert data["rows"][0]["differs"]["kind"] == {"was": "unbiased", "is": "scaled"}
    assert data["rows"][0]["differs"]["factor"] == {"was": "none", "is": "2"}
    said = capsys.readouterr().out
    assert "CHANGED (lib 1.0 → 1.1)" in said
    assert (
        "was       unbiased: the expected update is ∇V\n  is        right direction, wrong scale"
        in said
    )


def test_another_factor_is_a_change_though_the_kind_is_the_same(library, kept, tmp_path):
    library([audit_of("right", times(1)), audit_of("half", times(0.25))], lib="1.0")
    found, data = outcomes(kept, tmp_path, 1)
    assert found == {"right": "same", "half": "changed"}
    assert data["rows"][1]["differs"]["factor"] == {"was": "1/2", "is": "1/4"}
    assert "kind" not in data["rows"][1]["differs"]


def test_another_objective_is_a_change(kept, tmp_path):
    edited(kept, lambda row: row["audit"].update(follows="V + H"))
    assert outcomes(kept, tmp_path, 1)[1]["rows"][0]["differs"] == {
        "objective": {"was": "V + H", "is": "none"}
    }


def test_numbers_in_objectives_are_compared_as_numbers():
    def row(follows):
        audit = {
            "follows": follows,
            "strength": "HOLDS",
            "scale": None,
            "expected": [1.0],
            "gradient": [1.0],
        }
        return {
            "name": "a",
            "library": "lib",
            "installed": "1",
            "kind": "other objective",
            "sentence": follows,
            "reason": "",
            "audit": audit,
        }

    assert str(compared(row("V + 0.01·H"), row("V + 1/100·H")).outcome) == "reworded"
    assert str(compared(row("V + 0.01·H"), row("V + 1/10·H")).outcome) == "changed"
    assert str(compared(row("E[R²]"), row("E[R]")).outcome) == "changed"


def test_another_strength_is_a_change(kept, tmp_path):
    edited(kept, lambda row: row["audit"].update(strength="SUPPORTED"))
    assert outcomes(kept, tmp_path, 1)[1]["rows"][0]["differs"] == {
        "strength": {"was": "SUPPORTED", "is": "PROVED"}
    }


def test_an_objective_that_was_followed_everywhere_and_is_on_this_space_only_is_a_change(
    kept, tmp_path
):
    edited(kept, lambda row: row["audit"].update(reservation="on this space only"))
    assert outcomes(kept, tmp_path, 1)[0]["right"] == "changed"


def test_other_words_are_no_change(kept, tmp_path, capsys):
    edited(kept, lambda row: row.update(sentence="E[g] = ∇V"))
    assert outcomes(kept, tmp_path, 0)[0]["right"] == "reworded"
    assert "was       E[g] = ∇V" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("shift", "outcome"),
    [(1e-3, "same verdict, other numbers"), (3e-7, "same verdict, other numbers"), (1e-8, "same")],
)
def test_a_bias_of_the_same_kind_that_moved_beyond_rounding_is_told(kept, tmp_path, shift, outcome):
    edited(
        kept,
        lambda row: row["audit"]["expected"].__setitem__(0, row["audit"]["expected"][0] + shift),
    )
    found, data = outcomes(kept, tmp_path, 0)
    assert found["right"] == outcome
    assert all(pair["was"] != pair["is"] for pair in data["rows"][0]["differs"].values())


def test_an_audit_that_was_itself_changed_says_so(library, kept, tmp_path):
    edited(kept, lambda row: row.update(setting="two steps"))
    row = outcomes(kept, tmp_path, 0)[1]["rows"][0]
    assert row["case"] == {"setting": {"was": "two steps", "is": "one step"}}


def test_rows_that_are_new_or_gone(library, kept, tmp_path, capsys):
    library([audit_of("right", times(1)), audit_of("third", times(3))], lib="1.0")
    assert outcomes(kept, tmp_path, 0)[0] == {"right": "same", "third": "new", "half": "gone"}
    assert "gone: half (lib 1.0)" in capsys.readouterr().out


def test_what_only_leaves_out_is_not_gone(kept, tmp_path):
    assert outcomes(kept, tmp_path, 0, "--only", "ri")[0] == {"right": "same"}


def test_a_row_that_was_not_run_then_has_nothing_to_be_compared_with(kept, tmp_path):
    edited(
        kept,
        lambda row: row.update(
            kind="NOT RUN", sentence="", reason="absent", audit=None, installed=""
        ),
    )
    assert outcomes(kept, tmp_path, 0)[0]["right"] == "new"


def test_a_library_that_is_absent_is_not_run_and_no_change(library, kept, tmp_path, capsys):
    library([audit_of("right", times(1)), audit_of("half", times(0.5), "other")], lib="1.0")
    assert outcomes(kept, tmp_path, 0)[0] == {"right": "same", "half": "not run"}
    library([audit_of("right", times(1)), audit_of("half", times(0.5))])
    assert outcomes(kept, tmp_path, 2)[1]["versions"] == {"lib": "1.0 → not installed"}


def without_the_function():
    raise AttributeError("module 'lib'\nhas no attribute 'half'")


def test_a_version_that_the_audit_does_not_fit_fails(library, kept, tmp_path, capsys):
    library([audit_of("right", times(1)), audit_of("half", without_the_function)], lib="2.0")
    found, data = outcomes(kept, tmp_path, 1)
    assert found == {"right": "same", "half": "can't be audited any more"}
    assert "lib 2.0 can't be used as 1.0" in data["rows"][1]["is"]
    assert "AttributeError: module 'lib' has no attribute 'half'" in capsys.readouterr().out


def test_the_kept_table_written_anew_holds_no_comparison(library, kept, capsys):
    library([audit_of("right", times(2))], lib="1.1")
    assert main(["audits", "--against", str(kept), "--json", str(kept)]) == 1
    assert "comparison" not in json.loads(kept.read_text(encoding="utf-8"))
    assert "CHANGED" in capsys.readouterr().out
    kept.write_text("{}", encoding="utf-8")
    assert main(["audits", "--against", str(kept), "--json", str(kept)]) == 0
    assert "nothing was compared: " in capsys.readouterr().out
    assert list(read_kept(kept)) == ["right"]


def test_an_installed_package_without_a_kept_table_says_so(
    library, kept, monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr("altpg_verify.audit.libraries.kept.KEPT", tmp_path / "none" / "audits.json")
    assert main(["audits"]) == 0
    assert (
        "nothing was compared: there is no table 'reports/audits.json'" in capsys.readouterr().out
    )


def test_a_table_that_is_missing_is_one_sentence_before_anything_runs(library, tmp_path, capsys):
    library([audit_of("right", lambda: pytest.fail("it ran"))], lib="1.0")
    assert main(["audits", "--against", str(tmp_path / "none.json")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "there is no table" in said.err


SCALE = {"factors": {"": "half"}, "constant": True}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.pop("installed"), "row 1 has no text 'installed'"),
        (lambda row: row.update(kind="fine"), "row 1 has an unknown kind, 'fine'"),
        (lambda row: row.update(audit=None), "row 1 has no audit"),
        (lambda row: row.update(kind="NOT RUN"), "row 1 has an audit"),
        (lambda row: row["audit"].pop("follows"), "the audit of row 1 has no text 'follows'"),
        (lambda row: row["audit"].update(scale=SCALE), "the scale of row 1"),
        (
            lambda row: row["audit"].update(expected=[float("nan")]),
            "'expected' of row 1 is no list of finite numbers",
        ),
        (
            lambda row: row["audit"].update(expected=[10**400]),
            "'expected' of row 1 is no list of finite numbers",
        ),
        (lambda row: row.update(name="half"), "row 2 is a second 'half'"),
    ],
)
def test_a_table_of_another_schema_names_what_is_wrong(kept, change, said):
    with pytest.raises(BadInput, match=said):
        read_kept(edited(kept, change))


@pytest.mark.parametrize("content", ["[]", "{}", '{"rows": 3}', '{"rows": [1]}', "no json"])
def test_what_is_no_table_is_refused(tmp_path, content):
    path = tmp_path / "kept.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match="--against"):
        read_kept(path)


def test_the_kept_table_of_the_checkout_can_be_read():
    assert Path(__file__).parents[3] / "reports" / "audits.json" == KEPT
    assert "TRL RLOO" in read_kept(KEPT)
