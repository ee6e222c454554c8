"""Is an expected update the gradient of a function? Its curl ∂f_a/∂θ_c - ∂f_c/∂θ_a tells, in θ and
modulo the shift of all θ.
"""

from __future__ import annotations

from sympy import Expr, Function, IndexedBase, Symbol, exp, log, symbols

from altpg_verify.theory.gradients.gradient import EVERY_SOFTMAX
from altpg_verify.theory.proving.calculus import SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    E,
    Partial,
    a,
    alpha,
    b,
    c,
    d,
    equation,
    g_ALT,
    ghat_ALT,
    j,
    pi,
    r,
    r_pi,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

BASELINE = EVERY_SOFTMAX + ", every baseline b"
CURL = pi[a] * pi[c] * (r[c] - r[a])


def update(action: Symbol) -> Expr:
    """Entry of the biased update π ∘ (r - b 1).

    (k,) the expectation of the alternate estimator with the baseline b, at a softmax policy.
    """
    return pi[action] * (r[action] - b)


@derivation("mixed-partials-of-biased-update")
def mixed_partials() -> Proof:
    """∂[π_a (r_a - b)]/∂θ_c = π_a (1{a = c} - π_c) (r_a - b).

    Appendix B.3, line 699: the Jacobian of the expected update, with b fixed.
    """
    proof = Proof(
        "the derivative of the biased update is π(a) (1{a = c} - π(c)) (r(a) - b)",
        BASELINE,
        where=SOFTMAX,
    )
    proof.equal("The biased update is the alternate estimator's mean.", E(ghat_ALT[a]), update(a))
    proof.equal(
        "Its derivative for another action,",
        Partial(update(a), theta[c]),
        -pi[a] * pi[c] * (r[a] - b),
    )
    return proof.equal(
        "and for the same one.", Partial(update(a), theta[a]), pi[a] * (1 - pi[a]) * (r[a] - b)
    )


def curl_proof(summary: str) -> Proof:
    """The curl of the biased update, and that it isn't zero if two rewards differ.

    The two orders of differentiation differ by `CURL`, π_a π_c (r_c − r_a): b cancels, so that no
    choice of baseline makes the update a gradient in θ.
    """
    t = Symbol("t")
    proof = Proof(summary, BASELINE, Signs(nonzero=(t,)), where=SOFTMAX)
    difference = Partial(update(a), theta[c]) - Partial(update(c), theta[a])
    proof.equal("The two mixed derivatives differ by", difference, CURL)
    proof.note("With t = r_c - r_a not zero,", equation(t, r[c] - r[a]))
    return proof.greater(
        "the square of that is positive.",
        CURL**2,
        0,
        (pi[a] * pi[c] * t) ** 2,
        given=[t - r[c] + r[a]],
    )


@derivation("mixed-partials-disagree-corrected")
def partials_disagree() -> Proof:
    """The curl is π_a π_c (r_c - r_a).

    Appendix B.3, line 699, corrected: they agree for actions of equal reward.
    """
    return curl_proof(
        "the mixed derivatives of the biased update differ by π(a) π(c) (r(c) - r(a)): exactly if"
        " the two rewards do"
    )


@derivation("biased-update-not-a-gradient-corrected", "biased-update-no-potential-corrected")
def no_potential() -> Proof:
    """A gradient has a symmetric derivative, and this one hasn't.

    Section 3, line 189, and appendix B.3, line 694, corrected by the case of equal rewards, where
    (r − b) log Σ e^θ is a potential. Schwarz's theorem is the one fact used from outside.
    """
    proof = curl_proof(
        "if two rewards differ, the biased update is the gradient of no function; if all are equal,"
        " it is one"
    )
    proof.note(
        "The second derivatives of a function are symmetric, for the update is smooth; so with two"
        " different rewards there is none."
    )
    potential = (r[a] - b) * log(total(exp(theta[j]), j))
    proof.note("If all rewards are equal there is one.", potential)
    derivative = (r[a] - b) * Partial(total(exp(theta[j]), j), theta[a]) / total(exp(theta[j]), j)
    return proof.equal(
        "Its derivative, by the chain rule for the logarithm.", derivative, update(a)
    )


@derivation("true-gradient-hessian")
def hessian() -> Proof:
    """∂²J/∂θ_c∂θ_a = -π_a π_c (r_a + r_c - 2 r_π) + π_a 1{a = c} (r_a - r_π).

    Appendix B.3, line 702: second derivatives of J, (k, k), computed by the kernel from e^θ_a / Σ
    e^θ_j.
    """
    proof = Proof(
        "the Hessian of J is -π(a) π(c) [r(a) + r(c) - 2 r_π] + π(a) 1{a = c} [r(a) - r_π]",
        EVERY_SOFTMAX,
        where=SOFTMAX,
    )
    proof.equal(
        "Differentiate π_a (r_a - r_π) for another action,",
        Partial(Partial(r_pi, theta[a]), theta[c]),
        -pi[a] * pi[c] * (r[a] + r[c] - 2 * r_pi),
    )
    diagonal = -pi[a] * pi[a] * (r[a] + r[a] - 2 * r_pi) + pi[a] * (r[a] - r_pi)
    return proof.equal(
        "and for the same one.", Partial(Partial(r_pi, theta[a]), theta[a]), diagonal
    )


