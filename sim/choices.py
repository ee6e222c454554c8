"""Where the paper's text is silent or differs from its authors' released code: the table of
`choices.toml`, with what was tried.

Whether a verdict depends on a choice is computed from results wherever both ways were run; else the
table says why not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from altpg_verify.errors import BadInput, Missing
from altpg_verify.judging import normal_quantile
from altpg_verify.sim.analysis import ERROR_RATE, Measured, less, measured
from altpg_verify.sim.experiments import experiments_named, released_choices
from altpg_verify.sim.experiments.linear_coders import verdicts
from altpg_verify.sim.experiments.linear_realistic import newer
from altpg_verify.sim.experiments.linear_realistic_claims import ends
from altpg_verify.sim.results import Results

_ESTIMATORS = ("alternate", "regular")
FILE = Path(__file__).with_name("choices.toml")
HEADER = ("what", "the text", "the authors' code", "here", "does a verdict depend on it?")
CHANGED_HEADER = ("claim", "by the coder of the code, which wraps", "by the clamped coder")


@dataclass(frozen=True)
class Choice:
    """One row: what is chosen, what text, code and this project do, and whether a verdict depends
    on it, in words or computed.

    Args:
        what, text, code, ours: in words; the text with its lines, or silent.
        source: where the code is: files of the authors' repository and names in them, and the
            library.
        depends: the answer; empty if it is computed.
        tried: which of `TRIED` computes it; empty if none does.
    """

    what: str
    text: str
    code: str
    source: str
    ours: str
    depends: str = ""
    tried: str = ""

    def __post_init__(self) -> None:
        if bool(self.depends) == bool(self.tried):
            raise BadInput(f"choice {self.what!r} of {FILE.name} needs one of depends and tried")
        if self.tried and self.tried not in TRIED:
            raise BadInput(
                f"choice {self.what!r} of {FILE.name}: tried {self.tried!r} is none of"
                f" {', '.join(TRIED)}"
            )


def choices() -> tuple[Choice, ...]:
    """All rows of the file, in order.

    Raises:
        BadInput: a row has no answer, or two, or names an unknown computation.
    """
    return tuple(Choice(**row) for row in tomllib.loads(FILE.read_text(encoding="utf-8"))["choice"])


def rows(results: Results) -> list[tuple[str, str, str, str, str]]:
    """The table under `HEADER`; where results are missing the last column says so."""
    return [
        (
            one.what,
            one.text,
            f"{one.code} [{one.source}]",
            one.ours,
            one.depends or _computed(one.tried, results),
        )
        for one in choices()
    ]


def changed_verdicts(results: Results) -> list[tuple[str, str, str]]:
    """The claims whose verdict depends on the tile coder, under `CHANGED_HEADER`."""
    return [
        (claim, one, other)
        for claim, one, other in verdicts(results)
        if one != other and "NOT RUN" not in (one, other)
    ]


def markdown(results: Results) -> str:
    """Both tables for the site."""
    changed = [(f"`{claim}`", *both) for claim, *both in changed_verdicts(results)]
    return (
        f"{_table(HEADER, rows(results))}\n## Verdicts that depend on the tile coder\n\n"
        f"{_table(CHANGED_HEADER, changed)}"
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    plain = [[cell.replace("|", "/") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in plain)


def _computed(tried: str, results: Results) -> str:
    try:
        return TRIED[tried](results)
    except Missing as error:
        return f"tried, and not shown: {error}"


def _coder(results: Results) -> str:
    judged = [row for row in verdicts(results) if "NOT RUN" not in row]
    missing = len(verdicts(results)) - len(judged)
    said = (
        f"yes: of {len(judged)} claims judged both ways {len(changed_verdicts(results))} get another"
        " verdict by the clamped coder; they are listed below"
    )
    return f"{said}; {missing} more were not judged both ways" if missing else said


def _failures(results: Results) -> str:
    """Over the kept sweeps of online agents that are there."""
    number = missing = 0
    for experiment in experiments_named("stored"):
        if experiment.family != "tabular":
            try:
                number += sum(failed for _, failed in results.failures(experiment.name))
            except Missing:
                missing += 1
    said = (
        "no: no kept run has failed" if not number else f"it could: {number} kept runs have failed"
    )
    return f"{said}; {missing} sweeps are not there" if missing else said


def _largest(results: Results, experiment: str, worth: float, what: str) -> str:
    gaps = released_choices.differences(results, experiment)
    return _told(gaps, worth, what)


def _digits(value: float, number: int) -> str:
    """So many significant digits, without an exponent."""
    return f"{float(f'{value:.{number}g}'):g}"


def _told(gaps: Sequence[Measured], worth: float, what: str) -> str:
    critical = normal_quantile(1 - ERROR_RATE / len(gaps) / 2)
    largest = max(gaps, key=lambda gap: abs(gap.mean))
    difference = f"{_digits(largest.mean, 2)} ± {_digits(largest.standard_error, 1)}"
    numbers = f"tried with {len(gaps)} agents, the largest difference of means is {difference}"
    if any(abs(gap.mean) - critical * gap.standard_error > worth for gap in gaps):
        return f"it can: {numbers}, more than {worth:g}, {what}"
    if all(abs(gap.mean) + critical * gap.standard_error < worth for gap in gaps):
        return f"no: {numbers}, less than {worth:g}, {what}"
    return f"undecided: {numbers}, and {worth:g}, {what}, is neither shown nor excluded"


def _physics(results: Results) -> str:
    here = [ends(results, name) for name in _ESTIMATORS]
    there = [measured(name, [newer(results, name)["fresh_final"].ravel()]) for name in _ESTIMATORS]
    gaps = [less(one, other) for one, other in zip(there, here, strict=True)]
    return (
        f"{_told(gaps, 50.0, 'a twentieth of the range of returns')}: at their best stepsizes"
        f" alternate and regular end at {here[0].mean:.0f} and {here[1].mean:.0f}, in the newer"
        f" physics at {there[0].mean:.0f} and {there[1].mean:.0f}"
    )


TRIED: dict[str, Callable[[Results], str]] = {
    "coder": _coder,
    "failures": _failures,
    "switch_time": lambda results: _largest(
        results, released_choices.SWITCH, 50.0, "a twentieth of the range of returns"
    ),
    "dot_reacher": lambda results: _largest(
        results, released_choices.DOTREACHER, 0.5, "a twentieth of the range of returns"
    ),
    "chain_cut": lambda results: _largest(
        results, released_choices.CHAIN, 0.04, "a twentieth of the best value"
    ),
    "physics": _physics,
}
"""What a row's `tried` can name: functions of results that answer in a sentence."""
