"""What an update may follow: scalar functions of the policy on a space, each with its exact
gradient.

The stated target is compared first; if the update follows something else, these are the candidates
it is recognised among. All are objectives to be *ascended*; write `-kl_to_reference` for a
divergence to be made small, `value + 0.1 * entropy` for a sum, in quotes or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit.behaviour_objectives import BEHAVIOUR_OBJECTIVES
from altpg_verify.audit.declarations import shown
from altpg_verify.audit.episode_arrays import total
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objective_sums import NoSum, objective_sum
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.return_objectives import RETURN_OBJECTIVES
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.errors import BadInput


def _one_step(space: Space) -> bool:
    return space.horizon == 1


def _several_steps(space: Space) -> bool:
    """Steps of one after the other, not agents that act at once."""
    return space.horizon > 1 and space.game is None


def _discounted(space: Space) -> bool:
    return space.discount != 1 and space.horizon > 1


def _undiscounted(tables: Tables, held: Tables) -> Any:
    return tables.expectation(tables.numbers(tables.arrays.returns(Fraction(1)))[:, 0])


def _mean_return_to_go(tables: Tables, held: Tables) -> Any:
    lengths = tables.arrays.lengths if tables.floats else tables.arrays.lengths.astype(object)
    return tables.expectation(total(tables.returns_to_go) / lengths)


def _sampled_entropy(tables: Tables, held: Tables) -> Any:
    return -_log_ratio(tables, tables.probabilities, tables.table, None)


def _log_ratio(
    tables: Tables, probabilities: np.ndarray, above: np.ndarray, below: np.ndarray | None
) -> Any:
    """Σ_episodes P Σ_t log above(a|s) - log below(a|s); a step that can't happen counts nothing."""
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    arrays = tables.arrays
    ratio = np.log(above) if below is None else np.log(above) - np.log(below)
    logs = np.where(arrays.steps, ratio[..., arrays.states, arrays.actions], 0.0).sum(axis=-1)
    # 0 · log 0 is 0
    return np.where(probabilities == 0, 0.0, probabilities * logs).sum(axis=-1)


def _kl_to_reference(tables: Tables, held: Tables) -> Any:
    return _log_ratio(tables, tables.probabilities, tables.table, held.ref)


def _kl_from_reference(tables: Tables, held: Tables) -> Any:
    reference = Tables(tables.space, held.ref)
    return _log_ratio(tables, reference.probabilities, held.ref, tables.table)


def _probability(tables: Tables, held: Tables) -> Any:
    arrays = tables.arrays
    return total(
        tables.probabilities * tables.table[..., arrays.states[:, 0], arrays.actions[:, 0]]
    )


def _behaviour_value(tables: Tables, held: Tables) -> Any:
    return Tables(tables.space, tables.mu).value


def _log_epsilon(tables: Tables, held: Tables) -> Any:
    eps = float(tables.space.constants["eps"])
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    states, actions, weights, q = _cells(held)
    p = tables.table[..., states, actions]
    return (weights * q * (p - eps * np.log(1.0 + p / eps))).sum(axis=-1)


def _cells(held: Tables) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """State, action, the state's weight and the action's value of every choice in one-step
    problems, the last two as floats.
    """
    arrays = held.arrays
    cells = np.array(
        list(dict.fromkeys(zip(arrays.starts.tolist(), arrays.actions[:, 0].tolist(), strict=True)))
    )
    weights = {start: float(held.space.start_weight(start)) for start in held.space.starts}
    states, actions = cells[:, 0], cells[:, 1]
    return (
        states,
        actions,
        np.array([weights[state] for state in states.tolist()]),
        held.q[states, actions].astype(float),
    )


def _square_of_mean(tables: Tables, held: Tables) -> Any:
    u = [
        tables.number(Fraction(entry)) for entry in np.asarray(tables.space.constants["u"]).tolist()
    ]
    mean = tables.expectation(lambda episode: u[episode.actions[0]])
    return mean * mean


def _linear_in_logits(tables: Tables, held: Tables) -> Any:
    # Σ (q - mean q) log π = Σ (q - mean q) θ: the constant in every log π drops out
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    states, actions, _, q = _cells(held)
    means = {start: q[states == start].mean() for start in tables.space.starts}
    return (
        (q - np.array([means[state] for state in states.tolist()]))
        * np.log(tables.table[..., states, actions])
    ).sum(axis=-1)


def _over_length(baseline: bool) -> Callable[[Tables, Tables], Any]:
    def at(tables: Tables, held: Tables) -> Any:
        b = held.value if baseline else 0
        lengths = tables.arrays.lengths if tables.floats else tables.arrays.lengths.astype(object)
        return tables.expectation((tables.returns_to_go[:, 0] - b) / lengths)

    return at


