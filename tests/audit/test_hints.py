"""What a stranger needs to be told: the name that was meant, a clip that is never active, which of
several can't be used.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.__main__ import main
from altpg_verify.audit import audit, bandit, endpoints, update
from altpg_verify.errors import BadInput
from tests.gallery.cases.p13_mixed_groups_only import mixed_groups_of_two_prompts

SPACE = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("log_probs", "'logprobs'"),
        ("advantages", "'h' or 'rewards'"),
        ("returns", "'rewards'"),
        ("rewrads", "'rewards'"),
    ],
)
def test_the_name_that_was_meant_is_offered(name, meant):
    scope: dict = {}
    exec(f"def mine({name}, scores):\n    return scores", scope)
    with pytest.raises(BadInput, match=f"did you mean {meant}"):
        update(space=SPACE)(scope["mine"])


def test_a_misspelt_name_in_a_sum_is_answered_with_what_was_meant():
    with pytest.raises(BadInput, match="did you mean 'entropy'"):
        audit(update(space=SPACE, target="value + 0.1*entrpy")(lambda scores: scores.mean(axis=0)))


def clipped(space):
    @update(space=space)
    def ppo(rewards, scores, logprobs, old_logprobs):
        ratio = np.exp(logprobs - old_logprobs)
        active = np.where(rewards > 0, ratio < 1.2, ratio > 0.8)
        return ((active * ratio * rewards)[:, None] * scores).mean(axis=0)

    return audit(ppo)


def test_a_clip_that_is_never_active_is_noted_and_one_that_is_isnt():
    assert any("the policy is sampled from itself" in note for note in clipped(SPACE).notes)
    assert not any(
        "the policy is sampled from itself" in note
        for note in clipped(SPACE.sampled_by(["1/3", "1/3", "1/3"])).notes
    )


def test_an_unbiased_update_marked_otherwise_is_only_told_to_drop_the_mark():
    @update(space=SPACE, intended={"scaled": "once it was"})
    def mine(rewards, scores):
        return (rewards[:, None] * scores).mean(axis=0)

    found = audit(mine)
    assert not found.ok
    assert "remove the mark" in str(found)
    assert "intended={'unbiased'" not in str(found)


def test_the_variance_is_that_of_the_policy_shown():
    @update(space=bandit([1, "1/2", 0]), target="entropy")
    def mine(pi, scores, actions):
        return (np.log(pi[actions])[:, None] * scores).mean(axis=0)

    found = audit(mine)
    policy = np.array(
        [float(entry) for entry in found.point.split("π = (")[1].split(")")[0].split(",")]
    )
    scores = np.eye(3) - policy
    assert np.ptp(policy) > 0.1, "at the uniform policy both sides are zero"
    each = np.log(policy)[:, None] * scores
    assert found.variance == pytest.approx(
        float(policy @ (each**2).sum(axis=1) - ((policy @ each) ** 2).sum()), rel=1e-4
    )


@pytest.mark.slow
def test_a_space_that_keeps_no_draw_further_on_ends_there_and_says_so():
    (end,) = endpoints(mixed_groups_of_two_prompts)
    assert end.empty
    assert "no draw is kept" in str(end)


def test_one_that_cant_be_used_does_not_hide_the_others(tmp_path, capsys):
    file = tmp_path / "two.py"
    file.write_text(
        "from altpg_verify.audit import bandit, update\nSPACE = bandit([1,"
        " 0])\n\n\n@update(space=SPACE)\ndef broken(rewards, scores):\n    return"
        " rewards.mean()\n\n\n@update(space=SPACE)\ndef fine(rewards, scores):\n    return"
        " (rewards[:, None] * scores).mean(axis=0)\n"
    )
    assert main(["check", str(file)]) == 2
    reported = capsys.readouterr()
    assert "fine: unbiased" in reported.out
    assert "broken" in reported.err
    assert len(reported.err.splitlines()) == 1
