"""No verdict is made by editing: every kind of value that carries one is read only as whoever
established it made it.
"""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
import re
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

import altpg_verify
from altpg_verify import check_estimator, regular
from altpg_verify.audit import audit, bandit, compare, from_function, identify
from altpg_verify.judging import inconclusive, searched
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build
from altpg_verify.report.own.certificates import Certified
from altpg_verify.sealing import SEALED, EditedVerdict, genuine, looked_at, remade, seal, sealed
from altpg_verify.theory.proving.certificate_recheck import Checked
from altpg_verify.verdicts import Verdict

CARRIES_NO_VERDICT_OF_ITS_OWN = {
    "Row": "shows the verdict of its audit",
    "Drift": "compares what two tables say; the verdicts are those of the audits",
    "Evidence": "shows the verdict of its finding",
    "Decided": "a step within one audit, which nobody is handed",
    "UpdateLaw": "made of an audit where it is printed, and thrown away",
    "Built": "the exit code of a report",
    "Case": "its outcomes are those of rewards",
    "SymbolicCase": "its outcomes are those of rewards",
}


def halved(reward, score):
    return reward * score / 2


def whole(reward, score):
    return reward * score


@evidence("claim", kind="enumeration")
def cases():
    return searched("it is so", [1, 2], lambda case: (case, case), domain="small")


@pytest.fixture(scope="module")
def values():
    space = bandit([1, 2, 4])
    one, other = (from_function(each, space=space) for each in (halved, whole))
    report = check_estimator(regular, only=["unbiased", "zero_sum"], facts=False, max_examples=20)
    ledger = build([Claim("claim", 1, "1", "so", "number")], [cases])
    made = (
        report,
        report.results[0],
        audit(one, differentiate=False),
        compare(one, other, ends=False),
        identify(other),
        ledger,
        ledger.entries[0],
        ledger.entries[0].evidence[0].finding,
        seal(Certified("unbiased", False, "REFUTED", "it is so")),
        seal(Checked(Path("a.json"), ("identity",), ("it is so",))),
    )
    return {type(value).__name__: value for value in made}


KINDS = sorted(kind.__name__ for kind in SEALED if kind.__module__.startswith("altpg_verify"))


def shown(value):
    """Everything that a value tells a reader."""
    reported = [repr(value), str(value), *(getattr(value, field.name) for field in fields(value))]
    for name, each in inspect.getmembers(type(value)):
        if isinstance(each, property) and name != "point":
            reported.append(getattr(value, name))
    for name in ("as_dict", "as_json", "block", "rows", "_repr_html_", "counts"):
        if hasattr(type(value), name):
            reported.append(getattr(value, name)())
    return reported


def readers(value):
    """Each way to read it, by name."""
    kind = type(value)
    named = {"repr": repr, "str": str, "==": lambda it: it == value}
    named |= {field.name: lambda it, name=field.name: getattr(it, name) for field in fields(kind)}
    named |= {
        name: lambda it, name=name: getattr(it, name)
        for name, each in inspect.getmembers(kind)
        if isinstance(each, property)
    }
    named |= {
        name: lambda it, name=name: getattr(it, name)()
        for name in (
            "as_dict",
            "as_json",
            "block",
            "rows",
            "_repr_html_",
            "counts",
            "summary",
            "__iter__",
        )
        if name in vars(kind)
    }
    return named


@pytest.mark.thorough
def test_every_kind_is_looked_at_here(values):
    assert sorted(values) == KINDS


