"""Small edits of a function's source, one at a time: what a reviewer would try first.

Each is a change of one expression or one line. Nothing here knows whether it is any good: that is
what `mending` establishes, by auditing the edited program.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from altpg_verify.audit.edit_context import Context, Offered
from altpg_verify.audit.edit_syntax import Library, is_nothing, replaced
from altpg_verify.audit.edits_of_averages import of_averages
from altpg_verify.audit.edits_of_calls import of_calls, of_keywords
from altpg_verify.audit.edits_of_operators import of_operators
from altpg_verify.audit.edits_of_scores import of_log_ratios, with_another

NOTHING_OFFERED = Offered()


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


def edits(
    tree: ast.FunctionDef, library: Library, offered: Offered = NOTHING_OFFERED
) -> Iterator[Edit]:
    """Every small edit of a function; none of one that loops until something happens, which it
    might never after an edit.

    Args:
        tree: its source.
        library: what it calls its modules.
        offered: what it may ask for beside what it has.
    """
    if any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return
    context = Context(tree, library, offered)
    for node in ast.walk(tree):
        for kind, new in _of(node, context):
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
                _asking(replaced(tree, node, new), new, offered),
            )


def _asking(tree: ast.FunctionDef, new: ast.AST, offered: Offered) -> ast.FunctionDef:
    """With the arguments that an edit needs."""
    arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    known = {each.arg for each in arguments}
    stored = {
        each.id
        for each in ast.walk(tree)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    asked = [
        name
        for name in dict.fromkeys(each.id for each in ast.walk(new) if isinstance(each, ast.Name))
        if name in offered.names.values() and name not in known | stored
    ]
    if not asked:
        return tree
    # the function before the edit may share what isn't edited
    tree, tree.args = copy.copy(tree), copy.copy(tree.args)
    tree.args.kwonlyargs = [*tree.args.kwonlyargs, *map(ast.arg, asked)]
    tree.args.kw_defaults = [*tree.args.kw_defaults, *(None for _ in asked)]
    return ast.fix_missing_locations(tree)


def _of(node: ast.AST, context: Context) -> Iterator[tuple[str, ast.AST]]:
    """(kind, what could stand there instead)."""
    if id(node) in context.annotations:
        return
    if isinstance(node, ast.With) and any(
        "no_grad" in ast.unparse(item.context_expr) for item in node.items
    ):
        yield "differentiated", ast.If(ast.Constant(True), node.body, [])
    if isinstance(node, ast.Assign | ast.AugAssign) and _changes_itself(node):
        yield "without this line", ast.Pass()
    if isinstance(node, ast.keyword):
        yield from of_keywords(node)
    if (
        not isinstance(node, ast.expr)
        or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        or id(node) in context.callees
    ):
        return
    if context.differentiated and context.is_value(node):
        yield "detached", context.framework.without_gradient(node)
    if id(node) in context.returned and not isinstance(node, ast.UnaryOp | ast.Dict | ast.Constant):
        yield "the other sign", ast.UnaryOp(ast.USub(), node)
    if context.limit and id(node) in context.ends and is_nothing(node):
        yield "bootstrapping at the limit", ast.Name(context.limit, ast.Load())
    yield from of_operators(node, context)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        yield from of_log_ratios(node, context)
    if isinstance(node, ast.Call):
        yield from of_calls(node, context)
    yield from of_averages(node, context)
    if context.is_value(node):
        yield from with_another(node, context)


def _changes_itself(node: ast.Assign | ast.AugAssign) -> bool:
    if isinstance(node, ast.AugAssign):
        return True
    target = node.targets[0]
    names = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    return len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in names
