"""Which references an update is compared with: those that differ where all ratios are 1, and those
that differ elsewhere only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from altpg_verify.audit.references.advantages import ADVANTAGES
from altpg_verify.audit.references.algorithms import ALGORITHMS, USUAL, combined, surrogates_of
from altpg_verify.audit.references.loss_numbers import numbers_of, readable_names
from altpg_verify.audit.references.recipes import OnLogits, Recipe, Reference
from altpg_verify.audit.references.sequences import FAR
from altpg_verify.audit.references.surrogates import AGGREGATIONS, DIVERGENCES, SURROGATES, Piece
from altpg_verify.audit.updates import Update


class Candidates:
    """The references that make sense for an update on its space.

    Args:
        update: what is to be named.
        ratios: whether it is tried on draws with ratios other than 1.

    Attributes:
        space: the update's.
        numbers: those that may stand in its loss.
    """

    def __init__(self, update: Update, ratios: bool) -> None:
        self.update, self.space, self.ratios = update, update.space, ratios
        self.numbers = numbers_of(update)

    @cached_property
    def plain(self) -> list[Recipe]:
        """One reference for each that is another where all ratios are 1."""
        readable = readable_names(self.update)

        def likely(table: Any, own: tuple[str, ...]) -> list[str]:
            return [
                name
                for name, each in table.items()
                if name in own or not each.reads or set(each.reads) & readable
            ]

        named = ALGORITHMS.values()
        advantages = likely(ADVANTAGES, tuple(name for each in named for name in each.advantages))
        divergences = likely(DIVERGENCES, ())
        surrogates = [
            "score",
            *(["sequence clip", "geometric mean"] if self.space.horizon > 1 else []),
        ]
        usual = replace(self.numbers, clips=((0.2, 0.2),), gates=USUAL.gates, reaches=USUAL.reaches)
        return [
            each
            for each in combined(advantages, surrogates, list(AGGREGATIONS), divergences, usual)
            if each.fits(self.space)
        ]

    def expanded(self, base: Recipe) -> Iterator[Recipe]:
        """The references that are the same where all ratios are 1."""
        if base.advantage.name == base.divergence.name == "none":
            # nothing, whatever it is multiplied by
            yield base
            return
        if base.surrogate.name != "score":
            kinds = [base.surrogate.name]
        else:
            kinds = [
                name
                for name in SURROGATES
                if name != "geometric mean" and (name != "sequence clip" or self.space.horizon == 1)
            ]
            kinds += ["geometric mean"] if self.space.horizon == 1 else []
        numbers = self.numbers if self.ratios else USUAL
        for kind in kinds:
            yield from (replace(base, surrogate=each) for each in surrogates_of(kind, numbers))

    @property
    def on_logits(self) -> list[Reference]:
        """Those that are no surrogates: gradients on logits."""
        return [
            each for each in (OnLogits("neurd"), OnLogits("sampled neurd")) if each.fits(self.space)
        ]


def met(equal: list[Reference]) -> list[Reference]:
    """Without those that have a bound which no draw met: the same without that bound agrees,
    too.
    """
    known = set(equal)

    def looser(reference: Recipe) -> Iterator[Recipe]:
        numbers = dict(reference.surrogate.numbers)
        if reference.surrogate.name == "dual clip":
            yield replace(
                reference,
                surrogate=Piece(
                    "surrogate", "clip", (("low", numbers["low"]), ("high", numbers["high"]))
                ),
            )
        if reference.surrogate.name == "truncated weight":
            yield replace(reference, surrogate=Piece("surrogate", "ratio"))
            return
        for bound in ("low", "high"):
            if numbers.get(bound, FAR) != FAR:
                yield replace(
                    reference,
                    surrogate=replace(
                        reference.surrogate, numbers=tuple({**numbers, bound: FAR}.items())
                    ),
                )

    return [
        each
        for each in equal
        if not (isinstance(each, Recipe) and any(one in known for one in looser(each)))
    ]
