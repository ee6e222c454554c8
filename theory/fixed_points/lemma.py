"""Policies that the biased expected update leaves alone: the lemma's three cases, π*, κ, and the
value at π*.
"""

from __future__ import annotations

from sympy import IndexedBase, Integer, Symbol, exp, log, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import (
    AT_FIXED_POINT,
    EITHER_SIDE,
    EVERY_BASELINE,
    GROWTH,
    KAPPA,
    OPTIMISTIC,
    OPTIMISTIC_DOMAIN,
    PESSIMISTIC,
    dist,
    fixed_point,
    gap,
    grown_by,
    growth,
    next_weight,
)
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    a,
    alpha,
    b,
    c,
    equation,
    eta,
    ghat_ALT,
    i,
    j,
    k,
    kappa,
    pi,
    pi_next,
    pi_star,
    r,
    r_pi,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

g = IndexedBase("g")
"""Any update of the preferences."""
NONZERO = Signs(nonzero=(gap, kappa))
each_equal = Given(pi[j] * (r[j] - b) - kappa, each=j, weight=1 / (r[j] - b))
"""π_j (r_j - b) = κ for every action j."""
each_zero = Given(pi[j] * (r[j] - b), each=j, weight=1 / (r[j] - b))
"""π_j (r_j - b) = 0 for every action j."""


@derivation("fixed-point-equation", "fixed-point-constant-gradient")
def fixed_point_equation() -> Proof:
    """The policy stays iff e^(α g_a) is the same number for every action."""
    M = Symbol("M")
    growing = total(exp(theta[j] + alpha * g[j]), j)
    after = exp(theta[a] + alpha * g[a]) / growing
    quotient = growing / total(exp(theta[j]), j)
    proof = Proof(
        "the policy stays exactly if g(a) = (1/α) log(Σ e^(θ + α g) / Σ e^θ) for every action: one"
        " number κ for all",
        "every k, θ, g and α > 0",
        Signs(positive=(growth,)),
        where={
            **SOFTMAX,
            **grown_by(lambda action: alpha * g[action]),
            M: quotient,
            pi_next: lambda action: after,
        },
    )
    proof.note(
        "Let π' be the next policy, and M the quotient of its norm and that of π.",
        equation(M, quotient),
    )
    proof.equal("M is the mean of e^(α g).", M, total(pi[c] * exp(alpha * g[c])))
    proof.equal(
        "The relative change of π_a.", (pi_next[a] - pi[a]) / pi_next[a], 1 - M / exp(alpha * g[a])
    )
    proof.note(
        "So π_a stays exactly if e^(α g_a) = M; taking logarithms,", equation(g[a], log(M) / alpha)
    )
    return proof.note("The right side doesn't depend on a: call it κ.", equation(g[a], kappa))


@derivation("fixed-point-equations-linear")
def equations_are_linear() -> Proof:
    """π_a (r_a - b) - κ keeps sums and multiples of (π, κ)."""
    s, t, other = symbols("s t kappa_2")
    proof = Proof(
        "k + 1 equations, each linear in the k + 1 variables π(a) and κ",
        "every k, r, b",
        where=ON_POLICY,
    )
    proof.equal("The expected update that has to be κ.", E(ghat_ALT[a]), pi[a] * (r[a] - b))
    proof.note(
        "Take s times one set of values (π, κ) and t times another one (η, κ₂): the left sides"
        " combine in the same way,"
    )
    mixed = (s * pi[a] + t * eta[a]) * (r[a] - b) - (s * kappa + t * other)
    proof.equal(
        "that of each action",
        mixed,
        s * (pi[a] * (r[a] - b) - kappa) + t * (eta[a] * (r[a] - b) - other),
    )
    return proof.equal(
        "and the sum of the probabilities.",
        total(s * pi[c] + t * eta[c]),
        s * total(pi[c]) + t * total(eta[c]),
    )


