"""The paper's bandit r = (1, 2, 3) with b = +4 and -4 in exact numbers: π*, its value, and four
thresholds of the stepsize.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Expr, Rational, Symbol, exp

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.theory.proving import exponential_check
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import as_rational, equation
from altpg_verify.theory.proving.proof import Proof, derivation

REWARDS = (Fraction(1), Fraction(2), Fraction(3))
FIGURE_POLICY = (Fraction(1, 5), Fraction(1, 10), Fraction(7, 10))
"""The policy of the paper's figure on the stepsize."""
BANDIT = "r = (1, 2, 3)"


@certificate_kind
@dataclass(frozen=True)
class ExponentialSign:
    """A sum of rational multiples of e to rational powers has the stated sign.

    Args:
        data: the JSON object: terms (coefficient, exponent) and the sign.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `exponential_check` finds the sign from the data, read back from JSON text."""
        return exponential_check.sign_holds(json.loads(json.dumps(self.data)))

    def __str__(self) -> str:
        return f"the sign of a sum of {len(self.data['terms'])} exponentials"


@certificate_kind
@dataclass(frozen=True)
class SimplexDescent:
    """One expected step of the given size lowers the divergence everywhere but at π*.

    Args:
        data: the JSON object: the bandit's distances, α and the tree of triangles.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `exponential_check` finds the descent on every triangle of the data, read back
        from JSON text.
        """
        return exponential_check.descent_holds(json.loads(json.dumps(self.data)))

    def __str__(self) -> str:
        return f"descent at α = {self.data['alpha']} on {self.data['tree'].count('l')} triangles"


def kappa(baseline: Fraction, rewards: tuple[Fraction, ...] = REWARDS) -> Fraction:
    """κ = (Σ 1/(r - b))⁻¹.

    In fractions, for the rewards of one bandit; −6/11 for b = 4.
    """
    return 1 / sum((1 / (reward - baseline) for reward in rewards), start=Fraction(0))


def fixed_point(
    baseline: Fraction, rewards: tuple[Fraction, ...] = REWARDS
) -> tuple[Fraction, ...]:
    """π*_a = κ/(r_a - b).

    (k,), in fractions: (2, 3, 6)/11 for b = 4.
    """
    return tuple(kappa(baseline, rewards) / (reward - baseline) for reward in rewards)


def value(baseline: Fraction) -> Fraction:
    """J(π*) = Σ π* r.

    In fractions: 26/11 for b = 4.
    """
    return sum(
        (p * reward for p, reward in zip(fixed_point(baseline), REWARDS, strict=True)),
        start=Fraction(0),
    )


def _written_fixed_point(action: int) -> Expr:
    """1/(r - b) over its sum, in numbers that are left as they stand."""
    b = Symbol("b")
    return (
        1
        / (as_rational(REWARDS[action]) - b)
        / sum(1 / (as_rational(reward) - b) for reward in REWARDS)
    )


def numbers_proof(summary: str, baseline: int) -> Proof:
    """An empty proof in which b is a number.

    All letters are numbers here, so that the kernel's identity is arithmetic.
    """
    return Proof(
        summary,
        f"{BANDIT}, b = {baseline}",
        where={Symbol("b"): Rational(baseline)},
        rigorous_on_domain=True,
    )


@derivation("pi-star-number", kind="certificate")
def fixed_point_number() -> Proof:
    """π* = (2, 3, 6)/11, which rounds to (0.18, 0.27, 0.55).

    Appendix D.4, line 1197: the printed decimals, each within half a unit of its last place.
    """
    proof = numbers_proof("π* = (2, 3, 6)/11, which rounds to (0.18, 0.27, 0.55)", 4)
    for action, (exact, rounded) in enumerate(
        zip(fixed_point(Fraction(4)), (18, 27, 55), strict=True)
    ):
        proof.equal(f"Action {action}.", _written_fixed_point(action), as_rational(exact))
        # squares, as the kernel has no absolute values
        room = Rational(1, 200) ** 2 - (as_rational(exact) - Rational(rounded, 100)) ** 2
        proof.at_least(
            "It is within 0.005 of the printed number.",
            Rational(1, 200) ** 2,
            (as_rational(exact) - Rational(rounded, 100)) ** 2,
            room,
        )
    return proof