def _less_action_baseline(tables: Tables, held: Tables) -> Any:
    b = [tables.number(entry) for entry in tables.space.constants["b"]]
    return tables.value - tables.expectation(lambda episode: b[episode.actions[0]])


_stacking = partial(Objective, stacks=True)

value = _stacking("the value V", "V", lambda tables, held: tables.value)
"""V = E[Σ γᵗ r_t] from the start."""
undiscounted_value = _stacking("the undiscounted value", "E[Σ rₜ]", _undiscounted, _discounted)
"""E[Σ r_t] from the start, whatever the space's discount."""
entropy = _stacking("the entropy H(π)", "H", _sampled_entropy)
"""H = E[Σ -log π(A_t | S_t)] over an episode, in nats."""
kl_to_reference = _stacking(
    "the reverse KL(π‖ref)",
    "KL(π‖ref)",
    _kl_to_reference,
    lambda space: space.reference is not None,
)
"""KL(π‖ref) of whole episodes: E under π of log π - log ref; it needs a reference policy
(`Space.against`).
"""
kl_from_reference = _stacking(
    "the forward KL(ref‖π)",
    "KL(ref‖π)",
    _kl_from_reference,
    lambda space: space.reference is not None,
)
"""KL(ref‖π) of whole episodes: E under the reference policy of log ref - log π."""
return_over_length = _stacking(
    "E[R / length]", "E[R / length]", _over_length(False), _several_steps
)
centred_over_length = _stacking(
    "E[(R - b) / length] with b held at V",
    "E[(R - b) / length]",
    _over_length(True),
    _several_steps,
    holds=("value",),
)
mean_return_to_go = _stacking(
    "the mean over steps of the return to go", "E[(1/T) Σₜ Gₜ]", _mean_return_to_go, _several_steps
)
squared_probability = _stacking(
    "the mean squared probability E[π(A)]", "Σ π²", _probability, _one_step
)
behaviour_value = _stacking(
    "the value of the policy that is sampled",
    "V(μ)",
    _behaviour_value,
    lambda space: callable(space.behaviour),
    of_parameters=True,
)
log_with_epsilon = _stacking(
    "Σ r (π - ε log(1 + π/ε))",
    "Σ r (π - ε log(1 + π/ε))",
    _log_epsilon,
    lambda space: _one_step(space) and "eps" in space.constants,
)
square_of_mean = _stacking(
    "(E u)²",
    "(E u)²",
    _square_of_mean,
    lambda space: _one_step(space) and np.ndim(space.constants.get("u", 0)) == 1,
)
linear_in_logits = _stacking(
    "Σ r θ, the rewards times the logits", "Σ r θ", _linear_in_logits, _one_step
)
squared_value = _stacking("V²", "V²", lambda tables, held: tables.value * tables.value)
less_action_baseline = _stacking(
    "E[R - b(A)] with b held",
    "E[R - b(A)]",
    _less_action_baseline,
    lambda space: _one_step(space) and np.ndim(space.constants.get("b", 0)) == 1,
)
OBJECTIVES: dict[str, Objective] = {
    "value": value,
    "undiscounted_value": undiscounted_value,
    "entropy": entropy,
    "kl_to_reference": kl_to_reference,
    "kl_from_reference": kl_from_reference,
    "return_over_length": return_over_length,
    "centred_over_length": centred_over_length,
    "mean_return_to_go": mean_return_to_go,
    "squared_probability": squared_probability,
    "behaviour_value": behaviour_value,
    "log_with_epsilon": log_with_epsilon,
    "square_of_mean": square_of_mean,
    "less_action_baseline": less_action_baseline,
    "linear_in_logits": linear_in_logits,
    "squared_value": squared_value,
    **RETURN_OBJECTIVES,
    **BEHAVIOUR_OBJECTIVES,
}
"""Candidates, in the order in which they are tried."""


def objective_named(target: Any) -> Objective:
    """An objective from its name ("value", "-kl_to_reference"), from a sum of names ("value + 0.1 *
    entropy"), or itself.

    Raises:
        BadInput: no such name, or no such sum.
    """
    if isinstance(target, Objective):
        return target
    if isinstance(target, str):
        try:
            return objective_sum(target, OBJECTIVES)
        except NoSum:
            pass
    hint = _meant(target) if isinstance(target, str) else ""
    raise BadInput(
        f"target {shown(target)} is not known{f' ({hint})' if hint else ''}; choose from"
        f" {', '.join(OBJECTIVES)}, with - for a thing to be made small, or write a sum of them:"
        ' "value + 0.1 * entropy"'
    )


def _meant(text: str) -> str:
    """What a name in a text that is no objective may be; empty if nothing is like it."""
    names = re.findall(r"[A-Za-z_]\w*", text)
    return next((did_you_mean(each, OBJECTIVES) for each in names if each not in OBJECTIVES), "")
