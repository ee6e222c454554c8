"""`python -m altpg_verify.theory recheck`: everything stored holds, without sympy and quickly; what
can't be used is refused by name.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from altpg_verify.theory.__main__ import main
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.proving.certificate_recheck import CHECKERS
from altpg_verify.theory.proving.certificate_statements import STATEMENTS, statement
from altpg_verify.theory.proving.certificate_store import KINDS, as_text, digest

WITHOUT_SYMPY = """
import sys
from altpg_verify.theory.__main__ import main
code = main(["recheck", *sys.argv[1:]])
assert not {"sympy", "numpy", "numba", "scipy"} & set(sys.modules), "the re-check loads what produced the certificates"
sys.exit(code)
"""


@pytest.mark.thorough
def test_everything_is_rechecked_without_sympy_in_time(stored, own, wholes):
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SYMPY, str(stored), str(own)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - begin < 30
    count = sum(len(whole["certificates"]) for whole in wholes.values())
    assert done.stdout.startswith(f"files: {len(wholes)}, certificates: {count} (")
    assert "files refused: 0, unusable: 0" in done.stdout


@pytest.mark.thorough
def test_every_kind_is_stored_and_every_derivation_named(wholes, stored):
    assert set(KINDS.values()) == set(CHECKERS) == set(STATEMENTS)
    assert {entry["kind"] for whole in wholes.values() for entry in whole["certificates"]} == set(
        CHECKERS
    )
    known = {claim.id for claim in CLAIMS}
    for path in stored.glob("*.json"):
        claims = wholes[path.stem]["claims"]
        assert claims
        assert set(claims) <= known


def test_what_is_stored_is_data(wholes):
    # nothing that names code: only the kinds, which are looked up in a fixed table
    for whole in wholes.values():
        assert set(whole) == {"schema", "claims", "statement", "domain", "certificates", "digest"}
        for entry in whole["certificates"]:
            assert set(entry) == {"kind", "statement", "data"}


def test_the_chain_fixed_point_is_stored_as_enclosed(wholes):
    (entry,) = wholes["chain-exact-fixed-point-value"]["certificates"]
    low, high = map(Fraction, entry["data"]["value"])
    assert Fraction("0.2976410") < low < high < Fraction("0.2976412")
    assert "exactly one fixed point" in entry["statement"]


def broken(whole: dict) -> dict[str, tuple[str, str]]:
    """Text of a file that can't be used, and what must be said of it."""
    text = as_text(whole)
    (entry,) = whole["certificates"]
    return {
        "truncated": (text[: len(text) // 2], "cut short"),
        "empty": ("", "no JSON"),
        "not JSON": ("certificate", "no JSON"),
        "not a mapping": ("[1, 2]", "no schema number"),
        "older": (as_text({**whole, "schema": 0}), "has schema 0, and this version reads schema 2"),
        "no schema": (json.dumps({"claims": []}), "no schema number"),
        "unknown kind": (
            as_text({**whole, "certificates": [{**entry, "kind": "os.system"}]}),
            "unknown kind 'os.system'",
        ),
        "no certificates": (
            json.dumps({**whole, "certificates": []}),
            "needs a list of certificates",
        ),
        "other fields": (
            json.dumps({**whole, "certificates": [{"kind": "identity"}]}),
            "needs a list of certificates",
        ),
        "no digest": (
            json.dumps({name: value for name, value in whole.items() if name != "digest"}),
            "lacks digest",
        ),
        "nested too deep": ("[" * 200_000, "no JSON"),
        "no text": ("\udcff", "no JSON"),
    }


BROKEN = sorted(
    broken(
        {
            "schema": 2,
            "claims": [],
            "statement": "",
            "domain": "",
            "certificates": [{"kind": "identity"}],
            "digest": "",
        }
    )
)


@pytest.mark.parametrize("fault", BROKEN)
def test_what_cannot_be_used_is_named_in_one_line(fault, wholes, tmp_path, capsys):
    text, words = broken(wholes["unbiased"])[fault]
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["recheck", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "bad.json" in error
    assert words in error


@pytest.mark.parametrize("missing", ["nowhere", "nowhere/at/all.json"])
def test_a_missing_path_is_named(missing, tmp_path, capsys):
    assert main(["recheck", str(tmp_path / missing)]) == 2
    assert missing in capsys.readouterr().err


def test_an_empty_folder_is_no_success(tmp_path, capsys):
    assert main(["recheck", str(tmp_path)]) == 2
    assert "no certificate" in capsys.readouterr().err


def test_one_bad_file_among_good_ones(own, tmp_path, capsys):
    folder = tmp_path / "folder"
    shutil.copytree(own, folder)
    whole = json.loads((folder / "bias.json").read_text(encoding="utf-8"))
    whole["certificates"][0]["data"]["right"] = 0
    (folder / "bias.json").write_text(as_text({**whole, "digest": digest(whole)}), encoding="utf-8")
    assert main(["recheck", str(folder)]) == 1
    output = capsys.readouterr().out
    assert "REFUSED" in output
    assert "bias.json" in output
    assert "files refused: 1, unusable: 0" in output
    (folder / "cover.json").write_text("{")
    assert main(["recheck", str(folder)]) == 2
    captured = capsys.readouterr()
    assert "cover.json" in captured.err
    assert "bias.json" in captured.out


@pytest.mark.parametrize("power", [10**9, -(10**9)])
def test_a_certificate_made_to_keep_the_checker_busy_is_refused(power, wholes, tmp_path):
    for name, field in (("unbiased", "left"), ("attracts", "formula")):
        whole = json.loads(json.dumps(wholes[name]))
        whole["certificates"][0]["data"][field] = ["^", "b", power]
        path = tmp_path / "busy.json"
        path.write_text(as_text({**whole, "digest": digest(whole)}), encoding="utf-8")
        assert main(["recheck", str(path)]) == 1


def test_exponents_made_to_keep_the_checker_busy_are_refused(wholes, tmp_path):
    for name, field, huge in (
        ("stepsize-bound-not-tight", "terms", [["1", "1" + "0" * 30]]),
        ("three-arm-descent-whole-sweep", "alpha", "1" + "0" * 30),
        ("chain-exact-fixed-point-value", "baseline", "1e999999999"),
    ):
        whole = json.loads(json.dumps(wholes[name]))
        for entry in whole["certificates"]:
            if field in entry["data"]:
                entry["data"][field] = huge
                entry["statement"] = statement(entry["kind"], entry["data"])
        path = tmp_path / "busy.json"
        path.write_text(as_text({**whole, "digest": digest(whole)}), encoding="utf-8")
        assert main(["recheck", str(path)]) == 1


@pytest.mark.parametrize("data", [{}, [], None, 3, {"rewards": 1}, {"says": "nothing"}])
def test_malformed_data_proves_nothing(data, wholes, tmp_path):
    for kind in CHECKERS:
        whole = {
            **wholes["unbiased"],
            "certificates": [{"kind": kind, "statement": "nothing", "data": data}],
        }
        path = tmp_path / "malformed.json"
        path.write_text(json.dumps({**whole, "digest": digest(whole)}), encoding="utf-8")
        assert main(["recheck", str(path)]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("stored", ["all"], indirect=True)
def test_the_same_derivations_give_the_same_bytes(stored, tmp_path):
    assert main(["certify", "--out", str(tmp_path)]) == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_bytes() for path in stored.iterdir()}
