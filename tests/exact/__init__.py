"""Exact arithmetic: duals, rational functions, enumeration, cases, strategies."""
