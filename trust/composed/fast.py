"""A plan as the product sees it: a numpy function of a draw, on a space, audited."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from altpg_verify.audit import Audit, Update, audit
from altpg_verify.audit.environments import contexts
from altpg_verify.audit.function_updates import from_function
from trust.composed.plans import Plan

WHITENING_FLOOR = 0.5


def audited(plan: Plan) -> Audit:
    """What the product says of it."""
    return audit(composed(plan), differentiate=False)


def composed(plan: Plan) -> Update:
    """The plan as an update."""
    needs = ["actions", "states", "rewards", "pi"]
    extras = {name for name, _ in plan.extra}
    if plan.baseline == "value":
        needs.append("values")
    if plan.signal == "r less log-probability":
        needs.append("logprobs")
    if plan.ratio != "none":
        needs.append("mu")
    if extras & {"q", "value gradient"}:
        needs.append("q")

    def update(**given: Any) -> Any:
        return _update(plan, **given)

    update.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in needs]
    )
    return from_function(
        update,
        space=_space(plan),
        name=f"composed {plan.index}",
        frozen=("values",) if plan.frozen else (),
    )


def _space(plan: Plan) -> Any:
    space = contexts(plan.rewards, pi=plan.pi)
    if plan.mu is not None:
        space = space.sampled_by(plan.mu)
    if plan.scheme == "batch":
        return space.batch(plan.size)
    return space.group(plan.size) if plan.scheme == "group" else space


def _update(
    plan: Plan,
    actions: Any,
    states: Any,
    rewards: Any,
    pi: Any,
    values: Any = None,
    logprobs: Any = None,
    mu: Any = None,
    q: Any = None,
) -> np.ndarray:
    pi = np.atleast_2d(pi)
    size, steps = plan.size, np.arange(plan.size)
    signal = rewards
    if plan.signal == "r squared":
        signal = rewards * rewards
    elif plan.signal == "r less log-probability":
        signal = rewards - logprobs
    elif plan.signal == "next r":
        signal = np.roll(rewards, -1)
    advantage = signal - _baseline(plan, signal, values, states)
    advantage = _whitened(plan, advantage, signal)
    if plan.clip is not None:
        bound: Any = plan.clip if advantage.dtype == object else float(plan.clip)
        advantage = np.minimum(np.maximum(advantage, -bound), bound)
    if plan.ratio != "none":
        mu = np.atleast_2d(mu)
        ratio = pi[states, actions] / mu[states, actions]
        if plan.ratio == "clipped":
            ratio = np.minimum(np.maximum(ratio, 0.8), 1.2)
        elif plan.ratio == "truncated":
            ratio = np.minimum(ratio, 1)
        advantage = advantage * ratio
    factor = _number(plan.factor, pi)
    total: Any = 0 * pi
    for i in steps:
        total = total + factor * advantage[i] * _direction(
            plan.direction, pi, states[i], actions[i]
        )
    total = total / size
    for name, coefficient in plan.extra:
        total = total + _number(coefficient, pi) * _extra(name, plan, pi, q, states, actions)
    return total if len(plan.pi) > 1 else total[0]


def _number(value: Any, like: np.ndarray) -> Any:
    return value if like.dtype == object else float(value)


def _baseline(plan: Plan, signal: np.ndarray, values: Any, states: Any) -> Any:
    others = plan.size - 1
    match plan.baseline:
        case "constant":
            return plan.constant if signal.dtype == object else float(plan.constant)
        case "mean":
            return signal.sum() / plan.size
        case "leave one out":
            return (signal.sum() - signal) / others
        case "largest other":
            return np.array(
                [max(signal[j] for j in range(plan.size) if j != i) for i in range(plan.size)],
                dtype=signal.dtype,
            )
        case "value":
            return np.asarray(values)[states]
    return 0 * signal


def _whitened(plan: Plan, advantage: np.ndarray, signal: np.ndarray) -> np.ndarray:
    if plan.whitening == "none":
        return advantage
    if plan.whitening == "second moment":
        return advantage / (1 + (signal * signal).sum() / plan.size)
    signal = np.asarray(signal, dtype=float)
    if plan.whitening == "std":
        return advantage / (signal.std() + WHITENING_FLOOR)
    kept = [np.delete(signal, i).std() + WHITENING_FLOOR for i in range(plan.size)]
    return advantage / np.array(kept)


def _direction(name: str, pi: np.ndarray, state: int, action: int) -> np.ndarray:
    out = 0 * pi
    row = pi[state]
    e = 0 * row
    e[action] = e[action] + 1
    match name:
        case "score":
            out[state] = e - row
        case "e":
            out[state] = e
        case "e less half π":
            out[state] = e - row / 2
        case "e / π":
            out[state] = e / row
        case "e less 1/k":
            out[state] = e - (0 * row + 1) / len(row)
        case "score of the next action":
            out[state] = np.roll(e, 1) - row
    return out


def _extra(name: str, plan: Plan, pi: np.ndarray, q: Any, states: Any, actions: Any) -> Any:
    if name == "score":
        return (
            sum(_direction("score", pi, s, a) for s, a in zip(states, actions, strict=True))
            / plan.size
        )
    if name == "π":
        return pi
    if name == "ones":
        return 0 * pi + 1
    if name == "entropy gradient":
        logs = np.log(np.asarray(pi, dtype=float))
        return -pi * (logs - (pi * logs).sum(axis=1, keepdims=True)) / len(pi)
    q = np.atleast_2d(q)
    if name == "q":
        return q
    return pi * (q - (pi * q).sum(axis=1, keepdims=True)) / len(pi)
