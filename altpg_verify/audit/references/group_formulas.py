"""Advantages relative to a group, written once for arrays of either kind: `identify` evaluates them
in numpy, losses of trainers in torch.

A group is whatever is averaged over: the members of a prompt, or all tokens of a batch.
"""

from __future__ import annotations

from typing import Any, Protocol


class Group(Protocol):
    """What is averaged over, and how arrays of its kind are treated; results have a shape that
    broadcasts with the values.
    """

    @property
    def sizes(self) -> Any:
        """How many there are in each group."""

    def total(self, values: Any) -> Any:
        """The sum over each group."""

    def level(self, values: Any) -> Any:
        """Whether all in a group are equal."""

    def where(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """As `numpy.where`."""

    def root(self, values: Any) -> Any:
        """Square roots."""


def centred(values: Any, group: Group) -> Any:
    """R - mean(R), and exactly 0 where all are equal."""
    return group.where(group.level(values), 0.0, values - group.total(values) / group.sizes)


def leave_one_out(values: Any, group: Group) -> Any:
    """R - mean of the others; R where there is no other."""
    others = group.where(group.sizes == 1, 1, group.sizes - 1)
    return values - (group.total(values) - values) / others


def standardised(values: Any, group: Group, ddof: float, eps: float) -> Any:
    """(R - mean(R)) / (std(R) + eps), std over N - ddof; 0 where all are equal."""
    return _over(values, group, group.root(_variance(values, group, ddof)) + eps)


def standardised_inside(values: Any, group: Group, ddof: float, eps: float) -> Any:
    """(R - mean(R)) / √(var(R) + eps), var over N - ddof; 0 where all are equal."""
    return _over(values, group, group.root(_variance(values, group, ddof) + eps))


def _variance(values: Any, group: Group, ddof: float) -> Any:
    level = group.level(values)
    # the sample's variance of one value is 0 / 0
    return group.total(centred(values, group) ** 2) / group.where(level, 1.0, group.sizes - ddof)


def _over(values: Any, group: Group, below: Any) -> Any:
    return centred(values, group) / group.where(group.level(values), 1.0, below)
