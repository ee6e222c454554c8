"""What the agents of `sim` are timed against: kept in the repository, not part of the package.

c_lanes       the same loops in C, from c/
jax_peers     vmap and scan
numpy_peers   a batch in numpy; one run in numpy, on gymnasium's environment or on the chain
peers         all of them as contenders of `python -m altpg_verify.sim bench`
"""
