"""Audits of losses, timed beside what an expert would write by hand for that one loss, and beside
one call a draw.

    python -m benchmarks.audits [--only whitened] [--rounds 3]

All contenders of a case take turns in one run; the smallest of several rounds counts. The
hand-written program computes the expected update at the policies that an audit compares, over the
same draws, and nothing else; the audit also compares it with its objective, looks at further
policies, asks whether the loss is pure, and puts the verdict into words. `one call a draw` is the
same audit with the batched mode switched off; where it would take minutes it is timed on a share of
the draws, and the line says so.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from altpg_verify.audit import audit, bandit, contexts, loss, update, with_policy
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update

PLACES = 4
"""Policies that an audit compares at least."""

SLOW_DRAWS = 2_000
"""Draws on which one call a draw is timed where there are more."""

FOUR = bandit([1, "1/2", "1/3", 0])
EIGHT = bandit([[(0, "1/2"), (1, "1/2")]] * 4, name="four coins")


@dataclass(frozen=True)
class Case:
    """One loss on one space.

    Args:
        name: what is printed.
        made: the update, made anew for each round, so that nothing is remembered.
        by_hand: the space -> the expected update at each of the audit's policies; None where there
            is nothing to write by hand.
        goal: how many times the hand-written program's time the audit may take; None for no goal.
        seconds: how long the audit may take; None for no goal.
    """

    name: str
    made: Callable[[], Update]
    by_hand: Callable[[Space], Any] | None = None
    goal: float | None = None
    seconds: float | None = None


def whitened(theta: Any, actions: Any, rewards: Any) -> Any:
    """Rewards less their mean, over their standard deviation."""
    advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
    return -(theta.log_softmax(-1)[actions] * advantages).mean()


def in_order(theta: Any, actions: Any, rewards: Any) -> Any:
    """Looks at the order of a batch, so that every sequence counts."""
    weights = 1.0 + 0.5 * (actions[0] > actions[-1])
    return -(theta.log_softmax(-1)[actions] * rewards).mean() * weights


def clipped(theta: Any, actions: Any, rewards: Any, old_logprobs: Any) -> Any:
    """PPO's surrogate."""
    import torch

    ratio = (theta.log_softmax(-1)[actions] - old_logprobs).exp()
    return -torch.minimum(ratio * rewards, ratio.clamp(0.8, 1.2) * rewards).mean()


def with_kl(theta: Any, actions: Any, rewards: Any, ref_logprobs: Any) -> Any:
    """Reward less the k3 estimator of KL(π‖ref), differentiated."""
    logprobs = theta.log_softmax(-1)[actions]
    gap = ref_logprobs - logprobs
    return (-logprobs * rewards + 0.1 * (gap.exp() - gap - 1)).mean()


def masked(logprobs: Any, rewards: Any, mask: Any) -> Any:
    """Returns of token sequences, averaged over the tokens that there are."""
    returns = rewards.sum(-1, keepdim=True)
    return -(logprobs * (returns - returns.mean()) * mask).sum() / mask.sum()


def grouped(logprobs: Any, rewards: Any) -> Any:
    """A group from each prompt, its rewards less their mean."""
    return -(logprobs * (rewards - rewards.mean(-1, keepdim=True))).mean()


def own_mean(rewards: Any, scores: Any) -> Any:
    """Rewards less the batch's mean."""
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


def leave_one_out(rewards: Any, scores: Any) -> Any:
    """Rewards less the mean of the others."""
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return ((rewards - others)[:, None] * scores).mean(axis=0)


def one_step(reward: Any, score: Any) -> Any:
    """The likelihood-ratio estimator."""
    return reward * score


def jax_whitened(theta: Any, actions: Any, rewards: Any) -> Any:
    """`whitened` in JAX."""
    import jax

    advantages = (rewards - rewards.mean()) / (rewards.std(ddof=1) + 1e-4)
    return -(jax.nn.log_softmax(theta)[actions] * advantages).mean()


def network(parameters: Any) -> np.ndarray:
    """Logits of a small network of one hidden layer; one state."""
    hidden = np.tanh(parameters["w"])
    return (hidden @ parameters["v"])[None, :]


def all_draws(space: Space, place: Any) -> tuple[Draws, np.ndarray]:
    """Every draw of a space of one shape at a policy, with its probability."""
    (part,) = Enumeration(space, space.exchangeable).parts
    numbers = np.arange(part.count)
    tables = Tables.at(space, place)
    indices = part.indices(numbers)
    return Draws(tables, indices), part.times(numbers) * np.multiply.reduce(
        tables.sampled[indices], axis=-1
    )


