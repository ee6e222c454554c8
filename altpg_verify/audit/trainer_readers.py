"""What a trainer's loss asks for, and how a draw becomes that."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit import loss_validation
from altpg_verify.audit.advantage_shapes import ROWS_SAID, takes_rows, tried_batch
from altpg_verify.audit.advantages import ESTIMATORS
from altpg_verify.audit.array_modules import arrays_of
from altpg_verify.audit.declarations import shown
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.audit.trainer_batches import GIVEN, TrainerBatch
from altpg_verify.audit.trainer_layouts import call, laid_out, loss_in
from altpg_verify.audit.trainer_mappings import WHOLE, NamedParts, signature
from altpg_verify.audit.trainer_names import NAMES, PARTS, ROLLOUT
from altpg_verify.errors import BadEstimator, BadInput

OF_A_GAME = ("central_q", "counterfactual_q", "agent_q", "team_rewards")
"""What a loss may ask for where several agents act, as the game calls it."""


class Reader:
    """One loss, what it asks for, and how a draw becomes that.

    Args:
        loss, space, values, layout, ranks, micro_batches, framework: as for
            `trainer_losses.trainer_loss`.
        advantages, names: as there; `names` beside `trainer_names.NAMES` afterwards.
        choices: the names of declared choices.

    Attributes:
        who: the sentence's subject.
        taken: which part of what the loss returns is the loss, in words; empty if all of it.
        by_row: whether advantages are handed over as (rows,); None before the first draw.
        rows: how many a draw has.
        constants: the space's.
        of_game: what may be asked for where several agents act.
        groups: the groups of parameters that may be asked for by name.
        whole: it takes the batch as one mapping, so that what it will ask for isn't known.
        estimator: what gives the advantages; None if nothing does.
        asked: the names that the loss asks for.
        started: those that are the current policy's, held, beside the rollout's.
    """

    def __init__(
        self,
        loss: Callable[..., Any],
        space: Space,
        advantages: Any,
        values: np.ndarray | None,
        names: dict[str, str],
        layout: str,
        ranks: int,
        micro_batches: int,
        choices: tuple[str, ...],
        framework: str,
    ) -> None:
        self.framework = framework
        self.who = f"trainer loss {loss_validation.name_of(loss)!r}"
        if not callable(loss):
            raise BadEstimator(
                f"{self.who} is a {type(loss).__name__}, not a function; give the function that"
                " returns the loss"
            )
        if layout not in ("rows", "packed", "flat"):
            raise BadInput(
                f"layout: {shown(layout)} is not known; write 'rows', 'packed' or 'flat'"
            )
        for theirs, part in names.items():
            if part not in NAMES:
                raise BadInput(
                    f"names: {theirs!r} is said to be {part!r}, which is no part of a batch; choose"
                    f" from {', '.join(PARTS)}"
                )
        self.loss, self.space, self.values, self.layout = loss, space, values, layout
        self.names = {**NAMES, **names}
        self.ranks, self.micro_batches = ranks, micro_batches
        self.taken: str = ""
        # whether advantages are handed over as (rows,); known after the first draw
        self.by_row: bool | None = None
        rows = self.rows = {"one": 1, "groups": len(space.starts) * space.size}.get(
            space.scheme, space.size
        )
        self._share(rows)
        if values is not None and values.shape != (space.states,):
            raise BadInput(
                f"values has shape {values.shape} for {space.states} states; give a number for each"
            )
        self.constants = dict(space.constants)
        self.choices = choices
        self.of_game = OF_A_GAME if space.game is not None else ()
        # a part of the batch of the same name is what a trainer means
        self.groups = tuple(
            name
            for name in space.parameters
            if name not in self.names and name not in self.constants
        )
        self._asked_by_estimator: tuple[str, ...] = ()
        # it takes the batch as one mapping, so that what it will ask for isn't known
        self.whole = False
        self.estimator = self._estimator(advantages)
        self.asked = self._asked(loss)
        asked = (*self.asked, *self._asked_by_estimator)
        old = {each for each in asked if self.names.get(each) == "old_log_probs"} - {*names}
        # two engines: what is sampled is the rollout's
        self.started = tuple(sorted(old - ROLLOUT)) if old & ROLLOUT else ()
        self.names.update(dict.fromkeys(self.started, "start_log_probs"))
        for each in asked:
            if self.names.get(each) == "ref_log_probs" and space.reference is None:
                raise self._missing(each, ())

    @property
    def said(self) -> tuple[str, ...]:
        """What a verdict says of how it was read."""
        shared = f"rows shared by {self.ranks} workers" if self.ranks > 1 else ""
        parts = f"in {self.micro_batches} micro-batches" if self.micro_batches > 1 else ""
        shapes = ROWS_SAID if self.by_row else ""
        engines = (
            f"{' and '.join(self.started)} of the current policy, held; sampled is the rollout's"
            if self.started
            else ""
        )
        notes = (self.taken, engines, shapes, " ".join(filter(None, (shared, parts))))
        return tuple(each for each in notes if each)

    def _estimator(self, advantages: Any) -> Callable[[TrainerBatch], Any] | None:
        if advantages is None:
            return None
        if isinstance(advantages, str):
            if advantages not in ESTIMATORS:
                raise BadInput(
                    f"advantages: {shown(advantages)} is not known; choose from"
                    f" {', '.join(ESTIMATORS)}, or give a function"
                )
            return ESTIMATORS[advantages]
        if not callable(advantages):
            raise BadInput(
                "advantages must be the name of an estimator or a function of the batch, not"
                f" {shown(advantages)}"
            )
        asked = self._asked_by_estimator = self._asked(advantages, barred=("advantages",))
        return lambda batch: call(advantages, {each: self._value(each, batch) for each in asked})

    def _asked(self, function: Callable[..., Any], barred: Sequence[str] = ()) -> tuple[str, ...]:
        """The names a function asks for and can be given.

        Raises:
            BadEstimator: one without a default isn't there.
        """
        try:
            parameters = signature(function).parameters.values()
        except (TypeError, ValueError) as error:
            raise BadEstimator(
                f"{self.who} has no readable signature; wrap it in a function with named arguments"
            ) from error
        known = {*self.names, *self.constants, *self.choices, *self.groups, *self.of_game}
        found = []
        for each in parameters:
            if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
                continue
            part = self.names.get(each.name)
            offered = (
                part is not None
                and part not in barred
                and self._there(part, optional=each.default is not each.empty)
            )
            if offered or each.name in {
                *self.constants,
                *self.choices,
                *self.groups,
                *self.of_game,
            }:
                found.append(each.name)
            elif part is None and each.name in WHOLE:
                self.whole = True
                found.append(each.name)
            elif each.default is each.empty:
                raise self._missing(each.name, known)
        return tuple(found)

    def _missing(self, name: str, known: Collection[str]) -> BadInput:
        """Why there is no such part, and what to do."""
        part = self.names.get(name)
        if part == "advantages":
            return BadInput(
                f"{self.who} asks for {name!r}; name an estimator, such as advantages='grpo', or"
                " give a function"
            )
        if part == "ref_log_probs":
            return BadInput(
                f"{self.who} asks for the reference policy, and space {self.space.name!r} has none;"
                " give one: space.against(table)"
            )
        if part == "next_token_logits":
            return BadInput(
                f"{self.who} asks for {name!r}, and rows of space {self.space.name!r} begin with a"
                " token of the policy, which no logits of the row precede; give"
                " tokens(prompts=[[0]], prompt_in_row=True, ...)"
            )
        hint = did_you_mean(name, sorted(known))
        return BadEstimator(
            f"{self.who} asks for {name!r}, which is no part of the batch;"
            f" {hint + ' ' if hint else ''}say what it is with names={{{name!r}: 'log_probs'}}, or"
            f" give it as a constant: {name}=..."
        )

    def _there(self, part: str, *, optional: bool) -> bool:
        """Whether a part can be given; one with a default that needs a declaration is left at its
        default.
        """
        if part == "advantages":
            return getattr(self, "estimator", None) is not None
        if part == "next_token_logits":
            return not self.space.token_rows.own[:, 0].any()
        return not (part == "ref_log_probs" and optional and self.space.reference is None)

    def _value(self, name: str, batch: TrainerBatch) -> Any:
        if name in (*self.choices, *self.groups):
            return batch.given[name]
        if name in self.of_game:
            value = batch.given[name]
            return value if self.space.scheme != "one" else value[None]
        if name in self.constants:
            return self.constants[name]
        if name in self.names:
            part = self.names[name]
            return batch["row_advantages" if part == "advantages" and self.by_row else part]
        return self._mapping(batch, slice(None), laid=False)

    def _mapping(self, batch: TrainerBatch, part: slice, *, laid: bool = True) -> NamedParts:
        """All parts of a batch, or of a worker's share of it, as one mapping."""
        known = (*self.constants, *self.choices, *self.groups, *self.names)

        def there(name: str) -> bool:
            return name in known and (
                name not in self.names or self._there(self.names[name], optional=True)
            )

        def read(name: str) -> Any:
            if not there(name):
                raise self._missing(name, known)
            value = self._value(name, batch)
            return self._laid(name, value, part, batch) if laid else value

        return NamedParts(read, there, known)

    @property
    def _given(self) -> list[str]:
        """What of a draw is needed; what isn't asked for is left out, so that no verdict speaks of
        it.
        """
        parts = {self.names.get(name) for name in (*self.asked, *self._asked_by_estimator)}
        left_out = {
            "mu": "old_log_probs" not in parts and not self.whole,
            "h": self.estimator is not ESTIMATORS["exact"],
            "ref": "ref_log_probs" not in parts
            and not (self.whole and self.space.reference is not None),
        }
        return [name for name in GIVEN if not left_out.get(name)]

    def wrapped(self) -> Callable[..., Any]:
        """The loss as a function of the parts of a draw."""
        handed = {*self.groups, *self.of_game}
        asked = dict.fromkeys((*self.asked, *self._asked_by_estimator))
        needs = [*self._given, *self.choices, *(name for name in asked if name in handed)]

        def read(**given: Any) -> Any:
            arrays = arrays_of(self.framework)
            settings = {key: self.constants[key] for key in ("lam",) if key in self.constants}
            make = partial(
                TrainerBatch,
                arrays,
                settings=settings,
                advantages=self.estimator,
                values=self.values,
                workers=self.ranks,
            )
            batch = make(given)
            if self.by_row is None:
                self.by_row = self._takes_rows(batch, make)
            found = [self._loss_of(part, batch) for part in self._parts(batch)]
            return found[0] if len(found) == 1 else arrays.stack(found).mean()

        read.__name__ = loss_validation.name_of(self.loss)
        read.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY) for each in needs]
        )
        return read

    def _takes_rows(self, batch: TrainerBatch, make: Callable[..., TrainerBatch]) -> bool:
        if self.layout != "rows" or self.estimator is None or batch["row_advantages"] is None:
            return False
        tried = tried_batch(batch.given, batch.arrays)
        rows, columns = tried["tokens"].shape

        def loss(advantages: Any) -> Any:
            other = make(tried).with_advantages(advantages)
            return self._loss_of(slice(0, rows), other)

        return takes_rows(loss, rows, columns, batch.arrays)

    def _parts(self, batch: TrainerBatch) -> Iterator[slice]:
        size = self._share(batch.count)
        return (slice(start, start + size) for start in range(0, batch.count, size))

    def _share(self, rows: int) -> int:
        """The rows of a part of a worker's batch."""
        if rows % (self.ranks * self.micro_batches):
            raise BadInput(
                f"ranks and micro_batches: {rows} rows can't be shared by {self.ranks} times"
                f" {self.micro_batches} equally"
            )
        return rows // (self.ranks * self.micro_batches)

    def _loss_of(self, part: slice, batch: TrainerBatch) -> Any:
        laid = {
            name: self._mapping(batch, part)
            if name in WHOLE and name not in self.names and name not in self.constants
            else self._laid(name, self._value(name, batch), part, batch)
            for name in self.asked
        }
        found, said = loss_in(call(self.loss, laid), self.who)
        self.taken = said or self.taken
        return found

    def _laid(self, name: str, value: Any, part: slice, batch: TrainerBatch) -> Any:
        """A worker's share of one part, in the layout that was asked for."""
        shape = tuple(batch["tokens"].shape)
        if (
            name in (*self.constants, *self.choices, *self.groups)
            or not hasattr(value, "shape")
            or value.shape[:1] != shape[:1]
        ):
            return value
        return laid_out(
            value[part], self.names.get(name, ""), part, batch, self.layout, self.space.token_rows
        )
