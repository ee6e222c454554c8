"""What the exact cases of all subjects share: both sides of a printed formula are computed in
fractions, on small cases first.

Whatever is printed goes through the same judge. A false statement is refuted by the first, and so
the smallest, case on which its sides differ; a true one holds on all of them. The arithmetic here
is its own: short, rational, and shared with nothing else, so that a mistake elsewhere can't agree
with itself. A subject's file of cases is called `cases` or `cases_...`.

- arithmetic: rational vectors, bandits whose outcomes can be listed, bounds on the exponential
- bandits: the small bandits, the smallest first
- forward_mode: derivatives in fractions, by forward differentiation
- statements: a printed formula as a value, and its judge
"""
