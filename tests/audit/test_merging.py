"""Whether an update looks at the order of a batch is established, not believed."""

from __future__ import annotations

import math
import re
import time

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.enumeration import Enumeration, multisets, orders_of
from altpg_verify.audit.expected_update import expected, moments, points
from altpg_verify.audit.fixtures import three_arms, two_prompts
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.merging import Order, _distinct
from altpg_verify.errors import BadInput

FOUR = bandit([1, "1/2", "1/3", 0])


def mean(rewards, scores):
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


def first_only(rewards, scores):
    return rewards[0] * scores[0]


def late(rewards, scores):
    """Right, but for one sequence of all."""
    odd = (rewards[:-1] == 1).all() * (rewards[-1] == 0)
    return (rewards[:, None] * scores).mean(axis=0) * (1 + odd)


@pytest.mark.parametrize(("members", "size"), [(1, 3), (3, 1), (3, 4), (5, 2)])
def test_multisets_are_all_there_once(members, size):
    rows = multisets(members, size)
    assert (
        len(rows)
        == math.comb(members + size - 1, size)
        == len({tuple(row) for row in rows.tolist()})
    )
    assert (np.diff(rows, axis=1) >= 0).all()
    space = bandit(list(range(members))).batch(size)
    (part,) = Enumeration(space, merged=True).parts
    numbers = np.arange(part.count)
    assert part.times(numbers).sum() == members**size
    assert part.exact_times(numbers).tolist() == part.times(numbers).tolist()


@pytest.mark.parametrize("size", [170, 171, 300, 1000])
def test_orders_are_counted_where_a_factorial_is_too_large_for_float64(size):
    (part,) = Enumeration(bandit([1, 0]).batch(size), merged=True).parts
    numbers = np.arange(part.count)
    exact = np.array([float(each) for each in part.exact_times(numbers)])
    np.testing.assert_allclose(part.times(numbers), exact, rtol=1e-12)


def test_more_orders_than_float64_holds_are_refused_in_one_sentence():
    (part,) = Enumeration(bandit([1, 0]).batch(1100), merged=True).parts
    with pytest.raises(BadInput, match=r"1100 members .* take fewer, or samples="):
        part.times(np.arange(part.count))


@pytest.mark.parametrize("kind", ["swap", "rotation", "shuffle"])
def test_orders_stay_within_their_groups(kind):
    indices = np.array([[0, 1, 2, 7, 8, 9]] * 50)
    moved = orders_of(indices, [3, 3], kind)
    assert (np.sort(moved[:, :3], axis=1) == indices[:, :3]).all()
    assert (np.sort(moved[:, 3:], axis=1) == indices[:, 3:]).all()
    assert (moved != indices).any()


def test_multisets_stand_for_sequences_where_every_sequence_was_compared():
    found = audit(from_function(mean, space=FOUR.batch(8)))
    assert found.kind is Kind.SCALED
    assert found.draws == 165
    assert "165 multisets stand for 65,536 sequences: each of the 65,536 sequences" in found.run[0]


def test_one_odd_sequence_among_4096_is_seen():
    found = audit(from_function(late, space=FOUR.batch(6)), differentiate=False)
    assert found.draws == 4096
    assert found.kind is not Kind.UNBIASED


def test_a_declaration_is_not_believed():
    with pytest.raises(
        BadInput,
        match=r"looks at the order of its draws: actions .* give .*; leave exchangeable=True out",
    ):
        audit(from_function(first_only, space=three_arms().batch(2, exchangeable=True)))


def test_a_group_too_large_for_sequences_is_an_ordinary_input():
    space = bandit([[(0, "1/2"), (1, "1/2")]] * 2, name="two coins").batch(16)
    found = audit(from_function(mean, space=space), differentiate=False)
    assert found.draws == 969
    assert "≈" not in found.sentence
    assert (
        "with two members exchanged and with all rotated, and in an order drawn at random"
        in found.run[0]
    )


def test_an_update_that_looks_at_the_order_of_too_many_draws_is_refused():
    with pytest.raises(
        BadInput, match="one by one, since the update looks at the order of its draws"
    ):
        audit(from_function(first_only, space=bandit(list(range(8))).batch(12)))


def test_both_enumerations_give_the_same_expectation():
    for space in (
        three_arms().batch(4),
        two_prompts().group(3),
        two_prompts().group(2, every_start=True),
    ):
        flat = from_function(
            lambda rewards, scores: np.tensordot(rewards, scores, rewards.ndim), space=space
        )
        merged = (
            flat.on(
                space.group(space.size, every_start=space.scheme == "groups", exchangeable=True)
            )
            if space.scheme != "batch"
            else None
        )
        merged = merged or flat.on(space.batch(space.size, exchangeable=True))
        np.testing.assert_allclose(expected(flat), expected(merged), rtol=1e-13, atol=1e-15)


