"""How far the verdicts of this project can be trusted, in figures: the verifier is itself verified
here.

    python -m trust                  # every part in full, into reports/trust.json; under half an
                                     hour on two cores
    python -m trust --sample         # two minutes of it, for CI; keeps nothing
    python -m trust --only composed  # one part, written into the file beside the others

- figures: what a part reports: a number, what it should be, and whether it is
- parts: the parts by name; each is a module or a package of its own
- record: reports/trust.json

Kept in the repository, not part of the installed package.
"""
