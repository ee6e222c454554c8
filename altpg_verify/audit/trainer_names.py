"""The names under which trainers ask for the parts of a batch, each with the part it means; (rows,
T) tensors unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "log_probs": (
            *("log_prob", "logprobs", "logprob", "logp", "logps", "log_pi", "log_ratios_new"),
            *("new_log_probs", "new_logprobs", "newlogprob", "action_log_probs"),
            *("policy_log_probs", "policy_logprobs", "curr_log_probs", "curr_logprobs"),
            *("current_logprobs", "per_token_logps", "token_logprobs", "logpac"),
        ),
        "old_log_probs": (
            *("old_log_prob", "old_logprobs", "old_logprob", "old_logps", "old_logp"),
            *("old_action_log_probs", "old_per_token_logps", "oldlogprob", "logp_old"),
            *("b_logprobs", "mb_logprobs", "behavior_logprobs", "behavior_log_probs"),
            *("behaviour_logprobs", "prev_logprobs", "rollout_log_probs", "rollout_logprobs"),
            *("sampling_per_token_logps", "generation_logprobs"),
        ),
        "start_log_probs": (),
        "ref_log_probs": (
            "ref_log_prob",
            "ref_logprobs",
            "ref_logprob",
            "ref_logps",
            "ref_per_token_logps",
            "reference_logprobs",
            "reference_log_probs",
            "reference_policy_logprobs",
            "base_action_log_probs",
            "log_probs_base",
        ),
        "advantages": ("advantage", "adv", "advs", "b_advantages", "mb_advantages", "advantages_t"),
        "returns": ("return_", "ret", "rets", "b_returns", "mb_returns", "rewards_to_go", "rtg"),
        "token_rewards": (
            "rewards",
            "rews",
            "token_level_rewards",
            "token_level_scores",
            "reward_tensor",
        ),
        "sequence_rewards": (
            "reward",
            "scores",
            "score",
            "sequence_reward",
            "outcome_rewards",
            "raw_rewards",
            "ep_ret",
        ),
        "response_mask": (
            *("mask", "masks", "eos_mask", "loss_mask", "action_mask", "action_masks"),
            *("completion_mask", "token_mask", "response_masks"),
            *("assistant_mask", "generation_mask"),
        ),
        "attention_mask": ("attn_mask", "padding_mask"),
        "sample_mask": (),
        "position_ids": ("positions",),
        "sequence_ids": ("seq_ids",),
        "tokens": (
            "responses",
            "response_ids",
            "completion_ids",
            "actions",
            "sequences",
            "input_ids",
            "act",
            "acts",
        ),
        "token_states": ("obs", "observations", "b_obs", "mb_obs"),
        "values": (
            *("value", "vpreds", "vpred", "newvalue", "newvalues", "new_values", "value_preds"),
            *("values_pred", "old_values", "b_values", "mb_values", "val", "vals", "baseline"),
        ),
        "final_values": (
            "final_value",
            "last_values",
            "last_val",
            "last_value",
            "next_value",
            "bootstrap_value",
            "bootstrap_values",
        ),
        "logits": ("policy_logits", "token_logits"),
        "next_token_logits": (),
        "entropy": ("entropies", "entropys", "token_entropy"),
        "index": ("uid", "uids", "group_index"),
        "group_ids": ("prompt_ids", "group"),
        "num_items_in_batch": ("batch_num_tokens", "num_total_tokens", "global_valid_toks"),
        "global_batch_size": ("num_sequences", "global_valid_seqs"),
        "world_size": ("dp_size", "num_processes"),
        "discount": ("gamma",),
    }
)
"""Part of a batch -> further names for it."""

MEANING: Mapping[str, str] = MappingProxyType(
    {
        "log_probs": (
            "log π of each token, also of those that aren't the policy's and of the padding; what"
            " is differentiated"
        ),
        "old_log_probs": (
            "the same under the policy that was sampled; 0 where it never samples the token"
        ),
        "start_log_probs": (
            "the same under the trainer's policy when its step begins: the current one, held; what"
            " another name of an old policy means beside one of the rollout's"
        ),
        "ref_log_probs": "the same under the reference policy",
        "advantages": (
            "by the estimator that was named; (rows,) if it gives one for each row and the loss takes"
            " them so, as TRL's"
        ),
        "returns": "at each of the policy's tokens the discounted rewards from there on",
        "token_rewards": "each reward with the policy's token that earns it",
        "sequence_rewards": "(rows,) their sum",
        "response_mask": "1.0 where the token is the policy's",
        "attention_mask": "1.0 where there is a token",
        "sample_mask": "(rows,) 1.0, no row being left out",
        "position_ids": (
            "how many tokens stand before it in its row; in a packed row it begins again with each"
            " sequence, and in the padding it goes on"
        ),
        "sequence_ids": (
            "which of the draw's sequences it belongs to; their number in the padding of a"
            " packed row"
        ),
        "tokens": "the tokens themselves",
        "values": (
            "the exact value of the state in which each token is written, or what was declared"
        ),
        "final_values": (
            "(rows,) the value of what a time limit cut off, 0 where the episode ended by itself"
        ),
        "token_states": "the number of the policy's state in which each token is written",
        "logits": "(rows, T, vocabulary) log π of every token",
        "next_token_logits": (
            "the same, each in the column before its token's; in the last column nothing of use"
        ),
        "entropy": "of the policy in the state of each token",
        "index": "(rows,) numpy array: rows with the same prompt have the same number",
        "group_ids": "(rows,) the same as a tensor",
        "num_items_in_batch": "how many of the policy's tokens the whole draw has",
        "global_batch_size": "how many rows the whole draw has",
        "world_size": "how many workers there are",
        "discount": "γ, the space's",
    }
)
"""What each part is."""

NAMES: Mapping[str, str] = MappingProxyType(
    {
        **{part: part for part in PARTS},
        **{name: part for part, more in PARTS.items() for name in more},
    }
)
"""Any of the names -> the part it means."""

ROLLOUT = frozenset(
    {"rollout_log_probs", "rollout_logprobs", "sampling_per_token_logps", "generation_logprobs"}
)
"""Names of what the engine that samples says, where the trainer computes its own beside it."""
