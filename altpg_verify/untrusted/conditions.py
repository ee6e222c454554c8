"""Which conditions of somebody's function came out one way only, though they are no branches: what
`where` and masks ask, and the limits of clamps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial
from types import CodeType, FunctionType, TracebackType

from altpg_verify.untrusted.branching_syntax import part_of, tree_of
from altpg_verify.untrusted.condition_observers import observer
from altpg_verify.untrusted.condition_records import Condition, Where
from altpg_verify.untrusted.condition_syntax import observed

LONGEST = 60
"""Characters of an expression that are shown."""


class Conditions:
    """While it is entered, notes which way conditions go that are no branches.

        with Conditions(roots) as conditions:
            for case in a_few:
                function(...)
        print(conditions.one_way())

    The functions run with other code while it is entered: the same, with an observer at each
    comparison and call. Nothing is asked of what they give; a site that nobody reaches, or whose
    numbers nobody can read, says nothing.

    Args:
        roots: the functions, as `LineCoverage` finds them; those without a source are left alone.

    Attributes:
        sites: how many places there are at which something may be decided.
        where: the policy at which calls are made, which whoever makes them may say.
    """

    def __init__(self, roots: Iterable[FunctionType]) -> None:
        self.where = Where()
        self._found: list[tuple[Condition, str]] = []
        self._codes: list[tuple[FunctionType, CodeType, CodeType]] = []
        for root in roots:
            code = root.__code__
            if code.co_filename.startswith("<"):
                continue
            tree = tree_of(code)
            made = (
                None if tree is None else observed(code, tree, partial(observer, where=self.where))
            )
            if made is not None:
                watched, found = made
                self._codes.append((root, code, watched))
                self._found += [(each, code.co_filename) for each in found]
        self.sites = len(self._found)

    def __enter__(self) -> Conditions:
        for root, code, watched in self._codes:
            # one that was given other code since is somebody else's to judge
            if root.__code__ is code:
                root.__code__ = watched
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for root, code, watched in self._codes:
            if root.__code__ is watched:
                root.__code__ = code

    @property
    def open(self) -> bool:
        """Some condition went one way only, so far."""
        return any(each.open for each, _ in self._found)

    @property
    def telling(self) -> bool:
        """Of one of them what it asks of wasn't always the same."""
        return any(each.open and each.telling for each, _ in self._found)

    def _of_draws_alone(self, condition: Condition, file: str) -> bool:
        """What it asks of doesn't hang on the policy; of truth values, what these were made of
        within it.
        """
        if not condition.of_truths:
            return condition.of_draws_alone
        for operand in _operands(condition.site.node):
            within = [
                each
                for each, of in self._found
                if of == file and each.ways and part_of(each.site.node, operand)
            ]
            # one that has a name came of something elsewhere
            if not within or not all(self._of_draws_alone(each, file) for each in within):
                return False
        return True

    def one_way(
        self, *, constant: bool = False, every: bool = False, counts: bool = True
    ) -> list[tuple[str, int, int, str]]:
        """(file, line, column, words) of conditions that went one way only, in order.

        Args:
            constant: of those whose numbers were the same in every draw, and not of the others.
            every: all draws were run: what doesn't hang on the policy, such as the least number of
                tokens, can't come out otherwise.
            counts: of those, too, that ask of whole numbers only.
        """
        found = [
            (file, each)
            for each, file in self._found
            if each.open
            and each.telling is not constant
            and not (every and self._of_draws_alone(each, file))
            and (counts or each.of_truths or not each.of_counts)
        ]
        return sorted(
            (file, each.site.node.lineno, each.site.node.col_offset, _said(each))
            for file, each in found
            # of truth values that were joined the first that went one way is enough
            if not each.joins
            or not any(
                other is not each and of == file and part_of(other.site.node, each.site.node)
                for of, other in found
            )
        )


def _operands(node: ast.expr) -> list[ast.expr]:
    """What is joined, or what a function is given."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    assert isinstance(node, ast.Call)
    given = [*node.args, *(each.value for each in node.keywords)]
    return [node.func.value, *given] if isinstance(node.func, ast.Attribute) else given


def _said(condition: Condition) -> str:
    text = " ".join(ast.unparse(condition.site.node).split())
    text = text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    never = " and ".join(words for words, seen in condition.ways.items() if not seen)
    return f"line {condition.site.node.lineno}: `{text}` {never}"
