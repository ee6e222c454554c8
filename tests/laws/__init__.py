"""Each law on the estimators of the paper."""
