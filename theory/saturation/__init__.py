"""Reward noise at saturated policies: section 3, propositions 1 and 2, and their proofs in appendix
B.2.

The paper says that near a corner of the simplex the regular estimator has hardly any mean or
variance, and that the alternate one still has the variance of the reward noise. Found: both
propositions hold for every number of actions. Sentences around them forget a case (a corner's
action without noise, equal rewards, a policy saturated on several actions, a boundary that is no
corner), and the expansion of the variance has three slips.

- claims, claims_propositions, claims_proofs: section 3, the propositions, and appendix B.2 line
  by line
- corners: where the gradient vanishes, and how small it is near a corner
- moments, variance: the moments behind proposition 2, and the variances at and near a corner
- variance_comparison: which estimator has the larger total variance on r = (0, 0, 1)
- worked_examples: the three-armed examples
- cases, cases_moments, cases_worked_examples: the same in fractions, with counterexamples

In Coq: `Variance.v`.
"""
