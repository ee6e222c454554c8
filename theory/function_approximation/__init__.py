"""Policies that are linear in features, and what the paper says of kin: section 7, related work,
appendices C.3 and F.

Found: the gradients for linear policies hold. Not as printed: NeuRD's update, which stands there as
a gradient; three plain facts on the environments; and that the escort transform is inherently
better at leaving saturation. What training shows is judged from runs, in `sim`.

- claims, claims_related, claims_linear: sections 7 and 8, appendix C.3
- claims_experiments, claims_starts: appendix F
- linear_policy: the gradient in the weights
- related_work: remarks on entropy, escort, NeuRD and baselines
- cases: linear policies on small MDPs, in fractions
"""
