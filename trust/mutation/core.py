"""What is mutated, and which tests are to notice: the modules whose verdicts people believe."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from trust.checkout import ROOT


@dataclass(frozen=True)
class Group:
    """Modules that are mutated together, and the tests that are to notice.

    Tests that say what these modules are to do; those of everything built on them would notice
    more, and take hours.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


GROUPS = {
    "estimators": Group(
        tuple(
            f"altpg_verify/{name}.py"
            for name in (
                "estimators",
                "parameterisations",
                "forward_mode",
                "cases",
                "case_parsing",
                "exact",
            )
        ),
        (
            *(
                f"tests/exact/test_{name}.py"
                for name in ("estimators", "cases", "exact", "forward_mode")
            ),
            "tests/checkers/test_bad_input.py",
            "tests/laws/test_law_domains.py",
            "tests/laws/test_sides.py",
        ),
    ),
    "laws": Group(
        tuple(
            f"altpg_verify/{name}.py"
            for name in (
                "laws",
                "law_domains",
                "polynomial_signs",
                "rational_functions",
                "divisions",
                "opaque_numbers",
                "symbolic",
                "gaps",
            )
        ),
        (
            "tests/laws/test_law_domains.py",
            "tests/laws/test_sides.py",
            *(f"tests/exact/test_{name}.py" for name in ("symbolic", "gaps", "rational_functions")),
        ),
    ),
    "engine": Group(
        tuple(
            f"altpg_verify/{name}.py"
            for name in (
                "checks",
                "law_engine",
                "comparing_sides",
                "exactness",
                "search",
                "structure",
            )
        ),
        (
            *(
                f"tests/checkers/test_{name}.py"
                for name in ("engine", "floats", "refutations", "search")
            ),
            "tests/sim/test_structure.py",
        ),
    ),
    "untrusted": Group(
        tuple(
            f"altpg_verify/untrusted/{name}.py"
            for name in (
                *(
                    "arguments",
                    "branching_syntax",
                    "bytecode",
                    "calling",
                    "constants",
                    "contents",
                    "entropy",
                    "fields",
                    "further",
                    "generators",
                    "handed_on",
                    "hooks",
                    "intact",
                    "code_origin",
                    "lines",
                    "process_names",
                    "purity",
                    "reaching",
                    "set_order",
                    "standing_in",
                    "state",
                    "switches",
                    "tensors",
                ),
                *("condition_observers", "condition_records", "condition_syntax", "conditions"),
                *("type_queries", "unfilled"),
            )
        ),
        (
            *(
                f"tests/untrusted/test_{name}.py"
                for name in (
                    "calling",
                    "code_origin",
                    "condition_records",
                    "conditions",
                    "constants",
                    "contents",
                    "entropy",
                    "fields",
                    "generators",
                    "handed_on",
                    "impure_programs",
                    "intact",
                    "lines",
                    "monitoring",
                    "places",
                    "purity",
                    "reaching",
                    "set_order",
                    "standing_in",
                    "state",
                    "switches",
                    "tensors",
                    "type_queries",
                    "unfilled",
                )
            ),
            "tests/hostile/test_programs.py::test_every_trick_in_numpy",
        ),
    ),
    "proving": Group(
        tuple(f"altpg_verify/{name}.py" for name in ("proving", "sized", "tried", "wide")),
        tuple(
            f"tests/checkers/test_{name}.py"
            for name in ("cases_tried", "proving", "engine", "floats", "search")
        ),
    ),
    "updates": Group(
        tuple(
            f"altpg_verify/audit/{name}.py"
            for name in ("exchangeable_members", "guarding", "merging", "order_passes", "purity")
        ),
        # no torch, no JAX: their threads don't live on in the process that is forked for a mutant
        ("tests/audit/test_update_guards.py", "tests/audit/test_merging.py"),
    ),
    "steps": Group(
        tuple(
            f"altpg_verify/audit/{name}.py"
            for name in ("draw_tree", "replaying", "step_arguments", "step_runs")
        ),
        tuple(
            f"tests/audit/test_{name}.py" for name in ("draw_tree", "trainer_counts", "trainers")
        ),
    ),
    "results": Group(("altpg_verify/results.py",), ("tests/checkers/test_results.py",)),
    "ledger": Group(
        tuple(
            f"altpg_verify/{name}.py"
            for name in (
                "certificate_kinds",
                "finding_figures",
                "judging",
                "ledger",
                "ledger_building",
                "relations",
                "sealing",
                "verdicts",
            )
        ),
        (
            "tests/test_sealing.py",
            *(
                f"tests/ledger/test_{name}.py"
                for name in (
                    "building",
                    "judging",
                    "judging_samples",
                    "ledger_file",
                    "offers",
                    "verdict_rules",
                )
            ),
        ),
    ),
    "kernel": Group(
        ("altpg_verify/theory/proving/kernel.py", "altpg_verify/theory/proving/certificates.py"),
        ("tests/theory/test_kernel.py", "tests/theory/test_certificates.py"),
    ),
    "store": Group(
        ("altpg_verify/sim/store.py", "altpg_verify/sim/results.py"),
        ("tests/sim/test_store.py", "tests/sim/test_store_files.py", "tests/sim/test_results.py"),
    ),
}
"""Estimators and policies, exact derivatives and enumeration; laws and what proves and explains
them; the engine; guards about somebody's code; proofs and the cases of a search; guards about
updates; whole steps of trainers; its results; judges and ledger; the kernel that checks derivations
again; and the store of simulated cells.
"""

SAMPLED = ("results", "ledger", "kernel", "store")
"""The groups of which the sample takes some mutants: those whose tests take no more than a few
seconds.
"""

_COPIED = ("altpg_verify", "theory", "sim", "tests", "trust", "pyproject.toml")


def copy_to(folder: Path) -> None:
    """A copy of what the tests need, so that nothing a mutant does touches the checkout, nor any
    change of the checkout the figures.
    """
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source,
                folder / name,
                symlinks=True,
                ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"),
            )
        else:
            shutil.copy(source, folder / name)
