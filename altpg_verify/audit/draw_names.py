"""The names under which an update gets parts of a draw, and what each is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from altpg_verify.audit.token_rows import ROW_NAMES

DRAWN: Mapping[str, str] = MappingProxyType(
    {
        "action": "the sampled action (draws of one step only)",
        "reward": "its reward (draws of one step only)",
        "e": "(k,) one-hot vector of the sampled action (draws of one step only)",
        "actions": (
            "integers. One episode: (steps,). Batch or group of one-step episodes: (N,); of longer"
            " ones: (N, steps), padded with 0. A group from every start: the same with a leading"
            " axis of starts"
        ),
        "rewards": "as actions",
        "states": "as actions: the state of each step",
        "mask": "as actions: 1.0 where there is a step, 0.0 in the padding",
        "lengths": (
            "actions' shape without the axis of steps: how many steps each episode has (a number"
            " for one episode)"
        ),
        "starts": "as lengths: the state each episode starts in (the prompt)",
        "final_values": (
            "as lengths: value of the state in which a time limit cut the episode off, else 0"
        ),
        "logprobs": "as actions: log π(a | s) under the policy, 0 in the padding",
        "old_logprobs": "as actions: log-probability under the policy that was sampled",
        "ref_logprobs": "as actions: log-probability under the reference policy",
        "tokens": (
            "(rows, T) integers: each episode as a row of tokens, also those that aren't the"
            " policy's; padded"
        ),
        "token_states": "as tokens: the state in which the policy gives the token its probability",
        "token_rewards": (
            "as tokens: the rewards, each with the policy's token that earns it, 0 elsewhere"
        ),
        "response_mask": "as tokens: 1.0 where the token is the policy's, else 0.0",
        "attention_mask": "as tokens: 1.0 where there is a token, 0.0 in the padding",
        "position_ids": "as tokens: how many tokens stand before it in its row",
        "group_ids": (
            "(rows,) the state each row starts in: rows with the same prompt have the same"
        ),
        "score": "as the policy's parameters: ∇ log π(a) (draws of one step only)",
        "scores": "actions' shape + the parameters' shape: ∇ log π(a | s), 0 in the padding",
    }
)
"""What depends on the draw."""


GIVEN: Mapping[str, str] = MappingProxyType(
    {
        "pi": "(k,) the policy, or (states, k) if there are several states",
        "mu": "as pi: the policy that is sampled",
        "ref": "as pi: the reference policy",
        "q": "as pi: expected return after each action",
        "h": "as pi: advantages, q less the value of the state",
        "value": "number: V, the value of the policy from the start",
        "v": "the same as value",
        "values": "(states,) the value of each state",
        "r": "the same as reward",
        "discount": "number: γ",
        "b": "number: a constant baseline, 0 unless the space says otherwise",
    }
)
"""What depends on the policy or the space only."""


ALIASES = {"logits": "theta", "r": "reward", "v": "value"}
"""Other names for the same things."""


FIXED = frozenset(
    {
        "action",
        "reward",
        "e",
        "actions",
        "states",
        "rewards",
        "mask",
        "lengths",
        "starts",
        "final_values",
        "discount",
        "b",
        *ROW_NAMES,
    }
)
"""What no parameter moves."""


OF_POLICY = frozenset({"pi", "mu", "ref", "q", "h", "value", "values", "discount", "b"})
"""What is the same for all draws at one policy."""
