"""The pseudocode as printed: which lines can't be carried out, and what the rest does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from altpg_verify.judging import Verdict
from altpg_verify.ledger_building import collect
from altpg_verify.sim.large import evidence, printed_algorithms
from altpg_verify.sim.large.evidence import doubles, every_real_key, printed_updates, visits
from altpg_verify.sim.large.printed_algorithms import Fault, nil
from altpg_verify.sim.large.reference import ReferenceTree
from altpg_verify.theory.claims import CLAIMS


def two(theta) -> Fraction:
    return Fraction(2) ** theta


def test_building_works_for_odd_lists_whose_halves_are_odd_or_empty():
    head = printed_algorithms.full_procedure("abc", [0, 1, 2], two, min)
    assert (head.act, head.left.act, head.right.act) == ("b", "a", "c")
    assert (head.val, head.agg, head.left.agg) == (2, 1, 0)
    assert head.p is nil
    assert head.left.p is head
    assert head.left.left is nil


@pytest.mark.parametrize("n", [2, 4, 5, 6, 10])
def test_building_stops_at_an_even_list(n):
    with pytest.raises(Fault, match=r"has no entry \d+/2"):
        printed_algorithms.full_procedure(range(n), [0] * n, two, max)


def test_selecting_is_right_as_printed():
    head = printed_algorithms.full_procedure("abc", [0, 1, 2], two, min)
    assert [printed_algorithms.action_select(head, Fraction(x)) for x in (0, 1, 2, 3, 6)] == [
        "a",
        "b",
        "b",
        "c",
        "c",
    ]
    with pytest.raises(Fault, match=r"nil\.agg is read"):
        printed_algorithms.action_select(head, Fraction(7))


def test_fixing_upstream_reads_a_field_of_nil_once_it_reaches_the_root():
    for action in range(3):
        head = printed_algorithms.full_procedure(range(3), [0, 0, 0], two, min)
        node = [head.left, head, head.right][action]
        with pytest.raises(Fault, match=r"nil\.left is read"):
            printed_algorithms.fix_upstream(printed_algorithms.Tree(), node, 1)


def test_fixing_upstream_stops_below_the_root_of_a_tree_of_height_three():
    nodes = printed_updates.balanced([0] * 7)
    leaf, root = nodes[0], nodes[3]
    assert leaf.p.p is root
    printed_algorithms.fix_upstream(printed_algorithms.Tree(), leaf, 1)
    assert leaf.p.agg == 2
    assert root.agg == 3, "the aggregate of the root is not fixed: it should be 4"


def test_nil_has_no_fields():
    assert not hasattr(nil, "p")
    with pytest.raises(Fault, match=r"nil\.p is written"):
        nil.p = 1
    assert repr(nil) == "nil"


@pytest.mark.thorough
def test_every_piece_of_evidence_is_collected_and_speaks():
    known = {claim.id for claim in CLAIMS}
    corrected = {claim.corrects for claim in CLAIMS if claim.corrects}
    functions = collect([evidence])
    assert len(functions) == 12
    for function in functions:
        claims, kind = function.__evidence__
        assert set(claims) <= known
        assert kind == "execution"
        verdict = Verdict.REFUTED if set(claims) & corrected else Verdict.HOLDS
        assert function().verdict is verdict, function.__name__


def test_smallest_instances():
    assert printed_updates.printed_building().instance["actions"] == "2"
    assert printed_updates.printed_loop().instance["actions"] == "1"
    assert printed_updates.printed_own_value().instance["actions"] == "1"
    assert printed_updates.printed_difference().instance["right"] == "5/2"


# ---- planted faults: each checker refuses a wrong algorithm


def test_a_comparison_that_is_off_at_the_ends_is_refuted(monkeypatch):
    def closed_above(z, x):
        if x < z.agg:
            return closed_above(z.left, x)
        # <= where < is meant: differs for keys at an upper end only
        if z.agg + z.val >= x if isinstance(x, Fraction) else not z.agg + z.val < x.value:
            return z.act
        return closed_above(z.right, x - z.agg - z.val)

    monkeypatch.setattr(printed_algorithms, "action_select", closed_above)
    assert every_real_key.all_keys_of_all_small_trees().verdict is Verdict.REFUTED


def test_a_threshold_inside_a_piece_is_refuted(monkeypatch):
    right = printed_algorithms.action_select

    def also_looks_elsewhere(z, x):
        x < Fraction(1, 3)  # noqa: B015
        return right(z, x)

    monkeypatch.setattr(printed_algorithms, "action_select", also_looks_elsewhere)
    assert every_real_key.all_keys_of_all_small_trees().verdict is Verdict.REFUTED


def test_an_update_that_leaves_out_the_right_path_is_refuted(monkeypatch):
    def careless(self, action, preference):
        node = self.nodes[action]
        node.value = self.exp(preference)

    monkeypatch.setattr(ReferenceTree, "update", careless)
    assert printed_updates.corrected_update().verdict is Verdict.REFUTED


def test_a_tree_that_is_a_list_visits_too_many_nodes(monkeypatch):
    build = ReferenceTree._build

    def chain(self, values, first, after, parent):
        return (
            build(self, values, first, after, parent)
            if parent is None
            else chain_of(self, values, first, after, parent)
        )

    def chain_of(self, values, first, after, parent):
        from altpg_verify.sim.large.reference import Node

        if first == after:
            return None
        node = Node(first, values[first], parent)
        node.right = chain_of(self, values, first + 1, after, node)
        return node

    monkeypatch.setattr(ReferenceTree, "_build", chain)
    assert visits.nodes_visited().verdict is Verdict.REFUTED


def test_the_paper_tree_would_keep_its_sums_if_numbers_were_exact():
    """The contrast to the finding on doubles: with fractions the same updates leave no error."""
    theta, tree = [0, 0, 0], ReferenceTree([0, 0, 0], exp=two)
    for step in range(300):
        theta[step % 3] -= 1 + step % 2
        tree.update(step % 3, theta[step % 3])
    assert tree.total() == sum(two(t) for t in theta)
    run = doubles.Run(1.0, 0)
    assert 30 <= run.wrong_after() * doubles.HARMONIC <= 50
