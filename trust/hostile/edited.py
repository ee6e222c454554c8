"""Results of checks and audits that were edited, or made by hand, before somebody reads them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

from altpg_verify.audit import audit, bandit, compare, from_function, identify
from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.checks import check_estimator
from altpg_verify.estimators import alternate
from altpg_verify.results import Report
from altpg_verify.sealing import genuine
from altpg_verify.verdicts import Verdict
from trust.hostile.forms import NEVER_PASSED, REFUSED, outcome_of


def _halved(reward: Any, score: Any) -> Any:
    return reward * score / 2


@cache
def _audited() -> Audit:
    return audit(from_function(_halved, space=bandit([1, 2, 4])), differentiate=False)


@cache
def _checked() -> Report:
    """A refuted law."""
    return check_estimator(
        alternate, only=("unbiased", "zero_sum"), on_fail="return", facts=False, max_examples=20
    )


def _read(found: Any) -> str:
    """What a reader is told: by the words, by the data and by the verdict."""
    text, data = str(found), found.as_dict()
    assert text
    assert data
    if isinstance(found, Audit):
        return outcome_of(found)
    if isinstance(found, Report):
        return found.results[0].verdict.value
    return "PROVED" if found.ok else "refuted"


def _set(found: Any, **changes: Any) -> Any:
    for name, value in changes.items():
        object.__setattr__(found, name, value)
    return found


BETTER: dict[str, Any] = {
    "kind": Kind.UNBIASED,
    "verdict": Verdict.PROVED,
    "strength": Verdict.PROVED,
    "scale": None,
}


def _in_its_namespace(found: Any) -> Any:
    vars(found).update(BETTER)
    return found


def _by_state() -> Any:
    found = object.__new__(Audit)
    vars(found).update({**vars(_audited()), **BETTER})
    return found


def _words() -> Any:
    found = copy.copy(_audited())
    vars(found)["as_dict"] = lambda: {"kind": "unbiased"}
    vars(found)["sentence"] = "unbiased"
    return _set(found, evidence="for every policy, as rational functions")


class Kinder(Audit):
    """Says that all is well, whatever it holds."""

    ok = True
    sentence = "unbiased: the expected update is ∇V"


def _derived() -> Any:
    found = object.__new__(Kinder)
    vars(found).update({**vars(_audited()), **BETTER})
    return found


def _deep(edit: Callable[[Any], object]) -> Callable[[], Any]:
    def made() -> Any:
        found = copy.deepcopy(_audited())
        edit(found)
        return found

    return made


def _law(edit: Callable[[Any], Any]) -> Callable[[], Any]:
    """The report, with its first law edited."""

    def made() -> Any:
        report = copy.deepcopy(_checked())
        return dataclasses.replace(report, results=(edit(report.results[0]), *report.results[1:]))

    return made


def _law_in_place() -> Any:
    report = copy.deepcopy(_checked())
    _set(report.results[0], verdict=Verdict.PROVED, counterexample=None)
    return report


def _fewer() -> Any:
    report = copy.deepcopy(_checked())
    return _set(report, results=tuple(each for each in report.results if each.verdict.is_for))


def _comparison() -> Any:
    update = from_function(_halved, space=bandit([1, 2, 4]))
    return _set(compare(update, update, ends=False), changes=True)


def _identified() -> Any:
    return _set(
        identify(from_function(_halved, space=bandit([1, 2, 4])), conforms_to="reinforce"),
        conforms=True,
    )


def _asked(make: Callable[[], Any]) -> Callable[[], str]:
    def ask() -> str:
        return _read(make())

    return ask


def _sold() -> Any:
    """A genuine result in the place of another's name."""
    return _set(copy.copy(_audited()), update="everybody's loss")


PROGRAMS = {
    "edited results": [
        ("an audit as it is", _asked(_audited), frozenset({"scaled"})),
        ("a true copy", _asked(lambda: copy.deepcopy(_audited())), frozenset({"scaled"})),
        (
            "a pickled copy",
            _asked(lambda: pickle.loads(pickle.dumps(_audited()))),
            frozenset({"scaled"}),
        ),
        ("a report as it is", _asked(_checked), frozenset({"REFUTED"})),
        ("replace", _asked(lambda: dataclasses.replace(_audited(), **BETTER)), REFUSED),
        (
            "replace of the words alone",
            _asked(lambda: dataclasses.replace(_audited(), evidence="for every policy")),
            REFUSED,
        ),
        ("set", _asked(lambda: _set(copy.copy(_audited()), **BETTER)), REFUSED),
        ("set in a deep copy", _asked(lambda: _set(copy.deepcopy(_audited()), **BETTER)), REFUSED),
        (
            "set in a pickled copy",
            _asked(lambda: _set(pickle.loads(pickle.dumps(_audited())), **BETTER)),
            REFUSED,
        ),
        (
            "written into its namespace",
            _asked(lambda: _in_its_namespace(copy.copy(_audited()))),
            REFUSED,
        ),
        ("never initialised", _asked(_by_state), REFUSED),
        ("methods of its own", _asked(_words), REFUSED),
        ("a subclass", lambda: "refused" if not genuine(_derived()) else "PROVED", REFUSED),
        (
            "its scale in place",
            _asked(_deep(lambda found: found.scale.factors.update({"": 1}))),
            REFUSED,
        ),
        (
            "its scale's formula",
            _asked(_deep(lambda found: _set(found.scale, formula="1"))),
            REFUSED,
        ),
        ("another's name", _asked(_sold), REFUSED),
        (
            "a law of a report, replaced",
            _asked(_law(lambda law: dataclasses.replace(law, verdict=Verdict.PROVED))),
            REFUSED,
        ),
        (
            "a law of a report, exchanged",
            _asked(_law(lambda law: copy.copy(_checked().results[1]))),
            REFUSED,
        ),
        ("a law of a report, in place", _asked(_law_in_place), REFUSED),
        ("only the laws that hold", _asked(_fewer), REFUSED),
        (
            "a report by hand",
            _asked(lambda: Report("mine", "", "softmax", _checked().results[1:])),
            REFUSED,
        ),
        ("a comparison", _asked(_comparison), REFUSED),
        ("an identification", _asked(_identified), NEVER_PASSED),
    ]
}
