"""axe-core, run within a page that a browser has loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

DARK = ("--blink-settings=preferredColorScheme=0",)
"""The browser's flags for who prefers dark pages."""


def axe() -> str:
    """The script of axe-core, and what runs it: `data-said` of the root gets how many rules were
    met, and what is broken seriously.
    """
    package = pytest.importorskip("axe_core_python")
    source = (
        (Path(package.__file__).parent / "axe.min.js")
        .read_text(encoding="utf-8")
        .replace("</script>", "<\\/script>")
    )
    return (
        source + ";addEventListener('load', () => setTimeout(async () => {const found = await"
        " axe.run(document, {resultTypes: ['violations']});const grave ="
        " found.violations.filter((one) => ['serious',"
        " 'critical'].includes(one.impact));document.documentElement.dataset.said ="
        " JSON.stringify({scheme: document.body.dataset.mdColorScheme, checked:"
        " found.passes.length,grave: grave.map((one) => [one.id, one.nodes.slice(0, 3).map((node)"
        " => node.html.slice(0, 200))])});}, 300));"
    )
