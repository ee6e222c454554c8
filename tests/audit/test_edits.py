"""Edits of a source leave what they were made of as it was, though they share most of it."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from altpg_verify.audit.edit_context import Offered
from altpg_verify.audit.edit_syntax import Library
from altpg_verify.audit.edits import edits

SOURCES = [
    """
def twice(log_prob, old_log_prob, advantages, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    losses = ratio * advantages + ratio * advantages
    return -(losses * response_mask).sum() / response_mask.sum()
""",
    """
def standardised(rewards, scores):
    if rewards.std() > 0:
        rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
    return (rewards[:, None] * scores).mean(axis=0)
""",
    """
def limited(rewards, values, mask, *, gamma: float = 0.99):
    following = 0
    for reward in reversed(rewards):
        following = reward + gamma * following
    return following
""",
]
LIBRARY = Library("torch", "")
ASKS = Offered({"final_values": "final_values", "log_probs": "logprobs", "pi": "pi"})


@pytest.mark.parametrize("source", SOURCES)
def test_nothing_that_was_there_is_changed(source):
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.FunctionDef)
    whole = ast.dump(tree, include_attributes=True)
    made = list(edits(tree, LIBRARY, ASKS))
    texts = [ast.unparse(each.tree) for each in made]
    assert len(made) > 5
    assert ast.unparse(tree) not in texts
    for each, text in islice(zip(made, texts, strict=True), 12):
        # edits of an edit, which share its parts in turn
        again = [ast.unparse(other.tree) for other in edits(each.tree, LIBRARY, ASKS)]
        assert text not in again
        assert ast.unparse(each.tree) == text
        compile(ast.Module([each.tree], []), "edited", "exec")
    assert ast.dump(tree, include_attributes=True) == whole


def test_one_of_two_parts_that_look_alike_is_edited():
    tree = ast.parse(SOURCES[0]).body[0]
    found = [ast.unparse(each.tree) for each in edits(tree, LIBRARY)]
    assert any("losses = ratio + ratio * advantages" in text for text in found)
    assert any("losses = ratio * advantages + ratio\n" in text for text in found)
