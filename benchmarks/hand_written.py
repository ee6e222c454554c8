"""What is timed: losses and updates as people write them, and the program that an expert would write
by hand for each, over all draws at the policies that an audit compares.

Such a program computes what the verdict states: E[g], ∇V and the variance at every policy, and a
curl where the verdict rests on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.objectives import objective_named
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space

PLACES = 4
"""Policies that an audit compares at least."""

BLOCK = 1 << 15
"""Draws that a hand-written program holds at once where they are many."""

ASYMMETRIC = 1e-8
"""A Jacobian that is so far from symmetric isn't that of a gradient."""


@dataclass
class ByHand:
    """What a hand-written program found, one entry a policy.

    Attributes:
        means: E[g], flattened; ascent directions.
        gradients: the gradient of the expected return.
        variances: the trace of the covariance.
        curls: max |J - Jᵀ| of the Jacobian of E[g]: policy by policy until one shows that it isn't
            a gradient; empty where the verdict rests on no curl.
    """

    means: list[np.ndarray] = field(default_factory=list)
    gradients: list[np.ndarray] = field(default_factory=list)
    variances: list[float] = field(default_factory=list)
    curls: list[float] = field(default_factory=list)

    def add(self, space: Space, place: Any, weights: Any, updates: Any) -> None:
        """What all draws give at a policy; updates are (B, n)."""
        mean = weights @ updates
        self.add_mean(space, place, mean, float(weights @ ((updates - mean) ** 2).sum(axis=1)))

    def add_mean(self, space: Space, place: Any, mean: np.ndarray, variance: float) -> None:
        """The same, where draws were added up block by block."""
        self.means.append(mean)
        self.variances.append(variance)
        value = objective_named("value")
        self.gradients.append(value.gradient(space, tuple(space.policy.shapes), place))

    @property
    def curl_is_open(self) -> bool:
        """No policy so far has shown a curl."""
        return not self.curls or self.curls[-1] <= ASYMMETRIC

    def add_jacobian(self, weights: Any, updates: Any, scores: Any, slopes: Any) -> None:
        """∂E[g]/∂θ = E[g scoreᵀ + ∂g/∂θ]; scores are None where draws don't follow the policy."""
        jacobian = np.tensordot(weights, slopes, axes=1)
        if scores is not None:
            jacobian = jacobian + (weights[:, None] * updates).T @ scores
        self.curls.append(float(np.abs(jacobian - jacobian.T).max()))


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


def written_masked(theta: Any, states: Any, actions: Any, rewards: Any, mask: Any) -> Any:
    """`masked` of the policy's logits: one a state, of going on or winning."""
    import torch

    logits = torch.stack([torch.zeros_like(theta), theta], dim=-1)
    return masked(logits.log_softmax(-1)[states, actions] * mask, rewards, mask)


def written_grouped(theta: Any, states: Any, actions: Any, rewards: Any) -> Any:
    """`grouped` of the policy's logits."""
    return grouped(theta.log_softmax(-1)[states, actions], rewards)


def by_place(rewards: Any, scores: Any) -> Any:
    """Later members count more, so that every sequence counts."""
    weights = np.arange(1.0, 1.0 + len(rewards))
    return ((weights * rewards)[:, None] * scores).mean(axis=0)


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


