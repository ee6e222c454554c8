"""The kernel's trees as text, so that what a stored certificate proves can be read from what is
checked. Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# how tightly an operation binds
_SUM, _PRODUCT, _POWER = 1, 2, 3


def formula(tree: Any) -> str:
    """A formula in print: sums as Σ_c, the derivative in θ_a as ∂_θ[a]; x[a] is e^θ[a], k the
    number of actions.

    Examples:
        >>> formula(["+", ["sum", "c", ["*", "pi[c]", "r[c]"]], ["*", -1, "b"]])
        'Σ_c pi[c] r[c] - b'

    Raises:
        TypeError, ValueError, LookupError: this is no tree that the kernel reads.
    """
    return _text(tree)[0]


def identity(data: Mapping[str, Any]) -> str:
    """What an identity's certificate states: both sides, what it is given, and the signs it
    assumes.

    It is derived from the data that the kernel checks, so it can't say anything else.

    Args:
        data: those of an identity's certificate.
    """
    parts = [f"{formula(data['left'])} {data['relation']} {formula(data['right'])}"]
    given = [_given(one) for one in data["given"]]
    if given:
        parts.append("given " + " and ".join(given))
    for field, words in (("positive", "> 0"), ("nonnegative", "≥ 0"), ("nonzero", "≠ 0")):
        # e^θ and the number of actions are positive without being told so
        declared = [
            letter for letter in data[field] if not (field == "positive" and letter in ("x", "k"))
        ]
        if declared:
            parts.append(f"with {', '.join(map(_name, declared))} {words}")
    # such a line would look like a proof
    if data["left"] == data["right"]:
        parts.append("which says nothing, both sides being the same")
    return "; ".join(parts)


def _given(one: Mapping[str, Any]) -> str:
    return f"{formula(one['zero'])} = 0" + (
        f" for every {_name(one['each'])}" if one["each"] else ""
    )


def _text(tree: Any) -> tuple[str, int]:
    """The text and how tightly it binds."""
    if type(tree) is int:
        return str(tree), _POWER if tree >= 0 else _SUM
    if type(tree) is str:
        return _name(tree), _POWER
    head, *parts = tree
    if head == "+":
        return _plus(parts), _SUM
    if head == "*":
        return _times(parts), _PRODUCT
    if head == "^":
        base, power = parts
        if type(power) is not int:
            raise ValueError("a power is a whole number")
        return f"{_inside(base, _POWER)}^{power if power >= 0 else f'({power})'}", _POWER - 1
    if head == "sum":
        index, body = parts
        return f"Σ_{_name(index)} {_inside(body, _PRODUCT)}", _SUM
    if head == "D":
        variable, body = parts
        return f"∂_θ{_name(variable)[1:]} {_inside(body, _POWER)}", _SUM
    raise ValueError(f"{head!r} is no operation")


def _name(text: Any) -> str:
    """A letter, such as b, r_π or x[a]; a sentence is none."""
    if type(text) is not str or not re.fullmatch(r"[^\W\d][\w*'^]{0,15}(\[\w{1,4}\])?", text):
        raise ValueError("this is no letter")
    return text


def _plus(parts: Sequence[Any]) -> str:
    first, *rest = [_inside(part, _SUM) for part in parts]
    return first + "".join(
        f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest
    )


def _times(parts: Sequence[Any]) -> str:
    if len(parts) > 1 and parts[0] == -1:
        return "-" + " ".join(_inside(part, _PRODUCT) for part in parts[1:])
    return " ".join(_inside(part, _PRODUCT) for part in parts)


def _inside(tree: Any, tightly: int) -> str:
    text, binds = _text(tree)
    return text if binds >= tightly else f"({text})"
