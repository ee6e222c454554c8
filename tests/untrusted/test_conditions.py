"""Conditions that are no branches, and went one way only, are found: in `where`, in masks, at the
limits of clamps.
"""

from __future__ import annotations

import functools
import operator

import numpy as np
import pytest

from altpg_verify.untrusted.conditions import LONGEST, Conditions
from altpg_verify.untrusted.lines import Unrun


def seen(function, draws, *, constant=False, roots=None):
    """The words of what went one way only, without their lines."""
    conditions = Conditions(roots or [function])
    with conditions:
        for draw in draws:
            function(draw)
    return [words.partition(": ")[2] for *_, words in conditions.one_way(constant=constant)]


def where(x):
    return np.where(x > 5, 0, x)


def of_two(x):
    return np.where((x > 0) & (x > 1), 0, x) + np.where((x > 0) & (x < -1), 0, x)


def factor(x):
    return (x > 5) * x


def by_method(x):
    return x[np.greater(x, 5)]


def by_operator(x):
    return functools.reduce(operator.add, [operator.gt(x, 5), 0])


def by_dunder(x):
    return x.__gt__(5) * x


def nested(x):
    return sum((lambda each: (each > 5) * each)(each) for each in x)


def comprehended(x):
    return [(each > 5) * each for each in x]


def limits(x):
    return np.clip(x, -3, 5)


def limits_by_method(x):
    return x.clip(max=5)


def smaller(x):
    return np.minimum(x, 5)


def smaller_of_python(x):
    return min(x[0], 5)


def positive(x):
    return np.abs(x + 10)


def whole(x):
    return x // 100


def remainder(x):
    return x % 100


def floor(x):
    return np.floor(x / 100)


def shifted(x):
    return (x.astype(int) >> 20).sum() + x


def saturated(x):
    return 2 + np.tanh(1e3 * (x - 50)) + x


def absorbed(x):
    return (x + 1e17) - 1e17


def powers(x):
    return (abs(x) / 100) ** 1e6


def by_type(x):
    return (x / 1e3).astype(int)


def largest(x):
    return np.argmax([x[0], 50.0])


DRAWS = [np.arange(-2.0, 2.0), np.arange(0.0, 4.0)]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (where, ["`x > 5` was never true"]),
        (of_two, ["`(x > 0) & (x < -1)` was never true"]),
        (factor, ["`x > 5` was never true"]),
        (by_method, ["`np.greater(x, 5)` was never true"]),
        (by_operator, ["`operator.gt(x, 5)` was never true"]),
        (by_dunder, ["`x.__gt__(5)` was never true"]),
        (nested, ["`each > 5` was never true"]),
        (comprehended, ["`each > 5` was never true"]),
        (
            limits,
            ["`np.clip(x, -3, 5)` was never limited from below and was never limited from above"],
        ),
        (limits_by_method, ["`x.clip(max=5)` was never limited from above"]),
        (smaller, ["`np.minimum(x, 5)` was never its second argument"]),
        (smaller_of_python, ["`min(x[0], 5)` was never its second argument"]),
        (positive, ["`np.abs(x + 10)` never met a negative number"]),
        (remainder, []),
        (whole, []),
        (floor, []),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_went_one_way_only_is_named(function, words):
    assert seen(function, DRAWS) == words


@pytest.mark.parametrize(
    "function",
    [whole, remainder, floor, shifted, saturated, absorbed, powers, by_type, largest],
    ids=lambda each: each.__name__,
)
def test_a_step_that_is_never_taken_is_named(function):
    found = seen(function, DRAWS[1:] if function in (whole, remainder, floor, shifted) else DRAWS)
    assert any(words.endswith("gave the same number in every draw") for words in found)


def shapes_and_sums(x):
    shifted = x - x.mean()
    total = x[0] + (1 - x[0])
    return np.zeros_like(x, dtype=int) + x.size + len(x) + shifted + total + np.exp(x) + x**2


def test_what_only_counts_entries_or_adds_up_is_not_named():
    assert seen(shapes_and_sums, [np.array([0.25, 0.5]), np.array([0.125, 0.75])]) == []


@pytest.mark.parametrize(
    "function",
    [where, factor, by_method, by_operator, by_dunder, nested, comprehended, smaller, positive],
    ids=lambda each: each.__name__,
)
def test_what_went_both_ways_is_not_named(function):
    assert seen(function, [*DRAWS, np.array([-50.0, 50.0])]) == []


