"""The sample ledger, built once."""

from __future__ import annotations

import pytest

from altpg_verify import ledger
from tests.report.sample import CLAIMS, FUNCTIONS


@pytest.fixture(scope="session")
def synthetic() -> ledger.Ledger:
    return ledger.build(CLAIMS, FUNCTIONS)
