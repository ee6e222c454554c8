"""The bias of the alternate estimator, and the policies that its expected update leaves alone:
section 3, lemma 2.1, appendix B.3.

The paper says: with a baseline b ≠ r_π the mean is π ∘ (r - b), no gradient of a function; its
fixed points are of three kinds, and for b above or below all rewards the only one inside the
simplex is π*(a) ∝ 1 / (r(a) - b). Found: the lemma holds for every number of actions. Not as
printed: that the update at π* is zero (it is κ 1, which leaves the policy alone), that it is never
a gradient (it is one where all rewards are equal), and that the bias makes any policy more uniform.
Theorem 1 is stated in `claims`, and proved in `attraction`.

- claims, claims_no_gradient, claims_proofs: section 3, and appendix B.3 line by line
- bias, conservative: the mean and its bias; when it is a gradient
- fixed_baseline: next policy, π* and κ: what everything on a fixed baseline shares
- lemma, pi_star, consequences: the three cases of lemma 2.1, of which π* is the third; what the
  text draws from π*
- cases, cases_no_gradient: the same in fractions, with counterexamples

In Coq: `Step.v`, `FixedPoints.v`.
"""
