"""The paper's three-armed examples, from the estimators' definitions: a policy at the corner of an
action whose reward is zero.

The lines hold for every number of actions and every such corner c; the examples are k = 3, c = a_0,
r = (0, 0, 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, IndexedBase, Rational, Symbol, exp, symbols

from altpg_verify.theory.attraction.remarks import biased_update_is_fast
from altpg_verify.theory.proving.calculus import ESTIMATES, ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.indicators import delta_c, indicating
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    R,
    a,
    alpha,
    b,
    c,
    e,
    g_ALT,
    g_REG,
    ghat_ALT,
    ghat_REG,
    j,
    k,
    pi,
    r,
    r_pi,
    softmax,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

CORNER = (
    "every k, every r with r(c) = 0, the policy at the corner of c, every noise; the example is c"
    " = a_0"
)
noise, delta, slack = symbols("noise delta slack")
at_corner = Given(pi[j] * (r[j] - r[c]), each=j)
"""Every action has probability zero or is c, hence has its reward."""
VALUE: Sequence[Any] = (SIMPLEX, at_corner, r[c])
"""What makes r_π zero: the corner, and r(c) = 0."""
REWARD = R - r[c] - noise
"""Is zero: the sampled reward is the mean reward of c and the noise."""


def _corner_proof(summary: str) -> Proof:
    return Proof(summary, CORNER, where=ON_POLICY)


@derivation("example-true-value-zero")
def true_value_zero() -> Proof:
    """r_π = r_c = 0.

    Example saturated_pg, line 159: the policy takes action c alone, whose reward is zero.
    """
    proof = _corner_proof("the value at the corner of an action without reward is zero")
    proof.equal(
        "The value is the reward of the one action that is taken,",
        r_pi,
        r[c],
        given=[SIMPLEX, at_corner],
    )
    return proof.equal("which is zero.", r_pi, 0, given=VALUE)


@derivation("example-advantage-is-noise")
def advantage_is_noise() -> Proof:
    """R - r_π = r_c + noise - r_c.

    Example saturated_pg, line 159: what either estimator has to learn from is noise alone.
    """
    proof = _corner_proof("R - r_π is the noise")
    return proof.equal(
        "The reward less the value, as r_π is zero.", R - r_pi, noise, given=[REWARD, *VALUE]
    )


@derivation("example-always-first-action")
def always_first_action() -> Proof:
    """No other action has any probability, and no step changes that.

    Example saturated_pg, line 159. An exact corner is an invariant of every multiplicative update;
    a softmax policy only comes near it.
    """
    y = IndexedBase("y")
    proof = Proof(
        "at a corner the same action is taken at every step",
        CORNER,
        Signs(positive=(y,)),
        where=indicating({delta_c: c}),
    )
    proof.equal(
        "The others have probability zero together, and none is negative.",
        total(pi[j], j) - pi[c],
        0,
        given=[SIMPLEX, pi[c] - 1],
    )
    proof.note(
        "A step multiplies each probability by a positive factor y and divides by the sum; at the"
        " corner π_j = δ^c_j."
    )
    return proof.equal(
        "So the policy stays there, and c is taken again.",
        y[c] / total(delta_c[j] * y[j], j),
        1,
        given=[],
    )


def _entries(proof: Proof, own: Expr, other: Expr, value: Expr | int) -> Proof:
    """Entry c, whose indicator and probability are one, and entry a, for which both are zero."""
    proof.equal("In entry c, e_c = 1 and π_c = 1;", own, value, given=[e[c] - 1, pi[c] - 1])
    return proof.equal("in any other, e_a = 0 and π_a = 0.", other, 0, given=[e[a], pi[a]])


@derivation("example-regular-is-zero")
def regular_is_zero() -> Proof:
    """(R - r_π)(e_A - π) = noise (e_c - e_c).

    Example saturated_pg, line 162: the factor e_A − π is zero, so noise of any size is multiplied
    by it.
    """
    proof = _corner_proof("the regular estimate is the zero vector whatever the noise is")
    proof.equal("With r_π = 0 it is", g_REG[a], noise * (e[a] - pi[a]), given=[REWARD, *VALUE])
    return _entries(proof, g_REG[c], g_REG[a], 0)


@derivation("example-alternate-is-noise")
def alternate_is_noise() -> Proof:
    """(R - r_π) e_A = noise e_c.

    Example saturated_pg, line 163: noise moves θ_c up or down at random, and down is the way out.
    """
    proof = _corner_proof(
        "the alternate estimate is the noise in the entry of the action taken, and zero elsewhere"
    )
    proof.equal("With r_π = 0 it is", g_ALT[a], noise * e[a], given=[REWARD, *VALUE])
    proof.equal("In entry c, e_c = 1;", g_ALT[c], noise, given=[e[c] - 1, REWARD, *VALUE])
    return proof.equal("in any other, e_a = 0.", g_ALT[a], 0, given=[e[a]])


@derivation("optimistic-example-gradient-zero")
def gradient_zero() -> Proof:
    """π_a (r_a - r_π) = 0.

    Example saturated_pg_opti (appendix B.4), line 836: the true gradient tells nothing at the
    corner, with any baseline.
    """
    proof = _corner_proof("every entry of π ∘ (r - r_π 1) is zero at the corner")
    proof.equal("The entries of ∇J.", Partial(r_pi, theta[a]), pi[a] * (r[a] - r_pi), where=SOFTMAX)
    proof.equal("With r_π = 0 they are π_a r_a.", pi[a] * (r[a] - r_pi), pi[a] * r[a], given=VALUE)
    proof.equal("The entry of c has the reward zero,", pi[c] * (r[c] - r_pi), 0, given=VALUE)
    return proof.equal("any other the probability zero.", pi[a] * (r[a] - r_pi), 0, given=[pi[a]])


BASELINE: Sequence[Any] = (REWARD, r[c], b - delta)


@derivation("optimistic-example-regular-zero")
def optimistic_regular_zero() -> Proof:
    """(R - b)(e_A - π) = (noise - δ)(e_c - e_c).

    Example saturated_pg_opti, line 837: optimism doesn't help the regular estimator, for which the
    baseline is multiplied by zero as well.
    """
    proof = _corner_proof(
        "the regular estimate is the zero vector for every baseline δ and every noise"
    )
    proof.equal("With b = δ it is", ghat_REG[a], (noise - delta) * (e[a] - pi[a]), given=BASELINE)
    return _entries(proof, ghat_REG[c], ghat_REG[a], 0)


@derivation("optimistic-example-alternate")
def optimistic_alternate() -> Proof:
    """(R - b) e_A = (noise - δ) e_c.

    Example saturated_pg_opti, line 838: for δ above the noise the entry is negative at every draw,
    so θ_c falls for certain.
    """
    proof = _corner_proof(
        "the alternate estimate is the noise less δ in the entry of the action taken, and zero"
        " elsewhere"
    )
    proof.equal("With b = δ it is", ghat_ALT[a], (noise - delta) * e[a], given=BASELINE)
    proof.equal("In entry c, e_c = 1;", ghat_ALT[c], noise - delta, given=[e[c] - 1, *BASELINE])
    return proof.equal("in any other, e_a = 0.", ghat_ALT[a], 0, given=[e[a]])


@derivation("baseline-signal-escapes")
def signal_escapes() -> Proof:
    """Each draw of c lowers θ_c by α (δ - noise) at every policy: n of them by n α (δ - s).

    Appendix B.4, line 841. A bound on the number of draws, on every path, as the noise is bounded
    by s < δ; then the gradient flow in the mean (`biased_update_is_fast`), whose time is
    proportional to M, where the true gradient's is exponential.
    """
    n, most, start, fallen, room = symbols("n s M d room")
    proof = Proof(
        "from preferences (M, 0, 0) another action is drawn within n > M/(α (δ - s)) draws, or the"
        " saturated action is no longer the likeliest one: for noise of at most s < δ, on every"
        " path; and the expected flow leaves in a time proportional to M",
        "r = (0, 0, 1), c an action of reward zero; b = δ is held fixed, the noise is at most s <"
        " δ; every α > 0",
        Signs(positive=(alpha, n, start, fallen), nonnegative=(slack, room)),
        where=ESTIMATES,
    )
    proof.note("At every policy a draw of c moves θ_c alone, by α times this,")
    proof.equal(
        "with the noise as the reward,",
        ghat_ALT[c],
        noise - delta,
        given=[e[c] - 1, R - noise, b - delta],
    )
    proof.equal("and no other preference.", ghat_ALT[a], 0, given=[e[a]])
    proof.note("Let slack = s - noise >= 0 and d = δ - s > 0: the baseline overrides the noise.")
    given = [slack - most + noise, fallen - delta + most]
    proof.at_least(
        "So θ_c falls by α d at least,",
        -alpha * fallen,
        alpha * (noise - delta),
        alpha * slack,
        given=given,
    )
    proof.note(
        "and after n such draws in a row by n α d. With n α d = M + room, room >= 0, what is left"
        " of the gap M is"
    )
    # what is left of the gap M after n draws
    left = start - n * alpha * fallen
    proof.at_least("at most zero.", 0, left, room, given=[n * alpha * fallen - start - room])
    proof.note(
        "So by then another action is as likely as c, or one has been drawn. Without noise, in the"
        " limit of small steps:"
    )
    return proof.include(biased_update_is_fast.proof())


@derivation("update-example-preferences")
def example_preferences() -> Proof:
    """e^(log(1/k)) / Σ e^(log(1/k)) = 1/k.

    Appendix B.5, line 853: the preferences from which the plotted updates start.
    """
    proof = Proof(
        "the preferences log(1/k) give the uniform policy",
        "every k; the example is k = 3",
        where=SOFTMAX,
    )
    proof.note(
        "The preferences are the logarithms of the probabilities: e^θ_j = 1/k for every action."
    )
    each = Given(k * exp(theta[j]) - 1, each=j)
    proof.equal("The normaliser is one,", total(exp(theta[j]), j), 1, given=[each])
    own = k * exp(theta[a]) - 1
    return proof.equal(
        "so the softmax gives each action 1/k.",
        k * softmax(a),
        1,
        given=[own, total(exp(theta[j]), j) - 1],
    )


@derivation("update-example-estimate")
def example_estimate() -> Proof:
    """(r_a + 1 - 0)(e_a - π) with r_a = 1 and π = 1/3.

    Appendix B.5, line 853: action a_2 was taken and its noise is +1, so R = 2; no baseline.
    """
    proof = Proof(
        "the estimate is 2 (-1/3, -1/3, 2/3)",
        "the example: a is the action taken, r(a) = 1, noise +1, π = 1/3, b = 0",
    )
    proof.where = ON_POLICY
    third = Rational(1, 3)
    factor = [R - r[a] - 1, r[a] - 1, b]
    proof.equal("The factor R - b is", R - b, 2, given=factor)
    two = R - b - 2
    proof.equal(
        "In the entry of the action taken,",
        ghat_REG[a],
        2 * (1 - third),
        given=[two, e[a] - 1, pi[a] - third],
    )
    return proof.equal(
        "and in the others.", ghat_REG[c], -2 * third, given=[two, e[c], pi[c] - third]
    )


level, u, w, z = symbols("p_0 u w z")
most = Symbol("m")


@derivation("pessimistic-can-saturate-wrongly")
def saturates_wrongly() -> Proof:
    """θ_c - θ_a grows by at least α λ in every step from π_c >= p₀.

    Section 3, line 200. p₀ is a probability of the worse action from which it wins: the expected
    update of θ_c grows with π_c Δ_c, while that of another action is at most (1 − π_c) max Δ.
    """
    d = IndexedBase("Delta")
    proof = Proof(
        "from π(c) >= p₀ with λ = p₀ (r(c) - b) - (1 - p₀) max(r - b) > 0 the expected update"
        " saturates on c, whatever the best action is",
        "every k, every r, every b < min r, every stepsize; the limit is argued in words",
        Signs(positive=(d, pi, most), nonnegative=(u, w, z)),
        where={**ON_POLICY, r: lambda action: b + d[action]},
    )
    proof.note(
        "Let Δ_j = r_j - b, m = max Δ, u = π_c - p₀, w = 1 - π_c - π_a and z = m - Δ_a; u, w and z"
        " aren't negative."
    )
    # differences of preferences alone decide the policy
    gain = E(ghat_ALT[c]) - E(ghat_ALT[a])
    proof.at_least(
        "The step of θ_c - θ_a is α times this.",
        gain,
        level * d[c] - (1 - level) * most,
        u * d[c] + (u + w) * most + pi[a] * z,
        given=[u - pi[c] + level, w - 1 + pi[c] + pi[a], z - most + d[a]],
    )
    proof.note(
        "So each gap grows by at least α λ, π_c grows, stays above p₀, and the gaps grow without"
        " bound."
    )
    proof.equal(
        "Each other probability is π_c times exp(θ_a - θ_c),",
        softmax(a),
        exp(theta[a] - theta[c]) * softmax(c),
        where=SOFTMAX,
    )
    numbers = [d[c] - 1, most - 2, 5 * level - 4]
    proof.note(
        "and tends to zero. For r = (1, 2) and b = 0 the worse action has Δ = 1, m is 2, and p₀ ="
        " 4/5 will do."
    )
    return proof.equal(
        "Then λ is positive.", level * d[c] - (1 - level) * most, Rational(2, 5), given=numbers
    )
