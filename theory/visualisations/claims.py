"""Appendix B.5: what the update and variance plots of the stochastic estimators are said to
show.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="B.5 Visualizing the stochastic PG estimators for bandits")
_BOTH = ("derivation", "enumeration")
_EXAMPLE = (
    (
        "the example: $bold(r) = [0 space 0 space 1]^top$, noise $+1$, uniform policy, action"
        " $a_2$, no baseline"
    ),
    "natural logarithms",
)
_NOISY = "$bold(r) = [0 space 0 space 1]^top$, noise of variance one"
_QUIET = "$bold(r) = [0 space 0 space 1]^top$, no reward noise"

UPDATE_PLOTS = (
    _claim(
        "update-example-preferences",
        853,
        statement=(
            "Taking the logarithm of the action probabilities gives "
            '$bold(theta)^"old" = [log(1 \\/ 3) space log(1 \\/ 3) space log(1 \\/ 3)]^top$.'
        ),
        kind="example",
        given=_EXAMPLE,
        required_evidence=("enumeration",),
    ),
    _claim(
        "update-example-estimate",
        853,
        statement=(
            "$hat(bold(g))(R, A) = (R - 0) dot (bold(e)_A - bold(pi)) = (r(a_2) + 1 - 0) dot ([0"
            " space 0 space 1]^top - [1 \\/ 3 space 1 \\/ 3 space 1 \\/ 3]^top) = 2 dot [-1 \\/ 3"
            " space -1 \\/ 3 space 2 \\/ 3]^top$"
        ),
        kind="example",
        given=_EXAMPLE,
        required_evidence=("enumeration",),
    ),
    _claim(
        "three-expected-updates-equal",
        863,
        statement=(
            "The alternate estimator with true $r_pi$ and both the regular estimators (true $r_pi$,"
            " and $b = 0$) result in the same expected update."
        ),
        kind="identity",
        label="fig: intuition_bandits_reward001_noise1",
        required_evidence=_BOTH,
        depends_on=("gradient-as-alternate-with-true-baseline", "regular-unbiased-any-baseline"),
    ),
    _claim(
        "alternate-may-leave-corner",
        867,
        statement=(
            "Near the corner of $a_0$, with the alternate gradient estimator there is a chance that"
            " the policy will move towards a more uniform distribution, whereas with the regular"
            " estimator the agent will likely remain stuck."
        ),
        kind="dynamics",
        given=(
            _NOISY,
            (
                "a draw of $a_0$ with negative noise; remain stuck: the step is smaller by the"
                " factor $1 - pi(a_0)$"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _claim(
        "score-vanishes-basis-stays",
        867,
        statement=(
            "The term $bold(e)_A - bold(pi)$ in the regular estimator becomes very small as"
            " $bold(pi)$ saturates on action $A$; the term $bold(e)_A$ of the alternate estimator"
            " has a magnitude that remains the same irrespective of the saturation."
        ),
        kind="inequality",
        required_evidence=_BOTH,
    ),
    _claim(
        "zero-baseline-alternate-biased",
        867,
        statement="The alternate estimator with no baseline is biased.",
        kind="inequality",
        given=(_NOISY, "$b = 0$; a softmax policy"),
        required_evidence=_BOTH,
        depends_on=("biased-when-baseline-differs",),
    ),
    _claim(
        "zero-baseline-same-direction",
        867,
        statement=(
            "However, its ascent direction points in the same direction as the true gradient"
            " update."
        ),
        kind="identity",
        given=(
            _NOISY,
            (
                "$b = 0$; same direction: a positive multiple, up to the shift of all preferences"
                " that leaves the policy as it is"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "zero-baseline-acute-angle",
        867,
        statement=(
            "However, its ascent direction makes an acute angle with the true gradient update."
        ),
        kind="inequality",
        given=(_NOISY, "$b = 0$; a softmax policy"),
        required_evidence=_BOTH,
        corrects="zero-baseline-same-direction",
        adds=(
            "an acute angle in the place of one direction: they are parallel only where $pi(a_0) ="
            " pi(a_1)$"
        ),
    ),
    _claim(
        "corner-variances-in-example",
        867,
        statement=(
            "The variance at the corner for both the regular estimators is zero, and for the"
            " alternate estimators is non-zero."
        ),
        kind="identity",
        given=(_NOISY, "each with the true $r_pi$ and with $b = 0$"),
        required_evidence=_BOTH,
        depends_on=("corner-regular-variance-zero", "corner-alternate-baseline-variance"),
    ),
)

QUIET_PLOTS = (
    _claim(
        "no-noise-alternate-stuck-at-corner",
        879,
        statement=(
            "With neither any reward signal nor any noise, the alternate estimator cannot escape"
            " the corners."
        ),
        kind="dynamics",
        label="fig: intuition_bandits_reward001_noise0",
        given=(
            _QUIET,
            (
                "the corners of $a_0$ and $a_1$, where there is no reward signal; true $r_pi$ or $b"
                " = 0$"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _claim(
        "no-noise-alternate-still-larger",
        879,
        statement=(
            "However, the alternate estimator still has a higher update magnitude as compared to"
            " the regular estimator near the corners."
        ),
        kind="inequality",
        given=(
            (
                "$bold(r) = [0 space 0 space 1]^top$, no reward noise, true $r_pi$; any draw, or"
                " the mean square over the draws: both are refuted at one policy"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "no-noise-alternate-larger-own-action",
        879,
        statement=(
            "Near a corner, for a draw of the corner's own action, the alternate estimator still"
            " has a higher update magnitude than the regular one."
        ),
        kind="inequality",
        given=(
            _QUIET,
            "for the corner's own action, at which the reward differs from the baseline",
        ),
        required_evidence=_BOTH,
        corrects="no-noise-alternate-still-larger",
        adds=(
            "the corner's own action: for another one, and in the mean square over the draws, the"
            " regular update is the larger one"
        ),
    ),
    _claim(
        "no-noise-variance-zero-at-corners",
        879,
        statement=(
            "The variance for all the estimators is zero at the corners; no reward noise means no"
            " variance."
        ),
        kind="identity",
        given=(_QUIET,),
        required_evidence=_BOTH,
        depends_on=("corner-regular-variance-zero", "corner-alternate-baseline-variance"),
    ),
)

PESSIMISTIC_PLOTS = (
    _claim(
        "zero-is-pessimistic-for-123",
        882,
        statement=(
            "$b = 0$ is pessimistic for the reward structure $bold(r) = [1 space 2 space 3]^top$."
        ),
        kind="number",
        label="fig: intuition_bandits_reward123_noise1",
        required_evidence=("enumeration",),
    ),
    _claim(
        "zero-baseline-drives-into-corner",
        882,
        statement=(
            "With $b = 0$, the alternate estimator drives the policy into the sub-optimal corner"
            " faster than the regular one without the baseline."
        ),
        kind="inequality",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$; near the corner of $a_0$, for a draw of $a_0$"
                " with positive reward"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _claim(
        "pessimistic-moves-off-center",
        882,
        statement=(
            "Since $b = 0$ is pessimistic, the policy will move away from the center of the simplex"
            " (by the theorem)."
        ),
        kind="dynamics",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$; the center: the uniform policy; away:"
                ' $D_"KL"$ of the policy from it grows in an expected step'
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "pessimistic-moves-off-fixed-point",
        882,
        statement=(
            "Since $b = 0$ is pessimistic, the policy moves away from $pi^* = (6, 3, 2) \\/ 11$ in"
            " KL divergence."
        ),
        kind="dynamics",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$; every interior policy but $pi^*$, every"
                " $alpha > 0$"
            ),
        ),
        required_evidence=_BOTH,
        depends_on=("pessimistic-repels",),
        corrects="pessimistic-moves-off-center",
        adds=(
            "$pi^*$ in the place of the center: from $(0.45, 0.30, 0.25)$ the policy comes closer"
            " to the uniform one"
        ),
    ),
    _claim(
        "optimistic-draws-flatten",
        895,
        statement=(
            "For an optimistic baseline, both the regular and the alternate stochastic estimators"
            " make the policy more uniform."
        ),
        kind="dynamics",
        label="fig: intuition_bandits_reward123_noise0_opti_pessi",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$, $b = +4$, no noise; more uniform: a smaller"
                " largest probability, at any policy and draw"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "optimistic-draws-lower-saturated-action",
        895,
        statement=(
            "For an optimistic baseline, a draw of the action on which the policy is saturated"
            " lowers its probability, with both the regular and the alternate stochastic estimator."
        ),
        kind="dynamics",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$, $b = +4$, no noise; from a policy saturated"
                " on the drawn action, whose probability falls"
            ),
        ),
        required_evidence=_BOTH,
        corrects="optimistic-draws-flatten",
        adds=(
            "a policy saturated on the drawn action: from the uniform policy every draw makes the"
            " policy less uniform"
        ),
    ),
    _claim(
        "optimistic-attraction-stronger",
        895,
        statement=(
            "This attractive signal is much stronger than the expected gradient signal offered by"
            " the regular estimator."
        ),
        kind="inequality",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$, $b = +4$; the signal: how far the expected"
                " update moves the preferences, up to a common shift"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "optimistic-attraction-stronger-near-corners",
        895,
        statement=(
            "Near the corners this attractive signal is much stronger than the expected gradient"
            " signal offered by the regular estimator."
        ),
        kind="inequality",
        given=("$bold(r) = [1 space 2 space 3]^top$, $b = +4$; near the corners",),
        required_evidence=_BOTH,
        depends_on=("biased-update-larger-when-saturated",),
        corrects="optimistic-attraction-stronger",
        adds="near the corners: at $pi^*$ the signal moves nothing and the gradient does",
    ),
    _claim(
        "pessimistic-towards-a-corner",
        895,
        statement=(
            "The trends are similar for the pessimistic baseline, except that the policy is updated"
            " aggressively towards a corner."
        ),
        kind="dynamics",
        given=("$bold(r) = [1 space 2 space 3]^top$, $b = -4$; the expected alternate update",),
        required_evidence=("derivation",),
        depends_on=("exact-basins",),
    ),
)
