"""Appendices D.1 to D.3: the bandit experiments with reward noise and saturated starts."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as
from altpg_verify.theory.experiments.claims import QUIET, R001, R123

_PREFERENCE = (
    "$bold(r) = [0 space 0 space 1]^top$, uniform start, 1000 steps; $theta_2$, the preference of"
    " the best action, at the estimator's best stepsize, $alpha in {2^(-6), ..., 2^1}$, in the"
    " sweep over 150 runs; other and more runs are reported"
)
_BOTH = ("derivation", "enumeration")

_details = partial(Claim, section="D.1 Experimental details")


_noise = partial(
    Claim,
    section="D.2 Alternate estimator can escape saturated policy regions",
    kind="empirical",
    required_evidence=("simulation",),
)


_saturated = partial(
    Claim,
    section="D.3 Gradient bandit estimators with increasingly saturated policy initializations",
    kind="empirical",
    required_evidence=("simulation",),
)


BANDIT_DETAILS = (
    _details(
        "gradient-bandit-pseudocode",
        1107,
        statement=(
            'The pseudocode updates $theta_a <- theta_a + alpha dot hat(g)_a^"REG"$ with'
            ' $hat(g)_a^"REG" = (R - hat(r)_pi) (II(A = a) - pi(a))$ for each action, then'
            " $hat(r)_pi <- beta R + (1 - beta) hat(r)_pi$."
        ),
        kind="algorithm",
        label="alg: grad_bandit_reg",
        given=("$pi$ is the policy before the step, for every action of the loop",),
        required_evidence=("execution",),
        depends_on=("regular-vector-form-agrees",),
    ),
    _details(
        "saturated-starts",
        1117,
        statement=(
            "$theta_(a_0) in {0, 5, 10, 50}$ for saturated policies depending on the degree of"
            " saturation."
        ),
        kind="number",
        given=("$theta_(a_1) = theta_(a_2) = 0$; saturated: most of the mass on one action",),
        required_evidence=("enumeration",),
    ),
    _details(
        "saturated-starts-corrected",
        1117,
        statement=(
            "$theta_(a_0) in {5, 10, 50}$ for saturated policies depending on the degree of"
            " saturation."
        ),
        kind="number",
        given=("$theta_(a_1) = theta_(a_2) = 0$; saturated: most of the mass on one action",),
        required_evidence=("enumeration",),
        corrects="saturated-starts",
        adds="no zero, which is the uniform policy, as the paragraph before the pseudocode has it",
    ),
)


BANDIT_NOISE = (
    _noise(
        "uniform-start-all-good",
        1123,
        statement=(
            "For the uniform policy case, we observe that all the methods achieved a good"
            " performance."
        ),
        label="fig: bandit_learning_curves",
        given=(R001, above("the worst of the five, uniform start", 0.8)),
    ),
    _noise(
        "small-stepsizes-all-similar",
        1132,
        statement="For small stepsizes, the final performance of all the methods are very similar.",
        given=(
            R001,
            read_as(
                "the five at $alpha = 2^(-6)$, uniform start",
                "any two differ by less than 0.05, and all are above 0.433, the uniform policy's"
                " and a tenth",
            ),
        ),
    ),
    _noise(
        "uniform-start-similar-at-any-noise",
        1132,
        statement=(
            "For uniform initialization, all the methods (irrespective of the magnitude of reward"
            " noise) had a similar performance."
        ),
        label="fig: param_sensitivity_r001",
        given=(
            R001,
            QUIET,
            read_as(
                "the five with noise 0 and with noise 1",
                "any two differ by less than 0.05, and all are above 0.433, the uniform policy's"
                " and a tenth",
            ),
        ),
    ),
    _noise(
        "noisy-saturated-range-of-stepsizes",
        1132,
        statement=(
            "For saturated policies, the alternate estimators with reward noise were able to learn"
            " for a range of stepsizes."
        ),
        given=(
            R001,
            read_as(
                "stepsizes $alpha$ at which an alternate estimator passes 0.5, saturated start",
                "at least three do",
            ),
        ),
    ),
    _noise(
        "zero-not-optimistic-for-001",
        1132,
        statement=(
            "The baseline was initialized to zero, which is not optimistic for $bold(r) = [0 space"
            " 0 space 1]^top$."
        ),
        kind="number",
        required_evidence=("enumeration",),
    ),
    _noise(
        "regular-preferences-flatten",
        1141,
        statement=(
            "The preferences of the regular estimator increased quite a bit during the first 100"
            " steps and then did not change much, with and without reward noise."
        ),
        label="fig: uniform_init_learning_curves",
        given=(
            _PREFERENCE,
            read_as(
                "the rise in the last 900 steps, noise 0 and 1, with the true $r_pi$ and with a"
                " learned baseline: against half of that in the first 100, and against a tenth of"
                " the preference at the end",
                "it is smaller; undecided if the readings differ",
            ),
        ),
    ),
    _noise(
        "alternate-preferences-walk",
        1141,
        statement=(
            "The graph for $theta_2$ with reward noise demonstrates the characteristic random walk"
            " pattern, for the alternate estimator with $r_pi$."
        ),
        given=(
            _PREFERENCE + ", noise 1, true $r_pi$",
            read_as(
                "$theta_2$'s change from step 500 to 1000: its variance over runs, and its"
                " correlation with that from 100 to 500",
                "the first is $500 alpha^2$ within a half, the second below 0.2",
            ),
        ),
        depends_on=("random-walk-at-corner",),
    ),
    _noise(
        "no-noise-preference-keeps-increasing",
        1141,
        statement="In the case of no reward noise, this graph becomes smooth and keeps increasing.",
        label="fig: uniform_init_no_noise_learning_curves",
        given=(
            _PREFERENCE + ", no noise, true $r_pi$",
            read_as(
                "relative rise of $theta_2$ from step 500 to 1000",
                "it is above 1/20, and larger than regular's",
            ),
        ),
    ),
    _noise(
        "alternate-noisier-with-noise",
        1141,
        statement=(
            "With reward noise, the alternate estimator has a higher variance than the regular"
            " version."
        ),
        kind="inequality",
        given=(
            (
                "$bold(r) = [0 space 0 space 1]^top$, noise of variance one, true $r_pi$; the sum"
                " of the elementwise variances"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _noise(
        "alternate-less-variance-without-noise",
        1141,
        statement=(
            "In absence of reward noise, alternate has a lower variance than the regular estimator."
        ),
        kind="inequality",
        given=(
            (
                "$bold(r) = [0 space 0 space 1]^top$, no noise, true $r_pi$; the sum of the"
                " elementwise variances; a softmax policy"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _noise(
        "alternate-less-variance-near-optimum",
        1141,
        statement=(
            "In absence of reward noise, alternate has a lower variance than the regular estimator"
            " near the optimal corner."
        ),
        kind="inequality",
        given=("as above, with $pi(a_2) >= 9 / 10$",),
        required_evidence=_BOTH,
        corrects="alternate-less-variance-without-noise",
        adds=(
            "near the optimal corner: at the uniform policy, where the experiment starts, it is"
            " higher by 2/27"
        ),
    ),
)


BANDIT_SATURATED = (
    _saturated(
        "bandit-saturation-degrades-all",
        1157,
        statement="As the policy saturation increases, the performance of all the methods degrade.",
        label="fig: multiple_bad_init_param_study",
        given=(
            R123,
            larger(
                "each method from a less saturated start",
                "the same from a more saturated one, starts 0, 5, 10, 50",
            ),
        ),
    ),
    _saturated(
        "bandit-alternate-handles-high-saturation",
        1157,
        statement=(
            "The alternate estimator (with true $r_pi$) is able to handle high saturations (except"
            " for $(5, 0, 0)$) better than the regular estimator."
        ),
        given=(
            R123,
            larger("alternate", "regular, true $r_pi$, starts $(10, 0, 0)$ and $(50, 0, 0)$"),
        ),
    ),
    _saturated(
        "bandit-zero-baseline-poor",
        1157,
        statement=(
            "The alternate estimator with a learned baseline initialized to zero did not perform"
            " well."
        ),
        given=(
            R123,
            read_as(
                "alternate with $b = 0$, start $(10, 0, 0)$, and uniform start",
                "the first is below 2, and the second above 2.2",
            ),
        ),
        depends_on=("zero-is-pessimistic-for-123",),
    ),
)
