"""What would support and what would refute an empirical claim, in one wording for all of them."""

from __future__ import annotations

RATE = "at a 1 % error rate"


def larger(first: str, second: str, margin: float | str = 0) -> str:
    """The criterion of a claim that one mean is larger than another, by more than a margin.

    Args:
        first, second: what is compared, in words.
        margin: in the units of the means, as a number or in words; 0 for any difference.
    """
    by = f" by more than {margin}" if margin else ""
    return (
        f"quantity: {first}, against {second}; supported if the first is larger{by}, refuted if it"
        f" isn't, {RATE}"
    )


def similar(first: str, second: str, margin: float | str) -> str:
    """The criterion of a claim that two means are alike: they differ by less than a margin.

    Args:
        first, second: what is compared, in words.
        margin: in the units of the means, as a number or in words.
    """
    return (
        f"quantity: {first}, against {second}; supported if they differ by less than {margin},"
        f" refuted if by more, {RATE}"
    )


def above(quantity: str, bound: float | str) -> str:
    """The criterion of a claim that a mean exceeds a number.

    Args:
        quantity: what is averaged, in words; bound: in its units.
    """
    return f"quantity: {quantity}; supported if above {bound}, refuted if below, {RATE}"


def below(quantity: str, bound: float | str) -> str:
    """The criterion of a claim that a mean stays under a number.

    Args:
        quantity: what is averaged, in words; bound: in its units.
    """
    return f"quantity: {quantity}; supported if below {bound}, refuted if above, {RATE}"


def read_as(quantity: str, supported: str) -> str:
    """The criterion of a claim that none of the others fits.

    Args:
        quantity: what is measured, in words.
        supported: the condition under which it is supported, in words.
    """
    return f"quantity: {quantity}; supported if {supported}, refuted if not, {RATE}"
