"""Which lines, arms and outcomes of somebody's function never ran, though it was called."""

from __future__ import annotations

import ast
import dis
import itertools
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

from altpg_verify.untrusted.branching_syntax import (
    conditions,
    lies_in,
    negated,
    part_of,
    skippable,
    span_of,
    tree_of,
)
from altpg_verify.untrusted.bytecode import Span, jumps_of, lines_of, spans_of, target_of
from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.reaching import functions, nested
from altpg_verify.wording import counted

LONGEST = 60
"""Characters of an expression that are shown."""

MOST_NAMES = 3
"""Functions of another file that are named where none of them ran."""


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

    def also(self, conditions: Sequence[tuple[str, int, int, str]], among: str = "") -> Unrun:
        """The same, and conditions that went one way only, where these are no branches.

        Args:
            conditions: (file, line, column, words) of each.
            among: in which draws that is so, in words, if not in all.
        """
        said = [
            f"{words}{' ' * bool(among)}{among}"
            if file == self.file
            else f"{Path(file).name}, {words}{' ' * bool(among)}{among}"
            for file, _, _, words in conditions
        ]
        return replace(self, branches=(*self.branches, *said))


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
            code: frozenset(offset for offset, _, _ in jumps_of(code)) for code in self.codes
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
            here, gone = lines_of(code, self._ran[code])
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
                self._trees[root] = tree_of(self._code[root])
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
            for offset, span in spans_of(code)
            if "JUMP" not in dis.opname[code.co_code[offset]]
        ]
        silent: list[ast.expr] = []
        for node in ast.walk(tree):
            for arm in skippable(node):
                if any(part_of(arm, outer) for outer in silent):
                    continue
                inside = [run for span, run in everything if lies_in(span, arm)]
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
            for offset, span, jumps_if in jumps_of(code):
                for source, target in self._went[code]:
                    if source == offset:
                        went[span].add(
                            jumps_if if target == target_of(code, offset) else not jumps_if
                        )
        for node in ast.walk(tree):
            for test, bodies in conditions(node):
                ways = set().union(
                    *(found for span, found in went.items() if span == span_of(test))
                )
                if len(ways) != 1 or test.lineno in lines:
                    continue
                never = ways.pop() == negated(test)
                if bodies[never] is not None and bodies[never] not in lines:
                    yield (
                        test.lineno,
                        test.col_offset,
                        f"line {test.lineno}: {_text(test)} was never {str(never).lower()}",
                    )


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
