"""An objective from a plain function of the policy: numpy or torch, by the names of what it asks
for.

@objective
def cautious(pi):
    mean, square = pi[0] @ [1, 0.5, 0], pi[0] @ [1, 0.25, 0]
    return mean - (square - mean**2)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np

from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.differences import jacobian
from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.forward_mode import Dual, gradient_of, value_of
from altpg_verify.untrusted.calling import calling

OFFERED: Mapping[str, str] = {
    "pi": "(states, actions) the policy",
    "probabilities": "(episodes,) of each episode under the policy",
    "returns": "(episodes,) what each pays",
    "lengths": "(episodes,) how many steps each has",
    "mu": "(states, actions) the policy that is sampled, held",
    "ref": "(states, actions) the reference policy",
}
"""What such a function may ask for, besides constants of the space."""


@overload
def objective(function: Callable[..., Any], /) -> Objective: ...
@overload
def objective(
    *, name: str = "", formula: str = "", framework: Literal["numpy", "torch"] = "numpy"
) -> Callable[[Callable[..., Any]], Objective]: ...
def objective(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str = "",
    formula: str = "",
    framework: Literal["numpy", "torch"] = "numpy",
) -> Any:
    """Decorator: a scalar function of the policy, to be ascended, as an `Objective`.

    Args:
        function: asks by name for `pi` (states, actions), `probabilities`, `returns` and `lengths`
            (episodes,), `mu`, `ref`, or constants of the space; returns one number. It is
            differentiated in the entries of `pi`, as if they were free numbers.
        name: in words; the first line of the docstring, or the function's name, by default.
        formula: as it is printed; the function's name by default.
        framework: "torch" if it works on tensors; its gradient is then autograd's.

    Raises:
        BadEstimator: it is no function, or asks for a name that isn't there.
        BadInput: another framework.

    Examples:
        >>> from altpg_verify.audit import objective
        >>> @objective
        ... def squared(pi, q):
        ...     return (pi @ q) ** 2
        >>> squared.name
        'squared'
    """
    if framework not in ("numpy", "torch"):
        raise BadInput(f"framework {framework!r} is not known; choose numpy or torch")

    def wrap(given: Callable[..., Any]) -> Objective:
        if not callable(given):
            raise BadEstimator(
                f"@objective needs a function of the policy, not {type(given).__name__}"
            )
        title = str(getattr(given, "__name__", "objective"))
        asked = _asked(given, title)
        value = _torch_value if framework == "torch" else _value
        summary = summary_of(given).rstrip(".")
        return Objective(
            name or summary or title,
            formula or title,
            lambda tables, held: value(given, title, asked, tables, held),
            lambda space: _fits(asked, space),
        )

    return wrap if function is None else wrap(function)


def _fits(asked: Sequence[str], space: Space) -> bool:
    there = all(each in OFFERED or each in space.constants for each in asked)
    return there and not ("ref" in asked and space.reference is None)


def _asked(function: Callable[..., Any], title: str) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    for each in parameters:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise BadEstimator(
                f"objective {title!r} takes *{each.name}; name each argument instead:"
                f" {', '.join(OFFERED)}"
            )
    asked = tuple(
        each.name for each in parameters if each.default is each.empty or each.name in OFFERED
    )
    if not {"pi", "probabilities"} & set(asked):
        hint = next((said for said in (did_you_mean(each, OFFERED) for each in asked) if said), "")
        raise BadEstimator(
            f"objective {title!r} asks neither for pi nor for probabilities, so that no policy"
            f" moves it; {hint}".rstrip("; ")
        )
    return asked


def _given(
    asked: Sequence[str], tables: Tables, held: Tables, pi: Any, probabilities: Callable[[], Any]
) -> dict[str, Any]:
    parts: dict[str, Callable[[], Any]] = {
        "pi": lambda: pi,
        "probabilities": probabilities,
        "returns": lambda: held.returns_to_go[:, 0].copy(),
        "lengths": lambda: tables.arrays.lengths.copy(),
        "mu": lambda: held.mu.copy(),
        "ref": lambda: held.ref.copy(),
    }
    lost = [name for name in asked if name not in parts and name not in tables.space.constants]
    if lost:
        raise BadInput(
            f"an objective asks for {lost[0]!r}; choose from {', '.join(OFFERED)}, or give the"
            f" space .having({lost[0]}=...)"
        )
    return {
        name: parts[name]() if name in parts else tables.space.constants[name] for name in asked
    }


def _number(found: Any, title: str) -> Any:
    """A single number, whatever it comes in."""
    if isinstance(found, np.ndarray | np.generic) and np.size(found) == 1:
        found = np.asarray(found).reshape(-1)[0]
    plain = value_of(found)
    if isinstance(plain, bool) or np.ndim(plain) or isinstance(plain, str | None):
        raise BadEstimator(
            f"objective {title!r} returned {type(found).__name__}; return one number"
        )
    return found


def _value(
    function: Callable[..., Any], title: str, asked: Sequence[str], tables: Tables, held: Tables
) -> Any:
    def run(table: np.ndarray) -> Any:
        moved = (
            tables
            if table is tables.table
            else Tables(tables.space, table, None, tables.parameters)
        )
        given = _given(asked, moved, held, table.copy(), lambda: moved.probabilities.copy())
        with np.errstate(all="ignore"):
            return _number(function(**given), title)

    lifted = tables.table.dtype == object
    if not lifted:
        with calling(f"objective {title!r}"):
            return run(tables.table)
    values = np.array([[value_of(entry) for entry in row] for row in tables.table], dtype=object)
    try:
        return run(tables.table)
    except (TypeError, AttributeError, ValueError) as error:
        # it makes floats of what it is given, or calls a function that carries no derivatives
        if not all(isinstance(entry, float) for entry in values.flat):
            raise NotExact(f"objective {title!r} runs on floats only") from error
    floats = values.astype(float)
    with calling(f"objective {title!r}"):
        middle = float(run(floats))
        slopes, _ = jacobian(
            lambda step: np.array(float(run(floats * (1 + step.reshape(floats.shape))))),
            np.zeros(floats.size),
        )
    return _chained(
        middle,
        np.where(
            floats == 0, 0.0, slopes.reshape(floats.shape) / np.where(floats == 0, 1.0, floats)
        ),
        tables.table,
    )


def _torch_value(
    function: Callable[..., Any], title: str, asked: Sequence[str], tables: Tables, held: Tables
) -> Any:
    import torch

    lifted = tables.table.dtype == object
    values = np.array([[value_of(entry) for entry in row] for row in tables.table], dtype=object)
    if any(
        isinstance(entry, Fraction) or not isinstance(entry, float | int) for entry in values.flat
    ):
        raise NotExact(f"objective {title!r} runs on floats only")
    pi = torch.tensor(values.astype(float), dtype=torch.float64, requires_grad=lifted)

    def probabilities() -> Any:
        arrays = tables.arrays
        taken = pi[torch.tensor(arrays.states), torch.tensor(arrays.actions)]
        steps = torch.tensor(arrays.steps)
        return torch.tensor(arrays.floats(arrays.chances)) * torch.where(
            steps, taken, torch.ones_like(taken)
        ).prod(-1)

    given = _given(asked, tables, held, pi, probabilities)
    given = {
        name: torch.tensor(each) if isinstance(each, np.ndarray) else each
        for name, each in given.items()
    }
    with calling(f"objective {title!r}"):
        found = function(**given)
        if not isinstance(found, torch.Tensor) or found.numel() != 1:
            raise BadEstimator(
                f"objective {title!r} returned {type(found).__name__}; return a tensor with one"
                " number"
            )
        if not lifted:
            return float(found.detach())
        if not found.requires_grad:
            return float(found)
        (slopes,) = torch.autograd.grad(found.reshape(()), pi)
    return _chained(float(found.detach()), slopes.numpy(), tables.table)


def _chained(value: float, slopes: np.ndarray, table: np.ndarray) -> Dual:
    """The value with its derivatives, from those in the entries of the policy and theirs."""
    size = next((len(entry.gradient) for entry in table.flat if isinstance(entry, Dual)), 0)
    gradient = [0.0] * size
    for slope, entry in zip(slopes.flat, table.flat, strict=True):
        for i, one in enumerate(gradient_of(entry, size)):
            gradient[i] += float(slope) * float(one)
    return Dual(value, gradient)