@derivation("lemma-case-1-never-zero")
def case_1_never_zero() -> Proof:
    """If no reward equals b, a zero update would make the probabilities sum to zero."""
    proof = Proof(
        "if no reward equals b, the expected update is zero at no policy",
        "every k, closed simplex, b between the rewards",
        NONZERO,
        where=EITHER_SIDE,
    )
    proof.equal("The expected update.", E(ghat_ALT[a]), pi[a] * (r[a] - b))
    proof.note("Suppose that all of its entries are zero, and divide each by r_a - b, which isn't.")
    proof.equal("Then the probabilities sum to zero,", total(pi[c]), 0, given=[each_zero])
    return proof.equal(
        "while they sum to one: a contradiction.",
        Integer(1),
        Integer(0),
        given=[each_zero, SIMPLEX],
    )


u, t = symbols("u t")
UP_AND_DOWN = [u - b + r[a], t - r[c] + b]
"""Are zero: u = b - r_a and t = r_c - b, both positive, for a reward below b and one above."""


def _case_1(summary: str, domain: str) -> Proof:
    proof = Proof(summary, domain, Signs(positive=(pi, u, t)), where=ON_POLICY, given=UP_AND_DOWN)
    proof.note(
        "Let u = b - r_a > 0 for a reward below the baseline and t = r_c - b > 0 for one above."
    )
    proof.greater("The update of a is negative,", 0, pi[a] * (r[a] - b), pi[a] * u)
    return proof.greater("that of c is positive.", pi[c] * (r[c] - b), 0, pi[c] * t)


@derivation("case-1-signs")
def case_1_signs() -> Proof:
    """π_n (r_n - b) < 0 < π_{n+1} (r_{n+1} - b)."""
    return _case_1(
        "the update of a reward below b is negative, of one above positive",
        "every k, interior policies, b between the rewards",
    )


@derivation("lemma-case-1-no-fixed-point")
def case_1_no_fixed_point() -> Proof:
    """The update isn't the same for all actions."""
    proof = _case_1(
        "with b between the rewards no interior policy is a fixed point",
        "every k, interior policies, b between the rewards",
    )
    witness = pi[c] * t + pi[a] * u
    proof.greater("So the two differ,", pi[c] * (r[c] - b), pi[a] * (r[a] - b), witness)
    return proof.note("while at a fixed point of the policy all are equal.")


@derivation("case-1-no-kappa")
def case_1_no_kappa() -> Proof:
    """Opposite signs make κ = 0, and then the probabilities sum to zero."""
    proof = Proof(
        "no κ solves the equations on the closed simplex",
        "every k, closed simplex, b between the rewards",
        Signs(positive=(u, t), nonnegative=(pi,), nonzero=(gap,)),
        where=ON_POLICY,
    )
    proof.note("Let u = b - r_a > 0 and t = r_c - b > 0, as before.")
    both = [pi[a] * (r[a] - b) - kappa, pi[c] * (r[c] - b) - kappa, *UP_AND_DOWN]
    proof.at_least(
        "κ is the update of a and of c, so its square isn't positive: κ is zero.",
        0,
        kappa**2,
        u * t * pi[a] * pi[c],
        given=both,
    )
    contradiction = [each_equal, kappa, SIMPLEX]
    return proof.equal(
        "With κ = 0 the probabilities sum to zero, not to one.",
        Integer(1),
        Integer(0),
        given=contradiction,
        where=EITHER_SIDE,
    )


@derivation("lemma-case-2-zero-on-face")
def case_2_zero_on_face() -> Proof:
    """Each action has probability zero or the reward b."""
    proof = Proof(
        "on the face of the actions with reward b the expected update is zero",
        "every k, r, b equal to a reward",
        where=ON_POLICY,
    )
    return proof.equal(
        "Each action has no probability or the reward b.",
        E(ghat_ALT[a]),
        0,
        given=[pi[a] * (r[a] - b)],
    )


@derivation("case-2-kappa-zero")
def case_2_kappa_zero() -> Proof:
    """κ = π_a (r_a - b) = 0 for the action with r_a = b."""
    proof = Proof("if a reward equals b then κ = 0", "every k, r, b equal to a reward")
    return proof.equal(
        "Take the equation of the action a with r_a = b.",
        kappa,
        0,
        given=[pi[a] * (r[a] - b) - kappa, r[a] - b],
    )


