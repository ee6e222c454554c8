"""Cases of the gallery that are losses of libraries, in the form in which they stand there, and
reports about them.
"""

from __future__ import annotations

from functools import partial

from tests.gallery.case import Case

_case = partial(Case, numpy=False)

LIBRARIES = (
    _case(
        "p60_vtrace_over_the_end",
        "shifted_over_ends",
        "What a time limit cut off is worth what the next trajectory is worth, whatever was done;"
        " only the batch's last trajectory hears of its own. Cut at the ends it is V-trace.",
    ),
    _case(
        "p61_ratio_twice",
        "ratio_twice",
        "Where samples come from the old policy each action is weighted by its ratio squared; held,"
        " the second ratio is still a factor too much. A correction takes the old policy over the"
        " sampler.",
    ),
    _case(
        "p62_log_ratios_of_padding",
        "unmasked_mean",
        "A row that ends early is weighed by a padded token that nobody chose, and the padding's"
        " probability is pushed up or down with it.",
    ),
    _case(
        "p63_padding_in_the_average",
        "padding_is_scored",
        "Scored padding teaches what nobody did; counted padding only makes the step smaller; a"
        " mean over all steps weighs long episodes less than they deserve. The formula of the page"
        " has a mean over episodes.",
    ),
    _case(
        "p64_dual_clip",
        "vanilla",
        "PPO with dual clip, named so; with a group's deviation below and the batch's number of"
        " tokens, its first step follows no objective.",
    ),
    _case(
        "p65_sequence_ratio",
        "gspo_in_verl",
        "Both are GSPO: with one advantage for a row, the two forms have the same gradient.",
    ),
    _case(
        "p66_soft_gate",
        "sapo",
        "SAPO as printed, up to the 1e-8 in its denominator; what keeps it from being a gradient is"
        " the deviation and the length, not the gate.",
    ),
    _case("p67_geometric_mean", "geo_mean", "GMPO as printed, up to the 1e-8 in its denominators."),
    _case(
        "p68_clipped_weight",
        "cispo_in_verl",
        "Four times CISPO with other bounds and another average; who moves a configuration from one"
        " to another has to move the bound's meaning too.",
    ),
    _case(
        "p69_active_groups",
        "rows_that_pay",
        "With the rows that pay as the measure the step's length follows the rewards; it isn't GPG."
        " With the groups that differ it is.",
    ),
    _case(
        "p70_selected_penalty",
        "kl_cov",
        "Correct, and the penalty does nothing yet: at the policy that was sampled its slope is 0,"
        " and it acts in later steps only.",
    ),
    _case(
        "p71_whitened_returns",
        "whitened_returns",
        "REINFORCE++ as verl has it: whitening over the batch puts other rows' luck into every"
        " step, and what is followed is no objective.",
    ),
    _case(
        "p72_leave_one_out",
        "normalised_in_nemo_rl",
        "Leave-one-out is unbiased in all three; over the others' deviation, which is random and"
        " skipped where it is 0, it isn't any more.",
    ),
    _case(
        "p73_length_weighted_baseline",
        "opo",
        "OPO, named so. Its baseline has the own reward in it, with a weight that depends on what"
        " is sampled: the step isn't along the gradient.",
    ),
    _case(
        "p74_best_of_group",
        "over_the_deviation",
        "As printed it follows the expected best of the group, exactly; the deviation takes that"
        " away.",
    ),
    _case(
        "p75_straight_through_k2",
        "of_two_tokens",
        "k2 by token is right for one token. For several it leaves out how earlier tokens decide"
        " where later ones are compared, and is no gradient at all.",
    ),
    _case(
        "p76_weighted_k3",
        "without_weight",
        "With the weight k3 has the gradient of k2: exactly that of KL(π‖ref), but for what a clamp"
        " on its value cuts off.",
    ),
    _case(
        "p77_truncated_correction",
        "truncated",
        "Truncated or dropped ratios are a bias of their own, small where sampler and trainer are"
        " near; the whole ratio is unbiased.",
    ),
    _case(
        "p78_masked_far_sequences",
        "everything_bad",
        "Without its bad rows a pair teaches what the better one did: half the gradient of the"
        " better of two. At a threshold above 0 the first step leaves nothing out.",
    ),
    _case(
        "p79_three_averages",
        "grpo",
        "A mean over each row and a mean over all tokens follow no objective with a baseline in the"
        " advantages; a fixed length only makes the step smaller.",
    ),
    _case(
        "p80_times_length",
        "luspo",
        "Correct: what the mean in the ratio's exponent takes away from long rows the factor gives"
        " back; without it long rows teach less a token.",
    ),
    _case(
        "p81_two_sided_clip",
        "two_sided",
        "PPO with dual clip, named so, though the code looks otherwise.",
    ),
    _case(
        "p82_minibatch_advantages",
        "norm_adv",
        "With exact advantages the loss is right; standardised inside the minibatch it follows no"
        " objective, and the smaller the minibatch the less.",
    ),
    _case(
        "p83_limit_is_an_end",
        "truncated_is_done",
        "What a limit cuts off is worth nothing to it, so that here it moves away from the better"
        " arm; with the value that the critic has for it the advantages are right.",
    ),
    _case(
        "p84_buffer_of_paths",
        "normalised",
        "The paths' advantages are right; standardised over a small buffer they aren't any more.",
    ),
    _case(
        "p85_smooth_clip",
        "smoothed_actor_loss",
        "Correct for the first step, like the clip itself; away from ratio 1 it is neither PPO nor"
        " another published one.",
    ),
    _case(
        "p86_counterfactual_baseline",
        "coma",
        "COMA, named so: the mean over all filled steps weighs long episodes less; over episodes"
        " the same advantages are unbiased.",
    ),
    _case(
        "p87_magic_box",
        "dice",
        "Correct: its first derivative is a policy gradient with a baseline. The box of the own"
        " step alone forgets what earlier decisions led to.",
    ),
    _case(
        "p88_every_action",
        "rm_loss",
        "QPG is the exact gradient. Regret matching weighs only what is better than average, on"
        " purpose, and follows no objective.",
    ),
    _case(
        "p89_reference_registry",
        "grpo_in_polgrad",
        "GRPO as printed, named so; what a reference library pins down is what the algorithm is,"
        " not that it follows an objective.",
    ),
    _case(
        "p90_clip_in_logarithms",
        "standardised",
        "PPO's clip in another notation; the standardised advantages of two steps have little left"
        " of the rewards.",
    ),
    _case(
        "p91_entropy_of_visited_states",
        "visits_held",
        "It raises the entropy where one is and doesn't go where there is more; with the later"
        " entropies as a reward it is the gradient of V + βH.",
    ),
    _case(
        "p92_deviation_of_the_batch",
        "scaled_by_batch",
        "Each prompt has a factor of its own still, for its own rewards are in the deviation;"
        " nearly the same factor, which a group's deviation doesn't give.",
    ),
)
"""In the order of the page."""
