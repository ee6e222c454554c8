"""ARCHITECTURE.md: its picture is drawn from the imports, and every place that it names is
there.
"""

from __future__ import annotations

import ast
import re

import pytest

from tests.docs.executor import hook
from tests.docs.pages import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
IMPORTS = hook("import_graph")
IDEAS = re.findall(r"^\| (?!idea|---)(.+?) \| (.+?) \| (.+?) \|$", PAGE, flags=re.MULTILINE)

pytestmark = pytest.mark.skipif(
    not (ROOT / "sim").is_dir(), reason="an archive of the sources has its folders elsewhere"
)


def names_in(path: str) -> set[str]:
    """What a file defines at its top."""
    return {
        getattr(node, "name", "")
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    }


@pytest.mark.thorough
def test_the_picture_is_drawn_from_the_imports():
    assert IMPORTS.picture() in PAGE


@pytest.mark.thorough
def test_another_arrow_would_be_seen():
    assert ("theory", "sim") not in IMPORTS.arrows()
    assert IMPORTS.package("altpg_verify.sim.jit") == "sim"
    assert IMPORTS.package("altpg_verify.laws") == "core"
    assert IMPORTS.package("simulation") is None


def test_twelve_ideas_are_each_found_from_the_tree_alone():
    assert len({idea for idea, _, _ in IDEAS}) == 12
    for idea, places, tests in IDEAS:
        found = re.findall(r"`([\w/]+\.py)::(\w+)`", places)
        assert found, idea
        assert [f"{path}::{name}" for path, name in found if name not in names_in(path)] == []
        assert (ROOT / tests.strip("`")).is_file(), tests


def test_every_place_named_on_the_page_exists():
    named = re.findall(r"`((?:altpg_verify|theory|sim|trust|docs|tests)/[\w/.]*)", PAGE)
    assert len(named) > 40
    assert [path for path in named if not (ROOT / path).exists()] == []
