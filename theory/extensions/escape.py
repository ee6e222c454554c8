"""How long it takes to leave a corner: envelopes in closed form for the biased update, an exact
time for the true gradient with two arms.

Gradient flow stands for many small steps. With p = π_c and l = log(p/(1 - p)), from l₀ down to l₁;
d = b - r, d' the largest other d.
"""

from __future__ import annotations

from sympy import exp, symbols

from altpg_verify.theory.attraction.remarks import (
    FLOW,
    biased_update_is_fast,
    g,
    logit_speed,
    q,
    q_is,
)
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC_DOMAIN
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import SIMPLEX, Partial, a, b, c, h, j, pi, r, total
from altpg_verify.theory.proving.proof import Proof, derivation

d_c, most, denominator, D, others = symbols("P Q den D others")
"""d_c, d' and d_c e^l - d', positive. (The symbols P and Q are constants for derivatives.)"""


@derivation("escape-time-alternate-envelopes")
def alternate_envelopes() -> Proof:
    """The bounds on dl/dt integrated exactly: ∫ (1 + e^l)/(d_c e^l - d') dl and ∫ (1 + e^-l)/d_c
    dl.

    Times are those of the flow: steps times the stepsize. Both envelopes have the leading term
    (l₀ − l₁)/d_c, so they pin the time down for a large gap.
    """
    proof = Proof(
        "the biased update leaves a corner in a time between (l₀ - l₁ + e^-l₁ - e^-l₀)/d_c and (l₁"
        " - l₀)/d' + (1/d_c + 1/d') log((d_c e^l₀ - d')/(d_c e^l₁ - d')): linear in the logit gap,"
        " about gap/(b - r(c)). For training: an optimistic baseline makes a saturated start cost"
        " steps in proportion to the gap, no more",
        f"{OPTIMISTIC_DOMAIN}, e^l₁ > d'/d_c; {FLOW}",
    )
    proof.include(biased_update_is_fast.proof())
    proof.note("So -dl/dt >= d_c p - d' (1 - p); write e^l = p/(1 - p), P for d_c and Q for d'.")
    proof.signs = Signs(positive=(d_c, most, denominator))
    den_is = [denominator - d_c * exp(h) + most]
    slope = Partial(d_c * exp(h) - most, h) / denominator
    proof.note("The time per l is at most (1 + e^l)/(d_c e^l - d'):")
    # p and 1 - p at the logit h
    weights = exp(h) / (1 + exp(h)), 1 / (1 + exp(h))
    proof.equal(
        "for e^l = p/(1 - p).",
        (d_c * weights[0] - most * weights[1]) * (1 + exp(h)),
        d_c * exp(h) - most,
    )
    proof.note("F(l) = -l/d' + (1/d_c + 1/d') log(d_c e^l - d') has this slope:")
    integrand = (1 + exp(h)) / denominator
    proof.equal(
        "the upper envelope.", -1 / most + (1 / d_c + 1 / most) * slope, integrand, given=den_is
    )
    proof.note("The other actions only push l up. So -dl/dt <= d_c p:")
    proof.signs = Signs(positive=(pi, q), nonnegative=(others,))
    pushes = {g: lambda action: pi[action] * (r[action] - b)}
    whole = total(pi[j] ** 2 * (b - r[j]), j) - pi[c] ** 2 * (b - r[c])
    proof.at_least(
        "with others = Σ_{j≠c} π_j² (b - r_j) >= 0,",
        logit_speed(),
        -pi[c] * (b - r[c]),
        others / q,
        given=[q_is, SIMPLEX, others - whole],
        where=pushes,
    )
    proof.signs = Signs(positive=(d_c,))
    proof.equal(
        "The time per l is at least 1/(d_c p),", 1 / (d_c * weights[0]), (1 + exp(-h)) / d_c
    )
    return proof.equal(
        "the slope of (l - e^-l)/d_c: the lower envelope.",
        (1 - Partial(exp(-h), h)) / d_c,
        (1 + exp(-h)) / d_c,
    )


@derivation("escape-time-gradient-two-arms")
def gradient_two_arms() -> Proof:
    """k = 2: dl/dt = -2 D p (1 - p), so l + sinh l falls at the speed D.

    The flow can be integrated in closed form for two arms; sinh l₀ is about e^l₀/2.
    """
    proof = Proof(
        "with two arms the true gradient needs exactly (l₀ + sinh l₀)/D from the logit l₀ to even"
        " odds, D the gap of the rewards: exponential in the gap. For training: without optimism,"
        " no stepsize makes a badly saturated start recover in reasonable time",
        f"k = 2, every r(1) < r(2), D = r(2) - r(1), every l₀ > 0; {FLOW}",
        Signs(positive=(D,)),
    )
    one, two = pi[a], pi[c]
    value = one * r[a] + two * r[c]
    # of θ_a - θ_c, the logit for two arms
    speed = one * (r[a] - value) - two * (r[c] - value)
    proof.equal(
        "Let a be the worse arm; its logit moves with",
        speed,
        -2 * D * one * two,
        given=[one + two - 1, D - r[c] + r[a]],
    )
    # sinh, written out
    hyperbolic = (exp(h) - exp(-h)) / 2
    proof.equal("sinh has the slope cosh.", Partial(hyperbolic, h), (exp(h) + exp(-h)) / 2)
    probabilities = exp(h) / (1 + exp(h)) * (1 / (1 + exp(h)))
    proof.note("With π_a = e^l/(1 + e^l), l + sinh l falls at the speed (1 + cosh l) 2 D π_a π_c,")
    proof.equal("a constant:", (1 + (exp(h) + exp(-h)) / 2) * 2 * D * probabilities, D)
    return proof.equal("At l = 0, where e^l = 1, sinh is zero.", hyperbolic, 0, given=[exp(h) - 1])