@derivation("case-2-face")
def case_2_face() -> Proof:
    """The solutions with κ = 0 are the policies on the face."""
    proof = Proof(
        "with κ = 0 the solutions are exactly the policies on the face of the actions with"
        " reward b",
        "every k, r, b equal to a reward",
        Signs(nonzero=(t,)),
    )
    zero = pi[a] * (r[a] - b) - kappa
    proof.equal(
        "With t = r_a - b not zero the equation gives a no probability.",
        pi[a],
        0,
        given=[zero, kappa, t - r[a] + b],
    )
    return proof.equal(
        "Conversely, on the face each equation holds.",
        pi[a] * (r[a] - b),
        kappa,
        given=[pi[a] * (r[a] - b), kappa],
    )


@derivation("case-3-policy-from-kappa")
def case_3_policy() -> Proof:
    """π_a = κ / (r_a - b)."""
    proof = Proof("π(a) = κ / (r(a) - b)", EVERY_BASELINE, NONZERO, where=EITHER_SIDE)
    return proof.equal(
        "Divide by r_a - b, which isn't zero.",
        pi[a],
        kappa / (r[a] - b),
        given=[pi[a] * (r[a] - b) - kappa],
    )


@derivation("kappa-formula")
def kappa_formula() -> Proof:
    """κ Σ 1/(r_a - b) = 1."""
    proof = Proof(
        "κ = (Σ 1/(r(a) - b))⁻¹",
        EVERY_BASELINE,
        NONZERO,
        where=EITHER_SIDE,
        given=[each_equal, SIMPLEX],
    )
    proof.equal("Sum π_a = κ/(r_a - b) over the actions.", total(kappa / (r[c] - b)), 1)
    return proof.equal(
        "All terms have one sign, so the sum isn't zero; κ is its inverse.",
        kappa * total(1 / (r[c] - b)),
        1,
    )


@derivation("fixed-point-formula", "pi-star-quoted-corrected")
def fixed_point_formula() -> Proof:
    """π_a = 1/(r_a - b) (Σ 1/(r_c - b))⁻¹."""
    proof = Proof(
        "π(a) = 1/(r(a) - b) (Σ 1/(r(c) - b))⁻¹, the only solution",
        EVERY_BASELINE,
        Signs(positive=(dist,)),
        where=EITHER_SIDE,
        given=[SIMPLEX],
    )
    proof.note("Eliminate κ from π_a = κ/(r_a - b) and κ Σ 1/(r_c - b) = 1.")
    for words, meaning in (
        ("Above all rewards,", OPTIMISTIC),
        ("and below all rewards.", PESSIMISTIC),
    ):
        zeros = [each_equal, pi[a] * (r[a] - b) - kappa]
        proof.equal(words, pi[a], fixed_point(a), given=zeros, where=meaning)
    return proof


@derivation("lemma-case-3-policy-fixed-point")
def case_3() -> Proof:
    """E[ĝ_ALT] = κ 1 exactly at π*, κ ≠ 0: the policy stays, the preferences all move by α κ."""
    proof = Proof(
        "the expected update is κ 1 with κ ≠ 0 exactly at π*: the policy stays and every preference"
        " moves by ακ",
        EVERY_BASELINE,
        NONZERO,
        where={**EITHER_SIDE, pi_star: lambda action: kappa / (r[action] - b)},
    )
    proof.note("Let κ = (Σ 1/(r_c - b))⁻¹, a sum of terms of one sign, and π*_a = κ/(r_a - b).")
    proof.equal("π* is a probability vector.", total(pi_star[c]), 1, given=[KAPPA])
    proof.equal(
        "There every entry of the expected update is κ.",
        E(ghat_ALT[a]),
        kappa,
        given=[pi[a] - pi_star[a]],
    )
    s = Symbol("s")
    proof.equal(
        "κ isn't zero, for it has an inverse s.",
        kappa * s,
        1,
        given=[KAPPA, s - total(1 / (r[j] - b), j)],
    )
    y = Symbol("y")
    proof.signs = Signs(nonzero=(gap, kappa), positive=(pi, y))
    stays = pi[a] * y / total(pi[j] * y, j)
    proof.equal(
        "Adding the same number to every preference, y = e^(ακ), leaves the policy alone.",
        stays,
        pi[a],
        given=[SIMPLEX],
    )
    proof.note("Conversely let all entries be one number κ'.")
    other = Symbol("kappa'")
    each_other = Given(pi[j] * (r[j] - b) - other, each=j, weight=kappa / (r[j] - b))
    proof.equal(
        "Divided by r_j - b and summed, they make κ' = κ.",
        other,
        kappa,
        given=[each_other, SIMPLEX, KAPPA],
    )
    return proof.equal(
        "Then π is π*.", pi[a], pi_star[a], given=[pi[a] * (r[a] - b) - other, other - kappa]
    )


