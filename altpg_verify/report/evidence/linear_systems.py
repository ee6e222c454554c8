"""Exact solutions of linear systems over any numbers, derivatives carried along included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altpg_verify.forward_mode import divide, value_of


def solved(matrix: Sequence[Sequence[Any]], right: Sequence[Any]) -> list[Any]:
    """The x with matrix x = right, by Gauss-Jordan elimination; exact numbers give an exact x, dual
    numbers its derivatives.

    Args:
        matrix: (n, n).
        right: (n,).

    Raises:
        ZeroDivisionError: the matrix is singular.
    """
    rows = [[*row, entry] for row, entry in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        # any pivot that isn't zero will do: exact numbers have no rounding to keep small
        pivot = next((row for row in range(column, size) if value_of(rows[row][column]) != 0), None)
        if pivot is None:
            raise ZeroDivisionError(f"the matrix is singular: column {column} has no pivot")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [divide(entry, rows[column][column]) for entry in rows[column]]
        for row in range(size):
            factor = rows[row][column]
            if row != column and value_of(factor) != 0:
                rows[row] = [
                    entry - factor * other
                    for entry, other in zip(rows[row], rows[column], strict=True)
                ]
    return [row[size] for row in rows]