def in_torch(function: Callable[..., Any], *names: str) -> Callable[[Space], Any]:
    """vmap of the gradient of a loss of theta, over all draws."""

    def run(space: Space) -> list[Any]:
        import torch

        torch.set_default_dtype(torch.float64)
        gradient = torch.func.vmap(torch.func.grad(function), in_dims=(None, *(0 for _ in names)))
        found = []
        for place in points(space, PLACES):
            draws, weights = all_draws(space, place)
            data = [torch.tensor(draws.array(name)) for name in names]
            found.append(-(torch.tensor(weights) @ gradient(torch.tensor(place["theta"]), *data)))
        torch.set_default_dtype(torch.float32)
        return found

    return run


def in_jax(function: Callable[..., Any], *names: str) -> Callable[[Space], Any]:
    """The same in JAX, compiled."""

    def run(space: Space) -> list[Any]:
        import jax

        with jax.enable_x64(True):
            gradient = jax.jit(jax.vmap(jax.grad(function), in_axes=(None, *(0 for _ in names))))
            found = []
            for place in points(space, PLACES):
                draws, weights = all_draws(space, place)
                data = [jax.numpy.asarray(draws.array(name)) for name in names]
                found.append(
                    np.asarray(-(weights @ gradient(jax.numpy.asarray(place["theta"]), *data)))
                )
            return found

    return run


def mean_by_hand(space: Space) -> list[Any]:
    """`own_mean` on stacked arrays."""
    found = []
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        rewards, scores = draws.array("rewards"), draws.array("scores")
        found.append(
            weights
            @ ((rewards - rewards.mean(axis=1, keepdims=True))[:, :, None] * scores).mean(axis=1)
        )
    return found


def others_by_hand(space: Space) -> list[Any]:
    """`leave_one_out` on stacked arrays."""
    found = []
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        rewards, scores = draws.array("rewards"), draws.array("scores")
        others = (rewards.sum(axis=1, keepdims=True) - rewards) / (space.size - 1)
        found.append(weights @ ((rewards - others)[:, :, None] * scores).mean(axis=1))
    return found


def step_by_hand(space: Space) -> list[Any]:
    """`one_step` on stacked arrays."""
    found = []
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        found.append(weights @ (draws.array("reward")[:, None] * draws.array("score")))
    return found


def _torch(function: Callable[..., Any], space: Space, **options: Any) -> Callable[[], Update]:
    return lambda: loss(space=space, **options)(function)


def _numpy(function: Callable[..., Any], space: Space) -> Callable[[], Update]:
    return lambda: update(space=space)(function)


def _network_space() -> Space:
    return with_policy(
        FOUR, network, w=np.linspace(-1, 1, 3), v=np.linspace(-1, 1, 12).reshape(3, 4)
    ).batch(5)


OFF_POLICY = FOUR.sampled_by(["1/4", "1/4", "1/4", "1/4"]).batch(6)
TWO_PROMPTS = contexts([[1, 0, "1/2"], [0, 1, "1/3"]]).group(3, every_start=True)
TAUGHT = FOUR.against(["1/2", "1/6", "1/6", "1/6"]).batch(6)
DATA = ("actions", "rewards")

