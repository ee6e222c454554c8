"""Exact instances of the claims: both sides of a printed formula computed in fractions, on small cases first.

Whatever is printed goes through the same judge. A false statement is refuted by the first, and so the smallest, case on which
its sides differ; a true one holds on all of them. The arithmetic here is its own: short, rational, and shared with nothing
else, so that a mistake elsewhere can't agree with itself.
"""
