"""What is known of a function whose source is edited: its names, and which part of it stands
where.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from altpg_verify.audit.edit_syntax import Library, annotation, parts
from altpg_verify.audit.trainer_names import NAMES


@dataclass(frozen=True)
class Offered:
    """What a function may ask for beside what it has.

    Args:
        names: part of a batch -> what it is called there, such as "log_probs" -> "logprobs".
        helpers: functions of the same file that it may call.
        steps: whether episodes have more than one step.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    helpers: frozenset[str] = frozenset()
    steps: bool = True


class Context:
    """One function and what is offered to it. Nodes are known by their `id`.

    Attributes:
        framework: what its arrays are computed with.
        offered: what it may ask for.
        differentiated: whether it is a loss, whose values can be detached.
        limit: what it may call the values of what time limits cut off; empty where there are none.
        ends: what a sum from the end begins with, or a choice ends with.
        parameters: names of its arguments.
        values: name -> what is assigned to it.
        masks: arguments that are masks.
        callees: what is called.
        assigned: what is assigned or returned.
        returned: what is returned; of several results the first.
        annotations: what only says a type.
    """

    def __init__(self, tree: ast.FunctionDef, library: Library, offered: Offered) -> None:
        self.framework, self.offered = library, offered
        self.differentiated = library.stop is not None
        self.limit = offered.names.get("final_values", "")
        nodes = list(ast.walk(tree))
        # a sum from the end begins with it, and a choice between what follows and nothing ends with
        # it
        self.ends = {
            id(part)
            for each in nodes
            for part in (
                parts(each.value)
                if isinstance(each, ast.Assign)
                else [each.orelse]
                if isinstance(each, ast.IfExp)
                else []
            )
        }
        arguments = tree.args
        self.parameters = [
            each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        ]
        self.values = {
            each.targets[0].id: each.value
            for each in nodes
            if isinstance(each, ast.Assign)
            and len(each.targets) == 1
            and isinstance(each.targets[0], ast.Name)
        }
        self.masks = [name for name in self.parameters if "mask" in name]
        # what is called, and what only says where something is found, is no value
        self.callees = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
        self.assigned = {
            id(each.value)
            for each in nodes
            if isinstance(each, ast.Assign | ast.Return) and each.value is not None
        }
        # of several results the first is the loss
        self.returned = {
            id(parts(each.value)[0])
            for each in nodes
            if isinstance(each, ast.Return) and each.value is not None and parts(each.value)
        }
        self.annotations = {id(part) for each in nodes for part in annotation(each)}

    def own(self, part: str) -> str:
        """The function's own argument that is this part of a batch; empty if it has none."""
        return next((each for each in self.parameters if NAMES.get(each) == part), "")

    def named(self, part: str) -> str:
        """The same, or what it may ask for; empty if that isn't offered either."""
        return self.own(part) or self.offered.names.get(part, "")

    def is_value(self, node: ast.expr) -> bool:
        """A name that was given or computed, or something computed that is assigned or returned."""
        if isinstance(node, ast.Name):
            return node.id in self.parameters or node.id in self.values
        return id(node) in self.assigned and isinstance(
            node, ast.Call | ast.BinOp | ast.Subscript | ast.UnaryOp
        )

    def meant(self, node: ast.AST) -> set[str]:
        """The names in an expression, and those in what they stand for."""
        found: set[str] = set()
        waiting = [node]
        while waiting:
            for each in ast.walk(waiting.pop()):
                if isinstance(each, ast.Name) and each.id not in found:
                    found.add(each.id)
                    if each.id in self.values:
                        waiting.append(self.values[each.id])
        return found
