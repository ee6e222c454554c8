"""Appendix A: rules of differentiation, expectation and variance for vectors.

Found: the rules hold, but for the product of a number and a vector, where an outer product is
printed transposed, and for two lines of the chain rule, whose sums run to m instead of n.

- claims: the rules as printed, and corrected
- rules: the rules by first-order parts, f(θ + ε δ) = f + ε f' + o(ε)
- cases: the rules on polynomials, with exact derivatives
"""
