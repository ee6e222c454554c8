"""Sections 7 and 8: the remarks on entropy, on the escort transform, on NeuRD, and on baselines of
the regular estimator.
"""

from __future__ import annotations

from sympy import IndexedBase, exp, symbols

from altpg_verify.theory.attraction.remarks import true_gradient_is_slow
from altpg_verify.theory.entropy_escort.entropy import L, bonus_moves_optimum
from altpg_verify.theory.entropy_escort.escort_escape import escapes_fast
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT, EVERY_SOFTMAX
from altpg_verify.theory.mdps.mdp_estimators import (
    SOFTMAX_MDP,
    eps,
    policy_slope_lines,
    preference_slope,
)
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    b,
    c,
    equation,
    g_ALT,
    g_REG,
    ghat_ALT,
    ghat_REG,
    i,
    j,
    pi,
    r,
    r_pi,
    softmax,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

advantage = IndexedBase("h")
t, rest, log_norm, inverse, visits, q = symbols("t rest z beta nu q")
CENTRED = total(pi[j] * advantage[j], j)
"""Is zero: Σ π h."""


@derivation("larger-tau-more-uniform")
def larger_tau() -> Proof:
    """dH/dβ = -β Σ π (r - r_π)² with β = 1/τ.

    Section 7, line 306: along the optimal policies π ∝ e^(r/τ) of the regularised bandit; entropy
    in nats.
    """
    proof = Proof(
        "the entropy of the best policy for J + τ H grows with τ, if the rewards aren't all equal",
        EVERY_SOFTMAX + ", every τ > 0",
        Signs(positive=(inverse, pi), nonzero=(t,), nonnegative=(rest,)),
    ).include(bonus_moves_optimum.proof())
    proof.note(
        "So it is the softmax of θ = β r with β = 1/τ. At β + ε the exponential e^θ_j is e^θ_j (1 +"
        " ε r_j) + o(ε)."
    )
    new = softmax(a) + eps * softmax(a) * (r[a] - total(softmax(i) * r[i], i))
    text = (
        "With ∂π_a/∂β = π_a (r_a - r_π) the probability times the normaliser at β + ε is the"
        " exponential there, up to o(ε):"
    )
    moved = total(exp(theta[j]) * (1 + eps * r[j]), j)
    proof.equal(text, new * moved, exp(theta[a]) * (1 + eps * r[a]), given=[eps**2])
    proof.note(
        "With L = log π = β r - z, z = log Z, the derivative of -Σ π L is -Σ π' (L + 1).",
        equation(L[j], inverse * r[j] - log_norm),
    )
    whole = total(pi[j] * (r[j] - r_pi) ** 2, j)
    speed = -total(pi[j] * (r[j] - r_pi) * (L[j] + 1), j)
    each = Given(L[j] - inverse * r[j] + log_norm, each=j, weight=pi[j] * (r[j] - r_pi))
    value = [r_pi - total(pi[j] * r[j], j), SIMPLEX]
    proof.equal(
        "It is -β times the variance of r(A).", speed, -inverse * whole, given=[each, *value]
    )
    proof.note(
        "Let t = r_a - r_π not be zero for some a; rest >= 0 comes from the other actions.",
        equation(t, r[a] - r_pi),
    )
    givens = [each, *value, t - r[a] + r_pi, rest + pi[a] * (r[a] - r_pi) ** 2 - whole]
    proof.greater(
        "So the entropy falls as β grows,", 0, speed, inverse * (pi[a] * t**2 + rest), given=givens
    )
    return proof.note("that is, it grows with τ; for β = 0 the softmax of β r is uniform.")


@derivation("escort-leaves-in-polynomial-time")
def escort_is_better() -> Proof:
    """A polynomial time against an exponential one.

    Section 7, line 306, corrected: from the starts of `escapes_fast`. From one and the same policy
    it depends on p.
    """
    slow, fast = true_gradient_is_slow.proof(), escapes_fast.proof()
    proof = Proof(
        "along the gradient flow softmax needs a time exponential in the gap of the preferences to"
        " leave a corner, escort a polynomial one",
        f"softmax: {slow.domain}. Escort: {fast.domain}",
    )
    proof.note("First the softmax policy, a lower bound:").include(slow)
    return proof.note("Then the escort transform, an upper bound:").include(fast)


