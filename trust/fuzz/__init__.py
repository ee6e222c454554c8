"""Hostile and unlucky input: what is read is refused in a line or read right; it runs nothing,
writes nowhere else and loses nothing.

A user's estimator is code that they run on purpose: `check mine.py:estimate` imports `mine.py` and
calls `estimate`; so does a Dask worker that they started. Everything else is data: certificates,
ledgers, tables, manifests, cells, logs and the arguments of commands. Nothing that reads data can
run it; what the interpreter and numba keep of compiled code beside the sources is as trusted as
those.

Files are damaged as bad luck does and as somebody does who knows their format and makes their
digests right, by Hypothesis and, where atheris is installed, guided by coverage. Seeds and numbers
of runs are fixed.
"""

from __future__ import annotations

from trust.figures import Figure, Outcome, Part, Say
from trust.fuzz.watch import FAULTS, Tally

_AT_LEAST = {True: 1_000, False: 10_000}


def run(sample: bool, say: Say) -> Outcome:
    """Every target in turn; guided fuzzing runs beside them."""
    from trust.fuzz import code, guided, resource_exhaustion
    from trust.fuzz.commands import run_commands
    from trust.fuzz.kinds import kinds
    from trust.fuzz.names import write_everywhere
    from trust.fuzz.reading import read_damaged
    from trust.fuzz.sources import check_sources

    tally, notes = Tally(), []
    targets = guided.TARGETS[:1] if sample else guided.TARGETS
    runs, seconds = (300, 8) if sample else (20_000, 150)
    queue = list(targets) if guided.installed() else []
    if not queue:
        notes.append(
            "NOT RUN: atheris is not installed (pip install 'altpg-verify[trust]'), so nothing was"
            " guided by coverage"
        )
    share = max(8, seconds // max(1, len(queue)))
    with guided.beside(queue, runs, share, tally):
        for kind in kinds():
            say(kind.name)
            if sample:
                read_damaged(kind, examples=15, cuts=12, tally=tally, commands=1)
            else:
                read_damaged(
                    kind, examples=200 if kind.form == "npz" else 500, cuts=200, tally=tally
                )
        say("command lines")
        run_commands(150 if sample else 4_000, tally)
        say("names, links and estimators")
        write_everywhere(tally)
        check_sources(5 if sample else 60, tally)
        say("bombs")
        cost = resource_exhaustion.defuse(
            ["ledger.json"] if sample else list(resource_exhaustion.KINDS), tally
        )
    risky = list(code.risky())
    figures = [
        Figure("inputs", sum(tally.tried.values()), "inputs tried", at_least=_AT_LEAST[sample])
    ]
    figures += [
        Figure(name, tally.faults[name], summary, at_most=0) for name, summary in FAULTS.items()
    ]
    figures += [
        Figure(
            "risky", len(risky), "places in the sources that could run what they read", at_most=0
        ),
        Figure(
            "seconds",
            round(cost.seconds, 2),
            "seconds of CPU time until the worst bomb was refused",
            at_most=resource_exhaustion.SECONDS,
        ),
        Figure(
            "megabytes",
            round(cost.megabytes),
            "megabytes that the worst bomb took",
            at_most=resource_exhaustion.MEGABYTES,
        ),
        Figure("refused", sum(tally.refused.values()), "inputs that were refused"),
    ]
    details = {"tried": dict(sorted(tally.tried.items())), "faults": tally.examples, "risky": risky}
    return Outcome(tuple(figures), tuple(notes), details)


PART = Part("fuzz", "hostile and unlucky input: command lines, files, names and sources", run)
