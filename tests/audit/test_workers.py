"""Updates that are run draw by draw, spread over processes and over a Dask cluster: the same audit
to the last bit, and the work done elsewhere.
"""

from __future__ import annotations

import functools
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, loss, update
from altpg_verify.audit.fixtures import three_arms, two_prompts
from altpg_verify.audit.workers import spreading, working
from altpg_verify.errors import BadEstimator, BadInput

SPACE = three_arms().batch(3)


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
        return loss(space=SPACE)(function)
    space = two_prompts().group(4) if function is of_groups else SPACE
    return update(space=space)(function)


FUNCTIONS = (branching, unordered, looped, of_groups)


@functools.cache
def alone(function):
    """The audit in this process, to which each way to spread it is compared."""
    return audit(made(function), differentiate=False)


def passes_kept():
    """The process, and how many passes it was sent and keeps."""
    from altpg_verify.audit import workers

    return os.getpid(), len(workers._KNOWN)


@pytest.fixture
def small(monkeypatch):
    """A few draws are worth it, in small pieces, and worth saying how they run."""
    monkeypatch.setattr("altpg_verify.audit.workers.WORTH_IT", 10)
    monkeypatch.setattr("altpg_verify.audit.passes.PIECE", 8)
    monkeypatch.setattr("altpg_verify.audit.diagnosis.MANY", 10)


STARTED = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made:
        print(made.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a scheduler with two workers, all in processes of their own."""
    pytest.importorskip("distributed")
    script = tmp_path_factory.mktemp("cluster") / "cluster.py"
    script.write_text(STARTED)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(30)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_processes_give_the_same_audit(function, small):
    spread = audit(made(function), jobs=2, differentiate=False)
    assert alone(function).as_dict() == spread.as_dict()
    assert any(said.startswith("draw by draw") for said in alone(function).run)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_dask_cluster_gives_the_same_audit(function, small, address):
    from distributed import Client

    spread = audit(made(function), jobs=address, differentiate=False)
    assert alone(function).as_dict() == spread.as_dict()
    with Client(address, set_as_default=False) as client:
        kept = client.run(passes_kept)
    # each worker keeps the pass that it was sent last; none of them is this process
    assert os.getpid() not in {process for process, _ in kept.values()}
    assert any(passes for _, passes in kept.values())


def test_the_connection_to_a_cluster_is_closed(address):
    from distributed import Client, default_client

    with Client(address, set_as_default=False) as client:

        def connected():
            return client.run_on_scheduler(lambda dask_scheduler: set(dask_scheduler.clients))

        before = connected()
        with working(address):
            assert spreading()
            assert connected() > before
            with pytest.raises(ValueError, match="No clients found"):
                default_client()
        assert not spreading()
        assert connected() == before


def test_a_cluster_s_own_random_numbers_aren_t_the_update_s(small):
    """A scheduler in this very process; Dask samples what it sends in a thread of its own."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as own:
        for _ in range(3):
            found = audit(made(branching), jobs=own.scheduler_address, differentiate=False)
            assert found.kind is alone(branching).kind


def test_an_update_that_draws_random_numbers_is_still_found_out_on_a_cluster(small, address):
    def drawing(rewards, scores):
        weight = 2.0 if float(rewards.sum()) > 2 else 1.0
        return weight * (rewards[:, None] * scores).mean(axis=0) * (1 + 1e-3 * random.random())

    with pytest.raises(BadEstimator, match="draws random numbers"):
        audit(update(space=SPACE)(drawing), jobs=address, differentiate=False)


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
    # 729 sequences, of which a few tell the mode and 8 are the first piece
    assert calls[0] < 300
