"""Exact arithmetic: forward-mode derivatives, rational functions, enumeration, cases,
strategies.
"""
