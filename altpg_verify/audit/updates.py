"""Any update as one kind of object: what it does to the parameters on one draw, where it is tried,
and what it is meant to follow.

    @update(space=bandit([1, "1/2", 0]).batch(4))
    def own_mean(actions, rewards, scores):
        return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)

An update is an *ascent direction*: training adds a positive multiple of it to the parameters (minus
the gradient of a loss).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.answers import real_numbers
from altpg_verify.audit.declarations import checked_choices
from altpg_verify.audit.draws import Draw
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.merging import order_of
from altpg_verify.audit.options import UpdateOptions
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import NotExact
from altpg_verify.audit.programs import Batch, Program
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.stacked import NotStackable
from altpg_verify.audit.update_arguments import Choices
from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.opaque_numbers import NotRational
from altpg_verify.untrusted.calling import calling

if TYPE_CHECKING:
    from altpg_verify.audit.replaying import Replayed

Gradient = Callable[[Parameters, Draw], Mapping[str, Any]]
"""(parameters, draw) -> the ascent direction for each group of parameters, shaped like the
group.
"""


@dataclass(frozen=True, eq=False)
class Update:
    """What a learner adds to its parameters, as a function of one draw.

    Args:
        name: what reports and ids call it.
        gradient: the ascent direction for each group of parameters.
        space: where it is tried.
        target: the objective it is meant to ascend, by name or as an `Objective` (see
            `objectives`).
        groups: the groups of parameters the target speaks of; those the policy reads, by default.
        frozen: names of quantities (`value`, `values`, `pi`, `logprobs`, ...) that don't move when
            the parameters do: the field is differentiated, and training followed, with them held
            where the audit stands.
        choices: the update's own randomness, declared and therefore enumerated.
        random: it draws from its own `rng`: only sampling can judge it.
        exact: may be run on exact numbers (formulas and numpy functions; never losses under
            autodiff).
        needs: the names it asks for.
        intended: the verdict it is meant to get -> why; then that verdict is fine and "unbiased" is
            not.
        origin: "formula", "function", "torch loss", "jax loss".
        summary: one line of what it does, the first of its docstring.
        batch: (parameters, draws) -> the ascent direction for each group on many draws at once;
            raises `NotBatched` where that can't be.
        function: what was wrapped.
        drew: whether calls so far have moved a random generator; None if that isn't watched.
        seeded: its own randomness is fixed at a declared seed before each call.
        conforms_to: the published algorithm it is meant to be, by its key in
            `references.algorithms`; then that is the test.
        said: what is to be said of how it was read, once it ran.
        cut: why it has no path to the parameters on any draw, once it ran; empty if it has one.
        samples: whether it drew its own noise by torch's `sample`, through which no gradient goes;
            None if that isn't watched.
        shares: how the rows are shared: name -> (its value, what it could be).
        remade: (space, **shares) -> the same update made anew there, where `on` isn't enough.
        value: (parameters, draw) -> the loss itself, for losses.
        rewritten: (function, space) -> the same declarations of another function; None where that
            can't be.
        replay: a trainer's step, which draws by itself: its branches stand for the draws of the
            space.
        estimator: of a trainer's loss its own function for advantages; `rewritten` takes another
            one by keyword, `advantages=`.
        named_estimator: of a trainer's loss the name of its advantages' estimator, which may be
            exchanged likewise.
        uncompiled: within this context every single call runs the function's own Python, or if
            `traced` the operations that it was traced to; None where it always does the former.

    Examples:
        >>> from altpg_verify.audit import bandit, update
        >>> @update(space=bandit([1, 0]).batch(2))
        ... def reinforce(rewards, scores):
        ...     return (rewards[:, None] * scores).mean(axis=0)
        >>> reinforce.needs, str(reinforce.space)
        (('rewards', 'scores'), 'bandit, batches of 2')
    """

    name: str
    gradient: Gradient
    space: Space
    target: Any = "value"
    groups: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    choices: Choices = field(default_factory=dict)
    random: bool = False
    exact: bool = False
    needs: tuple[str, ...] = ()
    intended: Mapping[str, str] = field(default_factory=dict)
    origin: str = "function"
    summary: str = ""
    batch: Batch | None = None
    function: Any = None
    drew: Callable[[], bool] | None = None
    seeded: bool = False
    conforms_to: str = ""
    said: Callable[[], Sequence[str]] | None = None
    cut: Callable[[], str] | None = None
    samples: Callable[[], bool] | None = None
    shares: Mapping[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    remade: Callable[..., Update] | None = None
    uncompiled: Callable[..., AbstractContextManager[None]] | None = None
    value: Callable[[Parameters, Draw], float] | None = None
    rewritten: Callable[..., Update] | None = None
    estimator: Callable[..., Any] | None = None
    named_estimator: str = ""
    replay: Replayed | None = None

    def __post_init__(self) -> None:
        if not str(self.name).isprintable():
            raise BadInput(
                f"the update's name {self.name!r} has a line break or another sign that can't be"
                " printed; give it a plain name"
            )
        object.__setattr__(self, "choices", checked_choices(self.choices))
        kinds = [str(kind) for kind in Kind]
        for mark in self.intended:
            if mark not in kinds:
                raise BadInput(
                    f"update {self.name!r} is marked as {mark!r}, which is no verdict; choose from"
                    f" {', '.join(kinds)}"
                )

    def on(self, space: Space, **changes: Any) -> Update:
        """The same update tried elsewhere (and, by keyword, with another target, frozen, ...)."""
        return replace(self, space=space, **changes)

    def alike(self, space: Space) -> Update:
        """The same update on a space whose draws have the same structure (other rewards or
        constants): what is known of orders is kept.
        """
        moved = self.on(space)
        known = self.program.order
        there = Enumeration(space, known.enumeration.merged, known.enumeration.alike)
        if _same_episodes(space, self.space):
            # listing the draws takes as long as evaluating them
            there.__dict__["parts"] = known.enumeration.parts
        moved.program.__dict__["order"] = replace(known, enumeration=there)
        return moved

    @cached_property
    def program(self) -> Program:
        """How it is run."""
        return Program(self, order_of)

    @property
    def judged(self) -> tuple[str, ...]:
        """The groups of parameters the verdict is about."""
        return self.groups or tuple(self.space.policy.shapes)

    def watched(self) -> AbstractContextManager[None]:
        """A context in which the function's own Python runs at every single call."""
        return nullcontext() if self.uncompiled is None else self.uncompiled()

    def seldom(self) -> AbstractContextManager[None]:
        """A context for so few single calls that they aren't worth a compiled program."""
        return nullcontext() if self.uncompiled is None else self.uncompiled(traced=True)

    def at(self, parameters: Parameters, draw: Draw) -> dict[str, np.ndarray]:
        """The ascent direction on one draw, checked.

        Raises:
            BadEstimator: it raised, or returned the wrong shapes or numbers that aren't finite.
        """
        with (
            np.errstate(all="ignore"),
            calling(
                f"update {self.name!r}", lambda: where(draw), (NotExact, NotRational, NotStackable)
            ),
        ):
            try:
                found = self.gradient(parameters, draw)
            finally:
                replaced = [name for name, own in _NUMPY.items() if vars(np).get(name) is not own]
                for name in replaced:
                    setattr(np, name, _NUMPY[name])
        if replaced:
            raise BadEstimator(
                f"update {self.name!r} replaces numpy.{replaced[0]}, which everybody uses; leave it"
                " as it is"
            )
        return {name: self._checked(name, value, draw) for name, value in found.items()}

    def _checked(self, name: str, value: Any, draw: Draw) -> np.ndarray:
        if name not in self.space.parameters:
            raise BadEstimator(
                f"update {self.name!r} returned a group {name!r}; the groups are"
                f" {', '.join(self.space.parameters)}"
            )
        return real_numbers(
            value,
            np.shape(self.space.parameters[name]),
            f"update {self.name!r} returned",
            name,
            lambda: where(draw),
        )

    def __repr__(self) -> str:
        return f"<update {self.name} on {self.space}>"


