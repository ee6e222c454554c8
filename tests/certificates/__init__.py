"""Certificates: stored, checked again, refused when changed; for the paper and for anyone's
estimator.
"""