@pytest.mark.parametrize("name", KINDS)
def test_what_was_established_reads_as_it_is_and_so_do_its_copies(name, values):
    value = values[name]
    reported = shown(value)
    assert genuine(value)
    for same in (copy(value), deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert genuine(same)
        assert same == value
        assert shown(same) == reported


def edits(value):
    """The ways to make another verdict of it: by name, a function without arguments that returns
    what was made.
    """
    name = next(
        field.name
        for field in fields(value)
        if field.name in ("verdict", "likeness", "holds", "refused", "before", "results", "entries")
    )
    better = Verdict.REFUTED if getattr(value, name) is Verdict.PROVED else Verdict.PROVED
    other = {
        "verdict": better,
        "holds": True,
        "refused": (),
        "before": value,
        "results": (),
        "entries": (),
    }.get(name, "equal")

    def changed(make):
        def edit():
            edited = make(value)
            object.__setattr__(edited, name, other)
            return edited

        return edit

    def written():
        edited = copy(value)
        vars(edited)[name] = other
        return edited

    def shadowed():
        edited = copy(value)
        vars(edited)["reported"] = vars(edited)["as_dict"] = lambda: {"verdict": "PROVED"}
        return edited

    def restored():
        maker, arguments, state = value.__reduce_ex__(4)[:3]
        edited = maker(*arguments)
        edited.__dict__.update({**state, name: other})
        return edited

    def derived():
        kind = type("Better", (type(value),), {"ok": True})
        edited = object.__new__(kind)
        vars(edited).update(vars(value))
        return edited

    def by_hand():
        return type(value)(
            **{
                field.name: other if field.name == name else getattr(value, field.name)
                for field in fields(value)
            }
        )

    return {
        "replace": lambda: replace(value, **{name: other}),
        "replace with the same": lambda: replace(value),
        "copy": changed(copy),
        "deep copy": changed(deepcopy),
        "pickle": changed(lambda it: pickle.loads(pickle.dumps(it))),
        "__dict__": written,
        "a method of its own": shadowed,
        "another state": restored,
        "a class of its own": derived,
        "by hand": by_hand,
    }


def refuses(read, value):
    try:
        read(value)
    except EditedVerdict:
        return True
    return False


@pytest.mark.parametrize("name", KINDS)
def test_an_edited_verdict_is_read_by_nobody(name, values):
    value = values[name]
    for way, edit in edits(value).items():
        try:
            edited = edit()
        except TypeError:
            # a finding can't even be made
            assert name == "Finding", way
            continue
        assert not genuine(edited), way
        read = {
            how: each
            for how, each in readers(value).items()
            if not (way == "a class of its own" and how == "ok")
        }
        assert [how for how, each in read.items() if not refuses(each, edited)] == [], way
    assert genuine(value)


def test_what_is_deeper_in_it_is_part_of_it(values):
    found = deepcopy(values["Audit"])
    found.scale.factors[""] = Fraction(1)
    with pytest.raises(EditedVerdict):
        str(found)
    found = deepcopy(values["Audit"])
    object.__setattr__(found.scale, "formula", "1")
    with pytest.raises(EditedVerdict):
        found.as_dict()
    report = deepcopy(values["Report"])
    vars(report.results[0])["evidence"] = "every k"
    with pytest.raises(EditedVerdict):
        report.as_json()


def test_what_shows_something_else_than_it_is_compared_by_becomes_plain(values):
    class Contrary(str):
        __slots__ = ()

        def __str__(self):
            return "PROVED"

    said = remade(
        values["CheckResult"], conditions=(Contrary("b ≠ 7"),), summary=Contrary("it is not")
    )
    assert [f"{one}" for one in (*said.conditions, said.summary)] == ["b ≠ 7", "it is not"]
    for edit in ({"says": Contrary("it is not")}, {"conditions": (Contrary("b ≠ 7"),)}):
        forged = copy(said)
        vars(forged).update(edit)
        assert not genuine(forged)


def test_only_what_is_genuine_is_made_anew(values):
    longer = remade(values["CheckResult"], evidence="more")
    assert genuine(longer)
    with pytest.raises(EditedVerdict):
        remade(replace(values["CheckResult"], verdict=Verdict.REFUTED), evidence="more")


def test_a_pickle_of_another_run_is_none_of_this_one(values, monkeypatch):
    kept = pickle.dumps(values["Audit"])
    monkeypatch.setattr("altpg_verify.sealing._key", lambda: b"of another run")
    with pytest.raises(EditedVerdict, match="of another run"):
        str(pickle.loads(kept))


def test_an_edited_finding_decides_no_claim():
    @evidence("claim", kind="enumeration")
    def edited():
        found = inconclusive("nobody knows")
        object.__setattr__(found, "verdict", Verdict.PROVED)
        return found

    entry = build([Claim("claim", 1, "1", "so", "number")], [edited])["claim"]
    assert entry.verdict is Verdict.INCONCLUSIVE


def test_every_value_that_carries_a_verdict_is_sealed():
    carrying = re.compile(r"\b(Verdict|Kind|Outcome|Likeness|Finding|Audit|CheckResult)\b")
    found = set()
    for module in pkgutil.walk_packages(altpg_verify.__path__, "altpg_verify."):
        if "__main__" in module.name or ".gallery." in module.name or ".sim." in module.name:
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:
            continue
        for name, each in vars(loaded).items():
            if not (
                inspect.isclass(each) and each.__module__ == module.name and is_dataclass(each)
            ) or name.startswith("_"):
                continue
            typed = any(carrying.search(str(field.type)) for field in fields(each))
            named = {"verdict", "holds", "ok", "kind"} & {
                one for one, value in vars(each).items() if isinstance(value, property)
            }
            stored = any(
                field.name in ("verdict", "holds", "ok") and "tuple" not in str(field.type)
                for field in fields(each)
            )
            if (typed or named or stored) and each not in SEALED:
                found.add(name)
    assert found == set(CARRIES_NO_VERDICT_OF_ITS_OWN)


@pytest.mark.thorough
def test_a_verdict_is_read_in_other_threads_too():
    found = check_estimator(regular)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: found.ok).result() == found.ok


def test_a_value_is_looked_at_while_one_of_its_methods_runs():
    looks = []

    @sealed(genuine=lambda value: looks.append(value) or True)
    @dataclass(frozen=True)
    class Counted:
        one: int
        other: int

        def both(self):
            return self.one + self.other

    assert Counted(1, 2).both() == 3
    assert len(looks) == 1
    SEALED.discard(Counted)


def test_within_one_look_all_that_is_sealed_in_it_is_looked_at_and_an_edit_before_it_is_seen():
    built = build([Claim("claim", 1, "1", "so", "number")], [cases])
    with looked_at(built):
        assert [str(entry.verdict) for entry in built.entries] == [
            str(entry.verdict) for entry in built.entries
        ]
    vars(built.entries[0])["verdict"] = (
        Verdict.PROVED if built.entries[0].verdict is not Verdict.PROVED else Verdict.REFUTED
    )
    with pytest.raises(EditedVerdict), looked_at(built):
        pass


def test_findings_in_a_ledger_that_is_looked_at_are_not_looked_at_again(monkeypatch):
    built = build([Claim("claim", 1, "1", "so", "number")], [cases])
    with looked_at(built):
        looks = []
        monkeypatch.setattr("altpg_verify.sealing.genuine", looks.append)
        assert [item.finding.verdict for entry in built.entries for item in entry.evidence] == [
            Verdict.HOLDS
        ]
    assert not looks
