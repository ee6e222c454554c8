"""The claims by enumeration: both sides of a statement on many exact cases, through the estimators
that users check.

The second way to every number. The derivations of `theory` are symbolic and never use the
enumeration; here nothing is derived: expectations are sums over every outcome, derivatives are
exact differentiation, fixed points are solutions of the printed equations.
"""
