"""Advantages relative to a group are one definition: numpy arrays and torch tensors give the
numbers that are known by hand.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit.advantages import BatchTokens, PromptRows  # noqa: E402
from altpg_verify.audit.array_modules import arrays_of  # noqa: E402
from altpg_verify.audit.references.advantages import Members, Tokens  # noqa: E402
from altpg_verify.audit.references.group_formulas import (  # noqa: E402
    centred,
    leave_one_out,
    standardised,
    standardised_inside,
)

KNOWN = [
    (centred, (), [1.0, 0.0, 0.0, 3.0], [0.0, -1.0, -1.0, 2.0]),
    (leave_one_out, (), [1.0, 0.0, 0.0, 3.0], [0.0, -4 / 3, -4 / 3, 8 / 3]),
    (standardised, (0.0, 0.5), [1.0, -1.0, 1.0, -1.0], [2 / 3, -2 / 3, 2 / 3, -2 / 3]),
    (standardised, (1.0, 0.0), [2.0, 0.0, 1.0, 1.0], [1.5**0.5, -(1.5**0.5), 0.0, 0.0]),
    (standardised_inside, (0.0, 3.0), [1.0, -1.0, 1.0, -1.0], [0.5, -0.5, 0.5, -0.5]),
    (centred, (), [0.1] * 4, [0.0] * 4),
    (standardised, (1.0, 0.0), [0.1] * 4, [0.0] * 4),
    (standardised_inside, (1.0, 0.0), [0.1] * 4, [0.0] * 4),
]


def members(values):
    """Four members of one prompt, in numpy."""
    return np.reshape(values, (1, 1, 4, 1)), Members(SimpleNamespace(shape=(1, 1, 4, 1)))


def tokens(values):
    """Two rows of two tokens and one of padding, in numpy."""
    mask = np.array([[1.0, 1.0, 0.0]] * 2).reshape(1, 1, 2, 3)
    padded = np.insert(np.reshape(values, (2, 2)), 2, 9.0, axis=1).reshape(1, 1, 2, 3)
    return padded, Tokens(SimpleNamespace(shape=mask.shape, mask=mask))


def rows(values):
    """Four rows of one prompt, and one of another between them, in torch."""
    prompts = torch.tensor([0, 0, 1, 0, 0])
    same = (prompts[:, None] == prompts[None, :]).double()
    batch = SimpleNamespace(arrays=arrays_of("torch"), same=same, group_sizes=same.sum(-1))
    return torch.tensor([*values[:2], 9.0, *values[2:]], dtype=torch.float64), PromptRows(batch)


class Masked(dict):
    """What a batch's tokens are made of."""

    arrays = arrays_of("torch")


def batch_tokens(values):
    """Two rows of two tokens and one of padding, in torch."""
    padded, group = tokens(values)
    return torch.tensor(padded[0, 0]), BatchTokens(
        Masked(response_mask=torch.tensor(group.mask[0, 0]))
    )


@pytest.mark.parametrize("made", [members, tokens, rows, batch_tokens])
@pytest.mark.parametrize(("formula", "numbers", "values", "known"), KNOWN)
def test_the_numbers_are_those_known_by_hand(made, formula, numbers, values, known):
    laid, group = made(values)
    found = np.asarray(formula(laid, group, *numbers))[np.asarray(laid) != 9.0]
    assert found.tolist() == (known if not any(known) else pytest.approx(known, abs=1e-15))


def test_who_is_alone_has_no_others():
    laid, group = rows([1.0, 0.0, 0.0, 3.0])
    assert leave_one_out(laid, group)[2] == 9.0
    assert centred(laid, group)[2] == standardised(laid, group, 1.0, 0.0)[2] == 0.0
