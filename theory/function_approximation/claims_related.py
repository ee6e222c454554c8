"""Section 8: what the paper says of related work."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_related = partial(Claim, section="8 Related works")


RELATED = (
    _related(
        "neurd-printed-as-policy-gradient",
        311,
        statement=(
            "NeuRD: $nabla_bold(w) cal(J) = sum_s nu_pi (s) sum_a nabla_bold(w) [bold(theta)(S)]_A"
            " h_pi (S, A)$"
        ),
        kind="identity",
        given=("$S$, $A$ are $s$, $a$",),
        required_evidence=("enumeration",),
    ),
    _related(
        "neurd-drops-policy-weight",
        311,
        statement=(
            "The NeuRD update is $sum_s nu_pi (s) sum_a nabla_bold(w) [bold(theta)(S)]_A h_pi (S,"
            " A)$, missing the policy weighting."
        ),
        kind="identity",
        given=("as cited", "$S$, $A$ are $s$, $a$"),
        required_evidence=("derivation",),
        corrects="neurd-printed-as-policy-gradient",
        adds=(
            "an update in the place of the gradient that the printed left side names: NeuRD follows"
            " no policy gradient"
        ),
    ),
    _related(
        "neurd-more-aggressive",
        311,
        statement=(
            "Missing the weighting would make it more aggressive than the unbiased alternate"
            " estimator."
        ),
        kind="inequality",
        given=("each entry of the expected tabular update, in absolute value",),
        required_evidence=("derivation", "enumeration"),
        depends_on=("neurd-drops-policy-weight",),
    ),
    _related(
        "baseline-effect-weaker-for-regular",
        311,
        statement=(
            "Because of the unbiasedness of the regular estimator, this (attractive or repulsive)"
            " effect is much weaker compared to what is experienced by the (biased) alternate"
            " estimator."
        ),
        kind="inequality",
        given=("the effect of $b$ on the expected update: none for the regular estimator",),
        required_evidence=("derivation", "enumeration"),
    ),
)
