"""The policy gradient of a softmax bandit, and the two estimators of it (sections 1 to 3).

The paper gives the gradient in several forms, ∇J = π ∘ (r - r_π), and two estimators of which it is
the mean: the regular one, (e_A - π)(R - b) for every b, and the alternate one, e_A (R - b) for b =
r_π. Found: so it is for every number of actions. Not as printed: the gradient in components, r(a)
π(a) (1 - π(a)) instead of π(a) (r(a) - r_π), and two sentences of the introduction.

- claims_introduction, claims_bandits, claims: the statements of sections 1, 2 and 3
- gradient: the Jacobian, both forms of ∇J, both means
- cases: every printed form on small bandits, in fractions

In Coq: `Policies.v`, `Expectation.v`, `Estimators.v`, `Gradient.v`.
"""
