"""Any update as one kind of object: what it does to the parameters on one draw, where it is tried,
and what it is meant to follow.

    @update(space=bandit([1, "1/2", 0]).batch(4))
    def own_mean(actions, rewards, scores):
        return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)

An update is an *ascent direction*: training adds a positive multiple of it to the parameters (minus
the gradient of a loss).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import numpy as np

from altpg_verify.audit.declarations import checked_choices
from altpg_verify.audit.draws import ALIASES, DRAWN, GIVEN, Draw, Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.findings import Kind
from altpg_verify.audit.numpy_epsilons import watched
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import LossOptions, UpdateOptions
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import NotExact
from altpg_verify.audit.programs import Batch, NotBatched, Points, Program, arguments_of
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.stacked import NotStackable
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.rational_functions import NotRational
from altpg_verify.untrusted.arguments import own_copy, refuse_writing, written
from altpg_verify.untrusted.calling import calling

if TYPE_CHECKING:
    from altpg_verify.audit.replaying import Replayed

Gradient = Callable[[Parameters, Draw], Mapping[str, Any]]
"""(parameters, draw) -> the ascent direction for each group of parameters, shaped like the
group.
"""

Choices = Mapping[str, Sequence[tuple[Any, Any]]]
"""The update's own randomness: for each name its values with their probabilities."""


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
        says: one line of what it does, the first of its docstring.
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
    says: str = ""
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
            known, enumeration=Enumeration(space, known.enumeration.merged)
        )
        return moved

    @cached_property
    def program(self) -> Program:
        """How it is run."""
        return Program(self)

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


def names_of(
    function: Callable[..., Any], space: Space, title: str, also: Sequence[str] = ()
) -> tuple[str, ...]:
    """The names a function asks for; each is a group of parameters, part of a draw, a constant of
    the space, or in `also`.

    Raises:
        BadEstimator: an unknown name without a default; the message lists what there is.
    """
    known = {*space.parameters, *DRAWN, *GIVEN, *ALIASES, *space.names, *also}
    if space.continuous is not None:
        known -= space.continuous.refused
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise BadEstimator(
                f"update {title!r} takes *{parameter.name}; name each argument instead:"
                f" {', '.join(sorted(known))}"
            )
        if parameter.name in known:
            names.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise BadEstimator(
                f"update {title!r} asks for {parameter.name!r}, which is no part of the draw;"
                f" {_spaced(did_you_mean(parameter.name, sorted(known)))}choose from"
                f" {', '.join(sorted(known))}, or give it as a constant:"
                f" space.having({parameter.name}=...)"
            )
    return tuple(names)


def _spaced(hint: str) -> str:
    return f"{hint} " if hint else ""


def lookup(name: str, parameters: Parameters, draw: Draw) -> Any:
    """The value of a name a function asked for, its own copy: a group of parameters, else a part of
    the draw.
    """
    group = ALIASES.get(name, name)
    if name in parameters or (group in parameters and name not in draw.space.constants):
        return np.array(parameters[name if name in parameters else group])
    found = draw[name]
    # a draw's arrays are the caller's own already
    return found if isinstance(found, np.ndarray) else own_copy(found)


def called(
    title: str,
    function: Callable[..., Any],
    needs: Sequence[str],
    parameters: Parameters,
    draw: Draw,
) -> Any:
    """What a function gives for copies of what it asks for.

    Raises:
        BadEstimator: it writes into one of them.
    """
    given = {each: lookup(each, parameters, draw) for each in needs}
    found = function(**{each: watched(value) for each, value in given.items()})
    names = written({each: lookup(each, parameters, draw) for each in needs}, given)
    if names:
        refuse_writing(f"update {title!r}", names)
    return found


def grouped(returned: Any, space: Space, title: str) -> Mapping[str, Any]:
    """A function's answer by groups: a mapping as it is, an array for the only group of the policy.

    Raises:
        BadEstimator: one array, but the policy has several groups.
    """
    if isinstance(returned, Mapping):
        return returned
    groups = tuple(space.policy.shapes)
    if len(groups) != 1:
        raise BadEstimator(
            f"update {title!r} returned one array for the groups {', '.join(groups)}; return a"
            " dict, group -> array"
        )
    return {groups[0]: returned}


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
        says=summary_of(function),
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
        says=estimator.says,
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
    """

    _known_space(space, "@update")

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


def loss(
    space: Space,
    target: Objective | str = "value",
    *,
    framework: Literal["torch", "jax"] = "torch",
    conforms_to: str = "",
    **options: Unpack[LossOptions],
) -> Callable[[Any], Update]:
    """Decorator: a loss to be minimised, written in torch or jax, as an `Update`: minus its
    gradient is the ascent direction.

    Args:
        space: where it is tried.
        target: what it is meant to ascend, by name or as an `Objective`.
        framework: "torch" or "jax".
        conforms_to: the published algorithm that it is meant to be, such as "grpo" (see
            `references.algorithms`); then that is the test.
        options: as for `from_torch` or `from_jax`.

    Raises:
        BadEstimator: the loss is no function, or asks for a name that isn't there.
        BadInput: another framework, one that isn't installed, or no space.
    """

    _known_space(space, "@loss")

    def wrap(function: Any) -> Update:
        if framework == "torch":
            from altpg_verify.audit.torch_loss import from_torch

            made = from_torch(function, space=space, target=target, **options)
            return made.on(space, conforms_to=conforms_to) if conforms_to else made
        if framework == "jax":
            from altpg_verify.audit.jax_loss import from_jax

            made = from_jax(function, space=space, target=target, **cast(Any, options))
            return made.on(space, conforms_to=conforms_to) if conforms_to else made
        raise BadInput(f"framework {framework!r} is not known; choose torch or jax")

    return wrap


def _known_space(space: Any, door: str) -> None:
    if not isinstance(space, Space):
        raise BadInput(
            f"{door} needs the space on which it is tried, not {space!r}; write"
            f" {door}(space=bandit([1, '1/2', 0]))"
        )


def chosen(draw: Draw, choices: Choices) -> Iterator[tuple[Any, Draw]]:
    """(probability, draw with the choices filled in) for every way the update's own randomness can
    come out.
    """
    if not choices:
        yield 1, draw
        return
    for outcome in product(*choices.values()):
        probability: Any = 1
        for _, chance in outcome:
            probability = probability * chance
        yield (
            probability,
            draw.with_values(
                {name: value for name, (value, _) in zip(choices, outcome, strict=True)}
            ),
        )
