"""One call for all draws gives what a call for each gives, to the last bit, or refuses and says
why.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.audit.stacked import (
    NotStackable,
    WritesIntoArgument,
    agrees,
    call_stacked,
    one_draw,
    same_bits,
    telling_rows,
)

COUNT = 23
RNG = np.random.default_rng(20)
DRAWS = {
    "x": RNG.normal(size=(COUNT, 8)),
    "y": RNG.normal(size=(COUNT, 8)),
    "m": RNG.normal(size=(COUNT, 8, 4)),
    "w": RNG.normal(size=(COUNT, 4)),
    "sq": RNG.normal(size=(COUNT, 4, 4)),
    "mask": (RNG.random((COUNT, 8)) < 0.6).astype(float),
    "i": RNG.integers(0, 4, (COUNT, 8)),
    "a": RNG.integers(0, 4, COUNT),
    "r": RNG.normal(size=COUNT),
}
PLAIN = {
    "pi": np.array([0.1, 0.2, 0.3, 0.4]),
    "table": RNG.normal(size=(4, 4)),
    "value": 0.3,
    "k": 4,
}


def asked(function):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return {n: DRAWS[n] for n in names if n in DRAWS}, {n: PLAIN[n] for n in names if n in PLAIN}


def stacked_answer(function):
    return call_stacked(function, *asked(function), COUNT)


def same_as_each_draw(function) -> bool:
    return agrees(function, *asked(function), COUNT, range(COUNT))


def refused(function) -> str:
    with pytest.raises(NotStackable) as caught:
        stacked_answer(function)
    return str(caught.value)


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


# every function of the tables, each as `lambda`: name -> use

USES = {
    "sum": [
        lambda x: np.sum(x),
        lambda m: m.sum(0),
        lambda m: m.sum(axis=(0, 1)),
        lambda m: m.T.sum(-1, keepdims=True),
        lambda r: np.sum(r),
    ],
    "sum_of_masks": [
        lambda x: (x > 0).sum(),
        lambda m: np.sum(m > 0, axis=0),
        lambda x: np.sum(x, dtype=float),
        lambda x: np.sum(x, initial=2),
    ],
    "mean": [
        lambda m: np.mean(m),
        lambda m: m.mean(1),
        lambda i: i.mean(),
        lambda r: np.mean(r),
        lambda mask: (mask > 0).mean(),
    ],
    "std": [lambda m: np.std(m), lambda x: x.std(ddof=1), lambda m: m.std(axis=0)],
    "var": [lambda m: np.var(m, axis=1), lambda x: x.var()],
    "min": [lambda m: np.min(m, axis=0), lambda x: x.min(), lambda m: np.amin(m)],
    "max": [lambda m: np.max(m, axis=1), lambda x: x.max(keepdims=True), lambda m: np.amax(m)],
    "prod": [lambda m: np.prod(m, axis=0), lambda x: x.prod(), lambda i: i.prod()],
    "cumsum": [
        lambda x: np.cumsum(x),
        lambda m: m.cumsum(),
        lambda m: np.cumsum(m, axis=1),
        lambda x: np.add.accumulate(x),
    ],
    "cumprod": [lambda x: np.cumprod(x), lambda m: m.cumprod(axis=0)],
    "any_all": [
        lambda m: np.any(m > 1, axis=0),
        lambda m: (m > -3).all(),
        lambda x: np.all(x),
        lambda x: x.any(),
    ],
    "argmax": [
        lambda x: np.argmax(x),
        lambda m: m.argmax(0),
        lambda m: np.argmin(m, axis=-1),
        lambda m: m.argmin(),
    ],
    "where": [
        lambda x: np.where(x > 0, 1, -1),
        lambda a, pi: np.where(np.arange(4) == a, 1 - pi, -pi),
        lambda m, w: np.where(m > w, m, 0.0),
    ],
    "concatenate": [
        lambda x, w: np.concatenate([x, w]),
        lambda m, sq: np.concatenate((m, sq), axis=0),
        lambda m, x: np.concatenate([m, x], axis=None),
    ],
    "concatenate_plain": [
        lambda x, pi: np.concatenate([pi, x]),
        lambda m: np.concatenate([m, m], axis=-1),
    ],
    "stack": [
        lambda x, y: np.stack([x, y]),
        lambda x, y: np.stack([x, y], axis=-1),
        lambda x, y: np.stack([x, y], 1),
        lambda r, value: np.stack([r, value]),
    ],
    "vstack": [lambda x, y: np.vstack([x, y]), lambda m, w: np.vstack([m, w])],
    "hstack": [
        lambda x, w: np.hstack([x, w]),
        lambda m: np.hstack([m, m]),
        lambda x, r: np.hstack([x, r]),
    ],
    "column_stack": [lambda x, y, m: np.column_stack([x, y, m])],
    "like": [
        lambda x: np.zeros_like(x),
        lambda x: np.ones_like(x),
        lambda i: np.full_like(i, 2.7),
        lambda i: np.zeros_like(i, dtype=float),
    ],
    "empty_like": [
        lambda pi: np.zeros_like(pi) + 1,
        lambda x: np.where(x == x, x, np.empty_like(x)),
    ],
    "outer": [
        lambda x, w: np.outer(x, w),
        lambda x, pi: np.outer(x, pi),
        lambda x, w: np.subtract.outer(x, w),
        lambda m, r: np.outer(m, r),
    ],
    "dot": [
        lambda x, m: np.dot(x, m),
        lambda x, y: x.dot(y),
        lambda m, w: m.dot(w),
        lambda m, sq: np.dot(m, sq),
        lambda r, x: np.dot(r, x),
    ],
    "matmul": [
        lambda x, m: x @ m,
        lambda x, y: x @ y,
        lambda m, sq: np.matmul(m, sq),
        lambda m, w: m @ w,
        lambda w, table: table @ w,
    ],
    "matmul_plain": [
        lambda w, table: w @ table,
        lambda m, pi: m @ pi,
        lambda m: m.T @ m,
        lambda sq, table: table @ sq,
        lambda w, pi: w @ pi,
    ],
    "matmul_more": [lambda m, sq: m.reshape(2, 4, 4) @ sq, lambda m, w: m.reshape(2, 4, 4) @ w],
    "tensordot": [
        lambda m, sq: np.tensordot(m, sq, axes=1),
        lambda sq, table: np.tensordot(sq, table),
        lambda x, m: np.tensordot(x, m, axes=([0], [0])),
        lambda x, w: np.tensordot(x, w, axes=0),
    ],
    "einsum": [
        lambda x, m: np.einsum("i,ij->j", x, m),
        lambda m, table: np.einsum("ij,jk", m, table),
        lambda sq: np.einsum("ii", sq),
        lambda m, w, pi: np.einsum("ij,j,j->i", m, w, pi),
    ],
    "inner": [
        lambda x, y: np.inner(x, y),
        lambda m, w: np.inner(m, w),
        lambda m, table: np.inner(m, table),
    ],
    "vdot": [lambda x, y: np.vdot(x, y), lambda sq, table: np.vdot(sq, table)],
    "clip": [
        lambda x: np.clip(x, -0.5, 0.5),
        lambda x: x.clip(0, None),
        lambda m, w: np.clip(m, -1, w),
        lambda x: np.clip(x, None, 1),
        lambda x: x.clip(min=0),
    ],
    "abs": [lambda x: np.abs(x), lambda x: abs(x), lambda x: np.absolute(x), lambda r: abs(r)],
    "shapes": [
        lambda x: np.expand_dims(x, 0),
        lambda x: np.expand_dims(x, (0, -1)),
        lambda x: x[:, None].squeeze(),
        lambda x: np.squeeze(x[None], axis=0),
    ],
    "reshape": [
        lambda m: m.reshape(-1),
        lambda m: np.reshape(m, (4, -1)),
        lambda m: m.T.reshape(2, 16),
        lambda m: m.flatten(),
        lambda m: m.T.ravel(),
    ],
    "transpose": [
        lambda m: np.transpose(m),
        lambda m: m.transpose(1, 0),
        lambda m: np.swapaxes(m, 0, 1),
        lambda m: np.moveaxis(m, 0, -1),
        lambda m: m.T,
    ],
    "broadcast_to": [
        lambda w: np.broadcast_to(w, (3, 4)),
        lambda r: np.broadcast_to(r, 5),
        lambda pi, w: np.broadcast_to(pi, (2, 4)) * w,
    ],
    "take": [
        lambda x: np.take(x, [0, 2]),
        lambda w, i: np.take(w, i),
        lambda table, i: table.take(i, axis=0),
        lambda m, i: np.take(m, i, axis=1),
    ],
    "take_along_axis": [
        lambda m, i: np.take_along_axis(m, i[:, None], axis=1),
        lambda sq: np.take_along_axis(sq, np.argsort(sq, axis=0), axis=0),
    ],
    "sort": [
        lambda m: np.sort(m),
        lambda m: np.sort(m, axis=0),
        lambda x: x.argsort(),
        lambda m: np.argsort(m, axis=None),
        lambda x: np.sort(x)[::-1],
    ],
    "median": [lambda x: np.median(x), lambda m: np.median(m, axis=0), lambda m: np.median(m)],
    "flip": [lambda m: np.flip(m), lambda m: np.flip(m, 1), lambda x: x[::-1]],
    "roll": [lambda x: np.roll(x, 1), lambda m: np.roll(m, 2, axis=1), lambda m: np.roll(m, 3)],
    "tile": [
        lambda x: np.tile(x, 2),
        lambda m: np.tile(m, (2, 1)),
        lambda w: np.tile(w, (3, 1)),
        lambda m: np.tile(m, 2),
    ],
    "repeat": [
        lambda x: np.repeat(x, 2),
        lambda m: m.repeat(2, axis=0),
        lambda w: np.repeat(w, [1, 0, 2, 1]),
    ],
    "diff": [lambda x: np.diff(x), lambda m: np.diff(m, axis=0), lambda x: np.diff(x, n=2)],
    "delete": [
        lambda x: np.delete(x, 0),
        lambda m: np.delete(m, [0, 1], axis=1),
        lambda m: np.delete(m, 3),
    ],
    "append": [
        lambda x, r: np.append(x, r),
        lambda x: np.append(x[1:], 0.0),
        lambda m, w: np.append(m, w[None], axis=0),
    ],
    "insert": [
        lambda x: np.insert(x, 0, 0.0),
        lambda x, r: np.insert(x, 2, r),
        lambda i, r: np.insert(i, -1, r),
    ],
    "diag": [
        lambda w: np.diag(w),
        lambda sq: np.diag(sq),
        lambda w: np.diag(w, 1),
        lambda w: np.diag(w, -1),
        lambda sq: np.diagonal(sq),
        lambda sq: sq.diagonal(),
    ],
    "trace": [lambda sq: np.trace(sq), lambda sq: sq.trace()],
    "norm": [
        lambda x: np.linalg.norm(x),
        lambda m: np.linalg.norm(m),
        lambda m: np.linalg.norm(m, axis=1, keepdims=True),
        lambda x: np.linalg.norm(x, 1),
    ],
    "isclose": [
        lambda x, y: np.isclose(x, y),
        lambda m, w: np.isclose(m, w, atol=0.5),
        lambda x: np.isclose(x, 0.0, atol=1),
    ],
    "maximum": [
        lambda x, y: np.maximum(x, y),
        lambda x: np.minimum(x, 0),
        lambda m: np.maximum.reduce(m),
        lambda m: np.add.reduce(m, axis=1),
    ],
    "nan": [
        lambda x: np.nan_to_num(x / (x > 0)),
        lambda x: np.nansum(np.where(x > 0, x, np.nan)),
        lambda m: np.nanmean(np.where(m > -3, m, np.nan), axis=0),
    ],
    "ufuncs": [
        lambda x: np.sign(x),
        lambda x: np.log1p(x * x),
        lambda x: np.expm1(x),
        lambda x, y: np.logaddexp(x, y),
        lambda x: np.isfinite(x),
        lambda x: -x,
    ],
    "exp": [
        lambda x: np.exp(x),
        lambda r: np.exp(r),
        lambda x: np.log(np.exp(x).sum()),
        lambda x: np.tanh(x),
        lambda x: np.sqrt(x * x),
        lambda x: np.exp(x[::2]),
    ],
    "powers": [
        lambda x: x**2,
        lambda x: (x * x) ** 0.5,
        lambda x: x**3,
        lambda x: x**-1,
        lambda r: r**2,
        lambda x: 2.0**x,
        lambda x, y: abs(x) ** y,
    ],
    "integers": [
        lambda i: i // 2,
        lambda i: i % 3,
        lambda i: i**2,
        lambda i: i / 2,
        lambda a: a * 2 + 1,
        lambda i: divmod(i, 2)[1],
        lambda i: i.astype(float),
    ],
    "average": [
        lambda x: np.average(x),
        lambda x, mask: np.average(x, weights=mask + 1),
        lambda m, sq: np.average(m[:4], axis=0, weights=sq * sq),
    ],
    "split": [
        lambda x: np.split(x, 2)[1],
        lambda x: np.array_split(x, 3)[2],
        lambda m: np.split(m, [1, 3], axis=1)[1],
    ],
    "atleast": [lambda r: np.atleast_1d(r), lambda x: np.atleast_2d(x), lambda r: np.atleast_2d(r)],
    "questions": [
        lambda m: m * np.shape(m)[0],
        lambda m: m * np.ndim(m),
        lambda m: m * np.size(m, 1),
        lambda i, x: x.astype(np.result_type(i, x)),
    ],
    "round": [
        lambda x: np.round(x, 1),
        lambda x: x.round(),
        lambda x: np.real(x),
        lambda x: x.real,
    ],
    "triangles": [
        lambda sq: np.tril(sq),
        lambda m: np.triu(m, 1),
        lambda x: np.tril(np.ones((8, 8))) @ x,
    ],
    "more": [
        lambda x: np.ptp(x),
        lambda m: np.count_nonzero(m > 0, axis=0),
        lambda x: np.copy(x),
        lambda x: x.copy(),
    ],
    "built_in": [
        lambda x: sum(x),
        lambda x: sum(v * v for v in x) / len(x),
        lambda m: [row.sum() for row in m],
        lambda x: x[0] if len(x) > 3 else x[1],
    ],
    "reading": [
        lambda m: m[0],
        lambda m: m[..., 0],
        lambda m: m[1:3, ::2],
        lambda m: m[None, 2],
        lambda m: m[[0, 2], [1, 3]],
        lambda m: m[:, [0, 2]],
        lambda m: m[0, :, None],
        lambda m: m[np.array([True, False] * 4)],
        lambda m: m[-1, -1],
        lambda m: m[np.ix_([0, 1], [2, 3])],
    ],
    "picking": [
        lambda m, i: m[np.arange(8), i],
        lambda w, a: w[a],
        lambda sq, a: sq[:, a],
        lambda sq, i: sq[:, i],
        lambda sq, i: sq[i],
        lambda sq, a: sq[a, 1:],
        lambda sq, a: sq[a, a],
        lambda m, i: m.reshape(2, 4, 4)[:, i, 0],
        lambda m, i: m.reshape(2, 4, 4)[0, :, i],
        lambda m, i: m.reshape(2, 4, 4)[:, i],
        lambda m, i: m.reshape(2, 4, 4)[0, i, :],
        lambda pi, i: pi[i],
        lambda table, a: table[a],
        lambda table, a: table[:, a],
        lambda table, i, k: table[i, k - 1],
        lambda table, i: table[i[:, None], np.arange(4)],
    ],
}


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize("name", USES)
def test_every_known_function_agrees_to_the_last_bit(name):
    assert [n for n, use in enumerate(USES[name]) if not same_as_each_draw(use)] == []


# what is refused, and how it is said


class Keeps:
    kept = None


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


def test_an_array_kept_from_an_earlier_call_is_refused():
    def keeps(x):
        if Keeps.kept is None:
            Keeps.kept = x
        return x + Keeps.kept

    Keeps.kept = None
    stacked_answer(keeps)
    assert "earlier call" in refused(keeps)


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
