"""`docs/gallery.md`: every public case, with the code as it is in the gallery and what the tool
says of it.

python -m tests.gallery.page docs/gallery.md

The code is read from the gallery's own files and every verdict is computed; written here are only
the sentences beside them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from altpg_verify.audit.diagnosis import audit
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.mending import cheap
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from tests.gallery.case import FIXTURES, GALLERY, Case
from tests.gallery.entries import CASES

COMMAND = "python -m tests.gallery.page docs/gallery.md"


def source(module: str) -> str:
    """A gallery module's code, without its docstring."""
    lines = _text(module).splitlines()
    docstring = ast.parse("\n".join(lines)).body[0]
    return "\n".join(lines[docstring.end_lineno :]).strip()


def space(module: str) -> str:
    """The code by which a gallery module gets its spaces, and whatever else of the gallery it uses:
    each definition before its use.
    """
    found: dict[str, str] = {}
    for origin, name in _shared(ast.parse(_text(module))).values():
        _define(origin, name, found)
    text = ""
    for definition in found.values():
        apart = "\n" if "\n" not in definition + text.rsplit("\n\n\n", 1)[-1] else "\n\n\n"
        text += (apart if text else "") + definition
    return text


def _shared(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """What a module imports of the gallery and of its small spaces: name -> (module, name
    there).
    """
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        and node.module
        and (node.module == FIXTURES or node.module.startswith(GALLERY))
        for alias in node.names
    }


def _define(module: str, name: str, found: dict[str, str]) -> None:
    """Add the definition of a name, after those of the names it uses."""
    text = _text(module)
    tree = ast.parse(text)
    defined = {defines: node for node in tree.body for defines in _defines(node)}
    if name in found or name not in defined:
        return
    node = defined[name]
    shared = _shared(tree)
    for used in dict.fromkeys(each.id for each in ast.walk(node) if isinstance(each, ast.Name)):
        if used in shared:
            _define(*shared[used], found)
        elif used in defined and used != name:
            _define(module, used, found)
    found[name] = ast.get_source_segment(text, node) or ""


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


def explanation(case: Case) -> str:
    """Who met what: the docstring of the numpy module, or of the only one, less its code."""
    text = (
        ast.get_docstring(
            ast.parse(_text(f"{GALLERY}.{case.module}" if case.numpy else case.shown))
        )
        or ""
    )
    words = " ".join(text.removeprefix(f"{case.code}: ").split())
    return words[0].upper() + words[1:]


def outcomes(module: str) -> dict[str, Audit | BadInput]:
    """The audit of every update in a module, by its name; headlines with edits that mend them; of
    unusable ones, what is answered.
    """
    headlines = {case.headline for case in CASES if module.startswith(f"{GALLERY}.{case.module}")}
    found: dict[str, Audit | BadInput] = {}
    for name, each in vars(import_module(module)).items():
        if isinstance(each, Update):
            try:
                found[name] = audit(each, mend=name in headlines and cheap(each))
            except BadInput as error:
                found[name] = error
    return found


def section(case: Case, found: dict[str, Audit | BadInput]) -> str:
    """One case: who met what, the code, the output, what it means."""
    whole = found[case.headline]
    lines = [_without_rounding(str(whole)), ""]
    for name, each in found.items():
        if each is whole:
            continue
        lines.append(
            f"! {name}: {each}"
            if isinstance(each, BadInput)
            else f"{str(each)[0]} {name}: {each.sentence}"
        )
    command = f"python -m altpg_verify check {case.shown}:{case.headline}"
    return "\n".join(
        [
            f"## {case.code} {case.title}",
            "",
            explanation(case),
            "",
            *_shown_space(case),
            "```python",
            source(case.shown),
            "```",
            "",
            f"`{command}` tells (and of the others the first line):",
            "",
            "```text",
            "\n".join(lines).strip(),
            "```",
            "",
            case.means,
            "",
        ]
    )


def _shown_space(case: Case) -> list[str]:
    shared = space(case.shown)
    return ["Tried on:", "", "```python", shared, "```", "", "The code:", ""] if shared else []


def contents(verdicts: dict[str, str]) -> str:
    """The table of contents, with the verdict of each case's headline."""
    rows = [
        f"| [{case.code}](#{case.code.lower()}-{case.title.replace(' ', '-')}) | {case.title} |"
        f" `{case.headline}` | {verdicts[case.code]} |"
        for case in CASES
    ]
    return "\n".join(["| case | what | update | verdict |", "| --- | --- | --- | --- |", *rows])


def verdict(found: Audit | BadInput) -> str:
    """The verdict of an audit, as the table of contents has it."""
    if not isinstance(found, Audit):
        return "unusable"
    if found.kind is Kind.OTHER_OBJECTIVE:
        return f"{found.kind}: {found.follows}"
    return f"{found.kind}: times {found.scale}" if found.scale is not None else str(found.kind)


def opening(cases: Sequence[Case], verdicts: dict[str, str]) -> str:
    """What stands before the sections: what this is, and the table of contents."""
    return "\n".join(
        [
            "# Gallery",
            "",
            (
                f"{len(cases)} things that people who implement policy gradients met and reported"
                " in public, or losses as they stand"
            ),
            (
                "in libraries, each reduced to a space of a few outcomes, and what the tool says of"
                " them. A verdict is about the code on this"
            ),
            (
                "page, with the target it names; it says nothing about what a project's code does"
                " today, and many of these forms are chosen on"
            ),
            (
                "purpose. Several reports are about right code. Losses of libraries are transcribed"
                " and shortened, with repository, commit,"
            ),
            "file and licence (Apache-2.0 or MIT) beside them.",
            "",
            f"Made by `{COMMAND}` (with torch installed), from the files in",
            (
                "`tests/gallery/cases/`; versions in numpy and JAX lie beside the ones"
                " shown. Sizes of rounding errors are left out."
            ),
            "",
            contents(verdicts),
            "",
            "",
        ]
    )


def page(cases: Sequence[Case] = CASES) -> str:
    """The whole page.

    Raises:
        ModuleNotFoundError: torch isn't installed; most of the code is torch.
    """
    found = {case.code: outcomes(case.shown) for case in cases}
    verdicts = {case.code: verdict(found[case.code][case.headline]) for case in cases}
    return opening(cases, verdicts) + "\n".join(section(case, found[case.code]) for case in cases)


def _text(module: str) -> str:
    """A module's file; it isn't imported, for it may need torch."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"no module {module}")
    return Path(found.origin).read_text(encoding="utf-8")


def _without_rounding(text: str) -> str:
    """What rounding left over differs from machine to machine."""
    return re.sub(r"; largest deviation \S+", "", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page to the named file, or to standard output."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        text = page()
    except ModuleNotFoundError as error:
        print(f"{error}; the page needs torch: pip install -e '.[torch]'", file=sys.stderr)
        return 2
    if words:
        Path(words[0]).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