@derivation("value-at-pi-star-number", kind="certificate")
def value_number() -> Proof:
    """J(π*) = 26/11 = 2.3636..., which rounds to 2.36.

    Appendix D.4, line 1197: where runs with the fixed baseline +4 are to end in the mean.
    """
    proof = numbers_proof("J(π*) = 26/11 = 2.3636..., which rounds to 2.36", 4)
    exact = as_rational(value(Fraction(4)))
    proof.equal(
        "The mean of r.",
        sum(
            _written_fixed_point(action) * as_rational(reward)
            for action, reward in enumerate(REWARDS)
        ),
        exact,
    )
    room = Rational(1, 200) ** 2 - (exact - Rational(236, 100)) ** 2
    proof.numbers["value"] = float(exact)
    return proof.at_least(
        "It is within 0.005 of the printed number.",
        Rational(1, 200) ** 2,
        (exact - Rational(236, 100)) ** 2,
        room,
    )


def change(
    alpha: Fraction,
    relation: str,
    policy: tuple[Fraction, ...] = FIGURE_POLICY,
    baseline: Fraction = Fraction(4),
) -> ExponentialSign:
    """Σ π e^(α π (r - b)) against e^(α κ): "<" means that the step lowers the divergence.

    The certificate is the sign of Σ p e^(α p (r − b)) − e^(α κ), whose exponents are fractions;
    `exponential_check` encloses it.

    Args:
        alpha: the stepsize.
        relation: "<" or ">".
        policy: (3,) where the step is taken.
        baseline: b.
    """
    terms = [
        (p, alpha * p * (reward - baseline)) for p, reward in zip(policy, REWARDS, strict=True)
    ]
    return ExponentialSign(
        {
            "terms": [
                [str(x), str(y)] for x, y in [*terms, (Fraction(-1), alpha * kappa(baseline))]
            ],
            "relation": relation,
        }
    )


def paper_bound() -> Fraction:
    """The paper's bound on the stepsize, 8/(max - min)² (κ - Σ π² (r - b)), for its figure: b =
    4.

    744/275, from the policy of fig. fixed_point_nature_proof (line 819 of the source).
    """
    pushes = [p * (reward - 4) for p, reward in zip(FIGURE_POLICY, REWARDS, strict=True)]
    second = sum(p * push for p, push in zip(FIGURE_POLICY, pushes, strict=True))
    return 8 / (max(pushes) - min(pushes)) ** 2 * (kappa(Fraction(4)) - second)


@derivation("stepsize-bound-not-tight", kind="certificate")
def bound_not_tight() -> Proof:
    """At π = (0.2, 0.1, 0.7) the bound is 744/275 = 2.7055; the divergence falls up to 4.6957.

    Appendix B.3, line 819: Hoeffding's bound costs a factor here. The threshold is enclosed between
    4.6956 and 4.6958 by two certified signs.
    """
    below, above = Fraction(46956, 10000), Fraction(46958, 10000)
    proof = Proof(
        "the bound is 744/275 = 2.7055, and the divergence still falls at 4.6956",
        f"{BANDIT}, b = 4, π = (0.2, 0.1, 0.7)",
        rigorous_on_domain=True,
    )
    alpha, b = Symbol("alpha"), Symbol("b")
    proof.where = {b: Rational(4)}
    pushes = [
        as_rational(p) * (as_rational(reward) - b)
        for p, reward in zip(FIGURE_POLICY, REWARDS, strict=True)
    ]
    second = sum(as_rational(p) * push for p, push in zip(FIGURE_POLICY, pushes, strict=True))
    harmonic = 1 / sum(1 / (as_rational(reward) - b) for reward in REWARDS)
    rho = Symbol("rho")
    proof.signs = Signs(positive=(rho,))
    proof.note(
        "Let ρ be the largest π (r - b), of the second action, less the smallest, of the third.",
        equation(rho, pushes[1] - pushes[2]),
    )
    printed = 8 / rho**2 * (harmonic - second)
    proof.equal(
        "The paper's bound.",
        printed,
        as_rational(paper_bound()),
        given=[rho - pushes[1] + pushes[2]],
    )
    proof.note(
        "The step lowers the divergence exactly if Σ π e^(α π (r - b)) < e^(α κ), with κ = -6/11.",
        exp(alpha * as_rational(kappa(Fraction(4)))),
    )
    proof.attach(change(below, "<"), "At α = 4.6956 it does,", equation(alpha, as_rational(below)))
    proof.attach(
        change(above, ">"), "at α = 4.6958 it doesn't.", equation(alpha, as_rational(above))
    )
    proof.numbers.update(
        paper_bound=float(paper_bound()), one_step_threshold=[float(below), float(above)]
    )
    return proof.note(
        "The change is convex in α and zero at 0, so it falls for every stepsize up to 4.6956."
    )


