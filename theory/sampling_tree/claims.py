"""Appendix B.1: the sampling tree and its algorithms."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_run = ("execution",)
_claim = partial(
    Claim,
    section="B.1 Per-timestep computational complexity",
    kind="algorithm",
    required_evidence=_run,
)
_OPERATIONS = "operations are counted: entries read or written, nodes visited"

BUILDING = (
    _claim(
        "tree-example-head",
        520,
        statement=(
            'With $a_"list" = {a_3, a_0, a_2, a_1}$ we will, according to the algorithm, randomly'
            " assign either $a_0$ or $a_2$ as the head node."
        ),
        kind="example",
        given=("the middle index of an even list is $n / 2 - 1$ or $n / 2$",),
        required_evidence=("enumeration",),
        depends_on=("build-middle-even-corrected",),
    ),
    _claim(
        "tree-example-subtrees",
        520,
        statement=(
            "With $a_2$ as the head node, the left sub-tree is created from ${a_3, a_0}$; choosing"
            " $a_3$ makes $a_0$ its right child; the right sub-tree is created from $a_1$."
        ),
        kind="example",
        given=("the middle index of an even list is $n / 2 - 1$ or $n / 2$",),
        required_evidence=("enumeration",),
        depends_on=("build-middle-even-corrected",),
    ),
    _claim(
        "tree-only-needs-balance",
        520,
        statement=(
            "The only required property is that the tree has to be balanced: how its nodes are"
            " ordered doesn't matter."
        ),
        given=("required for logarithmic time; every binary tree selects rightly",),
    ),
    _claim(
        "build-middle-odd",
        544,
        statement=(
            "If the number $n$ of actions is odd, $m = (n - 1) / 2$ is the index of the middle of"
            " the list."
        ),
        label="alg: build_sampling_tree",
        required_evidence=("enumeration",),
    ),
    _claim(
        "build-middle-even",
        546,
        statement=(
            "If the number $n$ of actions is even, $m$ is one of $(n - 1) / 2$ or $(n + 1) / 2$, an"
            " index of the list."
        ),
        label="alg: build_sampling_tree",
        given=("$\\/$ is division; the text doesn't say that it is rounded down",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "build-middle-even-corrected",
        546,
        statement=(
            "If the number $n$ of actions is even, $m$ is one of $n / 2 - 1$ or $n / 2$, an index"
            " of the list."
        ),
        required_evidence=("enumeration",),
        corrects="build-middle-even",
        adds="rounding down: for even $n$ neither $(n - 1) / 2$ nor $(n + 1) / 2$ is an integer",
    ),
    _claim(
        "build-gives-balanced-tree",
        555,
        statement=(
            "The algorithm returns a balanced binary tree whose inorder traversal is the list."
        ),
        label="alg: build_sampling_tree",
        given=(
            "the middle index of an even list is $n / 2 - 1$ or $n / 2$",
            "balanced: of the smallest possible height",
        ),
        depends_on=("build-middle-even-corrected", "build-middle-odd"),
    ),
    _claim(
        "compute-aggregate-correct",
        572,
        statement=(
            "Compute-Aggregate sets the aggregate of each node to the sum of the exponentiated"
            " preferences in its left sub-tree and returns the sum over the whole tree."
        ),
        label="alg: left_cumulant",
        given=(
            "a leaf in the comment is the empty tree, as in the book that the notation follows",
        ),
    ),
)

SAMPLING = (
    _claim(
        "action-select-logarithmic",
        577,
        statement=(
            "The Action-Select function runs in $log(abs(cal(A)))$ time for a balanced sampling"
            " tree."
        ),
        kind="complexity",
        given=(
            _OPERATIONS,
            (
                "the key is given: to draw it the total of all values is needed, which the printed"
                " tree doesn't store"
            ),
        ),
        depends_on=("build-gives-balanced-tree",),
    ),
    _claim(
        "action-select-interval",
        599,
        statement=(
            "Given a search key $x in [0, sum_(i=1)^n e^(theta_i))$, Action-Select returns $a_k$"
            " such that $sum_(i=1)^(k-1) e^(theta_i) <= x < sum_(i=1)^k e^(theta_i)$."
        ),
        label="thm: tree_sampling_mid",
        required_evidence=("derivation", "execution"),
        depends_on=(
            "action-select-base-case",
            "action-select-left-case",
            "action-select-root-case",
            "action-select-right-case",
        ),
    ),
    _claim(
        "action-select-base-case",
        602,
        statement=(
            "For a tree of size one, with $x in [0, e^(theta_j))$, the second condition of the"
            " algorithm is true and it returns the action."
        ),
    ),
    _claim(
        "action-select-left-case",
        604,
        statement=(
            'If $x < z_r."agg" = sum_(i=1)^(r-1) e^(theta_i)$, the function gets called again on'
            " the sub-tree $T(z_1, ..., z_(r-1))$, of size $r - 1 <= l$, with the key $x in [0,"
            " sum_(i=1)^(r-1) e^(theta_i))$."
        ),
    ),
    _claim(
        "action-select-root-case",
        605,
        statement=(
            'If $sum_(i=1)^(r-1) e^(theta_i) = z_r."agg" <= x < z_r."agg" + z_r."val" = sum_(i=1)^r'
            " e^(theta_i)$, it returns the action of $z_r$."
        ),
    ),
    _claim(
        "action-select-right-case",
        606,
        statement=(
            'If $x >= z_r."agg" + z_r."val" = sum_(i=1)^r e^(theta_i)$, it gets called on'
            " $T(z_(r+1), ..., z_(l+1))$, a sub-tree of size $l - r + 1 <= l$, with the modified"
            ' key $x_"new" in [0, sum_(i=r+1)^(l+1) e^(theta_i))$.'
        ),
    ),
    _claim(
        "tree-sampling-is-softmax",
        610,
        statement=(
            "Since $x$ is uniform on $[0, sum_i e^(theta_i))$, the probability of action $a_k$"
            " being chosen is $e^(theta_k) / (sum_(i=1)^abs(cal(A)) e^(theta_i))$: equivalent to"
            " sampling from the softmax policy."
        ),
        required_evidence=("derivation", "execution"),
        depends_on=("action-select-interval",),
    ),
)

UPDATING = (
    _claim(
        "update-touches-path-only",
        612,
        statement=(
            "After an update of the sampled action's preference, only its exponentiated preference"
            " and the aggregates of the nodes on the path up to the root need to be updated."
        ),
    ),
    _claim(
        "fix-upstream-logarithmic",
        612,
        statement="Fix-Upstream accomplishes this in a logarithmic time.",
        kind="complexity",
        given=(_OPERATIONS, "with the loop and the difference corrected as below"),
        depends_on=("build-gives-balanced-tree",),
    ),
    _claim(
        "tree-structure-unchanged",
        612,
        statement="The structure of the tree remains unchanged during all these operations.",
    ),
    _claim(
        "fix-upstream-own-value",
        612,
        statement=(
            "The agent needs to update the exponentiated preference for the sampled action in the"
            " tree; Fix-Upstream accomplishes this."
        ),
        given=("with the loop and the difference corrected as below",),
    ),
    _claim(
        "fix-upstream-own-value-corrected",
        612,
        statement=(
            "The agent needs to update the exponentiated preference for the sampled action in the"
            ' tree; Fix-Upstream with $z."val" <- z."val" + delta$ before the loop accomplishes'
            " this."
        ),
        given=("with the loop and the difference corrected as below",),
        corrects="fix-upstream-own-value",
        adds='$z."val" <- z."val" + delta$: as printed, only aggregates of other nodes are written',
    ),
    _claim(
        "fix-upstream-difference",
        617,
        statement=(
            'Fix-Upstream, called with $theta^"new"_a - theta^"old"_a$, makes the aggregates those'
            " of the new preferences."
        ),
        label="alg: fix_upstream",
    ),
    _claim(
        "fix-upstream-difference-corrected",
        617,
        statement=(
            'Fix-Upstream, called with $e^(theta^"new"_a) - e^(theta^"old"_a)$, makes the'
            " aggregates those of the new preferences."
        ),
        given=(
            'the loop is left at the root; the node\'s own value is set to $e^(theta^"new"_a)$',
        ),
        corrects="fix-upstream-difference",
        adds=(
            "the exponentials: the tree holds $e^theta$, so their difference is what the aggregates"
            " change by"
        ),
    ),
    _claim(
        "fix-upstream-loop",
        625,
        statement=(
            'The loop, repeated until $z.p != T."nil"$, repeats until node $z$ is the root node.'
        ),
        label="alg: fix_upstream",
        given=("a repeat-until loop ends when its condition is true",),
    ),
    _claim(
        "fix-upstream-loop-corrected",
        625,
        statement=(
            'The loop, repeated while $z.p != T."nil"$, repeats until node $z$ is the root node.'
        ),
        corrects="fix-upstream-loop",
        adds=(
            "while in the place of until, tested before the body, so that an update of the root"
            " does nothing"
        ),
    ),
)
