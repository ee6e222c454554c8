"""What a stored certificate says, in words that are derived from its data, so that they can't say
anything else. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from altpg_verify.theory.proving import cover_check, formula_text, instance_check

Data = Mapping[str, Any]


def statement(kind: str, data: Data) -> str:
    """The statement of a certificate, derived from its data alone.

    A stored statement that differs from it is refused, so that a certificate can't claim more than
    its checker checked.

    Args:
        kind: a key of `STATEMENTS`.
        data: the JSON object that the checker of that kind reads.
    """
    return STATEMENTS[kind](data)


def _exponential_sign(data: Data) -> str:
    terms = " + ".join(f"{coefficient} e^({exponent})" for coefficient, exponent in data["terms"])
    return f"{terms} {data['relation']} 0"


def _triangle_tree(data: Data) -> str:
    shown, triangles = ", ".join(data["rewards"]), data["tree"].count("l")
    return (
        f"r = ({shown}), b = {data['baseline']}: one expected step with α = {data['alpha']}, and by"
        " convexity in α with any smaller one, lowers D_KL(π*‖π) at every policy but π*; shown on"
        f" {triangles} triangles"
    )


def _chain(data: Data) -> str:
    low, high = data["value"]
    nearby = ", and it attracts nearby policies" if data.get("attracts") else ""
    return (
        f"the five-state chain with γ = {data['discount']} and b = {data['baseline']} in every"
        f" state: the expected update has exactly one fixed point inside{nearby}; there v(s₃) is in"
        f" [{low}, {high}]"
    )


STATEMENTS: Mapping[str, Callable[[Any], str]] = {
    "identity": formula_text.identity,
    "exponential sign": _exponential_sign,
    "triangle tree": _triangle_tree,
    "chain fixed point": _chain,
    "simplex cover": cover_check.statement,
    "exact instance": instance_check.statement,
    "attracting fixed point": instance_check.fixed_point_statement,
}
"""The statement's words, for each kind of certificate."""
