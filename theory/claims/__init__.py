"""Every claim of the paper, as printed, in the order of the paper, with its corrections and extensions.

One file for each part of the paper; `coverage` says which labels of the source claim what. Statements, givens and
corrections are Typst markup. A correction follows the claim it corrects; corrections and extensions are ours.
"""

from __future__ import annotations

from altpg_verify.ledger import Claim
from altpg_verify.theory.claims.alternate_bandits import ALTERNATE_BANDITS
from altpg_verify.theory.claims.bandit_baselines import LEARNED, MODIFIED
from altpg_verify.theory.claims.bandit_experiments import BANDIT_DETAILS, BANDIT_MAIN, BANDIT_NOISE, BANDIT_SATURATED
from altpg_verify.theory.claims.biasedness import ATTRACTION, BIAS, CONSEQUENCES, FIXED_POINTS
from altpg_verify.theory.claims.chain_experiments import CHAIN_DETAILS, CHAIN_MAIN, CHAIN_STARTS, FOUR_ACTIONS, GRADIENT_NOISE
from altpg_verify.theory.claims.divergence_proofs import KL, PESSIMISTIC
from altpg_verify.theory.claims.entropy_escort import ENTROPY, ESCORT
from altpg_verify.theory.claims.extensions import COST_OF_OPTIMISM, DYNAMICS, ESCAPE, LEARNED_BASELINE, MARKOV, UNIFORM_BIAS, VARIANCE_GAP
from altpg_verify.theory.claims.fixed_baseline_bandit import FIXED_BASELINE_BANDIT
from altpg_verify.theory.claims.fixed_baseline_chain import FIXED_BASELINE_CHAIN
from altpg_verify.theory.claims.fixed_point_proofs import LEMMA
from altpg_verify.theory.claims.function_approximation import FUNCTION_APPROXIMATION, RELATED
from altpg_verify.theory.claims.introduction import INTRODUCTION, POLICY_GRADIENT
from altpg_verify.theory.claims.large_stepsizes import EXPLANATIONS, NEURAL, NUMBERS
from altpg_verify.theory.claims.linear_experiments import ENTROPY_ESCORT, LINEAR_DETAILS, LINEAR_SATURATED, REALISTIC, SWITCHED
from altpg_verify.theory.claims.linear_policies import LINEAR
from altpg_verify.theory.claims.mdp_algorithms import ALGORITHMS, PPO, REMARK
from altpg_verify.theory.claims.mdp_estimators import ALTERNATE, REGULAR
from altpg_verify.theory.claims.no_gradient_proofs import NO_GRADIENT
from altpg_verify.theory.claims.optimism_remarks import EXAMPLE, REMARKS
from altpg_verify.theory.claims.preliminaries import GRADIENT_BANDITS
from altpg_verify.theory.claims.sampling_tree import BUILDING, SAMPLING, UPDATING
from altpg_verify.theory.claims.saturation import SATURATION
from altpg_verify.theory.claims.saturation_proofs import EXPECTATION, VARIANCE
from altpg_verify.theory.claims.saturation_propositions import PROPOSITIONS
from altpg_verify.theory.claims.step_complexity import COMPLEXITY
from altpg_verify.theory.claims.stepsize_proofs import OPTIMISTIC
from altpg_verify.theory.claims.tree_in_practice import IN_PRACTICE
from altpg_verify.theory.claims.vector_calculus import DIFFERENTIATION, MOMENTS
from altpg_verify.theory.claims.visualizing import PESSIMISTIC_PLOTS, QUIET_PLOTS, UPDATE_PLOTS

CLAIMS: tuple[Claim, ...] = (
    *INTRODUCTION,
    *GRADIENT_BANDITS,
    *POLICY_GRADIENT,
    *ALTERNATE_BANDITS,
    *SATURATION,
    *LEARNED_BASELINE,
    *PROPOSITIONS,
    *VARIANCE_GAP,
    *BIAS,
    *UNIFORM_BIAS,
    *FIXED_POINTS,
    *COST_OF_OPTIMISM,
    *ATTRACTION,
    *DYNAMICS,
    *CONSEQUENCES,
    *BANDIT_MAIN,
    *REGULAR,
    *ALTERNATE,
    *CHAIN_MAIN,
    *FUNCTION_APPROXIMATION,
    *RELATED,
    *DIFFERENTIATION,
    *MOMENTS,
    *COMPLEXITY,
    *BUILDING,
    *SAMPLING,
    *UPDATING,
    *IN_PRACTICE,
    *EXPECTATION,
    *VARIANCE,
    *NO_GRADIENT,
    *LEMMA,
    *KL,
    *PESSIMISTIC,
    *OPTIMISTIC,
    *REMARKS,
    *ESCAPE,
    *EXAMPLE,
    *UPDATE_PLOTS,
    *QUIET_PLOTS,
    *PESSIMISTIC_PLOTS,
    *REMARK,
    *PPO,
    *ALGORITHMS,
    *LINEAR,
    *ENTROPY,
    *ESCORT,
    *BANDIT_DETAILS,
    *BANDIT_NOISE,
    *BANDIT_SATURATED,
    *LEARNED,
    *FIXED_BASELINE_BANDIT,
    *MODIFIED,
    *CHAIN_DETAILS,
    *CHAIN_STARTS,
    *FIXED_BASELINE_CHAIN,
    *MARKOV,
    *GRADIENT_NOISE,
    *FOUR_ACTIONS,
    *LINEAR_DETAILS,
    *SWITCHED,
    *ENTROPY_ESCORT,
    *LINEAR_SATURATED,
    *REALISTIC,
    *NEURAL,
    *NUMBERS,
    *EXPLANATIONS,
)
"""The claims in the order of the paper's source."""

__all__ = ["CLAIMS"]
