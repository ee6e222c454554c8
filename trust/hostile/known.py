"""Programs that may be answered wrongly, with why; the figures count each of them as the fault it is where it shows."""

from __future__ import annotations

_ADDRESS = "the address of a new object may be the same in every call of one process, and then nothing tells it from a constant"

KNOWN_HOLES = {f"randomness: the address of a new object, {form}": _ADDRESS for form in ("formula", "numpy", "torch", "jax", "sampler")}
