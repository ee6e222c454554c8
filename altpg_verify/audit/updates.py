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
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from altpg_verify.audit.declarations import checked_choices
from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.merging import order_of
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import UpdateOptions
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import NotExact
from altpg_verify.audit.programs import Batch, NotBatched, Points, Program, arguments_of
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.stacked import NotStackable
from altpg_verify.audit.update_arguments import Choices, called, grouped, names_of
from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator
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
        uncompiled: within this context every single call runs the function's own Python; None where
            it always does.

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
    uncompiled: Callable[[], AbstractContextManager[None]] | None = None
    value: Callable[[Parameters, Draw], float] | None = None
    rewritten: Callable[..., Update] | None = None
    estimator: Callable[..., Any] | None = None
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
        moved.program.__dict__["order"] = replace(
            known, enumeration=Enumeration(space, known.enumeration.merged, known.enumeration.alike)
        )
        return moved

    @cached_property
    def program(self) -> Program:
        """How it is run."""
        return Program(self, order_of)

    @property
    def judged(self) -> tuple[str, ...]:
        """The groups of parameters the verdict is about."""
        return self.groups or tuple(self.space.policy.shapes)

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
        if isinstance(value, np.ma.MaskedArray):
            raise BadEstimator(
                f"update {self.name!r} returned a masked array, of which some entries don't count;"
                " return plain numbers"
            )
        # the update may fill the same array at its next call
        array = np.array(value)
        shape = np.shape(self.space.parameters[name])
        if array.shape != shape:
            raise BadEstimator(
                f"update {self.name!r} returned shape {array.shape} for {name!r} instead of {shape}"
                f" {where(draw)}"
            )
        if array.dtype.kind == "c":
            raise BadEstimator(
                f"update {self.name!r} returned complex numbers for {name!r} {where(draw)}; return"
                " real ones"
            )
        if array.dtype != object and not np.all(np.isfinite(array)):
            raise BadEstimator(
                f"update {self.name!r} returned {array} for {name!r} {where(draw)}; "
                "return finite numbers (0/0 where all rewards are equal?)"
            )
        return array

    def __repr__(self) -> str:
        return f"<update {self.name} on {self.space}>"


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


def from_function(
    function: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    name: str | None = None,
    frozen: Sequence[str] = (),
    groups: Sequence[str] = (),
    choices: Choices | None = None,
    intended: Mapping[str, str] | None = None,
) -> Update:
    """An update from a numpy function that asks for what it needs by name and returns the ascent
    direction.

    Args:
        function: asks for names of `draws.DRAWN` and `draws.GIVEN`, for groups of parameters, for
            constants of the space, or for `rng`,
            a numpy generator: then only sampling can judge it, unless its randomness is declared as
                `choices`. Returns an array shaped
            like the policy's parameters, or a dict of them by group.
        name: what reports call it; the function's own name by default.
        space, target, frozen, groups, choices, intended: as for `Update`.

    Raises:
        BadEstimator: the function asks for a name that isn't there; the message lists those that
            are.
        BadInput: a mark in `intended` is no verdict.

    Examples:
        >>> from altpg_verify.audit import bandit, from_function
        >>> from_function(lambda r, score: r * score, space=bandit([1, 0]), name="reinforce")
        <update reinforce on bandit, one episode a draw>
    """
    title = str(name or getattr(function, "__name__", "update"))
    needs = names_of(function, space, title, also=("rng", *(choices or {})))

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        return grouped(called(title, function, needs, parameters, draw), draw.space, title)

    def rewritten(other: Callable[..., Any], there: Space) -> Update:
        return from_function(
            other,
            space=there,
            target=target,
            name=title,
            frozen=frozen,
            groups=groups,
            choices=choices,
        )

    return declared(
        title,
        gradient,
        function,
        rewritten=rewritten,
        batch=_stacked(function, needs, title),
        origin="function",
        needs=needs,
        space=space,
        target=target,
        frozen=frozen,
        groups=groups,
        choices=choices,
        intended=intended,
        random="rng" in needs,
        exact=not set(needs) & {*space.parameters, "theta", "logits"},
    )


