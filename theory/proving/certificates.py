"""Certificates: what is stored of a proof, and how it is checked again without what produced it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.expression_trees import Meaning, Tree, names, tree
from altpg_verify.theory.proving.finite_sums import cofactors
from altpg_verify.theory.proving.notation import CONSTANTS


@dataclass(frozen=True)
class Given:
    """An assumption: `zero` is 0; with `each`, for every value of that index, and it is used as Σ
    of `weight` times it over that index.
    """

    zero: Any
    each: Any = ""
    weight: Any = 1


@certificate_kind
@dataclass(frozen=True)
class IdentityCertificate:
    """`left relation right` for every number of actions, as the kernel reads it; the fields are
    explained there.

    Args:
        data: the JSON object; its fields are explained in `altpg_verify.theory.proving.kernel`.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether the kernel accepts the data, read back from JSON text."""
        return kernel.holds(json.loads(self.as_json()))

    def as_json(self) -> str:
        """The data as JSON text on one line; `from_json` reads it."""
        return json.dumps(self.data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> IdentityCertificate:
        """Read a stored certificate; it is as good as its re-check says."""
        return cls(json.loads(text))

    def __str__(self) -> str:
        return str(self.data.get("says", "a certificate without words"))


@dataclass(frozen=True)
class Signs:
    """Which symbols are positive, nonnegative or just not zero: part of what a certificate assumes.

    Args:
        positive: symbols above 0; "x" (the weights e^θ) and "k" always are.
        nonnegative: symbols of at least 0.
        nonzero: symbols that may be divided by.
    """

    positive: tuple[Any, ...] = ()
    nonnegative: tuple[Any, ...] = ()
    nonzero: tuple[Any, ...] = ()

    def named(self, kept: set[str]) -> dict[str, list[str]]:
        """The assumptions about the names that occur."""
        fields = {
            "positive": (*self.positive, "x", "k"),
            "nonnegative": self.nonnegative,
            "nonzero": self.nonzero,
        }
        return {
            field: sorted({str(letter) for letter in declared} & kept)
            for field, declared in fields.items()
        }


def certify(
    left: Any,
    relation: str,
    right: Any,
    *,
    summary: str,
    witness: Any = 0,
    given: Sequence[Any] = (),
    where: Meaning | None = None,
    signs: Signs | None = None,
) -> IdentityCertificate:
    """The certificate that `left relation right`; nothing is claimed of it until it is re-checked.

    Args:
        relation: "=", ">=" or ">".
        witness: what left - right is, in a form that is manifestly of the right sign; 0 for "=".
        given: expressions that are zero, or `Given`s.
        where: symbols that are written out before anything is checked.
    """
    sides = [tree(side, where) for side in (left, right, witness)]
    assumed = [one if isinstance(one, Given) else Given(one) for one in given]
    entries = [
        {"zero": tree(one.zero, where), "each": str(one.each), "cofactor": tree(one.weight, where)}
        for one in assumed
    ]
    target: Tree = ["+", sides[0], ["*", -1, ["+", sides[1], sides[2]]]]
    for entry, factor in zip(
        entries, cofactors(target, [_used(entry) for entry in entries]), strict=True
    ):
        entry["cofactor"] = _product(factor, entry["cofactor"])
    used = [entry for entry in entries if entry["cofactor"] != 0]
    occurring = set(
        names(
            ["+", *sides, *(part for entry in used for part in (entry["zero"], entry["cofactor"]))]
        )
    )
    data = {
        "says": summary,
        "left": sides[0],
        "relation": relation,
        "right": sides[1],
        "witness": sides[2],
        "given": used,
    }
    return IdentityCertificate(
        {**data, **(signs or Signs()).named(occurring), "constant": sorted(occurring & CONSTANTS)}
    )


def _used(entry: Mapping[str, Any]) -> Tree:
    return (
        ["sum", entry["each"], _product(entry["cofactor"], entry["zero"])]
        if entry["each"]
        else entry["zero"]
    )


def _product(one: Tree, other: Tree) -> Tree:
    return (
        0 if 0 in (one, other) else one if other == 1 else other if one == 1 else ["*", one, other]
    )
