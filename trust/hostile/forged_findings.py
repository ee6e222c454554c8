"""Findings that were edited, made by hand, or only look like one of a judge."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from altpg_verify import certificate_kinds
from altpg_verify.judging import Finding, inconclusive, proved, refuted, searched
from altpg_verify.ledger import Claim, Ledger, evidence
from altpg_verify.ledger_building import build
from altpg_verify.theory.proving.certificates import IdentityCertificate
from altpg_verify.verdicts import Verdict
from trust.hostile.forged import FALSE, NOTHING, WORDS, genuine_data
from trust.hostile.forms import NEVER_PASSED

CLAIM = Claim("unbiased", 1, "1", "the alternate estimator is unbiased", "identity")


def ledger_of(make: Callable[[], Any]) -> Ledger:
    """A ledger of one claim, whose evidence returns this."""

    @evidence("unbiased", kind="derivation")
    def offered() -> Any:
        return make()

    return build([CLAIM], [offered])


def _entered(make: Callable[[], Any]) -> Callable[[], str]:
    """What the ledger says of a claim whose evidence returns this."""
    return lambda: str(ledger_of(make).entries[0].verdict)


def doubt() -> Finding:
    """A finding that decides nothing."""
    return inconclusive("nothing was shown", tested=WORDS)


def few_cases() -> Finding:
    """A finding that holds."""
    return searched("three cases", [1, 2, 3], lambda case: (case, case), domain="1, 2, 3")


def true_proof() -> Finding:
    """A finding that is proved."""
    return proved([_honest()], "a square", domain="every b")


def _honest() -> IdentityCertificate:
    return IdentityCertificate(genuine_data())


def _set(**changes: Any) -> Callable[[], Any]:
    def make() -> Any:
        finding = doubt()
        for name, value in changes.items():
            object.__setattr__(finding, name, value)
        return finding

    return make


def _in_a_copy(copied: Callable[[Any], Any]) -> Callable[[], Any]:
    def make() -> Any:
        finding = copied(doubt())
        object.__setattr__(finding, "verdict", Verdict.PROVED)
        return finding

    return make


def _by_pickle() -> Any:
    """The bytes say another verdict."""
    kept = pickle.dumps(doubt(), protocol=0)
    return pickle.loads(
        kept.replace(b"inconclusive", b"proved").replace(b"INCONCLUSIVE", b"PROVED")
    )


def _by_state() -> Any:
    """An object that was never initialised, with the attributes of another."""
    made = object.__new__(Finding)
    made.__dict__.update(vars(doubt()) | {"verdict": Verdict.PROVED})
    return made


def _more_cases() -> Any:
    finding = few_cases()
    finding.numbers["cases"] = 10**9  # type: ignore[index]
    return finding


class Softer(Finding):
    """A finding that anybody may make."""

    def __post_init__(self, _token: object) -> None:
        """Asks for no token."""


class Posing:
    """Says of itself that it is a finding."""

    verdict, summary, domain, found, steps = Verdict.PROVED, WORDS, "all", "", ()
    instance: Mapping[str, str] = {}
    numbers: Mapping[str, Any] = {"certificates": 1}

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # type: ignore[override]
        """Another's."""
        return Finding


class Doubtful:
    """Reads like a doubt and counts like a proof."""

    name, is_for = "INCONCLUSIVE", True

    def __str__(self) -> str:
        return "INCONCLUSIVE"


class TwoFaced(str):
    """One text for who prints it and another for who keeps it."""

    __slots__ = ()

    def __str__(self) -> str:
        return "nothing was shown"

    def __hash__(self) -> int:
        return hash("nothing was shown")

    def __eq__(self, other: object) -> bool:
        return other == "nothing was shown"


def _other_words() -> Any:
    finding = few_cases()
    object.__setattr__(finding, "summary", TwoFaced(WORDS))
    return finding


class Says:
    """A certificate that says of itself that it is one."""

    data = NOTHING

    def recheck(self) -> bool:
        """It is."""
        return True


class Derived(IdentityCertificate):
    """One of ours, with a check of its own."""

    def recheck(self) -> bool:
        """It is."""
        return True


