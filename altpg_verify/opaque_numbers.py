"""While somebody's formula runs: its numbers refuse to be looked at, and the arithmetic has a
budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from typing import Any, NoReturn


class NotRational(ArithmeticError):
    """The formula isn't a rational function of its arguments, or not polynomial in the reward:
    nothing is proved of it, and the search decides.
    """


class OutOfBudget(NotRational):
    """The polynomials of a proof became too large for its budget; nothing is said of the law, which
    the search then decides.
    """


RUNNING: list[list[str]] = []
"""The refusals of each formula that runs now, the innermost last; empty while none does."""


_BUDGET: list[list[float]] = []
"""How many products each open `budget` has left."""


@contextmanager
def opaque() -> Iterator[list[str]]:
    """While somebody's formula runs: its numbers refuse to be looked at. Gives the refusals, also
    those that the formula swallowed.

    A formula that catches the error and goes another way is thus found out. Outside such a block
    the engine may compare and print the same numbers.
    """
    refusals: list[str] = []
    RUNNING.append(refusals)
    try:
        yield refusals
    finally:
        RUNNING.pop()
        if RUNNING:
            RUNNING[-1].extend(refusals)


@contextmanager
def budget(products: float) -> Iterator[None]:
    """Let the arithmetic of the block multiply at most so many pairs of terms.

    Operations are counted, not seconds, so that the same proof succeeds or fails on every machine.

    Args:
        products: pairs of terms, a product of polynomials with m and n terms being m·n.

    Raises:
        OutOfBudget: within the block, when they are used up.
    """
    _BUDGET.append([products])
    try:
        yield
    finally:
        _BUDGET.pop()


def spend(one: Sized, other: Sized) -> None:
    """Take the product of two polynomials out of the budget.

    Raises:
        OutOfBudget: nothing is left.
    """
    # the schoolbook count: each term of one with each of the other
    if _BUDGET:
        _BUDGET[-1][0] -= len(one) * len(other)
        if _BUDGET[-1][0] < 0:
            raise OutOfBudget("the proof ran out of its budget")


def refuse(reason: str) -> NoReturn:
    """Remember why, for the formula may swallow the error, and raise `NotRational`.

    Args:
        reason: a sentence that begins with "the formula".
    """
    if RUNNING:
        RUNNING[-1].append(reason)
    raise NotRational(reason)


def refusing(what: str) -> Callable[..., Any]:
    """A method that refuses: "the formula compares ...".

    Args:
        what: what the formula does, as the rest of a sentence that begins with it.
    """

    def method(self: object, *_: object) -> NoReturn:
        refuse(f"the formula {what}")

    return method
