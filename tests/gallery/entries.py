"""The cases of the gallery, in the order of its page."""

from __future__ import annotations

from tests.gallery.case import Case
from tests.gallery.libraries import LIBRARIES

CASES = (
    Case(
        "p01_k1_kl_in_the_loss",
        "k1_in_the_loss",
        "This term keeps nobody near the reference: it adds noise and no pull. In the reward, not"
        " differentiated, it is right.",
    ),
    Case(
        "p02_k3_kl_in_the_loss",
        "k3_in_the_loss",
        "It does pull to the reference, but along the forward divergence KL(ref‖π), not the"
        " KL(π‖ref) that was meant; k2 is right.",
    ),
    Case(
        "p08_own_mean",
        "own_mean",
        "Both sides had a point: the direction is right, the length is (N-1)/N of what it should"
        " be, at every policy.",
    ),
    Case(
        "p09_leave_one_out_std",
        "leave_one_out_std",
        "The direction is kept, but the step is hundreds of thousands of times too long as soon as"
        " the others' rewards are all equal. The patch tames it, and the factor still depends on"
        " the policy.",
    ),
    Case(
        "p11_group_std",
        "grpo_on_three_arms",
        "With two levels of reward, dividing by the std only rescales each prompt; with three, the"
        " expected update is not a gradient field.",
    ),
    Case(
        "p13_mixed_groups_only",
        "mixed_groups_of_two_prompts",
        "Each prompt's direction is right, but dropping groups weighs a hard prompt several times"
        " heavier than the gradient does.",
        torch=False,
    ),
    Case(
        "p14_over_length",
        "over_length",
        "It ascends the reward per step, not the reward. With a baseline that moves with the policy"
        " it is not a gradient field.",
    ),
    Case(
        "p16_missing_discount",
        "without_discount",
        "Without γᵗ this is neither the discounted gradient nor the undiscounted one, nor any"
        " other; what practitioners do on purpose, and the tool says what it is.",
    ),
    Case(
        "p17_whole_return",
        "old",
        "Correct: the old form was unbiased, and only noisier. The reward-to-go that replaced it is"
        " biased when the discount is below 1.",
    ),
    Case(
        "p18_mean_logprob",
        "reward_on_the_way",
        "Right where all reward comes at the end and nothing is discounted, so that a test on one"
        " such task passes; elsewhere it ascends an average of the returns to go.",
    ),
    Case(
        "p20_standardised_returns",
        "standardised_returns",
        "The last decision never learns: standardising inside one episode cancels its own effect.",
    ),
    Case(
        "p23_advantage_not_detached",
        "advantage_not_detached",
        "The actor is right, as the baseline doesn't depend on the action; the critic is not: it"
        " settles far from the value. With a shared trunk the fault reaches the policy.",
    ),
    Case(
        "p24_ratio_is_one",
        "ratio_is_one",
        "Correct: the value of the ratio is 1, its gradient is the score. At least ten trackers"
        " hold a report of this right code.",
    ),
    Case(
        "p27_no_score_term",
        "no_score_term",
        "The sample was drawn outside the graph, so nothing is learned; a score term is missing.",
    ),
    Case(
        "p28_no_log_q_term",
        "without_the_term",
        "Correct: the term left out has mean zero. Leaving it out changes the variance, not the"
        " mean.",
    ),
    Case(
        "p30_broadcast",
        "broadcast",
        "Every advantage meets every log-probability. With raw rewards the gradient shrinks by N;"
        " with whitened ones nothing is learned.",
    ),
    Case(
        "p32_probabilities_as_logits",
        "scored_only",
        "Sampled from one policy and scored under another: not a gradient field. Used consistently"
        " it is unbiased, for a policy that can't become sure of anything.",
    ),
    Case(
        "p33_clamped_probability",
        "clamped",
        "Outside the clamp there is no gradient: a rare good action is never learned. An epsilon in"
        " the log bends the objective.",
    ),
    Case(
        "p39_entropy_sign",
        "wrong_sign",
        "The bonus became a penalty: exactly V - βH. The code that two other trackers doubted is"
        " right.",
    ),
    Case(
        "p41_probability_for_its_log",
        "probability_for_its_log",
        "It regularises by the sum of squared probabilities instead of the entropy, and ends at"
        " another policy.",
    ),
    Case(
        "p43_straight_through",
        "square_critic",
        "Exact for a critic that is linear in the one-hot; otherwise it ascends the critic of the"
        " mean, not the mean of the critic.",
    ),
    Case(
        "p44_neurd",
        "sampled_neurd",
        "It is no policy gradient and doesn't claim to be: up to shifts of the logits it ascends"
        " the dot product of rewards and logits. 1/π makes it samplable, at a variance thousands of"
        " times larger; a mean over illegal actions changes nothing for a table.",
    ),
    Case(
        "p45_action_baseline",
        "uncorrected",
        "Without its correction an action-dependent baseline changes the reward that is maximised;"
        " a perfect one leaves nothing to learn.",
        torch=False,
    ),
    Case(
        "p46_observation_resets_return",
        "reset_at_every_masked_token",
        "The token before the tool speaks is never told what came of it: 0 times its own gradient,"
        " where the later ones get all of theirs.",
        numpy=False,
    ),
    Case(
        "p47_local_denominator",
        "own_tokens",
        "With one row a worker it is the mean over tokens, which follows the reward per token; the"
        " number of all tokens is random as well, and a constant is right but for its size.",
        numpy=False,
    ),
    Case(
        "p48_mask_missing_in_update",
        "scored_without_the_mask",
        "The update pushes down an action that can't be taken, and follows no objective; with the"
        " mask in the score it is unbiased.",
        numpy=False,
    ),
    Case(
        "p49_summed_log_ratio",
        "summed_and_truncated",
        "Neither the sum nor the mean is unbiased once it is truncated; the sum without a cap is"
        " the right weight, and the mean is none.",
        numpy=False,
    ),
    Case(
        "p50_kl_without_gradient",
        "under_no_grad",
        "The term is printed with the loss and pulls nobody; differentiated, half the squared"
        " log-ratio of the whole sequence is right.",
        numpy=False,
    ),
    Case(
        "p51_value_of_padding",
        "padding_has_a_value",
        "What the critic says where nobody is decides how long rows are; masked first, the"
        " advantages are unbiased at any λ.",
        numpy=False,
    ),
    Case(
        "p52_padding_in_returns",
        "padding_pays",
        "Ending early is paid for by the padding that it brings; masked before they are summed, the"
        " rewards are the row's own.",
        numpy=False,
    ),
    *LIBRARIES,
    Case(
        "p100_tanh_twice",
        "corrected_twice",
        "It is paid extra for actions in the middle of their range: V + βH plus βE[log(1-a²)]. The"
        " correction at the action itself is none of a density at all.",
        numpy=False,
    ),
    Case(
        "p101_entropy_before_tanh",
        "entropy_of_the_gaussian",
        "It maximises the entropy of u, which grows while tanh u is pushed to its ends. Without a"
        " bonus the correction changes nothing, since the score of a given action doesn't have it.",
        numpy=False,
    ),
    Case(
        "p102_sample_for_rsample",
        "sampled",
        "No gradient goes through `sample`: nothing is learned, or with a bonus the bonus alone."
        " With `rsample` it is unbiased.",
        numpy=False,
    ),
    Case(
        "p103_clipped_action",
        "clipped_is_scored",
        "The clipped action isn't a sample of the density that scores it: a constant baseline"
        " doesn't cancel, and the field is no gradient. Scored as it was sampled, and clipped by"
        " the environment, it is unbiased.",
        numpy=False,
    ),
    Case(
        "p104_flow_density_scale",
        "without_the_timestep",
        "With a fixed scale only the length is wrong: Δt times the gradient, or one over the"
        " numbers of a sample.",
        numpy=False,
    ),
    Case(
        "p105_std_for_variance",
        "std_for_variance",
        "It scores a policy with the standard deviation √σ, which isn't the one that is sampled;"
        " right only where σ is 1.",
        numpy=False,
    ),
    Case(
        "p106_own_action_baseline",
        "own_action_only",
        "A baseline may depend on what the others did, not on what the agent did itself: it moves"
        " agents where nothing can be gained. The sum over the agent's actions is unbiased, and so"
        " are independent learners; a mean over agents is a factor.",
        numpy=False,
    ),
)
