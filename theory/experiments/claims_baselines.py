"""Appendices D.4 (learned baselines) and D.5: optimistic and pessimistic starts, dropping the
baseline, noise on the gradient.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as

_started = partial(
    Claim,
    section="D.4 Effect of bias in the reward baselines on the estimators",
    kind="empirical",
    required_evidence=("simulation",),
)
_modified = partial(
    Claim,
    section="D.5 Can the regular estimator be modified to deal with saturated policies?",
    kind="empirical",
    required_evidence=("simulation",),
)
_PROTOCOL = (
    "$bold(r) = [1 space 2 space 3]^top$, noise 1; mean of $r_pi$ over the last 50 of 1000 steps,"
    " 150 runs, $alpha in {2^(-6), ..., 2^1}$, $beta in {2^(-4), ..., 2^0}$, each estimator at its"
    " best stepsizes"
)
_NOISED = (
    _PROTOCOL + "; $theta_a <- theta_a + alpha (g_a + xi)$, $xi$ normal of size 0, 0.1, 0.5, 1 or 2"
)

LEARNED = (
    _started(
        "reward-noise-matters-less-than-bias",
        1166,
        statement=(
            "The results with optimistic or pessimistic baselines, and no noise, were qualitatively"
            " similar."
        ),
        given=(
            _PROTOCOL,
            "footnote",
            read_as(
                "each estimator with noise 1 less the same with noise 0, $b = +4$ and $b = -4$; and"
                " alternate less regular without noise from $(10, 0, 0)$, $b = +4$",
                "the first lie within 0.2 of 0, the second is above 0.2",
            ),
        ),
    ),
    _started(
        "optimism-prefers-small-stepsizes",
        1169,
        statement=(
            "With an optimistic initialization, the alternate estimator preferred smaller"
            " stepsizes, and vice-versa for a pessimistic one."
        ),
        label="fig: bad_init_optimistic_param_study",
        given=(
            _PROTOCOL,
            read_as(
                "the best $beta$ for $b = +4$ and for $b = -4$, start $(10, 0, 0)$ and $(0, 0, 0)$",
                "the first is smaller",
            ),
        ),
    ),
    _started(
        "learned-baseline-reaches-optimum",
        1171,
        statement=(
            "The agent was able to converge to the optimal corner (corresponding to action $a_2$)"
            " and thus obtained a reward of about 3."
        ),
        label="fig: bad_init_pessimistic_param_study",
        given=(_PROTOCOL, above("alternate, $b = +4$ and $b = -4$, uniform start", 2.9)),
        depends_on=("alternate-asymptotically-unbiased",),
    ),
    _started(
        "learned-baseline-bias-disappears",
        1171,
        statement=(
            "As the baseline $b$ became closer to the average reward $r_pi$, the bias in the"
            " alternate estimator disappeared."
        ),
        given=(
            _PROTOCOL,
            read_as(
                "mean of $abs(b - r_pi)$ over the last 50 steps, uniform start, $b = +4$ at the"
                " start; mean of $r_pi$",
                "the first is below a tenth of its start, and the second above 2.9",
            ),
        ),
    ),
)

MODIFIED = (
    _modified(
        "no-baseline-regular-not-competitive",
        1203,
        statement=(
            "The regular estimator without a baseline cannot be a good competitor to the alternate"
            " one for escaping saturated regions."
        ),
        label="fig: multiple_init_regular_no_baseline.pdf",
        given=(
            _PROTOCOL,
            larger("alternate, $b = +4$", "regular without a baseline, start $(10, 0, 0)$", 0.5),
        ),
    ),
    _modified(
        "gradient-noise-escapes-saturation",
        1214,
        statement=(
            "Adding a normal noise works well for escaping the saturated policy regions in this"
            " setting for all the five estimators."
        ),
        label="fig: competitor_true_rpi_regular_noisy",
        given=(_NOISED, above("each of the five at its best noise, start $(10, 0, 0)$", 2)),
    ),
    _modified(
        "gradient-noise-hurts-uniform",
        1214,
        statement=(
            "Adding gradient noise also worsens the performance of all the estimators for the"
            " uniform policy case."
        ),
        given=(
            _NOISED,
            larger("each of the five without noise", "itself with noise 2, uniform start"),
        ),
    ),
    _modified(
        "optimism-beats-gradient-noise",
        1214,
        statement=(
            "The alternate estimator benefits from an optimistic baseline much more than the"
            " regular estimator benefits from added gradient noise."
        ),
        label="fig: optimistic_noisy.pdf",
        given=(
            _NOISED,
            larger(
                "alternate, $b = +4$, no noise",
                "regular, $b = 0$, at its best noise, start $(10, 0, 0)$",
                0.2,
            ),
        ),
    ),
    _modified(
        "alternate-robust-to-gradient-noise",
        1226,
        statement=(
            "For the uniform policy case and a high standard deviation of the noise, the alternate"
            " estimator is more robust to the gradient noise than the regular estimator."
        ),
        label="fig: competitor_regular_noisy",
        given=(
            _NOISED,
            larger(
                "alternate",
                "regular, both with learned baseline from 0 and noise 2, uniform start, mean over"
                " all stepsizes",
            ),
        ),
    ),
)
