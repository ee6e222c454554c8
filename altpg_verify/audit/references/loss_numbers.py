"""The numbers and names that a loss may be made of: those of its space's constants and of its own
code."""

from __future__ import annotations

import inspect
from numbers import Real
from typing import Any

from altpg_verify.audit.references.algorithms import USUAL, Numbers
from altpg_verify.audit.references.sequences import Number
from altpg_verify.audit.updates import Update
from altpg_verify.untrusted.constants import constants


def readable_names(update: Update) -> set[str]:
    """The names of a draw that an update may be made of."""
    needs = set(update.needs)
    more = {"values", "value"} if needs & {"value", "v", "values", "q", "h"} else set()
    return (
        needs
        | more
        | ({"old_logprobs"} if "mu" in needs else set())
        | ({"ref_logprobs"} if "ref" in needs else set())
    )


def constants_asked(update: Update) -> list[str]:
    """The constants of its space that an update asks for, and that are numbers."""
    given = update.space.constants
    return [
        name
        for name in dict.fromkeys((*update.needs, *_parameters(update.function)))
        if isinstance(given.get(name), Real) and not isinstance(given[name], bool)
    ]


def numbers_of(update: Update) -> Numbers:
    """The numbers that may stand in the update."""
    space, names = update.space, constants_asked(update)
    own = (
        [float(each) for each in constants(update.function)] if update.function is not None else []
    )
    usual = USUAL
    small = [each for each in own if 0 < each < 1e-2]
    narrow = sorted(
        {
            round(each, 12)
            for number in own
            for each in (number, 1 - number, number - 1)
            if 1e-5 < each < 1
        }
    )[:6]
    pairs = [(low, high) for low in narrow for high in narrow]
    named = [name for name in names if 0 < float(space.constants[name]) < 1]
    # a bound of the ratio itself, not what is added to 1
    bounds = [f"{name} - 1" for name in names if float(space.constants[name]) > 1]
    pairs_named: list[tuple[Number, Number]] = [(low, high) for low in named for high in named]
    # one end configured, the other written out
    pairs_named += [(name, number) for name in named for number in narrow]
    pairs_named += [(number, name) for name in named for number in narrow]
    pairs_named += [(bound, bound) for bound in bounds]
    betas = [each for each in own if 0 < each <= 10 and each not in small][:6]
    # a loss that is meant to be a divergence has no coefficient
    alone = (1.0,) if "kl" in str(update.target) else ()
    positive = [name for name in names if 0 < float(space.constants[name]) <= 10][:6]
    lengths = [each for each in own if each > 1 and each == int(each)][:4]
    return Numbers(
        eps=tuple(
            dict.fromkeys(
                (
                    *[name for name in names if 0 <= float(space.constants[name]) < 0.1],
                    *small,
                    *usual.eps,
                )
            )
        ),
        clips=tuple(dict.fromkeys((*pairs_named, *pairs, *usual.clips))),
        betas=tuple(dict.fromkeys((*names, *betas, *alone, *usual.betas))),
        lengths=tuple(
            dict.fromkeys(
                (
                    *[name for name in names if float(space.constants[name]) >= 1],
                    float(space.horizon),
                    *lengths,
                )
            )
        ),
        caps=tuple(
            dict.fromkeys(
                (
                    *[name for name in names if float(space.constants[name]) > 1],
                    *[e for e in own if e > 1][:4],
                    *usual.caps,
                )
            )
        ),
        lams=tuple(dict.fromkeys((*named, *[each for each in own if 0 < each <= 1], *usual.lams))),
        baselines=tuple(name for name in names),
        gates=tuple(
            dict.fromkeys((*[(up, down) for up in positive for down in positive], *usual.gates))
        ),
        reaches=tuple(
            dict.fromkeys(
                (
                    *[(low, high) for low in positive for high in positive],
                    *[(each, each) for each in betas],
                    *usual.reaches,
                )
            )
        ),
    )


def _parameters(function: Any) -> tuple[str, ...]:
    """What a function asks for by name; a trainer's loss gets its constants so."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
