"""Data flows one way: the import arrows of the design, read from the source."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path
from typing import Literal

import pytest

from trust.checkout import python_files

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    not (ROOT / "altpg_verify").is_dir(),
    reason="the sources aren't beside the tests, which try the wheel",
)
THEORY_MAY_USE = {
    "theory",
    "ledger",
    "ledger_building",
    "sealing",
    "judging",
    "certificate_kinds",
    "finding_figures",
    "relations",
    "verdicts",
    "errors",
    "estimators",
    "files",
    "targets",
    "structure",
    # a guard before anything is derived: it can refuse a formula, and speaks for no claim
    "readable",
    # fractions, faster: a number, and not how it is made
    "exact_numbers",
    "terminal",
    "screen",
    "supervised",
    "wording",
}
HEAVY = {
    *("sympy", "numba", "matplotlib", "torch", "jax", "scipy", "typst", "flint"),
    *("hypothesis", "rich"),
}


def imports(path: Path, *, at: Literal["import", "run", "any"] = "any") -> set[str]:
    """Every module a file imports, dotted: only those run at import time, or those and what
    functions import, or for types, too.
    """
    found: set[str] = set()
    for node in _import_statements(path)[at]:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write absolute imports"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where a statement has others; expressions have none."""


@functools.cache
def _import_statements(path: Path) -> dict[str, list[ast.AST]]:
    """Those of each kind that `imports` tells apart; a file is read once."""
    found: dict[str, list[ast.AST]] = {"any": [], "run": [], "import": []}
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [
        (ast.parse(path.read_text(encoding="utf-8")), tuple(found))
    ]
    while waiting:
        node, kinds = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            for kind in kinds:
                found[kind].append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            kinds = tuple(kind for kind in kinds if kind != "import")
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            kinds = ("any",)
        waiting += [(each, kinds) for name in BLOCKS for each in getattr(node, name, ())]
    return found


def under(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


FILES = python_files(ROOT / "altpg_verify")


def files(folder: str) -> list[Path]:
    return [path for path in FILES if path.is_relative_to(ROOT / folder)]


THEORY, SIM, REPORT = (files(f"altpg_verify/{name}") for name in ("theory", "sim", "report"))
ROOMS_OF_THEORY = {
    f"altpg_verify.theory.{path.parent.name}" for path in THEORY if path.name == "__init__.py"
}
CORE = sorted({*FILES} - {*THEORY, *SIM, *REPORT})


def breaches(paths: list[Path], forbidden) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in sorted(imports(path))
        if forbidden(name)
    ]


@pytest.mark.thorough
def test_every_file_is_seen_once_and_under_the_name_it_is_imported_by():
    assert len({path.resolve() for path in FILES}) == len(FILES)
    assert min(map(len, (CORE, THEORY, SIM, REPORT))) > 20
    old = [
        f"{path}: {name}"
        for path in FILES
        for name in sorted(imports(path))
        if under(name, "theory") or under(name, "sim")
    ]
    assert old == []


def test_the_core_needs_neither_theory_nor_sim():
    assert (
        breaches(
            CORE, lambda name: under(name, "altpg_verify.theory") or under(name, "altpg_verify.sim")
        )
        == []
    )


def test_theory_never_uses_the_enumeration():
    def forbidden(name: str) -> bool:
        return name.startswith("altpg_verify.") and name.split(".")[1] not in THEORY_MAY_USE

    assert breaches(THEORY, forbidden) == []


def derived(path: Path) -> bool:
    """Whether a file of theory is neither exact cases nor a claim: then it derives, or serves those
    that do.
    """
    return not path.stem.startswith(("cases", "claims")) and not {"exact_cases", "claims"} & set(
        path.parts
    )


def counts_cases(name: str) -> bool:
    parts = name.split(".")
    return under(name, "altpg_verify.theory") and any(
        part.startswith("cases") or part == "exact_cases" for part in parts
    )


def test_no_derivation_imports_exact_cases():
    assert len([path for path in THEORY if derived(path)]) > 80
    assert breaches([path for path in THEORY if derived(path)], counts_cases) == []


