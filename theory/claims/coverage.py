"""What each label of the paper's source claims: a copy of the labels and their lines, not of the
text.

A label is claimed if a claim carries it near its line; else `why` says why it claims nothing, or
where the claim is already entered. Which labels are claimed is computed, not noted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from altpg_verify.ledger import Claim


@dataclass(frozen=True)
class Label:
    """One \\label of the source.

    Names aren't unique: a figure of the body and one of the appendix share theirs, so a label is a
    name with a line.

    Args:
        name: the label.
        line: line of the source where it stands.
        why: why no claim carries it; empty if one does.
    """

    name: str
    line: int
    why: str = ""


def claimed(label: Label, claims: Iterable[Claim]) -> bool:
    """Whether a claim carries the label within `NEAR` lines of it. Some labels occur twice in the
    source, hence the distance of the lines.
    """
    return any(
        claim.label == label.name and abs(claim.line - label.line) <= NEAR for claim in claims
    )


def status(label: Label, claims: Iterable[Claim]) -> str:
    """ "claimed", or why the label needs no claim; empty for one that has neither, which is a gap
    that the tests report.
    """
    return "claimed" if claimed(label, claims) else label.why


NEAR = 24

LABELS: tuple[Label, ...] = (
    Label("sec: introduction", 76, "a heading"),
    Label("sec: preliminaries", 96, "a heading"),
    Label("eq: gradient_bandit", 102),
    Label("eq: regular_bandit_estimator_scalar", 106),
    Label("eq: pg_main", 113),
    Label("eq: pg_expectation", 117),
    Label("eq: regular_gradient_bandit", 127),
    Label("eq: regular_gradient_bandit_with_baseline", 131),
    Label("eq: alternate_stochastic_softmax_grad_vector", 139),
    Label(
        "eq: alternate_stochastic_softmax_grad_vector_with_baseline",
        143,
        "defines the alternate estimator with a baseline",
    ),
    Label("fig: bandit_intuition", 154, "describes a figure that is not in the source"),
    Label("eg: saturated_pg", 158),
    Label("thm: expectation_saturated_pg", 167),
    Label("thm: variance_saturated_pg", 171),
    Label(
        "fig: combined_bandit_parameter_sensitivity",
        181,
        "gives the protocol of a figure that is not in the source",
    ),
    Label("sec: alternate_utilizes_biasedness", 184, "a heading"),
    Label("thm: fixed_pt_biased_pg", 193),
    Label("thm: fixed_pt_biased_pg_attract_repulse", 197),
    Label("sec: bandit_experiments", 202, "a heading"),
    Label("fig: bandit_learning_curve", 212),
    Label("sec: alt_pg_mdp", 223, "a heading"),
    Label("eq: explicit_pg_matrix_vec", 228),
    Label("eq: mdp_vector_grad_softmax_mid", 234),
    Label("eq: mdp_primary_vector_grad_softmax", 237),
    Label("fig: tabular_combined", 250, "gives the protocol of a figure that is not in the source"),
    Label("eq: mdp_alternate_vector_grad_softmax", 258),
    Label("eq: mdp_alternate_stochastic_loss", 263),
    Label("sec: tabular_experiments", 267, "a heading"),
    Label("fig: linear_nonstationary_combined", 278),
    Label("fig: realistic_plus_dotreacher", 292),
    Label("fig: lc_escort_entropy", 299),
    Label("app: additional_background", 406, "a heading"),
    Label("sec: differentiation_vector_variables", 407, "a heading"),
    Label("prop: dot_product_grad", 430),
    Label("prop: scalar_vector_grad", 440),
    Label("prop: chain_rule_grad", 451),
    Label("prop: elementwise_grad", 465),
    Label("app: theoretical_analysis_bandits", 481, "a heading"),
    Label("app: tree_sampling", 484, "a heading"),
    Label("table: sampling_for_gradient_bandits", 505),
    Label("fig: tree", 517, "describes a figure that is not in the source"),
    Label("alg: building_procedure", 523, "calls the two algorithms that are claimed"),
    Label("alg: build_sampling_tree", 535),
    Label("alg: left_cumulant", 562),
    Label("alg: action_select", 580, "is claimed by the proposition on it"),
    Label("thm: tree_sampling_mid", 598),
    Label("alg: fix_upstream", 615),
    Label("app: zero_at_corner", 630, "a heading"),
    Label("thm: expectation_saturated_pg", 633, "states line 167 again"),
    Label("eq: expected_pg_fixed_pt_eqn", 642),
    Label("thm: variance_saturated_pg", 649),
    Label("eq: gradient_bandit_estimators_variance_expression", 667),
    Label("app: attractor_repellor", 681, "a heading"),
    Label("eq: expected_gradient_bandit_updates", 685),
    Label("thm: fixed_pt_biased_no_grad", 693),
    Label("thm: fixed_pt_biased_pg", 710),
    Label("eq: bised_pg_fixed_pt_eqn", 722),
    Label("eq: fixed_pt_biased_pg_set1", 737),
    Label("eq: imp_fixed_point_solution_biased", 747),
    Label("thm: upper_bound_mgf", 757),
    Label("thm: fixed_pt_biased_pg_attract_repulse", 765, "states line 197 again"),
    Label("eq: zeta_definition", 771, "defines zeta"),
    Label("eq: pi_{t+1}", 775),
    Label("eq: KL_relation", 781),
    Label("eq: fixed_point_upper_bound_log", 801),
    Label("eq: condition_alpha_biased_fixed_pt", 805),
    Label("eq: upper_bound_alpha_fixed_pt_attractor", 814),
    Label("fig: fixed_point_nature_proof", 824),
    Label("eg: saturated_pg_opti", 833),
    Label("app: bandits_intuition", 843, "a heading"),
    Label("fig: policy_space", 850, "describes a figure that is not in the source"),
    Label("fig: intuition_bandits_reward001_noise1", 864),
    Label("fig: intuition_bandits_reward001_noise0", 875),
    Label("fig: intuition_bandits_reward123_noise1", 890),
    Label("fig: intuition_bandits_reward123_noise0_opti_pessi", 901),
    Label("app: theoretical_analysis_mdp", 904, "a heading"),
    Label("app: diff_alternate_estimators", 920, "a heading"),
    Label("eqn: ppo_grad", 931),
    Label("eq: regular_online_ac_estimator_app", 967),
    Label("eq: alternate_online_ac_estimator", 971),
    Label("app: additional_details_online_ac", 992, "a heading"),
    Label("eq: grad_w_theta_s_a", 999),
    Label("eq: grad_W_log_pi", 1020),
    Label("app: additional_details_online_ac", 1037, "a heading"),
    Label("app: escort_pg", 1062, "a heading"),
    Label("eq: grad_W_log_pi_escort", 1082),
    Label("app: experiments_bandits", 1086, "a heading"),
    Label("alg: grad_bandit_reg", 1098),
    Label("sec: bandits_alternate_estimator_noise_and_no_noise_first_exp", 1119, "a heading"),
    Label("fig: bandit_learning_curves", 1128),
    Label("sec: bandit_noise_plus_no_noise", 1131, "a heading"),
    Label("fig: param_sensitivity_r001", 1137),
    Label("fig: uniform_init_learning_curves", 1146),
    Label("fig: uniform_init_no_noise_learning_curves", 1153),
    Label("fig: multiple_bad_init_param_study", 1162),
    Label("sec: opti_pessi_bandit_experiments", 1165, "a heading"),
    Label("fig: bad_init_optimistic_param_study", 1177),
    Label("fig: bad_init_pessimistic_param_study", 1184),
    Label("sec: fixed_baseline_gradient_bandits", 1187, "a heading"),
    Label("fig: bias_alternate_param_study", 1194),
    Label("fig: multiple_init_regular_no_baseline.pdf", 1208),
    Label("sec: gradient_noise_bandits", 1211, "a heading"),
    Label("fig: competitor_true_rpi_regular_noisy", 1220),
    Label("fig: competitor_regular_noisy", 1227),
    Label("fig: optimistic_noisy.pdf", 1234),
    Label("app: experiments_tabular", 1237, "a heading"),
    Label("fig: chain", 1247, "defines the environment"),
    Label("alg: reinforce", 1252),
    Label("footnote: timeout_rambling", 1276),
    Label("sec: reinforce_chain_different_policy_saturations_exp", 1278, "a heading"),
    Label("fig: multiple_bad_init_learning_curve", 1286),
    Label("fig: multiple_bad_init_sensitivity", 1293),
    Label("fig: multiple_bad_init_no_noise_learning_curve", 1302),
    Label("fig: multiple_bad_init_no_noise_sensitivity", 1309),
    Label("sec: opti_pessi_pg_experiments", 1312, "a heading"),
    Label(
        "fig: optimistic_linear_chain_sensitivity",
        1319,
        "gives the protocol of a figure that is not in the source",
    ),
    Label(
        "fig: pessimistic_linear_chain_sensitivity",
        1326,
        "gives the protocol of a figure that is not in the source",
    ),
    Label(
        "fig: biased_pg_sensitivity",
        1336,
        "gives the protocol of a figure that is not in the source",
    ),
    Label("sec: grad_noise_mdp", 1339, "a heading"),
    Label("fig: competitor_linear_chain_sensitivity", 1349),
    Label("app: uniform_policy_bad", 1352, "a heading"),
    Label("fig: chain_messed", 1359, "defines the environment"),
    Label("fig: chain_messed_sensitivity", 1368),
    Label("app: experiments_linear", 1371, "a heading"),
    Label("alg: online_ac", 1377),
    Label("fig: environments", 1408, "describes a figure that is not in the source"),
    Label("sec: nonstationary_tasks_alt_wins", 1413, "a heading"),
    Label(
        "fig: linear_nonstationary_combined",
        1422,
        "gives the protocol of a figure that is not in the source",
    ),
    Label("fig: linear_nonstationary_sensitivity", 1431),
    Label("sec: escort_entropy", 1436, "a heading"),
    Label("fig: entropy_sensitivity", 1443),
    Label("fig: escort_sensitivity", 1454),
    Label("sec: saturated_linear_softmax_policies", 1459, "a heading"),
    Label("fig: linear_ac_mc_learning_curve", 1468),
    Label("fig: linear_ac_mc_stepsize_sensitivity", 1477),
    Label("fig: linear_realmc_learning_curve", 1489),
    Label("fig: linear_realmc_stepsize_sensitivity", 1500),
    Label("app: experiments_neural", 1503, "a heading"),
    Label("sec: non_stationary_dotreacher", 1511, "a heading"),
    Label("fig: neural_nonstationary_dotreacher_stepsize_sensitivity", 1518),
    Label("sec: opti_pessi_neural_pg", 1521, "a heading"),
    Label("fig: neural_dotreacher_stepsize_sensitivity", 1528),
    Label("fig: tabular_00_v0_large", 1538),
    Label("fig: softmax_optim", 1547),
)
"""Every \\label of the source, in its order."""

REPEATED: Mapping[int, tuple[str, ...]] = {
    203: ("gradient-is-pi-times-advantage",),
    482: ("alternate-step-costs-logarithmic",),
    508: (
        "regular-updates-all-components",
        "alternate-updates-single-component",
        "regular-step-costs-linear",
        "alternate-step-costs-logarithmic",
    ),
    631: (
        "saturated-gradient-close-to-zero",
        "saturated-weights-not-updated",
        "regular-variance-zero-at-corners",
        "regular-cannot-leave-corner",
        "alternate-zero-in-expectation-at-corners",
        "alternate-variance-nonzero-at-corners",
        "alternate-escapes-by-noise",
    ),
    634: ("saturated-gradient-zero", "saturated-regular-zero", "saturated-alternate-zero"),
    650: ("corner-regular-variance-zero", "corner-alternate-variance"),
    679: (
        "propositions-need-boundary",
        "softmax-never-at-boundary",
        "regular-expectation-vanishes-near-boundary",
        "regular-variance-vanishes-near-boundary",
        "alternate-variance-nonzero-near-boundary",
    ),
    682: ("biased-when-baseline-differs", "regular-unbiased-any-baseline"),
    692: ("biased-update-not-a-gradient",),
    711: (
        "lemma-case-1-never-zero",
        "lemma-case-2-zero-on-face",
        "lemma-case-3-zero-at-pi-star",
        "pi-star-inside-simplex",
    ),
    766: ("pessimistic-repels", "optimistic-attracts"),
    796: ("pessimistic-repels",),
    827: (
        "optimistic-moves-to-more-uniform",
        "pi-star-prefers-best-action",
        "optimistic-flattens-suboptimal-corner",
        "pessimistic-can-saturate-wrongly",
        "pi-star-differs-from-optimal",
        "alternate-still-reaches-optimum",
        "alternate-asymptotically-unbiased",
    ),
    834: ("example-always-first-action",),
    867: ("alternate-stochastic-update-larger",),
    869: ("random-walk-at-corner", "optimal-corner-attracts"),
    895: ("optimistic-attracts",),
    900: ("regular-unbiased-any-baseline", "alternate-biased-throughout"),
    1092: ("gradient-is-pi-times-advantage",),
    1120: (
        "bandit-competitive-uniform",
        "bandit-superior-saturated",
        "no-noise-saturated-none-learns",
    ),
    1123: (
        "bandit-saturated-alternate-learns",
        "bandit-saturated-others-fail",
        "bandit-learned-baseline-faster",
    ),
    1132: ("no-noise-saturated-none-learns", "reward-noise-helps-alternate"),
    1169: (
        "optimism-helps-alternate",
        "pessimism-hurts-alternate",
        "baseline-start-matters-less-to-regular",
    ),
    1197: ("fixed-point-formula",),
    1203: ("corner-regular-variance-zero", "regular-cannot-leave-corner"),
    1280: (
        "chain-competitive-uniform",
        "chain-superior-saturated",
        "chain-true-value-little-better",
    ),
    1313: (
        "chain-optimism-helps",
        "chain-pessimism-hurts",
        "chain-optimism-prefers-small-critic-steps",
    ),
    1416: (
        "mountaincar-alternate-superior",
        "mountaincar-regular-does-not-recover",
        "mountaincar-alternate-recovers",
        "acrobot-difference-smaller",
    ),
    1425: ("returns-fall-below-minus-200", "entropy-jumps-for-alternate-only"),
    1554: ("regular-updates-all-components", "alternate-updates-single-component"),
}
"""Lines that say again, in the same or nearly the same words, what claims of other lines say."""

SLIPS: Mapping[int, str] = {
    94: "such REINFORCE: the word as is missing",
    97: "the sum of the return has no index, and starts at a bare 0",
    111: "the sum of the return has no index, and starts at a bare 0",
    122: "[pi]_k uses k for an index and for the number of arms",
    172: "V[g^REG(A)] without the reward among the arguments",
    203: "r_pi is subtracted from a vector without the vector of ones",
    237: "the sum runs over a, the basis vector is e_A",
    262: "the sum runs over s and a, the advantage is h(S, A)",
    268: "zero everywhere expect at the last transition: except is meant",
    270: (
        "figure part named bottom-left for the learning curves, and two lines above for the"
        " environment"
    ),
    308: "a comma before We, where a sentence ends",
    316: "calls the results asymptotic, though the theorem is of each single step",
    479: "the variance of vector random: the noun is missing",
    566: "the comment calls the empty tree a leaf node",
    602: "the bound m of the induction is named and not used: it goes from sizes up to l to l + 1",
    650: "V[g^REG(A)] without the reward among the arguments",
    694: "b is subtracted from a vector without the vector of ones",
    701: "r_pi is subtracted from a vector without the vector of ones",
    711: "= 0 for a vector: a plain zero where elsewhere stands the zero vector",
    716: "b is a summation index beside the baseline b",
    741: "either b > r(a) or b < r(a) for all actions: meant is one of the two for all actions",
    763: (
        "for all actions, b > r(a) or b < r(a): meant is one of the two for all actions, not either"
        " for each"
    ),
    799: "P(X = c) for the probability of the action c, X being a real-valued function of it",
    801: "pi(c) for pi_t(c)",
    841: (
        "says that the points are formalized in the sections ahead; they are in the sections before"
    ),
    869: "in expectation the gradient signal towards them: the verb is missing",
    884: "the variance of the policy, where the estimator's is meant",
    921: "dates REINFORCE 1991, and 1992 in the references",
    1014: "d is an action beside the dimension d of the features",
    1037: "has the label of the section before it, so that references to both go to one of them",
    1067: "would would approach",
    1086: "begins with We then give, with nothing before it",
    1092: "r_pi is subtracted from a vector without the vector of ones",
    1100: "the estimate of the average reward is called a function",
    1212: (
        "N(0, grad-noise) where N(0, sigma^2) is used elsewhere and the captions speak of a"
        " standard deviation"
    ),
    1241: "zero everywhere expect at the last transition: except is meant",
    1261: "G_t is used in the gradient estimate before the lines that calculate it",
    1402: "dates Pardo et al. 2020, and 2018 in the references and on another page",
    1462: "the alternate baseline, where the alternate estimator is meant",
    1509: "the stationary the non-stationary: and is missing",
    1532: "lower than the what: one word too many",
    1546: "the set without a loses its braces: A minus a",
    1550: "the the update direction",
    1552: "the policy would becomes saturated",
}
"""Slips of notation or wording that make no statement false, and so are no claims."""
