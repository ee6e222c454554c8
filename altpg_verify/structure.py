"""What a formula's shape gives away, derived on symbols and never declared.

Two facts decide how an estimator may be computed. One that acts on each action by itself needs no vectors; one that is zero
wherever the one-hot vector is zero moves only the action that was taken. A formula that sympy can't run (a comparison, a
numpy function of floats) gives False: the slower way is right for every formula.
"""

from __future__ import annotations

import functools
from typing import Any

from altpg_verify.estimators import ARGUMENTS, Estimator

_SIZES = (2, 3, 4)
_VECTORS = ("theta", "pi", "e", "q", "h")


@functools.lru_cache(maxsize=256)
def acts_by_action(est: Estimator) -> bool:
    """Component a depends only on θ_a, π_a, e_a, q_a, h_a and the scalars r, b, v, and all components are one function.

    Derived for k = 2, 3 and 4 with every argument a free symbol: the components must become the same expression when their
    index is dropped, for all a and all three k.
    """
    found = set()
    for k in _SIZES:
        components = _components(est, k, {})
        if components is None:
            return False
        for a, component in enumerate(components):
            own = {symbol for name in _VECTORS for symbol in _symbols(name, k)[a : a + 1]}
            scalars = set(_symbols("r", k) + _symbols("b", k) + _symbols("v", k))
            if not component.free_symbols <= own | scalars:
                return False
            found.add(component.xreplace({_symbols(name, k)[a]: _symbols(name, k)[0] for name in _VECTORS}))
    return len(found) == 1


@functools.lru_cache(maxsize=256)
def touches_taken_action_only(est: Estimator) -> bool:
    """The formula is zero wherever e is zero: an update moves the preference of the sampled action and no other.

    Derived for k = 2, 3 and 4 with e each one-hot vector in turn and every other argument a free symbol.
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
                if a != taken and component != 0 and sympy.cancel(sympy.together(component)) != 0:
                    return False
    return True


def _symbols(name: str, k: int) -> list[Any]:
    """The symbols of one argument: k of them for a vector, one for a scalar."""
    import sympy

    if name in _VECTORS:
        return [sympy.Symbol(f"{name}_{a}", real=True) for a in range(k)]
    return [sympy.Symbol(name, real=True)]


def _components(est: Estimator, k: int, given: dict[str, list[Any]]) -> list[Any] | None:
    """The k components of the formula on symbols, or None where sympy can't run it."""
    import numpy
    import sympy

    arguments = {}
    for name in ARGUMENTS:
        values = given.get(name) or _symbols(name, k)
        arguments[name] = numpy.array(values, dtype=object) if name in _VECTORS else values[0]
    try:
        result = numpy.asarray(est(**arguments), dtype=object)
        if result.shape != (k,):
            return None
        return [sympy.sympify(component) for component in result]
    except Exception:
        return None
