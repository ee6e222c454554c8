"""Section 3, "Alternate estimator utilizes reward noise": what happens at saturated policies, and
the example.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="3 Alternate estimator utilizes reward noise")
_BOTH = ("derivation", "enumeration")
_TRUE_BASELINE = (
    'the alternate estimator is $bold(g)^"ALT" = (R - r_pi) bold(e)_A$, which the text gives that'
    " name"
)
_NOISE = "the reward of action $c$ is noisy, $sigma(c)^2 != 0$, as the heading and the appendix say"
_EXAMPLE = (
    "$cal(A) = {a_0, a_1, a_2}$, $bold(r) = [0 space 0 space 1]^top$, $bold(pi) = [1 space 0 space"
    " 0]^top$, $R = r(A) + epsilon$"
)

SATURATION = (
    _claim(
        "saturated-gradient-close-to-zero",
        157,
        statement=(
            "Whenever the policy is saturated, i.e. it places a high probability mass on some"
            " actions, the expected gradient becomes close to zero."
        ),
        kind="dynamics",
        given=("a high probability mass on some actions, as the sentence explains the word",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "gradient-close-to-zero-near-corners",
        157,
        statement=(
            "Whenever the policy places a high probability mass on one action, the expected"
            " gradient becomes close to zero."
        ),
        kind="dynamics",
        given=("saturated on one action, as the corners that the next sentence speaks of",),
        required_evidence=_BOTH,
        corrects="saturated-gradient-close-to-zero",
        adds=(
            "one action in the place of some: on two actions of different reward, $bold(pi) = (1/2,"
            " 1/2, 0)$ with $bold(r) = (0, 1, 2)$, the expected gradient is $(-1/4, 1/4, 0)$"
        ),
    ),
    _claim(
        "saturated-gradient-bound",
        157,
        statement=(
            "$abs([nabla_bold(theta) cal(J)]_a) <= (max_j r(j) - min_j r(j)) (1 - pi(c))$ for all"
            " actions $a$ and $c$"
        ),
        kind="inequality",
        required_evidence=_BOTH,
        extension=True,
    ),
    _claim(
        "saturated-weights-not-updated",
        157,
        statement="Consequently the policy weights are not updated.",
        kind="dynamics",
        given=(
            (
                "a high probability mass on some actions, as the sentence explains the word; by the"
                " expected update"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "weights-not-updated-near-corners",
        157,
        statement="Consequently, near a corner, the policy weights are not updated.",
        kind="dynamics",
        given=("by the expected update, and in the limit of a saturated policy",),
        required_evidence=("derivation",),
        depends_on=("gradient-close-to-zero-near-corners",),
        corrects="saturated-weights-not-updated",
        adds="one action in the place of some, as in the claim before",
    ),
    _claim(
        "regular-variance-zero-at-corners",
        157,
        statement=(
            'For the regular estimator, the variance at these "corners" of the probability simplex'
            " is also zero."
        ),
        kind="identity",
        required_evidence=_BOTH,
    ),
    _claim(
        "regular-cannot-leave-corner",
        157,
        statement=(
            "Therefore, there is neither any gradient signal nor any noise, and the agent is unable"
            " to escape the sub-optimal region."
        ),
        kind="dynamics",
        given=("the agent uses the regular estimator and its policy is a corner",),
        required_evidence=_BOTH,
        depends_on=("gradient-close-to-zero-near-corners", "regular-variance-zero-at-corners"),
    ),
    _claim(
        "alternate-zero-in-expectation-at-corners",
        157,
        statement="The alternate estimator is zero in expectation at the corners.",
        kind="identity",
        given=(_TRUE_BASELINE,),
        required_evidence=_BOTH,
        depends_on=("gradient-as-alternate-with-true-baseline",),
    ),
    _claim(
        "alternate-with-baseline-at-corner",
        157,
        statement=(
            'With a baseline $b$, at the corner $pi(c) = 1$: $EE[hat(bold(g))^"ALT" (A, R)] = (r(c)'
            " - b) bold(e)_c$, zero only if $b = r(c)$."
        ),
        kind="identity",
        required_evidence=_BOTH,
        depends_on=("expected-alternate-with-baseline",),
        extension=True,
    ),
    _claim(
        "alternate-variance-nonzero-at-corners",
        157,
        statement="The alternate estimator has a non-zero variance at the corners.",
        kind="inequality",
        required_evidence=("enumeration",),
    ),
    _claim(
        "noisy-alternate-variance-nonzero-at-corners",
        157,
        statement=(
            "If the reward of the corner's action is noisy, the alternate estimator has a non-zero"
            " variance at the corner."
        ),
        kind="inequality",
        given=(_NOISE,),
        required_evidence=_BOTH,
        depends_on=("corner-alternate-variance",),
        corrects="alternate-variance-nonzero-at-corners",
        adds="the assumption $sigma(c)^2 != 0$, as in the proposition of the appendix",
    ),
    _claim(
        "alternate-escapes-by-noise",
        157,
        statement=(
            "Therefore the agent can utilize the reward noise to escape the sub-optimal region."
        ),
        kind="empirical",
        given=(
            (
                "quantity: share of runs that end with more than half of the mass on the best"
                " action, from $bold(theta) = (10, 0, 0)$, $bold(r) = [0 space 0 space 1]^top$,"
                " noise 1 against noise 0, true $r_pi$, 1000 steps, 150 runs"
            ),
            (
                "supported if the share with noise is larger at a 1 % one-sided error rate; refuted"
                " if it is smaller"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("noisy-alternate-variance-nonzero-at-corners",),
    ),
    _claim(
        "example-true-value-zero",
        159,
        statement="$r_pi = 0$",
        kind="example",
        label="eg: saturated_pg",
        given=(_EXAMPLE,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "example-advantage-is-noise",
        159,
        statement="$R - r_pi = 0 + epsilon - 0 = epsilon$",
        kind="example",
        given=(_EXAMPLE,),
        required_evidence=("enumeration",),
        depends_on=("example-true-value-zero",),
    ),
    _claim(
        "example-always-first-action",
        159,
        statement="The agent samples $A = a_0$ at each timestep.",
        kind="example",
        given=(_EXAMPLE,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "example-regular-is-zero",
        162,
        statement=(
            '$bold(g)^"REG" (A, R) = (R - r_pi) (bold(e)_A - bold(pi)) = epsilon dot ([1 space 0'
            " space 0]^top - [1 space 0 space 0]^top) = [0 space 0 space 0]^top$"
        ),
        kind="example",
        given=(_EXAMPLE,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "example-alternate-is-noise",
        163,
        statement=(
            '$bold(g)^"ALT" (A, R) = (R - r_pi) bold(e)_A = epsilon dot [1 space 0 space 0]^top ='
            " [epsilon space 0 space 0]^top$"
        ),
        kind="example",
        given=(_EXAMPLE,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "random-walk-at-corner",
        166,
        statement=(
            "At a sub-optimal corner, the agent with the alternate estimator effectively does a"
            " random walk until it escapes that region and can choose other actions to get a"
            " non-zero reward signal."
        ),
        kind="empirical",
        given=(
            "the true $r_pi$ is subtracted, as in the example",
            (
                "quantity: standard deviation over runs of the saturated action's preference after"
                " $t$ steps, $bold(theta) = (50, 0, 0)$, in units of $alpha sigma sqrt(t)$;"
                " correlation of what happens in disjoint times; mean of $r_pi$ at the end from"
                " $(10, 0, 0)$"
            ),
            (
                "supported if the first lies between 0.9 and 1.1, the second within 0.2 of zero,"
                " and the third is above 0.5; refuted if not, at a 1 % error rate"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("example-alternate-is-noise",),
    ),
    _claim(
        "optimal-corner-attracts",
        166,
        statement=(
            "At the optimal corner there is an attractive gradient signal as soon as the agent"
            " moves away from this corner."
        ),
        kind="dynamics",
        given=(
            (
                "the best action is unique; the policy is interior and close to its corner; the"
                " expected gradient is followed"
            ),
        ),
        required_evidence=("derivation",),
    ),
)
