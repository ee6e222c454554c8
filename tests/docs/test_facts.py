"""Facts that pages state in words, held against what they are about."""

from __future__ import annotations

import json
import re
from importlib.metadata import version

import pytest

from altpg_verify import LAWS, Verdict
from altpg_verify.audit.libraries.drift import Outcome, compared
from altpg_verify.estimators import ARGUMENTS
from tests.docs.executor import hook
from tests.docs.pages import ROOT, blocks, every_page
from tests.gallery.entries import CASES
from trust.parts import MODULES

TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in every_page()}


@pytest.mark.parametrize("page", ["README.md", "docs/explanation/verdicts.md"])
@pytest.mark.parametrize("verdict", Verdict, ids=str)
def test_every_verdict_is_explained_as_the_code_does(page, verdict):
    (row,) = [
        line for line in TEXTS[page].splitlines() if re.match(rf"\| [^|]*\b{verdict}\b", line)
    ]
    if verdict not in (Verdict.SKIPPED, Verdict.NOT_RUN):
        assert verdict.meaning in row


def libraries_shown():
    return [
        block.text
        for block in blocks(ROOT / "docs/how-to/libraries.md")
        if block.language == "text"
    ]


def kept_rows():
    return json.loads((ROOT / "reports" / "audits.json").read_text(encoding="utf-8"))["rows"]


def test_the_excerpt_is_from_the_table_of_libraries():
    shown = libraries_shown()[0].splitlines()
    (row,) = [
        row
        for row in kept_rows()
        if shown[0] == f"{row['name']} ({row['library']} {row['installed']})"
    ]
    named = {"says": "says", "setting": "setting", "verdict": "sentence", "by design": "design"}
    assert shown[1:] == [f"  {name:<10}{row[key]}" for name, key in named.items()]


def test_the_changed_verdict_is_what_the_comparison_says():
    """What the page says of TRL without its factor of a half, from the rows of the kept table with
    and without one.
    """
    rows = {row["name"]: row for row in kept_rows()}
    halved = rows["TRL GRPO, unscaled rewards"]
    whole = halved["audit"] | {"scale": None, "expected": halved["audit"]["gradient"]}
    right = {
        "kind": "unbiased",
        "sentence": rows["rlax policy_gradient_loss"]["sentence"],
        "installed": "1.17.0",
        "audit": whole,
    }
    assert libraries_shown()[1].rstrip() == str(compared(halved, halved | right))


def test_every_outcome_of_a_comparison_is_on_the_page():
    table = re.findall(
        r"^\| ([^|]+) \| [^|]+ \| (\d) \|$", TEXTS["docs/how-to/libraries.md"], flags=re.MULTILINE
    )
    assert {name: code == "1" for name, code in table} == {
        str(each): each.drifted for each in Outcome
    }


def test_the_parts_of_trust_are_all_named():
    assert re.findall(r"^\| `(\w+)` \|", TEXTS["docs/how-to/trust.md"], flags=re.MULTILINE) == list(
        MODULES
    )


def test_numbers_in_words_are_right():
    assert len(LAWS) == 17
    assert "the seventeen\nbuilt-in laws" in TEXTS["docs/how-to/laws.md"]
    assert f"has {len(CASES)} reports and losses" in TEXTS["README.md"]
    assert f"{len(CASES)} public reports and losses" in TEXTS["docs/index.md"]


def test_the_readme_names_every_argument_of_an_estimator():
    listed = TEXTS["README.md"].split("by name (")[1].split(")")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == set(ARGUMENTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["simplex", "group_std"])
def test_a_picture_is_what_its_command_makes(name):
    pinned = re.search(
        r"^matplotlib==(\S+)",
        (ROOT / "constraints.txt").read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    if pinned is None or version("matplotlib") != pinned.group(1):
        pytest.skip("drawn by another version of matplotlib than the pinned one")
    pictures = hook("pictures")
    assert set(pictures.PICTURES) == {path.stem for path in pictures.FOLDER.iterdir()}
    assert pictures.made(name) == (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", TEXTS)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", TEXTS[page]):
        path = (ROOT / page).parent / target
        made = "docs/reference/" in path.resolve().as_posix() or path.name in (
            "contributing.md",
            "changes.md",
        )
        assert path.exists() or made, f"{page}: {target}"
