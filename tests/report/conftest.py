"""The sample ledger, built once, and the command with it ready."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from altpg_verify import ledger, ledger_building
from altpg_verify.report import build, main_report
from altpg_verify.report.side_process import Beside
from altpg_verify.sealing import looked_at
from altpg_verify.theory.claims import CLAIMS as PAPER
from altpg_verify.theory.proving import certificate_store
from tests.report.sample import CLAIMS, FUNCTIONS


@pytest.fixture(scope="session")
def synthetic() -> ledger.Ledger:
    return ledger_building.build(CLAIMS, FUNCTIONS)


@pytest.fixture(scope="session")
def bare() -> ledger.Ledger:
    return ledger_building.build(PAPER, [])


@pytest.fixture
def nothing_ran(bare) -> Iterator[ledger.Ledger]:
    """The ledger without evidence, read as the report reads it: looked at once as a whole."""
    with looked_at(bare):
        yield bare


def beside() -> Beside:
    """No simulations and no figures, at once."""
    side = Beside()
    side.results.set_result(None)
    side.drawn.set_result({})
    return side


@pytest.fixture
def quick(monkeypatch, synthetic):
    """The command with a ready ledger, no simulations and no figures."""
    monkeypatch.setattr(build, "beside", lambda settings, progress: beside())
    monkeypatch.setattr(build, "run_evidence", lambda settings, results, progress: synthetic)
    monkeypatch.setattr(certificate_store, "derivations", lambda again: iter(()))
    monkeypatch.setattr(main_report, "main_report", lambda *given: {"chapters": []})
