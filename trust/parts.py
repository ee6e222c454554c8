"""The parts by name, in the order in which they run; a part's module is imported when it is run."""

from __future__ import annotations

from importlib import import_module

from altpg_verify.errors import BadInput
from trust.figures import Part

MODULES = {
    "mutation": "trust.mutation",
    "composed": "trust.composed",
    "rates": "trust.rates",
    "methods": "trust.derivations",
    "numbers": "trust.extreme_numbers",
    "fuzz": "trust.fuzz",
    "faults": "trust.faults",
    "hostile": "trust.hostile",
    "everywhere": "trust.everywhere",
}
"""Each module has its `Part` as PART."""


def part(name: str) -> Part:
    """The part of that name; only its own module is imported.

    Raises:
        BadInput: there is none.
    """
    if name not in MODULES:
        raise BadInput(f"--only: there is no part {name!r}; there are {', '.join(MODULES)}")
    found: Part = import_module(MODULES[name]).PART
    return found
