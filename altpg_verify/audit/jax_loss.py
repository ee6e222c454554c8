"""A JAX loss as it was written, turned into an ascent direction in float64 on the CPU.

    def reinforce(theta, actions, rewards):
        return -jnp.mean(jax.nn.log_softmax(theta)[actions] * rewards)

    update = from_jax(reinforce, space=three_arms().batch(2))

As in `torch_loss`, minus the gradient is returned. 64-bit numbers are switched on for the call
only; the global configuration stays the user's. Where a gradient is zero because no parameter is
reached, JAX can't say so: the audit's verdict does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal

import numpy as np

from altpg_verify.audit import jax_cuts, jax_epsilons, loss_validation
from altpg_verify.audit.jax_programs import equations, equations_of, narrows, step_by_step
from altpg_verify.audit.programs import NotBatched
from altpg_verify.audit.wrapped_loss import WrappedLoss
from altpg_verify.collecting import older_objects_frozen
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.calling import name_of
from altpg_verify.untrusted.type_queries import type_query

AGREEMENT = 1e-11
"""How near the compiled gradient must be to the one run step by step, which counts: rounding
differs, formulas don't.
"""

BLOCK = 8192
"""How many draws a compiled program takes: compiling one for each number of draws would take longer
than running all of these.
"""

BLOCK_BYTES = 1 << 24
"""The memory that a block may take. Where a draw with its parameters is too large for that, a
program is compiled for each power of two that the numbers of draws are filled up to.
"""


class JaxLoss(WrappedLoss):
    """A loss as a function (parameter groups, draw) -> ascent direction for each group, float64 and
    shaped like the group.

    Args:
        loss: a function of JAX arrays that returns a scalar to be minimised. It asks by name for
            parameter groups and for the draw's arrays. A `jax.random` key is an argument of the
            draw like any other.
        trained: groups whose gradient must not be 0 whatever the numbers are.
        seed: fixes the loss's own use of numpy's and Python's generators at this seed, in place of
            refusing it.
        name: how messages call it.
        jax: the module, loaded when the loss is wrapped.
        drew: some call so far has moved a random generator, and no seed is fixed.
        who: how messages begin.
        cut: why it has no path to the parameters on some draw; empty if it has one on all.
        reaches: on some draw it has one, or that can't be seen.

    The first call for each set of shapes is a probe, as for `TorchLoss`; further ones are compiled
    where the loss allows it.
    """

    def __init__(
        self,
        loss: Callable[..., Any],
        *,
        trained: Sequence[str] | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> None:
        self.jax = _jax()
        self._cpu = self.jax.devices("cpu")[0]
        self.name = name or loss_validation.name_of(loss)
        self.who = f"JAX loss {self.name!r}"
        self.loss, self.trained, self.seed = loss, tuple(trained or ()), seed
        self._narrowed: set[str] = set()
        self._probed: dict[tuple[Any, ...], tuple[Any, Any, dict[str, np.ndarray]]] = {}
        self._made: dict[tuple[Any, ...], Callable[..., Any] | None] = {}
        self._scaled: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self._mapped: dict[tuple[bool, frozenset[str]], Callable[..., Any]] = {}
        self._traces: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = []
        self._how: Literal["compiled", "traced", "python"] = "compiled"
        self._small: dict[tuple[Any, ...], frozenset[float]] = {}
        self.cut, self.reaches = "", False
        if not callable(loss):
            raise BadEstimator(
                f"{self.who} is a {type(loss).__name__}, not a function; write a function of arrays"
                " that returns the loss"
            )

    def __call__(self, params: Mapping[str, Any], draw: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """The ascent direction, minus the gradient of the loss, at one draw.

        Raises:
            BadInput, BadEstimator: with one sentence that says what to change.
        """
        with self._as_before():
            groups, arrays = self._checked(params, draw)
            self._probe(groups, arrays)
            scale = self._scale(groups, arrays)
            if scale != 1:
                return self._run(self._scaled_gradient(scale, groups, arrays), groups, arrays)
            made = None if self._how == "python" else self._single(_key(groups, arrays))
            return self._eager(groups, arrays) if made is None else self._run(made, groups, arrays)

    def together(
        self,
        params: Mapping[str, np.ndarray],
        draw: Mapping[str, Any],
        stacked: Collection[str],
        count: int,
    ) -> dict[str, np.ndarray]:
        """The ascent directions at many draws, compiled; as for `TorchLoss.together`."""
        first = {
            name: values[0] if name in stacked else values
            for name, values in {**draw, **params}.items()
        }
        with self._as_before():
            groups, arrays = self._checked(
                {name: first[name] for name in params}, {name: first[name] for name in draw}
            )
            self._probe(groups, arrays)
            scale = self._scale(groups, arrays)
        with self._as_before():
            arrays = loss_validation.draw_arrays(draw, arrays, self.who)
            self._check_whole(arrays)
            groups = {name: np.array(values, dtype=np.float64) for name, values in params.items()}
            stacked = set(stacked)
            one = [values[0] if name in stacked else values for name, values in groups.items()]
            one += [values[0] for name, values in arrays.items() if name in stacked]
            if BLOCK * sum(each.nbytes for each in one) <= BLOCK_BYTES:
                size = BLOCK
                # whether parameters are stacked makes another program as well
                for name in groups.keys() - stacked:
                    groups[name] = np.broadcast_to(groups[name], (count, *groups[name].shape))
                stacked |= groups.keys()
            else:
                size = 1 << max(4, (count - 1).bit_length())
            self._seed(self.seed)
            found = [
                self._block(
                    (groups, arrays), stacked, slice(start, min(start + size, count)), size, scale
                )
                for start in range(0, count, size)
            ]
            return {name: np.concatenate([each[name] for each in found]) for name in groups}

    def _block(
        self,
        given: tuple[dict[str, np.ndarray], ...],
        stacked: Collection[str],
        rows: slice,
        size: int,
        scale: float = 1,
    ) -> dict[str, np.ndarray]:
        """The ascent directions at some of the draws, by the program for `size` of them."""
        count = rows.stop - rows.start
        everything = tuple(
            {
                name: _filled(values[rows], size) if name in stacked else values
                for name, values in part.items()
            }
            for part in given
        )
        scaled = scale != 1
        key = scaled, frozenset(name for part in given for name in part if name in stacked)
        # the zeros are there so that something is stacked even where nothing else is
        beside = np.zeros(size), np.float64(scale)
        if key not in self._mapped:

            def single(parameters: Any, data: Any, _: Any, by: Any) -> Any:
                # compiling takes longer than running: one program for all scales
                return self._at_scale(by if scaled else 1)(parameters, data)

            axes = ({name: 0 if name in stacked else None for name in part} for part in given)
            mapped = self.jax.vmap(self.jax.value_and_grad(single), in_axes=(*axes, 0, None))
            self._mapped[key] = self.jax.jit(mapped)
            self._note(mapped, (*everything, *beside))
        try:
            values, found = self._mapped[key](*self._inside(*everything), *beside)
        except BadInput as error:
            raise NotBatched(str(error)) from error
        except Exception as error:
            raise NotBatched(_not_batched(self.jax, error)) from error
        if not np.isfinite(np.asarray(values)[:count]).all():
            raise NotBatched("isn't finite on some draw")
        return {name: -np.asarray(each, dtype=np.float64)[:count] for name, each in found.items()}

    def _scale(self, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> float:
        """What its epsilons are to be multiplied by; 1 where it has none."""
        asked = jax_epsilons.asked()
        if asked is None:
            return 1
        key = _key(groups, arrays)
        if key not in self._small:
            seen: set[float] = set()
            # a loss that branches on values has no program to look at
            with contextlib.suppress(Exception):
                self.jax.eval_shape(self._at_scale(2, seen), *self._inside(groups, arrays))
            self._small[key] = frozenset(seen)
        asked[1].update(self._small[key])
        return asked[0] if self._small[key] else 1

    def _at_scale(self, scale: Any, seen: set[float] | None = None) -> Callable[..., Any]:
        """The loss with its epsilons so many times as large, which may be a traced number."""
        if isinstance(scale, int | float) and scale == 1:
            return self._scalar
        noted: set[float] = set() if seen is None else seen
        return lambda *given: jax_epsilons.scaled(self.jax, self._scalar, given, scale, noted)

    @contextlib.contextmanager
    def uncompiled(self, *, traced: bool = False) -> Iterator[None]:
        """Within it single calls aren't compiled, so that whoever watches the function's lines sees
        them run; if `traced`, the operations of a trace are run in place of them, for a few calls.
        """
        before, self._how = self._how, "traced" if traced else "python"
        try:
            yield
        finally:
            self._how = before

    def _note(self, mapped: Callable[..., Any], given: tuple[Any, ...]) -> None:
        """Remember the program that a compiled loss was traced to: a number that it drew stands in
        it as a constant.
        """
        with contextlib.suppress(Exception):
            self._traces.append((mapped, given, self._trace(mapped, given)))

    def _trace(self, mapped: Callable[..., Any], given: tuple[Any, ...]) -> str:
        found = self.jax.make_jaxpr(mapped)(*self._inside(*given[:2]), *given[2:])
        return f"{found.jaxpr}{[np.asarray(const).tobytes() for const in found.consts]}"

    def drifted(self) -> bool:
        """Whether tracing a compiled loss again, in another state of the generators, gives another
        program.
        """
        if self.seed is not None:
            return False
        with self._as_before():
            self._probing = True
            for mapped, given, before in self._traces:
                for seed in loss_validation.SEEDS:
                    self._seed(seed)
                    if self._trace(mapped, given) != before:
                        return True
        return False

    def value(self, params: Mapping[str, Any], draw: Mapping[str, Any]) -> float:
        """The loss itself at one draw."""
        with self._as_before():
            groups, arrays = self._checked(params, draw)
            with self._explained(groups, arrays):
                return float(self._scalar(*self._inside(groups, arrays)))

    def _checked(
        self, params: Mapping[str, Any], draw: Mapping[str, Any]
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        groups = loss_validation.float64_groups(params, self.who)
        self._refuse_unusable(groups, draw)
        return groups, loss_validation.draw_arrays(
            draw, loss_validation.asked_of_draw(self.loss, groups, draw, self.who), self.who
        )

    def _probe(self, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray]) -> None:
        key = _key(groups, arrays)
        if key in self._probed:
            return
        self._probing = True
        self._seed(loss_validation.SEEDS[0])
        first = self._eager(groups, arrays)
        self._look(groups, arrays, first)
        self._seed(loss_validation.SEEDS[0])
        loss_validation.same_twice(first, self._eager(groups, arrays), self.who, reseeded=False)
        self._seed(loss_validation.SEEDS[1])
        loss_validation.same_twice(first, self._eager(groups, arrays), self.who, reseeded=True)
        self._probed[key] = groups, arrays, first

    def _single(self, key: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The gradient for these shapes, compiled or traced; made when it is first asked for, since
        a few calls take less time than compiling does.
        """
        if (key, self._how) not in self._made:
            self._made[key, self._how] = self._compile(*self._probed[key])
        return self._made[key, self._how]

    def _scaled_gradient(
        self, scale: float, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray]
    ) -> Callable[..., Any]:
        """The gradient with its epsilons so many times as large, traced once for all scales."""
        by = np.float64(scale)
        key = _key(groups, arrays)
        if key not in self._scaled:
            self._scaled[key] = step_by_step(
                self.jax,
                self.jax.value_and_grad(lambda *given: self._at_scale(given[2])(*given[:2])),
                *(*self._inside(groups, arrays), by),
            )
        return lambda parameters, data: self._scaled[key](parameters, data, by)

    def _traced(self, parameters: Any, data: Any) -> Any:
        """The gradient's jaxpr; JAX raises if the loss stores a traced value outside itself."""
        ended = []

        def scalar(*given: Any) -> Any:
            found = self._scalar(*given)
            ended.append(True)
            return found

        trace = self.jax.make_jaxpr(self.jax.grad(scalar))
        with self.jax.checking_leaks():
            try:
                # who holds a leaked value is asked of every object of the process, for seconds
                with older_objects_frozen():
                    return trace(parameters, data).jaxpr
            except IndexError:
                # JAX's search for who holds the value expects every object to have a holder
                ended.clear()
            try:
                return trace(parameters, data).jaxpr
            except IndexError as error:
                # somebody else has frozen the holder
                if ended:
                    raise RuntimeError("Leaked, to whom can't be seen") from error
                raise

    def _look(
        self,
        groups: dict[str, np.ndarray],
        arrays: dict[str, np.ndarray],
        first: Mapping[str, np.ndarray],
    ) -> None:
        """What only a trace shows: values kept outside, the dtypes computed in, groups whose
        gradient is 0 whatever the numbers are.
        """
        parameters, data = self._inside(groups, arrays)
        try:
            traced = self._traced(parameters, data)
        except Exception as error:
            if "Leaked" in str(error):
                raise BadEstimator(
                    f"{self.who} stores a traced value outside itself (a side effect); return it,"
                    " or leave it out"
                ) from error
            # a loss that branches on values can't be traced, and need not be
            self.reaches = True
            return
        for dtype in sorted(
            {
                str(getattr(variable.aval, "dtype", ""))
                for each in equations(traced)
                for variable in each.outvars
            }
        ):
            self._check_dtype(dtype)
        self._check_width(traced, groups, arrays)
        self._note_cut(parameters, data)
        reached = set(traced.invars)
        for equation in traced.eqns:
            if any(
                not hasattr(variable, "val") and variable in reached for variable in equation.invars
            ):
                reached |= set(equation.outvars)
        for name, variable in zip(sorted(groups), traced.outvars, strict=True):
            stopped = hasattr(variable, "val") or variable not in reached
            if name in self.trained and stopped and not first[name].any():
                raise BadEstimator(
                    f"{self.who}: group {name!r} is declared as trained but its gradient is 0 for"
                    " any input; is it stopped, or not used?"
                )

    def _note_cut(self, parameters: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        # as the loss itself calls its groups
        asked = loss_validation.takes(self.loss, parameters)
        own = {
            group: next((name for name, each in asked.items() if each is value), group)
            for group, value in parameters.items()
        }
        cut = jax_cuts.why_no_path(
            self.jax,
            self.jax.make_jaxpr(self._scalar)(parameters, data),
            (*(own[group] for group in sorted(parameters)), *sorted(data)),
            tuple(own.values()),
        )
        self.cut = self.cut or cut
        self.reaches = self.reaches or not cut

    def _check_width(
        self, traced: Any, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
    ) -> None:
        """Casts to float32 lose digits, but for whole numbers such as those of a mask cast as it
        was given.
        """
        names = dict(zip(traced.invars, (*sorted(groups), *sorted(arrays)), strict=True))
        for equation in traced.eqns:
            if any(narrows(inner) for inner in equations_of(equation)):
                given = equation.invars[0]
                self._narrowed.add("" if hasattr(given, "val") else names.get(given, ""))
        self._check_whole(arrays)

    def _check_whole(self, arrays: Mapping[str, np.ndarray]) -> None:
        if any(
            name not in arrays or not np.array_equal(arrays[name], np.round(arrays[name]))
            for name in self._narrowed
        ):
            raise BadEstimator(
                f"{self.who} computes in float32, so that rounding would look like bias; take out"
                " .astype(jnp.float32) (float64 goes in)"
            )

    def _compile(
        self,
        groups: dict[str, np.ndarray],
        arrays: dict[str, np.ndarray],
        first: Mapping[str, np.ndarray],
    ) -> Callable[..., Any] | None:
        """The gradient compiled or traced, if this loss allows it and then agrees with the one of
        its Python.
        """
        if self.seed is not None or type_query(self.loss):
            return None
        gradient, given = self.jax.value_and_grad(self._scalar), self._inside(groups, arrays)
        try:
            made = (
                step_by_step(self.jax, gradient, *given)
                if self._how == "traced"
                else self.jax.jit(gradient)
            )
            _, found = made(*given)
        except Exception:
            return None
        agrees = all(
            np.allclose(-np.asarray(found[name]), first[name], rtol=AGREEMENT, atol=AGREEMENT)
            for name in groups
        )
        return made if agrees else None

    def _check_dtype(self, dtype: str) -> None:
        if dtype.startswith("complex"):
            raise BadEstimator(
                f"{self.who} computes with complex numbers; give a real loss, such as its .real or"
                " jnp.abs of it"
            )
        if dtype in loss_validation.HALF:
            raise BadEstimator(
                f"{self.who} computes in {dtype}, too coarse to check; take out .astype({dtype})"
                " (float64 goes in)"
            )

    def _eager(
        self, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        self._seed(self.seed)
        return self._run(self.jax.value_and_grad(self._scalar), groups, arrays)

    def _run(
        self,
        gradient: Callable[..., Any],
        groups: dict[str, np.ndarray],
        arrays: dict[str, np.ndarray],
    ) -> dict[str, np.ndarray]:
        with self._explained(groups, arrays):
            value, found = gradient(*self._inside(groups, arrays))
        self._check_whole(arrays)
        loss_validation.scalar_value(float(value), self.who, arrays)
        ascent = {name: -np.asarray(values, dtype=np.float64) for name, values in found.items()}
        loss_validation.finite_gradient(ascent, self.who, arrays)
        return ascent

    def _scalar(self, parameters: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
        result = self.loss(**loss_validation.takes(self.loss, parameters), **data)
        if result is None:
            raise BadEstimator(f"{self.who} returns None; end it with `return loss`")
        if not isinstance(result, self.jax.Array):
            raise BadEstimator(
                f"{self.who} returns a {type(result).__name__}, which has no path to the"
                " parameters; return the JAX array itself"
            )
        if result.size != 1:
            raise BadEstimator(
                f"{self.who} returns an array of shape {result.shape}; reduce it to one number with"
                " .mean() or .sum(), as you train with"
            )
        self._check_dtype(str(result.dtype))
        if result.dtype.kind in "iub":
            raise BadEstimator(
                f"{self.who} returns {result.dtype}, which has no path to the parameters; return a"
                " float that depends on them"
            )
        return result.reshape(())

    def _inside(
        self, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        numpy = self.jax.numpy
        return {name: numpy.asarray(array) for name, array in groups.items()}, {
            name: numpy.asarray(array) for name, array in arrays.items()
        }

    @contextlib.contextmanager
    def _explained(
        self, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
    ) -> Iterator[None]:
        errors = self.jax.errors
        try:
            yield
        except BadInput:
            raise
        except errors.TracerArrayConversionError as error:
            raise BadEstimator(
                f"{self.who} goes through numpy, which cuts the path to the parameters; use jnp in"
                " place of np"
            ) from error
        except errors.UnexpectedTracerError as error:
            raise BadEstimator(
                f"{self.who} keeps a traced value from an earlier call; return values, and store"
                " nothing outside the loss"
            ) from error
        except errors.ConcretizationTypeError as error:
            raise BadEstimator(
                f"{self.who} branches on a traced value or makes it a Python number; use jnp.where,"
                " or leave it an array"
            ) from error
        except Exception as error:
            message = str(error)
            if "Leaked" in message:
                raise BadEstimator(
                    f"{self.who} stores a traced value outside itself (a side effect); return it,"
                    " or leave it out"
                ) from error
            if "cuda" in message.lower() or "gpu" in message.lower():
                raise BadEstimator(
                    f"{self.who} asks for a GPU, which isn't here; leave the device to its inputs"
                ) from error
            if "immutable" in message:
                raise BadEstimator(
                    f"{self.who} writes into an array in place; JAX arrays are immutable, write x ="
                    " x.at[i].set(y)"
                ) from error
            given = loss_validation.shapes({**groups, **arrays})
            raise BadEstimator(
                f"{self.who} raised {name_of(error)} for {given}: {loss_validation.one_line(error)}"
            ) from error

    @contextlib.contextmanager
    def _as_before(self) -> Iterator[None]:
        """64-bit JAX on the CPU, and generators as they were afterwards."""
        with self._generators_kept(), _double(self.jax), self.jax.default_device(self._cpu):
            yield


def _jax() -> Any:
    try:
        import jax
    except ImportError as error:
        raise BadInput(
            "a JAX loss needs JAX, which isn't installed: pip install 'altpg-verify[jax]'"
        ) from error
    return jax


def _filled(values: np.ndarray, full: int) -> np.ndarray:
    """A stack filled up with its last entry."""
    return np.concatenate([values, np.repeat(values[-1:], full - len(values), axis=0)])


def _not_batched(jax: Any, error: Exception) -> str:
    """Why a loss can't be run on many draws at once, in a few words."""
    if isinstance(error, jax.errors.TracerArrayConversionError):
        return "goes through numpy"
    if isinstance(error, jax.errors.ConcretizationTypeError):
        return "branches on the numbers of a draw, or makes Python numbers of them"
    return f"raises {type(error).__name__} on many draws at once"


def _key(groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> tuple[Any, ...]:
    return tuple((name, array.shape) for name, array in (*groups.items(), *arrays.items()))


def _double(jax: Any) -> Any:
    """64-bit numbers within a `with` block; the context manager moved in JAX 0.8."""
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    return import_module("jax.experimental").enable_x64(True)
