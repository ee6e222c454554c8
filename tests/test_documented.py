"""Every public symbol is documented: what counts as public, how much is asked, and that a gap would
be seen.

Everywhere: each public module, class, function, method and property has a docstring that says more
than its name, and each field of a class is described (in the class's docstring, or by a string
after it). A method may inherit its docstring. A function that is evidence is documented by the
claims it serves, whose statements the ledger prints. What a function raises for a user is in its
docstring, and what the docstring says is raised can be. What packages offer at their top (their
tables `_HOMES`) explains each parameter, too.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
from pathlib import Path

import pytest

from altpg_verify.estimators import ARGUMENTS
from altpg_verify.theory.claims import CLAIMS
from tests.docstrings import (
    Documentation,
    Function,
    Symbol,
    attribute_docs,
    claims_served,
    doc,
    modules,
    names_explained,
    says_something,
    source_folder,
    symbols,
)
from tests.raising import USER, Errors, said

PACKAGES = ("altpg_verify", "trust")
TOPS = ("altpg_verify", "altpg_verify.audit", "altpg_verify.sim.large")

TOOL = (
    "a part of `python -m trust`, which isn't installed; its frame (figures, parts, record) is not"
    " exempt"
)
HOOK = "pytest documents its hooks"
MOVING = "its file is being rewritten; take this row away with the last of its gaps"

EXEMPT: dict[str, str] = {}
"""Symbols that may lack something, and why."""

EXEMPT_SORTS = {
    r"field trust\.(?!figures\b|parts\b|record\b)\w+\..+": TOOL,
    r"method trust\..+\.pytest_\w+": HOOK,
    r"(field|function) altpg_verify\.sim\.large\.log_bandit\..+": MOVING,
}
"""The same for sorts of symbols, as regular expressions."""


@functools.cache
def everything() -> Documentation:
    return Documentation(modules(*map(source_folder, PACKAGES)))


@functools.cache
def errors() -> Errors:
    return Errors(everything())


def callables(found: Documentation) -> list[Symbol]:
    return [symbol for symbol in found.symbols if symbol.kind in ("function", "method")]


def silent(found: Documentation, can: Errors) -> list[str]:
    """Functions that raise something for a user and don't say so."""
    return [f"{symbol.kind} {symbol.dotted}" for symbol in callables(found) if can.unsaid(symbol)]


def exempt(gap: str) -> bool:
    return gap in EXEMPT or any(re.fullmatch(sort, gap) for sort in EXEMPT_SORTS)


@pytest.mark.thorough
def test_every_public_symbol_is_documented():
    assert [gap for gap in everything().gaps() if not exempt(gap)] == []


@pytest.mark.thorough
def test_what_a_user_may_meet_as_an_error_is_said():
    assert [gap for gap in silent(everything(), errors()) if not exempt(gap)] == []


@pytest.mark.thorough
def test_what_is_said_to_be_raised_can_be():
    assert [
        (symbol.dotted, errors().untrue(symbol))
        for symbol in callables(everything())
        if errors().untrue(symbol)
    ] == []


@pytest.mark.thorough
def test_no_exemption_is_idle():
    gaps = {*everything().gaps(), *silent(everything(), errors())}
    assert EXEMPT.keys() - gaps == set()
    for sort in EXEMPT_SORTS:
        assert any(re.fullmatch(sort, gap) for gap in gaps), f"nothing needs {sort!r}"


@pytest.mark.thorough
def test_evidence_serves_claims_that_are_stated():
    known = {claim.id for claim in CLAIMS}
    served = {claim for symbol in everything().symbols for claim in claims_served(symbol.node)}
    assert len(served) > 200
    assert served <= known


# --- what packages offer at their top
# -----------------------------------------------------------------------------------


def homes(package: str) -> dict[str, str]:
    """The public names of a package and the modules that define them, from its `_HOMES`."""
    for node in everything().trees[package].body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            return ast.literal_eval(node.value)
    raise AssertionError(f"{package} has no table of its names")


def offered() -> list[tuple[str, ast.AST]]:
    """Everything offered at the top of a package that is a class or a function: its dotted name and
    its node.
    """
    found = []
    for package in TOPS:
        for name, home in homes(package).items():
            tree = everything().trees[f"{package}.{home}"]
            found += [
                (f"{package}.{name}", node)
                for node in tree.body
                if getattr(node, "name", "") == name
            ]
    return [(name, node) for name, node in found if doc(node)]


def parameters(node: ast.AST) -> list[str]:
    """What it is called with; a dataclass's fields are counted elsewhere."""
    if isinstance(node, ast.ClassDef):
        made = [
            each for each in node.body if isinstance(each, Function) and each.name == "__init__"
        ]
        return parameters(made[0]) if made else []
    assert isinstance(node, Function)
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [each.arg for each in every if each.arg != "self"]


def unexplained(node: ast.AST, text: str) -> list[str]:
    """Parameters that a docstring neither explains nor mentions."""
    known = names_explained(text) | set(re.findall(r"\w+", text))
    if any(
        ast.unparse(each).startswith("estimator") for each in getattr(node, "decorator_list", ())
    ):
        known |= ARGUMENTS.keys()
    return [name for name in parameters(node) if name not in known]


