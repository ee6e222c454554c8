"""Which references are the same function: on every draw of a small problem whose episodes differ in
length, and by which algorithms' names they go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.environments import decisions
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import sigmoid_policy
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.references.algorithms import ALGORITHMS
from altpg_verify.audit.references.recipes import OnLogits, Recipe, Reference
from altpg_verify.audit.references.sequences import FAR, Sequences
from altpg_verify.audit.spaces import Episode, Space


def names_of(reference: Reference) -> tuple[str, ...]:
    """The algorithms that a reference is a form of, whatever its numbers."""
    if isinstance(reference, OnLogits):
        return tuple(each.name for each in ALGORITHMS.values() if each.on_logits == reference.name)
    if (
        reference.surrogate.name in ("clip", "sequence clip", "sequence clip by token")
        and FAR in dict(reference.surrogate.numbers).values()
    ):
        # a clip on one side only is another thing
        return ()
    return tuple(
        each.name
        for each in ALGORITHMS.values()
        if reference.advantage.name in each.advantages
        and reference.surrogate.name in each.surrogates
        and reference.aggregation.name in each.aggregations
        and reference.divergence.name in each.divergences
    )


def distinct(references: Sequence[Reference], space: Space) -> list[Reference]:
    """One of each set of references that no draw of a richer space tells apart."""
    telling = _telling(space.scheme, space.reference is not None, _apart(space))
    layout = Layout.of(tuple(telling[0].space.policy.shapes), telling[0].space.parameters)
    seen: list[tuple[Reference, np.ndarray]] = []
    for reference in references:
        if not isinstance(reference, Recipe):
            found = np.array([float(hash(reference) % 1_000_003)])
        else:
            with np.errstate(all="ignore"):
                found = np.concatenate(
                    [
                        reference.vectors(
                            Sequences(each), Sequences(each).scores(layout), layout
                        ).reshape(-1)
                        for each in telling
                    ]
                )
        if not any(
            len(found) == len(other)
            and np.allclose(found, other, rtol=1e-9, atol=1e-13, equal_nan=True)
            for _, other in seen
        ):
            seen.append((reference, found))
    return [reference for reference, _ in seen]


def _apart(space: Space) -> tuple[tuple[str, float], ...]:
    """The space's constants with values of their own each, so that a number in place of one of
    them is another function.
    """
    return tuple(
        (name, float(value) * (1.3 + 0.07 * place) if value else 0.11 + 0.07 * place)
        for place, (name, value) in enumerate(sorted(space.constants.items()))
        if isinstance(value, Real) and not isinstance(value, bool)
    )


@cache
def _telling(
    scheme: Any, reference: bool, constants: tuple[tuple[str, float], ...]
) -> tuple[Draws, ...]:
    """Draws of a small problem with episodes of different lengths, rewards at every step and
    another behaviour.
    """
    half = Fraction(1, 2)

    def episode(
        states: tuple[int, ...], actions: tuple[int, ...], rewards: tuple[Any, ...], last: Any = 0
    ) -> Episode:
        return Episode(
            half, states, actions, tuple(Fraction(each) for each in rewards), Fraction(last)
        )

    episodes = []
    for start in (0, 3):
        base = (start, start + 1, start + 2)
        episodes += [
            episode(base[:1], (0,), (Fraction(1 + start, 5),)),
            episode(base[:2], (1, 0), (Fraction(1, 3), Fraction(-2, 7))),
            episode(base, (1, 1, 0), (0, Fraction(1, 2), Fraction(start, 4))),
            episode(base, (1, 1, 1), (Fraction(1, 9), 0, 1), Fraction(1, 3)),
        ]
    space = decisions(
        episodes,
        sigmoid_policy(6),
        ("1/3", "2/3", "1/2", "1/4", "3/5", "2/5"),
        discount="9/10",
        name="two ragged prompts",
    )
    space = replace(space, constants={**space.constants, **dict(constants)})
    if reference:
        space = space.against([["2/3", "1/3"]] * 6)
    space = (
        space
        if scheme == "one"
        else space.batch(2)
        if scheme == "batch"
        else space.group(3, every_start=scheme == "groups")
    )
    out = []
    for place, spread in (
        (points(space, 2)[1], 4.0),
        (points(space, 2)[1], 1.5),
        (points(space, 3)[2], 0.12),
    ):
        sampled = replace(
            space,
            behaviour=space.policy.table(points(space, 2, spread=spread)[1]),
            parameters=place,
        )
        for part, numbers in Enumeration(sampled).blocks(400):
            out.append(Draws(Tables.at(sampled, place), part.indices(numbers)))
            if len(out) % 4 == 0:
                break
    return tuple(out)


def grouped_names(references: Sequence[Reference], space: Space) -> tuple[str, ...]:
    """Each algorithm once, with the formula by which it was compared; those that are the same
    everywhere together.
    """
    partition: list[str] = []
    order = [each.name for each in ALGORITHMS.values()]
    left = list(dict.fromkeys(name for each in references for name in names_of(each)))
    for name in sorted(left, key=order.index):
        if name not in left:
            continue
        forms = [each for each in references if name in names_of(each)]
        same = [
            other
            for other in sorted(left, key=order.index)
            if other == name
            or any(
                len(distinct([forms[0], each], space)) == 1
                for each in references
                if other in names_of(each)
            )
        ]
        left = [other for other in left if other not in same]
        partition.append(f"{' = '.join(same)} ({forms[0]})")
    return tuple(partition)


def with_names(reference: Reference) -> str:
    """A reference in brackets, behind the algorithms that it is a form of."""
    known = names_of(reference)
    return f"{' = '.join(known)} ({reference})" if known else f"({reference})"
