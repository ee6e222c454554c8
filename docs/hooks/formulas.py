"""Displayed formulas: a block ```formula in Typst's notation becomes MathML, as in the HTML report."""

from __future__ import annotations

import re
from html import escape

_BLOCK = re.compile(r"^```formula\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def typeset(markdown: str) -> str:
    """The page with its formulas as MathML.

    Raises:
        UntranslatableError: a formula uses something for which there is no rule.
    """
    from altpg_verify.report.html.mathml import mathml
    from altpg_verify.report.plain import formula

    def shown(block: re.Match[str]) -> str:
        source = block[1].strip()
        return (
            "<div"
            f' class="formula">{mathml(source, escape(formula(source), quote=True), block=True)}</div>'
        )

    return _BLOCK.sub(shown, markdown)
