"""Hostile evidence: certificates, findings and ledgers that were edited, made by hand, or only look
like one.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import json
import pickle
import tempfile
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from altpg_verify import certificate_kinds
from altpg_verify.__main__ import main
from altpg_verify.judging import Finding, compared, inconclusive, proved, refuted, searched
from altpg_verify.ledger import Claim, Ledger, evidence
from altpg_verify.ledger_building import build
from altpg_verify.theory.proving.certificate_recheck import recheck_file
from altpg_verify.theory.proving.certificate_statements import statement
from altpg_verify.theory.proving.certificate_store import SCHEMA, as_text, content, digest
from altpg_verify.theory.proving.certificates import IdentityCertificate, certify
from altpg_verify.verdicts import Verdict
from trust.hostile.forms import ANYTHING, NEVER_PASSED, PASSED

Data = dict[str, Any]
WORDS = "the alternate estimator is unbiased for every policy"
NOTHING: Data = {
    "says": WORDS, "left": 0, "relation": "=", "right": 0, "witness": 0, "given": [],
    "positive": [], "nonnegative": [], "nonzero": [], "constant": [],
}  # fmt: skip
FALSE: Data = {**NOTHING, "left": "b", "right": ["*", 2, "b"]}
"""b = 2b, which is false; whatever is put beside it may not make it hold without being said."""


def _stored(
    data: Data,
    *,
    kind: str = "identity",
    words: str | None = None,
    edit: Callable[[str], str] = str,
) -> str:
    """What the re-check of a file with a right digest comes to: PROVED if a claim that isn't true
    is said to hold without a condition.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.json"
        try:
            said = statement(kind, data) if words is None else words
        except (TypeError, ValueError, LookupError):
            said = WORDS
        entry = {"kind": kind, "statement": said, "data": data}
        whole = {
            "schema": SCHEMA,
            "claims": ["unbiased"],
            "statement": WORDS,
            "domain": "every policy",
            "certificates": [entry],
        }
        path.write_text(edit(as_text({**whole, "digest": digest(whole)})), encoding="utf-8")
        checked = recheck_file(path)
    if not checked.holds:
        return "refused"
    # 0 = 0 and what follows from a stated falsehood may hold; they are said as what they are
    return (
        "HOLDS"
        if all("which says nothing" in one or "given" in one for one in checked.proved)
        else "PROVED"
    )


def _genuine() -> Data:
    """The data of a true certificate: (b + 1)² = b² + 2b + 1."""
    from sympy import Symbol

    b = Symbol("b")
    certificate = certify((b + 1) ** 2, "=", b**2 + 2 * b + 1, summary="a square")
    return dict(content("a square", "", [certificate])["certificates"][0]["data"])


def _edited(**changes: Any) -> Callable[[], str]:
    return lambda: _stored({**_genuine(), **changes})


def _lies(data: Data, **options: Any) -> Callable[[], str]:
    return lambda: _stored(data, **options)


CLAIM = Claim("unbiased", 1, "1", "the alternate estimator is unbiased", "identity")


def _evidence_of(make: Callable[[], Any]) -> Ledger:
    @evidence("unbiased", kind="derivation")
    def offered() -> Any:
        return make()

    return build([CLAIM], [offered])


def _entered(make: Callable[[], Any]) -> Callable[[], str]:
    """What the ledger says of a claim whose evidence returns this."""
    return lambda: str(_evidence_of(make).entries[0].verdict)


def _doubt() -> Finding:
    return inconclusive("nothing was shown", tested=WORDS)


def _few() -> Finding:
    return searched("three cases", [1, 2, 3], lambda case: (case, case), domain="1, 2, 3")


def _true() -> Finding:
    return proved([_honest()], "a square", domain="every b")


def _honest() -> IdentityCertificate:
    return IdentityCertificate(_genuine())


def _set(**changes: Any) -> Callable[[], Any]:
    def make() -> Any:
        finding = _doubt()
        for name, value in changes.items():
            object.__setattr__(finding, name, value)
        return finding

    return make


def _in_a_copy(copied: Callable[[Any], Any]) -> Callable[[], Any]:
    def make() -> Any:
        finding = copied(_doubt())
        object.__setattr__(finding, "verdict", Verdict.PROVED)
        return finding

    return make


def _by_pickle() -> Any:
    """The bytes say another verdict."""
    kept = pickle.dumps(_doubt(), protocol=0)
    return pickle.loads(
        kept.replace(b"inconclusive", b"proved").replace(b"INCONCLUSIVE", b"PROVED")
    )


def _by_state() -> Any:
    """An object that was never initialised, with the attributes of another."""
    made = object.__new__(Finding)
    made.__dict__.update(vars(_doubt()) | {"verdict": Verdict.PROVED})
    return made


