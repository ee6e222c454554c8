"""What is documented and how, read from the source; nothing is imported.

A symbol is public if no part of its dotted name begins with an underscore: modules, their functions
and classes, and of a public class the methods, properties, fields of its body and what `__init__`
sets on `self`.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from trust.checkout import python_files

Function = ast.FunctionDef | ast.AsyncFunctionDef
EMPTY = {
    *("a", "an", "the", "of", "for", "to", "get", "gets", "set", "sets", "return", "returns"),
    *("this", "its", "with", "and", "in", "is"),
}
"""Words that say nothing beside the name itself."""


@dataclass(frozen=True)
class Symbol:
    """A public name: where it is defined, what it is, its node in the source, and the class around
    it.
    """

    module: str
    name: str
    kind: str
    node: ast.AST
    around: ast.ClassDef | None = None

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


def public(name: str) -> bool:
    return not name.startswith("_")


def source_folder(package: str) -> Path:
    """Where a package would be imported from: beside the tests, or installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise LookupError(f"{package} can't be imported")
    return Path(spec.origin).parent


class Parsed(Mapping[str, ast.Module]):
    """The trees of modules by dotted name, each parsed when it is asked for."""

    def __init__(self, paths: dict[str, Path]) -> None:
        self.paths = paths
        self.made: dict[str, ast.Module] = {}

    def __getitem__(self, name: str) -> ast.Module:
        if name not in self.made:
            self.made[name] = ast.parse(self.paths[name].read_text(encoding="utf-8"))
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def modules(*folders: Path) -> Parsed:
    """The public modules in the folders of packages, by dotted name."""
    found = {}
    for package in folders:
        for path in python_files(package):
            parts = path.relative_to(package.parent).with_suffix("").parts
            if all(public(part) or part in ("__init__", "__main__") for part in parts):
                found[".".join(part for part in parts if part != "__init__")] = path
    return Parsed(found)


def symbols(module: str, tree: ast.Module) -> Iterator[Symbol]:
    """A module, and everything public in it."""
    yield Symbol(module, "", "module", tree)
    yield from _inside(module, tree.body, None, "")


def _inside(
    module: str, body: list[ast.stmt], around: ast.ClassDef | None, prefix: str
) -> Iterator[Symbol]:
    for node in body:
        if isinstance(node, Function | ast.ClassDef) and public(node.name) and not _restated(node):
            kind = "class" if isinstance(node, ast.ClassDef) else "method" if around else "function"
            yield Symbol(module, prefix + node.name, kind, node, around)
            if isinstance(node, ast.ClassDef):
                yield from _inside(module, node.body, node, f"{prefix}{node.name}.")
        if around:
            yield from (
                Symbol(module, prefix + name, "field", node, around)
                for name in _fields(node)
                if public(name)
            )


def _restated(node: ast.AST) -> bool:
    """Another signature of what is defined elsewhere, or the other half of a property."""
    decorators = [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", ())]
    return any(each.split(".")[-1] in ("overload", "setter", "deleter") for each in decorators)


def _fields(node: ast.stmt) -> list[str]:
    if isinstance(node, Function) and node.name == "__init__":
        inner = [target for statement in ast.walk(node) for target in _targets(statement)]
        return list(
            dict.fromkeys(
                t.attr
                for t in inner
                if isinstance(t, ast.Attribute) and ast.unparse(t.value) == "self"
            )
        )
    return [target.id for target in _targets(node) if isinstance(target, ast.Name)]


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    if isinstance(node, ast.Assign):
        return [
            each
            for target in node.targets
            for each in (target.elts if isinstance(target, ast.Tuple) else [target])
        ]
    return []


def doc(node: ast.AST) -> str:
    return ast.get_docstring(node) or ""  # type: ignore[arg-type]


def says_something(name: str, text: str) -> bool:
    """More than the name over again ("The start weight." for `start_weight`)."""
    return bool(_words(text) - _words(name) - EMPTY)


def _words(text: str) -> set[str]:
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).replace("_", " ").lower()
    return set(re.findall(r"[^\W\d]+|\d+|[^\w\s.,;:()`]", apart))