# a second way in which an order may be hidden; depth
@pytest.mark.slow
def test_an_order_that_vanishes_at_the_uniform_policy_is_seen():
    """At the point of the audit all log-probabilities are equal, so that the weights by position
    multiply zeros.
    """

    def by_position(rewards, logprobs, scores):
        tilt = np.arange(8.0) * (logprobs - logprobs.mean())
        return ((rewards + tilt)[:, None] * scores).mean(axis=0)

    found = audit(from_function(by_position, space=FOUR.batch(8)), differentiate=False)
    assert found.draws == 65_536
    assert found.kind is not Kind.UNBIASED


@pytest.mark.thorough
def test_draws_that_are_kept_by_their_order_are_not_merged():
    first_arm = FOUR.batch(8).keeping(lambda draw: bool(draw["actions"][0] == 0))
    found = audit(from_function(mean, space=first_arm), differentiate=False)
    assert found.draws == 4**7


def tiny(rewards, scores):
    return 1e-25 * rewards[0] * scores[0]


COINS = bandit([[(0, "1/2"), (1, "1/2")]] * 2)


def looks_at_the_order(function):
    """Every sequence is compared where they are few, and a few orders of each multiset where they
    are many.
    """
    for space in (FOUR.batch(3, exchangeable=True), COINS.batch(9, exchangeable=True)):
        with pytest.raises(BadInput, match="looks at the order of its draws"):
            audit(from_function(function, space=space), differentiate=False)
    return True


def test_an_order_is_seen_however_small_the_update_is():
    assert looks_at_the_order(tiny)


def small_beside_large(rewards, scores):
    """The order shows in the eighth digit of all draws but the largest."""
    large = (rewards == 1).all()
    return (
        (rewards * scores.T).mean(axis=1)
        * np.where(large, 1e5, 1.0)
        * (1 + 1e-7 * (rewards[0] - rewards[-1]) * (1 - large))
    )


def test_a_small_draw_is_compared_as_what_it_is_and_not_beside_the_largest():
    assert looks_at_the_order(small_beside_large)


def test_two_orders_that_differ_are_shown_with_what_they_give():
    with pytest.raises(BadInput) as caught:
        audit(from_function(first_only, space=bandit([1, 2, 4]).batch(2, exchangeable=True)))
    reported = re.findall(
        r"actions \[(\d), (\d)\], rewards \((\d), (\d)\) give \(([^)]*)\)", str(caught.value)
    )
    assert len(reported) == 2
    (*one, gives), (*other, gives_other) = reported
    assert one[:2] == other[1::-1]
    assert (
        [int(reward) for reward in one[2:]]
        == [int(reward) for reward in other[:1:-1]]
        == [2 ** int(a) for a in one[:2]]
    )
    assert gives != gives_other


def test_choices_of_the_update_are_merged_each_by_itself():
    def kept(rewards, scores, keep):
        return keep * ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)

    found = audit(
        from_function(
            kept, space=FOUR.batch(3, exchangeable=True), choices={"keep": [(0, "1/2"), (2, "1/2")]}
        ),
        differentiate=False,
    )
    assert found.kind is Kind.SCALED
    assert found.draws == 2 * 20


@pytest.mark.parametrize(
    ("below", "columns"), [(1, 5), (2, 61), (2, 62), (4, 30), (4, 31), (7, 22), (10, 3), (3, 200)]
)
def test_rows_are_told_apart_alike_as_whole_numbers_and_as_rows(below, columns):
    random = np.random.default_rng(0)
    rows = np.sort(random.integers(0, below, (60, columns)), axis=1)
    # neighbours that differ in the first or the last place only
    rows = np.concatenate(
        [rows, rows[:20], np.full((1, columns), below - 1), np.zeros((1, columns), dtype=int)]
    )
    rows[3, 0] = rows[3, -1] = below - 1
    first, kind = _distinct(rows, below)
    assert np.array_equal(rows[first][kind], rows)
    assert len(first) == len(np.unique(rows, axis=0))


def ends(rewards, scores):
    """Looks at the order of the first and the last member only."""
    return (rewards[:, None] * scores).mean(axis=0) * (1 + 0.5 * (rewards[0] > rewards[-1]))


def every_other(rewards, scores):
    """Members in even places count twice."""
    weights = np.where(np.arange(len(rewards)) % 2, 1.0, 2.0)
    return (weights[:, None] * rewards[:, None] * scores).mean(axis=0)


def but_for_one(rewards, scores):
    """The middle may be in any order, but for one sequence of all."""
    odd = (rewards[1:-2] == 1).all() * (rewards[-2] == 0) * (rewards[0] == 0)
    return ends(rewards, scores) * (1 + odd)


def chosen_first(rewards, scores, k):
    """A declared choice tells which member is left out."""
    return (rewards[:, None] * scores * (np.arange(len(rewards)) != k)[:, None]).mean(axis=0)


