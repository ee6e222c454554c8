"""The reference: a page a package with its modules in a table, and a page a module made from its
docstrings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "altpg_verify": "for any estimator: one formula, checked against laws",
    "altpg_verify.audit": "for any loss, batch, group or trajectory: what it follows",
    "altpg_verify.audit.references": (
        "published losses and advantage estimators, and which of them an update equals"
    ),
    "altpg_verify.theory": "what the paper claims, and why it is true or isn't",
    "altpg_verify.sim": "what happens when agents learn",
    "altpg_verify.sim.large": "gradient bandits with very many actions",
}
"""Each package with a few words on it; their modules are read from the folders."""


def pages() -> Iterator[tuple[str, str]]:
    """(path below docs/, Markdown)."""
    yield "reference/index.md", _index()
    for package in PACKAGES:
        modules = modules_of(package)
        yield f"reference/{package}.md", _package(package, modules)
        for module in modules:
            yield f"reference/{package}/{module}.md", _module(package, module)


def modules_of(package: str) -> list[str]:
    """The public modules of a package, without subpackages and the command line."""
    folder = ROOT.joinpath(*package.split("."))
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))


def docstring(package: str, module: str = "__init__") -> str:
    """A module's docstring, read without importing it."""
    source = ROOT.joinpath(*package.split("."), f"{module}.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def _index() -> str:
    rows = "".join(
        f"| [`{package}`]({package}.md) | {summary} |\n" for package, summary in PACKAGES.items()
    )
    return (
        "# Reference\n\nMade from the docstrings of the code, with shapes, units, errors and the"
        " place in the paper where they say it.\n\n| package | what |\n| --- | ---"
        f" |\n{rows}\n[Names](names.md) has all that an update may ask for, with shapes;"
        " [Commands](commands.md) has every command with its options; [Claims](claims.md) lists"
        " every statement of the paper.\n"
    )


def _package(package: str, modules: list[str]) -> str:
    rows = "".join(
        f"| [`{module}`]({package}/{module}.md) | {_first_line(docstring(package, module))} |\n"
        for module in modules
    )
    return (
        f"# {package}\n\n```text\n{docstring(package)}\n```\n\n## Modules\n\n| module | what |\n|"
        f" --- | --- |\n{rows}"
    )


def _module(package: str, module: str) -> str:
    return f"# {package}.{module}\n\n[{package}](../{package}.md)\n\n::: {package}.{module}\n"


def _first_line(text: str) -> str:
    return (
        text.split("\n\n")[0]
        .replace("\n", " ")
        .replace("|", "\\|")
        .replace("*", "\\*")
        .replace("<", "&lt;")
    )