def test_what_is_always_asked_of_the_same_is_told_apart():
    draws = [np.ones(3)] * 3
    assert seen(where, draws) == []
    assert seen(where, draws, constant=True) == ["`x > 5` was never true"]


def test_rounding_is_no_variation():
    draws = [np.ones(3), np.ones(3) + 1e-15, np.ones(3) - 1e-15]
    assert seen(limits, draws) == []


def branches(x):
    if x.sum() > 100:
        return x
    return 2 if x[0] > 100 and x[1] > 100 else x


def test_branches_are_left_to_lines_and_branches():
    assert seen(branches, DRAWS) == []


class Holder:
    """Names of its own, a base, and a value that a method closes over."""

    def __init__(self):
        self.__limit = 5

    def ask(self, x):
        assert super().__init__() is None
        return (x > self.__limit) * x


def test_methods_keep_their_private_names_and_their_base():
    holder = Holder()
    assert seen(holder.ask, DRAWS, roots=[Holder.ask]) == ["`x > self.__limit` was never true"]


def test_what_is_closed_over_keeps_its_value():
    limit = 5

    def closed(x):
        return (x > limit) * x

    assert seen(closed, DRAWS) == ["`x > limit` was never true"]
    assert closed(np.array([7.0])) == 7


def test_the_code_is_put_back_also_after_an_exception():
    def raising(x):
        return (x > 5) / x["nothing"]

    code = raising.__code__
    conditions = Conditions([raising])

    def watched():
        with conditions:
            assert raising.__code__ is not code
            raising(np.ones(2))

    with pytest.raises(IndexError):
        watched()
    assert raising.__code__ is code


def test_answers_are_those_of_the_function():
    for function in (where, of_two, factor, nested, limits, smaller, positive):
        conditions = Conditions([function])
        for draw in DRAWS:
            with conditions:
                watched = function(draw)
            assert np.array_equal(watched, function(draw))


def test_a_function_without_a_source_says_nothing():
    space = {}
    exec("def hidden(x): return (x > 5) * x", space)
    assert Conditions([space["hidden"]]).sites == 0


def test_torch_is_read_too():
    torch = pytest.importorskip("torch")

    def loss(x):
        leaf = torch.tensor(x, requires_grad=True)
        return (torch.where(leaf > 5, 0.0, leaf).clamp(min=-3) * leaf.gt(50)).sum().backward()

    assert seen(loss, DRAWS) == [
        "`torch.where(leaf > 5, 0.0, leaf).clamp(min=-3)` was never limited from below",
        "`leaf > 5` was never true",
        "`leaf.gt(50)` was never true",
    ]


def test_jax_is_read_within_its_gradients():
    jax = pytest.importorskip("jax")

    def loss(x):
        return (jax.numpy.where(x > 5, 0.0, x) * (x > -50)).sum()

    assert seen(lambda x: jax.grad(loss)(x), DRAWS, roots=[loss]) == [
        "`x > 5` was never true",
        "`x > -50` was never false",
    ]


def test_they_stand_beside_lines_that_never_ran():
    found = Unrun((3,), (), "mine.py").also(
        [("mine.py", 5, 0, "line 5: `x > 5` was never true"), ("other.py", 2, 0, "line 2: `y`")],
        "in 100 draws",
    )
    assert str(found) == (
        "line 3 never ran; line 5: `x > 5` was never true in 100 draws; other.py, line 2: `y` in"
        " 100 draws"
    )


def at_policies(function, every):
    """Words of what went one way only at two policies, of three draws each."""
    conditions = Conditions([function])
    for place, p in enumerate((0.25, 0.5)):
        conditions.where.place = place
        with conditions:
            for length in (1, 2, 3):
                function(p, length)
    return [words.partition(": ")[2] for *_, words in conditions.one_way(every=every)]


def test_what_hangs_on_no_policy_is_known_once_all_draws_have_run():
    def mine(p, length):
        return p / max(length, 1) + (length > 5) * p + ((length > 6) & (length > 7)) * p

    assert at_policies(mine, every=True) == []
    assert len(at_policies(mine, every=False)) == 4


def test_what_hangs_on_the_policy_is_not():
    def mine(p, length):
        over = p * length > 5
        return min(p * length, 9) + over * p + (over & (length > 0)) * p

    assert at_policies(mine, every=True) == [
        "`p * length > 5` was never true",
        "`min(p * length, 9)` was never its second argument",
        "`over & (length > 0)` was never true",
    ]


