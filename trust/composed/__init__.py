"""No false alarms, no misses, measured: random estimators, judged by the product and by a slow
oracle of this package's own.

- plans, formulas: what is composed, as data: batch updates for `audit`, formulas of one sample
  for the laws
- fast, fast_laws: the product's reading of it, and its verdict
- oracle, oracle_laws: the same written again, number by number, in 60-digit decimals, with finite
  differences
- verdicts: the two side by side, and beside what follows from how it was composed

    python -c "from trust.composed import again; again('update 17')"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from trust.composed.verdicts import (
    BY_CONSTRUCTION,
    FALSE_ALARM,
    MISS,
    OTHER,
    WRONG,
    Judged,
    laws_judged,
    update_judged,
)
from trust.figures import Figure, Outcome, Part, Say

UPDATES, FORMULAS = 1400, 620
SAMPLE_UPDATES, SAMPLE_FORMULAS = 36, 18
PROCESSES, BATCH = 2, 20

KINDS = (
    *("unbiased", "scaled", "reversed", "zero", "other objective", "not a gradient", "biased"),
    *("PROVED", "HOLDS", "REFUTED"),
)
"""Every word a verdict can be, but those for not deciding."""

MOST_UNSAID = 0.02
"""Share of verdicts that may be right and yet leave something open, or speak of the policies
compared only.
"""


def run(sample: bool, say: Say) -> Outcome:
    """Judge all of them, or a few."""
    updates, formulas = (SAMPLE_UPDATES, SAMPLE_FORMULAS) if sample else (UPDATES, FORMULAS)
    jobs = [("update", i) for i in range(updates)] + [("estimator", i) for i in range(formulas)]
    judged: list[Judged] = []
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        batches = (
            [jobs[i : i + BATCH] for i in range(0, len(jobs), BATCH)]
            if not sample
            else [jobs[0::2], jobs[1::2]]
        )
        for number, found in enumerate(pool.map(judge, batches), 1):
            judged += found
            say(
                f"{number} of {len(batches)} batches; {sum(each.how in WRONG for each in judged)}"
                " disagreements"
            )
    return outcome(judged, updates + formulas, sample)


def judge(jobs: Iterable[tuple[str, int]]) -> list[Judged]:
    """The verdicts on the composed estimators of these numbers.

    Args:
        jobs: ("update" or "estimator", number) pairs.
    """
    found: list[Judged] = []
    for what, index in jobs:
        found += [update_judged(index)] if what == "update" else laws_judged(index)
    return found


def outcome(judged: list[Judged], estimators: int, sample: bool = False) -> Outcome:
    """What the judgements come to: counts of each way of being wrong, which are to be zero, and of
    what was left undecided.

    Args:
        judged: all of them.
        estimators: how many were tried.
        sample: few were, so that the counts have no lower bounds.
    """
    wrong = [each for each in judged if each.how in WRONG]
    how, said = Counter(each.how for each in judged), Counter(each.said for each in judged)
    remarks = Counter(each.remark for each in judged if each.remark)
    unsaid = sum(remarks[name] for name in ("left open", "turns round elsewhere")) / len(judged)
    rarest = min(said[kind] for kind in KINDS)
    figures = (
        Figure(
            "estimators",
            estimators,
            "randomly composed estimators tried",
            at_least=0 if sample else 2000,
        ),
        Figure("verdicts", len(judged), "verdicts compared with the slow oracle's"),
        Figure("disagreements", len(wrong), "verdicts that differ", at_most=0),
        Figure("false_alarms", how[FALSE_ALARM], "right ones called wrong", at_most=0),
        Figure("misses", how[MISS], "wrong ones called right", at_most=0),
        Figure(
            "wrong_kinds",
            how[OTHER],
            "biased ones of another kind, or with other numbers, than said",
            at_most=0,
        ),
        Figure(
            "construction",
            how[BY_CONSTRUCTION],
            "where the slow oracle differs from what follows by construction",
            at_most=0,
        ),
        Figure("undecided", remarks["undecided"], "verdicts left undecided"),
        Figure(
            "unsaid",
            unsaid,
            "share of verdicts that are true of the policies compared, and leave open what another"
            " shows",
            at_most=MOST_UNSAID,
        ),
        Figure(
            "rarest_kind",
            rarest,
            f"examples of the rarest of {len(KINDS)} verdicts",
            at_least=0 if sample else 20,
        ),
    )
    notes = tuple(
        f"{each.name} was called {each.said}: {each.how}; {each.why}; replay with"
        f" trust.composed.again({each.name!r})"
        for each in wrong[:20]
    )
    return Outcome(figures, notes, {"verdicts": dict(said.most_common()), "remarks": dict(remarks)})


def again(name: str) -> None:
    """Judge one of them again, by its name, and print what came out."""
    what, index = name.split(",")[0].split()
    for each in judge([(what, int(index))]):
        print(f"{each.name}: called {each.said}; {each.how} {each.remark}{each.why}")


PART = Part("composed", "random estimators: no false alarms, no misses", run)
