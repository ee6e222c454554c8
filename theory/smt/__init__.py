"""Polynomial parts of the proofs as SMT-LIB 2 text, decided by two solvers that share no code: z3
and cvc5 (the extra `smt`).

Each `.smt2` file states the negation of what is to be shown, so "unsat" from both proves it: for
the number of actions in its name, or for every one where the statement is about a single term.
`solvers` runs them, each in a process of its own; `queries` makes them evidence.
"""
