"""Claims that one kind of evidence decides: plain facts about a short list, for which a derivation
would be a ritual.
"""

from __future__ import annotations

from collections.abc import Mapping

SINGLE_EVIDENCE: Mapping[str, str] = {
    "alternate-one-parameter-fewer": (
        "counts the names in two short lists of parameters; there is no formula to derive it from"
    ),
    "tree-example-head": (
        "runs the algorithm on one list of four actions and reads off which action comes first"
    ),
    "tree-example-subtrees": (
        "runs the algorithm on one list of four actions with the choices as stated and reads off"
        " the nodes"
    ),
    "dotreacher-nine-actions": "counts the moves of a list that is a definition of the environment",
    "saturated-return-is-minus-1000": (
        "counts the steps of an episode that is cut after a thousand, at -1 a step"
    ),
    "powers-of-two": "two multiplications of whole numbers",
    "adam-default-stepsize-corrected": (
        "a transcription of the default that two cited sources state"
    ),
}
"""The claim, and why one kind of evidence is all that makes sense."""
