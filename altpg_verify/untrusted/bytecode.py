"""Where the instructions of a code object stand in its source: lines, spans, and conditional jumps."""

from __future__ import annotations

import dis
import functools
from types import CodeType

Span = tuple[int, int, int, int]
"""First line, its column, last line, its column, as code objects have it."""


def lines_of(code: CodeType, ran: set[int]) -> tuple[set[int], set[int]]:
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
        *("RESUME", "NOP", "MAKE_CELL", "COPY_FREE_VARS", "PUSH_EXC_INFO", "POP_EXCEPT"),
        *("RERAISE", "COPY", "RETURN_GENERATOR", "POP_TOP"),
    }
    return frozenset(
        each.offset for each in dis.get_instructions(code) if each.opname not in skipped
    )


@functools.lru_cache(maxsize=512)
def spans_of(code: CodeType) -> tuple[tuple[int, Span], ...]:
    """(offset, where it is written) of each instruction that stands for something written."""
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
def jumps_of(code: CodeType) -> tuple[tuple[int, Span, bool], ...]:
    """(offset, what is tested, the outcome for which it jumps) of each conditional jump."""
    spans = dict(spans_of(code))
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


def target_of(code: CodeType, offset: int) -> int:
    """Where a jump goes to."""
    return _targets(code)[offset]
