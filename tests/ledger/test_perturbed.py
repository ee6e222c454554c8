"""The judging is no rubber stamp: change one sign, factor, power or index of a printed formula, and
it is refuted.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections import defaultdict
from dataclasses import replace

import pytest

from altpg_verify.judging import Verdict
from tests.ledger.exact_cases import STATED
from tests.ledger.test_refutations import CORRECTION, STATEMENTS

pytestmark = pytest.mark.slow

SIDES = {"left": 0, "right": 1}


def formulas(module) -> dict[str, ast.Call]:
    """The `Statement(...)` of each claim, as syntax."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if (
                    isinstance(key, ast.Constant)
                    and isinstance(value, ast.Call)
                    and ast.unparse(value.func) == "Statement"
                ):
                    found[key.value] = value
    return found


def mutants(formula: ast.Lambda):
    """Every formula that differs in one operator, with what was changed."""
    positions = [
        index
        for index, node in enumerate(ast.walk(formula))
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Subscript)
    ]
    for position in positions:
        for kind, change in CHANGES.items():
            mutant = copy.deepcopy(formula)
            node = list(ast.walk(mutant))[position]
            if changed := change(node):
                yield kind, f"{kind} in {ast.unparse(node)}", replaced(mutant, node, changed)


def flip(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return ast.BinOp(
            node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right
        )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return None


def drop_factor(node):
    return (
        node.left
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)
        else None
    )


def drop_term(node):
    return (
        node.left
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        else None
    )


def drop_power(node):
    return node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) else None


def swap_index(node):
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Name)
        and node.slice.id in "ac"
        and isinstance(node.value, ast.Attribute)
    ):
        return ast.Subscript(
            node.value, ast.Name("c" if node.slice.id == "a" else "a", ast.Load()), ast.Load()
        )
    return None


CHANGES = {
    "sign flipped": flip,
    "factor dropped": drop_factor,
    "term dropped": drop_term,
    "power dropped": drop_power,
    "index swapped": swap_index,
}


def replaced(tree: ast.Lambda, old: ast.AST, new: ast.AST) -> ast.Lambda:
    class Swap(ast.NodeTransformer):
        def visit(self, node):
            return new if node is old else self.generic_visit(node)

    return ast.fix_missing_locations(Swap().visit(tree))


def outcomes() -> dict[str, list[tuple[str, str, bool]]]:
    """For each claim that holds: every mutant of its formula, and whether the judge refuted it."""
    found = defaultdict(list)
    for module in STATED:
        for claim, call in formulas(module).items():
            if claim in CORRECTION:
                continue
            for side, position in SIDES.items():
                formula = call.args[position]
                if not isinstance(formula, ast.Lambda):
                    continue
                for kind, words, mutant in mutants(formula):
                    function = eval(
                        compile(ast.Expression(mutant), f"<mutant of {claim}>", "eval"),
                        dict(vars(module)),
                    )
                    found[claim].append((kind, f"{side}: {words}", refuted(claim, side, function)))
    return found


def refuted(claim: str, side: str, function) -> bool:
    try:
        # a dozen cases from all over, the last and richest among them, are enough to tell a wrong
        # formula
        cases = list(STATEMENTS[claim].cases)
        return (
            replace(STATEMENTS[claim], **{side: function}, cases=cases[:: -(len(cases) // 12 + 1)])
            .judged()
            .verdict
            is Verdict.REFUTED
        )
    except (
        NameError,
        TypeError,
        ValueError,
        IndexError,
        ZeroDivisionError,
        ArithmeticError,
        AttributeError,
    ):
        return False  # not a formula any more: neither counted as caught


@pytest.fixture(scope="module")
def perturbed():
    return outcomes()


def test_claims_by_the_score_are_perturbed_and_refuted(perturbed):
    caught = [
        claim for claim, results in perturbed.items() if any(refuted for _, _, refuted in results)
    ]
    assert len(caught) >= 80, (
        f"{len(caught)} of {len(perturbed)} claims have a perturbed version that was refuted"
    )


@pytest.mark.parametrize("kind", CHANGES)
def test_every_kind_of_slip_is_caught_somewhere(perturbed, kind):
    assert any(
        refuted for results in perturbed.values() for found, _, refuted in results if found == kind
    )


@pytest.mark.parametrize(
    "claim",
    [
        "gradient-bandit-componentwise-corrected",
        "softmax-jacobian",
        "alternate-form-scalar-product",
        "expected-alternate-with-baseline",
        "expected-update-any-eta",
        "variance-expansion-first-line-corrected",
        "corner-variance-simplified-corrected",
        "mixed-partials-of-biased-update",
        "true-gradient-hessian",
        "value-at-pi-star-harmonic",
        "fixed-point-formula",
        "footnote-true-gradient-component-corrected",
    ],
)
def test_the_central_formulas_survive_no_flipped_sign(perturbed, claim):
    flips = [
        (words, refuted) for kind, words, refuted in perturbed[claim] if kind == "sign flipped"
    ]
    assert flips
    assert [words for words, refuted in flips if not refuted] == []