@derivation("pi-star-inside-simplex")
def inside() -> Proof:
    """Every π*_a is positive, and they sum to one."""
    proof = Proof(
        "π* is a probability vector with positive entries",
        EVERY_BASELINE,
        Signs(positive=(dist,)),
        where=AT_FIXED_POINT,
    )
    weight = (1 / dist[a]) / total(1 / dist[i], i)
    for words, meaning in (("Above all rewards", OPTIMISTIC), ("Below all rewards", PESSIMISTIC)):
        both = {**meaning, **AT_FIXED_POINT}
        proof.greater(
            f"{words} both factors have one sign, so each entry is positive,",
            pi_star[a],
            0,
            weight,
            where=both,
        )
        proof.equal("and the entries sum to one.", total(pi_star[c]), 1, where=both)
    return proof


@derivation("value-at-pi-star-harmonic")
def value() -> Proof:
    """J(π*) = b - k (Σ 1/(b - r_a))⁻¹."""
    meaning = {**OPTIMISTIC, **AT_FIXED_POINT, pi: fixed_point}
    proof = Proof(
        "the value at π* is b less the harmonic mean of b - r",
        OPTIMISTIC_DOMAIN,
        Signs(positive=(dist,)),
        where=meaning,
    )
    proof.equal(
        "Each π*_a (r_a - b) is κ, so their sum is k κ.",
        total(pi_star[c] * (r[c] - b)),
        k / total(1 / (r[i] - b), i),
    )
    return proof.equal(
        "That sum is the value less b.", total(pi_star[c] * r[c]), b - k / total(1 / (b - r[i]), i)
    )


@derivation("corners-fixed-on-closed-simplex")
def corners_fixed() -> Proof:
    """At π = e_c the next policy is e_c."""
    proof = Proof(
        "every corner is a fixed point of the policy map on the closed simplex, whatever b",
        "every k, r, b, α",
        where={**ON_POLICY, **GROWTH},
        given=[total(pi[j] * growth[j], j) - growth[c]],
    )
    proof.note("At the corner of c the mean of e^(α π (r - b)) is its value at c.")
    proof.equal(
        "So the weight of c is the whole norm: c keeps probability one.",
        next_weight(c),
        total(next_weight(j), j),
        given=[pi[c] - 1],
    )
    return proof.equal("Any other action's weight stays at zero.", next_weight(a), 0, given=[pi[a]])


@derivation("footnote-true-gradient-component-corrected")
def footnote_component() -> Proof:
    """For the true gradient g_a = π_a (r_a - r_π)."""
    proof = Proof(
        "the true gradient's entry, which a fixed point makes κ, is π(a) (r(a) - r_π)",
        EVERY_BANDIT,
        where=SOFTMAX,
    )
    proof.equal("The entry of ∇J.", Partial(r_pi, theta[a]), pi[a] * (r[a] - r_pi))
    return proof.equal(
        "It is κ at a fixed point of the policy.",
        pi[a] * (r[a] - r_pi),
        kappa,
        given=[Partial(r_pi, theta[a]) - kappa],
    )


@derivation("footnote-true-kappa-zero")
def footnote_kappa() -> Proof:
    """Σ_a π_a (r_a - r_π) = 0 = k κ."""
    proof = Proof("for the true gradient κ is zero", EVERY_BANDIT, where=ON_POLICY, given=[SIMPLEX])
    proof.equal("The entries of ∇J sum to zero.", total(pi[c] * (r[c] - r_pi)), 0)
    each = Given(pi[j] * (r[j] - r_pi) - kappa, each=j)
    return proof.equal("If each of them is κ, so is zero divided by k.", kappa, 0, given=[each])