@pytest.mark.parametrize(
    ("function", "draws", "said"),
    [
        (ends, 4 * 4 * math.comb(9, 3), "members 2, 3, 4, 5, 6, 7 in any order"),
        (every_other, math.comb(7, 3) ** 2, "members 1, 3, 5, 7 and those of 2, 4, 6, 8 in any"),
        (first_only, 4 * math.comb(10, 3), "members 2, 3, 4, 5, 6, 7, 8 in any order"),
        (but_for_one, 4**3 * math.comb(8, 3), "members 2, 3, 4, 5, 6 in any order"),
    ],
)
def test_an_update_that_looks_at_some_members_runs_once_for_all_orders_of_the_others(
    function, draws, said
):
    made = from_function(function, space=FOUR.batch(8))
    assert made.program.order.enumeration.count == draws
    assert said in made.program.order.sentence
    sequences = from_function(function, space=FOUR.batch(8))
    sequences.program.__dict__["order"] = Order(Enumeration(FOUR.batch(8)))
    for place in points(made.space, 3):
        one, other = moments(made, place), moments(sequences, place)
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-12, atol=1e-15)
        assert one.trace == pytest.approx(other.trace, rel=1e-12)


def test_what_a_choice_leaves_out_keeps_its_place():
    made = from_function(chosen_first, space=FOUR.batch(7), choices={"k": [(0, "1/2"), (3, "1/2")]})
    assert "members 1, 4 and those of 2, 3, 5, 6, 7 in any order" not in made.program.order.sentence
    assert "members 2, 3, 5, 6, 7 in any order" in made.program.order.sentence


def test_members_of_groups_of_every_start_change_places_within_their_group():
    space = two_prompts().group(4, every_start=True)
    rng = np.random.default_rng(0)
    alike = ((0,), (1, 2, 3))
    some, every = Enumeration(space, alike=alike), Enumeration(space)
    table = rng.random(len(space.episodes))

    def total(enumeration):
        (part,) = enumeration.parts
        numbers = np.arange(part.count)
        indices = part.indices(numbers)
        values = table[indices[:, 0]] * table[indices[:, 4]] ** 2 * table[indices].sum(axis=1)
        return part.times(numbers) @ values, sum(part.exact_times(numbers))

    assert total(some)[0] == pytest.approx(total(every)[0], rel=1e-12)
    assert total(some)[1] == total(every)[1]
    assert some.count < every.count


def test_an_update_to_which_every_place_matters_keeps_its_sequences():
    def by_place(rewards, scores):
        return (np.arange(8.0)[:, None] * rewards[:, None] * scores).mean(axis=0)

    order = from_function(by_place, space=FOUR.batch(8)).program.order
    assert (order.enumeration.count, order.sentence) == (4**8, "")


def counted_by_one(rewards, scores):
    """Can't be run on many draws at once."""
    return (rewards[:, None] * scores).mean(axis=0) * (1.0 if float(rewards.mean()) > 0.41 else 2.0)


def test_what_runs_on_one_draw_at_a_time_is_merged_from_fewer_sequences_on():
    made = from_function(counted_by_one, space=FOUR.batch(5))
    assert made.program.order.enumeration.count == math.comb(8, 5)
    assert made.program.mode == "single"
    few = from_function(counted_by_one, space=FOUR.batch(4))
    assert few.program.order.enumeration.count == 4**4
    odd = from_function(
        lambda rewards, scores: counted_by_one(rewards, scores) * (1 + (rewards[0] > rewards[1])),
        space=FOUR.batch(6),
    )
    assert odd.program.order.enumeration.count == 4 * 4 * math.comb(7, 4)
    together = from_function(mean, space=FOUR.batch(5))
    assert together.program.order.enumeration.count == 4**5


@pytest.mark.thorough
def test_a_budget_ends_where_orders_are_compared():
    def sleeping(rewards, scores):
        time.sleep(0.002)
        return counted_by_one(rewards, scores)

    begin = time.perf_counter()
    found = audit(from_function(sleeping, space=FOUR.batch(8)), budget=0.5)
    assert found.kind is Kind.UNDECIDED
    assert time.perf_counter() - begin < 30
    assert "of about 65,536 evaluations" in found.evidence


@pytest.mark.parametrize(
    ("space", "alike"),
    [
        (three_arms().batch(8), ((0,), (1, 2, 3, 4, 5, 6, 7))),
        (two_prompts().group(7, every_start=True), ((0,), (1, 2, 3, 4, 5, 6))),
        (bandit([1, "1/2", 0, "1/4"]).batch(7), ((0,), (1, 2, 3, 4, 5, 6))),
        # the first action has no probability in float64, and its sequences no update
        (bandit([1, "1/2", 0, "1/4"], theta=[-800, 0, 0, 0]).batch(7), ((0,), (1, 2, 3, 4, 5, 6))),
    ],
    ids=str,
)
def test_members_that_may_change_places_are_found_by_their_numbers(space, alike):
    def first_counts_more(rewards, scores):
        weights = 1.0 + (np.arange(rewards.shape[-1]) == 0)
        spread = (weights * rewards).reshape(rewards.shape + (1,) * (scores.ndim - rewards.ndim))
        return (spread * scores).sum(axis=tuple(range(rewards.ndim)))

    order = from_function(first_counts_more, space=space).program.order
    assert order.enumeration.alike == alike
