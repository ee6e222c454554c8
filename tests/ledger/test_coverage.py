"""Every label of the paper's source is claimed, or the reason why not is on file."""

from __future__ import annotations

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.claims.coverage import LABELS, REPEATED, SLIPS, claimed, status

IDS = {claim.id: claim for claim in CLAIMS}
SOURCE = range(76, 1557)
"""The lines of the source from the introduction to the end of the appendices; the references, 320
to 400, claim nothing.
"""


def test_the_copy_has_all_labels_of_the_source_in_order():
    assert len(LABELS) == 144
    assert [label.line for label in LABELS] == sorted(label.line for label in LABELS)


def test_every_label_is_claimed_or_has_a_reason_but_not_both():
    for label in LABELS:
        assert claimed(label, CLAIMS) != bool(label.why), f"{label}: {status(label, CLAIMS)!r}"


def test_every_label_that_a_claim_carries_is_a_label_of_the_source():
    names = {label.name for label in LABELS}
    for claim in CLAIMS:
        if claim.label:
            assert claim.label in names, claim.id
            assert any(claimed(label, [claim]) for label in LABELS), (
                f"{claim.id} carries {claim.label!r} far from where it stands"
            )


def test_every_section_of_the_source_has_claims():
    headings = [label.line for label in LABELS if label.why == "a heading"]
    for start, end in zip(headings, [*headings[1:], SOURCE.stop], strict=True):
        longest = max(
            0,
            *(
                after - before
                for before, after in zip(
                    (start, *_lines(start, end)), (*_lines(start, end), end), strict=True
                )
            ),
        )
        assert longest < 100, f"no claim on {longest} lines after line {start}"


def _lines(start: int, end: int) -> list[int]:
    return [claim.line for claim in CLAIMS if start <= claim.line < end]


def test_claims_stand_in_the_source():
    for claim in CLAIMS:
        assert claim.line in SOURCE, claim.id
        assert claim.line not in range(320, 401), claim.id


def test_repeated_lines_repeat_claims_that_stand_elsewhere():
    for line, claims in REPEATED.items():
        assert claims
        for claim in claims:
            assert IDS[claim].line != line, claim


def test_slips_stand_in_the_source():
    assert list(SLIPS) == sorted(SLIPS)
    assert all(line in SOURCE for line in SLIPS)


def test_a_label_without_claim_or_reason_is_noticed():
    label = next(label for label in LABELS if label.name == "eq: zeta_definition")
    assert status(label, CLAIMS) == "defines zeta"
    label = next(label for label in LABELS if label.name == "eq: KL_relation")
    assert claimed(label, CLAIMS)
    assert not claimed(label, [claim for claim in CLAIMS if claim.label != label.name])
    assert status(label, []) == ""
