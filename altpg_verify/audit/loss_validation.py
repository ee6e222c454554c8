"""What a wrapped loss must keep to, and the one sentence that says what to change where it doesn't.

Everything here speaks numpy; `torch_loss` and `jax_loss` add what only their library can notice.
Each check raises `BadEstimator` (the loss is at fault) or `BadInput` (what it was given is), so
that the command line exits with code 2.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from altpg_verify.errors import BadEstimator, BadInput

HALF = ("float16", "bfloat16")

SEEDS = (20_160_605, 4_242)
"""Two seeds for the two calls that would show hidden randomness."""


def name_of(loss: Any) -> str:
    """How messages call a loss."""
    return str(getattr(loss, "__name__", None) or type(loss).__name__)


def float64_groups(groups: Mapping[str, Any], who: str) -> dict[str, np.ndarray]:
    """Parameter groups as fresh float64 arrays.

    Raises:
        BadInput: there is none, or one is whole-numbered, complex, ragged, not finite or not
            numeric.
    """
    if not isinstance(groups, Mapping) or not groups:
        raise BadInput(
            f"{who}: give the parameters as a mapping from names to arrays, such as {{'theta':"
            " np.zeros(3)}"
        )
    made = {}
    for name, values in groups.items():
        array = _array(name, values, who)
        if array.dtype.kind in "iub":
            raise BadInput(
                f"{who}: parameter group {name!r} holds {array.dtype} numbers, which have no"
                f" gradient; give floats, {name} * 1.0"
            )
        if array.dtype.kind == "c":
            raise BadInput(
                f"{who}: parameter group {name!r} is complex; give its real parameters (real and"
                " imaginary part as two groups)"
            )
        if array.dtype.kind != "f":
            raise BadInput(
                f"{who}: parameter group {name!r} has dtype {array.dtype}; give an array of floats"
            )
        if not np.isfinite(array).all():
            raise BadInput(
                f"{who}: parameter group {name!r} has entries that are not finite; give finite"
                " logits (a mask belongs to the draw)"
            )
        made[name] = np.array(array, dtype=np.float64)
    return made


def draw_arrays(
    draw: Mapping[str, Any], names: Iterable[str], who: str, *, copy: bool = True
) -> dict[str, np.ndarray]:
    """What a loss asks of a draw as arrays: whole numbers as int64, truth values as they are, other
    numbers as float64.

    Args:
        copy: whether they are fresh; if not, the loss mustn't be handed them.

    Raises:
        BadInput: an entry is complex, ragged or not numeric.
    """
    made: dict[str, np.ndarray] = {}
    for name in names:
        array = _array(name, draw[name], who)
        if array.dtype.kind == "c":
            raise BadInput(f"{who}: {name!r} is complex; give real numbers")
        if array.dtype.kind not in "fiub":
            raise BadInput(f"{who}: {name!r} has dtype {array.dtype}; give an array of numbers")
        # a copy, so that what the loss writes into it stays here
        made[name] = array.astype(
            {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}[array.dtype.kind],
            copy=copy,
        )
    return made


def _array(name: str, values: Any, who: str) -> np.ndarray:
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{who}: {name!r} is no array of numbers ({one_line(error)}); pad sequences to one"
            " length and pass a mask"
        ) from error
    if array.dtype == object:
        try:
            return np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise BadInput(
                f"{who}: {name!r} holds objects that are no numbers; give a rectangular array of"
                " numbers"
            ) from error
    return array


def asked_of_draw(
    loss: Callable[..., Any], parameters: Iterable[str], draw: Mapping[str, Any], who: str
) -> tuple[str, ...]:
    """Which of the draw's names the loss asks for, in its own order; `logits` stands for a group
    called `theta`.

    Args:
        parameters: what a gradient is taken of: parameter groups, or the arguments that are
            modules; none if the loss is a module.
        draw: what else is offered.

    Raises:
        BadEstimator: it asks for something that isn't offered, for anything at all (`*args`), or
            for no parameters.
    """
    groups = tuple(parameters)
    ours = {*groups, "logits"} if "theta" in groups else set(groups)
    asked = _signature(loss, who)
    for parameter in asked:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            raise BadEstimator(
                f"{who} takes *{parameter.name}; name each argument instead:"
                f" {', '.join([*groups, *draw])}"
            )
        if (
            parameter.default is parameter.empty
            and parameter.name not in ours
            and parameter.name not in draw
        ):
            raise BadEstimator(
                f"{who} asks for {parameter.name!r}, which isn't offered; choose from"
                f" {', '.join([*groups, *draw])}"
            )
    if groups and not ours & {parameter.name for parameter in asked}:
        raise BadEstimator(
            f"{who} asks for no parameters, so it has no gradient; let it take"
            f" {' or '.join(groups)}"
        )
    return tuple(
        parameter.name
        for parameter in asked
        if parameter.name not in ours and parameter.name in draw
    )


def takes(loss: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Of the given groups and modules, those the loss asks for, under the names it uses."""
    names = {parameter.name for parameter in _signature(loss, "the loss")}
    found = {name: value for name, value in given.items() if name in names}
    return (
        {**found, "logits": given["theta"]}
        if "logits" in names - set(given) and "theta" in given
        else found
    )