def test_exact_cases_import_no_derivation_but_the_box_of_the_chain():
    cases = [
        path for path in THEORY if path.stem.startswith("cases") or "exact_cases" in path.parts
    ]
    assert len(cases) > 25
    others = [
        path for path in cases if (path.parent.name, path.stem) != ("chain", "cases_stepsize")
    ]

    def derivation(name: str) -> bool:
        return (
            under(name, "altpg_verify.theory")
            and name not in ROOMS_OF_THEORY
            and not counts_cases(name)
        )

    assert breaches(others, derivation) == []


def test_the_machinery_of_proof_knows_no_subject():
    proving = files("altpg_verify/theory/proving")
    # the store asks the whole of theory for its derivations, when it is asked for them
    allowed = ("altpg_verify.theory", "altpg_verify.theory.proving")
    assert (
        breaches(
            proving,
            lambda name: (
                under(name, allowed[0]) and name != allowed[0] and not under(name, allowed[1])
            ),
        )
        == []
    )


def test_every_subject_says_what_was_found():
    for room in sorted({path.parent for path in THEORY if path.name == "claims.py"}):
        words = (
            ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
        )
        missing = [
            path.stem
            for path in room.glob("*.py")
            if path.stem != "__init__" and path.stem not in re.findall(r"\w+", words)
        ]
        assert missing == [], f"{room.name}/__init__.py names every file beside it"


def test_sim_uses_the_core_only():
    assert (
        breaches(
            SIM,
            lambda name: under(name, "altpg_verify.theory") or under(name, "altpg_verify.report"),
        )
        == []
    )


def test_nothing_imports_the_report_but_the_command_line_that_hands_over_to_it():
    others = [path for path in CORE if path.name != "__main__.py"] + THEORY + SIM
    assert breaches(others, lambda name: under(name, "altpg_verify.report")) == []


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, in order; none if there is no circle."""
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        found = next(
            (
                circle
                for other in sorted(arrows.get(module, ()))
                if (circle := walk(other, (*path, module)))
            ),
            [],
        )
        done.add(module)
        return found

    return next((found for module in sorted(arrows) if (found := walk(module, ()))), [])


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def arrows(paths: list[Path], *, at: Literal["import", "run"]) -> dict[str, set[str]]:
    """module -> the modules among all files that it imports."""
    known = {module(path) for path in FILES}

    def needed(path: Path) -> set[str]:
        names = imports(path, at=at)
        # `from package import module` needs the module; of the package's own names it takes none
        only_modules = {
            name
            for name in names
            if (inside := {one for one in names if one.rpartition(".")[0] == name})
            and inside <= known
        }
        return (names & known) - only_modules - {module(path)}

    return {module(path): needed(path) for path in paths}


def test_no_module_is_needed_by_what_it_needs_to_be_imported():
    found = arrows(FILES, at="import")
    assert "altpg_verify.sim.experiment" in found["altpg_verify.sim.sweep"]
    assert circle(found) == []


@pytest.mark.parametrize(
    "paths", [CORE, THEORY, SIM, REPORT], ids=["core and audit", "theory", "sim", "report"]
)
def test_no_circle_is_hidden_by_importing_late(paths):
    # a function that imports what imports its own module is a circle, too
    assert circle(arrows([path for path in paths if path.stem != "__main__"], at="run")) == []


def test_a_circle_would_be_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_sim_writes_no_update_rule_of_its_own():
    # the product (r - b) times a one-hot or a score may stand in the estimators only
    for path in SIM:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(d).startswith("estimator") for d in node.decorator_list
            ):
                pytest.fail(f"{path.relative_to(ROOT)} defines an estimator")


FIRST = (
    "__init__.py",
    "__main__.py",
    "pytest_plugin.py",
    "ledger.py",
    "judging.py",
    "estimators.py",
)


@pytest.mark.parametrize(
    "path", [path for path in CORE if path.name in FIRST], ids=lambda path: path.name
)
def test_what_starts_up_first_loads_nothing_heavy(path):
    assert {name.split(".")[0] for name in imports(path, at="import")} & (
        HEAVY | {"numpy"}
    ) == set()


def test_a_breach_would_be_seen(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    from altpg_verify.sim.bandit import run\n", encoding="utf-8")
    assert "altpg_verify.sim.bandit.run" in imports(bad)
    assert imports(bad, at="import") == set()
    assert counts_cases("altpg_verify.theory.mdps.cases_environment.Mdp")
    assert counts_cases("altpg_verify.theory.exact_cases.arithmetic")
    assert not counts_cases("altpg_verify.theory.mdps.mdp_estimators")
