"""Sampled audits with declared bounds: what the sample can't promise without them, and that they are
kept.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.__main__ import main
from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.verdicts import Verdict


def rare(size, chance):
    """An outlier that makes the update biased by one in its first entry, and is hardly ever
    drawn.
    """

    def outlier(reward, score, rng):
        return reward * score + (np.array([size, -size, 0.0]) if rng.random() < chance else 0)

    return from_function(outlier, space=three_arms())


@pytest.mark.thorough
def test_an_outlier_that_is_hardly_ever_drawn_is_promised_nothing_about():
    found = audit(rare(1e6, 1e-6), samples=10_000)
    assert found.verdict is Verdict.SUPPORTED
    assert "missed with rate" not in str(found)
    assert (
        "what happens with a chance below 0.00069 may not have been drawn, however large"
        in found.evidence
    )


# 10,000 draws of an update with randomness of its own
@pytest.mark.slow
def test_with_the_range_declared_the_same_outlier_leaves_it_undecided():
    found = audit(rare(1e6, 1e-6), samples=10_000, bounds=(-1e6 - 1, 1e6 + 1))
    assert (found.kind, found.verdict) == (Kind.UNDECIDED, Verdict.INCONCLUSIVE)


def test_bounds_that_an_update_leaves_are_refused():
    with pytest.raises(BadEstimator, match="outside of bounds"):
        audit(rare(1e6, 0.01), samples=2000, bounds=(-1, 1))


def test_the_draw_that_left_its_bounds_is_named():
    wide = from_function(
        lambda reward, score: reward * score * (3 if reward == 3 else 1),
        space=bandit([0, 1, 3]),
        name="wide",
    )
    with pytest.raises(BadEstimator) as caught:
        audit(wide, samples=1000, bounds=(-3, 3))
    assert (
        str(caught.value)
        == "update 'wide' returned 6 for actions [2], rewards [3.0], outside of bounds=(-3, 3);"
        " declare bounds that hold on every draw"
    )


def test_bounds_are_kept_on_every_draw_there_is_though_the_sample_has_none_of_them():
    seldom = bandit([0, 1, 3], pi=["499999/1000000", "1/2", "1/1000000"])
    wide = from_function(lambda reward, score: reward * score, space=seldom, name="wide")
    assert audit(wide, samples=1000).sampled
    with pytest.raises(
        BadEstimator, match=r"returned 3 for actions \[2\], rewards \[3\.0\], outside of bounds"
    ):
        audit(wide, samples=1000, bounds=(-2, 2))


@pytest.mark.parametrize("given", [{"bounds": (-1, 1)}, {"worth_finding": 0.1}])
def test_what_is_of_samples_needs_some(given):
    with pytest.raises(BadInput, match="is of sampled verdicts; give samples=N"):
        audit(rare(1, 0.5), **given)


UPDATE = """
from altpg_verify.audit import bandit, update

@update(space=bandit([0, 1, 3]))
def mine(reward, score):
    return reward * score
"""


@pytest.mark.thorough
def test_bounds_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text(UPDATE, encoding="utf-8")
    sampled = ["check", str(file), "--samples", "4000"]
    assert (
        main([*sampled, "--bounds=-3,3", "--false-alarm-rate", "1/100", "--worth-finding", "1"])
        == 0
    )
    shown = " ".join(capsys.readouterr().out.split())
    assert "for any distribution within the declared bounds [-3, 3], by betting" in shown
    assert "error rate 0.01" in shown
    # too fine for so few draws, and the command that shows it again says all that was given
    assert main([*sampled, "--bounds=-3,3", "--worth-finding", "1/1000"]) == 1
    assert "--samples 4000 --seed 0 --bounds=-3.0,3.0 --worth-finding 0.001" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(sampled) == 0
    assert "rests on a finite variance and the normal limit" in " ".join(
        capsys.readouterr().out.split()
    )