def _same_episodes(one: Space, other: Space) -> bool:
    """Whether episodes are as long, start in the same states and are put together in the same way,
    so that the draws are the same.
    """
    return (
        (one.scheme, one.size, one.starts) == (other.scheme, other.size, other.starts)
        and np.array_equal(one.arrays.lengths, other.arrays.lengths)
        and np.array_equal(one.arrays.starts, other.arrays.starts)
        and all(one.start_weight(start) == other.start_weight(start) for start in one.starts)
    )


_NUMPY = {
    name: getattr(np, name)
    for name in ("exp", "log", "sum", "mean", "dot", "matmul", "where", "array", "asarray", "stack")
}
"""What the audit itself computes with."""


def where(draw: Draw) -> str:
    """Which draw it is, as the end of a sentence."""
    return (
        f"for actions {np.array(draw['actions']).tolist()}, rewards"
        f" {np.array(draw['rewards'], dtype=float).tolist()}"
    )


def of_another(options: UpdateOptions, title: str) -> UpdateOptions:
    """What was declared of a function, for another one in its place: under the same name, but what
    verdict that one is meant to get isn't known.
    """
    return {**options, "name": title, "intended": None}


def declared(
    name: str, gradient: Gradient, function: Any, options: UpdateOptions, **others: Any
) -> Update:
    """What somebody's function or loss becomes, with all that was declared of it; it says the first
    line of the function's docstring.

    Args:
        function: what was wrapped.
        name, gradient, others: as for `Update`.
        options: what was declared of it.
    """
    return Update(
        name,
        gradient,
        frozen=tuple(options.get("frozen", ())),
        groups=tuple(options.get("groups", ())),
        choices=dict(options.get("choices") or {}),
        intended=dict(options.get("intended") or {}),
        function=function,
        summary=summary_of(function),
        **others,
    )


def require_space(space: Any, door: str) -> None:
    """What a decorator is given as `space` is one.

    Raises:
        BadInput: it isn't; the message shows how the decorator is written.
    """
    if not isinstance(space, Space):
        raise BadInput(
            f"{door} needs the space on which it is tried, not {space!r}; write"
            f" {door}(space=bandit([1, '1/2', 0]))"
        )
