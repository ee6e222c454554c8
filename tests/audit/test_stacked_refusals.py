"""What may not act on each draw alone is refused by name, and what is written into an argument is
noticed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.audit.stacked import NotStackable, WritesIntoArgument, call_stacked, same_bits
from tests.audit.stacked import DRAWS, PLAIN, refused, stacked_answer


def swallows(x):
    try:
        return x * float(x[0])
    except Exception:
        return x


def swallows_an_index(w, i):
    try:
        return w[i + 1]  # out of range for some draws only
    except IndexError:
        return w


def looks_for_a_method(r):
    return r * r.is_integer() if hasattr(r, "is_integer") else r


REFUSED = {
    "truth value": lambda x: x if x[0] > 0 else -x,
    "truth value ": lambda x: max(x[0], x[1]),
    "truth value  ": lambda x: x * (0.5 in x),
    "truth value   ": lambda a, pi: pi * (a in (0, 1)),
    "hashes": lambda x: x / len(set(x)),
    "float()": lambda x: x * float(x[0]),
    "int()": lambda x: int(x[0]),
    "float() ": lambda r: math.exp(r),
    "round()": lambda r: round(r),
    "tolist()": lambda x: sum(x.tolist()),
    "item()": lambda r: r.item(),
    "indexes a list": lambda a: [1.0, 2.0, 3.0, 4.0][a],
    "indexes a list ": lambda a, x: x[:a].sum(),
    "indexes a list  ": lambda a: sum(range(a)),
    "numpy array of its own": lambda a: np.eye(4)[np.asarray([a])],
    "numpy array of its own ": lambda x: np.array([v * 2 for v in x]),
    "numpy.linalg.svd": lambda m: np.linalg.svd(m)[1],
    "numpy.allclose": lambda x: x * np.allclose(x, 0),
    "numpy.array_equal": lambda x, y: x * np.array_equal(x, y),
    "numpy.cov": lambda m: np.cov(m),
    "numpy.unique": lambda x: x / len(np.unique(x)),
    "numpy.add.at": lambda x, i: np.add.at(x.copy(), i, 1),
    "numpy.add.reduceat": lambda x: np.add.reduceat(x, [0, 4]),
    "mask that depends": lambda x: x[x > 0].mean(),
    "condition only": lambda x: np.where(x > 0)[0],
    "prints": lambda x: f"{x[0]:.2f}",
    "array of its own (`+=`": (
        lambda x: np.add(np.zeros(8), 0, out=np.zeros(8)) + np.add(x, 0, out=np.zeros(8))
    ),
    "float() on what": swallows,
    "raises IndexError": swallows_an_index,
    ".is_integer": looks_for_a_method,
    "returns NoneType": lambda x: None,
    "returns str": lambda x: "x",
    "raises ZeroDivisionError": lambda x: x * (1 / 0),
    "raises ValueError": lambda x, w: x + w,
    "has views": lambda pi, w: _writes_beside_a_view(-pi, w),
    "view that depends on the draw": lambda sq, a: _writes_into_a_picked_row(sq.copy(), a),
    "view that depends on the draw ": lambda sq, a: _writes_elsewhere(sq.copy(), a),
    "read-only": lambda sq, a: sq[a].__setitem__(0, 1),
}


def _writes_beside_a_view(direction, w):
    view = direction[:2]
    direction -= w
    return view


def _writes_into_a_picked_row(matrix, a):
    row = matrix[a]
    row += 1
    return matrix


def _writes_elsewhere(matrix, a):
    row = matrix[a]
    row += 1
    matrix[(a + 1) % 4] = row
    return matrix


@pytest.mark.parametrize("why", REFUSED)
def test_what_may_not_act_on_each_draw_alone_is_refused_by_name(why):
    assert why.strip() in refused(REFUSED[why])


def test_exact_numbers_are_refused():
    with pytest.raises(NotStackable, match="object"):
        call_stacked(lambda x: x, {"x": np.full((2, 3), None)}, {}, 2)
    with pytest.raises(NotStackable, match="object"):
        call_stacked(lambda x: x, {}, {"x": np.full(3, None)}, 2)


def test_the_leading_axis_must_be_the_draws():
    with pytest.raises(ValueError, match="leading axis must be the 4 draws"):
        call_stacked(lambda x: x, {"x": np.zeros((3, 2))}, {}, 4)


def _subtracts(x):
    x -= x.mean()
    return x


def _through_a_view(x):
    x.reshape(2, 4).T[0] = 1
    return x


def _through_an_iteration(m):
    for row in m:
        row *= 2
    return m


def _into_the_policy(pi, x):
    pi[0] += 1
    return pi * x[0]


def _into_a_row(sq, a, w):
    sq[a] += w
    return sq


WRITERS = {
    "x": [
        _subtracts,
        _through_a_view,
        lambda x: x.sort(),
        lambda x: x.fill(0),
        lambda x: x.__setitem__(0, 1),
        lambda x: x.__setitem__(x > 0, 1),
        lambda x: np.subtract(x, 1, out=x),
        lambda x: x[2:].__imul__(2),
    ],
    "sq": [_into_a_row],
    "m": [
        _through_an_iteration,
        lambda m: np.ravel(m).__setitem__(0, 1),
        lambda m: np.split(m, 2)[0].__iadd__(1),
    ],
    "pi": [_into_the_policy, lambda pi, x: pi.__isub__(x[:4]), lambda pi: pi.sort()],
}


@pytest.mark.parametrize("name", WRITERS)
def test_writing_into_an_argument_is_noticed_and_leaves_it_alone(name):
    before = {each: value.copy() for each, value in {**DRAWS, "pi": PLAIN["pi"]}.items()}
    for function in WRITERS[name]:
        with pytest.raises(WritesIntoArgument, match=f"^writes into '{name}'$") as caught:
            stacked_answer(function)
        assert caught.value.name == name
    assert all(
        same_bits(before[each], value) for each, value in {**DRAWS, "pi": PLAIN["pi"]}.items()
    )


class Keeps:
    kept = None


def test_an_array_kept_from_an_earlier_call_is_refused():
    def keeps(x):
        if Keeps.kept is None:
            Keeps.kept = x
        return x + Keeps.kept

    Keeps.kept = None
    stacked_answer(keeps)
    assert "earlier call" in refused(keeps)
