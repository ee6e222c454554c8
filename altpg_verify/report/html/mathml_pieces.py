"""The pieces of MathML that the translator puts together, and the calls of Typst mathematics that
make larger ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Cells = list[list[str]]
Rows = list[list[list["Node"]]]


@dataclass(frozen=True)
class Node:
    """A piece of MathML.

    Args:
        xml: the element as text.
        role: ordinary, operator, function, open, bracket, break or align.
        limits: what is attached to it stands above and below.
        inner: what stands inside round brackets.
    """

    xml: str
    role: str = "ordinary"
    limits: bool = False
    inner: str | None = None


def row(nodes: list[Node]) -> str:
    """The pieces side by side, with the thin space that a function's name has before its argument
    and after a factor.
    """
    if len(nodes) == 1:
        return nodes[0].xml
    parts = []
    for left, right in zip([None, *nodes], nodes, strict=False):
        if (
            left
            and "function" in (left.role, right.role)
            and not {left.role, right.role} & {"operator", "open"}
        ):
            bracket = left.role == "function" and right.role == "bracket"
            parts.append("" if bracket else '<mspace width="0.17em"/>')
        parts.append(right.xml)
    return f"<mrow>{''.join(parts)}</mrow>"


def bare(node: Node) -> str:
    """Without its round brackets, which only grouped."""
    return node.xml if node.inner is None else node.inner


def accented(base: str, accent: str) -> str:
    """The base with an accent on it; a bar is as wide as the base."""
    stretchy = "true" if accent == "‾" else "false"
    return f'<mover accent="true">{base}<mo stretchy="{stretchy}">{accent}</mo></mover>'


def table_row(nodes: list[Node]) -> str:
    """A line, its cells parted by `&`."""
    cells = _parted(nodes, "align")
    # a leading & only says where the line begins
    if not cells[0] and len(cells) == 2:
        cells = cells[1:]
    return f"<mtr>{''.join(f'<mtd>{row(cell)}</mtd>' for cell in cells)}</mtr>"


def lines(nodes: list[Node]) -> str:
    """Several lines below each other."""
    return (
        f'<mtable displaystyle="true">{"".join(map(table_row, _parted(nodes, "break")))}</mtable>'
    )


def _parted(nodes: list[Node], role: str) -> list[list[Node]]:
    """What stands before, between and after the pieces of that role."""
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node.role == role:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _frac(cells: Cells, rows: Rows, _: bool) -> Node:
    above, below = cells[0]
    return Node(f"<mfrac>{above}{below}</mfrac>")


def _binom(cells: Cells, rows: Rows, _: bool) -> Node:
    above, below = cells[0]
    return Node(f'<mrow><mo>(</mo><mfrac linethickness="0">{above}{below}</mfrac><mo>)</mo></mrow>')


def _sqrt(cells: Cells, rows: Rows, _: bool) -> Node:
    return Node(f"<msqrt>{cells[0][0]}</msqrt>")


def _root(cells: Cells, rows: Rows, _: bool) -> Node:
    index, base = cells[0]
    return Node(f"<mroot>{base}{index}</mroot>")


def _op(cells: Cells, rows: Rows, limits: bool) -> Node:
    text = cells[0][0]
    if limits:
        text = text.replace("<mtext>", '<mo movablelimits="true" lspace="0" rspace="0">').replace(
            "</mtext>", "</mo>"
        )
    return Node(text, "function", limits=limits)


def _lr(cells: Cells, rows: Rows, _: bool) -> Node:
    inner = "<mo>,</mo>".join(cells[0])
    bar = '<mo class="bar" stretchy="false" lspace="0.18em" rspace="0.18em">|</mo>'
    if inner.removesuffix("</mrow>").endswith(bar):
        start, end = inner.rsplit(bar, 1)
        inner = f'{start}<mo form="postfix">|</mo>{end}'
    return Node(inner if len(cells[0]) == 1 else f"<mrow>{inner}</mrow>")


def _mat(cells: Cells, rows: Rows, _: bool) -> Node:
    body = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in line)}</mtr>" for line in cells)
    return Node(f"<mrow><mo>(</mo><mtable>{body}</mtable><mo>)</mo></mrow>")


def _cases(cells: Cells, rows: Rows, _: bool) -> Node:
    body = "".join(table_row(nodes) for nodes in rows[0])
    return Node(f"<mrow><mo>{{</mo><mtable>{body}</mtable></mrow>")


CALLS: Mapping[str, Callable[[Cells, Rows, bool], Node]] = {
    "frac": _frac, "binom": _binom, "sqrt": _sqrt, "root": _root, "op": _op, "lr": _lr, "mat": _mat, "cases": _cases,
}  # fmt: skip
"""What a call makes of its arguments: as MathML by row, as pieces by row, and whether `limits:
#true` was among them.
"""
