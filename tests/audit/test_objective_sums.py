"""Objectives written in quotes: sums of names with factors, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from altpg_verify.audit import audit, bandit, entropy, from_function, kl_to_reference, value
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import OBJECTIVES, objective_named
from altpg_verify.errors import BadInput

ARMS = bandit([1, "1/2", 0], pi=["1/2", "1/4", "1/4"]).against(["1/3", "1/3", "1/3"])


@pytest.mark.parametrize(
    ("text", "objective"),
    [
        ("value", value),
        (" - kl_to_reference", -kl_to_reference),
        ("value + 0.1 * entropy", value + 0.1 * entropy),
        ("value - kl_to_reference / 20", value - 0.05 * kl_to_reference),
        ("value - (1/20) * (kl_to_reference - 2 * entropy)", value + 0.1 * entropy - 0.05 * kl_to_reference),
        ("+3*value-value*1e0", 2 * value),
        ("value*.1--entropy", 0.1 * value + entropy),
        ("1_0 * value / 4", 2.5 * value),
        ("(value + entropy) * (1/2 - 1/4)", 0.25 * value + 0.25 * entropy),
    ],
)  # fmt: skip
def test_it_means_what_one_reads(text, objective):
    found = objective_named(text)
    assert np.allclose(
        found.gradient(ARMS, ["theta"]), objective.gradient(ARMS, ["theta"]), atol=1e-15
    )
    assert abs(found.value(ARMS) - objective.value(ARMS)) < 1e-15


def test_decimals_are_decimals():
    assert objective_named("value + 0.1 * entropy").formula == "V + 1/10·H"

    def with_bonus(reward, score, logprobs):
        return (reward - 0.1 * logprobs) * score

    meant = from_function(with_bonus, space=ARMS, target="value + 0.1 * entropy")
    assert audit(meant, differentiate=False).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "2 + 3",
        "value + 1",
        "value * entropy",
        "1 / value",
        "value ** 2",
        "value if True else entropy",
        "value * True",
        "value * 1e400",
        "value * 1j",
        "value / 0",
        "value()",
        "value.name",
        "__import__('os').getcwd()",
        "value; entropy",
        "value +",
        "-" * 299 + "value",
        "value + " * 60 + "value",
        "value * 9**9**9",
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(BadInput, match="is not known; choose from value"):
        objective_named(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("value + 0.1 * entrpy", r"'entropy'"),
        ("value - 0.1 * kl", r"'kl_to_reference' or 'kl_from_reference'"),
    ],
)
def test_what_was_meant_stands_before_the_list(text, meant):
    with pytest.raises(BadInput, match=rf"is not known \(did you mean {meant}\?\); choose from"):
        objective_named(text)


@given(st.text(max_size=40))
def test_no_text_is_a_traceback(text):
    # none of these letters alone is a name
    with pytest.raises(BadInput) as refused:
        objective_named(text)
    assert "\n" not in str(refused.value)


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(OBJECTIVES)), st.fractions(-5, 5, max_denominator=40)),
        min_size=1,
        max_size=3,
    )
)
def test_every_sum_is_the_one_of_the_objects(terms):
    text = " + ".join(
        f"({factor.numerator})/{factor.denominator} * {name}" for name, factor in terms
    )
    first, *rest = (OBJECTIVES[name] * factor for name, factor in terms)
    by_hand = first
    for each in rest:
        by_hand = by_hand + each
    assert objective_named(text).formula == by_hand.formula