def _stacked(function: Callable[..., Any], needs: Sequence[str], title: str) -> Batch:
    """A numpy function run once on the stacked arrays of all draws."""

    def batch(points: Points, draws: Draws) -> Mapping[str, Any]:
        from altpg_verify.audit.stacked import NotStackable, call_stacked

        stacked, plain = arguments_of(needs, points, draws)
        try:
            return grouped(call_stacked(function, stacked, plain, len(draws)), draws.space, title)
        except NotStackable as reason:
            raise NotBatched(str(reason)) from reason
        except Exception as error:
            raise NotBatched(f"raises {type(error).__name__} on stacked arrays") from error

    return batch


def declared(
    name: str,
    gradient: Gradient,
    function: Any,
    *,
    frozen: Sequence[str],
    groups: Sequence[str],
    choices: Choices | None,
    intended: Mapping[str, str] | None,
    **others: Any,
) -> Update:
    """What somebody's function or loss becomes, with all that was declared of it; it says the first
    line of the function's docstring.

    Args:
        function: what was wrapped.
        name, gradient, frozen, groups, choices, intended, others: as for `Update`.
    """
    return Update(
        name,
        gradient,
        frozen=tuple(frozen),
        groups=tuple(groups),
        choices=dict(choices or {}),
        intended=dict(intended or {}),
        function=function,
        summary=summary_of(function),
        **others,
    )


def from_estimator(
    estimator: Estimator,
    *,
    space: Space,
    target: Objective | str = "value",
    name: str | None = None,
    frozen: Sequence[str] = (),
    groups: Sequence[str] = (),
    choices: Choices | None = None,
    intended: Mapping[str, str] | None = None,
) -> Update:
    """An update from an `@estimator` formula, tried on draws of one step.

    Args:
        estimator: an ascent direction for the preferences, as everywhere.
        name: what reports call it; the estimator's own by default.
        space, target, frozen, groups, choices, intended: as for `Update`.

    Examples:
        >>> from altpg_verify import alternate
        >>> from altpg_verify.audit import bandit, from_estimator
        >>> from_estimator(alternate, space=bandit([1, 0]).having(b=0)).name
        'alternate'
    """

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        found = called(estimator.name, estimator.formula, estimator.needs, parameters, draw)
        return grouped(found, draw.space, estimator.name)

    return Update(
        name or estimator.name,
        gradient,
        space,
        target,
        frozen=tuple(frozen),
        exact="theta" not in estimator.needs,
        needs=estimator.needs,
        origin="formula",
        summary=estimator.summary,
        batch=_stacked(estimator.formula, estimator.needs, estimator.name),
        function=estimator.formula,
        groups=tuple(groups),
        choices=dict(choices or {}),
        intended=dict(intended or {}),
    )


def update(
    space: Space,
    target: Objective | str = "value",
    *,
    conforms_to: str = "",
    **options: Unpack[UpdateOptions],
) -> Callable[[Any], Update]:
    """Decorator: a numpy function, or an `@estimator`, as an `Update`: an ascent direction.

    Args:
        space: where it is tried.
        target: what it is meant to ascend, by name or as an `Objective`.
        conforms_to: the published algorithm that it is meant to be, such as "grpo" (see
            `references.algorithms`); then that is the test.
        options: as for `from_function`.

    Raises:
        BadEstimator: what it decorates is no function, or asks for a name that isn't there.
        BadInput: `space` is no space, or a mark in `intended` is no verdict.

    Examples:
        >>> from altpg_verify.audit import audit, bandit, update
        >>> @update(space=bandit([1, "1/2", 0]))
        ... def reinforce(r, score):
        ...     return r * score
        >>> str(audit(reinforce).kind)
        'unbiased'
    """

    require_space(space, "@update")

    def wrap(function: Any) -> Update:
        if isinstance(function, Estimator):
            made = from_estimator(function, space=space, target=target, **options)
        elif callable(function):
            made = from_function(function, space=space, target=target, **options)
        else:
            raise BadEstimator(
                f"@update needs a function of the draw, not {type(function).__name__}"
            )
        return made.on(space, conforms_to=conforms_to) if conforms_to else made

    return wrap


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
