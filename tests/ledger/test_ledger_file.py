"""What the file of a ledger holds, and which evidence is collected."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from types import ModuleType

import pytest

from altpg_verify import judging
from altpg_verify.judging import Step
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build, collect
from altpg_verify.verdicts import Verdict
from tests.ledger.pieces import Accepted, claim, serves


def test_a_ledger_is_looked_up_by_id():
    ledger = build([claim("one"), claim("two")], [])
    assert ledger["two"].claim.id == "two"
    with pytest.raises(KeyError, match="three"):
        ledger["three"]


def test_every_verdict_is_counted():
    ledger = build(
        [claim("one"), claim("two"), claim("three")], [serves(Verdict.HOLDS, "one", "two")]
    )
    assert ledger.counts() == {
        str(verdict): {"HOLDS": 2, "NOT RUN": 1}.get(str(verdict), 0) for verdict in Verdict
    }


def test_the_file_holds_everything_but_the_clock():
    steps = [Step("first", Fraction(1, 2)), Step("then")]

    @evidence("one", kind="derivation")
    def shown():
        return judging.proved(
            [Accepted()], "it – is so", domain="every k", steps=steps, numbers={"size": 1.5}
        )

    printed = Claim(
        "one",
        12,
        "2 Title",
        "$x$",
        "identity",
        label="eq: x",
        given=("g",),
        required_evidence=("coq",),
        depends_on=("two",),
        corrects="two",
        adds="b = v",
    )
    ledger = build(
        [claim("two", extension=True), printed], [shown, serves(Verdict.REFUTED, kind="simulation")]
    )
    text = ledger.as_json()
    assert text.endswith("}\n")
    assert "it – is so" in text
    assert text.startswith('{\n "schema": 1,\n "counts"')
    kept = json.loads(text)
    assert kept["counts"] == ledger.counts()
    item, other = ledger["one"].evidence
    assert kept["claims"][1] == {
        "id": "one",
        "line": 12,
        "section": "2 Title",
        "label": "eq: x",
        "kind": "identity",
        "statement": "$x$",
        "given": ["g"],
        "uses": ["two"],
        "corrects": "two",
        "adds": "b = v",
        "extension": False,
        "verdict": "INCONCLUSIVE",
        "established": False,
        "inconsistent": True,
        "missing": ["coq"],
        "corrections": [],
        "evidence": [
            {
                "kind": "derivation",
                "source": item.source,
                "source_hash": item.source_hash,
                "verdict": "PROVED",
                "says": "it – is so",
                "domain": "every k",
                "instance": {},
                "numbers": {"certificates": 1, "size": 1.5},
                "steps": [{"text": "first", "formula": "1/2"}, {"text": "then", "formula": ""}],
            },
            {
                "kind": "simulation",
                "source": other.source,
                "source_hash": other.source_hash,
                "verdict": "REFUTED",
                "says": "r",
                "domain": "",
                "instance": {"b": "1", "left": "1/2", "right": "0"},
                "numbers": {},
                "steps": [],
            },
        ],
    }
    assert (kept["claims"][0]["extension"], kept["claims"][0]["corrections"]) == (True, ["one"])


def test_evidence_is_collected_from_packages_and_their_modules_each_function_once(
    tmp_path, monkeypatch
):
    package = tmp_path / "some_evidence"
    package.mkdir()
    head = "from altpg_verify.ledger import evidence\n"
    body = (
        "@evidence('one', kind='coq')\ndef {0}():\n    pass\n\ndef other():\n    pass\n\nnumber"
        " = 3\n"
    )
    (package / "__init__.py").write_text(head + body.format("in_the_package"), encoding="utf-8")
    (package / "b.py").write_text(head + body.format("in_b"), encoding="utf-8")
    (package / "a.py").write_text(
        head + "from some_evidence.b import in_b\n" + body.format("in_a"), encoding="utf-8"
    )
    (package / "__main__.py").write_text(
        "raise SystemExit('not to be imported')\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import some_evidence

    # by name of the module, and where a function is imported it is the same one
    names = [function.__name__ for function in collect([some_evidence])]
    assert names == ["in_the_package", "in_b", "in_a"]
    assert [function.__name__ for function in collect([sys.modules["some_evidence.b"]])] == ["in_b"]
    assert collect([ModuleType("json")]) == []
    for name in [name for name in sys.modules if name.split(".")[0] == "some_evidence"]:
        monkeypatch.delitem(sys.modules, name)
