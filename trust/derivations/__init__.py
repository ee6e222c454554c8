"""Three methods to each number, and a fault in any one of them: the ledger has to say so.

- numbers: numbers that derivation, enumeration and simulation each make by themselves
- faults: faults in one method only
- ledgers: the ledger of those numbers, and of printed claims with evidence of several kinds,
  built by the product's own judges
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from altpg_verify.ledger import Entry, Ledger
from altpg_verify.verdicts import Verdict
from trust.derivations.faults import FAULTS, Fault
from trust.derivations.ledgers import printed, three_methods
from trust.figures import Figure, Outcome, Part, Say

METHODS = ("derivation", "enumeration", "simulation")


def run(sample: bool, say: Say) -> Outcome:
    """Build the ledgers without a fault, and with each."""
    control = built(fault=None)
    green = sum(not whole(entry) for ledger in control for entry in ledger.entries)
    say(
        f"without a fault: {sum(len(ledger.entries) for ledger in control)} claims, {green} of them"
        " not as they should be"
    )
    told: dict[str, str] = {}
    by_method: Counter[str] = Counter()
    turned: Counter[str] = Counter()
    faults = FAULTS[::3] if sample else FAULTS
    for fault in faults:
        found = noticed(fault, control)
        told[f"{fault.method}: {fault.summary}"] = "; ".join(found) or "NOT NOTICED"
        by_method[fault.method] += 1
        turned[fault.method] += any("inconsistent" in each for each in found)
        say(f"{fault.method}, {fault.summary}: {len(found)} claims turned")
    return outcome(told, by_method, turned, green)


def built(fault: Fault | None) -> tuple[Ledger, ...]:
    """The ledgers that a fault can turn; the printed claims have no simulation among their evidence
    here.
    """
    return (
        (three_methods(),)
        if fault is not None and fault.method == "simulation"
        else (three_methods(), printed())
    )


def noticed(
    fault: Fault,
    control: tuple[Ledger, ...],
    ledgers: Callable[[Fault | None], tuple[Ledger, ...]] = built,
) -> list[str]:
    """Which claims turned, and how, with the fault open."""
    with fault.opened():
        made = ledgers(fault)
    return [
        f"{entry.claim.id} {how(entry, before)}"
        for ledger, good in zip(made, control, strict=False)
        for entry, before in zip(ledger.entries, good.entries, strict=True)
        if how(entry, before)
    ]


def how(entry: Entry, before: Entry) -> str:
    """In which way an entry isn't what it was; empty if it is."""
    if entry.inconsistent:
        return "inconsistent"
    if entry.verdict is Verdict.REFUTED:
        return "refuted"
    lost = [
        one.kind
        for one, other in zip(entry.evidence, before.evidence, strict=True)
        if one.finding.verdict is not other.finding.verdict
    ]
    return f"without its {' and '.join(lost)}" if lost else ""


def whole(entry: Entry) -> bool:
    """Every method speaks for the claim."""
    return (
        entry.verdict.is_for
        and not entry.inconsistent
        and all(item.finding.verdict.is_for for item in entry.evidence)
    )


def outcome(
    told: dict[str, str], by_method: Counter[str], turned: Counter[str], not_green: int
) -> Outcome:
    """What the faults came to."""
    caught = sum(text != "NOT NOTICED" for text in told.values())
    figures = [
        Figure(
            "control",
            not_green,
            "claims that don't hold, by every method, without a fault",
            at_most=0,
        ),
        Figure("faults", len(told), "faults, each in one method only", at_least=2 * len(METHODS)),
        Figure("caught", caught, "faults that turn a claim of the ledger", at_least=len(told)),
    ]
    figures += [
        Figure(
            f"inconsistent_{method}",
            turned[method],
            f"of them in {method}, after which the ledger is inconsistent",
            at_least=by_method[method],
        )
        for method in METHODS
    ]
    return Outcome(tuple(figures), (), {"faults": told})


PART = Part("methods", "three methods to each number, and a fault in each", run)
