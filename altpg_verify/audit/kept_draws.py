"""Everything that can happen at one policy, with its probability, of the draws that a space keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.calling import calling
from altpg_verify.untrusted.purity import Purity


class NothingKept(BadInput):
    """At this policy no draw of the space is kept, within the range of float64."""


def kept_rows(draws: Draws) -> np.ndarray:
    """(B,) which of the draws the space keeps.

    Raises:
        BadInput: `keep` raises, answers with no truth value, draws random numbers or remembers its
            calls.
    """
    return kept_draws(draws.space, draws.row, len(draws))


def kept_draws(space: Space, row: Callable[[int], Draw], count: int) -> np.ndarray:
    """(count,) the same for draws that are made one by one.

    Raises:
        BadInput: as for `kept_rows`.
    """
    keep = space.keep
    if keep is None:
        return np.ones(count, dtype=bool)
    who = f"`keep` of space {space.name!r}"
    guard = Purity(keep, who)
    with calling(who):
        kept = [_answer(keep(row(i)), who) for i in range(count)]
        guard.establish(lambda i: _answer(keep(row(i)), who), kept)
    return np.array(kept, dtype=bool)


def _answer(kept: Any, who: str) -> bool:
    if getattr(kept, "shape", None) == () and hasattr(kept, "item"):
        # of numpy, torch or JAX
        kept = kept.item()
    # a list or a function that wasn't called is true, and would keep everything
    if not isinstance(kept, bool | int | float) or kept != kept:
        raise BadInput(
            f"{who} returned a {type(kept).__name__}; return True or False, such as"
            " draw.rewards.std() > 0"
        )
    return bool(kept)


def drawn(
    tables: Tables,
    held: Tables | None = None,
    frozen: Sequence[str] = (),
    *,
    enumeration: Enumeration | None = None,
) -> Iterator[tuple[Any, Draw]]:
    """(probability, draw) of everything that can happen at one policy; `frozen` quantities are
    those of `held`.

    Args:
        tables: the policy.
        held, frozen: as for `Draws`.
        enumeration: the draws; every sequence by default.

    Raises:
        NothingKept: the space keeps none of its draws.
    """
    found = [
        (probability, draws.row(i))
        for draws, probabilities in _blocks(
            tables, held, frozen, enumeration or Enumeration(tables.space)
        )
        for i, (probability, kept) in enumerate(zip(probabilities, kept_rows(draws), strict=True))
        if kept and not (tables.floats and probability == 0.0)
    ]
    if tables.space.keep is None:
        yield from found
        return
    if not found:
        raise NothingKept(nothing_kept(tables.space))
    everything = sum(probability for probability, _ in found)
    yield from ((probability / everything, draw) for probability, draw in found)


def nothing_kept(space: Space) -> str:
    """The sentence for a space that throws all its draws away."""
    return f"space {space.name!r} keeps none of its draws; loosen `keep`"


def _blocks(
    tables: Tables,
    held: Tables | None,
    frozen: Sequence[str],
    enumeration: Enumeration,
    most: int = 4096,
) -> Iterator[tuple[Draws, np.ndarray]]:
    for part, numbers in enumeration.blocks(most):
        indices = part.indices(numbers)
        times = part.times(numbers) if tables.floats else part.exact_times(numbers)
        probabilities = times * np.multiply.reduce(tables.sampled[indices], axis=-1)
        yield Draws(tables, indices, None, held, frozen), probabilities