@derivation("true-gradient-hessian-symmetric")
def hessian_symmetric() -> Proof:
    """∂²J/∂θ_c∂θ_a = ∂²J/∂θ_a∂θ_c.

    Appendix B.3, line 702: the check that the same test finds nothing wrong with a true gradient.
    """
    proof = Proof(
        "the Hessian of J is symmetric: the true gradient is conservative",
        EVERY_SOFTMAX,
        where=SOFTMAX,
    )
    return proof.equal(
        "The two mixed derivatives agree.",
        Partial(E(g_ALT[a]), theta[c]),
        Partial(E(g_ALT[c]), theta[a]),
    )


curl = Function("curl")
added = IndexedBase("f")
"""∂f/∂θ_a."""


def shifted_curl(action: Symbol, other: Symbol) -> Expr:
    """∂(update of a + f)/∂θ_c - ∂(update of c + f)/∂θ_a.

    The curl after adding f(θ) 1, a common shift of all preferences, which no softmax policy sees.
    """
    return (
        Partial(update(action), theta[other])
        + added[other]
        - Partial(update(other), theta[action])
        - added[action]
    )


@derivation("biased-update-modulo-shift")
def modulo_shift() -> Proof:
    """Around three actions the curls sum to p q (r_c - r_a) at π_a = π_c = p, π_d = p - q, whatever
    is added along 1.

    Beyond the paper's line 694: a shift of all preferences moves no policy, so it might repair the
    update. Three actions are needed, as with two the shift has enough freedom: there the update is
    always a gradient modulo it.
    """
    p, q, t = symbols("p q t")
    proof = Proof(
        "with three or more actions and two different rewards the biased update is no gradient even"
        " if any f(θ) 1 is added to it",
        BASELINE + ", k >= 3; r(c) ≠ r(a), d a third action, f any smooth function",
        where=SOFTMAX,
    )
    proof.note(
        "Adding f(θ) to all preferences moves no policy. Write f_a = ∂f/∂θ_a and",
        equation(curl(a, c), shifted_curl(a, c)),
    )
    # the shift f 1 adds f_c - f_a to the curl of (a, c): around a loop that sums to zero
    around = [(a, c), (c, d), (d, a)]
    loop = sum(pi[one] * pi[other] * (r[other] - r[one]) for one, other in around)
    curls = sum(curl(one, other) for one, other in around)
    proof.equal(
        "In the sum of the curls around three actions f cancels.",
        curls,
        loop,
        where={curl: shifted_curl},
    )
    proof.note(
        "For a gradient the sum is zero everywhere. Take π_a = π_c = p and π_d = p - q with q not"
        " zero; t = r_c - r_a isn't, either."
    )
    proof.where, proof.signs = {}, Signs(positive=(p,), nonzero=(t, q))
    givens = [pi[a] - p, pi[c] - p, pi[d] - p + q, t - r[c] + r[a]]
    proof.equal("With π_d = p - q the sum is there", loop, p * q * t, given=givens)
    return proof.greater("and that isn't zero.", (p * q * t) ** 2, 0, (p * q * t) ** 2)


@derivation("biased-update-mirror-potential")
def mirror_potential() -> Proof:
    """∂/∂π_a of ½ Σ (r_c - b) π_c² is π_a (r_a - b).

    Beyond the paper's line 694: no gradient in θ, but one in π. The step is then mirror ascent with
    the negative entropy, whose maximum or minimum over the simplex is π*, by the sign of r − b.
    """
    eps = Symbol("epsilon")
    proof = Proof(
        "the biased update is the gradient, in π, of ½ Σ (r(a) - b) π(a)²: exponentiated gradient"
        " ascent on it",
        BASELINE,
    )
    potential = total((r[j] - b) * pi[j] ** 2, j) / 2
    # only the term of a changes
    moved = potential - (r[a] - b) * pi[a] ** 2 / 2 + (r[a] - b) * (pi[a] + eps) ** 2 / 2
    proof.equal(
        "∂V/∂π_a is the update: up to o(ε), the potential V at π_a + ε is",
        moved,
        potential + eps * update(a),
        given=[eps**2],
    )
    return proof.note(
        "The step multiplies π_a by e^(α ∂V/∂π_a): exponentiated gradient ascent.",
        exp(alpha * update(a)),
    )
