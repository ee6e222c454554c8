"""A loss as it stands in a trainer, on the draws of a space: what it asks for is offered under the
names that the field uses.

    from verl.trainer.ppo.core_algos import compute_policy_loss
    space = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)
    print(audit(trainer_loss(compute_policy_loss, space=space, advantages="grpo", cliprange=0.2)))

The names are those of `trainer_names`; what isn't one of them is a constant, given here or by
`space.having(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from altpg_verify.audit import loss_validation
from altpg_verify.audit.array_modules import FRAMEWORKS
from altpg_verify.audit.continuous import refuse_continuous
from altpg_verify.audit.declarations import float_array, shown, whole
from altpg_verify.audit.factors import shares_of
from altpg_verify.audit.inner_epochs import repeated
from altpg_verify.audit.jax_updates import from_jax
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.torch_updates import from_torch
from altpg_verify.audit.trainer_readers import Reader
from altpg_verify.audit.update_arguments import Choices
from altpg_verify.audit.updates import Update
from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadInput


def trainer_loss(
    loss: Callable[..., Any] | None = None,
    *,
    space: Space,
    advantages: str | Callable[..., Any] | None = None,
    values: Any = None,
    names: Mapping[str, str] | None = None,
    layout: str = "rows",
    ranks: int = 1,
    micro_batches: int = 1,
    epochs: int = 1,
    stepsize: float | None = None,
    target: Any = "value",
    name: str | None = None,
    groups: Sequence[str] = (),
    choices: Choices | None = None,
    intended: Mapping[str, str] | None = None,
    seed: int | None = None,
    framework: str = "torch",
    **constants: Any,
) -> Any:
    """An update from a torch or JAX loss as trainers write them; without the loss, a decorator for
    one.

    Args:
        loss: asks for names of `trainer_names.NAMES`, for groups of parameters, or for constants.
            Returns the loss as a number; of a tuple the first entry, of a mapping "loss" or the
            like is meant.
        space: where it is tried; a `tokens(...)`, or any other with a column for each step.
        advantages: a name of `advantages.ESTIMATORS`, or a function of the same names that gives
            (rows, T) or (rows,) numbers, never differentiated.
        values: (states,) what a critic says of each state in place of the exact values, the
            padding's included.
        names: the loss's own names for parts of the batch: {"lp": "log_probs"}.
        layout: "rows": (rows, T); "packed": one row of all sequences, padding at its end, with
            position_ids and sequence_ids; "flat": the policy's tokens only, (tokens,).
        ranks: so many workers get equal shares of the rows, each takes the loss of its own, and
            their gradients are averaged.
        micro_batches: so many parts of each worker's rows are run one after the other, and their
            gradients are averaged.
        epochs: so many steps of gradient descent are made on each draw; the old policy and the
            advantages are those before the first. The update is the sum of the gradients, what the
            steps add divided by their size.
        stepsize: of each; needed where there are several. 0: the parameters stand still.
        target, name, groups, choices, intended, seed: as for `from_torch`.
        framework: "torch" or "jax", what the loss is written in; JAX has rows only.
        constants: whatever else the loss asks for, its configuration.

    Raises:
        BadInput: a name, estimator or layout isn't known, or the rows can't be shared equally.
        BadEstimator: the loss asks for something that isn't there.

    Examples:
        >>> from altpg_verify.audit import audit, tokens, trainer_loss
        >>> def policy_loss(log_prob, advantages, response_mask):
        ...     return -(log_prob * advantages * response_mask).sum() / response_mask.sum()
        >>> space = tokens(vocabulary=2, length=1, reward=sum).group(2)
        >>> str(audit(trainer_loss(policy_loss, space=space, advantages="rloo")).kind)
        'unbiased'
    """

    refuse_continuous(space, "handed over as a trainer's loss")
    steps = whole("epochs", epochs)
    if steps > 1 and (
        isinstance(stepsize, bool)
        or not isinstance(stepsize, int | float)
        or not 0 <= stepsize < float("inf")
    ):
        raise BadInput(
            f"stepsize: {steps} epochs need the size of their steps, a number of at least 0, not"
            f" {shown(stepsize)}"
        )
    if framework not in FRAMEWORKS:
        raise BadInput(f"framework: {shown(framework)} is not known; write 'torch' or 'jax'")
    if framework == "jax" and layout != "rows":
        raise BadInput(
            f"layout: {shown(layout)} has lengths that differ from draw to draw, which JAX can't"
            " trace; leave it out for 'rows'"
        )

    def wrap(function: Callable[..., Any]) -> Update:
        reader = Reader(
            function,
            space.having(**constants),
            advantages,
            None if values is None else float_array("values", values),
            dict(names or {}),
            layout,
            whole("ranks", ranks),
            whole("micro_batches", micro_batches),
            tuple(choices or {}),
            framework,
        )
        made = (from_jax if framework == "jax" else from_torch)(
            reader.wrapped(),
            space=reader.space,
            target=target,
            name=name or loss_validation.name_of(function),
            groups=groups,
            choices=choices,
            intended=intended,
            seed=seed,
        )
        spoken = made.said

        def said() -> Sequence[str]:
            return (*(spoken() if spoken is not None else ()), *reader.said)

        # constants are the space's by now, where they may have been varied
        def anew(
            other: Callable[..., Any],
            there: Space,
            *,
            ranks: int = ranks,
            micro_batches: int = micro_batches,
            advantages: str | Callable[..., Any] | None = advantages,
        ) -> Update:
            made: Update = trainer_loss(
                other,
                space=there,
                advantages=advantages,
                values=values,
                names=names,
                layout=layout,
                ranks=ranks,
                micro_batches=micro_batches,
                target=target,
                name=name,
                groups=groups,
                choices=choices,
                seed=seed,
                framework=framework,
            )
            return made

        summary = summary_of(function)
        shares = shares_of(reader.rows, reader.ranks, reader.micro_batches)
        made = replace(
            made,
            function=function,
            summary=summary,
            said=said,
            shares=shares,
            remade=partial(anew, function),
            rewritten=anew,
            estimator=advantages if callable(advantages) else None,
            named_estimator=advantages if isinstance(advantages, str) else "",
        )
        if steps == 1 or stepsize is None:
            return made
        if reader.started:
            raise BadInput(
                f"{reader.who} asks for {reader.started[0]!r} beside the rollout's, which is the"
                " current policy in a first step only; leave out epochs"
            )
        return repeated(
            made,
            steps,
            float(stepsize),
            f"{steps} epochs with stepsize {stepsize:g} on each draw, its old policy and advantages"
            " held",
        )

    return wrap if loss is None else wrap(loss)
