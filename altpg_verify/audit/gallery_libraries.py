"""Cases of the gallery that are losses of libraries, in the form in which they stand there, and reports about them."""

from __future__ import annotations

from altpg_verify.audit.gallery_case import Case

LIBRARIES = (
    Case(
        "p60_vtrace_over_the_end",
        "shifted_over_ends",
        "What a time limit cut off is worth what the next trajectory is worth, whatever was done; only the batch's last trajectory hears "
        "of its own. Cut at the ends it is V-trace.",
        numpy=False,
    ),
    Case(
        "p61_ratio_twice",
        "ratio_twice",
        "Where samples come from the old policy each action is weighted by its ratio squared; held, the second ratio is still a factor too "
        "much. A correction takes the old policy over the sampler.",
        numpy=False,
    ),
    Case(
        "p62_log_ratios_of_padding",
        "unmasked_mean",
        "A row that ends early is weighed by a padded token that nobody chose, and the padding's probability is pushed up or down with it.",
        numpy=False,
    ),
    Case(
        "p63_padding_in_the_average",
        "padding_is_scored",
        "Scored padding teaches what nobody did; counted padding only makes the step smaller; a mean over all steps weighs long episodes "
        "less than they deserve. The formula of the page has a mean over episodes.",
        numpy=False,
    ),
    Case(
        "p64_dual_clip",
        "vanilla",
        "PPO with dual clip, named so; with a group's deviation below and the batch's number of tokens, its first step "
        "follows no objective.",
        numpy=False,
    ),
    Case(
        "p65_sequence_ratio",
        "gspo_in_verl",
        "Both are GSPO: with one advantage for a row, the two forms have the same gradient.",
        numpy=False,
    ),
    Case(
        "p66_soft_gate",
        "sapo",
        "SAPO as printed, up to the 1e-8 in its denominator; what keeps it from being a gradient is the deviation and "
        "the length, not the gate.",
        numpy=False,
    ),
    Case(
        "p67_geometric_mean",
        "geo_mean",
        "GMPO as printed, up to the 1e-8 in its denominators.",
        numpy=False,
    ),
    Case(
        "p68_clipped_weight",
        "cispo_in_verl",
        "Four times CISPO with other bounds and another average; who moves a configuration from one to another has to move the bound's "
        "meaning too.",
        numpy=False,
    ),
    Case(
        "p69_active_groups",
        "rows_that_pay",
        "With the rows that pay as the measure the step's length follows the rewards; it isn't GPG. With the groups that differ it is.",
        numpy=False,
    ),
    Case(
        "p70_selected_penalty",
        "kl_cov",
        "Correct, and the penalty does nothing yet: at the policy that was sampled its slope is 0, and only later steps feel it.",
        numpy=False,
    ),
    Case(
        "p71_whitened_returns",
        "whitened_returns",
        "REINFORCE++ as verl has it: whitening over the batch puts other rows' luck into every step, and what is followed is no objective.",
        numpy=False,
    ),
    Case(
        "p72_leave_one_out",
        "normalised_in_nemo_rl",
        "Leave-one-out is unbiased in all three; over the others' deviation, which is random and skipped where it is 0, it isn't any more.",
        numpy=False,
    ),
    Case(
        "p73_length_weighted_baseline",
        "opo",
        "OPO, named so. Its baseline has the own reward in it, with a weight that depends on what is sampled: the step "
        "isn't along the gradient.",
        numpy=False,
    ),
    Case(
        "p74_best_of_group",
        "over_the_deviation",
        "As printed it follows the expected best of the group, exactly; the deviation takes that away.",
        numpy=False,
    ),
    Case(
        "p75_straight_through_k2",
        "of_two_tokens",
        "k2 by token is right for one token. For several it leaves out how earlier tokens decide where later ones are compared, and is no "
        "gradient at all.",
        numpy=False,
    ),
    Case(
        "p76_weighted_k3",
        "without_weight",
        "With the weight k3 has the gradient of k2: exactly that of KL(π‖ref), but for what a clamp on its value cuts off.",
        numpy=False,
    ),
    Case(
        "p77_truncated_correction",
        "truncated",
        "Truncated or dropped ratios are a bias of their own, small where sampler and trainer are near; the whole ratio is unbiased.",
        numpy=False,
    ),
    Case(
        "p78_masked_far_sequences",
        "everything_bad",
        "Without its bad rows a pair teaches what the better one did: half the gradient of the better of two. At a threshold above 0 the first "
        "step leaves nothing out.",
        numpy=False,
    ),
)
