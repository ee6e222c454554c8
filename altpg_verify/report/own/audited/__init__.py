"""The report on an update or a loss: what the audit found, in the shape of the report on an
estimator.
"""
