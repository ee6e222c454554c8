"""What a formula's shape gives away, derived on symbols and never declared.

Two facts decide how an estimator may be computed. One that acts on each action by itself needs no
vectors; one that is zero wherever the one-hot vector is zero moves only the action that was taken.
A formula that can't be run on symbols (a comparison, a numpy function of floats), or that could
tell what it is run on, gives False: the slower way is right for every formula.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, Self

from altpg_verify.estimators import ARGUMENTS, Estimator
from altpg_verify.untrusted.type_queries import type_query

if TYPE_CHECKING:
    import numpy as np
    from sympy import Expr, Symbol

_SIZES = (2, 3, 4)
_VECTORS = ("theta", "pi", "e", "q", "h")


@functools.lru_cache(maxsize=256)
def acts_by_action(est: Estimator) -> bool:
    """Component a depends only on θ_a, π_a, e_a, q_a, h_a and the scalars r, b, v, and all
    components are one function.

    Derived for k = 2, 3 and 4 with every argument a free symbol: the components must become the
    same expression when their index is dropped, for all a and all three k. A formula that asks how
    many actions there are might be another one for more of them, so it must give that expression on
    `Entry`, too, which knows no number of actions.
    """
    found = set()
    for k in _SIZES:
        components = _components(est, k, {})
        if components is None:
            return False
        for a, component in enumerate(components):
            # the symbols with index a, and no other action's
            own = {symbol for name in _VECTORS for symbol in _symbols(name, k)[a : a + 1]}
            scalars = set(_symbols("r", k) + _symbols("b", k) + _symbols("v", k))
            if not component.free_symbols <= own | scalars:
                return False
            found.add(
                component.xreplace(
                    {_symbols(name, k)[a]: _symbols(name, k)[0] for name in _VECTORS}
                )
            )
    return len(found) == 1 and _of_one_entry(est) in found


@functools.lru_cache(maxsize=256)
def touches_taken_action_only(est: Estimator) -> bool:
    """The formula is zero wherever e is zero: an update moves the preference of the sampled action
    and no other.

    Derived for k = 2, 3 and 4 with e each one-hot vector in turn and every other argument a free
    symbol.
    """
    import sympy

    if "e" not in est.needs:
        return False
    for k in _SIZES:
        for taken in range(k):
            one_hot = [sympy.Integer(a == taken) for a in range(k)]
            components = _components(est, k, {"e": one_hot})
            if components is None:
                return False
            for a, component in enumerate(components):
                # a fraction that is zero may be written as one that doesn't look like it
                if a != taken and component != 0 and sympy.cancel(sympy.together(component)) != 0:
                    return False
    return True


class Symbolic:
    """A number that nobody knows: it can be reckoned with, and refuses to be compared, hashed or
    converted.

    Args:
        value: a sympy expression.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Expr) -> None:
        self.value = value

    def _looked_at(self, *_: object) -> NoReturn:
        raise TypeError("a symbol has no value that could be looked at")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _looked_at  # type: ignore[assignment]
    __bool__ = __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __floor__ = (
        __ceil__
    ) = _looked_at
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _looked_at

    def _apply(self, other: object, operation: Callable[[Any, Any], Any]) -> Self:
        # an array of symbols does it entry by entry
        return (
            NotImplemented
            if getattr(other, "ndim", 0)
            else type(self)(operation(self.value, _value(other)))
        )

    def __add__(self, other: object) -> Self:
        return self._apply(other, operator.add)

    def __radd__(self, other: object) -> Self:
        return self._apply(other, lambda x, y: y + x)

    def __sub__(self, other: object) -> Self:
        return self._apply(other, operator.sub)

    def __rsub__(self, other: object) -> Self:
        return self._apply(other, lambda x, y: y - x)

    def __mul__(self, other: object) -> Self:
        return self._apply(other, operator.mul)

    def __rmul__(self, other: object) -> Self:
        return self._apply(other, lambda x, y: y * x)

    def __truediv__(self, other: object) -> Self:
        return self._apply(other, operator.truediv)

    def __rtruediv__(self, other: object) -> Self:
        return self._apply(other, lambda x, y: y / x)

    def __pow__(self, other: object) -> Self:
        return self._apply(other, operator.pow)

    def __rpow__(self, other: object) -> Self:
        return self._apply(other, lambda x, y: y**x)

    def __neg__(self) -> Self:
        return type(self)(-self.value)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return type(self)(abs(self.value))


class Entry(Symbolic):
    """One entry of a vector of unknown length: it has no length, size, shape or places either.

    A formula that gives an answer for it does the same to every entry, for any number of actions.
    """

    def __array__(self, *arguments: object, **named: object) -> NoReturn:
        raise TypeError("an entry is no array")

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **named: object
    ) -> Entry:
        reckon = _RECKONED.get(getattr(ufunc, "__name__", ""))
        return (
            NotImplemented
            if reckon is None or method != "__call__" or named
            else reckon(*map(_entry, inputs))
        )

    def __getitem__(self, places: object) -> Entry:
        """All of a vector is that vector; its places aren't known."""
        if isinstance(places, slice) and places == slice(None):
            return self
        raise TypeError("an entry has no places")

    def __iter__(self) -> NoReturn:
        raise TypeError("an entry can't be iterated over")


_RECKONED: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv, "power": operator.pow,
    "negative": operator.neg, "positive": operator.pos, "absolute": abs, "square": lambda one: one * one,
}  # fmt: skip
"""numpy's functions that are arithmetic, entry by entry."""


def _value(other: object) -> Any:
    """The expression of a symbol or a number; an array isn't one number."""
    if isinstance(other, Symbolic):
        return other.value
    if getattr(other, "shape", ()) != () or isinstance(other, list | tuple):
        raise TypeError("a symbol is reckoned with symbols and numbers")
    return other.item() if hasattr(other, "item") else other


def _entry(other: object) -> Entry:
    return Entry(_value(other))


def _of_one_entry(est: Estimator) -> Expr | None:
    """What the formula gives for one entry; None if it asks for more than arithmetic with it."""
    import sympy

    arguments = {name: Entry(_symbols(name, 1)[0]) for name in ARGUMENTS}
    try:
        found = est(**arguments)
        return sympy.sympify(found.value) if isinstance(found, Entry) else None
    except Exception:
        return None


def _symbols(name: str, k: int) -> list[Symbol]:
    """The symbols of one argument: k of them for a vector, one for a scalar."""
    import sympy

    if name in _VECTORS:
        return [sympy.Symbol(f"{name}_{a}", real=True) for a in range(k)]
    return [sympy.Symbol(name, real=True)]


def _components(est: Estimator, k: int, given: dict[str, list[Expr]]) -> list[Expr] | None:
    """The k components of the formula on symbols, or None where it can't be run on them, or could
    tell that it is.
    """
    import numpy
    import sympy

    if type_query(est.formula, numbers=True):
        return None
    arguments = {}
    for name in ARGUMENTS:
        values = [Symbolic(value) for value in given.get(name) or _symbols(name, k)]
        arguments[name] = numpy.array(values, dtype=object) if name in _VECTORS else values[0]
    # anything may be raised: somebody's formula runs on what it wasn't written for
    try:
        result = numpy.asarray(est(**arguments), dtype=object)
        if result.shape != (k,):
            return None
        return [sympy.sympify(_value(component)) for component in result]
    except Exception:
        return None
