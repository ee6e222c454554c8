"""Random programs of numpy operations on random shapes: one call for all draws is, to the last bit,
the call for each draw.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altpg_verify.audit.stacked import agrees, call_stacked, one_draw

UNARY = {
    "exp": lambda v: np.exp(np.clip(v, -3, 3)),
    "negative": lambda v: -v,
    "square": lambda v: v**2,
    "root": lambda v: np.abs(v) ** 0.5,
    "tanh": np.tanh,
    "log1p": lambda v: np.log1p(np.abs(v)),
    "positive part": lambda v: np.where(v > 0, v, 0.0),
    "masked write": lambda v: _masked(v),
    "transposed": np.transpose,
    "flattened": np.ravel,
    "a new axis": lambda v: v[..., None],
    "copied in place": lambda v: _in_place(v),
    "times 3": lambda v: 3 * v,
    "divided": lambda v: v / 7,
    "zeros like": np.zeros_like,
    "summed": np.sum,
    "some rows": lambda v: v[[0, -1, 0, 0, -1]],
}
ALONG = {
    "sum": np.sum,
    "mean": np.mean,
    "std": np.std,
    "max": np.max,
    "cumsum": np.cumsum,
    "flip": np.flip,
    "sort": np.sort,
    "argsort": np.argsort,
    "median": np.median,
    "prod": np.prod,
    "first": lambda v, axis: np.take(v, 0, axis=axis),
    "first two": lambda v, axis: np.take(v, [0, -1], axis=axis),
    "kept mean": lambda v, axis: v - v.mean(axis=axis, keepdims=True),
    "rolled": lambda v, axis: np.roll(v, 1, axis=axis),
    "repeated": lambda v, axis: np.repeat(v, 2, axis=axis),
    "twice": lambda v, axis: np.concatenate([v, v], axis=axis),
}
BINARY = {
    "add": lambda u, v: u + v,
    "subtract": lambda u, v: u - v,
    "multiply": lambda u, v: u * v,
    "maximum": np.maximum,
    "where": lambda u, v: np.where(u > v, u, v),
    "greater": lambda u, v: (u > v) * 1.0,
    "outer": np.outer,
    "stack": lambda u, v: np.stack([u, v]),
    "picked": lambda u, v: u[np.abs(v * 10).astype(int) % len(u)],
    "picked behind": lambda u, v: u[:, np.abs(v * 10).astype(int) % u.shape[1]],
    "written": lambda u, v: _written(u, v),
}
PRODUCTS = {
    "matmul": lambda u, v: u @ v,
    "dot": lambda u, v: np.dot(u, v) if max(np.ndim(u), np.ndim(v)) <= 2 else u * 2,
    "vdot": np.vdot,
    "norm": lambda u, v: np.linalg.norm(u) + np.linalg.norm(v),
}


def _masked(v):
    w = v * 1
    w[v > 0.5] = -1
    return w


def _in_place(v):
    w = v.copy()
    w *= 2
    w += v
    return w


def _written(u, v):
    w = -u
    w[np.abs(v * 10).astype(int) % len(u)] += 1
    return w


def run(program, values):
    """Apply steps (operation, numbers of its operands, axis) to a growing list; the last value is
    the answer.
    """
    env = list(values)
    for operation, operands, axis in program:
        picked = [env[n] for n in operands]
        env.append(operation(*picked) if axis is None else operation(*picked, axis=axis))
    return env[-1]


@st.composite
def programs(draw, kinds):
    """A program that runs on one draw with values of moderate size, and the arguments for all
    draws.
    """
    count, n, k = draw(st.integers(1, 6)), draw(st.integers(1, 19)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    stacked = {
        "x": rng.normal(size=(count, n)),
        "m": rng.normal(size=(count, n, k)),
        "r": rng.normal(size=count),
    }
    plain = {"pi": rng.random(k)}
    env = [stacked["x"][0], stacked["m"][0], stacked["r"][0], plain["pi"]]
    program = []
    for _ in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from(kinds))
        name = draw(st.sampled_from(sorted(kind)))
        operands = [
            draw(st.integers(0, len(env) - 1))
            for _ in range(2 if kind in (BINARY, PRODUCTS) else 1)
        ]
        rank = np.ndim(env[operands[0]])
        if kind is ALONG and not rank:
            continue
        axis = draw(st.integers(-rank, rank - 1)) if kind is ALONG else None
        step = (kind[name], operands, axis)
        try:
            found = run([step], env)
        except (ValueError, TypeError, IndexError):
            continue
        if np.size(found) <= 400 and np.ndim(found) <= 4:
            program.append(step)
            env.append(found)
    return program, stacked, plain, count


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=300, deadline=None)
@given(programs((UNARY, ALONG, BINARY)))
def test_random_programs_agree_to_the_last_bit(case):
    program, stacked, plain, count = case
    assert agrees(
        lambda x, m, r, pi: run(program, (x, m, r, pi)), stacked, plain, count, range(count)
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=200, deadline=None)
@given(programs((UNARY, PRODUCTS, BINARY)))
def test_products_agree_within_rounding(case):
    """BLAS sums in an order that depends on where vectors lie in memory, so the last bit is
    `agrees`' to find.
    """
    program, stacked, plain, count = case
    # what is picked by a rounded product may be another element
    program = [
        step
        for step in program
        if step[0] in PRODUCTS.values() or step[0] in (BINARY["add"], BINARY["multiply"])
    ]
    try:
        run(program, (*one_draw(stacked, plain, 0).values(),))
    except (ValueError, TypeError, IndexError):
        return
    found = call_stacked(lambda x, m, r, pi: run(program, (x, m, r, pi)), stacked, plain, count)
    for row in range(count):
        alone = run(program, tuple(one_draw(stacked, plain, row).values()))
        assert found[row].shape == np.shape(alone)
        assert np.allclose(
            found[row], alone, rtol=1e-9, atol=1e-9 * (1 + np.max(np.abs(alone), initial=0))
        )
