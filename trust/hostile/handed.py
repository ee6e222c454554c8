"""Whole programs whose parts are handed over with a trick in them: objects among declared choices,
`keep`, answers that are no numbers, objectives, arrays that are used again, names, steps that draw for ever; and torch losses with a
gradient of their own.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import sympy

from altpg_verify.audit import (
    Objective,
    audit,
    bandit,
    from_function,
    from_jax,
    from_torch,
    gaussian,
    trainer,
)
from trust.hostile.forms import ANYTHING, NEVER_PASSED, REFUSED, UNSURE, WRONG, outcome_of
from trust.hostile.tricks_hidden import LATER, Box


def small() -> Any:
    """Three arms."""
    return bandit([0, 1, 3])


def chosen(update: Callable[..., Any], make: Callable[[], Any]) -> Callable[[], str]:
    """An update that is handed one declared object, called `held`."""
    return lambda: outcome_of(
        audit(
            from_function(update, space=small(), choices={"held": [(make(), 1)]}),
            differentiate=False,
        )
    )


def keeping(keep: Callable[[Any], Any]) -> Callable[[], str]:
    """The mean of REINFORCE on batches of which some are kept."""
    return lambda: outcome_of(
        audit(
            from_function(
                lambda rewards, scores: (rewards[:, None] * scores).mean(axis=0),
                space=small().batch(2).keeping(keep),
                name="kept",
            ),
            differentiate=False,
        )
    )


def counting(reward: Any, score: Any, held: Any) -> Any:
    """Wrong after many calls."""
    return reward * score * (1 + 2 * int(held.bump() > LATER))


def calling(reward: Any, score: Any, held: Any) -> Any:
    """The same with a function."""
    return reward * score * (1 + 2 * int(held() > LATER))


def drawing(reward: Any, score: Any, held: Any) -> Any:
    """Now and then wrong."""
    return reward * score * (1 + 2 * int(held.random() < 1 / LATER))


def counter() -> Callable[[], int]:
    """A function that counts its calls."""
    calls = [0]

    def count() -> int:
        calls[0] += 1
        return calls[0]

    return count


def seldom_kept() -> Callable[[Any], bool]:
    """Keeps everything at first."""
    count = counter()
    return lambda draw: count() <= LATER


def reused() -> str:
    """Fills and returns the same array in every call: right, and often done."""
    place = np.zeros(3)

    def mine(reward: Any, score: Any) -> Any:
        place[:] = reward * score
        return place

    return outcome_of(audit(from_function(mine, space=small()), differentiate=False))


def edited_later() -> str:
    """Doubles what it returned, at its next call."""
    kept: list[Any] = []

    def mine(reward: Any, score: Any) -> Any:
        for each in kept:
            each *= 2
        kept[:] = [reward * score * 1.0]
        return kept[0]

    return outcome_of(audit(from_function(mine, space=small()), differentiate=False))


def answered(answer: Any) -> Callable[[], str]:
    """An update that returns something whatever it is given."""
    return lambda: outcome_of(
        audit(from_function(lambda rewards: answer(), space=small()), differentiate=False)
    )


def aimed(at: Callable[[Any, Any], Any], **options: Any) -> Callable[[], str]:
    """REINFORCE, said to follow an objective of one's own."""
    return lambda: outcome_of(
        audit(
            from_function(
                lambda reward, score: reward * score,
                space=small(),
                target=Objective("mine", "M", at, **options),
            ),
            differentiate=False,
        )
    )


def counted_value() -> Callable[[Any, Any], Any]:
    """The value at first, later twice that."""
    count = counter()
    return lambda at, held: at.value * (1 + (count() > LATER))


def named(name: str) -> Callable[[], str]:
    """Twice what it claims to be, under a name that says otherwise."""
    return lambda: outcome_of(
        audit(
            from_function(lambda reward, score: 2 * reward * score, space=small(), name=name),
            differentiate=False,
        )
    )


