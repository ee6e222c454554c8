"""Both estimators for Markov decision processes: section 5, appendices C.1 and C.2.

The paper carries the estimators over to states, and to REINFORCE, online actor-critic, PPO and
TRPO. Found: the means are as stated. Not as printed: the gradient of PPO's objective where a ratio
is exactly 1 + ε or 1 - ε, and the objective as a sum over states, which has q(s, a) in the place of
r(s, a).

- claims, claims_algorithms: section 5, and appendices C.1 and C.2
- occupancy, policy_gradient, discounting: from one state to all: occupancy, the policy gradient
  theorem, two footnotes
- mdp_estimators, log_policy: both estimators, and the regular one as ∇ log π times the advantage
- sampled_returns, surrogates: REINFORCE and actor-critic; PPO and TRPO
- cases_environment, cases, cases_algorithms, cases_surrogates: small MDPs in fractions, and every
  formula on them
"""
