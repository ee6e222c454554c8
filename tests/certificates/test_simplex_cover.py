"""Covers of the simplex: what they decide, what they leave open, and that a false one is
refused.
"""

from __future__ import annotations

import copy
import json
import math
import random
from fractions import Fraction

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.theory.__main__ import main
from altpg_verify.theory.certify.simplex_cover import SimplexCover, Undecided, cover, parse_bandit
from altpg_verify.theory.proving import cover_check

PAPER = parse_bandit("r=1,2,3; b=4")


@pytest.mark.parametrize(
    ("text", "alpha"),
    [
        ("r=1,2,3; b=4", "2"),
        ("r=1,2,3; b=4", "1/64"),
        ("r=0,1; b=2", "2"),
        ("r=1,2,3,4; b=5", "3/2"),
        ("r=1,2,3; b=-4", "2"),
        ("r=1,1; b=2", "1"),
    ],
)
def test_covers_hold_at_the_second_precision(text, alpha):
    found = cover(parse_bandit(text), Fraction(alpha))
    assert isinstance(found, SimplexCover)
    assert found.recheck()


def test_a_pessimistic_baseline_needs_one_piece_only():
    found = cover(parse_bandit("r=1,2,3; b=-4"), Fraction(2))
    assert isinstance(found, SimplexCover)
    assert len(found.data["leaves"]) == 1
    assert "raises" in str(found)
    assert "larger" in str(found)


def change(rewards: list[float], baseline: float, alpha: float, policy: list[float]) -> float:
    """D_KL(π*‖π') - D_KL(π*‖π) by its definition, in floats."""
    pushes = [alpha * p * (reward - baseline) for p, reward in zip(policy, rewards, strict=True)]
    inverse = [1 / (reward - baseline) for reward in rewards]
    fixed = [one / sum(inverse) for one in inverse]
    return math.log(sum(p * math.exp(push) for p, push in zip(policy, pushes, strict=True))) - sum(
        p * push for p, push in zip(fixed, pushes, strict=True)
    )


@pytest.mark.parametrize(("baseline", "alpha"), [(4.0, 2.0), (4.0, 5.0), (-4.0, 0.5)])
def test_the_sum_that_is_bounded_is_the_change_of_the_divergence(baseline, alpha):
    draw = random.Random(1)
    rewards = [1.0, 2.0, 3.0]
    zeta = [alpha * (reward - baseline) for reward in rewards]
    fixed = cover_check.Change([Fraction(one) for one in zeta]).fixed
    for _ in range(200):
        weights = [draw.random() for _ in rewards]
        policy = [one / sum(weights) for one in weights]
        total = 0.0
        for p, push, star in zip(policy, zeta, map(float, fixed), strict=True):
            y = push * (star - p)
            total += push * (p - star) ** 2 * (1 + p * push * (math.expm1(-y) + y) / y**2)
        assert math.expm1(change(rewards, baseline, alpha, policy)) == pytest.approx(
            total, rel=1e-7, abs=1e-12
        )


def test_past_the_limit_the_step_is_refuted_at_a_policy():
    found = cover(PAPER, Fraction(16, 5))
    assert isinstance(found, Undecided)
    assert found.against is not None
    assert "REFUTED" in str(found)
    assert change([1.0, 2.0, 3.0], 4.0, 3.2, [float(one) for one in found.against]) > 0


def test_what_needs_more_pieces_than_allowed_is_inconclusive_with_its_box():
    found = cover(PAPER, Fraction("3.13"), max_leaves=300)
    assert isinstance(found, Undecided)
    assert found.against is None
    assert "INCONCLUSIVE" in str(found)
    assert all(low <= high for low, high in found.box)


@pytest.mark.slow
def test_at_the_limit_itself_the_search_ends():
    found = cover(PAPER, Fraction("3.1386"))
    assert isinstance(found, Undecided)
    assert "INCONCLUSIVE" in str(found)
    assert max(high - low for low, high in found.box) < Fraction(1, 1000)


