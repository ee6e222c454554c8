"""A numpy function, or an `@estimator`, as an update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import UpdateOptions, known
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import Batch, NotBatched, Points, arguments_of
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.update_arguments import called, grouped, names_of
from altpg_verify.audit.updates import Update, declared, of_another, require_space
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator


def from_function(
    function: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    **options: Unpack[UpdateOptions],
) -> Update:
    """An update from a numpy function that asks for what it needs by name and returns the ascent
    direction.

    Args:
        function: asks for names of `draws.DRAWN` and `draws.GIVEN`, for groups of parameters, for
            constants of the space, or for `rng`, a numpy generator: then only sampling can judge
            it, unless its randomness is declared as `choices`. Returns an array shaped like the
            policy's parameters, or a dict of them by group.
        space, target: as for `Update`.
        options: what may be declared of it, see `UpdateOptions`.

    Raises:
        BadEstimator: the function asks for a name that isn't there; the message lists those that
            are.
        BadInput: a mark in `intended` is no verdict.

    Examples:
        >>> from altpg_verify.audit import bandit, from_function
        >>> from_function(lambda r, score: r * score, space=bandit([1, 0]), name="reinforce")
        <update reinforce on bandit, one episode a draw>
    """
    known(options, "from_function")
    title = str(options.get("name") or getattr(function, "__name__", "update"))
    needs = names_of(function, space, title, also=("rng", *(options.get("choices") or {})))

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        return grouped(called(title, function, needs, parameters, draw), draw.space, title)

    def rewritten(other: Callable[..., Any], there: Space) -> Update:
        return from_function(other, space=there, target=target, **of_another(options, title))

    return declared(
        title,
        gradient,
        function,
        options,
        rewritten=rewritten,
        batch=_stacked(function, needs, title),
        origin="function",
        needs=needs,
        space=space,
        target=target,
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


def from_estimator(
    estimator: Estimator,
    *,
    space: Space,
    target: Objective | str = "value",
    **options: Unpack[UpdateOptions],
) -> Update:
    """An update from an `@estimator` formula, tried on draws of one step.

    Args:
        estimator: an ascent direction for the preferences, as everywhere.
        space, target: as for `Update`.
        options: what may be declared of it, see `UpdateOptions`.

    Examples:
        >>> from altpg_verify import alternate
        >>> from altpg_verify.audit import bandit, from_estimator
        >>> from_estimator(alternate, space=bandit([1, 0]).having(b=0)).name
        'alternate'
    """

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        found = called(estimator.name, estimator.formula, estimator.needs, parameters, draw)
        return grouped(found, draw.space, estimator.name)

    known(options, "from_estimator")
    return declared(
        options.get("name") or estimator.name,
        gradient,
        estimator.formula,
        options,
        space=space,
        target=target,
        exact="theta" not in estimator.needs,
        needs=estimator.needs,
        origin="formula",
        batch=_stacked(estimator.formula, estimator.needs, estimator.name),
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
