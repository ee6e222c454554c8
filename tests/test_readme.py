"""The README comes to the point: its commands first, an example in few lines, and CI runs what is
printed.

That its blocks do what they show is held by tests/docs/test_pages.py.
"""

from __future__ import annotations

import re
import subprocess

from tests.docs.pages import ROOT, blocks

BLOCKS = blocks(ROOT / "README.md")


def test_the_first_two_blocks_are_the_report_and_the_tests():
    report, tests = BLOCKS[:2]
    assert report.language == tests.language == "sh"
    assert len(report.text.splitlines()) == len(tests.text.splitlines()) == 1
    assert report.text.strip().endswith("python -m altpg_verify.report")
    assert tests.text.strip().endswith("pytest -q")


def test_ci_runs_the_second_block_as_printed():
    script = (
        f"cd {ROOT}\n"
        + re.search(
            r"^tests=.*$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), flags=re.MULTILINE
        ).group()
        + '\nprintf "%s" "$tests"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == BLOCKS[1].text.strip()


def test_the_stranger_needs_at_most_fifteen_lines():
    files = [block.text for block in BLOCKS if block.file in ("mine.py", "test_mine.py")]
    assert len(files) == 2
    assert (
        sum(
            bool(line.strip()) and not line.startswith("#")
            for text in files
            for line in text.splitlines()
        )
        <= 15
    )


def test_it_shows_a_pass_and_a_failure():
    shown = "".join(block.text for block in BLOCKS if block.language == "console")
    assert "✓" in shown
    assert "✗" in shown
