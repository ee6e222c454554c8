"""What an update asks for by name, on one draw: its own copies of parameters, parts of the draw and
constants, and the ways in which its own randomness can come out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.audit.draw_names import ALIASES, DRAWN, GIVEN
from altpg_verify.audit.draws import Draw
from altpg_verify.audit.numpy_epsilons import watched
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.arguments import own_copy, refuse_writing, written

Choices = Mapping[str, Sequence[tuple[Any, Any]]]
"""The update's own randomness: for each name its values with their probabilities."""


def names_of(
    function: Callable[..., Any], space: Space, title: str, also: Sequence[str] = ()
) -> tuple[str, ...]:
    """The names a function asks for; each is a group of parameters, part of a draw, a constant of
    the space, or in `also`.

    Raises:
        BadEstimator: an unknown name without a default; the message lists what there is.
    """
    known = {*space.parameters, *DRAWN, *GIVEN, *ALIASES, *space.names, *also}
    if space.continuous is not None:
        known -= space.continuous.refused
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise BadEstimator(
                f"update {title!r} takes *{parameter.name}; name each argument instead:"
                f" {', '.join(sorted(known))}"
            )
        if parameter.name in known:
            names.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise BadEstimator(
                f"update {title!r} asks for {parameter.name!r}, which is no part of the draw;"
                f" {_spaced(did_you_mean(parameter.name, sorted(known)))}choose from"
                f" {', '.join(sorted(known))}, or give it as a constant:"
                f" space.having({parameter.name}=...)"
            )
    return tuple(names)


def _spaced(hint: str) -> str:
    return f"{hint} " if hint else ""


def lookup(name: str, parameters: Parameters, draw: Draw) -> Any:
    """The value of a name a function asked for, its own copy: a group of parameters, else a part of
    the draw.
    """
    group = ALIASES.get(name, name)
    if name in parameters or (group in parameters and name not in draw.space.constants):
        return np.array(parameters[name if name in parameters else group])
    found = draw[name]
    # a draw's arrays are the caller's own already
    return found if isinstance(found, np.ndarray) else own_copy(found)


def called(
    title: str,
    function: Callable[..., Any],
    needs: Sequence[str],
    parameters: Parameters,
    draw: Draw,
) -> Any:
    """What a function gives for copies of what it asks for.

    Raises:
        BadEstimator: it writes into one of them.
    """
    given = {each: lookup(each, parameters, draw) for each in needs}
    found = function(**{each: watched(value) for each, value in given.items()})
    names = written({each: lookup(each, parameters, draw) for each in needs}, given)
    if names:
        refuse_writing(f"update {title!r}", names)
    return found


def grouped(returned: Any, space: Space, title: str) -> Mapping[str, Any]:
    """A function's answer by groups: a mapping as it is, an array for the only group of the policy.

    Raises:
        BadEstimator: one array, but the policy has several groups.
    """
    if isinstance(returned, Mapping):
        return returned
    groups = tuple(space.policy.shapes)
    if len(groups) != 1:
        raise BadEstimator(
            f"update {title!r} returned one array for the groups {', '.join(groups)}; return a"
            " dict, group -> array"
        )
    return {groups[0]: returned}


def chosen(draw: Draw, choices: Choices) -> Iterator[tuple[Any, Draw]]:
    """(probability, draw with the choices filled in) for every way the update's own randomness can
    come out.
    """
    if not choices:
        yield 1, draw
        return
    for outcome in product(*choices.values()):
        probability: Any = 1
        for _, chance in outcome:
            probability = probability * chance
        yield (
            probability,
            draw.with_values(
                {name: value for name, (value, _) in zip(choices, outcome, strict=True)}
            ),
        )
