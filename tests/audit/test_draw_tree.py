"""Every way that draws which hang on one another can come out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from altpg_verify.audit.draw_tree import every_branch
from altpg_verify.audit.uniform_number import UniformNumber


def every(run, most=10_000):
    return list(every_branch(run, most=most, who="it"))


def test_every_way_of_draws_that_hang_on_one_another():
    def run(branch):
        first = branch.choose([1, 0, 3])
        return (first, branch.choose([0.5, 0.5])) if first else (first,)

    found = every(run)
    assert {answer: branch.probability for branch, answer in found} == {
        (0,): 0.25,
        (2, 0): 0.375,
        (2, 1): 0.375,
    }


def test_orders_and_draws_without_replacement():
    orders = every(lambda branch: tuple(branch.order(3, "it")))
    assert sorted(answer for _, answer in orders) == list(itertools.permutations(range(3)))
    assert all(branch.probability == pytest.approx(1 / 6) for branch, _ in orders)
    pairs = {
        answer: branch.probability
        for branch, answer in every(
            lambda b: tuple(b.several([1, 1, 2], 2, again=False, what="it"))
        )
    }
    assert pairs == pytest.approx(
        {(0, 1): 1 / 12, (0, 2): 1 / 6, (1, 0): 1 / 12, (1, 2): 1 / 6, (2, 0): 1 / 4, (2, 1): 1 / 4}
    )


def test_comparisons_of_a_uniform_number_know_each_other():
    def run(branch):
        number = UniformNumber(branch, "it")
        return (
            number < 0.25,
            number < 0.5,
            bool(number >= 0.5),
            ((np.array([0.1, 0.6, 1.0]) > number).argmax()),
        )

    found = {tuple(map(int, answer)): branch.probability for branch, answer in every(run)}
    assert found == pytest.approx(
        {
            (1, 1, 0, 0): 0.1,
            (1, 1, 0, 1): 0.15,
            (0, 1, 0, 1): 0.25,
            (0, 0, 1, 1): 0.1,
            (0, 0, 1, 2): 0.4,
        }
    )
