"""Where a stored ledger contradicts itself: every verdict in it is computed again from the evidence
that is stored beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from altpg_verify.judging import normal_quantile
from altpg_verify.verdicts import Verdict, combined

_ROUNDED = 1e-6
"""Figures are stored to eight digits, so a test at its threshold may come out either way."""

MOST_COMPARISONS = 1_000_000
"""Among which one test shares its error rate; a number without end would excuse any distance."""

_WORDS = {str(verdict): verdict for verdict in Verdict}


def contradictions(ledger: Mapping[str, Any]) -> Iterator[str]:
    """One sentence for each place where what is stored isn't what its own evidence gives.

    Args:
        ledger: the content of a ledger.json.
    """
    claims: Sequence[Mapping[str, Any]] = ledger["claims"]
    computed: dict[str, Verdict] = {}
    for claim in claims:
        name = claim["id"]
        if name in computed:
            yield f"claim {name!r} stands in it twice"
        verdicts = []
        for item in claim["evidence"]:
            verdicts.append(_WORDS[item["verdict"]])
            objection = _objection(item)
            if objection:
                yield (
                    f"evidence {item['source']} for {name!r} says {item['verdict']}, but"
                    f" {objection}"
                )
        computed[name], inconsistent = combined(verdicts)
        if computed[name] is not _WORDS[claim["verdict"]]:
            yield f"claim {name!r} says {claim['verdict']}, and its evidence says {computed[name]}"
        if inconsistent is not claim["inconsistent"]:
            yield (
                f"claim {name!r} is {'' if claim['inconsistent'] else 'not '}marked as"
                " inconsistent, and its evidence says otherwise"
            )
        speaking = {item["kind"] for item in claim["evidence"] if _speaks(_WORDS[item["verdict"]])}
        # the other way round can't be told: what was required isn't stored
        for kind in speaking & set(claim["missing"]):
            yield f"claim {name!r} is said to miss {kind}, which it has"
    yield from _rests(claims, computed)
    counts = {
        word: sum(verdict is known for verdict in computed.values())
        for word, known in _WORDS.items()
    }
    if ledger.get("counts") != counts:
        yield "its counts of verdicts are other than those of its claims"


def _speaks(verdict: Verdict) -> bool:
    return verdict.is_for or verdict is Verdict.REFUTED


def _rests(claims: Sequence[Mapping[str, Any]], computed: Mapping[str, Verdict]) -> Iterator[str]:
    """Claims that are called established, and those that could be."""
    known = {claim["id"]: claim for claim in claims}
    firm: dict[str, bool] = {}

    def is_firm(name: str, above: tuple[str, ...] = ()) -> bool:
        if name not in firm:
            claim = known.get(name)
            rests = (
                claim is not None
                # a circle establishes nothing
                and name not in above
                and computed[name].is_for
                and not claim["missing"]
            )
            firm[name] = (
                rests
                and claim is not None
                and all(is_firm(other, (*above, name)) for other in claim["uses"])
            )
        return firm[name]

    for name, claim in known.items():
        if is_firm(name) is not claim["established"]:
            yield (
                f"claim {name!r} is {'' if claim['established'] else 'not '}called established, and"
                " what it rests on says otherwise"
            )


def _objection(item: Mapping[str, Any]) -> str:
    """Why the figures stored with a piece of evidence can't give its verdict; empty if they can."""
    verdict, figures, instance = _WORDS[item["verdict"]], item["numbers"], item["instance"]
    if verdict in (Verdict.PROVED, Verdict.CERTIFIED) and not _count(figures.get("certificates")):
        return "no certificate is counted"
    if verdict is Verdict.HOLDS and not _count(figures.get("cases")):
        return "no case is counted"
    if verdict is Verdict.REFUTED and not instance:
        return "no counterexample is shown"
    if verdict is not Verdict.REFUTED and instance:
        return "a counterexample is shown"
    if verdict in (Verdict.SUPPORTED, Verdict.REFUTED):
        return _statistics(verdict, figures)
    return ""


def _count(number: object) -> bool:
    return type(number) is int and number > 0


def _statistics(verdict: Verdict, figures: Mapping[str, Any]) -> str:
    """The comparisons of `judging.compared` and `judging.ordered`, made again."""
    if not {"critical_z", "standard_error"} <= set(figures):
        return "no figures are stored that show it" if verdict is Verdict.SUPPORTED else ""
    names = ("mean", "predicted") if "predicted" in figures else ("difference", "margin")
    values = [figures.get(name) for name in (*names, "standard_error", "critical_z")]
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in values):
        return "its figures are no numbers"
    value, reference, error, critical = (float(value) for value in values if value is not None)
    sides = 2 if names[0] == "mean" else 1
    if not _agree(
        critical, _critical(figures.get("false_alarm_rate"), figures.get("comparisons"), sides)
    ):
        return "its critical value isn't that of its error rate"
    distance, allowed = value - reference, critical * error
    # a share of the numbers that were rounded, not of their difference, which may be tiny
    slack = _ROUNDED * (abs(value) + abs(reference) + allowed)
    if "z" in figures and not (
        isinstance(figures["z"], int | float) and abs(figures["z"] * error - distance) <= slack
    ):
        return "its figures don't fit each other"
    if names[0] == "mean":
        within = abs(distance) <= allowed + slack
        outside = abs(distance) >= allowed - slack
        agrees = within if verdict is Verdict.SUPPORTED else outside
    else:
        agrees = (
            distance >= allowed - slack
            if verdict is Verdict.SUPPORTED
            else -distance >= allowed - slack
        )
    return "" if agrees else "its own figures say otherwise"


def _critical(rate: Any, comparisons: Any, sides: int) -> float:
    """The critical value of a normal test at this error rate, as the judges have it; nan if these
    are no such figures.
    """
    if (
        type(rate) not in (int, float)
        or not 0 < rate < 1
        or type(comparisons) is not int
        or not 0 < comparisons <= MOST_COMPARISONS
    ):
        return math.nan
    return normal_quantile(1 - rate / comparisons / sides)


def _agree(stored: object, computed: float) -> bool:
    """To the digits that are stored; nan agrees with nothing."""
    return isinstance(stored, int | float) and math.isclose(
        stored, computed, rel_tol=_ROUNDED, abs_tol=_ROUNDED
    )
