"""Programs that may be answered wrongly, with why; the figures count each of them as the fault it
is where it shows.
"""

from __future__ import annotations

_ADDRESS = (
    "`id` and `hash` are refused by name; an address that is taken another way differs when it is"
    " asked for again beside objects that are kept, unless memory happens to be handed out so that"
    " it doesn't"
)

_WAYS = ("repr of a new object", "the hash method", "the order of new objects in a set")

KNOWN_HOLES = {
    f"addresses and processes: {way}, {form}": _ADDRESS
    for way in _WAYS
    for form in ("formula", "numpy", "torch", "sampler")
}
