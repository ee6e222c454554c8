"""The committed gallery is what its generator makes now; nothing is rewritten here."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from altpg_verify.audit.findings import Audit
from tests.gallery import cases
from tests.gallery import page as gallery_page
from tests.gallery.case import GALLERY, Case
from tests.gallery.entries import CASES
from tests.shares import share

PAGE = (Path(__file__).parents[2] / "docs" / "gallery.md").read_text(encoding="utf-8")
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
NUMPY = [case for case in CASES if not case.torch]
TORCH = [case for case in CASES if case.torch]


outcomes = cache(gallery_page.outcomes)
"""Each module is audited once, for all that is asked of it here."""


def committed(case: Case) -> str:
    """The case's section of the committed page."""
    (found,) = re.findall(rf"^## {case.code} .*?(?=^## P|\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    return found


def listed(case: Case) -> str:
    """The case's verdict in the committed table of contents."""
    (found,) = re.findall(rf"^\| \[{case.code}\].* \| (.*) \|$", PAGE, flags=re.MULTILINE)
    return found


def test_every_case_of_the_gallery_is_on_the_page_once():
    files = {path.stem for path in Path(cases.__file__).parent.glob("p*.py")}
    assert {re.sub("_(torch|jax)$", "", name) for name in files} == {case.module for case in CASES}
    assert re.findall(r"^## (P\d+)", PAGE, flags=re.MULTILINE) == [case.code for case in CASES]
    assert len(CASES) == 70


@EVERY_CASE
def test_code_and_story_are_those_of_the_gallery(case):
    section = committed(case)
    assert f"```python\n{gallery_page.source(case.shown)}\n```" in section
    assert gallery_page.explanation(case) in section
    assert case.means in section


@pytest.mark.thorough
@pytest.mark.parametrize(
    "case", share([case for case in CASES if case.numpy], 5), ids=lambda case: case.code
)
def test_the_numpy_version_gets_the_verdicts_on_the_page(case):
    found = outcomes(f"{GALLERY}.{case.module}")
    assert gallery_page.verdict(found[case.headline]) == listed(case)
    section = committed(case)
    for name, each in found.items():
        assert isinstance(each, Audit) or name == "trainer_step"
        if isinstance(each, Audit) and f" {name}: " in section:
            assert f"{name}: {each.sentence}" in section or name == case.headline


@pytest.mark.parametrize("case", share(NUMPY, 5), ids=lambda case: case.code)
def test_numpy_sections_are_as_committed(case):
    assert gallery_page.section(case, outcomes(case.shown)).strip() == committed(case).strip()


@pytest.mark.thorough
@pytest.mark.parametrize("case", share(TORCH, 6), ids=lambda case: case.code)
def test_torch_sections_are_as_committed(case):
    pytest.importorskip("torch")
    found = outcomes(case.shown)
    assert gallery_page.section(case, found).strip() == committed(case).strip(), (
        f"the page is stale; run {gallery_page.COMMAND}"
    )
    assert gallery_page.verdict(found[case.headline]) == listed(case)


def test_what_stands_before_the_sections_is_as_committed():
    opening = gallery_page.opening(CASES, {case.code: listed(case) for case in CASES})
    assert PAGE.startswith(opening)
    sections = "\n".join(committed(case).rstrip("\n") + "\n" for case in CASES)
    assert opening + sections == PAGE


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", sorted(path.stem for path in Path(cases.__file__).parent.glob("*_jax.py"))
)
def test_the_jax_version_gets_the_verdict_on_the_page(name):
    pytest.importorskip("jax")
    (case,) = [each for each in CASES if f"{each.module}_jax" == name]
    assert gallery_page.verdict(outcomes(f"{GALLERY}.{name}")[case.headline]) == listed(case)


def test_a_changed_verdict_would_be_noticed():
    case = NUMPY[0]
    found = dict(outcomes(case.shown))
    found[case.headline] = found["every_group_of_two_prompts"]
    assert gallery_page.section(case, found).strip() != committed(case).strip()


@EVERY_CASE
def test_what_is_wrong_says_why_and_what_mends_it_or_that_nothing_does(case):
    told = committed(case)
    if listed(case) in ("unbiased", "unusable"):
        return
    assert re.search(r"^    (cause|mend) ", told, re.MULTILINE)
