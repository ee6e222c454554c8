"""Which lines, arms and outcomes of somebody's function never ran, though it was called."""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import itertools
import linecache
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.reaching import functions, nested
from altpg_verify.wording import counted

LONGEST = 60
"""Characters of an expression that are shown."""

MOST_NAMES = 3
"""Functions of another file that are named where none of them ran."""

Span = tuple[int, int, int, int]
"""First line, its column, last line, its column, as code objects have it."""


@dataclass(frozen=True)
class Unrun:
    """What never ran.

    Args:
        lines: numbers of lines in the function's file, in order.
        branches: expressions on lines that did run, in words: "line 3: `x` in `x if a else y` never
            ran".
        file: where the lines stand.
    """

    lines: tuple[int, ...]
    branches: tuple[str, ...]
    file: str = ""

    def __bool__(self) -> bool:
        return bool(self.lines or self.branches)

    def __str__(self) -> str:
        """`lines 4-6, 9 never ran; line 3: "r > 5" was never true`; empty if everything ran."""
        return "; ".join([*([_lines_said(self.lines)] if self.lines else []), *self.branches])


class LineCoverage:
    """While it is entered, notes which instructions of a function run, and which way its branches
    go.

        with LineCoverage(function) as seen:
            for case in a_few:
                function(...)
        print(seen.unrun())

    Covered are the function itself, what is nested in it, and the user's functions that it can see,
    in this file and others. It may be entered again and again, and adds up. Uses `sys.monitoring`
    from Python 3.12 on, before that a trace function; an older trace function, such as a
    debugger's, is put back afterwards.

    Args:
        function: a function, partial, bound method, callable object, estimator or update.

    Attributes:
        roots: the functions that are covered.
        codes: their code objects, and those nested in them.
    """

    def __init__(self, function: Any) -> None:
        seen = functions(function)
        # helpers of the user in other files are the user's, too
        self.roots = [
            each
            for each in seen
            if each is seen[0] or not of_library(each.__code__, each.__globals__)
        ]
        # a function may be given other code while it is watched
        self._code = {root: root.__code__ for root in self.roots}
        self.codes = {code: None for root in self.roots for code in nested(root.__code__)}
        self._ran: dict[CodeType, set[int]] = {code: set() for code in self.codes}
        self._trees: dict[Any, ast.AST | None] = {}
        self._went: dict[CodeType, set[tuple[int, int]]] = {code: set() for code in self.codes}
        # once, for whoever names sys.modules sees thousands of functions
        self._branching = {
            code: frozenset(offset for offset, _, _ in _jumps(code)) for code in self.codes
        }
        self._off: Any = None

    def __enter__(self) -> LineCoverage:
        self._off = _monitor(self) if hasattr(sys, "monitoring") else _trace(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._off()
        self._off = None

    @property
    def entered(self) -> bool:
        """Whether the function itself ran at all."""
        return bool(self.roots) and bool(self._ran[self._code[self.roots[0]]])

    def unrun(self, *, inside: bool = False) -> Unrun:
        """What never ran, so far; in files other than the function's own, lines are named with
        their file, and functions that never ran at all by their names.

        Args:
            inside: only of functions that ran at all, as those that make an object don't when its
                method is called.
        """
        home = self._code[self.roots[0]].co_filename if self.roots else ""
        # a module of helpers that is seen whole has many that nothing calls
        silent = [
            root
            for root in self.roots
            if not self._ran[self._code[root]] and self._code[root].co_filename != home
        ]
        roots = [
            root
            for root in self.roots
            if root not in silent and (not inside or self._ran[self._code[root]])
        ]
        missing: dict[str, set[int]] = defaultdict(set)
        ran: dict[str, set[int]] = defaultdict(set)
        for code in dict.fromkeys(code for root in roots for code in nested(self._code[root])):
            here, gone = _lines(code, self._ran[code])
            ran[code.co_filename] |= here
            missing[code.co_filename] |= gone
        said: list[tuple[str, int, int, str]] = []
        for file in missing:
            missing[file] -= ran[file]
            if file != home and missing[file]:
                said.append((file, min(missing[file]), 0, _lines_said(missing[file], file)))
        if not inside:
            said += _functions_said(silent, self._code)
        for root in roots:
            file = self._code[root].co_filename
            if root not in self._trees:
                self._trees[root] = _tree(self._code[root])
            tree = self._trees[root]
            if tree is not None:
                codes = list(nested(self._code[root]))
                found = [
                    *self._arms(tree, codes, missing[file]),
                    *self._outcomes(tree, codes, missing[file]),
                ]
                where = "" if file == home else f"{Path(file).name}, "
                said += [(file, line, column, where + text) for line, column, text in found]
        said.sort(key=lambda each: (each[0] != home, *each))
        return Unrun(
            tuple(sorted(missing[home])), tuple(dict.fromkeys(text for *_, text in said)), home
        )

    def _arms(
        self, tree: ast.AST, codes: list[CodeType], lines: set[int]
    ) -> Iterator[tuple[int, int, str]]:
        """Parts of expressions that were skipped on lines that ran."""
        # a jump may have the place of what it jumps over
        everything = [
            (span, offset in self._ran[code])
            for code in codes
            for offset, span in _spans(code)
            if "JUMP" not in dis.opname[code.co_code[offset]]
        ]
        silent: list[ast.expr] = []
        for node in ast.walk(tree):
            for arm in _skippable(node):
                if any(_within(arm, outer) for outer in silent):
                    continue
                inside = [run for span, run in everything if _inside(span, arm)]
                if inside and not any(inside) and arm.lineno not in lines:
                    silent.append(arm)
                    yield arm.lineno, arm.col_offset, f"line {arm.lineno}: {_text(arm)} never ran"

    def _outcomes(
        self, tree: ast.AST, codes: list[CodeType], lines: set[int]
    ) -> Iterator[tuple[int, int, str]]:
        """Conditions that came out one way only, where the other way has no line of its own that
        would be named.
        """
        went: dict[Span, set[bool]] = defaultdict(set)
        for code in codes:
            for offset, span, jumps_if in _jumps(code):
                for source, target in self._went[code]:
                    if source == offset:
                        went[span].add(
                            jumps_if if target == _target(code, offset) else not jumps_if
                        )
        for node in ast.walk(tree):
            for test, bodies in _conditions(node):
                ways = set().union(*(found for span, found in went.items() if span == _span(test)))
                if len(ways) != 1 or test.lineno in lines:
                    continue
                never = ways.pop() == _negated(test)
                if bodies[never] is not None and bodies[never] not in lines:
                    yield (
                        test.lineno,
                        test.col_offset,
                        f"line {test.lineno}: {_text(test)} was never {str(never).lower()}",
                    )


def _lines(code: CodeType, ran: set[int]) -> tuple[set[int], set[int]]:
    """Numbers of lines that ran, and of those that could have."""
    here: set[int] = set()
    others: set[int] = set()
    for start, end, line in code.co_lines():
        if line is None or line == 0:
            continue
        offsets = [offset for offset in range(start, end, 2) if offset in _real(code)]
        if any(offset in ran for offset in offsets):
            here.add(line)
        elif offsets:
            others.add(line)
    return here, others - here


@functools.lru_cache(maxsize=512)
def _real(code: CodeType) -> frozenset[int]:
    """Offsets of instructions that stand for something written: no cleanup after exceptions, no
    housekeeping.
    """
    skipped = {
        "RESUME",
        "NOP",
        "MAKE_CELL",
        "COPY_FREE_VARS",
        "PUSH_EXC_INFO",
        "POP_EXCEPT",
        "RERAISE",
        "COPY",
        "RETURN_GENERATOR",
        "POP_TOP",
    }
    return frozenset(
        each.offset for each in dis.get_instructions(code) if each.opname not in skipped
    )


@functools.lru_cache(maxsize=512)
def _spans(code: CodeType) -> tuple[tuple[int, Span], ...]:
    found = []
    for each in dis.get_instructions(code):
        where = each.positions
        if where and None not in where and each.offset in _real(code):
            found.append(
                (
                    each.offset,
                    (where.lineno, where.col_offset, where.end_lineno, where.end_col_offset),
                )
            )
    return tuple(found)  # type: ignore[arg-type]


@functools.lru_cache(maxsize=512)
def _jumps(code: CodeType) -> tuple[tuple[int, Span, bool], ...]:
    """(offset, what is tested, the outcome for which it jumps) of each conditional jump."""
    spans = dict(_spans(code))
    found = []
    for each in dis.get_instructions(code):
        if (
            each.offset in spans
            and "JUMP" in each.opname
            and ("IF_TRUE" in each.opname or "IF_FALSE" in each.opname)
        ):
            found.append((each.offset, spans[each.offset], "IF_TRUE" in each.opname))
        elif each.offset in spans and each.opname.endswith(("IF_NONE", "IF_NOT_NONE")):
            # `x is None` and `x is not None` compile to the same jumps; which outcome this is is
            # read from the source
            found.append((each.offset, spans[each.offset], each.opname.endswith("IF_NONE")))
    return tuple(found)


@functools.lru_cache(maxsize=512)
def _targets(code: CodeType) -> dict[int, int]:
    return {
        each.offset: each.argval
        for each in dis.get_instructions(code)
        if "JUMP" in each.opname and isinstance(each.argval, int)
    }


def _target(code: CodeType, offset: int) -> int:
    return _targets(code)[offset]


@functools.lru_cache(maxsize=64)
def _module(file: str, first: str) -> ast.Module | None:
    text = "".join(linecache.getlines(file)) or first
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@functools.lru_cache(maxsize=64)
def _functions(tree: ast.Module) -> dict[tuple[int, str], list[_Function]]:
    """A file's functions by their first line and name: a file of updates is walked once."""
    found: dict[tuple[int, str], list[_Function]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, _Function):
            decorated = (each.lineno for each in getattr(node, "decorator_list", ()))
            first = min([node.lineno, *decorated])
            found[first, getattr(node, "name", "<lambda>")].append(node)
    return dict(found)


def _tree(code: CodeType) -> ast.AST | None:
    """The function's own syntax, with the line numbers of its file; None if there is no source."""
    linecache.checkcache(code.co_filename)
    try:
        lines = inspect.findsource(code)[0]
    except (OSError, TypeError, IndexError):
        return None
    tree = _module(code.co_filename, "".join(lines))
    if tree is None:
        return None
    columns = {span[1] for _, span in _spans(code) if span[0] == code.co_firstlineno}
    found = list(_functions(tree).get((code.co_firstlineno, code.co_name), ()))
    if len(found) > 1:
        # several lambdas on one line: the one whose body has these columns
        found = [
            node
            for node in found
            if any(node.col_offset <= column < (node.end_col_offset or 0) for column in columns)
        ] or found
        found.sort(key=lambda node: (node.end_col_offset or 0) - node.col_offset)
    return found[0] if found else None


def _skippable(node: ast.AST) -> Iterable[ast.expr]:
    if isinstance(node, ast.IfExp):
        return (node.body, node.orelse)
    if isinstance(node, ast.BoolOp):
        return node.values[1:]
    if isinstance(node, ast.Compare):
        return node.comparators[1:]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return (node.elt, *itertools.chain.from_iterable(each.ifs for each in node.generators))
    if isinstance(node, ast.DictComp):
        return (node.value,)
    if isinstance(node, ast.Lambda):
        return (node.body,)
    return ()


def _conditions(node: ast.AST) -> Iterator[tuple[ast.expr, dict[bool, int | None]]]:
    """Single conditions of a statement, and the lines on which it goes on when they are true and
    when they are false.

    A line is 0 where that is anywhere, and None where it is said elsewhere.
    """
    if isinstance(node, ast.If | ast.While):
        alone = not isinstance(node.test, ast.BoolOp)
        bodies: dict[bool, int | None] = {
            True: node.body[0].lineno,
            False: node.orelse[0].lineno if node.orelse else 0,
        }
        for test in _leaves(node.test):
            inverted = isinstance(node.test, ast.UnaryOp)
            yield (
                test,
                (
                    ({True: bodies[False], False: bodies[True]} if inverted else bodies)
                    if alone
                    else {True: bodies[True], False: 0}
                ),
            )
    elif isinstance(node, ast.comprehension):
        for condition in node.ifs:
            for test in _leaves(condition):
                # that it was never true is said of what it lets through
                yield test, {True: None, False: 0}


def _negated(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.IsNot)
        and _is_none(test.comparators[0])
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The single conditions of `a and not b or c`."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    else:
        yield test


def _span(node: ast.expr) -> Span:
    return (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


def _inside(span: Span, node: ast.expr) -> bool:
    first, column, last, end = _span(node)
    return (first, column) <= span[:2] and span[2:] <= (last, end)


def _within(node: ast.expr, outer: ast.expr) -> bool:
    return _inside(_span(node), outer)


def _text(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}`"


def _lines_said(numbers: Collection[int], file: str = "") -> str:
    """`lines 4-6, 9 of helpers.py never ran`."""
    of = f" of {Path(file).name}" if file else ""
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(_ranges(numbers))}{of} never ran"


def _functions_said(
    silent: list[Any], codes: Mapping[Any, CodeType]
) -> Iterator[tuple[str, int, int, str]]:
    """Functions of other files that never ran at all: some by name, and how many more."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for root in silent:
        by_file[codes[root].co_filename].append(codes[root].co_name)
    for file, names in by_file.items():
        shown, more = names[:MOST_NAMES], len(names) - MOST_NAMES
        rest = [counted(more, "more function")] if more > 0 else []
        said = f"{' and '.join([', '.join(shown), *rest])} of {Path(file).name} never ran"
        yield file, 0, 0, said


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    for _, group in itertools.groupby(
        enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]
    ):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _trace(cover: LineCoverage) -> Any:
    """Switch a trace function on; returns what switches it off."""
    ran, went = cover._ran, cover._went
    before = sys.gettrace()
    jumps = cover._branching

    def entering(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code not in ran:
            return None
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        offsets, arcs, branching = ran[code], went[code], jumps[code]
        last = -1

        def local(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last
            if event == "opcode":
                now = frame.f_lasti
                offsets.add(now)
                if last in branching:
                    arcs.add((last, now))
                last = now
            return local

        return local

    sys.settrace(entering)

    def off() -> None:
        sys.settrace(before)

    return off


def _monitor(cover: LineCoverage) -> Any:
    """Switch monitoring on; returns what switches it off."""
    monitoring = sys.monitoring  # type: ignore[attr-defined]
    events = monitoring.events
    tool = next((each for each in (3, 4, 5, 1, 0, 2) if monitoring.get_tool(each) is None), None)
    if tool is None:
        return _trace(cover)
    monitoring.use_tool_id(tool, "altpg-verify")
    # what an earlier run has switched off, place by place, is wanted again
    monitoring.restart_events()
    ran, went = cover._ran, cover._went

    def instruction(code: CodeType, offset: int) -> Any:
        if code in ran:
            ran[code].add(offset)
        return monitoring.DISABLE

    def branch(code: CodeType, offset: int, destination: int) -> Any:
        if code in went:
            went[code].add((offset, destination))
        return None

    names = [name for name in ("BRANCH_LEFT", "BRANCH_RIGHT") if hasattr(events, name)] or [
        "BRANCH"
    ]
    wanted = events.INSTRUCTION
    monitoring.register_callback(tool, events.INSTRUCTION, instruction)
    for name in names:
        wanted |= getattr(events, name)
        monitoring.register_callback(tool, getattr(events, name), branch)
    for code in cover.codes:
        monitoring.set_local_events(tool, code, wanted)

    def off() -> None:
        for code in cover.codes:
            monitoring.set_local_events(tool, code, 0)
        for name in ["INSTRUCTION", *names]:
            monitoring.register_callback(tool, getattr(events, name), None)
        monitoring.free_tool_id(tool)

    return off
