"""Everything that a page shows is true: its code runs, its commands do what is shown, and those
that aren't run are at least read.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.docs.executor import Differs, Page, inside, read_options
from tests.docs.pages import ROOT, blocks, every_page, inline_commands
from tests.shares import share

PAGES = every_page()
ONLY_READ = ["docs/gallery.md", "benchmarks/README.md", "CHANGELOG.md"]
SLOW = [page for page in PAGES if any(block.slow for block in blocks(ROOT / page))]
NEEDS = [
    (page, need)
    for page in PAGES
    for need in sorted({block.needs for block in blocks(ROOT / page)} - {""})
]


def execute(path: Path, folder: Path, *, slow: bool = False, needs: str = "") -> int:
    """Run the blocks of a page that this run is for; how many there were."""
    chosen = [
        block for block in blocks(path) if (slow or not block.slow) and block.needs in ("", needs)
    ]
    page = Page(folder)
    with inside(folder):
        for block in chosen:
            page.run(block)
    return len(chosen)


@pytest.mark.thorough
@pytest.mark.parametrize("page", share(PAGES, 6))
def test_what_a_page_shows_is_what_happens(page, tmp_path):
    execute(ROOT / page, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW)
def test_also_where_it_takes_longer(page, tmp_path):
    execute(ROOT / page, tmp_path, slow=True)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "need"), NEEDS)
def test_also_with_an_extra(page, need, tmp_path):
    pytest.importorskip(need)
    execute(ROOT / page, tmp_path, slow=True, needs=need)


@pytest.mark.parametrize("page", [*PAGES, *ONLY_READ])
def test_commands_that_are_not_run_are_read_by_their_parsers(page):
    for block in blocks(ROOT / page):
        for command, _ in block.commands:
            read_options(command)
    for words in inline_commands(ROOT / page):
        read_options(words, unfinished=True)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_writes_is_used_there(page):
    shown = blocks(ROOT / page)
    for block in shown:
        stem = Path(block.file).stem
        assert not block.file or any(
            stem in other.text for other in shown if other.file != block.file
        ), f"{page}: {block.file}"
        if stem.startswith("test_"):
            assert any(
                f"pytest -q {block.file}" in command
                for other in shown
                for command, _ in other.commands
            ), f"{page}: {block.file}"


def _written(tmp_path: Path, text: str) -> Path:
    page = tmp_path / "page.md"
    page.write_text(textwrap.dedent(text), encoding="utf-8")
    return page


WRONG = {
    "output": (
        "```console\n$ python -m altpg_verify check altpg_verify.estimators:regular --only"
        " unbiased\nregular: 1 law\n```\n"
    ),
    "exit code": "<!-- check: exit 1 -->\n```sh\npython -m altpg_verify laws\n```\n",
    "prompt": "```pycon\n>>> 1 + 1\n3\n```\n",
    "code": "```python\nassert False\n```\n",
    "unsaid": "```sh\nrm nothing\n```\n",
    "option": "<!-- check: options: long -->\n```sh\npython -m altpg_verify.report --fast\n```\n",
    "extra": (
        "<!-- check: options: the net -->\n```sh\npip install -c constraints.txt -e"
        " '.[everything]'\n```\n"
    ),
    "file": "<!-- check: options: long -->\n```sh\npytest tests/nowhere\n```\n",
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_page_is_noticed(fault, tmp_path):
    with pytest.raises((Differs, AssertionError)):
        execute(_written(tmp_path, WRONG[fault]), tmp_path)


def test_a_wrong_command_in_a_sentence_is_noticed(tmp_path):
    (words,) = inline_commands(
        _written(tmp_path, "Say `python -m altpg_verify.sim run all --quickly`.\n")
    )
    with pytest.raises(Differs, match="--quickly"):
        read_options(words, unfinished=True)


def test_an_unknown_way_to_check_is_noticed(tmp_path):
    with pytest.raises(ValueError, match="no way to check"):
        blocks(_written(tmp_path, "<!-- check: never -->\n```sh\ntrue\n```\n"))


def test_a_block_that_is_a_file_is_written_and_a_right_page_passes(tmp_path):
    text = (
        "```python\n# own.py\nNUMBER = 7\n```\n\n```pycon\n>>> from own import NUMBER\n>>>"
        " NUMBER\n7\n```\n"
    )
    assert execute(_written(tmp_path, text), tmp_path) == 2