@derivation("neurd-drops-policy-weight")
def neurd_update() -> Proof:
    """θ moving at the speed h makes π' = π h; the alternate update has Σ π θ' h.

    Section 8, line 311, corrected: the source prints NeuRD as a policy gradient; the weight π(a|s)
    is what it leaves out.
    """
    proof = Proof(
        "Σ_s ν(s) Σ_a ∇θ(s)_a h(s, a) is the alternate estimator's mean without the weight π(a|s);"
        " in the tabular case the policy obeys the replicator equation that NeuRD is made for",
        SOFTMAX_MDP + "; the replicator equation as NeuRD's definition is a named fact",
        Signs(positive=(pi,)),
    )
    policy_slope_lines(proof)
    proof.note(
        "Tabular preferences that move with the printed update have θ'_a = h_a in each state, up to"
        " ν. Since Σ π h = 0,"
    )
    # a softmax policy whose preferences move at the speed h
    rate = pi[a] * (advantage[a] - total(pi[j] * advantage[j], j))
    proof.equal(
        "the policy moves by the replicator equation.", rate, pi[a] * advantage[a], given=[CENTRED]
    )
    proof.note(
        "The alternate estimator's mean in a state is the mean of θ'_A h(A), for which ∇J can be"
        " written, too:"
    )
    proof.equal(
        "as Σ π h = 0,",
        total(pi[i] * preference_slope[i] * advantage[i], i),
        total(
            pi[i] * advantage[i] * (preference_slope[i] - total(pi[j] * preference_slope[j], j)), i
        ),
        given=[CENTRED],
    )
    proof.note(
        "Let b = v and the return given a have the mean v + h_a. The alternate estimator's factor"
        " of θ'_a has the mean π_a h_a:"
    )
    meaning = {**ON_POLICY, r: lambda action: b + advantage[action]}
    return proof.equal(
        "over π_a it is the printed one.", E(ghat_ALT[a]) / pi[a], advantage[a], where=meaning
    )


@derivation("neurd-more-aggressive")
def neurd_larger() -> Proof:
    """(ν h)² - (ν π h)² = (ν h)² (1 - π)(1 + π).

    Section 8, line 311: entry by entry; the factor is 1/π(a|s), so the largest where an action is
    rare.
    """
    proof = Proof(
        "each entry ν h of the NeuRD update is larger in size than the alternate one's ν π h,"
        " wherever that isn't zero",
        "every finite episodic MDP, tabular softmax with two actions or more, visited states",
        Signs(positive=(pi, visits, q), nonzero=(t,)),
        given=[q + pi[a] - 1],
    )
    proof.note(
        "In a state of the occupancy ν let t = h_a, not zero, and q = 1 - π_a, which is positive.",
        equation(t, advantage[a]),
    )
    neurd, alternate = visits * t, visits * pi[a] * t
    return proof.greater(
        "So the squares differ by", neurd**2, alternate**2, visits**2 * t**2 * q * (1 + pi[a])
    )


@derivation("baseline-effect-weaker-for-regular")
def weaker_effect() -> Proof:
    """E[ĝ_REG] - E[g_REG] = 0; E[ĝ_ALT] - E[g_ALT] = (r_π - b) π.

    Section 8, line 311: in the mean. Variance depends on the baseline for both.
    """
    proof = Proof(
        "a baseline doesn't change the regular estimator's mean and moves the alternate one's by"
        " (r_π - b) π",
        EVERY_BANDIT + ", b ≠ r_π",
        Signs(positive=(pi,), nonzero=(t,)),
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.equal(
        "The regular estimator with b has the mean it has with r_π.", E(ghat_REG[a]), E(g_REG[a])
    )
    # what the baseline adds to the mean update
    effect = E(ghat_ALT[a]) - E(g_ALT[a])
    proof.equal("The alternate estimator's mean changes θ by", effect, (r_pi - b) * pi[a])
    proof.note("and with t = r_π - b not zero", equation(t, r_pi - b))
    return proof.greater(
        "that isn't zero in any entry.",
        effect**2,
        0,
        t**2 * pi[a] ** 2,
        given=[t - total(pi[c] * r[c]) + b],
    )