def names_explained(text: str) -> set[str]:
    """Names that a docstring explains: `in backticks`, before a colon ("alpha, beta: stepsizes") or
    before a shape ("theta (n, k)").
    """
    found = set(re.findall(r"`\.?([A-Za-z_]\w*)(?:[(=.\[][^`]*)?`", text))
    for names in re.findall(r"(?<![\w*.])(\*{0,2}\w+(?:, \*{0,2}\w+)*): (?=\S)", text):
        found |= {name.lstrip("*") for name in names.split(", ")}
    return found | set(re.findall(r"\b([A-Za-z_]\w*) \((?:\w+,|\w+ \w+,)", text))


def attribute_docs(body: list[ast.stmt]) -> set[str]:
    """Names with a string of their own on the line after them."""
    found: set[str] = set()
    for node, following in pairwise(body):
        if (
            isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
            and isinstance(following.value.value, str)
        ):
            found |= set(_fields(node))
    return found


class Documentation:
    """All docstrings of some modules; methods may inherit theirs, as `help()` does."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.trees = trees

    @functools.cached_property
    def symbols(self) -> list[Symbol]:
        return [symbol for module, tree in self.trees.items() for symbol in symbols(module, tree)]

    @functools.cached_property
    def classes(self) -> dict[str, list[ast.ClassDef]]:
        found: dict[str, list[ast.ClassDef]] = {}
        for tree in self.trees.values():
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, []).append(node)
        return found

    @functools.cached_property
    def explained(self) -> set[str]:
        return {
            ast.unparse(key)
            for tree in self.trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.Dict)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None and _words_of(key, value)
        }

    def gaps(self) -> list[str]:
        """What isn't documented, as "kind dotted.name"."""
        return [
            f"{symbol.kind} {symbol.dotted}"
            for symbol in self.symbols
            if not self.documented(symbol)
        ]

    def documented(self, symbol: Symbol) -> bool:
        name = symbol.name.split(".")[-1]
        if symbol.kind == "field":
            assert symbol.around is not None
            return self._field(name, symbol.around)
        if symbol.kind == "method" and not doc(symbol.node):
            assert symbol.around is not None
            return self._inherits(name, symbol.around)
        if symbol.kind == "function" and claims_served(symbol.node):
            return True
        return says_something(name, doc(symbol.node))

    def _field(self, name: str, around: ast.ClassDef) -> bool:
        own = (
            name in attribute_docs(around.body)
            or name in names_explained(doc(around))
            or f"{around.name}.{name}" in self.explained
        )
        return own or any(self._field(name, base) for base in self._bases(around))

    def _inherits(self, name: str, around: ast.ClassDef) -> bool:
        for base in self._bases(around):
            if any(
                isinstance(node, Function) and node.name == name and doc(node) for node in base.body
            ) or self._inherits(name, base):
                return True
        return False

    def _bases(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        for base in node.bases:
            for found in self.classes.get(ast.unparse(base).split("[")[0].split(".")[-1], []):
                if found is not node:
                    yield found


def _words_of(key: ast.expr | None, value: ast.expr) -> bool:
    """A row `Kind.ZERO: "words"` of a table that gives an enumeration's members their meaning."""
    return (
        isinstance(key, ast.Attribute)
        and isinstance(value, ast.Constant)
        and isinstance(value.value, str)
    )


def claims_served(node: ast.AST) -> tuple[str, ...]:
    """Ids of the claims for which a function is evidence: the ledger prints each claim's statement
    beside what the function says.
    """
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in (
            "evidence",
            "derivation",
        ):
            return tuple(
                each.value
                for each in decorator.args
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )
    return ()
