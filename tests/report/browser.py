"""Pages of the report in a real browser: what their scripts did, what axe says, which formulas are
cut off.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape

import pytest

from tests.axe import axe

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
HEADLESS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--no-first-run", "--disable-sync"),
    *("--disable-extensions", "--hide-scrollbars"),
)
FLAGS = (*HEADLESS, "--virtual-time-budget=5000")
LISTENER = (
    b"<head><script>const told = (what) => { const root ="
    b" document.documentElement;root.dataset.errors = (root.dataset.errors || '') + what + ';';"
    b" };addEventListener('error', (event) =>"
    b" told(event.message));addEventListener('securitypolicyviolation', (event) => told('blocked '"
    b" + event.blockedURI));addEventListener('load', () => { const root = document.documentElement;"
    b" root.dataset.wide = root.scrollWidth - innerWidth; });</script>"
)
in_browser = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on the path"),
]


def browse(folder, page: bytes, query: str = "", *flags: str) -> str:
    """The DOM after the scripts ran, as text; errors are collected in it."""
    file = folder / "page.html"
    file.write_bytes(page.replace(b"<head>", LISTENER, 1))
    command = [
        str(BROWSER),
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        *flags,
        "--dump-dom",
        f"{file.as_uri()}{query}",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def noted(dom: str, name: str) -> str | None:
    found = re.search(rf'data-{name}="([^"]*)"', dom)
    return found[1] if found else None


def serious(folder, page: bytes, *flags: str) -> dict:
    """What axe finds with every chapter open: `grave`, and how many rules were `checked`."""
    opening = "dispatchEvent(new Event('beforeprint'));"
    looking = page.replace(b"</body>", f"<script>{opening}{axe()}</script></body>".encode(), 1)
    return json.loads(
        unescape(str(noted(browse(folder, looking, "", "--window-size=1280,1000", *flags), "said")))
    )


def clipped(folder, page: bytes, width: int) -> tuple[int, str]:
    """How many formulas a page of this width has with every chapter open, and those that are cut
    off.
    """
    # a window has at least 500 pixels; a frame may be narrower
    (folder / "inner.html").write_bytes(
        page.replace(
            b"</body>", b"<script>dispatchEvent(new Event('beforeprint'));</script></body>"
        )
    )
    frame = (
        b"<!doctype html><html><head></head><body><script>const frame ="
        b" document.createElement('iframe');frame.style = 'border: 0; height: 900px; width: %dpx';"
        b" frame.src = 'inner.html';frame.onload = () => setTimeout(() => { const inner ="
        b" frame.contentDocument;const scrolls = (one) => one && (['auto',"
        b" 'scroll'].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));const"
        b" beyond = (one) => one.getBoundingClientRect().right > %d + 1 && !scrolls(one);const"
        b" found = [...inner.querySelectorAll('math')].filter((one) => one.checkVisibility() &&"
        b" beyond(one));document.documentElement.dataset.all ="
        b" inner.querySelectorAll('math').length;document.documentElement.dataset.clipped ="
        b" found.map((one) => one.getAttribute('alttext')).join(' | ');}, 1500);"
        b" document.body.append(frame);</script></body></html>" % (width, width)
    )
    dom = browse(folder, frame, "", "--allow-file-access-from-files", "--window-size=1400,1000")
    return int(str(noted(dom, "all"))), str(noted(dom, "clipped"))
