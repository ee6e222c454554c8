"""A sweep that nothing disturbed, and a Dask cluster to disturb one."""

from __future__ import annotations

import pytest

from altpg_verify.sim import sweep
from trust.faults.work import WORK, digest


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The digest of what the cells of `WORK` give when one thread runs them."""
    folder = tmp_path_factory.mktemp("undisturbed")
    sweep.run(WORK, folder)
    return digest(folder)


@pytest.fixture
def cluster():
    """A Dask scheduler with two workers, each a process with a nanny that starts it again; a cell
    may be lost once.
    """
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as made,
    ):
        yield made
