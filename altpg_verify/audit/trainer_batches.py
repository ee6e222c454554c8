"""A draw as a trainer's batch: the parts of `trainer_names` as tensors or JAX arrays, each computed
when it is first asked for.

Everything follows from the policy's table by indexing, so that a loss is differentiated through
`log_probs`, `logits` and `entropy` alike.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.advantages import ESTIMATORS
from altpg_verify.audit.references import return_formulas
from altpg_verify.errors import BadInput

GIVEN = (
    *("pi", "mu", "ref", "h", "values", "discount", "tokens", "token_states", "token_rewards"),
    *("response_mask", "attention_mask", "position_ids", "group_ids", "final_values"),
)
"""What of a draw a batch is made of."""


class TrainerBatch:
    """The parts of one draw: `batch["log_probs"]`, ...

    Args:
        arrays: what is computed with; see `array_modules`.
        given: what of the draw it is made of, by name; pi with a gradient.
        settings: constants that estimators read (lam).
        advantages: makes the advantages of the batch.
        values: (states,) declared values in place of the exact ones.
        workers: how many workers share the draw.
    """

    def __init__(
        self,
        arrays: Any,
        given: Mapping[str, Any],
        settings: Mapping[str, Any],
        advantages: Callable[[TrainerBatch], Any] | None,
        values: Any = None,
        workers: int = 1,
    ) -> None:
        self.arrays, self.given, self.settings, self.workers = arrays, given, settings, workers
        self._advantages, self._declared = advantages, values
        self._found: dict[str, Any] = {}

    def __getitem__(self, part: str) -> Any:
        if part not in self._found:
            self._found[part] = self._compute(part)
        return self._found[part]

    def with_advantages(self, advantages: Any) -> TrainerBatch:
        """The same with these in place of what an estimator gives."""
        self._found["advantages"] = advantages
        return self

    def _compute(self, part: str) -> Any:
        arrays = self.arrays
        match part:
            case "log_probs":
                return self._log(self.at(self.given["pi"]))
            case "old_log_probs":
                return self._log(self.at(self.given["mu"]))
            case "start_log_probs":
                return arrays.held(self["log_probs"])
            case "ref_log_probs":
                return self._log(self.at(self.given["ref"]))
            case "logits":
                table = self._rows(self.given["pi"])
                return arrays.where(table > 0, self._log(table), -arrays.inf)[
                    self.given["token_states"]
                ]
            case "next_token_logits":
                width = self["tokens"].shape[1]
                return self["logits"][:, [*range(1, width), width - 1]]
            case "sample_mask":
                return 0 * self["response_mask"][:, 0] + 1
            case "entropy":
                table = self._rows(self.given["pi"])
                return -(table * self._log(table)).sum(-1)[self.given["token_states"]]
            case "values":
                values = (
                    self.given["values"]
                    if self._declared is None
                    else arrays.floats(self._declared)
                )
                return values[self.given["token_states"]]
            case "sequence_rewards":
                return self["token_rewards"].sum(-1)
            case "returns":
                return return_formulas.discounted(
                    self["token_rewards"],
                    self["response_mask"],
                    self.given["discount"],
                    self._final,
                    self.arrays,
                )
            case "advantages":
                return self._spread(self["estimated"])
            case "row_advantages":
                found = self["estimated"]
                return found if found.ndim == 1 else None
            case "estimated":
                return self._estimated()
            case "sequence_ids":
                return arrays.spread(arrays.arange(self.count)[:, None], self["tokens"].shape)
            case "index":
                return np.asarray(self.given["group_ids"])
            case "num_items_in_batch":
                return self["response_mask"].sum()
            case "global_batch_size":
                return self.count
            case "world_size":
                return self.workers
        return self.given[part]

    def _estimated(self) -> Any:
        if self._advantages is None:
            raise BadInput(
                "advantages: no estimator was named; write advantages='rloo', or a function of the"
                " batch"
            )
        # parts that are read without a gradient aren't those of the loss
        apart = copy.copy(self)
        apart._found = {}
        with self.arrays.without_gradient():
            found = self._advantages(apart)
        found = found[0] if isinstance(found, tuple | list) else found
        shape = tuple(self["tokens"].shape)
        if not self.arrays.is_array(found) or tuple(found.shape) not in (
            shape,
            shape[:1],
            (shape[0], 1),
        ):
            raise BadInput(
                f"advantages: the function returned no tensor of shape {shape} or {shape[:1]}"
            )
        return self.arrays.held(found)

    def _spread(self, found: Any) -> Any:
        """One for each token; by a named estimator the policy's tokens only."""
        shape = tuple(self["tokens"].shape)
        spread = self.arrays.spread(found.reshape(shape[0], -1), shape)
        named = self._advantages in ESTIMATORS.values()
        return spread * self["response_mask"] if named and found.ndim == 1 else spread

    # --- what estimators are made of
    # ------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """The number of rows."""
        return int(self.given["tokens"].shape[0])

    def at(self, table: Any) -> Any:
        """(rows, T) of a (states, actions) table."""
        return self._rows(table)[self.given["token_states"], self.given["tokens"]]

    @staticmethod
    def _rows(table: Any) -> Any:
        return table.reshape(-1, table.shape[-1])

    def _log(self, probabilities: Any) -> Any:
        # what can't be taken stands in the padding only, where any number will do
        return self.arrays.log(self.arrays.where(probabilities > 0, probabilities, 1.0))

    @property
    def _final(self) -> Any:
        return self.given["final_values"].reshape(-1)

    @cached_property
    def same(self) -> Any:
        """(rows, rows) 1.0 where two rows have the same prompt."""
        ids = self.given["group_ids"]
        return self.arrays.floats(ids[:, None] == ids[None, :])

    @cached_property
    def group_sizes(self) -> Any:
        """(rows,) how many rows have the row's prompt."""
        return self.same.sum(-1)

    def generalised(self, lam: float) -> Any:
        """(rows, T) Σ (γλ)ᵘ δ_{t+u} with the batch's values."""
        mask, discount = self["response_mask"], self.given["discount"]
        return return_formulas.generalised(
            self["token_rewards"], self["values"], mask, discount, lam, self._final, self.arrays
        )
