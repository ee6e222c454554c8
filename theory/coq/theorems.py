"""Which theorem of theory/coq states which claim."""

from __future__ import annotations

from collections.abc import Mapping

THEOREMS: Mapping[str, tuple[str, ...]] = {
    # the gradient and the estimators' means
    "softmax-jacobian": ("softmax_jacobian",),
    "gradient-is-pi-times-advantage": ("gradient",),
    "gradient-as-regular-with-true-baseline": ("regular_unbiased",),
    "gradient-as-alternate-with-true-baseline": ("alternate_unbiased_iff",),
    "regular-unbiased-any-baseline": ("regular_unbiased",),
    "expected-alternate-with-baseline": ("expected_alternate_is_mean",),
    "biased-when-baseline-differs": ("alternate_unbiased_iff",),
    "expected-update-eta-pi": ("expected_update", "expected_regular"),
    "expected-update-eta-zero": ("expected_update", "expected_alternate_is_mean"),
    # variance at a corner
    "corner-regular-variance-zero": ("corner_regular_variance",),
    "corner-alternate-variance": ("corner_alternate_variance",),
    "corner-alternate-baseline-variance": ("corner_alternate_variance",),
    "corner-variance-at-eta-zero": ("corner_variance", "corner_alternate_variance"),
    "corner-variance-at-eta-pi": ("corner_variance", "corner_regular_variance"),
    # lemma 2.1
    "lemma-case-1-never-zero": ("case_1_never_zero",),
    "lemma-case-1-no-fixed-point": ("case_1_no_fixed_point",),
    "lemma-case-2-zero-on-face": ("case_2_face",),
    "lemma-case-3-policy-fixed-point": (
        "update_at_pi_star",
        "case_3_unique",
        "kappa_not_0",
        "case_3_fixed_iff_pi_star",
        "case_3_moves_by_kappa",
    ),
    "pi-star-inside-simplex": ("pi_star_interior",),
    "value-at-pi-star-harmonic": ("value_at_pi_star",),
    "fixed-point-equation": ("fixed_point_equation",),
    "fixed-point-constant-gradient": ("fixed_iff_constant",),
    "case-1-signs": ("case_1_signs",),
    "case-1-no-kappa": ("case_1_no_kappa",),
    "case-2-kappa-zero": ("case_2_kappa_zero",),
    "case-2-face": ("case_2_kappa_zero", "case_2_face"),
    "kappa-formula": ("case_3_unique",),
    "fixed-point-formula": ("case_3_unique", "case_3_fixed_iff_pi_star"),
    # theorem 1
    "preference-update-with-zeta": ("preference_update",),
    "next-policy": ("next_policy",),
    "kl-relation": ("KL_step",),
    "pessimistic-repels": ("pessimistic_repels",),
    "optimistic-attracts": ("optimistic_attracts_small_stepsize",),
    "optimistic-attracts-explicit-stepsize": ("optimistic_attracts",),
    # its proof as printed
    "mgf-bound": ("hoeffding",),
    "cauchy-schwarz-pessimistic": ("cauchy_schwarz_pessimistic",),
    "second-moment-exceeds-harmonic": ("second_moment_exceeds_harmonic",),
    "equality-only-at-constant-ratio-corrected": ("constant_product_implies_fixed_point",),
    "constant-product-implies-fixed-point": ("constant_product_implies_fixed_point",),
    "jensen-step": ("jensen_step",),
    "log-term-exceeds-harmonic": ("log_term_exceeds_harmonic",),
    "log-term-upper-bound": ("log_term_upper_bound",),
    "cauchy-schwarz-optimistic": ("second_moment_below_harmonic",),
    "stepsize-exists": ("stepsize_exists",),
    "optimistic-descent-under-condition": ("descent_under_condition",),
    "stepsize-bound": ("stepsize_bound",),
    # beyond the paper
    "stationary-mean-is-pi-star": ("stationary_mean", "telescoping"),
    "exact-basins": ("exact_basin",),
    "baseline-below-best-reaches-optimum": ("below_best_reaches_optimum",),
    "cycle-mean-is-pi-star": ("cycle_mean", "two_cycle"),
    "learned-baseline-invariant": ("alternate_invariant", "regular_invariant"),
    "uniform-stepsize-two-smallest-rewards": ("optimistic_attracts_two_smallest",),
    "uniform-stepsize-by-largest-gap": ("stepsize_by_largest_gap", "optimistic_attracts"),
}
"""The theorems that together state a claim, by the claim's id."""
