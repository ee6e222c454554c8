"""Which errors a function raises, and which it says it raises; read from the source.

Calls are followed by name, so what is found reachable may be too much, never too little within the
project's own code. An error of the project counts as each of its bases: who says `BadInput` may
raise `BadEstimator`.
"""

from __future__ import annotations

import ast
import re

from tests.docstrings import Documentation, Function, Symbol, doc

USER = ("BadEstimator", "BadInput", "Missing")
"""What a user meets: `altpg_verify.errors`."""


def said(text: str) -> set[str]:
    """The errors of the section `Raises:`, or of a sentence that begins "Raises X"."""
    found = set(re.findall(r"\b[Rr]aises? ((?:`?\w+`?)(?:,? (?:or )?`?[A-Z]\w+`?)*)", text))
    names = {name for each in found for name in re.findall(r"[A-Z]\w+", each)}
    section = re.search(r"^Raises:\n((?:[ \t]+.*\n?)+)", text, re.MULTILINE)
    for line in section[1].splitlines() if section else ():
        names |= set(re.findall(r"(?:^|[;,] ?)\s*([A-Z]\w+)(?=[,:])", line))
    return names


def raised(node: ast.AST) -> set[str]:
    """The errors in a body's own `raise` statements, but for those that a `try` around them catches
    by name.
    """
    found = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while waiting:
        inner, caught = waiting.pop()
        if isinstance(inner, ast.Raise) and inner.exc is not None:
            made = inner.exc.func if isinstance(inner.exc, ast.Call) else inner.exc
            found |= {ast.unparse(made).split(".")[-1]} - caught
        if isinstance(inner, ast.Try):
            types = {
                name
                for handler in inner.handlers
                if handler.type is not None
                for name in re.findall(r"\w+", ast.unparse(handler.type))
            }
            waiting += [(each, caught | types) for each in inner.body]
            waiting += [
                (each, caught) for each in (*inner.handlers, *inner.orelse, *inner.finalbody)
            ]
        else:
            waiting += [(each, caught) for each in ast.iter_child_nodes(inner)]
    return found


def called(node: ast.AST) -> set[str]:
    """Names of everything a body calls or refers to, the last part of dotted ones; a property is
    referred to.
    """
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names | {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}


class Errors:
    """What can be raised from where, over all modules of a `Documentation`, its private functions
    included.
    """

    def __init__(self, documentation: Documentation) -> None:
        self.bodies: dict[str, list[ast.AST]] = {}
        self.bases: dict[str, set[str]] = {}
        for tree in documentation.trees.values():
            for node in ast.walk(tree):
                if isinstance(node, Function):
                    self.bodies.setdefault(node.name, []).append(node)
                if isinstance(node, ast.ClassDef):
                    made = [
                        each
                        for each in node.body
                        if isinstance(each, Function)
                        and each.name in ("__init__", "__post_init__", "__call__")
                    ]
                    self.bodies.setdefault(node.name, []).extend(made)
                    self.bases[node.name] = {
                        ast.unparse(base).split(".")[-1] for base in node.bases
                    }
        # of all bodies with a name together: what they raise, and what else of the project they
        # call
        self.raises = {
            name: set().union(*map(raised, bodies)) for name, bodies in self.bodies.items()
        }
        self.calls = {
            name: set().union(*map(called, bodies)) & self.bodies.keys()
            for name, bodies in self.bodies.items()
        }

    def reachable(self, node: ast.AST) -> set[str]:
        """The errors raised by a body or by anything of the project it calls; with their bases."""
        found, waiting, seen = raised(node), called(node) & self.bodies.keys(), set[str]()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            found |= self.raises[name]
            waiting |= self.calls[name] - seen
        return found | {base for name in found for base in self._above(name)}

    def _above(self, name: str) -> set[str]:
        direct = self.bases.get(name, set())
        return direct.union(*(self._above(base) for base in direct)) if direct else direct

    def untrue(self, symbol: Symbol) -> set[str]:
        """Errors for users that a function says it raises, and can't."""
        ours = said(doc(symbol.node)) & set(USER)
        return ours - self.reachable(symbol.node) if ours else ours

    def unsaid(self, symbol: Symbol) -> set[str]:
        """Errors for users in a function's own `raise` statements that its docstring doesn't name,
        nor a base of theirs.
        """
        own = {name for name in raised(symbol.node) if name in USER}
        return {
            name
            for name in own
            if not ({name} | self._above(name)) & set(re.findall(r"\w+", doc(symbol.node)))
        }
