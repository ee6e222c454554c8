"""Why a numpy function can't be evaluated on a stack of draws."""

from __future__ import annotations


class NotStackable(Exception):
    """A function can't be evaluated on all draws at once; the message says in one sentence what it
    does.
    """


class WritesIntoArgument(NotStackable):
    """A function writes into an argument, which other draws and estimators read.

    Args:
        name: the argument.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"writes into {name!r}")
        self.name = name
