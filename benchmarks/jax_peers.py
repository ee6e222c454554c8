"""What one would write in JAX: one run as a scan, many of them by vmap, in single precision,
compiled by XLA for one thread.

Of the ways tried on a CPU the fastest were kept: all uniforms of a call are drawn at once, weights
are updated by a scatter (a dense product with one-hot features took up to 1.3 times as long), and
the scan isn't unrolled (unrolled it took up to 1.2 times as long).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.tasks import CUT, DIRECTIONS, STRIDE, TILES, TILINGS


def use_one_thread() -> None:
    """Start XLA while this process has a single core: its pool gets as many threads as there are
    cores then.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        try:
            jax.devices("cpu")
        finally:
            os.sched_setaffinity(0, cores)


def mountain_car(
    estimator: str, batch: int, steps: int, *, alpha: float, beta: float
) -> Callable[[], Any]:
    """The linear actor-critic on MountainCar, `batch` runs of `steps` steps; the call gives the
    mean return of each run's episodes.
    """
    per_tiling = TILES * TILES
    bias = TILINGS * per_tiling
    share = 1.0 / (TILINGS + 1)

    def tiles(p: Any, v: Any, offsets: Any) -> Any:
        x = (jnp.stack([(p + 1.2) / 1.7, (v + 0.07) / 0.14]) + offsets) * TILES
        part = x.astype(jnp.int32)
        return jnp.append(
            (part[:, 0] + TILES * part[:, 1]) % per_tiling + per_tiling * jnp.arange(TILINGS), bias
        )

    def total(weights: Any, index: Any) -> Any:
        return weights[index].sum(axis=0) * share

    def one(offsets: Any, uniforms: Any) -> Any:
        def step(carry: Any, u: Any) -> Any:
            weights, p, v, index, count, ended = carry
            here = total(weights, index)
            pi = jax.nn.softmax(here[:3])
            action = _sampled(pi, u[0])
            v = jnp.clip(v + 0.001 * (action - 1) - 0.0025 * jnp.cos(3 * p), -0.07, 0.07)
            p = p + v
            v = jnp.where(p < -1.2, 0.0, v)
            p = jnp.maximum(p, -1.2)
            goal = p >= 0.5
            value = jnp.where(goal, 0.0, total(weights, tiles(p, v, offsets))[3])
            delta = -1.0 + value - here[3]
            change = (
                jnp.append(alpha * delta * _direction(estimator, pi, action), beta * delta) * share
            )
            weights = weights.at[index].add(change)
            count = count + 1
            over = goal | (count == CUT)
            p = jnp.where(over, -0.6 + 0.2 * u[1], p)
            v = jnp.where(over, 0.0, v)
            ended = ended + jnp.where(over, jnp.stack([-count.astype(jnp.float32), 1.0]), 0.0)
            return (weights, p, v, tiles(p, v, offsets), jnp.where(over, 0, count), ended), None

        p, v = -0.6 + 0.2 * uniforms[-1, 0], jnp.float32(0)
        first = (jnp.zeros((bias + 1, 4)), p, v, tiles(p, v, offsets), jnp.int32(0), jnp.zeros(2))
        ended = jax.lax.scan(step, first, uniforms)[0][-1]
        return ended[0] / ended[1]

    @jax.jit
    def run(key: Any) -> Any:
        first, second = jax.random.split(key)
        return jax.vmap(one)(
            jax.random.uniform(first, (batch, TILINGS, 2)),
            jax.random.uniform(second, (batch, steps, 2)),
        )

    return lambda: jax.block_until_ready(run(jax.random.key(0)))


def dot_reacher(
    estimator: str, batch: int, steps: int, *, alpha: float, beta: float
) -> Callable[[], Any]:
    """The neural actor-critic on DotReacher, with Adam; as `mountain_car`."""
    moves = STRIDE * jnp.array(DIRECTIONS, dtype=jnp.float32)

    def network(key: Any, outputs: int) -> Any:
        layers, keys = [], jax.random.split(key, 4)
        for i, inputs in enumerate((2, 10)):
            bound = inputs**-0.5
            w = jax.random.uniform(keys[2 * i], (10, inputs), minval=-bound, maxval=bound)
            layers.append(
                (w, jax.random.uniform(keys[2 * i + 1], (10,), minval=-bound, maxval=bound))
            )
        return [*layers, (jnp.zeros((outputs, 10)), jnp.zeros(outputs))]

    def forward(layers: Any, x: Any) -> Any:
        for w, b in layers[:-1]:
            x = jnp.maximum(w @ x + b, 0.0)
        w, b = layers[-1]
        return w @ x + b

    def adam(state: Any, gradient: Any, rate: Any, small: Any) -> Any:
        parameters, first, second = state
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
        parameters = jax.tree.map(
            lambda p, m, v: p + rate * m / (jnp.sqrt(v) + small), parameters, first, second
        )
        return parameters, first, second

    def one(key: Any, uniforms: Any) -> Any:
        def step(carry: Any, u: Any) -> Any:
            actor, critic, x, powers, count, ended = carry
            logits, to_actor = jax.vjp(lambda layers: forward(layers, x), actor[0])
            value, to_critic = jax.vjp(lambda layers: forward(layers, x), critic[0])
            pi = jax.nn.softmax(logits)
            action = _sampled(pi, u[0])
            after = jnp.clip(x + moves[action], -1.0, 1.0)
            goal = (jnp.abs(after) < 0.1).all()
            delta = -0.01 + jnp.where(goal, 0.0, forward(critic[0], after)[0]) - value[0]
            powers = powers * jnp.array([0.9, 0.999])
            root = jnp.sqrt(1 - powers[1])
            rate, small = root / (1 - powers[0]), 1e-8 * root
            actor = adam(
                actor, to_actor(delta * _direction(estimator, pi, action))[0], alpha * rate, small
            )
            critic = adam(critic, to_critic(delta[None])[0], beta * rate, small)
            count = count + 1
            over = goal | (count == CUT)
            x = jnp.where(over, 2 * u[1:] - 1, after)
            ended = ended + jnp.where(over, jnp.stack([-0.01 * count, 1.0]), 0.0)
            return (actor, critic, x, powers, jnp.where(over, 0, count), ended), None

        def start(key: Any, outputs: int) -> Any:
            parameters = network(key, outputs)
            zero = jax.tree.map(jnp.zeros_like, parameters)
            return parameters, zero, zero

        keys = jax.random.split(key)
        first = (
            start(keys[0], len(DIRECTIONS)),
            start(keys[1], 1),
            2 * uniforms[-1, 1:] - 1,
            jnp.ones(2),
            jnp.int32(0),
            jnp.zeros(2),
        )
        ended = jax.lax.scan(step, first, uniforms)[0][-1]
        return ended[0] / ended[1]

    @jax.jit
    def run(key: Any) -> Any:
        first, second = jax.random.split(key)
        return jax.vmap(one)(
            jax.random.split(first, batch), jax.random.uniform(second, (batch, steps, 3))
        )

    return lambda: jax.block_until_ready(run(jax.random.key(0)))


def _sampled(pi: Any, u: Any) -> Any:
    return jnp.minimum((u >= jnp.cumsum(pi)).sum(), pi.size - 1)


def _direction(estimator: str, pi: Any, action: Any) -> Any:
    """The estimator on the logits, for a TD error of 1."""
    chosen = (jnp.arange(pi.size) == action).astype(pi.dtype)
    return chosen - pi if estimator == "regular" else chosen
