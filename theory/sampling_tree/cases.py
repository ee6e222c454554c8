"""Appendix B.1: the algorithms executed in fractions against a plain reference."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.sampling_tree.cases_as_executed import (
    action_select,
    build,
    compute_aggregate,
    exponential,
    fix_upstream,
    fix_upstream_printed,
    heads_first,
    height,
    middle,
    nodes,
    power_of_two,
    shape,
)
from altpg_verify.theory.sampling_tree.cases_trees import (
    Case,
    aggregates,
    fix_calls,
    interval_of,
    last_root_case,
    logarithm,
    select_calls,
    subcalls,
    values_after_update,
)

_TREES = [
    Case(tuple((3 * i) % 5 - 2 for i in range(n)), upper)
    for n in range(1, 10)
    for upper in (False, True)
]
_UPDATES = [
    replace(case, updated=updated, change=change)
    for case in _TREES
    for updated in range(case.n)
    for change in (1, -2)
]
_ONE_LEFT_CHILD = [Case((0, 0), True), *_UPDATES]
_ONE_ACTION = [Case((0,), exp=power_of_two)]
_FOUR = [Case((0, 0, 0, 0), True, exp=power_of_two)]
_BIG = [2**power + extra for power in range(1, 11) for extra in (0, 1)]
_PAPER = Case((4, 1, 3, 2), actions=(3, 0, 2, 1))
_SMALL = "all trees of one to nine actions with both choices of the middle"


ENUMERATED: dict[str, Statement] = {
    "tree-example-head": Statement(
        lambda c: Vec(*(c.actions[middle(4, upper)] for upper in (False, True))),
        lambda c: Vec(0, 2),
        [_PAPER],
        "the example's list",
    ),
    "tree-example-subtrees": Statement(
        lambda c: Vec(
            *(
                node.act
                for node in heads_first(
                    build(
                        list(c.actions),
                        c.values,
                        None,
                        iter([True, False, True, True, True, True, True]),
                    )
                )
            )
        ),
        lambda c: Vec(2, 3, 0, 1),
        [_PAPER],
        "the example's list and choices",
        summary="the head, its left child, the right child of that, and the head's right child",
    ),
    "build-middle-odd": Statement(
        lambda n: Fraction(n - 1, 2),
        lambda n: len(range(n)[: n // 2]),
        range(1, 20, 2),
        "odd lists up to 19",
        summary="the index, and the number of actions before the middle",
    ),
    "build-middle-even": Statement(
        lambda n: Vec(Fraction(n - 1, 2).denominator, Fraction(n + 1, 2).denominator),
        lambda n: Vec(1, 1),
        range(2, 20, 2),
        "even lists up to 18",
        summary="the denominators of (n - 1)/2 and (n + 1)/2, which are 1 for an index",
    ),
    "build-middle-even-corrected": Statement(
        lambda n: Vec(Fraction(n - 2, 2).denominator, Fraction(n, 2).denominator),
        lambda n: Vec(1, 1),
        range(2, 20, 2),
        "even lists up to 18",
    ),
}

_WAY_UP = Statement(
    fix_calls,
    logarithm,
    _BIG,
    "up to 1025 actions",
    "<=",
    summary="the longest way up, and floor(log2 n)",
)
_SEARCH = Statement(
    select_calls,
    lambda n: logarithm(n) + 1,
    _BIG,
    "up to 1025 actions",
    "<=",
    summary="the most nodes that a search visits, and floor(log2 n) + 1",
)

EXECUTED: dict[str, Statement] = {
    "build-gives-balanced-tree": Statement(
        lambda c: Vec(height(c.tree()), *(node.act for node in nodes(c.tree()))),
        lambda c: Vec(logarithm(c.n) + 1, *range(c.n)),
        _TREES,
        _SMALL,
    ),
    "compute-aggregate-correct": Statement(
        lambda c: Vec(*(node.agg for node in nodes(c.tree())), compute_aggregate(c.tree())),
        lambda c: Vec(
            *(
                sum((below.val for below in nodes(node.left)), Fraction(0))
                for node in nodes(c.tree())
            ),
            c.sums[-1],
        ),
        _TREES,
        _SMALL,
    ),
    "action-select-interval": Statement(
        lambda c: Vec(*(action_select(c.tree(), x, []) for x in c.keys)),
        lambda c: Vec(*(interval_of(c, x) for x in c.keys)),
        _TREES,
        _SMALL + ", keys at and between the ends",
        summary="the action returned, and the first whose cumulative sum exceeds the key",
    ),
    "action-select-base-case": Statement(
        lambda c: Vec(*(action_select(c.tree(), x, []) for x in c.keys)),
        lambda c: Vec(0, 0, 0),
        [Case((theta,)) for theta in (-2, 0, 3)],
        "trees of one action",
    ),
    "action-select-left-case": Statement(
        subcalls, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "action-select-root-case": Statement(
        last_root_case, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "action-select-right-case": Statement(
        subcalls, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "tree-sampling-is-softmax": Statement(
        lambda c: Vec(*((c.sums[k + 1] - c.sums[k]) / c.sums[-1] for k in range(c.n))),
        lambda c: Vec(
            *(exponential(theta) / sum(map(exponential, c.thetas)) for theta in c.thetas)
        ),
        _TREES,
        _SMALL,
        summary="the share of the keys that select each action, and its softmax probability",
    ),
    "update-touches-path-only": Statement(
        lambda c: Vec(
            *(
                int(one.agg != two.agg)
                for one, two in zip(nodes(c.tree()), nodes(c.changed.tree()), strict=True)
                if one.act not in c.path
            )
        ),
        lambda c: Vec(*(0 for node in nodes(c.tree()) if node.act not in c.path)),
        _UPDATES,
        _SMALL + ", one preference changed",
        summary="1 for each aggregate off the path that the update changes",
    ),
    "fix-upstream-logarithmic": _WAY_UP,
    "tree-updated-in-logarithmic-time": _WAY_UP,
    "table-structure-tree": _WAY_UP,
    "action-select-logarithmic": _SEARCH,
    "table-sample-tree": _SEARCH,
    "alternate-step-costs-logarithmic": Statement(
        lambda n: select_calls(n) + 1 + fix_calls(n),
        lambda n: 2 * logarithm(n) + 2,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary=(
            "nodes visited by a search and by the way up, and one preference written, against 2"
            " log2 n + 2"
        ),
    ),
    "tree-structure-unchanged": Statement(
        lambda c: int(
            shape(c.tree())
            == shape(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference))
        ),
        lambda c: 1,
        _UPDATES,
        _SMALL,
    ),
    "fix-upstream-own-value": Statement(
        lambda c: values_after_update(c, False),
        lambda c: Vec(*c.changed.values),
        _ONE_ACTION,
        _SMALL + ", one preference changed",
        summary=(
            "the nodes' values after the procedure as printed, and those of the new preferences;"
            " 2^theta for e^theta"
        ),
    ),
    "fix-upstream-own-value-corrected": Statement(
        lambda c: values_after_update(c, True),
        lambda c: Vec(*c.changed.values),
        [*_ONE_ACTION, *_UPDATES],
        _SMALL + ", one preference changed",
    ),
    "fix-upstream-difference": Statement(
        lambda c: aggregates(
            c.after_update(lambda z, d: fix_upstream(z, d, []), Fraction(c.change))
        ),
        lambda c: aggregates(c.changed.tree()),
        _ONE_LEFT_CHILD,
        _SMALL + ", one preference changed",
        summary=(
            "the aggregates after the call with the difference of the preferences, and those of the"
            " new preferences (e to 30 digits)"
        ),
    ),
    "fix-upstream-difference-corrected": Statement(
        lambda c: aggregates(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference)),
        lambda c: aggregates(c.changed.tree()),
        _ONE_LEFT_CHILD,
        _SMALL + ", one preference changed",
    ),
    "fix-upstream-loop": Statement(
        lambda c: aggregates(c.after_update(fix_upstream_printed, c.difference)),
        lambda c: aggregates(c.changed.tree()),
        _FOUR,
        "a tree whose root is two steps above the updated node",
        summary=(
            "the aggregates after the loop as printed, which stops below the root, and those of the"
            " new preferences; 2^theta for e^theta"
        ),
    ),
    "fix-upstream-loop-corrected": Statement(
        lambda c: aggregates(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference)),
        lambda c: aggregates(c.changed.tree()),
        [*_FOUR, *_UPDATES],
        _SMALL + ", one preference changed",
    ),
}


STATEMENTS = {**ENUMERATED, **EXECUTED}


@evidence(*ENUMERATED, kind="enumeration")
def tree_examples(claim: str) -> Finding:
    """The example and the middle index, in fractions.

    Claims about one printed example, or about where the middle of a list is.
    """
    return ENUMERATED[claim].judged()


@evidence(*EXECUTED, kind="execution")
def tree_algorithms(claim: str) -> Finding:
    """The pseudocode executed against a plain reference, operations counted.

    Every tree of up to nine actions, every updated action, a rise and a fall of its preference;
    nodes visited are counted for up to 1025 actions.
    """
    return EXECUTED[claim].judged()
