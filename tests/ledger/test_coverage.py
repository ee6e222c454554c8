"""Every label of the paper's source is claimed, or the reason why not is on file."""

from __future__ import annotations

from theory.claims import CLAIMS
from theory.claims.coverage import LABELS, LATER, REPEATED, claimed, status

IDS = {claim.id: claim for claim in CLAIMS}
ENTERED = (range(76, 202), range(223, 266), range(406, 843), range(904, 1086), range(1187, 1199), range(1329, 1339))
"""Lines of the source whose every claim is in the ledger."""


def test_the_copy_has_all_labels_of_the_source_in_order():
    assert len(LABELS) == 144
    assert [label.line for label in LABELS] == sorted(label.line for label in LABELS)


def test_every_label_is_claimed_or_has_a_reason_but_not_both():
    for label in LABELS:
        assert claimed(label, CLAIMS) != bool(label.why), f"{label}: {status(label, CLAIMS)!r}"


def test_nothing_in_an_entered_part_is_put_off():
    for label in LABELS:
        if any(label.line in part for part in ENTERED):
            assert label.why != LATER, label


def test_every_label_that_a_claim_carries_is_a_label_of_the_source():
    names = {label.name for label in LABELS}
    for claim in CLAIMS:
        if claim.label:
            assert claim.label in names, claim.id
            assert any(claimed(label, [claim]) for label in LABELS), f"{claim.id} carries {claim.label!r} far from where it stands"


def test_claims_stand_in_entered_parts():
    for claim in CLAIMS:
        assert any(claim.line in part for part in ENTERED), claim.id


def test_repeated_lines_repeat_claims_that_stand_elsewhere():
    for line, claims in REPEATED.items():
        assert claims
        for claim in claims:
            assert IDS[claim].line != line, claim


def test_a_label_without_claim_or_reason_is_noticed():
    label = next(label for label in LABELS if label.name == "eq: zeta_definition")
    assert status(label, CLAIMS) == "defines zeta"
    label = next(label for label in LABELS if label.name == "eq: KL_relation")
    assert claimed(label, CLAIMS)
    assert not claimed(label, [claim for claim in CLAIMS if claim.label != label.name])
    assert status(label, []) == ""
