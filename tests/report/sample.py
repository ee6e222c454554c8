"""A small ledger in which every verdict occurs, built by the ledger's own rules through the
judges.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from sympy import Eq, IndexedBase, Sum, symbols

from altpg_verify import judging, ledger
from altpg_verify.certificate_kinds import CHECKS
from altpg_verify.judging import Step

ROOT = Path(__file__).parents[2]
"""Where a subprocess finds the packages."""

HOSTILE = (
    'a # hash, a $ dollar, under_score, *star*, <angle>, @at, `tick`, "quote", \\ back, [bracket]'
    ' #panic("x") //'
)
"""Text that would be markup or code if it were spliced in."""

k, a, c, b = symbols("k a c b")
r, pi = IndexedBase("r"), IndexedBase("pi")


class Certificate:
    def __init__(self, good: bool = True) -> None:
        self.good = good

    def recheck(self) -> bool:
        return self.good


# lent to these tests: no code but the project's own may register a kind
CHECKS[Certificate] = Certificate.recheck


def _claim(identity: str, kind: str = "identity", **rest) -> ledger.Claim:
    rest = {
        "line": 120,
        "section": "3 Alternate gradient bandits",
        "statement": "$bold(pi) dot.o (bold(r) - b bold(1))$",
        **rest,
    }
    return ledger.Claim(id=identity, kind=kind, **rest)


CLAIMS = (
    _claim(
        "expected-alternate",
        label="eq: alt",
        given=("$b$ is fixed", "a _markup_ given with \\$ and $r_1 <= dots.c <= r_k$"),
        required_evidence=("derivation",),
    ),
    _claim(
        "bounded",
        "inequality",
        statement="For every policy, $ sum_a pi(a) (r(a) - b) <= max_a r(a) - b $",
        depends_on=("expected-alternate",),
    ),
    _claim("step-identity", "dynamics", section="B.3 Proofs"),
    _claim(
        "long-formula",
        "identity",
        section="B.3 Proofs",
        statement=f"${' + '.join(f'x_{n} y_{n}' for n in range(60))} = 0$",
    ),
    _claim("value-2.36", "number", statement="$cal(J)_(pi^*) = 2.36$"),
    _claim(
        "only-at-boundary", "fixed point", statement="The gradient is zero only at the boundary."
    ),
    _claim(
        "only-at-boundary-corrected",
        "fixed point",
        corrects="only-at-boundary",
        adds="two rewards differ, $r_1 != r_2$",
    ),
    _claim("vague", "empirical", statement=r"Costs \$5 \# and no more."),
    _claim("unrun", "complexity", statement="Each step takes $cal(O)(log abs(cal(A)))$."),
    _claim("ours", "identity", extension=True, line=0),
)


@ledger.evidence("expected-alternate", kind="derivation")
def derived():
    steps = (
        Step(
            "Split the expectation by the action.",
            Eq(Sum(pi[c] * (r[c] - b), (c, 1, k)), symbols("r_pi") - b),
        ),
        Step(f"A step whose words are {HOSTILE}", Eq(symbols("x"), sum(symbols(f"y_1:{60}")))),
        Step("A remark without a formula."),
        Step("A formula in Typst's own letters.", "bold(pi)^top bold(r)"),
    )
    return judging.proved([Certificate()], HOSTILE, domain=f"every k; {HOSTILE}", steps=steps)


@ledger.evidence("expected-alternate", kind="enumeration")
def enumerated():
    return judging.searched(
        "equal",
        [1, 2],
        lambda case: (case, case),
        domain="two cases",
        describe=lambda case: {"case": case},
    )


@ledger.evidence("bounded", "long-formula", kind="certificate")
def bounded():
    return judging.certified([Certificate()], "a box", domain="a box")


@ledger.evidence("step-identity", kind="property test")
def tried():
    return judging.searched(
        "equal",
        range(200),
        lambda case: (case, case),
        domain="200 integers",
        describe=lambda case: {"case": case},
    )


@ledger.evidence("value-2.36", kind="simulation")
def simulated():
    return judging.compared(
        "the mean",
        predicted=2.3636,
        mean=2.364,
        standard_error=0.001,
        false_alarm_rate=0.01,
        domain="150 runs",
    )


@ledger.evidence("only-at-boundary", kind="enumeration")
def boundary():
    return judging.refuted(
        HOSTILE, {"π": (Fraction(1, 2), Fraction(1, 2)), HOSTILE: HOSTILE}, [0, 0], [0, 0], "!="
    )


@ledger.evidence("only-at-boundary-corrected", "ours", kind="derivation")
def corrected():
    return judging.proved([Certificate()], "the corrected statement", domain="every k")


@ledger.evidence("vague", kind="simulation")
def vague():
    return judging.proved([Certificate(good=False)], "refused", domain="nowhere")


@ledger.evidence("unrun", kind="execution")
def unrun(results):
    return judging.not_run("never reached")


FUNCTIONS = (derived, enumerated, bounded, tried, simulated, boundary, corrected, vague, unrun)
