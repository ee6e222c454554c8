"""A misspelt mark and a missing space are answered in one line."""

from __future__ import annotations

import pytest

from altpg_verify.audit import bandit, loss, mdp, update
from altpg_verify.errors import BadInput


def test_a_misspelt_mark_is_an_error():
    with pytest.raises(
        BadInput, match="'scale', which is no verdict; choose from unbiased, scaled, zero"
    ):

        @update(space=bandit([1, 0]), intended={"scale": "a slip of the pen"})
        def plain(reward, score):
            return reward * score


def plain(reward, score):
    return reward * score


@pytest.mark.parametrize("door", [update, loss])
def test_a_decorator_without_its_space_says_so(door):
    with pytest.raises(BadInput, match="needs the space on which it is tried"):
        door(plain)
    with pytest.raises(BadInput, match="needs the space on which it is tried"):
        door(space=mdp)
