"""Appendix B.1: the cost of a step with either estimator, and the table of costs."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="B.1 Per-timestep computational complexity")
_table = partial(
    _claim,
    kind="complexity",
    label="table: sampling_for_gradient_bandits",
    required_evidence=("execution",),
)
_run = ("execution",)
_OPERATIONS = "operations are counted: entries read or written, nodes visited"

COMPLEXITY = (
    _table(
        "table-initialize",
        494,
        statement="Initialize $bold(theta)$: $cal(O)(abs(cal(A)))$ with both estimators.",
    ),
    _table(
        "table-update-regular",
        496,
        statement=(
            "Compute $hat(bold(g))$ and update $bold(theta)$, regular estimator:"
            " $cal(O)(abs(cal(A)))$."
        ),
        given=(_OPERATIONS,),
    ),
    _table(
        "table-update-alternate",
        496,
        statement=(
            "Compute $hat(bold(g))$ and update $bold(theta)$, alternate estimator: $cal(O)(1)$."
        ),
        given=(_OPERATIONS,),
        depends_on=("alternate-updates-single-component",),
    ),
    _table(
        "table-policy",
        497,
        statement=(
            "Compute $bold(pi)$: $cal(O)(abs(cal(A)))$ with the regular estimator, not needed with"
            " the alternate one."
        ),
        given=(_OPERATIONS,),
    ),
    _table(
        "table-structure-alias",
        498,
        statement="Update the sampling data structure, Vose's alias table: $cal(O)(abs(cal(A)))$.",
        given=(_OPERATIONS,),
    ),
    _table(
        "table-structure-tree",
        498,
        statement="Update the sampling data structure, the tree: $cal(O)(log abs(cal(A)))$.",
        given=(_OPERATIONS,),
        depends_on=("fix-upstream-logarithmic",),
    ),
    _table(
        "table-sample-alias",
        499,
        statement="Sample $A tilde pi$ from Vose's alias table: $cal(O)(1)$.",
        given=(_OPERATIONS,),
    ),
    _table(
        "table-sample-tree",
        499,
        statement="Sample $A tilde pi$ from the tree: $cal(O)(log abs(cal(A)))$.",
        given=(_OPERATIONS,),
        depends_on=("action-select-logarithmic",),
    ),
    _table(
        "table-total-regular",
        501,
        statement='Total cost, regular estimator: $cal(O)(abs(cal(A)) + n_"iter" abs(cal(A)))$.',
        given=(_OPERATIONS,),
        depends_on=(
            "table-initialize",
            "table-update-regular",
            "table-policy",
            "table-structure-alias",
            "table-sample-alias",
        ),
    ),
    _table(
        "table-total-alternate",
        501,
        statement=(
            'Total cost, alternate estimator: $cal(O)(abs(cal(A)) + n_"iter" log abs(cal(A)))$.'
        ),
        given=(_OPERATIONS,),
        depends_on=(
            "table-initialize",
            "table-update-alternate",
            "table-structure-tree",
            "table-sample-tree",
        ),
    ),
    _claim(
        "alias-table-linear",
        508,
        statement=(
            "The agent needs to build an alias table, which takes a linear time, and updating it"
            " each time has a linear cost as well."
        ),
        kind="complexity",
        given=(_OPERATIONS,),
        required_evidence=_run,
    ),
    _claim(
        "alias-sampling-constant",
        508,
        statement=(
            "Once this table is built, the agent can sample an action in constant time from this"
            " table."
        ),
        kind="complexity",
        given=(_OPERATIONS,),
        required_evidence=_run,
    ),
    _claim(
        "alias-one-change-is-linear",
        508,
        statement=(
            "The alias method would require a linear time even if only a single action preference"
            " were to change."
        ),
        kind="complexity",
        given=(
            (
                "counted: the entries that differ between the tables before and after, as every"
                " share is a probability times $n$"
            ),
        ),
        required_evidence=_run,
        depends_on=("alias-table-linear",),
    ),
    _claim(
        "tree-updated-in-logarithmic-time",
        508,
        statement=(
            "The sampling tree can be updated in logarithmic time if only a single action"
            " preference changes at each timestep."
        ),
        kind="complexity",
        given=(_OPERATIONS,),
        required_evidence=_run,
        depends_on=("fix-upstream-logarithmic",),
    ),
    _claim(
        "tree-building-linear",
        511,
        statement=(
            "The cost for building the sampling tree for the first time is linear in the number of"
            " actions."
        ),
        kind="complexity",
        given=(
            _OPERATIONS,
            '$"list"[i -> j]$ is passed as the range of its indices, not as a copy',
        ),
        required_evidence=_run,
        depends_on=("build-middle-even-corrected", "compute-aggregate-correct"),
    ),
    _claim(
        "tree-building-with-copied-lists",
        511,
        statement=(
            "If the sub-lists are copied, building the tree of $n = 2^m - 1$ actions copies $2 (m -"
            " 2) 2^m + 4$ entries, of the order $n log n$: that isn't linear."
        ),
        kind="complexity",
        given=(
            (
                "both lists of the algorithm, each sub-list a list of its own, as the comment in"
                " the pseudocode defines it"
            ),
        ),
        required_evidence=("derivation", "enumeration"),
        depends_on=("build-middle-even-corrected",),
        extension=True,
    ),
)
