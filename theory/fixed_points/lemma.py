"""Policies that the biased expected update leaves alone: the lemma's three cases, π*, κ, and the
value at π*.
"""

from __future__ import annotations

from sympy import IndexedBase, Integer, Symbol, exp, log, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import (
    EITHER_SIDE,
    GROWTH,
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
    j,
    kappa,
    pi,
    pi_next,
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
    """The policy stays iff e^(α g_a) is the same number for every action.

    Appendix B.3, lines 716 and 718: a softmax policy doesn't see a common shift, so a fixed point
    of the policy needs g = κ 1 and not g = 0.
    """
    M = Symbol("M")
    growing = total(exp(theta[j] + alpha * g[j]), j)
    # the softmax of the moved preferences
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
    """π_a (r_a - b) - κ keeps sums and multiples of (π, κ).

    Eq. bised_pg_fixed_pt_eqn, line 720. With b fixed; for b = r_π they would be quadratic.
    """
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
    """If no reward equals b, a zero update would make the probabilities sum to zero.

    Lemma 2.1, case 1 (thm. fixed_pt_biased_pg, line 194): the contradiction 0 = 1 is derived from
    the supposed equations, with each divided by r_j − b, which isn't zero.
    """
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
    """π_n (r_n - b) < 0 < π_{n+1} (r_{n+1} - b).

    Appendix B.3, line 729; n and n + 1 are the actions whose rewards enclose b when sorted.
    """
    return _case_1(
        "the update of a reward below b is negative, of one above positive",
        "every k, interior policies, b between the rewards",
    )


@derivation("lemma-case-1-no-fixed-point")
def case_1_no_fixed_point() -> Proof:
    """The update isn't the same for all actions.

    Lemma 2.1, case 1, for the policy and not the preferences: in the interior both signs occur.
    """
    proof = _case_1(
        "with b between the rewards no interior policy is a fixed point",
        "every k, interior policies, b between the rewards",
    )
    witness = pi[c] * t + pi[a] * u
    proof.greater("So the two differ,", pi[c] * (r[c] - b), pi[a] * (r[a] - b), witness)
    return proof.note("while at a fixed point of the policy all are equal.")


@derivation("case-1-no-kappa")
def case_1_no_kappa() -> Proof:
    """Opposite signs make κ = 0, and then the probabilities sum to zero.

    Appendix B.3, line 731, on the closed simplex, where the signs aren't strict: κ ≤ 0 by one
    action and κ ≥ 0 by the other.
    """
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
    # from these three zeros follows 1 = 0
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
    """Each action has probability zero or the reward b.

    Lemma 2.1, case 2: a whole face of zeros if several actions have the reward b, a corner if one
    has.
    """
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
    """κ = π_a (r_a - b) = 0 for the action with r_a = b.

    Appendix B.3, line 735: one equation alone decides κ.
    """
    proof = Proof("if a reward equals b then κ = 0", "every k, r, b equal to a reward")
    return proof.equal(
        "Take the equation of the action a with r_a = b.",
        kappa,
        0,
        given=[pi[a] * (r[a] - b) - kappa, r[a] - b],
    )


@derivation("case-2-face")
def case_2_face() -> Proof:
    """The solutions with κ = 0 are the policies on the face.

    Eq. fixed_pt_biased_pg_set1, line 737: both directions, action by action.
    """
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


@derivation("corners-fixed-on-closed-simplex")
def corners_fixed() -> Proof:
    """At π = e_c the next policy is e_c.

    Beyond the paper's line 711, which speaks of softmax policies: on the closed simplex the map has
    its corners as fixed points for every b, as a probability of zero stays zero.
    """
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
    """For the true gradient g_a = π_a (r_a - r_π).

    The footnote of line 749, corrected: the source writes b, where the true gradient has r_π.
    """
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
    """Σ_a π_a (r_a - r_π) = 0 = k κ.

    The footnote's line 751: so for the true gradient a fixed point of the policy is one of the
    preferences.
    """
    proof = Proof("for the true gradient κ is zero", EVERY_BANDIT, where=ON_POLICY, given=[SIMPLEX])
    proof.equal("The entries of ∇J sum to zero.", total(pi[c] * (r[c] - r_pi)), 0)
    each = Given(pi[j] * (r[j] - r_pi) - kappa, each=j)
    return proof.equal("If each of them is κ, so is zero divided by k.", kappa, 0, given=[each])
