"""Certificates that were edited, made by hand, or only look like one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from altpg_verify.theory.proving.certificate_recheck import recheck_file
from altpg_verify.theory.proving.certificate_statements import statement
from altpg_verify.theory.proving.certificate_store import SCHEMA, as_text, content, digest
from altpg_verify.theory.proving.certificates import certify
from trust.hostile.forms import ANYTHING, NEVER_PASSED

Data = dict[str, Any]
WORDS = "the alternate estimator is unbiased for every policy"
NOTHING: Data = {
    "says": WORDS, "left": 0, "relation": "=", "right": 0, "witness": 0, "given": [],
    "positive": [], "nonnegative": [], "nonzero": [], "constant": [],
}  # fmt: skip
FALSE: Data = {**NOTHING, "left": "b", "right": ["*", 2, "b"]}
"""b = 2b, which is false; whatever is put beside it may not make it hold without being said."""


def _stored(
    data: Data,
    *,
    kind: str = "identity",
    words: str | None = None,
    edit: Callable[[str], str] = str,
) -> str:
    """What the re-check of a file with a right digest comes to: PROVED if a claim that isn't true
    is said to hold without a condition.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.json"
        try:
            said = statement(kind, data) if words is None else words
        except (TypeError, ValueError, LookupError):
            said = WORDS
        entry = {"kind": kind, "statement": said, "data": data}
        whole = {
            "schema": SCHEMA,
            "claims": ["unbiased"],
            "statement": WORDS,
            "domain": "every policy",
            "certificates": [entry],
        }
        path.write_text(edit(as_text({**whole, "digest": digest(whole)})), encoding="utf-8")
        checked = recheck_file(path)
    if not checked.holds:
        return "refused"
    # 0 = 0 and what follows from a stated falsehood may hold; they are said as what they are
    return (
        "HOLDS"
        if all("which says nothing" in one or "given" in one for one in checked.proved)
        else "PROVED"
    )


def genuine_data() -> Data:
    """The data of a true certificate: (b + 1)² = b² + 2b + 1."""
    from sympy import Symbol

    b = Symbol("b")
    certificate = certify((b + 1) ** 2, "=", b**2 + 2 * b + 1, summary="a square")
    return dict(content("a square", "", [certificate])["certificates"][0]["data"])


def _edited(**changes: Any) -> Callable[[], str]:
    return lambda: _stored({**genuine_data(), **changes})


def _lies(data: Data, **options: Any) -> Callable[[], str]:
    return lambda: _stored(data, **options)


PROGRAMS = {
    "forged certificates": [
        ("words over 0 = 0", _lies(NOTHING, words=WORDS), NEVER_PASSED),
        ("0 = 0, said as it is", _lies(NOTHING), ANYTHING - frozenset({"PROVED"})),
        ("another right side", _edited(right=0), NEVER_PASSED),
        ("another left side", _edited(left="b"), NEVER_PASSED),
        ("both sides of two equal formulas", _edited(left="b", right=["*", 2, "b"]), NEVER_PASSED),
        ("another relation", _edited(relation="!="), NEVER_PASSED),
        ("a strict relation", _edited(relation=">"), NEVER_PASSED),
        ("a relation in words", _edited(relation="is"), NEVER_PASSED),
        ("a witness for nothing", _lies({**FALSE, "relation": ">=", "witness": "b"}), NEVER_PASSED),
        (
            "a negative witness",
            _lies({**NOTHING, "right": 1, "relation": ">=", "witness": -1}),
            NEVER_PASSED,
        ),
        ("a sign for a letter", _lies({**FALSE, "relation": "<", "positive": ["b"]}), NEVER_PASSED),
        (
            "an assumption that 0 is 1",
            _lies({**FALSE, "given": [{"zero": 1, "each": "", "cofactor": ["*", -1, "b"]}]}),
            NEVER_PASSED | {"HOLDS"},
        ),
        ("an assumption without a form", _lies({**FALSE, "given": [{"zero": 1}]}), NEVER_PASSED),
        ("true for 1", _lies({**FALSE, "left": True, "right": 2}), NEVER_PASSED),
        (
            "nan on both sides",
            _lies({**NOTHING, "left": float("nan"), "right": float("nan")}),
            NEVER_PASSED,
        ),
        (
            "a quotient by 0",
            _lies(
                {**FALSE, "left": ["*", "b", ["^", 0, -1]], "right": ["*", 2, "b", ["^", 0, -1]]}
            ),
            NEVER_PASSED,
        ),
        ("0^0", _lies({**NOTHING, "left": ["^", 0, 0], "right": 0}), NEVER_PASSED),
        (
            "letters that look alike",
            _lies({**NOTHING, "left": "\u0440", "right": "p"}),
            NEVER_PASSED,
        ),
        (
            "a letter with a space behind it",
            _lies({**NOTHING, "left": "b ", "right": "b"}),
            NEVER_PASSED,
        ),
        (
            "a power without end",
            _lies({**NOTHING, "left": ["^", ["+", "b", 1], 10**9], "right": 0}),
            NEVER_PASSED,
        ),
        (
            "a tower of powers",
            _lies({**FALSE, "left": ["^", ["^", ["^", 9, 9], 9], 9]}),
            NEVER_PASSED,
        ),
        ("a field too many", _lies({**FALSE, "holds": True}), NEVER_PASSED),
        (
            "a field too few",
            _lies({name: value for name, value in FALSE.items() if name != "witness"}),
            NEVER_PASSED,
        ),
        *(
            (f"as {kind}", _lies(FALSE, kind=kind), NEVER_PASSED)
            for kind in (
                *(
                    "exponential sign",
                    "triangle tree",
                    "chain fixed point",
                    "simplex cover",
                    "exact instance",
                    "attracting fixed point",
                ),
                *("", "__class__", "kernel", "identity\n"),
            )
        ),
        (
            "a word changed after the digest",
            _lies(NOTHING, edit=lambda text: text.replace("every policy", "every estimator")),
            NEVER_PASSED,
        ),
        (
            "a digit changed after the digest",
            _lies(NOTHING, edit=lambda text: text.replace('"left": 0', '"left": 1')),
            NEVER_PASSED,
        ),
        (
            "a key that stands twice",
            _lies(
                FALSE,
                edit=lambda text: text.replace('"left": "b"', '"left": ["*", 2, "b"], "left": "b"'),
            ),
            NEVER_PASSED,
        ),
    ]
}
