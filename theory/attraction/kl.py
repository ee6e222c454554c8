"""Theorem 1: how one expected step changes D_KL(π*‖π), in three parts.

1. An identity: the change is log Σ_c π_c e^(x_c) with x_c = π_c ζ_c - H and H = (Σ 1/ζ_c)⁻¹, ζ_c =
   α (r_c - b).
2. An identity: Σ_c π_c x_c = Σ_c ζ_c (π_c - π*_c)², which is zero at π* alone.
3. One inequality, e^y >= 1 + y, equality at y = 0 alone; it enters as a letter s_c = e^y - 1 - y
   that isn't negative.

All else is polynomial identities that hold for every number of actions.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Indexed, IndexedBase, Mul, Sum, exp, log, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import (
    OPTIMISTIC_DOMAIN,
    PESSIMISTIC_DOMAIN,
    grown_by,
)
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.expression_trees import Meaning
from altpg_verify.theory.proving.notation import (
    KL,
    SIMPLEX,
    E,
    a,
    alpha,
    b,
    c,
    equation,
    ghat_ALT,
    j,
    pi,
    pi_next,
    pi_star,
    r,
    theta,
    total,
    zeta,
)
from altpg_verify.theory.proving.proof import Proof, derivation

H, log_Z = symbols("H log_Z")
"""H = (Σ_c 1/ζ_c)⁻¹ and the logarithm of the norm Z = Σ_c π_c e^(π_c ζ_c)."""
Z = total(pi[c] * exp(pi[c] * zeta[c]))
HARMONIC = 1 / total(1 / zeta[c])
H_IS_HARMONIC = H * total(1 / zeta[j], j) - 1
"""Is zero."""
slack = IndexedBase("s")
"""e^y - 1 - y for the y that is spoken of, nonnegative, and zero only at y = 0."""
size = IndexedBase("z")
"""-ζ_a, positive, under an optimistic baseline."""
log_pi, log_star = map(IndexedBase, ("log_pi", "log_pi^*"))
ANY_STEP = "every k, every interior policy, every r, α > 0, b above or below all rewards"


def logarithm(argument: Expr) -> Expr:
    """log of a product of positive factors as a sum: log π_a, log π*_a and log Z are symbols, log
    e^u is u.

    Each factor must be a probability letter, an exponential or the sum Z; anything else raises,
    rather than to become a logarithm that the kernel can't read.
    """
    terms: list[Expr] = []
    for factor in Mul.make_args(argument):
        base, power = (factor, 1) if isinstance(factor, exp) else factor.as_base_exp()
        if isinstance(base, exp):
            terms.append(base.args[0])
        elif isinstance(base, Sum):
            terms.append(power * log_Z)
        else:
            terms.append(power * {pi: log_pi, pi_star: log_star}[base.base][base.indices[0]])
    return sum(terms)  # type: ignore[return-value]


def after_step(action: Any) -> Expr:
    """π_{t+1}(a) = π_a e^(π_a ζ_a) / Z.

    Eq. pi_{t+1}, line 775, with Z written as a sum.
    """
    return pi[action] * exp(pi[action] * zeta[action]) / Z


def divergence(target: IndexedBase, policy: IndexedBase) -> Expr:
    """D_KL = Σ_a target_a log(target_a / policy_a), with the next policy written out.

    In nats. Only ratios of probabilities occur in it, so `logarithm` can split every term.
    """
    return total(
        target[a] * log(target[a] / (after_step(a) if policy == pi_next else policy[a])), a
    )


DIVERGENCE: Meaning = {log: logarithm, KL: divergence, HARMONIC: H}
NAMED = {**DIVERGENCE, pi_star: lambda action: H / zeta[action]}
"""Logarithms as symbols, and π*_a = H/ζ_a."""


@derivation("preference-update-with-zeta")
def preference_update() -> Proof:
    """θ_a + α E[ĝ_ALT]_a = θ_a + π_a ζ_a.

    Appendix B.3, line 773. ζ holds the stepsize, so the theorem's α appears only there.
    """
    proof = Proof(
        "the expected step adds π(a) ζ(a) to the preference of a",
        ANY_STEP,
        where={**ON_POLICY, zeta: lambda action: alpha * (r[action] - b)},
    )
    return proof.equal(
        "The step is α times the alternate estimator's mean.",
        alpha * E(ghat_ALT[a]),
        pi[a] * zeta[a],
    )


@derivation("next-policy")
def next_policy() -> Proof:
    """softmax(θ + π ζ)_a = π_a e^(π_a ζ_a) / Σ_c π_c e^(π_c ζ_c).

    Eq. pi_{t+1}, line 775: the growth factors are positive letters y_c to the kernel.
    """
    growth = grown_by(lambda action: pi[action] * zeta[action])
    proof = Proof(
        "the next policy is π(a) e^(π(a) ζ(a)) over its sum",
        ANY_STEP,
        Signs(positive=(IndexedBase("y"),)),
        where={**SOFTMAX, **growth},
    )
    above = exp(theta[a] + pi[a] * zeta[a])
    below = total(exp(theta[j] + pi[j] * zeta[j]), j)
    return proof.equal("Divide above and below by Σ e^θ.", above / below, after_step(a))


@derivation("kl-first-line")
def kl_first_line() -> Proof:
    """D_KL(π*‖π') with the next policy written out.

    Appendix B.3, line 779: the definition of D_KL(π*‖π_{t+1}), in nats.
    """
    proof = Proof(
        "the divergence with the next policy written out",
        ANY_STEP + "; log(xy) = log x + log y, log e^u = u",
        where=DIVERGENCE,
    )
    inside = pi_star[a] / pi[a] * Z / exp(pi[a] * zeta[a])
    return proof.equal(
        "π*/π' is π*/π times Z over e^(π ζ).",
        KL(pi_star, pi_next),
        total(pi_star[a] * log(inside), a),
    )


@derivation("kl-second-line")
def kl_second_line() -> Proof:
    """The logarithm of the product, split.

    Appendix B.3, line 780; the sum over a of each term, before π*'s formula is used.
    """
    proof = Proof(
        "the three terms of the divergence",
        ANY_STEP + "; log(xy) = log x + log y, log e^u = u",
        where=DIVERGENCE,
    )
    first = total(pi_star[a] * log(pi_star[a] / pi[a]), a)
    right = first + total(pi_star[a] * log(Z), a) - total(pi_star[a] * pi[a] * zeta[a], a)
    return proof.equal("Split the logarithm.", KL(pi_star, pi_next), right)


@derivation("kl-relation")
def kl_relation() -> Proof:
    """D_KL(π*‖π') = D_KL(π*‖π) + log Z - (Σ 1/ζ)⁻¹.

    Eq. KL_relation, line 781: the theorem is now about the sign of log Z − H, where H = (Σ 1/ζ)⁻¹.
    """
    return divergence_change("the divergence changes by log Z - (Σ 1/ζ)⁻¹")


def divergence_change(summary: str, domain: str = ANY_STEP) -> Proof:
    """The proof of D_KL(π*‖π') - D_KL(π*‖π) = log Z - H.

    Shared by both halves of theorem 1; only Σ π* = 1 and π* ζ = H are used, so it holds for either
    sign.
    """
    proof = Proof(
        summary,
        domain + "; log(xy) = log x + log y, log e^u = u",
        Signs(nonzero=(H, zeta)),
        where=NAMED,
        given=[H_IS_HARMONIC, SIMPLEX],
    )
    proof.note("Write H = (Σ_c 1/ζ_c)⁻¹ and π*_a = H/ζ_a.", equation(pi_star[a], H / zeta[a]))
    proof.equal("π* sums to one, so log Z leaves its sum;", total(pi_star[a] * log(Z), a), log(Z))
    proof.equal("each π*_a ζ_a is H.", total(pi_star[a] * pi[a] * zeta[a], a), HARMONIC)
    return proof.equal(
        "So the divergence changes by", KL(pi_star, pi_next) - KL(pi_star, pi), log(Z) - HARMONIC
    )


t, T = symbols("t T")


def off_fixed_point(proof: Proof, distance: IndexedBase) -> list[Expr]:
    """Let π_a - π*_a = t not be zero for some action a; T is the other actions' part of Σ |ζ_c|
    (π_c - π*_c)².

    The zeros that define t and T, to be given to the kernel: with t ≠ 0 the sum of squares is
    positive.

    Args:
        proof: gets the note that introduces both letters.
        distance: the letter for |ζ_c|.
    """
    proof.note(
        "Let a be an action with t = π_a - π*_a not zero, and T >= 0 the other actions' part of Σ"
        " |ζ_c| (π_c - π*_c)².",
        equation(t, pi[a] - pi_star[a]),
    )
    square = distance[a] * (pi[a] - pi_star[a]) ** 2
    return [t - pi[a] + pi_star[a], T + square - total(distance[j] * (pi[j] - pi_star[j]) ** 2, j)]


PESSIMISTIC_SIGNS = Signs(positive=(zeta, pi, H), nonnegative=(T, slack), nonzero=(t,))


def first_order(exponent: Expr) -> Expr:
    """e^y as 1 + y + s_c, where y belongs to the action c.

    The slack s_c is a nonnegative letter, so e^y ≥ 1 + y is the sign of a letter to the kernel.
    """
    (action,) = {one.indices[0] for one in exponent.atoms(Indexed)}
    return 1 + exponent + slack[action]


TANGENT: Meaning = {exp: first_order}


@derivation("pessimistic-repels", kind="certificate")
def pessimistic_repels() -> Proof:
    """ζ > 0: Σ π e^x = 1 + Σ ζ (π - π*)² + Σ π s > 1 for every α > 0.

    Theorem 1, second half (thm. fixed_pt_biased_pg_attract_repulse, line 198). Shorter than the
    paper's way by Jensen and Cauchy-Schwarz: e^y ≥ 1 + y is taken at x_c itself.
    """
    proof = divergence_change(
        "with a pessimistic baseline every expected step, of any size, takes the policy away from"
        " π* in KL",
        PESSIMISTIC_DOMAIN,
    )
    proof.note(
        "Put x_c = π_c ζ_c - H, so that log Z - H = log Σ_c π_c e^(x_c). Now ζ_c > 0 and H > 0."
    )
    proof.signs = PESSIMISTIC_SIGNS
    proof.equal(
        "The mean of x is a sum of squares,",
        total(pi[c] * (pi[c] * zeta[c] - H)),
        total(zeta[c] * (pi[c] - pi_star[c]) ** 2),
    )
    givens = off_fixed_point(proof, zeta)
    proof.note("By the inequality e^y >= 1 + y let s_c = e^(x_c) - 1 - x_c, which isn't negative.")
    witness = zeta[a] * t**2 + T + total(pi[c] * slack[c])
    left = total(pi[c] * exp(pi[c] * zeta[c] - H))
    return proof.greater(
        "So the sum exceeds one, its logarithm zero: the divergence grows.",
        left,
        1,
        witness,
        given=givens,
        where=TANGENT,
    )


D, excess = map(IndexedBase, ("D", "v"))
"""D_c = 1 - x_c, and the positive part of 1/D_c - e^(x_c)."""


@derivation("optimistic-attracts", "optimistic-attracts-explicit-stepsize", kind="certificate")
def optimistic_attracts() -> Proof:
    """ζ < 0, α <= Σ 1/(b - r): Σ π e^x <= Σ π/(1 - x) = 1 - (1 - α|κ|) Σ x²/(|ζ| (1 - x)) <= 1,
    strict at the first sign.

    Theorem 1, first half, with a bound on α that is explicit and the same for all policies, where
    the paper only says that a small enough α exists for each policy. e^x ≤ 1/(1 − x) is e^y ≥ 1 + y
    at −x.
    """
    proof = divergence_change(
        "with an optimistic baseline every expected step with α <= Σ 1/(b - r) takes the policy"
        " closer to π* in KL",
        OPTIMISTIC_DOMAIN + ", 0 < α <= Σ 1/(b - r)",
    )
    u, w, W, S, y = symbols("u w W S y")
    proof.given = []
    proof.note(
        "Put x_c = π_c ζ_c - H, so that log Z - H = log Σ_c π_c e^(x_c). Now write z_c = -ζ_c = α"
        " (b - r_c) > 0 and u = 1 + H = 1 - α|κ|."
    )
    proof.signs = Signs(positive=(S, alpha), nonnegative=(w,))
    proof.note("With S = Σ 1/(b - r_c) and w = S - α >= 0,")
    proof.at_least("u isn't negative.", 1 - alpha / S, 0, w / S, given=[w - S + alpha])
    proof.signs = Signs(positive=(D, y, W, size), nonnegative=(u, excess, slack))
    proof.note(
        "So D_c = 1 - x_c = u + z_c π_c is positive. By e^y >= 1 + y at y = -x_c, e^(x_c) = 1/(D_c"
        " + s_c) with s_c >= 0."
    )
    proof.at_least(
        "Hence e^(x_c) <= 1/D_c.",
        1 / D[c],
        1 / (D[c] + slack[c]),
        slack[c] / (D[c] * (D[c] + slack[c])),
        where={},
    )
    proof.note(
        "It is an equality at x_c = 0 alone. As π isn't π*, W = Σ_c π_c (1/D_c - e^(x_c)) is"
        " positive."
    )
    meaning = {pi: lambda action: (D[action] - u) / size[action]}
    # Σ π = 1, and 1 - u = α|κ| = 1/Σ 1/z
    zeros = [SIMPLEX, (1 - u) * total(1 / size[j], j) - 1]
    squares = u * total((1 - D[c]) ** 2 / (size[c] * D[c]))
    proof.equal(
        "With π_c = (D_c - u)/z_c, Σ π = 1 and (1 - u) Σ 1/z = 1,",
        total(pi[c] / D[c]),
        1 - squares,
        given=zeros,
        where=meaning,
    )
    proof.greater(
        "So Σ π e^x is below one, its logarithm below zero: the divergence falls.",
        1,
        total(pi[c] / D[c]) - W,
        squares + W,
        given=zeros,
        where=meaning,
    )
    return proof
