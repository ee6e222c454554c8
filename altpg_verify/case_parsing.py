"""A case from the text that prints it, as the command line takes it."""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.cases import Case, Outcome, check_case
from altpg_verify.errors import BadInput
from altpg_verify.parameterisations import named

_LARGEST_EXPONENT = 1000


def parse_case(text: str, policy: str = "softmax") -> Case:
    """A case from "pi=1/2,1/2; r=0,1@1/2|3@1/2; b=1" (theta=... for escort policies); what
    `str(case)` prints.

    Each reward is a number, or outcomes reward@probability separated by |. Numbers are whole,
    fractions or decimals, and are taken exactly: 0.1 is 1/10.

    Args:
        text: the three parts, in any order.
        policy: the parameterisation by name, as for `--policy`.

    Raises:
        BadInput: a part is missing, unknown or unreadable, or the case isn't one (see
            `check_case`).

    Examples:
        >>> from altpg_verify.case_parsing import parse_case
        >>> case = parse_case("pi=1/2,1/2; r=0,1@1/2|3@1/2; b=1")
        >>> [str(entry) for entry in case.q], str(case)
        (['0', '2'], 'pi=1/2,1/2; r=0,1@1/2|3@1/2; b=1')
    """
    parameterisation = named(policy)
    coordinates = "pi" if parameterisation.normalised else "theta"
    parts: dict[str, str] = {}
    # empty parts are left out, so that a semicolon at the end does no harm
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in (coordinates, "r", "b") or name in parts:
            raise BadInput(
                f'case: can\'t use {part!r}; write it like "{coordinates}=1/2,1/2; r=0,1; b=1"'
            )
        parts[name] = value
    missing = [name for name in (coordinates, "r", "b") if name not in parts]
    if missing:
        raise BadInput(
            f'case: {", ".join(missing)} missing; write it like "{coordinates}=1/2,1/2; r=0,1; b=1"'
        )
    x = tuple(_number(coordinates, piece) for piece in parts[coordinates].split(","))
    rewards = tuple(
        tuple(_outcome(piece) for piece in entry.split("|")) for entry in parts["r"].split(",")
    )
    return check_case(Case(x, rewards, _number("b", parts["b"]), parameterisation))


def _outcome(text: str) -> Outcome:
    reward, at, weight = text.partition("@")
    return _number("r", reward), _number("r", weight) if at else Fraction(1)


def _number(name: str, text: str) -> Fraction:
    try:
        # as an exact number 1e999999999 has a billion digits
        if abs(int(text.lower().partition("e")[2] or 0)) > _LARGEST_EXPONENT:
            raise ValueError("an exponent that is too large")
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise BadInput(
            f"case: {name} has {text.strip()!r}, which is no number; write whole numbers, fractions"
            " like 1/3 or decimals, up to 1e1000"
        ) from None