CASES = (
    Case(
        "torch, 3 arms, batch of 6, whitened",
        _torch(whitened, bandit([1, "1/2", 0]).batch(6)),
        in_torch(whitened, *DATA),
    ),
    Case(
        "torch, 4 arms, batch of 8, whitened",
        _torch(whitened, FOUR.batch(8)),
        in_torch(whitened, *DATA),
        1.5,
        3.0,
    ),
    Case(
        "torch, 4 arms, batch of 8, looks at the order",
        _torch(in_order, FOUR.batch(8)),
        in_torch(in_order, *DATA),
    ),
    Case(
        "numpy, 4 arms, batch of 8, own mean",
        _numpy(own_mean, FOUR.batch(8)),
        mean_by_hand,
        1.5,
        1.5,
    ),
    Case(
        "numpy, 4 arms, batch of 8, leave one out",
        _numpy(leave_one_out, FOUR.batch(8)),
        others_by_hand,
        1.5,
    ),
    Case(
        "JAX, 4 arms, batch of 8, whitened",
        _torch(jax_whitened, FOUR.batch(8), framework="jax"),
        in_jax(jax_whitened, *DATA),
    ),
    Case(
        "torch, 8 arms, batch of 3",
        _torch(whitened, bandit(list(range(8))).batch(3)),
        in_torch(whitened, *DATA),
    ),
    Case("torch, two prompts, a group of 3 from each", _torch(grouped, TWO_PROMPTS)),
    Case(
        "torch, sequences of one or two tokens with masks, batch of 6",
        _torch(masked, stop_or_go().batch(6)),
    ),
    Case(
        "torch, PPO clip off policy, batch of 6",
        _torch(clipped, OFF_POLICY),
        in_torch(clipped, *DATA, "old_logprobs"),
    ),
    Case(
        "torch, KL in the loss, batch of 6",
        _torch(with_kl, TAUGHT),
        in_torch(with_kl, *DATA, "ref_logprobs"),
    ),
    Case(
        "numpy, a small network as policy, batch of 5",
        lambda: update(space=_network_space())(network_update),
    ),
    Case(
        "numpy, one step, 60 arms",
        _numpy(one_step, bandit(list(range(60)))),
        step_by_hand,
        None,
        1.0,
    ),
    Case("numpy, one step, 1,000 arms", _numpy(one_step, bandit(list(range(1000)))), step_by_hand),
    Case(
        "torch, a group of 8 from 8 episodes",
        _torch(whitened, EIGHT.batch(8, exchangeable=True)),
        in_torch(whitened, *DATA),
    ),
    Case(
        "torch, a group of 16 from 8 episodes",
        _torch(whitened, EIGHT.batch(16, exchangeable=True)),
        in_torch(whitened, *DATA),
        None,
        5.0,
    ),
)


def network_update(rewards: Any, logprobs: Any, w: Any, v: Any, actions: Any, pi: Any) -> Any:
    """REINFORCE through a network of one hidden layer, written out."""
    hidden = np.tanh(w)
    slope = (
        rewards[:, None] * (np.stack([1.0 * (actions == a) for a in range(4)], axis=-1) - pi)
    ).mean(axis=0)
    return {"v": hidden[:, None] * slope[None, :], "w": (v @ slope) * (1 - hidden**2)}


def timed(run: Callable[[], Any], rounds: int) -> float:
    """The smallest number of seconds of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return best


def draw_by_draw(case: Case) -> tuple[float, float]:
    """Seconds of single calls, and the share of the draws that was timed."""
    one = replace(case.made(), batch=None)
    space = one.space
    sequences = (
        Enumeration(space).count
        if not space.exchangeable
        else Enumeration(space, merged=True).count
    )
    first, *_ = Enumeration(space, space.exchangeable).parts
    numbers = np.arange(min(first.count, SLOW_DRAWS))
    tables = Tables.at(space, space.parameters)
    draws = Draws(tables, first.indices(numbers))
    begin = time.perf_counter()
    for i in range(len(draws)):
        one.at(space.parameters, draws.row(i))
    return (time.perf_counter() - begin) / len(draws) * sequences * PLACES, len(numbers) / sequences


def main(arguments: list[str] | None = None) -> int:
    """Print one line a case; 0 if every goal is met, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.audits", description="Time audits beside hand-written programs."
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains this")
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        metavar="N",
        help="rounds, of which the fastest counts (default 3)",
    )
    options = parser.parse_args(arguments)
    chosen = [case for case in CASES if options.only in case.name]
    fine = True
    print(
        f"{'seconds':<58}{'draws':>11}{'audit':>9}{'by hand':>9}{'ratio':>7}{'one call a draw':>17}"
        "  goals"
    )
    for case in chosen:
        space = case.made().space
        audit(case.made())
        taken = timed(lambda case=case: audit(case.made()), options.rounds)  # type: ignore[misc]
        hand = (
            None
            if case.by_hand is None
            else timed(lambda case=case, space=space: case.by_hand(space), options.rounds)
        )  # type: ignore[misc]
        slow, share = draw_by_draw(case)
        goals = []
        if case.goal is not None and hand is not None:
            goals.append(
                f"at most {case.goal:g} times by hand:"
                f" {'met' if taken <= case.goal * hand else 'NOT MET'}"
            )
        if case.seconds is not None:
            goals.append(
                f"at most {case.seconds:g} s: {'met' if taken <= case.seconds else 'NOT MET'}"
            )
        fine = fine and not any("NOT MET" in goal for goal in goals)
        ratio = "" if hand is None else f"{taken / hand:.2f}"
        by_hand = "" if hand is None else f"{hand:.3f}"
        estimated = "~" if share < 1 else ""
        print(
            f"{case.name:<58}{space.draws_count:>11,}{taken:>9.3f}{by_hand:>9}{ratio:>7}{estimated + format(slow, '.3g'):>17}  "
            + "; ".join(goals),
            flush=True,
        )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
