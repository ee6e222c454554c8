"""Theorem 1: an expected step moves the policy towards π* for an optimistic baseline, away from it
for a pessimistic one, in KL divergence.

Found: both halves hold for every number of actions, the first with a bound on the stepsize. Not as
printed: π* without its inverse, equality in the Cauchy-Schwarz step at a constant ratio instead of
a constant product, that the true gradient leads exactly towards the optimal corner, and that π* is
close to that corner.

- claims, claims_stepsize, claims_remarks: appendix B.3 line by line, and what the text draws from
  it
- kl, mgf, inequalities, stepsize: the change of the divergence, and the paper's own proof of its
  sign
- dynamics: stability at π*, the mean of a stationary process, the basins of the corners
- remarks, three_arms: the true gradient near corners; r = (1, 2, 3) in exact numbers
- cases: the proof's inequalities in fractions and rational intervals

In Coq: `Divergence.v`, `Pessimistic.v`, `Optimistic.v`, `Hoeffding.v`, `Jensen.v`,
`StepsizeBound.v`, `GlobalAttraction.v`, `Basins.v`.
"""
