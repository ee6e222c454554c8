"""What the paper's labels are numbered as, counted in its source; results that are restated keep
their first number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_NUMBERED: Mapping[str, Mapping[str, int]] = {
    "Algorithm": {
        "alg: building_procedure": 1, "alg: build_sampling_tree": 2, "alg: left_cumulant": 3, "alg: action_select": 4,
        "alg: fix_upstream": 5, "alg: grad_bandit_reg": 6, "alg: reinforce": 7, "alg: online_ac": 8,
    },
    "Equation": {
        "eq: gradient_bandit": 1, "eq: regular_bandit_estimator_scalar": 2, "eq: pg_main": 3, "eq: pg_expectation": 4,
        "eq: regular_gradient_bandit": 5, "eq: regular_gradient_bandit_with_baseline": 6,
        "eq: alternate_stochastic_softmax_grad_vector": 7, "eq: alternate_stochastic_softmax_grad_vector_with_baseline": 8,
        "eq: explicit_pg_matrix_vec": 9, "eq: mdp_vector_grad_softmax_mid": 10, "eq: mdp_primary_vector_grad_softmax": 11,
        "eq: mdp_alternate_vector_grad_softmax": 12, "eq: mdp_alternate_stochastic_loss": 13,
        "eq: expected_pg_fixed_pt_eqn": 14, "eq: gradient_bandit_estimators_variance_expression": 20,
        "eq: expected_gradient_bandit_updates": 21, "eq: bised_pg_fixed_pt_eqn": 23, "eq: fixed_pt_biased_pg_set1": 24,
        "eq: imp_fixed_point_solution_biased": 25, "eq: zeta_definition": 26, "eq: pi_{t+1}": 27, "eq: KL_relation": 28,
        "eq: fixed_point_upper_bound_log": 31, "eq: condition_alpha_biased_fixed_pt": 32,
        "eq: upper_bound_alpha_fixed_pt_attractor": 33, "eqn: ppo_grad": 36, "eq: regular_online_ac_estimator_app": 40,
        "eq: alternate_online_ac_estimator": 41, "eq: grad_w_theta_s_a": 43, "eq: grad_W_log_pi": 45,
        "eq: grad_W_log_pi_escort": 55,
    },
    "Example": {
        "eg: saturated_pg": 1, "eg: saturated_pg_opti": 1,
    },
    "Figure": {
        "fig: bandit_intuition": 1, "fig: combined_bandit_parameter_sensitivity": 2, "fig: bandit_learning_curve": 3,
        "fig: tabular_combined": 4, "fig: realistic_plus_dotreacher": 6, "fig: lc_escort_entropy": 7, "fig: tree": 8,
        "fig: fixed_point_nature_proof": 9, "fig: policy_space": 10, "fig: intuition_bandits_reward001_noise1": 11,
        "fig: intuition_bandits_reward001_noise0": 12, "fig: intuition_bandits_reward123_noise1": 13,
        "fig: intuition_bandits_reward123_noise0_opti_pessi": 14, "fig: bandit_learning_curves": 15,
        "fig: param_sensitivity_r001": 16, "fig: uniform_init_learning_curves": 17,
        "fig: uniform_init_no_noise_learning_curves": 18, "fig: multiple_bad_init_param_study": 19,
        "fig: bad_init_optimistic_param_study": 20, "fig: bad_init_pessimistic_param_study": 21,
        "fig: bias_alternate_param_study": 22, "fig: multiple_init_regular_no_baseline.pdf": 23,
        "fig: competitor_true_rpi_regular_noisy": 24, "fig: competitor_regular_noisy": 25, "fig: optimistic_noisy.pdf": 26,
        "fig: chain": 27, "fig: multiple_bad_init_learning_curve": 28, "fig: multiple_bad_init_sensitivity": 29,
        "fig: multiple_bad_init_no_noise_learning_curve": 30, "fig: multiple_bad_init_no_noise_sensitivity": 31,
        "fig: optimistic_linear_chain_sensitivity": 32, "fig: pessimistic_linear_chain_sensitivity": 33,
        "fig: biased_pg_sensitivity": 34, "fig: competitor_linear_chain_sensitivity": 35, "fig: chain_messed": 36,
        "fig: chain_messed_sensitivity": 37, "fig: environments": 38, "fig: linear_nonstationary_combined": 39,
        "fig: linear_nonstationary_sensitivity": 40, "fig: entropy_sensitivity": 41, "fig: escort_sensitivity": 42,
        "fig: linear_ac_mc_learning_curve": 43, "fig: linear_ac_mc_stepsize_sensitivity": 44,
        "fig: linear_realmc_learning_curve": 45, "fig: linear_realmc_stepsize_sensitivity": 46,
        "fig: neural_nonstationary_dotreacher_stepsize_sensitivity": 47, "fig: neural_dotreacher_stepsize_sensitivity": 48,
        "fig: tabular_00_v0_large": 49, "fig: softmax_optim": 50,
    },
    "Lemma": {
        "thm: fixed_pt_biased_pg": 1, "thm: upper_bound_mgf": 2,
    },
    "Proposition": {
        "thm: expectation_saturated_pg": 1, "thm: variance_saturated_pg": 2, "prop: dot_product_grad": 3,
        "prop: scalar_vector_grad": 4, "prop: chain_rule_grad": 5, "prop: elementwise_grad": 6, "thm: tree_sampling_mid": 7,
        "thm: fixed_pt_biased_no_grad": 8,
    },
    "Table": {
        "table: sampling_for_gradient_bandits": 1,
    },
    "Theorem": {
        "thm: fixed_pt_biased_pg_attract_repulse": 1,
    },
}  # fmt: skip
"""Kind of thing -> label in the source -> number. Both listings of `eg: saturated_pg` are one
example.
"""

NUMBERS: Mapping[str, str] = {
    label: f"{kind} {number}"
    for kind, labels in _NUMBERED.items()
    for label, number in labels.items()
}
"""Label -> "Figure 22"."""

_BARE = {re.sub(r"^\w+: |\.pdf$", "", label): number for label, number in NUMBERS.items()}
_NAMES = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _BARE), key=len, reverse=True))})\b")
_KIND = re.compile(r"^(figures?|theorem|example)(?= \w+_\w)")


def numbered(text: str) -> str:
    """The text with the paper's numbers in the place of its labels: "figures a and b (left)"
    becomes "Figures 2 and 20 (left)".
    """
    kind = _KIND.match(text)
    if kind and kind[0] == "theorem":
        # the labels of Lemma 1 and Theorem 1 begin alike
        text = text.replace("fixed_pt_biased_pg,", "fixed_pt_biased_pg_attract_repulse,")
    said = _NAMES.sub(
        lambda name: _BARE[name[0]].partition(" ")[2] if kind else _BARE[name[0]], text
    )
    return said[:1].upper() + said[1:] if kind else said


def first_number(text: str) -> float:
    """The number of the first figure that the text stands for; infinity if it stands for none."""
    found = re.match(r"Figures? (\d+)", numbered(text))
    return int(found[1]) if found else float("inf")