@lru_cache(maxsize=256)
def _signature(loss: Callable[..., Any], who: str) -> tuple[inspect.Parameter, ...]:
    try:
        return tuple(inspect.signature(loss).parameters.values())
    except (TypeError, ValueError) as error:
        raise BadEstimator(
            f"{who} has no readable signature; wrap it as `lambda theta, actions: loss(theta,"
            " actions)`"
        ) from error


def scalar_value(value: float, who: str, draw: Mapping[str, np.ndarray]) -> None:
    """Raises BadEstimator if the loss isn't finite."""
    if not np.isfinite(value):
        raise BadEstimator(
            f"{who} is {value} at {describe(draw)}; keep it finite there (a log of 0? a division by"
            " a std of 0?)"
        )


def finite_gradient(
    gradient: Mapping[str, np.ndarray], who: str, draw: Mapping[str, np.ndarray]
) -> None:
    """Raises BadEstimator if a gradient isn't finite although the loss was."""
    for name, array in gradient.items():
        if not np.isfinite(array).all():
            raise BadEstimator(
                f"{who}: the gradient of {name!r} is not finite at {describe(draw)}; mask before"
                " the log or division, not after (0 · inf)"
            )


def unchanged(
    before: Mapping[str, np.ndarray],
    after: Mapping[str, np.ndarray],
    groups: Mapping[str, Any],
    who: str,
) -> None:
    """Raises BadEstimator if the loss wrote into what it was given."""
    for name, old in before.items():
        new = after[name]
        # where no entry is nan, which is nearly always, they needn't be looked for
        if not np.array_equal(new, old) and not np.array_equal(new, old, equal_nan=True):
            if name in groups:
                raise BadEstimator(
                    f"{who} changes its parameters {name!r}; return the loss only, and leave the"
                    " step to the optimiser"
                )
            raise BadEstimator(
                f"{who} changes its argument {name!r} in place; work on a copy, such as {name} ="
                f" {name} - {name}.mean()"
            )


def same_twice(
    first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray], who: str, *, reseeded: bool
) -> None:
    """Raises BadEstimator if two calls on the same draw gave different gradients.

    Args:
        reseeded: whether the global generators were seeded differently before the second call; if
            not, it is state.
    """
    if all(np.array_equal(first[name], second[name]) for name in first):
        return
    if reseeded:
        raise BadEstimator(
            f"{who} draws random numbers of its own (two calls on one draw differ); take the sample"
            " as an argument, or fix it with seed=0"
        )
    raise BadEstimator(
        f"{who} keeps state from call to call (same draw, same seed, another gradient); take a"
        " running mean or generator as an argument"
    )


def describe(arrays: Mapping[str, np.ndarray]) -> str:
    """`actions = [0 1], rewards = [1. 0.5]`, short enough for one line."""
    parts = []
    for name, array in arrays.items():
        text = np.array2string(array, precision=6, separator=", ", threshold=8).replace("\n", "")
        parts.append(f"{name} = {text}" if len(text) <= 60 else f"{name} of shape {array.shape}")
    return ", ".join(parts) or "an empty draw"


def shapes(arrays: Mapping[str, np.ndarray]) -> str:
    """`theta (3,), actions (4,)`: what an error about shapes needs to say."""
    return ", ".join(f"{name} {array.shape}" for name, array in arrays.items())


def one_line(error: BaseException) -> str:
    """The first sentence of somebody else's message, on one line and at most 160 characters."""
    text = " ".join(str(error).split())
    return text if len(text) <= 160 else text[:157] + "..."
