"""A report on anyone's own estimator: what it is, law by law, on the simplex, beside the regular
and the alternate one, and learning.
"""