def test_nor_is_what_is_lost_beside_something_huge():
    def mine(p, length):
        return p * length > 1e30

    assert at_policies(mine, every=True) == ["`p * length > 1e+30` was never true"]


def test_one_policy_says_nothing_of_others():
    def mine(p, length):
        return (length > 5) * p

    conditions = Conditions([mine])
    conditions.where.place = 0
    with conditions:
        for length in (1, 2):
            mine(0.5, length)
    assert len(conditions.one_way(every=True)) == 1


def test_at_some_policies_fewer_draws_can_happen():
    def mine(p, length):
        return (length > 5) * p

    conditions = Conditions([mine])
    for place, lengths in enumerate([(1, 2), (1,), (1, 2, 3)]):
        conditions.where.place = place
        with conditions:
            for length in lengths:
                mine(0.5, length)
    assert conditions.one_way(every=True) == []
    conditions.where.place = 3
    with conditions:
        mine(0.5, 4)
    assert len(conditions.one_way(every=True)) == 1


def test_a_limit_that_hangs_on_the_policy_is_not_known_either():
    def mine(p, length):
        return np.clip(length, 0, 10 / p)

    assert at_policies(mine, every=True) == [
        "`np.clip(length, 0, 10 / p)` was never limited from below and was never limited from above"
    ]


def not_finite(x):
    return np.nan_to_num(x)