def _more_cases() -> Any:
    finding = _few()
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
    finding = _few()
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


def _doubtful_statistics() -> Finding:
    """Ten standard errors off, so refuted."""
    return compared(
        "the mean is 0",
        predicted=0.0,
        mean=1.0,
        standard_error=0.1,
        false_alarm_rate=0.001,
        domain="100 runs",
        worth_finding=2.0,
    )


def _listed(
    finding: Callable[[], Finding], edit: Callable[[dict[str, Any], dict[str, Any]], object]
) -> Callable[[], str]:
    """What `claims --ledger` prints of a stored ledger of one claim, after an edit of the claim and
    its evidence.
    """

    def ask() -> str:
        ledger = json.loads(_evidence_of(finding).as_json())
        (claim,) = ledger["claims"]
        edit(claim, claim["evidence"][0])
        # whoever edits a verdict edits the tally too
        ledger["counts"] = dict.fromkeys(ledger["counts"], 0) | {claim["verdict"]: 1}
        return _printed(json.dumps(ledger))

    return ask


def _printed(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.json"
        path.write_text(text, encoding="utf-8")
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            code = main(["claims", "--ledger", str(path)])
    return "refused" if code == 2 else shown.getvalue().split()[0]


def _as(verdict: str, **figures: Any) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    """The claim's verdict and the evidence's, with figures, no counterexample, and all that
    follows.
    """

    def edit(claim: dict[str, Any], item: dict[str, Any]) -> None:
        claim["verdict"] = item["verdict"] = verdict
        claim["established"] = verdict in PASSED
        item["instance"] = {}
        item["numbers"] |= figures

    return edit


def _twice() -> str:
    """The same key twice: readers differ in which they take."""
    text = _evidence_of(_doubt).as_json()
    return _printed(
        text.replace(
            '"verdict": "INCONCLUSIVE"', '"verdict": "INCONCLUSIVE", "verdict": "PROVED"', 1
        )
    )


def _by_hand() -> str:
    """An entry that was made by hand, written and read again."""
    ledger = _evidence_of(_doubt)
    entry = dataclasses.replace(ledger.entries[0], verdict=Verdict.PROVED, established=True)
    return _printed(Ledger((entry,)).as_json())


PROGRAMS = {
    "forged certificates": [
        ("words over 0 = 0", _lies(NOTHING, words=WORDS), NEVER_PASSED),
        ("0 = 0, said as it is", _lies(NOTHING), ANYTHING - frozenset({"PROVED"})),
        ("another right side", _edited(right=0), NEVER_PASSED),
        ("another left side", _edited(left="b"), NEVER_PASSED),
        ("both sides of two equal formulas", _edited(left="b", right=["*", 2, "b"]), NEVER_PASSED),
        ("another relation", _edited(relation="!="), NEVER_PASSED),
        ("a strict relation", _edited(relation=">"), NEVER_PASSED),
        ("a relation in words", _edited(relation="is"), NEVER_PASSED),
        ("a witness for nothing", _lies({**FALSE, "relation": ">=", "witness": "b"}), NEVER_PASSED),
        (
            "a negative witness",
            _lies({**NOTHING, "right": 1, "relation": ">=", "witness": -1}),
            NEVER_PASSED,
        ),
        ("a sign for a letter", _lies({**FALSE, "relation": "<", "positive": ["b"]}), NEVER_PASSED),
        (
            "an assumption that 0 is 1",
            _lies({**FALSE, "given": [{"zero": 1, "each": "", "cofactor": ["*", -1, "b"]}]}),
            NEVER_PASSED | {"HOLDS"},
        ),
        ("an assumption without a form", _lies({**FALSE, "given": [{"zero": 1}]}), NEVER_PASSED),
        ("true for 1", _lies({**FALSE, "left": True, "right": 2}), NEVER_PASSED),
        (
            "nan on both sides",
            _lies({**NOTHING, "left": float("nan"), "right": float("nan")}),
            NEVER_PASSED,
        ),
        (
            "a quotient by 0",
            _lies(
                {**FALSE, "left": ["*", "b", ["^", 0, -1]], "right": ["*", 2, "b", ["^", 0, -1]]}
            ),
            NEVER_PASSED,
        ),
        ("0^0", _lies({**NOTHING, "left": ["^", 0, 0], "right": 0}), NEVER_PASSED),
        (
            "letters that look alike",
            _lies({**NOTHING, "left": "\u0440", "right": "p"}),
            NEVER_PASSED,
        ),
        (
            "a letter with a space behind it",
            _lies({**NOTHING, "left": "b ", "right": "b"}),
            NEVER_PASSED,
        ),
        (
            "a power without end",
            _lies({**NOTHING, "left": ["^", ["+", "b", 1], 10**9], "right": 0}),
            NEVER_PASSED,
        ),
        (
            "a tower of powers",
            _lies({**FALSE, "left": ["^", ["^", ["^", 9, 9], 9], 9]}),
            NEVER_PASSED,
        ),
        ("a field too many", _lies({**FALSE, "holds": True}), NEVER_PASSED),
        (
            "a field too few",
            _lies({name: value for name, value in FALSE.items() if name != "witness"}),
            NEVER_PASSED,
        ),
        *(
            (f"as {kind}", _lies(FALSE, kind=kind), NEVER_PASSED)
            for kind in (
                *(
                    "exponential sign",
                    "triangle tree",
                    "chain fixed point",
                    "simplex cover",
                    "exact instance",
                    "attracting fixed point",
                ),
                *("", "__class__", "kernel", "identity\n"),
            )
        ),
        (
            "a word changed after the digest",
            _lies(NOTHING, edit=lambda text: text.replace("every policy", "every estimator")),
            NEVER_PASSED,
        ),
        (
            "a digit changed after the digest",
            _lies(NOTHING, edit=lambda text: text.replace('"left": 0', '"left": 1')),
            NEVER_PASSED,
        ),
        (
            "a key that stands twice",
            _lies(
                FALSE,
                edit=lambda text: text.replace('"left": "b"', '"left": ["*", 2, "b"], "left": "b"'),
            ),
            NEVER_PASSED,
        ),
    ],
    "forged findings": [
        ("a doubt, as it is", _entered(_doubt), frozenset({"INCONCLUSIVE"})),
        ("a proof, as it is", _entered(_true), frozenset({"PROVED"})),
        ("a true copy of a proof", _entered(lambda: copy.deepcopy(_true())), frozenset({"PROVED"})),
        (
            "a proof that was pickled",
            _entered(lambda: pickle.loads(pickle.dumps(_true()))),
            frozenset({"PROVED"}),
        ),
        (
            "replace",
            _entered(lambda: dataclasses.replace(_doubt(), verdict=Verdict.PROVED)),
            NEVER_PASSED,
        ),
        (
            "copy.replace of a proof's words",
            _entered(lambda: dataclasses.replace(_true(), summary=WORDS)),
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
    ],
    "forged ledgers": [
        ("as it is", _listed(_true, lambda claim, item: None), frozenset({"PROVED"})),
        (
            "the claim's verdict",
            _listed(_doubt, lambda claim, item: claim.update(verdict="PROVED", established=True)),
            NEVER_PASSED,
        ),
        ("the evidence's verdict too", _listed(_doubt, _as("PROVED")), NEVER_PASSED),
        ("of a search, to a proof", _listed(_few, _as("PROVED")), NEVER_PASSED),
        ("of a search without cases", _listed(_few, _as("HOLDS", cases=0)), NEVER_PASSED),
        ("of a search with true cases", _listed(_few, _as("HOLDS", cases=True)), NEVER_PASSED),
        ("of a comparison", _listed(_doubtful_statistics, _as("SUPPORTED")), NEVER_PASSED),
        (
            "of a comparison, and its critical value",
            _listed(_doubtful_statistics, _as("SUPPORTED", critical_z=1e6)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, its critical value and its rate",
            _listed(
                _doubtful_statistics,
                _as("SUPPORTED", critical_z=11.0, false_alarm_rate=0.001, comparisons=1),
            ),
            NEVER_PASSED,
        ),
        (
            "of a comparison, as one of a million",
            _listed(_doubtful_statistics, _as("SUPPORTED", critical_z=11.0, comparisons=10**400)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, and its error",
            _listed(_doubtful_statistics, _as("SUPPORTED", standard_error=1.0)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, and its error is no number",
            _listed(_doubtful_statistics, _as("SUPPORTED", standard_error="inf")),
            NEVER_PASSED,
        ),
        (
            "of a comparison without figures",
            _listed(
                _doubtful_statistics, lambda c, i: (_as("SUPPORTED")(c, i), i["numbers"].clear())
            ),
            NEVER_PASSED,
        ),
        ("a verdict that there isn't", _listed(_doubt, _as("CERTAIN")), NEVER_PASSED),
        (
            "no evidence",
            _listed(_true, lambda claim, item: claim["evidence"].clear()),
            NEVER_PASSED,
        ),
        ("a key that stands twice", _twice, NEVER_PASSED),
        ("an entry made by hand", _by_hand, NEVER_PASSED),
    ],
}
