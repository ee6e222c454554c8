"""Neural policies on DotReacher, and a digression on extremely large stepsizes: appendices G and H.

Found: false as printed are Adam's default, the optimum at infinity, that a larger step always ends
closer to the optimum, and that large steps in a right direction are no concern.

- claims_neural, claims: appendix G, appendix H
- large_steps: where the optimum of a softmax policy lies, and what one large step does
- cases: softmax, logistic and convex functions under large steps, with counterexamples
"""