def stepping(factor: Callable[[Callable[[Any], int]], float]) -> Callable[[], str]:
    """A trainer's step times a factor, for which it may draw."""

    class Agent:
        theta = np.zeros(3)

    def ask() -> str:
        agent = Agent()

        def step(choose: Any) -> None:
            pi = np.exp(agent.theta - agent.theta.max())
            pi = pi / pi.sum()
            action = choose(pi)
            score = np.eye(3)[action] - pi
            agent.theta = agent.theta + 0.5 * (0, 1, 3)[action] * score * factor(choose)

        made = trainer(step, parameters={"theta": (agent, "theta")}, space=small(), stepsize=0.5)
        return outcome_of(audit(made, differentiate=False))

    return ask


def for_ever(choose: Any) -> float:
    """Draws until the second comes."""
    while choose([0.5, 0.5]):
        pass
    return 2


def learned(change: Callable[[Any, Any], Any]) -> Callable[[], str]:
    """The loss of REINFORCE in torch, changed. Args: change: (loss, θ) -> what is returned."""

    def mine(theta: Any, actions: Any, rewards: Any) -> Any:
        return change(-(theta.log_softmax(-1)[actions] * rewards).sum(), theta)

    return lambda: outcome_of(
        audit(from_torch(mine, space=bandit([-1, "1/2", 2, 3])), differentiate=False)
    )


def acting(factor: Callable[[Any], Any]) -> Callable[[], str]:
    """REINFORCE with a normally distributed action, times a factor of it."""

    def mine(reward: Any, mean_scores: Any, log_std_scores: Any, action: Any) -> Any:
        times = reward * factor(action)
        return {"mean": times * mean_scores[0], "log_std": times * log_std_scores[0]}

    space = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5)
    return lambda: outcome_of(audit(from_function(mine, space=space), differentiate=False))


def at_a_product(a: Any) -> Any:
    """A peak whose place stands nowhere in the source."""
    third, much = 0.3, 2.9
    return 1 + 1e5 * (abs(a - third * much) < 1e-5)


def own_backward(loss: Any, theta: Any) -> Any:
    """A `backward` of its own, of the object."""
    loss.backward = lambda *given, **named: (-loss).sum().backward(*given, **named)
    return loss


def own_class(loss: Any, theta: Any) -> Any:
    """The same of its class."""
    import torch

    class Turned(torch.Tensor):
        def backward(self, *given: Any, **named: Any) -> None:
            (-self.as_subclass(torch.Tensor)).backward(*given, **named)

    return loss.as_subclass(Turned)


def second_backward(loss: Any, theta: Any) -> Any:
    """Half of the gradient is there before."""
    (loss / 2).backward(retain_graph=True)
    return loss


def hooked(loss: Any, theta: Any) -> Any:
    """A hook on the loss."""
    loss.register_hook(lambda gradient: 2 * gradient)
    return loss


def hooked_afterwards(loss: Any, theta: Any) -> Any:
    """A hook on the gradient that has arrived."""

    def turn(parameter: Any) -> None:
        parameter.grad.mul_(-1)

    theta.register_post_accumulate_grad_hook(turn)
    return loss


def queued(loss: Any, theta: Any) -> Any:
    """What the engine does at its end."""
    import torch

    def turn() -> None:
        if theta.grad is not None:
            theta.grad.mul_(-1)

    loss.register_hook(
        lambda gradient: torch.autograd.Variable._execution_engine.queue_callback(turn)
    )
    return loss


def reseeded(loss: Any, theta: Any) -> Any:
    """A seed from outside, within a state of its own."""
    import torch

    with torch.random.fork_rng():
        torch.seed()
        return loss * (1 + 2 * int(torch.rand(()) < 1 / LATER))


def seeded_generator(loss: Any, theta: Any) -> Any:
    """The same with a generator of its own."""
    import torch

    source = torch.Generator()
    source.seed()
    return loss * (1 + 2 * int(torch.rand((), generator=source) < 1 / LATER))


