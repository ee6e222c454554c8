"""The queries as evidence: proved where z3 and cvc5 both find the negation unsatisfiable,
inconclusive where one of them can't tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from sympy import Symbol, exp

from altpg_verify.certificate_kinds import Checkable
from altpg_verify.judging import Finding, Step, inconclusive, not_run, proved
from altpg_verify.ledger import evidence
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC_DOMAIN
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import SIMPLEX, c, j, pi, total, zeta
from altpg_verify.theory.proving.proof import Proof
from altpg_verify.theory.smt.solvers import FOLDER, Agreement, ask, missing

NAMED = "k = 2 and k = 3"
PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5"}


ASKED = (
    *(
        f"{query}-k{k}"
        for query in ("no-common-value", "unique-fixed-point", "second-moment", "sum-of-squares")
        for k in (2, 3)
    ),
    "term-of-optimistic-step",
    "clipped-positive-advantage",
    "clipped-negative-advantage",
)
"""Every query of this folder."""


def decided(
    queries: Sequence[str],
    summary: str,
    domain: str,
    steps: Sequence[Step],
    others: Sequence[Checkable] = (),
) -> Finding:
    """What both solvers say of the queries together; `others` are certificates that the conclusion
    needs besides.

    Args:
        queries: names of files, without their ending.
        summary, domain: what is shown if the negation is unsatisfiable, and for what.
        steps: the argument around it, in words and formulas.
    """
    if absent := missing():
        packages = " and ".join(PACKAGES[name] for name in absent)
        return not_run(
            f"{summary}: needs {packages}, the extra smt; the queries are stored as SMT-LIB text"
            " beside this module"
        )
    # each query states the negation, so "unsat" proves it
    answers = ask([FOLDER / f"{query}.smt2" for query in queries])
    return judged(answers, summary, domain, steps, others)


def judged(
    answers: Sequence[Agreement],
    summary: str,
    domain: str,
    steps: Sequence[Step],
    others: Sequence[Checkable] = (),
) -> Finding:
    """PROVED if every query was answered "unsat" twice; else INCONCLUSIVE, with the queries that
    weren't.

    Args:
        answers: what both solvers said of each query; see `solvers.ask`.
    """
    doubtful = [str(one) for one in answers if not one.recheck()]
    if doubtful:
        return inconclusive(
            f"the solvers don't agree that the negation is unsatisfiable: {'; '.join(doubtful)}",
            tested=summary,
        )
    numbers = {name: version(package) for name, package in PACKAGES.items()}
    shown = [
        *steps,
        Step(
            "z3 and cvc5 both find the negation unsatisfiable:"
            f" {', '.join(one.query for one in answers)}."
        ),
    ]
    return proved([*answers, *others], summary, domain=domain, steps=shown, numbers=numbers)


def _about(*subjects: str) -> list[str]:
    """The queries whose names begin so."""
    return [query for query in ASKED if query.startswith(subjects)]


@evidence("case-1-no-kappa", "lemma-case-1-no-fixed-point", kind="certificate")
def no_common_value() -> Finding:
    """π_a (r_a - b) = κ for all a has no solution with rewards on both sides of b."""
    steps = [
        Step(
            "Let π be on the closed simplex, r_1 < b < r_k and no reward equal to b, and all π_a"
            " (r_a - b) equal to κ."
        )
    ]
    return decided(
        _about("no-common-value"),
        "with rewards on both sides of b no policy makes all π(a) (r(a) - b) equal",
        NAMED,
        steps,
    )


@evidence("fixed-point-formula", kind="certificate")
def unique_fixed_point() -> Finding:
    """All π_a d_a equal makes π the policy with π_a d_a = K."""
    steps = [
        Step("Let d = |r - b| > 0, all π_a d_a equal, q the policy with q_a d_a = K, and π ≠ q.")
    ]
    return decided(
        _about("unique-fixed-point"),
        "there is one policy with π(a) (r(a) - b) the same for all a",
        NAMED,
        steps,
    )


@evidence("second-moment-exceeds-harmonic", "cauchy-schwarz-optimistic", kind="certificate")
def second_moment() -> Finding:
    """Σ π² d > K, and the sum of squares behind it."""
    steps = [
        Step(
            "Let d = |ζ| > 0, q the policy with q_a d_a = K, so that K = 1/Σ 1/d, and π = q + e ≠ q"
            " with Σ e = 0. Then Σ π² d <= K fails;"
        ),
        Step("for Σ π² d - K = Σ d (π - q)²."),
    ]
    return decided(
        _about("second-moment", "sum-of-squares"),
        "Σ π² |ζ| exceeds (Σ 1/|ζ|)⁻¹ at every other policy than π*",
        NAMED,
        steps,
    )


@evidence("optimistic-attracts-explicit-stepsize", kind="certificate")
def term_by_term() -> Finding:
    """p/(1 - x) <= q - (1 - H) x/z for each term, by SMT; the terms' sum for every k, by the
    kernel.
    """
    H = Symbol("H")
    x = H - pi[c] * zeta[c]
    proof = Proof("", "", Signs(nonzero=(zeta,)), given=[SIMPLEX, H * total(1 / zeta[j], j) - 1])
    proof.note(
        "Write ζ for α (b - r) > 0 here, H = α|κ| = (Σ 1/ζ)⁻¹ <= 1 and x_c = H - π_c ζ_c < 1; the"
        " step changes D_KL by log Σ π e^x."
    )
    proof.note(
        "e^-x >= 1 - x, with equality only at x = 0, so each term is at most this, for 1 - x > 0.",
        pi[c] * exp(x) <= pi[c] / (1 - x),
    )
    proof.note(
        "One term, whatever the number of actions:",
        pi[c] / (1 - x) <= H / zeta[c] - (1 - H) * x / zeta[c],
    )
    proof.equal(
        "The right sides sum to one; so the logarithm isn't positive.",
        total(H / zeta[c] - (1 - H) * x / zeta[c]),
        1,
    )
    proof.note("It is zero only if every x is, which is at π*.")
    return decided(
        _about("term-of-optimistic-step"),
        "the divergence falls at every policy but π* if α <= Σ 1/(b - r)",
        OPTIMISTIC_DOMAIN,
        proof.steps,
        proof.certificates,
    )


@evidence("ppo-gradient-away-from-kinks", kind="certificate")
def clipped_objective() -> Finding:
    """min(ρ h, clip(ρ) h) is linear in ρ where the condition holds, and constant elsewhere."""
    steps = [
        Step("With h > 0, min(ρ h, clip(ρ) h) is ρ h for ρ < 1 + ε and (1 + ε) h above."),
        Step("With h < 0 it is ρ h for ρ > 1 - ε and (1 - ε) h below; with h = 0 it is zero."),
        Step(
            "So away from the kink its slope in ρ is h where cond holds, else 0; the chain rule and"
            " linearity of the sums do the rest."
        ),
    ]
    return decided(
        _about("clipped"),
        "the slope of PPO's clipped term in ρ is h 1{cond}",
        "every ρ > 0, h and 0 < ε < 1, no ρ at a kink",
        steps,
    )
