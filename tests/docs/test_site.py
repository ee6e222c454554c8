"""The site: it builds without a warning, and no page asks the network for anything."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.executor import COMMANDS
from tests.docs.pages import ROOT

_ELEMENTS = "script|img|iframe|source|video|audio|embed|object|link"
_LOADED = re.compile(rf"""<(?:{_ELEMENTS})\b[^>]*?\b(?:src|href|data)=["']?((?:https?:)?//[^"'\s>]+)""")
_IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as CI builds it, of a copy that has no report."""
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings_handlers.python")
    out = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return out


def outside(text: str) -> list[str]:
    """What a page or a style sheet would load from elsewhere."""
    return _LOADED.findall(text) + _IN_STYLES.findall(text)


@pytest.mark.slow
def test_no_page_asks_the_network(site):
    asked = {path.relative_to(site).as_posix(): outside(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    asked |= {path.relative_to(site).as_posix(): outside(path.read_text(encoding="utf-8")) for path in site.rglob("*.css")}
    assert len(asked) > 50
    assert {page: urls for page, urls in asked.items() if urls} == {}


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://elsewhere.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css">',
        "<img alt='x' src='http://elsewhere.example/x.png'>",
        "@import url(https://fonts.example/css);",
        ".x { background: url('https://elsewhere.example/x.svg') }",
    ],
)
def test_a_page_that_asks_would_be_noticed(text):
    assert outside(text)


def test_links_that_a_reader_follows_are_no_requests():
    assert not outside('<a href="https://elsewhere.example">there</a> <link href="../a.css"> <img src="pictures/a.svg">')


@pytest.mark.slow
def test_every_public_name_and_every_module_has_its_place(site):
    import altpg_verify
    import altpg_verify.audit

    inventory = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").rglob("*.html"))
    for package in (altpg_verify, altpg_verify.audit):
        for name in package.__all__:
            home = package._HOMES[name]
            assert f'id="{package.__name__}.{home}.{name}"' in inventory, f"{package.__name__}.{home}.{name} isn't in the reference"


@pytest.mark.slow
def test_every_command_is_in_the_reference(site):
    page = (site / "reference" / "commands" / "index.html").read_text(encoding="utf-8")
    for command in COMMANDS.MODULES:
        assert f"python -m {command}" in page


@pytest.mark.slow
def test_a_broken_link_stops_the_build(tmp_path):
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    if importlib.util.find_spec("mkdocstrings_handlers") is None:
        pytest.skip("could not import 'mkdocstrings_handlers'")
    # an archive of the sources has no folders beside the package
    for name in ("docs", "altpg_verify", "trust", *(name for name in ("theory", "sim") if (ROOT / name).is_dir())):
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("mkdocs.yml", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs" / "index.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n[nowhere](nowhere.md)\n", encoding="utf-8")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(Path(tmp_path) / "site")]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert "nowhere.md" in done.stderr
