"""The entropy-regularized gradient (appendix C.4) and the escort transform (appendix C.5).

Found: the entropy-regularized gradient is as printed. The derivative of the escort transform needs
p > 1 or a preference that isn't zero, and it doesn't leave every saturated state at a fast rate.
From one and the same policy it is slower than softmax with p = 1, and faster with p = 3.

- claims: both appendices
- entropy, entropy_objective: remarks on the bonus; the objective, its values and its gradient
- escort, escort_escape: the transform for every real p >= 1; leaving a saturated state
- escort_same_policy: softmax and escort from one policy, p = 3
- cases_entropy, cases_escort: both in fractions, by forward differentiation where there is a kink
- cases_escape: how long both take to leave a saturated start, in rational bounds
"""
