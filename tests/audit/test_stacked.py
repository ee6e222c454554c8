"""One call for all draws gives what a call for each gives, to the last bit: ordinary functions,
copies and views; and what differs is found.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit.stacked import (
    NotStackable,
    agrees,
    call_stacked,
    one_draw,
    same_bits,
    telling_rows,
)
from tests.audit.stacked import COUNT, PLAIN, asked, same_as_each_draw, stacked_answer

# functions as people write them


def own_mean(x, m):
    return ((x - x.mean())[:, None] * m).mean(axis=0)


def whitened(x, m):
    return (((x - x.mean()) / (x.std() + 1e-8))[:, None] * m).sum(axis=0)


def leave_one_out(x, m):
    baseline = (x.sum() - x) / (len(x) - 1)
    return np.einsum("n,nk->k", x - baseline, m) / len(x)


def reinforce(a, r, pi):
    direction = -pi
    direction[a] += 1
    return r * direction


def importance(a, r, w, pi, table):
    ratio = pi[a] / np.exp(w)[a]
    return np.clip(ratio, 0.8, 1.2) * r * table[a]


def loop(x, m):
    total = np.zeros_like(m[0])
    for reward, score in zip(x, m, strict=True):
        total += (reward - x.mean()) * score
    return total / len(x)


def loop_by_number(x, m, i):
    total = np.zeros_like(m)
    for n in range(len(x)):
        total[n] += x[n] * m[n]
        total[n, i[n]] -= 1
    return total.mean(axis=0)


def returns_to_go(x, mask):
    return np.cumsum((x * mask)[::-1])[::-1] / mask.sum()


def states_and_actions(i, x, table):
    return table[i, i[::-1]] * x


def grouped(x, m):
    groups = x.reshape(2, 4)
    advantages = (groups - groups.mean(axis=1, keepdims=True)) / (
        groups.std(axis=1, ddof=1, keepdims=True) + 1e-6
    )
    return advantages.ravel() @ m


def in_groups(w, pi):
    return {"logits": w - pi, "critic": (w @ pi) ** 2}


def median_and_order(x, m):
    order = np.argsort(x)
    return (x[order] - np.median(x)) @ m[order]


def scalars(r, value, a):
    r -= value
    r *= 2
    return r**2 + r**0.5 * 0 + a / 3 + r**3


def masked_writes(x):
    y = x.copy()
    y[y < 0] = 0
    y[0] = 5.0
    y[-2:] *= 2
    return y


def divides_where(x, y):
    return np.divide(x, y, out=np.zeros_like(x), where=y > 0)


def closes_over_constants(x, w, pi):
    baselines = np.arange(4.0)
    return (x[:4] - baselines) * pi + w @ np.eye(4)


def compares(x, value):
    return np.where((x > value) & ~(x > 1), x, -x).sum() + (x == x.max()).mean()


def plain_branches(w, pi, k):
    if pi[0] < 0.5 and len(set(pi)) == k and float(pi.sum()) > 0.9:
        return w * 2
    return w


def looks_at_shapes(x, m):
    assert isinstance(x, np.ndarray)
    assert x.ndim == 1
    assert x.shape == (len(x),)
    assert m.size == 32
    assert m.dtype == float
    return m.T @ x / x.shape[0]


ORDINARY = (
    own_mean,
    whitened,
    leave_one_out,
    reinforce,
    importance,
    loop,
    loop_by_number,
    returns_to_go,
    states_and_actions,
    grouped,
    in_groups,
    median_and_order,
    scalars,
    masked_writes,
    divides_where,
    closes_over_constants,
    compares,
    plain_branches,
    looks_at_shapes,
)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("function", ORDINARY, ids=lambda each: each.__name__)
def test_ordinary_functions_agree_to_the_last_bit(function):
    assert same_as_each_draw(function)


def _number_then_array(r):
    array = np.atleast_1d(r)
    array[0] = 5.0
    return array + r


def _old_value_of_an_element(x):
    y = x.copy()
    first = y[0]
    y[0] = 9.0
    return y * first


def _view_of_a_copy(x):
    y = x.copy()
    view = y[2:]
    view += 1
    y.reshape(2, 4)[:, 0] = 0
    return y


def _shifts_in_place(x):
    y = x * 1
    for n, each in enumerate(y):
        y[(n + 1) % 8] = each + 1
    y[1:] = y[:-1]
    return y


def _adds_to_a_picked_row(sq, a, w):
    total = sq.copy()
    total[a] += w
    total[a, 1:] *= 2
    total[:, a] -= w
    return total


@pytest.mark.parametrize(
    "function",
    [
        _adds_to_a_picked_row,
        _number_then_array,
        _old_value_of_an_element,
        _view_of_a_copy,
        _shifts_in_place,
    ],
)
def test_copies_and_views_are_those_of_one_draw(function):
    assert same_as_each_draw(function)


# what only a comparison with single calls finds


def _asks_for_the_type(x):
    return x if type(x) is np.ndarray else 2 * x


def _counts_its_calls(x, calls=[0]):  # noqa: B006
    calls[0] += 1
    return x * calls[0]


def _divides_by_the_action(a):
    return 1 / a


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize(
    "function", [_asks_for_the_type, _counts_its_calls, _divides_by_the_action]
)
def test_another_answer_to_single_calls_is_found(function):
    stacked_answer(function)
    assert not agrees(function, *asked(function), COUNT)


def test_a_planted_fault_of_one_bit_is_found():
    answer = stacked_answer(own_mean)
    assert agrees(own_mean, *asked(own_mean), COUNT, answer=answer)
    answer[7, 2] = np.nextafter(answer[7, 2], 9)
    assert not agrees(own_mean, *asked(own_mean), COUNT, answer=answer)
    assert not same_bits(np.zeros(1), -np.zeros(1))
    assert not same_bits(np.zeros(1), np.zeros(1, dtype=int))
    assert same_bits(np.array([np.nan]), np.array([-np.nan]))


def test_the_rows_tried_have_what_functions_branch_on():
    rewards = np.random.default_rng(3).normal(size=(5000, 6))
    actions = np.random.default_rng(4).integers(1, 9, 5000)
    rewards[1234], rewards[4321, :5], actions[777] = 2.0, 0.0, 0
    rows = telling_rows({"rewards": rewards, "actions": actions}, 5000)
    assert len(set(rows)) == len(rows) == 64
    assert {0, 4999, 1234, 4321, 777} <= set(rows)


def test_what_does_not_depend_on_the_draw_is_repeated():
    assert (
        call_stacked(lambda pi: pi * 2, {}, {"pi": PLAIN["pi"]}, 3).tolist()
        == [[0.2, 0.4, 0.6, 0.8]] * 3
    )
    assert call_stacked(lambda: 1, {}, {}, 3).tolist() == [1, 1, 1]
    assert call_stacked(lambda x: np.arange(2), {"x": np.zeros((3, 1))}, {}, 3).shape == (3, 2)
    assert one_draw({"a": np.array([3, 1])}, {}, 1) == {"a": 1}


def test_one_draw_and_as_many_draws_as_elements_are_told_apart():
    for count in (1, 4):
        given = {"x": np.arange(4.0 * count).reshape(count, 4)}
        plain = {"pi": PLAIN["pi"]}
        assert agrees(lambda x, pi: x * pi + np.arange(4.0) - pi.sum(), given, plain, count)
        with pytest.raises(NotStackable, match="truth value"):
            call_stacked(lambda x, pi: x if x[0] > 0 else pi, given, plain, count)


@pytest.mark.parametrize(
    "pick",
    [
        lambda m: m[[0, 3, 5, 6, 6, 1]],
        lambda m: m[:, [0, 3, 5, 6, 6, 1]],
        lambda m: m[:, np.arange(7) > 2],
        lambda m: np.take(m, [0, 3, 5, 6, 6, 1], axis=1),
        lambda m: np.delete(m, [0, 2], axis=1),
        lambda m: np.delete(m, 1, axis=1),
        lambda m: np.delete(m, slice(0, 4, 2), axis=0),
        lambda m: m.T + m.T,
    ],
)
def test_each_draw_lies_in_memory_as_it_does_alone(pick):
    """It decides the order in which a later sum over all elements adds."""
    many = {"m": np.random.default_rng(0).normal(size=(300, 9, 7))}
    assert agrees(lambda m: pick(m).sum(), many, {}, 300, range(300))
