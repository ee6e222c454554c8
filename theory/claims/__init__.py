"""Every claim of the paper, as printed, in the order of the paper, with its corrections and
extensions.

A claim stands in the folder of its subject; `coverage` says which labels of the source claim what.
Statements, givens and corrections are Typst markup. A correction follows the claim it corrects;
corrections and extensions are ours.
"""

from __future__ import annotations

from altpg_verify.ledger import Claim
from altpg_verify.theory.attraction.claims import KL, PESSIMISTIC
from altpg_verify.theory.attraction.claims_remarks import EXAMPLE, REMARKS
from altpg_verify.theory.attraction.claims_stepsize import OPTIMISTIC
from altpg_verify.theory.chain.claims import CHAIN_MAIN
from altpg_verify.theory.chain.claims_experiments import (
    CHAIN_DETAILS,
    CHAIN_STARTS,
    FOUR_ACTIONS,
    GRADIENT_NOISE,
)
from altpg_verify.theory.chain.claims_fixed_baseline import FIXED_BASELINE_CHAIN
from altpg_verify.theory.entropy_escort.claims import ENTROPY, ESCORT
from altpg_verify.theory.experiments.claims import BANDIT_MAIN
from altpg_verify.theory.experiments.claims_baselines import LEARNED, MODIFIED
from altpg_verify.theory.experiments.claims_fixed_baseline import FIXED_BASELINE_BANDIT
from altpg_verify.theory.experiments.claims_noise import (
    BANDIT_DETAILS,
    BANDIT_NOISE,
    BANDIT_SATURATED,
)
from altpg_verify.theory.extensions.claims import (
    COST_OF_OPTIMISM,
    ESCAPE,
    LEARNED_BASELINE,
    MARKOV,
    UNIFORM_BIAS,
    VARIANCE_GAP,
)
from altpg_verify.theory.extensions.claims_dynamics import DYNAMICS
from altpg_verify.theory.fixed_points.claims import ATTRACTION, BIAS, CONSEQUENCES, FIXED_POINTS
from altpg_verify.theory.fixed_points.claims_no_gradient import NO_GRADIENT
from altpg_verify.theory.fixed_points.claims_proofs import LEMMA
from altpg_verify.theory.function_approximation.claims import FUNCTION_APPROXIMATION
from altpg_verify.theory.function_approximation.claims_experiments import (
    ENTROPY_ESCORT,
    LINEAR_DETAILS,
    SWITCHED,
)
from altpg_verify.theory.function_approximation.claims_linear import LINEAR
from altpg_verify.theory.function_approximation.claims_related import RELATED
from altpg_verify.theory.function_approximation.claims_starts import LINEAR_SATURATED, REALISTIC
from altpg_verify.theory.gradients.claims import ALTERNATE_BANDITS
from altpg_verify.theory.gradients.claims_bandits import GRADIENT_BANDITS
from altpg_verify.theory.gradients.claims_introduction import INTRODUCTION, POLICY_GRADIENT
from altpg_verify.theory.large_stepsizes.claims import EXPLANATIONS, NUMBERS
from altpg_verify.theory.large_stepsizes.claims_neural import NEURAL
from altpg_verify.theory.mdps.claims import ALTERNATE, REGULAR
from altpg_verify.theory.mdps.claims_algorithms import ALGORITHMS, PPO, REMARK
from altpg_verify.theory.sampling_tree.claims import BUILDING, SAMPLING, UPDATING
from altpg_verify.theory.sampling_tree.claims_complexity import COMPLEXITY
from altpg_verify.theory.sampling_tree.claims_in_practice import IN_PRACTICE
from altpg_verify.theory.saturation.claims import SATURATION
from altpg_verify.theory.saturation.claims_proofs import EXPECTATION, VARIANCE
from altpg_verify.theory.saturation.claims_propositions import PROPOSITIONS
from altpg_verify.theory.vector_calculus.claims import DIFFERENTIATION, MOMENTS
from altpg_verify.theory.visualisations.claims import PESSIMISTIC_PLOTS, QUIET_PLOTS, UPDATE_PLOTS

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
