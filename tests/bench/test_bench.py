"""The table: what is printed, what is judged, what is skipped, and bad input."""

from __future__ import annotations

import time

import pytest

from altpg_verify.sim import bench
from altpg_verify.sim.__main__ import main
from altpg_verify.sim.bench_agents import OURS, Contender


def burning(seconds: float):
    def job():
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    return job


def pair(ours: float, peer: float, kind: str = "C", task: str = "acrobot") -> list[Contender]:
    return [
        Contender(task, "regular", OURS, "ours", 1000, burning(ours)),
        Contender(task, "regular", kind, "slower peer", 1000, burning(4 * peer)),
        Contender(task, "regular", kind, "peer", 1000, burning(peer)),
    ]


def verdict(contenders: list[Contender]) -> str:
    (line,) = bench.judged(["acrobot", "mountain_car"], contenders, bench.smallest(contenders, 3))
    return line


def test_a_kernel_slower_than_promised_is_caught():
    assert " NOT MET" in verdict(pair(ours=0.008, peer=0.002))
    assert " NOT MET" in verdict(pair(ours=0.002, peer=0.004, kind="JAX", task="mountain_car"))


@pytest.mark.thorough
def test_a_kernel_as_fast_as_promised_is_said_so():
    assert "NOT MET" not in (line := verdict(pair(ours=0.002, peer=0.004)))
    assert " met" in line
    assert "NOT MET" not in verdict(pair(ours=0.001, peer=0.05, kind="JAX", task="mountain_car"))


def test_times_are_a_step_and_the_smallest_counts():
    time_of_ours, *_ = bench.smallest(pair(ours=0.002, peer=0.002), 3).values()
    assert time_of_ours == pytest.approx(2000, rel=0.5)


def test_every_number_of_the_issue_is_a_goal():
    at_most = {(goal.task, goal.kind): goal.at_most for goal in bench.GOALS if not goal.at_least}
    at_least = {(goal.task, goal.kind): goal.at_least for goal in bench.GOALS if goal.at_least}
    assert at_most == {("mountain_car", "C"): 1.7, ("acrobot", "C"): 1.5, ("dot_reacher", "C"): 2.5}
    wanted = {
        ("mountain_car", "JAX"): 10,
        ("dot_reacher", "JAX"): 5,
        ("mountain_car", "gymnasium"): 500,
    }
    assert wanted.items() <= at_least.items()


@pytest.mark.slow
def test_the_table(capsys):
    assert main(["bench", "--only", "bandit,chain", "--rounds", "1"]) == 0
    out = capsys.readouterr().out
    assert "bandit, ns of CPU a step" in out
    assert "this package, 150 runs in lock step" in out
    assert "mountain_car" not in out
    assert "load average" in out


def test_without_the_repository_it_times_itself_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "PEERS", tmp_path / "benchmarks")
    contenders, (line,) = bench.peers(["bandit"])
    assert contenders == []
    assert line.startswith("no peers: they are in the folder benchmarks/ of the source repository")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--only", "cart_pole"], "there is no task 'cart_pole'"),
        (["--rounds", "0"], "--rounds is 0"),
    ],
)
def test_bad_input(arguments, reason, capsys):
    assert main(["bench", *arguments]) == 2
    assert reason in capsys.readouterr().err