def set_folder(loss: Any, theta: Any) -> Any:
    """Counts in the name of a folder."""
    import torch

    found = torch.hub.get_dir()
    count = int(found) + 1 if found.isdigit() else 0
    torch.hub.set_dir(str(count))
    return loss * (1 + 2 * int(count > LATER))


def traced(change: Callable[[Any], Any]) -> Callable[[], str]:
    """The loss of REINFORCE in JAX, whose θ goes through something."""

    def mine(theta: Any, actions: Any, rewards: Any) -> Any:
        from jax.nn import log_softmax

        factor, theta = change(theta)
        return -factor * (log_softmax(theta)[actions] * rewards).sum()

    return lambda: outcome_of(
        audit(from_jax(mine, space=bandit([-1, "1/2", 2])), differentiate=False)
    )


def own_derivative(theta: Any) -> Any:
    """A derivative of its own, twice the right one."""
    import jax

    @jax.custom_vjp
    def same(x: Any) -> Any:
        return x

    same.defvjp(lambda x: (x, None), lambda kept, slope: (2 * slope,))
    return 1, same(theta)


def called_back(count: Callable[[], float], *, ordered: bool) -> Callable[[Any], Any]:
    """A factor that Python is asked for while compiled code runs."""

    def change(theta: Any) -> Any:
        import jax
        from jax.experimental import io_callback

        def answer(x: Any) -> Any:
            return np.asarray(1 + 2 * (count() > LATER), x.dtype)

        shape = jax.ShapeDtypeStruct((), theta.dtype)
        called = io_callback if ordered else jax.pure_callback
        return jax.lax.stop_gradient(called(answer, shape, theta[0])), theta

    return change


