"""Mutation testing of the core: if a line were wrong, would a test notice?

- core: which modules are mutated, and which tests are to notice
- mutants: the small changes that are tried
- swap: how a mutant takes the place of the original in a running process
- session: one pytest session in which every mutant meets the tests that reach it
- measure: all sessions, and the figures they give
- survivors: the explanations of those that no test notices, kept in survivors.json

mutmut and cosmic-ray were weighed first. mutmut 3 leaves out decorated functions (here every
property, cached value, estimator and context manager) and a module's own code (the table of laws,
every dataclass): half of the core. It also runs functions through a trampoline, which changes the
source that evidence is hashed by. cosmic-ray starts an interpreter for each mutant, seconds each
where sympy is imported. So this is our own: the changes are made in the syntax tree, and each is
tried in a process forked after everything was imported.
"""

from __future__ import annotations

from trust.figures import Outcome, Part, Say


def run(sample: bool, say: Say) -> Outcome:
    """Try all mutants, or a declared share of some groups."""
    from trust.mutation import measure

    return measure.run(sample, say)


PART = Part("mutation", "mutants of the core that the tests notice", run)