def planted() -> dict[str, dict]:
    found = cover(PAPER, Fraction(2))
    assert isinstance(found, SimplexCover)
    data = json.loads(json.dumps(found.data))
    leaves, tree = data["leaves"], data["tree"]
    first = tree.index("..")  # two leaves that are halves of one piece
    number = tree[:first].count(".")
    return {
        "larger stepsize": {**data, "alpha": "16/5"},
        "stepsize zero": {**data, "alpha": "0"},
        "baseline between": {**data, "baseline": "5/2"},
        "leaf left out": {**data, "leaves": leaves[1:]},
        "leaf twice": {**data, "leaves": [*leaves, leaves[0]]},
        "leaves exchanged": {**data, "leaves": [leaves[1], leaves[0], *leaves[2:]]},
        "record too short": {**data, "tree": tree[:-1]},
        "record too long": {**data, "tree": tree + "."},
        "not cut": {**data, "tree": ".", "leaves": [[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]},
        "edge of one vertex": {**data, "tree": "00.."},
        "half a piece": {
            **data,
            "tree": tree[:first] + tree[first + 1 :],
            "leaves": leaves[:number] + leaves[number + 1 :],
        },
        "floats": {
            **data,
            "leaves": [[[float(one) for one in vertex] for vertex in leaf] for leaf in leaves],
        },
        "too few rewards": {**data, "rewards": ["1"]},
        "a field too many": {**data, "note": "trust me"},
    }


PLANTED = planted()


@pytest.mark.parametrize("fault", sorted(PLANTED))
def test_a_planted_fault_is_refused(fault):
    assert (
        not SimplexCover(copy.deepcopy(PLANTED[fault])).recheck()
        if fault not in RAISING
        else raises(PLANTED[fault])
    )


RAISING = {"record too short", "record too long", "edge of one vertex", "half a piece"}
"""Records that aren't one; the re-check of a file refuses what raises."""


def raises(data: dict) -> bool:
    with pytest.raises((ValueError, IndexError)):
        SimplexCover(data).recheck()
    return True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bandit", "r=1,2,3; b=2", "--alpha", "1"], "isn't above all rewards or below all"),
        (["--bandit", "r=1,2,3; b=4", "--alpha", "0"], "isn't positive"),
        (["--bandit", "r=1,2,3; b=4", "--alpha", "-1"], "isn't positive"),
        (["--bandit", "r=1,2,3; b=4", "--alpha", "two"], "no exact number"),
        (["--bandit", "r=1,2,3; b=4", "--alpha", "1e999999999"], "no exact number"),
        (["--bandit", "r=1,2,3; b=1/0", "--alpha", "1"], "no exact number"),
        (["--bandit", "r=1,2,3; b=4"], "needs a stepsize"),
        (["--bandit", "r=1; b=4", "--alpha", "1"], "name 2, 3 or 4"),
        (["--bandit", "r=1,2,3,4,5; b=9", "--alpha", "1"], "name 2, 3 or 4"),
        (["--bandit", "1,2,3", "--alpha", "1"], "write it like"),
        (["--bandit", "r=1,2,3; b=4", "--alpha", "1", "--max-leaves", "0"], "isn't positive"),
        (["--alpha", "1"], "needs a --bandit"),
        (["--law", "unbiased"], "needs a target"),
    ],
)
def test_unusable_input_is_named_in_one_line(arguments, words, tmp_path, capsys):
    assert main(["certify", *arguments, "--out", str(tmp_path / "out.json")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert words in error
    assert not (tmp_path / "out.json").exists()


def test_from_the_command_line_to_the_recheck(tmp_path, capsys):
    out = tmp_path / "cover.json"
    assert main(["certify", "--bandit", "r=1,2,3; b=4", "--alpha", "2", "--out", str(out)]) == 0
    assert "CERTIFIED" in capsys.readouterr().out
    assert main(["recheck", str(out)]) == 0
    assert "1 simplex cover" in capsys.readouterr().out
    assert (
        main(
            [
                "certify",
                "--bandit",
                "r=1,2,3; b=4",
                "--alpha",
                "4",
                "--out",
                str(tmp_path / "none.json"),
            ]
        )
        == 1
    )
    assert not (tmp_path / "none.json").exists()
    assert (
        main(["certify", "--bandit", "r=1,2,3; b=4", "--alpha", "2", "--out", str(tmp_path)]) == 2
    )


def test_a_bandit_is_read_as_it_is_written():
    assert parse_bandit(" r = 1/2, -0.25 ; b = 3 ") == parse_bandit("r=0.5,-1/4;b=3")
    with pytest.raises(BadInput):
        parse_bandit(None)
