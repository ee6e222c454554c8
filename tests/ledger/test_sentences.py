"""Every sentence of the paper's source is judged, or has a reason why it isn't."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.claims.coverage import SLIPS
from altpg_verify.theory.claims.sentences import (
    REASONS,
    digest,
    sentence_counts,
    source_lines,
    table,
    unmapped,
)
from tests.ledger.source_sentences import sentences

IDS = {claim.id: claim for claim in CLAIMS}
ROWS, LINES, COUNTS = table(), source_lines(), sentence_counts()
SOURCE = os.environ.get("ALTPG_SOURCE", "")
"""A copy of the paper's LaTeX source, if there is one; the project itself never reads it."""
MARKUP = re.compile(
    r"\s*(\\(begin|end)\{[^}]*\}(\[[^\]]*\])?(\{[^}]*\})*|\\centering|\\includegraphics.*|\\label\{.*\}|\\hline.*"
    r"|\\(newpage|appendix|onecolumn.*|tableofcontents|medskip|noindent|twocolumn\[|EndIf|EndFor|EndWhile|EndFunction"
    r"|addcontentsline.*|setlength.*)|\}|\]|\\(end|begin)\{(restatable|list)\}.*|\{.*%|%.*|\\item)\s*%?\s*"
)


def test_no_sentence_is_unmapped():
    assert unmapped(ROWS, COUNTS) == []
    assert COUNTS.keys() == LINES.keys()


def test_a_missing_row_is_noticed():
    for line in (166, 829, 1063, 1541):
        assert unmapped([row for row in ROWS if not row.first <= line <= row.last], COUNTS)[0] == (
            line,
            1,
        )


def test_a_missing_sentence_is_noticed():
    # the second half of a paragraph, whose first half is judged
    assert unmapped([row for row in ROWS if (row.first, row.sentences) != (166, (2,))], COUNTS) == [
        (166, 2)
    ]
    assert unmapped([row for row in ROWS if (row.first, row.sentences) != (306, (6,))], COUNTS) == [
        (306, 6)
    ]


def test_rows_speak_of_sentences_that_there_are():
    for row in ROWS:
        assert not row.sentences or row.first == row.last
        assert set(row.sentences) <= set(range(1, COUNTS.get(row.first, 0) + 1)), row


def test_what_a_row_says_is_no_mere_word_for_a_statement():
    assert {row.label for row in ROWS} & {
        "statement",
        "statements",
        "sentence",
        "sentences",
    } == set()


def test_rows_stand_in_the_order_of_the_source_and_say_something():
    places = [(row.first, row.sentences[:1]) for row in ROWS]
    assert places == sorted(places)
    for row in ROWS:
        assert row.first <= row.last
        assert row.label
        assert row.claims or row.reason in REASONS


def test_every_id_is_a_claim():
    for row in ROWS:
        for claim in row.claims:
            assert claim in IDS, f"line {row.first} names {claim!r}"


def test_a_misspelt_id_or_reason_is_noticed():
    wrong = replace(ROWS[0], claims=("transitoin",), reason="")
    assert wrong.claims[0] not in IDS
    assert wrong.claims[0] not in REASONS


def test_every_claim_of_the_paper_is_in_a_row_that_speaks_of_its_line():
    near: dict[str, set[int]] = {}
    for row in ROWS:
        for claim in row.claims:
            near.setdefault(claim, set()).update(range(row.first - 3, row.last + 4))
    for claim in CLAIMS:
        if not claim.corrects and not claim.extension:
            assert claim.line in near.get(claim.id, set()), claim.id


def test_reasons_are_used_and_most_statements_are_judged():
    assert {row.reason for row in ROWS if row.reason} == set(REASONS)
    assert sum(bool(row.claims) for row in ROWS) > 300


def test_slips_stand_on_lines_with_content():
    assert set(SLIPS) <= set(LINES)


@pytest.mark.skipif(
    not Path(SOURCE).is_file(), reason="no copy of the source: set ALTPG_SOURCE to it"
)
def test_the_lines_are_those_of_the_source():
    source = Path(SOURCE).read_text(encoding="utf-8").split("\n")
    assert [number for number, stamp in LINES.items() if digest(source[number - 1]) != stamp] == []
    assert {number: len(sentences(source[number - 1])) for number in LINES} == COUNTS
    body = next(number for number, line in enumerate(source, 1) if r"\begin{document}" in line)
    left_out = [
        line
        for number, line in enumerate(source, 1)
        if number > body and number not in LINES and line.strip()
    ]
    assert [line for line in left_out if not MARKUP.fullmatch(line)] == []
