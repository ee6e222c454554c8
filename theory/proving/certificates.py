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

    Args:
        zero: an expression.
        each: an index that occurs in it, or nothing.
        weight: an expression in that index.
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
        """Whether the kernel accepts the data, read back from JSON text.

        By `kernel.holds`, which shares no code with what made the data.
        """
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
        """The assumptions about the names that occur.

        Lists are sorted, so that the same proof gives the same bytes.

        Args:
            kept: names that occur in the certificate.
        """
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

    `finite_sums.cofactors` looks for the cofactors; where there are none, the certificate is made
    all the same and its re-check fails.

    Args:
        left, right: sympy expressions in the symbols of `notation`.
        summary: the line in words, kept in the certificate.
        signs: what is assumed of the signs of the symbols.

    Args:
        relation: "=", ">=" or ">".
        witness: what left - right is, in a form that is manifestly of the right sign; 0 for "=".
        given: expressions that are zero, or `Given`s.
        where: symbols that are written out before anything is checked.
    """
    # left, right and witness, all written out in the same meaning
    sides = [tree(side, where) for side in (left, right, witness)]
    assumed = [one if isinstance(one, Given) else Given(one) for one in given]
    entries = [
        {"zero": tree(one.zero, where), "each": str(one.each), "cofactor": tree(one.weight, where)}
        for one in assumed
    ]
    # left - right - witness, which the cofactors must account for
    target: Tree = ["+", sides[0], ["*", -1, ["+", sides[1], sides[2]]]]
    for entry, factor in zip(
        entries, cofactors(target, [_used(entry) for entry in entries]), strict=True
    ):
        entry["cofactor"] = _product(factor, entry["cofactor"])
    # a certificate names no assumption that it doesn't need
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
