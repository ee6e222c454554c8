"""Beyond the paper: what a fixed or learned baseline does to training, proved where it can be, each
line with a certificate.

- cycles: any orbit's time average is π*; no period two below α = 2/|κ|, period two above it; two
  arms converge
- stepsizes: uniform stepsizes for theorem 1, and a family of bandits on which the constant can't
  be improved
- portrait: where the policy goes for a baseline between the two best rewards, and at the best one
- optimism_value: what optimism costs: the value at π* falls as the baseline rises
- stationary: the spread around π* with a constant stepsize: a bound at every stepsize, and the
  linear law
- escape: how long it takes to leave a corner: linear in the gap against exponential
- learned_baseline: the quantity that a learned baseline conserves, and the budget of optimism
  that follows
- markov: when the chain's fixed point is unique: a contraction; values for other baselines
- claims, claims_dynamics: the statements, each at the place in the paper that it continues
- noise_and_bias: how much noisier the alternate estimator is, and a policy at which its bias does
  nothing

In Coq: `Cycles.v`, `UniformStepsize.v`, `StationaryMean.v`, `LearnedBaseline.v`.
"""