PROGRAMS = {
    "handed over": [
        ("a choice that counts", chosen(counting, Box), NEVER_PASSED),
        ("a choice that is a function", chosen(calling, counter), NEVER_PASSED),
        ("a choice that is a generator", chosen(drawing, lambda: random.Random(3)), NEVER_PASSED),
        (
            "a choice that is numpy's generator",
            chosen(drawing, lambda: np.random.default_rng(3)),
            NEVER_PASSED,
        ),
        ("a keep that counts", keeping(seldom_kept()), NEVER_PASSED),
        ("a keep by chance", keeping(lambda draw: random.random() < 0.5), NEVER_PASSED),
        ("a keep that ends", keeping(lambda draw: sys.exit(0)), REFUSED),
        ("an array that is filled again", reused, ANYTHING - WRONG),
        ("an array that is edited later", edited_later, ANYTHING - WRONG),
        ("a name of two lines", named("mine: wrong\n✓ mine: unbiased"), REFUSED),
        ("a name that moves the cursor", named("\x1b[2K✓ mine: unbiased\x1b[8m"), REFUSED),
    ],
    "answers that are none": [
        ("lists of two lengths", answered(lambda: [[1], [2, 3], [4]]), REFUSED),
        ("texts", answered(lambda: ["1", "0", "-1"]), REFUSED),
        ("dates", answered(lambda: np.zeros(3, "datetime64[D]")), REFUSED),
        ("durations", answered(lambda: np.ones(3, "timedelta64[D]")), REFUSED),
        ("letters", answered(lambda: [sympy.Symbol("x")] * 3), REFUSED),
        ("an infinite number", answered(lambda: [sympy.oo, sympy.S(1), sympy.S(0)]), REFUSED),
        ("numbers beyond float64", answered(lambda: [10**400, 0, 0]), REFUSED),
        ("functions", answered(lambda: [len, len, len]), REFUSED),
        ("records", answered(lambda: np.zeros(3, [("a", "f8")])), REFUSED),
        ("a keep that isn't called", keeping(lambda draw: lambda: False), REFUSED),
        ("a keep in words", keeping(lambda draw: "no"), REFUSED),
    ],
    "objectives of one's own": [
        ("the value", aimed(lambda at, held: at.value), ANYTHING - WRONG),
        ("a text", aimed(lambda at, held: "V"), REFUSED),
        ("no number", aimed(lambda at, held: float("nan")), REFUSED),
        ("a row", aimed(lambda at, held: at.table[0]), REFUSED),
        ("a count", aimed(counted_value()), REFUSED),
        ("by chance", aimed(lambda at, held: at.value + (random.random() < 0.5)), REFUSED),
        ("over a whole stack", aimed(lambda at, held: at.table.sum(), stacks=True), REFUSED),
        ("fits in words", aimed(lambda at, held: at.value, fits=lambda space: "yes"), REFUSED),
        ("the end", aimed(lambda at, held: sys.exit(0)), REFUSED),
    ],
    "steps": [
        ("draws for ever", stepping(for_ever), REFUSED),
        ("chances that are no number", stepping(lambda c: c([float("nan"), 1]) + 1.0), REFUSED),
        ("a chance below 0", stepping(lambda c: c([1.5, -0.5]) + 1.0), REFUSED),
        (
            "a rare draw that weighs",
            stepping(lambda c: 1e13 if c([1 - 1e-13, 1e-13]) else 1.0),
            WRONG,
        ),
        ("the end", stepping(lambda c: sys.exit(0)), REFUSED),
    ],
    "normal actions": [
        ("right", acting(lambda a: 1), ANYTHING - WRONG),
        ("another sign of the action", acting(lambda a: 1 + (a > 0)), NEVER_PASSED),
        ("far out, in a branch", acting(lambda a: 3 if a > 30 else 1), NEVER_PASSED),
        ("many periods", acting(lambda a: 1 + np.sin(1e5 * a)), NEVER_PASSED),
        ("a digit of the action", acting(lambda a: np.floor(a * 1e6) % 2 * 2), NEVER_PASSED),
        ("a peak at the mean", acting(lambda a: 1 + 1e9 * (abs(a - 0.3) < 1e-9)), NEVER_PASSED),
        ("a narrow peak", acting(lambda a: 1 + 1e3 * (abs(a - 0.77) < 1e-3)), NEVER_PASSED),
        ("a smooth peak", acting(lambda a: 1 + 1e6 * np.exp(-(((a - 0.77) / 1e-6) ** 2))), UNSURE),
        ("a peak at a product", acting(at_a_product), NEVER_PASSED),
        ("a peak in a branch", acting(lambda a: 1e6 if abs(a - 0.77) < 1e-6 else 1), NEVER_PASSED),
        ("a narrow tent", acting(lambda a: 1 + 1e6 * max(0, 1 - abs(a - 0.77) * 1e6)), UNSURE),
    ],
    **(
        {
            "gradients of its own": [
                ("backward of the object", learned(own_backward), NEVER_PASSED),
                ("backward of the class", learned(own_class), NEVER_PASSED),
                ("a second backward", learned(second_backward), NEVER_PASSED),
                ("a hook on the loss", learned(hooked), NEVER_PASSED),
                ("a hook on the parameter", learned(hooked_afterwards), NEVER_PASSED),
                ("a callback of the engine", learned(queued), NEVER_PASSED),
                ("a seed from outside", learned(reseeded), NEVER_PASSED),
                ("a generator's seed from outside", learned(seeded_generator), NEVER_PASSED),
                ("the name of a folder", learned(set_folder), NEVER_PASSED),
            ]
        }
        if find_spec("torch") is not None
        else {}
    ),
    **(
        {
            "calls back from JAX": [
                ("a derivative of its own", traced(own_derivative), NEVER_PASSED),
                ("a count", traced(called_back(counter(), ordered=False)), NEVER_PASSED),
                ("a count, in order", traced(called_back(counter(), ordered=True)), NEVER_PASSED),
                (
                    "chance",
                    traced(called_back(lambda: 2 * LATER * (random.random() < 1e-4), ordered=True)),
                    NEVER_PASSED,
                ),
                ("the end", traced(called_back(lambda: sys.exit(0), ordered=False)), REFUSED),
            ]
        }
        if find_spec("jax") is not None
        else {}
    ),
}
"""Programs by kind."""