def test_each_parameter_of_what_is_offered_is_explained():
    assert {
        name: missing for name, node in offered() if (missing := unexplained(node, doc(node)))
    } == {}


def test_all_that_is_offered_was_looked_at():
    looked = {name for name, _ in offered()}
    constants = {f"{package}.{name}" for package in TOPS for name in homes(package)} - looked
    # the rest are values that a module makes, with a string after each
    for dotted in constants:
        package, name = dotted.rsplit(".", 1)
        source = everything().trees[f"{package}.{homes(package)[name]}"]
        assert name in attribute_docs(source.body), dotted


# --- that a gap would be seen
# -------------------------------------------------------------------------------------------

PLANTED = '''
"""A module."""

from enum import Enum

class Good:
    """What it is.

    Args:
        alpha, beta: stepsizes.
    """

    alpha: float
    beta: float
    gamma: float
    """The discount."""

    def told(self):
        """What it does."""

    @property
    def length(self):
        """The length."""

class Better(Good):
    """The same, faster."""

    delta: float

    def told(self):
        return 1

    def untold(self):
        return 2

class _Private:
    def anything(self): ...

class Sort(Enum):
    """One of two."""

    ONE = "one"
    TWO = "two"

_MEANING = {Sort.ONE: "the first"}

def bare(): ...

def silent(x):
    """Twice x."""
    if x is None:
        raise BadInput("x")

def cautious(x):
    """Twice x, or none."""
    try:
        raise BadInput("x")
    except BadInput:
        return None

def honest(x):
    """Twice x.

    Raises:
        BadInput: x is None.
    """
    return silent(x)

def boasting(x):
    """Twice x.

    Raises:
        Missing: never.
    """
    return 2 * x

@evidence("some-claim", kind="derivation")
def served(): ...
'''


@pytest.fixture
def planted(tmp_path: Path) -> Documentation:
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "inner.py").write_text(PLANTED, encoding="utf-8")
    (folder / "_hidden.py").write_text("def anything(): ...\n", encoding="utf-8")
    (folder / "bare.py").write_text("", encoding="utf-8")
    return Documentation(modules(folder))


def test_planted_gaps_are_seen(planted):
    assert planted.gaps() == [
        "module package.bare",
        "method package.inner.Good.length",
        "field package.inner.Better.delta",
        "method package.inner.Better.untold",
        "field package.inner.Sort.TWO",
        "function package.inner.bare",
    ]


def test_planted_errors_are_seen(planted):
    can = Errors(planted)
    assert silent(planted, can) == ["function package.inner.silent"]
    assert [
        (symbol.name, can.untrue(symbol)) for symbol in callables(planted) if can.untrue(symbol)
    ] == [("boasting", {"Missing"})]


@pytest.mark.parametrize("package", ["altpg_verify", "altpg_verify.theory", "altpg_verify.sim"])
def test_a_docstring_taken_away_is_seen(package):
    """In each package, from the first class and the first function that have one."""
    for module in everything().trees:
        if not f"{module}.".startswith(f"{package}."):
            continue
        tree = everything().trees[module]
        for i, node in enumerate(tree.body):
            inside = isinstance(node, ast.ClassDef | ast.FunctionDef)
            if inside and not node.name.startswith("_") and doc(node) and not claims_served(node):
                bare = copy.copy(node)
                bare.body = node.body[1:]
                gaps = Documentation(
                    {module: ast.Module([*tree.body[:i], bare, *tree.body[i + 1 :]], [])}
                ).gaps()
                assert (
                    f"{'class' if isinstance(node, ast.ClassDef) else 'function'}"
                    f" {module}.{node.name}" in gaps
                )
                return
    raise AssertionError("no docstring to take away")


def test_a_parameter_without_a_word_is_seen():
    function = ast.parse("def f(alpha, *, beta=1): ...").body[0]
    assert unexplained(function, "Args:\n    alpha: the stepsize.") == ["beta"]
    assert unexplained(function, "What it does with `alpha`, beta times.") == []


def test_words_that_only_repeat_a_name_say_nothing():
    assert not says_something("start_weight", "The start weight.")
    assert not says_something("StartWeight", "Get the start weight.")
    assert says_something("start_weight", "The probability that an episode starts there.")
    assert says_something("k", "The number of actions.")


def test_errors_are_read_from_a_docstring():
    text = (
        "What.\n\nRaises:\n    BadInput, BadEstimator: no.\n    Missing: not there; KeyError:"
        " neither.\n"
    )
    assert said(text) == {"BadInput", "BadEstimator", "Missing", "KeyError"}
    assert said("Raises BadEstimator if it isn't finite.") == {"BadEstimator"}
    assert said("Whether it raises the value.") == set()
    assert set(USER) <= {
        node.name
        for node in everything().trees["altpg_verify.errors"].body
        if isinstance(node, ast.ClassDef)
    }


def test_restated_signatures_are_no_symbols():
    tree = ast.parse(
        '"""."""\n@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef'
        ' f(x):\n    """What."""\n'
    )
    assert [symbol.name for symbol in symbols("m", tree)] == ["", "f"]