def signed(x):
    return np.copysign(1.0, x + 10)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (not_finite, ["`np.nan_to_num(x)` was never false"]),
        (signed, ["`np.copysign(1.0, x + 10)` never met a negative number"]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_signs_and_numbers_that_are_not_finite(function, words):
    assert seen(function, DRAWS) == words
    assert seen(function, [*DRAWS, np.array([-50.0, np.nan])]) == []


def test_the_sign_of_small_numbers():
    def mine(x):
        return np.copysign(1.0, x / 8)

    assert seen(mine, DRAWS) == []
    assert seen(mine, DRAWS[1:] * 2) == ["`np.copysign(1.0, x / 8)` never met a negative number"]


def test_what_a_number_is_divided_by_decides_as_well():
    def mine(x):
        return 1 // (x + 9)

    assert seen(mine, DRAWS) == ["`1 // (x + 9)` gave the same number in every draw"]


def test_a_number_is_lost_on_either_side_of_a_sum():
    def mine(x):
        return (1e17 + x) + (x + 1e17) + (x[:0] + x[0]).sum()

    assert len(seen(mine, DRAWS)) == 2


def test_a_threshold_of_torch():
    torch = pytest.importorskip("torch")

    def mine(x):
        return torch.nn.functional.threshold(torch.tensor(x), 5.0, 0.0)

    (words,) = seen(mine, DRAWS)
    assert words.endswith("was never above its threshold")
    assert seen(mine, [*DRAWS, np.array([50.0])]) == []


def test_float32_is_rounded_more_coarsely():
    def mine(x):
        return np.clip(x, 0.8, 1.2)

    draws = [np.ones(3), np.ones(3) * (1 + 1e-6)]
    assert seen(mine, [draw.astype(np.float32) for draw in draws]) == []
    assert seen(mine, draws) == [
        "`np.clip(x, 0.8, 1.2)` was never limited from below and was never limited from above"
    ]


def test_numbers_that_are_all_beyond_a_limit_were_never_within():
    def mine(x):
        return np.clip(x, 100, 200)

    assert seen(mine, DRAWS) == [
        "`np.clip(x, 100, 200)` was never limited from above and was always limited"
    ]


def test_of_three_the_one_that_never_wins_is_named():
    def mine(x):
        return max(x[0], x[1], 1e9) + min(x[0], -1e9)

    assert seen(mine, DRAWS) == [
        "`max(x[0], x[1], 1000000000.0)` was never its first argument and was never its second"
        " argument",
        "`min(x[0], -1000000000.0)` was never its first argument",
    ]


def test_the_smallest_of_three():
    def mine(x):
        return min(x[0], x[1], 1e9)

    assert seen(mine, [*DRAWS, np.array([3.0, 2.0])]) == [
        "`min(x[0], x[1], 1000000000.0)` was never its third argument"
    ]


def test_an_axis_is_no_second_number():
    def mine(x):
        return np.max(x + 10, 0) + (x + 10).max(0) + np.maximum(x, 0).sum()

    assert seen(mine, DRAWS) == []


def test_ties_are_neither():
    def mine(x):
        return np.minimum(x, x) + np.minimum(x, x * (1 + 1e-12))

    assert seen(mine, [np.array([1.0, 2.0]), np.array([3.0, 4.0])]) == [
        "`np.minimum(x, x * (1 + 1e-12))` was never its first argument and was never its second"
        " argument"
    ]


def test_texts_that_differ_vary():
    def mine(x):
        return (("a" if x[0] < 0 else "b") == "c") * x

    assert seen(mine, DRAWS) == ["`('a' if x[0] < 0 else 'b') == 'c'` was never true"]


def test_long_expressions_are_cut():
    def mine(x):
        return (x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x > 5e9) * x

    (words,) = seen(mine, DRAWS)
    text = words.removesuffix(" was never true").strip("`")
    assert len(text) == LONGEST
    assert text.endswith("...")


def test_of_joined_truths_in_one_file_the_inner_one_is_named():
    def mine(x):
        return (x > 5).any() + ((x > 6) & (x > -9)).all()

    assert seen(mine, DRAWS) == [
        "`x > 5` was never true",
        "`x > 6` was never true",
        "`x > -9` was never false",
    ]


def test_a_function_of_somebodys_own_called_clip_decides_nothing():
    def clip(x, low):
        return x

    def mine(x):
        return clip(x, -100)

    assert seen(mine, DRAWS) == []


def test_what_answers_by_who_calls_it_is_left_alone():
    def mine(x):
        here = x
        return locals()["here"] is here and sorted(vars()) == ["here", "x"]

    conditions = Conditions([mine])
    with conditions:
        assert mine(DRAWS[0])


def test_arguments_by_name_and_by_keyword_alone():
    def mine(x, *, low=-100):
        return np.clip(a=x, a_min=low, a_max=None)

    assert seen(mine, DRAWS) == [
        "`np.clip(a=x, a_min=low, a_max=None)` was never limited from below"
    ]


def test_counts_can_be_left_out():
    def mine(x):
        return x / max(len(x) + x[0], -9) + np.clip(x * 0.3, -5, 5)

    conditions = Conditions([mine])
    with conditions:
        for draw in DRAWS:
            mine(draw)
    (found,) = conditions.one_way(counts=False)
    assert "`np.clip(x * 0.3, -5, 5)`" in found[3]
    assert len(conditions.one_way()) == 2


def only_the_first_of_what_is_joined(x):
    return ((x > 5) & (x > -9)) * x


def test_of_truth_values_that_are_joined_the_first_one_is_enough():
    assert seen(only_the_first_of_what_is_joined, DRAWS) == [
        "`x > 5` was never true",
        "`x > -9` was never false",
    ]


def test_telling_is_one_of_them_not_all():
    def mine(x):
        return ((x > 5) + (x > x + 1)) * x

    conditions = Conditions([mine])
    with conditions:
        mine(np.ones(2))
        mine(np.ones(2))
        assert not conditions.telling
        mine(np.ones(2) / 2)
    assert conditions.telling


def test_an_expression_is_cut_to_its_longest():
    def fits(x):
        return x > 55555555555555555555555555555555555555555555555555555555

    def cut(x):
        return x > 555555555555555555555555555555555555555555555555555555555

    (whole,), (part,) = seen(fits, DRAWS), seen(cut, DRAWS)
    assert whole.split("`")[1] == f"x > {'5' * (LONGEST - 4)}"
    assert part.split("`")[1] == f"x > {'5' * (LONGEST - 7)}..."


def test_both_sides_may_vary_together():
    def mine(x):
        return x + 1 > x

    assert seen(mine, DRAWS) == []


def test_truth_values_times_numbers_are_no_truth_values():
    def mine(draw):
        return draw[0] * draw[1]

    assert (
        seen(mine, [(np.array([True]), np.array([1.0])), (np.array([True]), np.ones(1) * 2)]) == []
    )


def test_the_smaller_of_two_truth_values():
    def mine(draw):
        return np.minimum(draw[0], draw[1])

    always, sometimes = np.array([True, True]), np.array([True, False])
    (words,) = seen(mine, [(always, sometimes), (always, always), (always, ~sometimes)])
    assert words == "`np.minimum(draw[0], draw[1])` was never its first argument"


def test_limits_by_their_names():
    def mine(x):
        return np.clip(a=x, a_min=-3, a_max=5)

    assert len(seen(mine, DRAWS)) == 1


def test_a_number_at_its_limit_is_within():
    def mine(x):
        return np.clip(x, -1, 1)

    draws = [np.array([-3.0, 1, 3]), np.array([-4.0, 1, 4])]
    assert seen(mine, draws) == []
    assert seen(mine, [-draw for draw in draws]) == []


class Own:
    """Methods that are called as those of libraries are."""

    def clip(self, x):
        return x

    @staticmethod
    def relu(x):
        return x

    def __ask(self, x):
        return x > 5

    def private(self, x):
        return self.__ask(x) + (x > 7)


def test_what_is_somebodys_own_is_looked_into_by_itself():
    own = Own()

    def mine(x):
        return own.clip(x) + own.relu(x)

    assert seen(mine, DRAWS) == []


def test_what_is_compared_with_something_huge_varies_all_the_same():
    def mine(x):
        return (x > 1e30) * x + np.minimum(x, 1e30) + max(x[0], -1e30)

    assert seen(mine, DRAWS) == [
        "`x > 1e+30` was never true",
        "`np.minimum(x, 1e+30)` was never its second argument",
        "`max(x[0], -1e+30)` was never its second argument",
    ]


def test_the_largest_of_numbers_that_are_always_the_same_asks_nothing():
    def mine(x):
        return x + max(1.0, 2.0) + max(1.0, 3.0, 3.0) + np.minimum(1.0, 1e-8)

    assert seen(mine, DRAWS) == []


def test_an_infinite_limit_is_none():
    def mine(x):
        return np.clip(x, -np.inf, np.inf) + np.minimum(x, np.inf) + max(x[0], -np.inf)

    assert seen(mine, DRAWS) == []
    assert seen(lambda x: np.clip(x, -1, np.inf), DRAWS) == []


def test_a_number_that_may_overflow_is_asked_about():
    def mine(x):
        return np.where(np.exp(150 * x) == np.inf, 0, x)

    assert "`np.exp(150 * x) == np.inf` was never true" in seen(mine, DRAWS)


def test_private_methods_are_called_beside_what_is_observed():
    assert seen(Own().private, DRAWS, roots=[Own.private]) == ["`x > 7` was never true"]


def test_annotations_stay_what_they_are(tmp_path, monkeypatch):
    (tmp_path / "annotated_program.py").write_text(
        "def mine(x):\n"
        "    def inner(y: float): return y\n"
        "    return (x > 5) * x, inner.__annotations__\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import annotated_program  # type: ignore[import-not-found]

    with Conditions([annotated_program.mine]):
        assert annotated_program.mine(np.ones(1))[1] == {"y": float}


def test_modules_of_torch_are_what_they_stand_for():
    torch = pytest.importorskip("torch")
    limit, level, rises = (torch.nn.Hardtanh(-3, 5), torch.nn.Threshold(5, 0), torch.nn.LeakyReLU())

    def mine(x):
        x = torch.tensor(x)
        return limit(x) + level(x) + rises(x + 10)

    assert seen(mine, DRAWS) == [
        "`limit(x)` was never limited from below and was never limited from above",
        "`level(x)` was never above its threshold",
        "`rises(x + 10)` never met a negative number",
    ]
    assert seen(mine, [*DRAWS, np.array([-50.0, 50.0])]) == []


def test_losses_that_are_quadratic_up_to_a_distance():
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional

    def mine(x):
        x = torch.tensor(x)
        return functional.huber_loss(x, 0 * x, delta=9.0) + functional.smooth_l1_loss(x / 2, 0 * x)

    assert seen(mine, DRAWS) == [
        "`functional.huber_loss(x, 0 * x, delta=9.0)` was never above its threshold"
    ]
    assert len(seen(mine, [draw / 4 for draw in DRAWS])) == 2


def test_a_norm_that_was_never_limited():
    torch = pytest.importorskip("torch")

    def mine(x):
        leaf = torch.zeros(2, requires_grad=True)
        (leaf * torch.tensor(x[:2])).sum().backward()
        torch.nn.utils.clip_grad_norm_([leaf], 9.0)
        torch.nn.utils.clip_grad_norm_(iter([leaf]), max_norm=1.0)
        return leaf.grad

    draws = [np.array([0.5, 0.0]), np.array([0.25, 0.0])]
    words = [
        "`torch.nn.utils.clip_grad_norm_([leaf], 9.0)` was never above its threshold",
        "`torch.nn.utils.clip_grad_norm_(iter([leaf]), max_norm=1.0)` was never above its threshold",
    ]
    assert seen(mine, [*draws, *DRAWS]) == words[:1]
    assert [each[:40] for each in seen(mine, draws)] == [each[:40] for each in words]
