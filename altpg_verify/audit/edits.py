"""Small edits of a function's source, one at a time: what a reviewer would try first.

Each is a change of one expression or one line. Nothing here knows whether it is any good: that is
what `mending` establishes, by auditing the edited program.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

MEANS = ("mean", "nanmean")
WRAPPERS = ("clamp", "clip", "clamp_min", "clamp_max", "unsqueeze", "expand_dims")
"""Calls whose first operand can stand in their place."""

OF_POLICY = (
    "logprobs",
    "log_probs",
    "log_prob",
    "logp",
    "logps",
    "per_token_logps",
    "new_log_probs",
    "log_pi",
)
OLD = (
    "old_logprobs",
    "old_log_probs",
    "old_log_prob",
    "old_logp",
    "old_per_token_logps",
    "behaviour_logprobs",
    "rollout_log_probs",
)
DISCOUNTS = ("discount", "gamma")


@dataclass(frozen=True)
class Edit:
    """One small change.

    Args:
        kind: what it does, in words.
        before, after: what stood there and what stands there now, as source; `after` is empty where
            something is left out.
        line: where, in the file; 0 where it is no line of the function.
        name: the function that is edited.
        tree: the function as it is now.
    """

    kind: str
    before: str
    after: str
    line: int
    name: str
    tree: ast.FunctionDef

    def __str__(self) -> str:
        if not self.after:
            return f"without `{self.before}`"
        return (
            f"with `{self.after}`"
            if self.kind in _PLAIN
            else f"with `{self.after}` for `{self.before}`"
        )


_PLAIN = ("detached", "masked")
"""Of these what stood there is seen from what stands there now."""


@dataclass(frozen=True)
class Library:
    """What a function calls the modules it computes with.

    Args:
        arrays: "torch", "jnp" or "np"; empty if it doesn't know its own.
        stop: the function that cuts a gradient off, such as "jax.lax.stop_gradient"; "" for the
            method `detach`, None if there is none.
    """

    arrays: str
    stop: str | None = None

    def without_gradient(self, node: ast.expr) -> ast.expr:
        """The same number, held."""
        if not self.stop:
            return _method(node, "detach")
        return ast.Call(ast.parse(self.stop, mode="eval").body, [node], [])


def edits(tree: ast.FunctionDef, library: Library, limit: str = "") -> Iterator[Edit]:
    """Every small edit of a function; none of one that loops until something happens, which it
    might never after an edit.

    Args:
        tree: its source.
        library: what it calls its modules.
        limit: an argument that it may ask for, the values of what time limits cut off; empty if
            there are none.
    """
    if any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return
    finder = _Finder(tree, library, limit)
    for node in ast.walk(tree):
        for kind, new in finder.of(node):
            if ast.dump(new) == ast.dump(node):
                continue
            after = "" if isinstance(new, ast.stmt) else ast.unparse(new)
            # of a block only its head is left out
            before = ast.unparse(node).split("\n")[0]
            yield Edit(
                kind,
                before,
                after,
                getattr(node, "lineno", tree.lineno),
                tree.name,
                _asking(_replaced(tree, node, new), new, limit),
            )


def _asking(tree: ast.FunctionDef, new: ast.AST, limit: str) -> ast.FunctionDef:
    """With the argument that an edit needs."""
    arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    if (
        limit
        and isinstance(new, ast.Name)
        and new.id == limit
        and limit not in [each.arg for each in arguments]
    ):
        tree.args.kwonlyargs.append(ast.arg(limit))
        tree.args.kw_defaults.append(None)
        ast.fix_missing_locations(tree)
    return tree


def _exchanged(tree: ast.expr, node: ast.expr, new: ast.expr) -> ast.expr:
    """A copy of an expression with another part in the place of one."""
    number = next(i for i, each in enumerate(ast.walk(tree)) if each is node)
    copied = copy.deepcopy(tree)
    there = next(each for i, each in enumerate(ast.walk(copied)) if i == number)

    class Exchange(ast.NodeTransformer):
        def visit(self, other: ast.AST) -> ast.AST:
            return copy.deepcopy(new) if other is there else self.generic_visit(other)

    made = Exchange().visit(copied)
    assert isinstance(made, ast.expr)
    return made


def _is_nothing(node: ast.expr) -> bool:
    """0, or an array of zeros."""
    if isinstance(node, ast.Constant):
        return node.value == 0 and not isinstance(node.value, bool)
    return _is_method(node, ("zeros", "zeros_like", "new_zeros"))


def _replaced(tree: ast.FunctionDef, node: ast.AST, new: ast.AST) -> ast.FunctionDef:
    number = next(i for i, each in enumerate(ast.walk(tree)) if each is node)
    copied = copy.deepcopy(tree)
    there = next(each for i, each in enumerate(ast.walk(copied)) if i == number)
    fresh = ast.copy_location(copy.deepcopy(new), node)

    class Replace(ast.NodeTransformer):
        def visit(self, other: ast.AST) -> ast.AST:
            return fresh if other is there else self.generic_visit(other)

    made = Replace().visit(copied)
    ast.fix_missing_locations(made)
    assert isinstance(made, ast.FunctionDef)
    return made


class _Finder:
    """The edits of each sort of node."""

    def __init__(self, tree: ast.FunctionDef, library: Library, limit: str = "") -> None:
        self.limit = limit
        # a sum from the end begins with it, and a choice between what follows and nothing ends with
        # it
        self.ends = {
            id(part)
            for each in ast.walk(tree)
            for part in (
                _parts(each.value)
                if isinstance(each, ast.Assign)
                else [each.orelse]
                if isinstance(each, ast.IfExp)
                else []
            )
        }
        self.framework, self.differentiated = library, library.stop is not None
        arguments = tree.args
        self.parameters = [
            each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        ]
        self.values = {
            each.targets[0].id: each.value
            for each in ast.walk(tree)
            if isinstance(each, ast.Assign)
            and len(each.targets) == 1
            and isinstance(each.targets[0], ast.Name)
        }
        self.masks = [name for name in self.parameters if "mask" in name]
        # what is called, and what only says where something is found, is no value
        self.callees = {id(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}
        self.modules = {
            id(each.value)
            for each in ast.walk(tree)
            if isinstance(each, ast.Attribute) and id(each) in self.callees
        }
        self.assigned = {
            id(each.value)
            for each in ast.walk(tree)
            if isinstance(each, ast.Assign | ast.Return) and each.value is not None
        }
        # of several results the first is the loss
        self.returned = {
            id(_parts(each.value)[0])
            for each in ast.walk(tree)
            if isinstance(each, ast.Return) and each.value is not None and _parts(each.value)
        }
        self.annotations = {id(part) for each in ast.walk(tree) for part in _annotation(each)}

    def of(self, node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
        """(kind, what could stand there instead)."""
        if id(node) in self.annotations:
            return
        if isinstance(node, ast.With) and any(
            "no_grad" in ast.unparse(item.context_expr) for item in node.items
        ):
            yield "differentiated", ast.If(ast.Constant(True), node.body, [])
        if isinstance(node, ast.Assign | ast.AugAssign) and self._changes_itself(node):
            yield "without this line", ast.Pass()
        if isinstance(node, ast.keyword):
            yield from self._keyword(node)
        if (
            not isinstance(node, ast.expr)
            or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            or id(node) in self.callees
        ):
            return
        if self.differentiated and self._is_value(node):
            yield "detached", self.framework.without_gradient(node)
        if id(node) in self.returned and not isinstance(
            node, ast.UnaryOp | ast.Dict | ast.Constant
        ):
            yield "the other sign", ast.UnaryOp(ast.USub(), node)
        if self.limit and id(node) in self.ends and _is_nothing(node):
            yield "bootstrapping at the limit", ast.Name(self.limit, ast.Load())
        yield from self._operator(node)
        if isinstance(node, ast.Call):
            yield from self._call(node)
        if self._is_value(node):
            yield from self._with_another(node)

    def _is_value(self, node: ast.expr) -> bool:
        """A name that was given or computed, or something computed that is assigned or returned."""
        if isinstance(node, ast.Name):
            return node.id in self.parameters or node.id in self.values
        return id(node) in self.assigned and isinstance(
            node, ast.Call | ast.BinOp | ast.Subscript | ast.UnaryOp
        )

    def _changes_itself(self, node: ast.Assign | ast.AugAssign) -> bool:
        if isinstance(node, ast.AugAssign):
            return True
        target = node.targets[0]
        names = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
        return len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in names

    def _operator(self, node: ast.expr) -> Iterator[tuple[str, ast.AST]]:
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and not isinstance(node.operand, ast.Constant)
        ):
            yield "the other sign", node.operand
        if not isinstance(node, ast.BinOp):
            return
        left, right = node.left, node.right
        match node.op:
            case ast.Mult():
                yield "a factor less", left
                yield "a factor less", right
            case ast.Div():
                yield "without the denominator", left
                inner = left.operand if isinstance(left, ast.UnaryOp) else left
                if _is_method(inner, ("sum",)) and not _arguments(inner):
                    rows = _method(_method(_owner(inner), "sum", _negative(1)), "mean")
                    yield (
                        "a mean over rows of sums",
                        (ast.UnaryOp(left.op, rows) if isinstance(left, ast.UnaryOp) else rows),
                    )
            case ast.Add():
                yield "a term less", left
                yield "a term less", right
                yield "the other sign", ast.BinOp(left, ast.Sub(), right)
            case ast.Sub():
                yield "a term less", left
                yield "the other sign", ast.BinOp(left, ast.Add(), right)
                yield "the other order", ast.BinOp(right, ast.Sub(), left)
                size = self._size_of_own_mean(left, right)
                if size is not None:
                    rest = ast.BinOp(copy.deepcopy(size), ast.Sub(), ast.Constant(1))
                    yield (
                        "the others' mean",
                        ast.BinOp(ast.BinOp(node, ast.Mult(), size), ast.Div(), rest),
                    )
                yield from self._k3(node)
                yield from self._k1(node)

    def _size_of_own_mean(self, left: ast.expr, right: ast.expr) -> ast.expr | None:
        """Of x - x.mean(...) how many are averaged, as source; also where the mean has a name of
        its own.
        """
        mean = self.values.get(right.id, right) if isinstance(right, ast.Name) else right
        if not _is_method(mean, MEANS) or ast.unparse(_owner(mean)) != ast.unparse(left):
            return None
        assert isinstance(mean, ast.Call)
        named = [each.value for each in mean.keywords if each.arg in ("dim", "axis")]
        axis = next(iter(mean.args), next(iter(named), None))
        if axis is None:
            return ast.Call(ast.Name("len", ast.Load()), [left], [])
        return ast.Subscript(ast.Attribute(left, "shape", ast.Load()), axis, ast.Load())

    def _k3(self, node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
        """exp(x) - 1 - x, whose gradient is another divergence's: x² / 2."""
        inner, x = node.left, node.right
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub):
            parts = {ast.unparse(inner.right), ast.unparse(x)}
            exponent = next((each for each in (inner.right, x) if ast.unparse(each) != "1"), None)
            if (
                "1" in parts
                and exponent is not None
                and ast.unparse(inner.left).endswith((f"exp({ast.unparse(exponent)})", ".exp()"))
            ):
                yield (
                    "k2 for k3",
                    ast.BinOp(
                        ast.BinOp(exponent, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)
                    ),
                )

    def _k1(self, node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
        """log π - log ref, whose mean has no gradient: as a weight of the score, or squared."""
        if (
            not self.differentiated
            or "ref" not in ast.unparse(node.right)
            or "prob" not in ast.unparse(node.left)
        ):
            return
        yield (
            "as a weight of the score",
            ast.BinOp(self.framework.without_gradient(node), ast.Mult(), node.left),
        )
        yield (
            "k2 for k1",
            ast.BinOp(ast.BinOp(node, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)),
        )

    def _call(self, node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
        function = node.func
        if not isinstance(function, ast.Attribute):
            return
        of_module = (
            isinstance(function.value, ast.Name) and function.value.id == self.framework.arrays
        )
        operands = node.args if of_module else [function.value]
        match function.attr:
            case "detach":
                yield "differentiated", function.value
            case "backward" if not of_module and not isinstance(function.value, ast.UnaryOp):
                # what a whole step makes of a loss, and doesn't return
                yield (
                    "the other sign",
                    ast.Call(
                        ast.Attribute(
                            ast.UnaryOp(ast.USub(), function.value), "backward", ast.Load()
                        ),
                        node.args,
                        node.keywords,
                    ),
                )
            case "mean":
                yield "a sum for a mean", _renamed(node, "sum")
            case "sum":
                yield "a mean for a sum", _renamed(node, "mean")
                yield from self._of_a_sequence(node)
                if not of_module and not node.args and not node.keywords:
                    yield (
                        "a mean over rows of sums",
                        _method(_method(function.value, "sum", _negative(1)), "mean"),
                    )
            case "where" if of_module and len(node.args) == 3:
                yield "without the condition", node.args[1]
            case "minimum" | "maximum" if of_module and len(node.args) == 2:
                yield "without the bound", node.args[0]
                yield "without the bound", node.args[1]
            case name if name in WRAPPERS and operands:
                yield f"without {name}", operands[0]

    def _of_a_sequence(self, node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
        """Of a sum over a sequence: its ratio for its log-probability; its log-ratio as a weight of
        the score, or squared.
        """
        if not self.differentiated:
            return
        inside = list(ast.walk(node))
        for scored in inside:
            if not (isinstance(scored, ast.Name) and scored.id in OF_POLICY):
                continue
            for old in (each for each in self.parameters if each in OLD):
                difference = ast.BinOp(scored, ast.Sub(), ast.Name(old, ast.Load()))
                summed = _exchanged(node, scored, difference)
                yield (
                    "the ratio",
                    _method(ast.Name(self.framework.arrays, ast.Load()), "exp", summed)
                    if self.framework.arrays
                    else _method(summed, "exp"),
                )
            break
        for each in inside:
            if not (isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub)):
                continue
            if "ref" in ast.unparse(each.right) and "prob" in ast.unparse(each.left):
                yield (
                    "as a weight of the score",
                    ast.BinOp(
                        self.framework.without_gradient(node),
                        ast.Mult(),
                        _exchanged(node, each, each.left),
                    ),
                )
                yield (
                    "k2 for k1",
                    ast.BinOp(
                        ast.BinOp(node, ast.Pow(), ast.Constant(2)), ast.Div(), ast.Constant(2)
                    ),
                )
                break

    def _keyword(self, node: ast.keyword) -> Iterator[tuple[str, ast.AST]]:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
            yield "the other way", ast.keyword(node.arg, ast.Constant(not node.value.value))
        if node.arg in ("logits", "probs"):
            yield (
                "as what it is",
                ast.keyword("probs" if node.arg == "logits" else "logits", node.value),
            )

    def _with_another(self, node: ast.expr) -> Iterator[tuple[str, ast.AST]]:
        """Multiplied by a mask, a ratio or a discount that the function has."""
        for mask in self.masks:
            if ast.unparse(node) != mask:
                yield "masked", ast.BinOp(node, ast.Mult(), ast.Name(mask, ast.Load()))
        arrays = self.framework.arrays
        if not arrays or not self.differentiated:
            return
        if (id(node) in self.assigned or isinstance(node, ast.Name)) and _is_probability(node):
            yield "its logarithm", _method(ast.Name(arrays, ast.Load()), "log", node)
        if not isinstance(node, ast.Name) or node.id not in OF_POLICY:
            return
        for old in (each for each in self.parameters if each in OLD):
            difference = ast.BinOp(node, ast.Sub(), ast.Name(old, ast.Load()))
            yield "the ratio", _method(ast.Name(arrays, ast.Load()), "exp", difference)
        for discount in (each for each in self.parameters if each in DISCOUNTS):
            length = ast.Call(ast.Name("len", ast.Load()), [node], [])
            steps = _method(ast.Name(arrays, ast.Load()), "arange", length)
            yield (
                "γᵗ",
                ast.BinOp(
                    ast.BinOp(ast.Name(discount, ast.Load()), ast.Pow(), steps), ast.Mult(), node
                ),
            )


def _parts(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _is_probability(node: ast.expr) -> bool:
    """By its words: a logarithm of anything else mends nothing."""
    text = ast.unparse(node)
    return "log" not in text and ("prob" in text or "softmax" in text)


def _annotation(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield from ast.walk(part)


def _method(owner: ast.expr, name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(owner, name, ast.Load()), list(arguments), [])


def _renamed(node: ast.Call, name: str) -> ast.Call:
    assert isinstance(node.func, ast.Attribute)
    return ast.Call(ast.Attribute(node.func.value, name, ast.Load()), node.args, node.keywords)


def _negative(number: int) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(number))


def _is_method(node: ast.expr, names: tuple[str, ...]) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
    )


def _owner(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    return node.func.value


def _arguments(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and bool(node.args or node.keywords)
