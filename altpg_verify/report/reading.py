"""The page that explains verdicts, and the one that says how to run it all again."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from importlib import metadata

from altpg_verify.verdicts import Verdict

PACKAGES = (
    *("altpg-verify", "sympy", "python-flint", "hypothesis", "numpy", "scipy", "numba"),
    *("matplotlib", "typst"),
)
"""What the results and the page depend on."""


_BEFORE = """
The paper's text and appendices were taken apart into claims: statements that could be false, each with its line. Each is judged as it is
printed, with all the cases that its words include. A verdict is computed from evidence; none was typed by hand. Evidence is a
function that hands its material (a derivation with certificates, a counterexample, the cases of a search, the numbers of a simulation) to
a judge; the judge checks that material by itself before it gives a verdict.
"""

_AFTER = """
If several pieces of evidence agree, the strongest gives the verdict: a derivation for every number of actions before a certificate on a
domain, before exact enumeration, before a search, before a simulation. If one supports a claim and another refutes it, the claim is
marked as inconsistent and counts for nothing. A claim is called established when it and everything it rests on have verdicts for them and
no required evidence is missing.

Agreement of numbers is never called a proof. What a simulation says holds at an error rate of 1 %, shared among all the comparisons of
a claim. In words, "a ± b" is always a mean and its standard error, over independent runs; what is bounded (a share, a return) has its error
widened towards the bound. In figures, a bar or a band is two standard errors to each side.
"""

_AGAIN = """
The same versions and seeds give the same ledger, and the same ledger and figures give this file byte for byte: it holds no duration, and
its date is fixed, or that of SOURCE_DATE_EPOCH. A random stream belongs to an experiment, a setting and a run, never to a worker or an
order.
"""


def paragraphs(text: str) -> list[str]:
    """Text with blank lines between its paragraphs, line breaks taken out."""
    return [" ".join(block.split()) for block in text.strip().split("\n\n")]


def reading() -> dict[str, object]:
    """How to read a verdict: the page that says what was verified, with the meaning of each
    verdict.
    """
    meanings = [{"name": str(verdict), "meaning": verdict.meaning} for verdict in Verdict]
    return {
        "title": "What was verified, and how",
        "before": paragraphs(_BEFORE),
        "verdicts": meanings,
        "after": paragraphs(_AFTER),
    }


def reproducing(
    profile: str,
    seed: int,
    max_examples: int,
    ledger_hash: str,
    extra: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """The commands, versions and seeds that give this report again; no clock.

    Args:
        profile: of the simulations.
        seed: of the searches.
        max_examples: cases a search.
        ledger_hash: SHA-256 of ledger.json, in hex digits.
        extra: further facts, name -> value.
    """
    command = (
        f"python -m altpg_verify.report --profile {profile} --seed {seed} --max-examples"
        f" {max_examples}"
    )
    facts = {
        "profile of the simulations": profile,
        "seed of the searches": str(seed),
        "cases a search": str(max_examples),
        **(extra or {}),
        "SHA-256 of ledger.json": ledger_hash,
        "Python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "platform": f"{sys.platform} {platform.machine()}",
    }
    return {
        "lead": paragraphs(_AGAIN),
        "commands": [
            {"says": "This report", "command": command},
            {
                "says": "Every certificate of it, checked again without what made it",
                "command": "python -m altpg_verify.theory recheck reports/certificates",
            },
            {"says": "The tests, planted faults included", "command": "pytest -q"},
            {
                "says": "The same checks for an estimator of your own",
                "command": "python -m altpg_verify check my_module:my_estimator",
            },
        ],
        "facts": [[name, value] for name, value in facts.items()],
    }


def version(package: str) -> str:
    """The installed version of a package, or that there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed as a package"
