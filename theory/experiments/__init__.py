"""The bandit experiments (section 4, appendix D), and the numbers that the text of all experiments
states (appendices D to G).

Not as printed: the list of saturated starts, which has an unsaturated one; that without noise the
alternate estimator has the lower variance, wherever the policy is; and the value that a pessimistic
baseline leads to. What training shows is judged from runs, in `sim`.

- claims, claims_noise: the bandits of the main text; reward noise and saturated starts
- claims_baselines, claims_fixed_baseline: learned baselines, and a baseline that is never updated
- printed_numbers: each printed number from its general formula
- cases_numbers, cases_pseudocode: the numbers computed, and the pseudocode executed line by line
"""
