"""Three methods: whole without a fault, inconsistent with one, and a ledger that can't see it is
itself seen.
"""

from __future__ import annotations

from collections import Counter

import pytest

from altpg_verify import ledger_building
from altpg_verify.verdicts import Verdict
from trust import derivations as methods
from trust.derivations.compared_numbers import NUMBERS
from trust.derivations.faults import FAULTS
from trust.derivations.ledgers import three_methods

pytest.importorskip("numba")

ONE = tuple(each for each in NUMBERS if each.name == "value-at-pi-star")


def small(fault):
    return (three_methods(ONE),)


def figures(noticed):
    reported = {
        f"{method}: a fault": "; ".join(found) or "NOT NOTICED" for method, found in noticed.items()
    }
    turned = Counter(
        {
            method: int(any("inconsistent" in each for each in found))
            for method, found in noticed.items()
        }
    )
    return {
        figure.name: figure.met
        for figure in methods.outcome(reported, Counter(noticed.keys()), turned, 0).figures
        if figure.bounded
    }


def one_of_each():
    wanted = {"κ without the last arm", "the last outcome forgotten", "a baseline larger by 1/4"}
    return {fault.method: fault for fault in FAULTS if fault.summary in wanted}


def test_without_a_fault_every_road_speaks_for_the_number():
    (entry,) = three_methods(ONE).entries
    assert methods.whole(entry)
    assert len(entry.evidence) == 3


def test_a_fault_in_any_road_makes_the_ledger_inconsistent():
    control = small(None)
    found = {
        method: methods.noticed(fault, control, small) for method, fault in one_of_each().items()
    }
    assert found == {method: ["value-at-pi-star inconsistent"] for method in methods.METHODS}
    assert all(met for name, met in figures(found).items() if name != "faults")


def test_a_ledger_that_looks_for_what_speaks_for_a_claim_only_misses_the_figures(monkeypatch):
    control = small(None)

    def blind(verdicts):
        return (
            max((verdict for verdict in verdicts if verdict.is_for), key=lambda one: one.strength),
            False,
        )

    monkeypatch.setattr(ledger_building, "combined", blind)
    found = {
        method: methods.noticed(fault, control, small) for method, fault in one_of_each().items()
    }
    assert not any("inconsistent" in each for one in found.values() for each in one)
    met = figures(found)
    assert not any(met[f"inconsistent_{method}"] for method in methods.METHODS)


def test_a_judge_that_agrees_with_everything_misses_the_figures(monkeypatch):
    control = small(None)
    from trust.derivations import ledgers

    (item,) = [item for item in control[0].entries[0].evidence if item.kind == "enumeration"]
    monkeypatch.setattr(ledgers, "searched", lambda *given, **more: item.finding)
    found = {"enumeration": methods.noticed(one_of_each()["enumeration"], control, small)}
    assert item.finding.verdict is Verdict.HOLDS
    assert found == {"enumeration": []}
    assert not figures(found)["caught"]
