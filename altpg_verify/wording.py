"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str, many: str = "") -> str:
    """`1 law`, `2 laws`, `1,000 laws`.

    Args:
        number: how many.
        noun: of one.
        many: the plural, if it isn't the noun with an s.
    """
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"
