"""Updates that can't be used: each kind of fault is one line on standard error that says what to
change, and exit code 2.
"""

from __future__ import annotations

import contextlib
import io

import pytest

from altpg_verify.__main__ import main

HEAD = """\
import numpy as np
from altpg_verify.audit import bandit, contexts, from_function, loss, update

SPACE = bandit([1, "1/2", 0])


@update(space=SPACE)
def fine(reward, score):
    return reward * score


"""

FAULTS = {
    "wrong shape": (
        "@update(space=SPACE)\ndef faulty(reward, score):\n    return score[:2]\n",
        "returned shape (2,) for 'theta' instead of (3,)",
    ),
    "not finite": (
        "@update(space=SPACE)\ndef faulty(reward, score):\n    return score / 0.0\n",
        "return finite numbers",
    ),
    "raises": (
        "@update(space=SPACE)\ndef faulty(reward, score):\n    raise IndexError('too far')\n",
        "raised IndexError: too far for actions [0], rewards [1.0]",
    ),
    "no group of that name": (
        "@update(space=SPACE)\ndef faulty(reward, score):\n    return {'phi': score}\n",
        "returned a group 'phi'; the groups are theta",
    ),
    "unknown argument": (
        "@update(space=SPACE)\ndef faulty(advantages, scores):\n    return scores.mean(axis=0)\n",
        "asks for 'advantages', which is no part of the draw",
    ),
    "arguments without names": (
        "@update(space=SPACE)\ndef faulty(*all_of_it):\n    return 0\n",
        "takes *all_of_it; name each argument instead",
    ),
    "one step asked of a batch": (
        "@update(space=SPACE.batch(2))\ndef faulty(reward, score):\n    return reward * score\n",
        "'reward' is there for draws of one step only",
    ),
    "its own randomness": (
        "@update(space=SPACE)\ndef faulty(rng, score):\n    return rng.normal() * score\n",
        "draws its own randomness from rng, which can't be enumerated",
    ),
    "too many draws": (
        (
            "@update(space=SPACE.batch(20))\ndef faulty(rewards, scores):\n    return rewards[0] *"
            " scores[0]\n"
        ),
        "more than the 20,000,000 enumerated one by one",
    ),
    "no draw is kept": (
        (
            "@update(space=SPACE.keeping(lambda draw: False))\ndef faulty(reward, score):\n   "
            " return reward * score\n"
        ),
        "keeps none of its draws; loosen `keep`",
    ),
    "no reference policy": (
        "@update(space=SPACE)\ndef faulty(reward, score, ref):\n    return reward * score\n",
        "has no reference policy; give one with space.against(table)",
    ),
    "unknown target": (
        (
            "@update(space=SPACE, target='entropie')\ndef faulty(reward, score):\n    return reward"
            " * score\n"
        ),
        "did you mean 'entropy'",
    ),
    "target that doesn't fit": (
        (
            "@update(space=SPACE, target='kl_from_reference')\ndef faulty(reward, score):\n   "
            " return reward * score\n"
        ),
        "makes no sense on bandit",
    ),
    "misspelt mark": (
        (
            "@update(space=SPACE, intended={'skaled': 'why'})\ndef faulty(reward, score):\n   "
            " return reward * score\n"
        ),
        "is marked as 'skaled', which is no verdict",
    ),
    "no space": (
        "@update(space=[1, 0])\ndef faulty(reward, score):\n    return reward * score\n",
        "needs the space on which it is tried",
    ),
    "reward that is no number": (
        "faulty = from_function(lambda score: score, space=bandit([1, 'much']), name='faulty')\n",
        "rewards: 'much' is no number",
    ),
    "prompts of different sizes": (
        (
            "faulty = from_function(lambda score: score, space=contexts([[1, 0], [1]]),"
            " name='faulty')\n"
        ),
        "prompt 1 has 1 actions and prompt 0 has 2",
    ),
    "batch of no size": (
        "@update(space=SPACE.batch(0))\ndef faulty(scores):\n    return scores.mean(axis=0)\n",
        "batch size must be a whole number of at least 1, not 0",
    ),
    "policy with a zero": (
        (
            "faulty = from_function(lambda score: score, space=bandit([1, 0], pi=[1, 0]),"
            " name='faulty')\n"
        ),
        "pi: 0 is not positive",
    ),
    "unknown framework": (
        (
            "@loss(space=SPACE, framework='tensorflow')\ndef faulty(logprobs, rewards):\n   "
            " return 0\n"
        ),
        "framework 'tensorflow' is not known; choose torch or jax",
    ),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Exit code and lines on standard error for each faulty update, beside one that is fine."""
    found = {}
    for fault, (code, _) in FAULTS.items():
        file = tmp_path_factory.mktemp("faulty") / "mine.py"
        file.write_text(HEAD + code, encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()) as stream:
            status = main(["check", f"{file}:faulty"])
        found[fault] = status, stream.getvalue().splitlines()
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_each_is_one_line_and_exit_code_2(said, fault):
    code, lines = said[fault]
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("altpg-verify: ")
    assert FAULTS[fault][1] in lines[0]


def test_there_are_kinds_enough_and_each_has_a_line_of_its_own(said):
    shown = {fault: lines[0] for fault, (_, lines) in said.items()}
    assert len(set(shown.values())) == len(FAULTS) >= 12
    # no sentence answers another fault by accident
    for fault, line in shown.items():
        assert [other for other, (_, words) in FAULTS.items() if words in line] == [fault]


def test_the_update_without_a_fault_can_be_used(tmp_path, capsys):
    file = tmp_path / "mine.py"
    file.write_text(HEAD, encoding="utf-8")
    assert main(["check", f"{file}:fine"]) == 0
    assert capsys.readouterr().err == ""