def scores_of(draws: Draws) -> np.ndarray | None:
    """(B, n) ∇ log of the probability of each draw; None where it isn't the policy that draws."""
    if draws.space.behaviour is not None:
        return None
    scores: np.ndarray = draws.array("scores")
    return scores.reshape(len(scores), -1, scores.shape[-1]).sum(axis=1)


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """Torch on one thread, in float64, as an audit has it: on arrays of this size a second one
    gains nothing, and on a busy machine it waits.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.set_default_dtype(torch.float32)


def in_torch(
    function: Callable[..., Any], *names: str, curl: bool = False
) -> Callable[[Space], ByHand]:
    """vmap of the gradient of a loss of theta, over all draws; for a curl also of its Hessian."""

    def run(space: Space) -> ByHand:
        import torch

        axes = (None, *(0 for _ in names))
        gradient = torch.func.vmap(torch.func.grad(function), in_dims=axes)
        hessian = torch.func.vmap(torch.func.jacrev(torch.func.grad(function)), in_dims=axes)
        found = ByHand()
        with one_thread(torch):
            for place in points(space, PLACES):
                draws, weights = all_draws(space, place)
                theta = torch.tensor(place["theta"])
                data = [torch.tensor(draws.array(name)) for name in names]
                updates = -gradient(theta, *data).numpy().reshape(len(weights), -1)
                found.add(space, place, weights, updates)
                if curl and found.curl_is_open:
                    size = updates.shape[1]
                    slopes = -hessian(theta, *data).numpy().reshape(-1, size, size)
                    found.add_jacobian(weights, updates, scores_of(draws), slopes)
        return found

    return run


def in_jax(
    function: Callable[..., Any], *names: str, curl: bool = False
) -> Callable[[Space], ByHand]:
    """The same in JAX, compiled."""

    def run(space: Space) -> ByHand:
        import jax

        axes = (None, *(0 for _ in names))
        found = ByHand()
        with jax.enable_x64(True):
            gradient = jax.jit(jax.vmap(jax.grad(function), in_axes=axes))
            hessian = jax.jit(jax.vmap(jax.hessian(function), in_axes=axes))
            for place in points(space, PLACES):
                draws, weights = all_draws(space, place)
                theta = jax.numpy.asarray(place["theta"])
                data = [jax.numpy.asarray(draws.array(name)) for name in names]
                updates = -np.asarray(gradient(theta, *data)).reshape(len(weights), -1)
                found.add(space, place, weights, updates)
                if curl and found.curl_is_open:
                    size = updates.shape[1]
                    slopes = -np.asarray(hessian(theta, *data)).reshape(-1, size, size)
                    found.add_jacobian(weights, updates, scores_of(draws), slopes)
        return found

    return run


def mean_by_hand(space: Space) -> ByHand:
    """`own_mean` on stacked arrays."""
    found = ByHand()
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        rewards, scores = draws.array("rewards"), draws.array("scores")
        centred = rewards - rewards.mean(axis=1, keepdims=True)
        found.add(space, place, weights, (centred[:, :, None] * scores).mean(axis=1))
    return found


def others_by_hand(space: Space) -> ByHand:
    """`leave_one_out` on stacked arrays."""
    found = ByHand()
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        rewards, scores = draws.array("rewards"), draws.array("scores")
        others = (rewards.sum(axis=1, keepdims=True) - rewards) / (space.size - 1)
        found.add(space, place, weights, ((rewards - others)[:, :, None] * scores).mean(axis=1))
    return found


def places_by_hand(space: Space) -> ByHand:
    """`by_place` on stacked arrays, a block at a time."""
    (part,) = Enumeration(space).parts
    weights = np.arange(1.0, 1.0 + space.size)
    found = ByHand()
    for place in points(space, PLACES):
        tables, total, squares = Tables.at(space, place), 0.0, 0.0
        for start in range(0, part.count, BLOCK):
            numbers = np.arange(start, min(start + BLOCK, part.count))
            draws = Draws(tables, part.indices(numbers))
            chances = part.times(numbers) * np.multiply.reduce(
                tables.sampled[draws.indices], axis=-1
            )
            rewards, scores = draws.array("rewards"), draws.array("scores")
            updates = ((weights * rewards)[:, :, None] * scores).mean(axis=1)
            total = total + chances @ updates
            squares += float(chances @ (updates**2).sum(axis=1))
        mean = np.asarray(total)
        found.add_mean(space, place, mean, squares - float(mean @ mean))
    return found


def network_by_hand(space: Space) -> ByHand:
    """`network_update` on stacked arrays."""
    found = ByHand()
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        rewards, actions = draws.array("rewards"), draws.array("actions")
        hidden, v = np.tanh(place["w"]), place["v"]
        gaps = np.eye(4)[actions] - np.asarray(draws.tables.table)[0]
        slopes = (rewards[:, :, None] * gaps).mean(axis=1)
        inner = (slopes @ v.T) * (1 - hidden**2)
        outer = (hidden[:, None] * slopes[:, None, :]).reshape(len(slopes), -1)
        found.add(space, place, weights, np.concatenate([inner, outer], axis=1))
    return found


def step_by_hand(space: Space) -> ByHand:
    """`one_step` on stacked arrays."""
    found = ByHand()
    for place in points(space, PLACES):
        draws, weights = all_draws(space, place)
        found.add(space, place, weights, draws.array("reward")[:, None] * draws.array("score"))
    return found


def network_update(rewards: Any, logprobs: Any, w: Any, v: Any, actions: Any, pi: Any) -> Any:
    """REINFORCE through a network of one hidden layer, written out."""
    hidden = np.tanh(w)
    slope = (
        rewards[:, None] * (np.stack([1.0 * (actions == a) for a in range(4)], axis=-1) - pi)
    ).mean(axis=0)
    return {"v": hidden[:, None] * slope[None, :], "w": (v @ slope) * (1 - hidden**2)}
