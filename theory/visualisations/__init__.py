"""Plots of single updates and of their variance on the simplex, for r = (0, 0, 1) and (1, 2, 3):
appendix B.5.

Found: five sentences don't hold for everything that they speak of; each has a counterexample and a
correction.

- claims: what the plots are said to show
- simplex_plots, baseline_plots: for r = (0, 0, 1); for r = (1, 2, 3) with b = 0, 4 and -4
- cases: single updates on small bandits, in fractions
"""
