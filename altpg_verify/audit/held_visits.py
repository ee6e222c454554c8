"""An entropy bonus or a divergence that a loss computes in every visited state.

Its gradient moves the policy within each state and holds which states are visited, so that of H =
E[Σ -log π] a part is missing:

    ∇H = E[Σ ∇H(π(·|S))] + what the policy changes in which states S come.

E[Σ ∇H(π(·|S))] is in general no gradient field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import fitted
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import say
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import entropy, kl_from_reference, kl_to_reference
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

MOST_TERMS = 2
"""So many terms are looked for together."""

WHOLE = (entropy, kl_to_reference, kl_from_reference)
"""What stands in a target for whole episodes, and in a loss for each visited state."""


def held_visits(found: Evidence, kind: Kind) -> str:
    """What is said where the update is the target with its entropy or divergence, or one more of
    them, taken in every visited state with the visits held; empty if it is no such thing.
    """
    space = found.space
    if (
        kind not in (Kind.NOT_A_GRADIENT, Kind.BIASED)
        or space.horizon == 1
        or space.continuous is not None
        or space.game is not None
        or space.behaviour is not None
    ):
        return ""
    terms = list(_terms(found.target))
    rest = [term for term in terms if term[1] not in WHOLE]
    meant = [each for _, each in terms if each in WHOLE]
    offered = [each for each in VISITED if each.makes_sense(space)]
    # where the reference is uniform an entropy is a divergence: what is asked for is named
    offered.sort(key=lambda each: WHOLE[VISITED.index(each) % len(WHOLE)] not in meant)
    observed = (found.fields @ found.identifiable).ravel()
    for count in range(1, MOST_TERMS + 1):
        for chosen in combinations(offered, count):
            try:
                columns = [_everywhere(rest, found)] if rest else []
                columns += [_everywhere([(Fraction(1), each)], found) for each in chosen]
            except BadInput:
                continue
            fit = fitted(observed, columns)
            if fit is not None:
                return _said(rest, chosen, fit[0])
    return ""


def _terms(
    objective: Objective, factor: Fraction = Fraction(1)
) -> Iterator[tuple[Fraction, Objective]]:
    """The (factor, objective) pairs that aren't sums themselves."""
    if not objective.parts:
        yield factor, objective
    for own, part in objective.parts:
        yield from _terms(part, factor * own)


Terms = list[tuple[Fraction, Objective]]


def _everywhere(terms: Terms, found: Evidence) -> np.ndarray:
    """(places · n,) the gradient of a sum at every policy compared."""
    gradients = [
        sum(float(factor) * found.gradient(each, place) for factor, each in terms)
        @ found.identifiable
        for place in found.places
    ]
    return np.concatenate(gradients)


def _said(rest: Terms, chosen: tuple[Objective, ...], fit: np.ndarray) -> str:
    factors = [*map(float, fit)]
    of_rest = factors.pop(0) if rest else 0.0
    terms = [
        *((of_rest * float(factor), each) for factor, each in rest),
        *zip(factors, chosen, strict=True),
    ]
    formula = " + ".join(f"{say(factor)}·{each.formula}" for factor, each in terms)
    formula = f" {formula}".replace("+ -", "- ").replace(" 1·", " ").replace("-1·", "-").strip()
    return (
        f"in one term the visited states S are held: it is ∇({formula}) without the part by which"
        " that term moves the S"
    )


def _entropies(tables: Tables, held: Tables) -> np.ndarray:
    """(..., states)"""
    pi = tables.table
    return -np.where(pi == 0, 0, pi * np.log(np.where(pi == 0, 1, pi))).sum(axis=-1)


def _reverse(tables: Tables, held: Tables) -> np.ndarray:
    pi, ref = tables.table, held.ref
    logs = np.log(np.where(pi == 0, 1, pi)) - np.log(np.where(ref == 0, 1, ref))
    return np.where(pi == 0, 0, pi * logs).sum(axis=-1)


def _forward(tables: Tables, held: Tables) -> np.ndarray:
    pi, ref = tables.table, held.ref
    logs = np.log(np.where(ref == 0, 1, ref)) - np.log(np.where(pi == 0, 1, pi))
    return np.where(ref == 0, 0, ref * logs).sum(axis=-1)


def _at(
    tables: Tables, held: Tables, *, states: Callable[[Tables, Tables], np.ndarray], mean: bool
) -> Any:
    if not tables.floats:
        raise NotExact("a logarithm has no exact value")
    arrays = held.arrays
    each = np.where(arrays.steps, states(tables, held)[..., arrays.states], 0).sum(axis=-1)
    weights = held.probabilities / arrays.lengths if mean else held.probabilities
    return (weights * each).sum(axis=-1)


def _compared(space: Space) -> bool:
    """Neither policy rules out what the other does."""
    return space.reference is not None and bool((space.reference != 0).all())


VISITED = tuple(
    Objective(
        f"{name} of every visited state, with the visits held",
        f"E[{'(1/T) ' if mean else ''}Σ {formula}]",
        partial(_at, states=states, mean=mean),
        fits,
        stacks=True,
    )
    for mean in (False, True)
    for name, formula, states, fits in (
        ("the entropy", "H(π(·|S))", _entropies, lambda space: True),
        ("the reverse KL", "KL(π‖ref)(S)", _reverse, _compared),
        ("the forward KL", "KL(ref‖π)(S)", _forward, _compared),
    )
)
"""What a loss may compute in every visited state, and its mean over an episode's T steps."""