class Everything:
    """Equal to anything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def _certificate(certificate: Callable[[], Any]) -> Callable[[], str]:
    return _entered(lambda: proved([certificate()], WORDS, domain="every policy"))


def _instance_check() -> Any:
    certificate = IdentityCertificate(FALSE)
    object.__setattr__(certificate, "recheck", lambda: True)
    return certificate


def _class_check() -> str:
    """The check of one of our kinds is exchanged."""
    kept = IdentityCertificate.recheck
    IdentityCertificate.recheck = lambda self: True  # type: ignore[method-assign]
    try:
        return _certificate(lambda: IdentityCertificate(FALSE))()
    finally:
        IdentityCertificate.recheck = kept  # type: ignore[method-assign]


def _registered() -> Any:
    certificate_kinds.certificate_kind(Says)
    return Says()


class Shifting(dict[str, Any]):
    """True data for the check, and others for who looks again."""

    def __init__(self) -> None:
        super().__init__(FALSE)
        self.asked = 0

    def __getitem__(self, name: str) -> Any:
        self.asked += 1
        return NOTHING[name] if self.asked < 40 else FALSE[name]


def _shifting() -> Any:
    return IdentityCertificate(Shifting())


class Sides(tuple[Any, ...]):
    """Two sides that are never the same."""

    __slots__ = ()

    def __iter__(self) -> Any:
        return iter((Fraction(1),))


PROGRAMS = {
    "forged findings": [
        ("a doubt, as it is", _entered(doubt), frozenset({"INCONCLUSIVE"})),
        ("a proof, as it is", _entered(true_proof), frozenset({"PROVED"})),
        (
            "a true copy of a proof",
            _entered(lambda: copy.deepcopy(true_proof())),
            frozenset({"PROVED"}),
        ),
        (
            "a proof that was pickled",
            _entered(lambda: pickle.loads(pickle.dumps(true_proof()))),
            frozenset({"PROVED"}),
        ),
        (
            "replace",
            _entered(lambda: dataclasses.replace(doubt(), verdict=Verdict.PROVED)),
            NEVER_PASSED,
        ),
        (
            "copy.replace of a proof's words",
            _entered(lambda: dataclasses.replace(true_proof(), summary=WORDS)),
            NEVER_PASSED,
        ),
        ("by hand", _entered(lambda: Finding(Verdict.PROVED, WORDS)), NEVER_PASSED),
        (
            "by hand, with a token",
            _entered(lambda: Finding(Verdict.PROVED, WORDS, _token=object())),
            NEVER_PASSED,
        ),
        (
            "by hand, with a token that equals everything",
            _entered(lambda: Finding(Verdict.PROVED, WORDS, _token=Everything())),
            NEVER_PASSED,
        ),
        ("its verdict set", _entered(_set(verdict=Verdict.PROVED)), NEVER_PASSED),
        ("its verdict set to a look-alike", _entered(_set(verdict=Doubtful())), NEVER_PASSED),
        (
            "its verdict and figures set",
            _entered(_set(verdict=Verdict.PROVED, numbers={"certificates": 3})),
            NEVER_PASSED,
        ),
        ("its words set", _entered(_set(summary="nothing was shown")), NEVER_PASSED),
        ("its words set to two-faced ones", _entered(_other_words), NEVER_PASSED),
        ("its figures changed in place", _entered(_more_cases), NEVER_PASSED),
        ("set in a copy", _entered(_in_a_copy(copy.copy)), NEVER_PASSED),
        ("set in a deep copy", _entered(_in_a_copy(copy.deepcopy)), NEVER_PASSED),
        (
            "set in a pickled copy",
            _entered(_in_a_copy(lambda finding: pickle.loads(pickle.dumps(finding)))),
            NEVER_PASSED,
        ),
        ("pickled, its bytes edited", _entered(_by_pickle), NEVER_PASSED),
        ("never initialised", _entered(_by_state), NEVER_PASSED),
        ("a subclass", _entered(lambda: Softer(Verdict.PROVED, WORDS)), NEVER_PASSED),
        ("a class that poses as one", _entered(Posing), NEVER_PASSED),
        ("no finding", _entered(lambda: Verdict.PROVED), NEVER_PASSED),
        ("nothing", _entered(lambda: None), NEVER_PASSED),
        ("an object whose recheck returns True", _certificate(Says), NEVER_PASSED),
        ("a kind of one's own, registered", _certificate(_registered), NEVER_PASSED),
        ("a subclass of a kind of ours", _certificate(lambda: Derived(FALSE)), NEVER_PASSED),
        ("a check set on one certificate", _certificate(_instance_check), NEVER_PASSED),
        ("a check exchanged in the class", _class_check, NEVER_PASSED),
        ("data that answer differently", _certificate(_shifting), NEVER_PASSED),
        ("no certificates", _entered(lambda: proved([], WORDS, domain="")), NEVER_PASSED),
        (
            "a refutation by equal sides",
            _entered(lambda: refuted(WORDS, {}, Fraction(1), Fraction(1))),
            frozenset({"INCONCLUSIVE"}),
        ),
        (
            "a refutation by floats",
            _entered(lambda: refuted(WORDS, {}, 0.1 + 0.2, 0.3)),
            frozenset({"INCONCLUSIVE"}),
        ),
        (
            "a refutation by sides that shift",
            _entered(lambda: refuted(WORDS, {}, Sides((1, 2)), (1,))),
            frozenset({"INCONCLUSIVE"}),
        ),
        (
            "a search without cases",
            _entered(lambda: searched(WORDS, [], lambda case: (0, 0), domain="")),
            NEVER_PASSED,
        ),
    ]
}
