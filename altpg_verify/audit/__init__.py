"""Checking any loss, batch, trajectory or group estimator by exact enumeration.

Table of contents, in reading order; every name is loaded when it is first used.

    policies     parameters -> action probabilities: softmax, sigmoid, shared or masked logits, or a
                 function
    spaces, exact_points, policies_beside, space_caveats  every episode of a small
                 bandit, contextual bandit or MDP; draws of one, of batches, of groups
    environments bandits, contextual bandits, lists of episodes, as spaces
    mdps         small MDPs as spaces, and what a time limit cuts off
    token_spaces, token_sequences, token_policies, token_rows  sequences of a few tokens as spaces,
                 and how trainers lay them out
    continuous, quadrature  spaces whose randomness is a number: a mean is a sum over nodes, and a
                            finer rule must confirm it
    gaussian_spaces, gaussian_actions, gaussian_policies, gaussian_values  normally distributed
                 actions, with objectives in closed form
    polynomials, reward_functions  rewards of continuous actions
    gumbel_spaces, gumbel_policies, gumbel_categories  categories drawn by Gumbel noise, for
                 straight-through and relaxed estimators
    games        several agents that act at once, paid together, as spaces
    decoding     temperature, top-k, top-p and mixtures: what is sampled where another policy is
                 scored
    declarations what users declare of them, checked
    processes    that episodes are a random process under every policy
    episode_arrays, enumeration, draw_counts  the episodes as arrays, and every draw of them, in
                 blocks
    policy_quantities  what follows from the policy alone, for one policy or a stack: values, scores,
                 log-probabilities
    draws, draw_axes  what an update is shown: `draw["actions"]`, `draw["rewards"]`, ... (see `DRAWN` and
        `GIVEN`); a draw is a row of a block
    kept_draws   everything that can happen at one policy, of the draws that a space keeps
    updates, losses  `Update`, and how a formula, a numpy function, a torch or JAX loss becomes one:
                 `@update`, `@loss`
    update_arguments  what an update asks for by name
    trainer_losses, trainer_readers, trainer_names, trainer_batches, trainer_layouts,
    trainer_mappings, advantages, advantage_shapes  losses as they
                 stand in trainers, under the names that the field uses
    declared_rewards  what a trainer's environment takes of the space
    trainers     whole steps of trainers: every way their own draws can come out
    draw_tree, step_runs, replaying, replay_branches, saved_state, step_arguments  one run of a
                 step, and its replays, one for each branch of its draws
    torch_draws, numpy_draws, jax_draws, uniform_number  whose draws these are
    optimiser_steps, parameter_slots  what a step adds to the parameters, and where these are
    torch_casts, wide_numpy, wide_torch  casts to fewer digits, evaluated in float64
    torch_unread  metrics made by `.item()`, on many draws at once
    torch_normals, torch_gumbels  normal numbers and Gumbel noise that a torch loss draws itself are
                                  the draw's noise
    logprob_chain_rule  losses written in log-probabilities: the chain rule through the policy
    stacked      a numpy function run once for all draws
    programs     how an update is evaluated: many draws at once where that gives the same, else one
        by one
    merging, exchangeable_members, order_passes  whether multisets stand for sequences, or those of
                 some members, established
    moments      mean and spread over every draw, at many policies in one pass
    workers, progress  several processes or a cluster; what is done, how much is left, when to stop
    suggestions  what somebody who used another name may have meant
    objectives, objective_functions, return_objectives, behaviour_objectives  what an update may
                 follow: values, divergences, entropies, transforms of success, surrogates under a
                 fixed policy
    clip_objectives  clipped surrogates whose bounds are numbers in the code of the update
    own_objectives, objective_validation  an objective from a plain numpy or torch function of the
                 policy, and what it must keep to
    recognition, confirmation, varied_spaces  which of them it follows, and that other rewards and
                 lengths confirm it
    own_mean     losses under a fixed policy follow minus their own mean
    noise_axes, noise_lines  what is narrower than the distance of a rule's nodes, looked for along
                 each number of the noise
    noise_degree  where an update is a polynomial of the noise, so that the rule is exact
    game_causes  a baseline that depends on an agent's own action
    argmax_cause  the most probable action is scored, not the sampled one
    gaussian_causes  what is wrong with updates on normally distributed actions, by name
    expected_update  the exact expected update, its Jacobian and curl
    compared_sides, evidence, evidence_strength  the expected update beside the target's gradient,
                 at several policies, what follows from that, and how well it is established
    mending, mend, edited_programs, edits, edits_of_*, edit_context, edit_kinds, edit_syntax, sourced
                 small edits of its source that make an update right, each audited as a program of
                 its own
    purity, guarding  that an update is a function of its arguments, and what of it never ran
    findings, audit_sentences  what an audit found, and how it reads
    diagnosis    `audit(update)`: unbiased, scaled, zero, reversed, another objective's gradient, or
                 no gradient field
    training     where training ends, and the value reached
    checking     the same for tests: `check_update` raises when an update isn't what it is meant to
        be
    sampling     the same by sampling, with stated error rates, where enumerating is out of reach
    comparing    two updates side by side
    references   published losses and advantage estimators; `identify(update)`: which of them an
                 update equals
    fixtures     small spaces with known answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altpg_verify.lazy import listed, load

if TYPE_CHECKING:
    # the same names once more, for type checkers and editors
    from altpg_verify.audit.checking import check_update as check_update
    from altpg_verify.audit.comparing import Comparison as Comparison
    from altpg_verify.audit.comparing import compare as compare
    from altpg_verify.audit.diagnosis import audit as audit
    from altpg_verify.audit.draws import Draw as Draw
    from altpg_verify.audit.environments import bandit as bandit
    from altpg_verify.audit.environments import contexts as contexts
    from altpg_verify.audit.environments import decisions as decisions
    from altpg_verify.audit.environments import with_policy as with_policy
    from altpg_verify.audit.episodes import Episode as Episode
    from altpg_verify.audit.findings import Audit as Audit
    from altpg_verify.audit.findings import AuditError as AuditError
    from altpg_verify.audit.function_updates import from_estimator as from_estimator
    from altpg_verify.audit.function_updates import from_function as from_function
    from altpg_verify.audit.function_updates import update as update
    from altpg_verify.audit.games import game as game
    from altpg_verify.audit.gaussian_spaces import gaussian as gaussian
    from altpg_verify.audit.gumbel_spaces import gumbel as gumbel
    from altpg_verify.audit.jax_updates import from_jax as from_jax
    from altpg_verify.audit.kinds import Kind as Kind
    from altpg_verify.audit.losses import loss as loss
    from altpg_verify.audit.mdps import mdp as mdp
    from altpg_verify.audit.objective_functions import Objective as Objective
    from altpg_verify.audit.objectives import entropy as entropy
    from altpg_verify.audit.objectives import kl_from_reference as kl_from_reference
    from altpg_verify.audit.objectives import kl_to_reference as kl_to_reference
    from altpg_verify.audit.objectives import undiscounted_value as undiscounted_value
    from altpg_verify.audit.objectives import value as value
    from altpg_verify.audit.own_objectives import objective as objective
    from altpg_verify.audit.policies import FunctionPolicy as FunctionPolicy
    from altpg_verify.audit.policies import Parameters as Parameters
    from altpg_verify.audit.policies import TablePolicy as TablePolicy
    from altpg_verify.audit.policies import shared_policy as shared_policy
    from altpg_verify.audit.policies import sigmoid_policy as sigmoid_policy
    from altpg_verify.audit.policies import softmax_policy as softmax_policy
    from altpg_verify.audit.references.identifying import identify as identify
    from altpg_verify.audit.spaces import Space as Space
    from altpg_verify.audit.token_spaces import tokens as tokens
    from altpg_verify.audit.torch_updates import from_torch as from_torch
    from altpg_verify.audit.trainer_losses import trainer_loss as trainer_loss
    from altpg_verify.audit.trainers import trainer as trainer
    from altpg_verify.audit.training import endpoints as endpoints
    from altpg_verify.audit.updates import Update as Update

_HOMES = {
    "Audit": "findings",
    "AuditError": "findings",
    "Comparison": "comparing",
    "Draw": "draws",
    "Episode": "episodes",
    "FunctionPolicy": "policies",
    "Kind": "kinds",
    "Objective": "objective_functions",
    "Parameters": "policies",
    "Space": "spaces",
    "TablePolicy": "policies",
    "Update": "updates",
    "audit": "diagnosis",
    "bandit": "environments",
    "check_update": "checking",
    "compare": "comparing",
    "contexts": "environments",
    "decisions": "environments",
    "endpoints": "training",
    "entropy": "objectives",
    "from_estimator": "function_updates",
    "from_function": "function_updates",
    "from_jax": "jax_updates",
    "from_torch": "torch_updates",
    "game": "games",
    "gaussian": "gaussian_spaces",
    "gumbel": "gumbel_spaces",
    "identify": "references.identifying",
    "kl_from_reference": "objectives",
    "kl_to_reference": "objectives",
    "loss": "losses",
    "mdp": "mdps",
    "objective": "own_objectives",
    "shared_policy": "policies",
    "sigmoid_policy": "policies",
    "softmax_policy": "policies",
    "tokens": "token_spaces",
    "trainer": "trainers",
    "trainer_loss": "trainer_losses",
    "undiscounted_value": "objectives",
    "update": "function_updates",
    "value": "objectives",
    "with_policy": "environments",
}

__all__ = sorted(_HOMES)


if not TYPE_CHECKING:
    # a name that isn't there is an error for type checkers, too
    def __getattr__(name: str) -> Any:
        return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return listed(__name__, _HOMES)
