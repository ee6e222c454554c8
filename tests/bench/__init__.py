"""Tests of `python -m sim bench` and of the peers in benchmarks/."""
