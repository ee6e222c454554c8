"""What happens when agents learn: compiled agents, reproducible streams, sweeps, and one experiment
for each figure.

    python -m altpg_verify.sim list
    python -m altpg_verify.sim run all --profile quick

The agents run the very estimator objects of `altpg_verify.estimators`, or a user's own; there is no
second copy of an update.
"""
