"""The functions of `altpg_verify.sim.portable_math`, put in place wherever they are used: the same
source, so the same bits.

Left to itself the compiler calls the longer ones, and a loop with a call in it doesn't become
vector code.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba import njit

from altpg_verify.sim import portable_math


def _in_place(function: Any, **names: Any) -> Any:
    """The source of a compiled function, compiled to be put in place; `names` stand for the
    functions it uses itself.
    """
    source = function.py_func
    return njit(error_model="numpy", forceinline=True)(
        FunctionType(source.__code__, {**vars(portable_math), **names}, source.__name__)
    )


_quarter = _in_place(portable_math._quarter)
exp = _in_place(portable_math.exp)
log = _in_place(portable_math.log)
cos_sin = _in_place(portable_math.cos_sin, _quarter=_quarter)
cos = _in_place(portable_math.cos, cos_sin=cos_sin)
