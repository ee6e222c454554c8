"""Tests of `python -m altpg_verify.sim bench` and of the peers in benchmarks/."""
