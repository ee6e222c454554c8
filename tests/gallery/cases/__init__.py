"""Public reports about policy-gradient code, one file each: the code as the person would have
written it, on the space that decides it.

Files are named for the row of the table of cases; `_torch` and `_jax` are the same update as a loss
under autodiff. Every object is an `Update`, so that `python -m altpg_verify check
tests.gallery.cases.p08_own_mean` tells what it is.
"""
