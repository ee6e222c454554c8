"""Updates that are run draw by draw, spread over processes and over a Dask cluster: the same audit
to the last bit, and the work done elsewhere.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, loss, update
from altpg_verify.audit.fixtures import three_arms, two_prompts
from altpg_verify.audit.workers import spreading, working
from altpg_verify.errors import BadInput

SPACE = three_arms().batch(5)


def branching(rewards, scores, actions):
    """Looks at the order, and branches on it."""
    weight = 2.0 if actions[0] > actions[-1] else 1.0
    return weight * (rewards[:, None] * scores).mean(axis=0)


def unordered(rewards, scores):
    """Branches on what the order doesn't change."""
    return (rewards[:, None] * scores).mean(axis=0) * (2 if float(rewards.sum()) > 2 else 1)


def looped(theta, actions, rewards):
    """A torch loss that makes a Python number of a tensor."""
    weight = 2.0 if float(rewards.sum()) > 2 else 1.0
    return -weight * (theta.log_softmax(-1)[actions] * rewards).mean()


def of_groups(rewards, scores):
    """A group from one of two prompts, whose first member is looked at."""
    return (rewards[:, None, None] * scores).mean(axis=0) * (2 if rewards[0] > 0.4 else 1)


def made(function):
    """The update anew, so that nothing is remembered."""
    if function is looped:
        pytest.importorskip("torch")
        return loss(space=three_arms().batch(4))(function)
    space = two_prompts().group(6) if function is of_groups else SPACE
    return update(space=space)(function)


FUNCTIONS = (branching, unordered, looped, of_groups)


def passes_kept():
    """The process, and how many passes it was sent and keeps."""
    from altpg_verify.audit import workers

    return os.getpid(), len(workers._KNOWN)


@pytest.fixture
def small(monkeypatch):
    """A few draws are worth it, in small pieces."""
    monkeypatch.setattr("altpg_verify.audit.workers.WORTH_IT", 10)
    monkeypatch.setattr("altpg_verify.audit.moments.PIECE", 32)


@pytest.fixture(scope="module")
def cluster():
    """A scheduler with two workers, processes of their own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_processes_give_the_same_audit(function, small):
    alone, spread = (audit(made(function), jobs=jobs, differentiate=False) for jobs in (None, 2))
    assert alone.as_dict() == spread.as_dict()
    assert any(said.startswith("draw by draw") for said in alone.run)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_dask_cluster_gives_the_same_audit(function, small, cluster):
    from distributed import Client

    alone = audit(made(function), differentiate=False)
    spread = audit(made(function), jobs=cluster.scheduler_address, differentiate=False)
    assert alone.as_dict() == spread.as_dict()
    with Client(cluster, set_as_default=False) as client:
        kept = client.run(passes_kept)
    # each worker keeps the pass that it was sent last; none of them is this process
    assert os.getpid() not in {process for process, _ in kept.values()}
    assert any(passes for _, passes in kept.values())


def test_the_connection_to_a_cluster_is_closed(cluster):
    from distributed import Client, default_client

    with Client(cluster, set_as_default=False) as client:
        before = len(client.scheduler_info()["workers"])
        with working(cluster.scheduler_address):
            assert spreading()
            with pytest.raises(ValueError, match="No clients found"):
                default_client()
        assert not spreading()
        names = client.run_on_scheduler(lambda dask_scheduler: sorted(dask_scheduler.clients))
        # ours, and the scheduler's own
        assert sum(name.startswith("Client-") for name in names) <= 2
        assert len(client.scheduler_info()["workers"]) == before


def test_no_scheduler_at_the_address_is_said():
    pytest.importorskip("distributed")
    with pytest.raises(BadInput, match="there is no Dask scheduler at"), working("tcp://nowhere"):
        pass


def test_the_order_of_draws_is_asked_elsewhere_too(small, tmp_path):
    """All but the first pieces run in other processes, the sequences of the order among them."""
    space = bandit([1, "1/2", 0]).batch(6)
    here = os.getpid()
    calls = np.zeros(1, dtype=int)

    def counted(rewards, scores):
        if os.getpid() == here:
            calls[0] += 1
        return (rewards[:, None] * scores).mean(axis=0) * (2 if float(rewards.sum()) > 2 else 1)

    with working(2):
        order = update(space=space)(counted).program.order
    assert order.enumeration.merged
    # 729 sequences, of which a few tell the mode and 32 are the first piece
    assert calls[0] < 300
