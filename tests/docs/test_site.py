"""The site: it builds without a warning, and no page asks the network for anything."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.axe import DARK, axe
from tests.docs.executor import COMMANDS
from tests.docs.pages import ROOT
from tests.report.browser import BROWSER, HEADLESS

_ELEMENTS = "script|img|iframe|source|video|audio|embed|object|link"
_LOADED = re.compile(
    rf"""<(?:{_ELEMENTS})\b[^>]*?\b(?:src|href|data)=["']?((?:https?:)?//[^"'\s>]+)"""
)
_IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as CI builds it, of a copy that has no report."""
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings_handlers.python")
    out = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return out


def outside(text: str) -> list[str]:
    """What a page or a style sheet would load from elsewhere."""
    return _LOADED.findall(text) + _IN_STYLES.findall(text)


@pytest.mark.slow
def test_no_page_asks_the_network(site):
    asked = {
        path.relative_to(site).as_posix(): outside(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
    }
    asked |= {
        path.relative_to(site).as_posix(): outside(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.css")
    }
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
    assert not outside(
        '<a href="https://elsewhere.example">there</a> <link href="../a.css"> <img'
        ' src="pictures/a.svg">'
    )


@pytest.mark.slow
def test_every_public_name_and_every_module_has_its_place(site):
    import altpg_verify
    import altpg_verify.audit

    inventory = "".join(
        path.read_text(encoding="utf-8") for path in (site / "reference").rglob("*.html")
    )
    for package in (altpg_verify, altpg_verify.audit):
        for name in package.__all__:
            home = package._HOMES[name]
            assert f'id="{package.__name__}.{home}.{name}"' in inventory, (
                f"{package.__name__}.{home}.{name} isn't in the reference"
            )


@pytest.mark.slow
def test_every_command_is_in_the_reference(site):
    page = (site / "reference" / "commands" / "index.html").read_text(encoding="utf-8")
    for command in COMMANDS.MODULES:
        assert f"python -m {command}" in page


# ---------------------------------------------------------------- in a browser

FLAGS = (*HEADLESS, "--virtual-time-budget=20000")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on the path")
LOOKED_AT = (
    *(
        "",
        "tutorial/reading",
        "how-to/sequences",
        "how-to/policies",
        "explanation",
        "reference/names",
        "reference/commands",
    ),
    *(
        "reference/claims",
        "reference/altpg_verify/checks",
        "reference/altpg_verify.audit",
        "gallery",
        "changes",
    ),
)


def browse(site: Path, page: str, folder: Path, script: str, *flags: str) -> str:
    """What a script leaves in `document.documentElement.dataset.said`, run on a page of the site
    after it was loaded.
    """
    original = site / page / "index.html"
    file = original.with_name("looked-at.html")
    text = original.read_text(encoding="utf-8")
    assert text.count("</body>") == 1
    file.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    command = [
        str(BROWSER),
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        *flags,
        "--dump-dom",
        file.as_uri(),
    ]
    try:
        dom = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=240
        ).stdout
    finally:
        file.unlink()
    (said,) = re.findall(r'<html[^>]* data-said="([^"]*)"', dom)
    return html.unescape(said)


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("page", LOOKED_AT)
@pytest.mark.parametrize(
    ("scheme", "flags"), [("default", ()), ("slate", DARK)], ids=["light", "dark"]
)
def test_axe_finds_nothing_serious(site, page, scheme, flags, tmp_path):
    reported = json.loads(browse(site, page, tmp_path, axe(), "--window-size=1280,1000", *flags))
    assert reported["scheme"] == scheme
    assert reported["checked"] > 10
    assert reported["grave"] == []


@pytest.mark.slow
@needs_browser
def test_axe_would_notice_faint_words_and_pictures_without_any(site, tmp_path):
    spoil = (
        "document.querySelector('article').innerHTML += '<p style=\"color: #bbb; background:"
        ' #fff">faint</p><img src="x.svg">\';'
    )
    reported = json.loads(
        browse(site, "how-to/sequences", tmp_path, spoil + axe(), "--window-size=1280,1000")
    )
    assert {name for name, _ in reported["grave"]} == {"color-contrast", "image-alt"}


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("page", LOOKED_AT)
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_window(site, page, width, tmp_path):
    # a window has at least 500 pixels; a frame may be narrower
    frame = (
        "document.body.innerHTML = ''; const frame = document.createElement('iframe');frame.style"
        f" = 'border: 0; height: 900px; width: {width}px'; frame.src = 'index.html';frame.onload ="
        " () => setTimeout(() => { const root ="
        " frame.contentDocument.documentElement;document.documentElement.dataset.said ="
        " root.scrollWidth - root.clientWidth; }, 500);document.body.append(frame);"
    )
    assert (
        browse(
            site, page, tmp_path, frame, "--allow-file-access-from-files", "--window-size=1400,1000"
        )
        == "0"
    )


@pytest.mark.slow
@needs_browser
def test_the_page_of_claims_filters_itself(site, tmp_path):
    from altpg_verify.theory.claims import CLAIMS

    act = (
        "addEventListener('load', () => setTimeout(() => { const form ="
        " document.getElementById('claims-filter');const told = []; const tell = (text, kind) => {"
        " form.elements.text.value = text; form.elements.kind.value = kind;form.dispatchEvent(new"
        " Event('input'));told.push([form.elements.count.textContent,"
        " [...document.querySelectorAll('.claim:not([hidden])')].map((one) =>"
        " one.id),[...document.querySelectorAll('h2')].filter((one) => !one.hidden).length]);"
        " };tell('', ''); tell('VANISHES boundary', ''); tell('', 'complexity'); tell('nobody says"
        " this', '');document.documentElement.dataset.said = JSON.stringify(told); }, 300));"
    )
    everything, both, kind, none = json.loads(browse(site, "reference/claims", tmp_path, act))
    assert everything[0] == f"{len(CLAIMS)} of {len(CLAIMS)} claims"
    assert everything[1] == [claim.id for claim in CLAIMS]
    assert "regular-variance-vanishes-near-boundary" in both[1]
    assert 0 < len(both[1]) < 20
    assert kind[1] == [claim.id for claim in CLAIMS if claim.kind == "complexity"]
    assert none == [f"0 of {len(CLAIMS)} claims", [], 0]


@pytest.mark.slow
def test_a_broken_link_stops_the_build(tmp_path):
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    if importlib.util.find_spec("mkdocstrings_handlers") is None:
        pytest.skip("could not import 'mkdocstrings_handlers'")
    # an archive of the sources has no folders beside the package
    for name in (
        "docs",
        "altpg_verify",
        "trust",
        *(name for name in ("theory", "sim") if (ROOT / name).is_dir()),
    ):
        shutil.copytree(
            ROOT / name,
            tmp_path / name,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    for name in ("mkdocs.yml", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs" / "index.md"
    page.write_text(
        page.read_text(encoding="utf-8") + "\n[nowhere](nowhere.md)\n", encoding="utf-8"
    )
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(tmp_path)}
    words = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--site-dir",
        str(Path(tmp_path) / "site"),
    ]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert "nowhere.md" in done.stderr
