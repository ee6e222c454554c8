"""Programs that are answered wrongly today, with why; the figures count each of them as the fault it is."""

from __future__ import annotations

_ENDLESS = "a JAX loss that branches on values is run uncompiled, and takes longer than a minute for seven draws on a busy machine"

_ADDRESS = "the address of a new object may be the same in every call of one process, and then nothing tells it from a constant"

KNOWN_HOLES = {
    **{f"randomness: the address of a new object, {form}": _ADDRESS for form in ("formula", "numpy", "torch", "jax", "sampler")},
    "values: r == 8, jax": _ENDLESS,
    "types: float in try, jax": _ENDLESS,
    "state: a cache that forgets, jax": _ENDLESS,
}