def descent(alpha: Fraction, baseline: Fraction = Fraction(4), deepest: int = 12) -> SimplexDescent:
    """Cut the simplex until every triangle seems to show the descent in floats; the re-check
    decides, exactly.

    Floats only choose where to cut, and mistakes of theirs make the re-check fail, not pass. The
    tree is a string in preorder: "s" for a triangle that is split into quarters, "l" for one that
    is done.

    Args:
        alpha: the stepsize.
        baseline: b, above all rewards.
        deepest: how often a triangle may be split; one that isn't decided by then is left to the
            re-check, which will refuse it.
    """

    def grow(triangle: tuple[exponential_check.Point, ...], depth: int) -> str:
        if depth == deepest or _seems_lowered(triangle, alpha, baseline):
            return "l"
        return "s" + "".join(grow(part, depth + 1) for part in exponential_check.quarters(triangle))

    corners = tuple(tuple(Fraction(int(row == column)) for column in range(3)) for row in range(3))
    data = {
        "rewards": [str(one) for one in REWARDS],
        "baseline": str(baseline),
        "alpha": str(alpha),
        "tree": grow(corners, 0),
    }
    return SimplexDescent(data)


def _seems_lowered(
    triangle: tuple[exponential_check.Point, ...], alpha: Fraction, baseline: Fraction
) -> bool:
    terms = []
    for action, (reward, centre) in enumerate(zip(REWARDS, fixed_point(baseline), strict=True)):
        low, high, fixed = (
            float(min(p[action] for p in triangle)),
            float(max(p[action] for p in triangle)),
            float(centre),
        )
        distance = float(baseline - reward)
        # the checker rounds the argument down to a multiple of 1/64; a tree made for a finer one
        # would be refused
        y = math.floor(float(alpha) * distance * (low - fixed) * 64 - 1e-9) / 64
        psi = 0.5 if y == 0 else (math.expm1(-y) + y) / y**2
        bracket = float(alpha) * high * distance * psi * (1 + 1e-9) - 1
        far, near = max(abs(low - fixed), abs(high - fixed)), max(low - fixed, fixed - high, 0.0)
        terms.append((bracket, distance * bracket * (far if bracket > 0 else near) ** 2))
    return all(bracket < 0 for bracket, _ in terms) or sum(term for _, term in terms) < -1e-12


@derivation("three-arm-descent-whole-sweep", kind="certificate")
def whole_sweep() -> Proof:
    """α = 2, the largest stepsize of the sweep, descends on the whole simplex; smaller ones by
    convexity.

    Beyond the paper's line 819. α = 2 exceeds the general bound 11/6, so it takes the certificate.
    """
    tree = descent(Fraction(2))
    proof = Proof(
        "every expected step with 0 < α <= 2, the paper's whole sweep, lowers D_KL(π*‖π) at every"
        " policy but π*",
        f"{BANDIT}, b = 4, the closed simplex",
        rigorous_on_domain=True,
    )
    proof.note(
        "The general bound is Σ 1/(b - r) = 11/6, a little less than the largest stepsize of the"
        " sweep."
    )
    proof.note(
        "Ψ(y) = (e^-y - 1 + y)/y² falls, so on a triangle each term of Σ π e^x - 1 is bounded by"
        " its values at the ends."
    )
    proof.attach(
        tree,
        f"On each of {tree.data['tree'].count('l')} triangles that cover the simplex the sum is"
        " negative, but for π* itself, at α = 2.",
    )
    return proof.note(
        "The change of the divergence is convex in α and zero at α = 0; so it is negative for"
        " smaller stepsizes, too."
    )
