"""How much noisier the alternate estimator is than the regular one, and a policy at which its bias
does nothing.
"""

from __future__ import annotations

from sympy import symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    V,
    a,
    b,
    c,
    ghat_ALT,
    k,
    pi,
    r,
    r_pi,
    sigma,
    theta,
    total,
)
from altpg_verify.theory.proving.notation import g_ALT as alternate
from altpg_verify.theory.proving.notation import g_REG as regular
from altpg_verify.theory.proving.proof import Proof, derivation

s, v, room = symbols("s v room")


@derivation("variance-gap-of-estimators")
def variance_gap() -> Proof:
    """Σ V[ĝ_ALT] - Σ V[ĝ_REG] = σ² |π|² + 2 Σ π² h² - |π|² v with h = r - r_π and v = Σ π h².

    The trace of the covariance matrices. |π|² is Σ π², between 1/k and 1; near a corner the first
    term is σ² and the regular variance zero.
    """
    proof = Proof(
        "with the true r_π the alternate estimator's total variance exceeds the regular one's by σ²"
        " |π|² + 2 Σ π² h² - |π|² v, v = Σ π h²: it is the noisier one wherever the reward noise is"
        " at least the spread of the rewards",
        EVERY_BANDIT + ", noise of one variance σ² for all actions, h = r - r_π",
        where={**ON_POLICY, sigma: lambda action: s},
        given=[SIMPLEX],
    )
    # the advantage of c
    h = r[c] - r_pi
    gap = (
        s**2 * total(pi[c] ** 2)
        + 2 * total(pi[c] ** 2 * h**2)
        - total(pi[c] ** 2) * total(pi[c] * h**2)
    )
    proof.equal("The variances of all entries.", total(V(alternate[a]) - V(regular[a]), a), gap)
    proof.where, proof.given = {}, []
    proof.signs = Signs(nonnegative=(room,))
    positive = total(pi[c] ** 2) * (s**2 - v) + 2 * total(pi[c] ** 2 * h**2)
    witness = room * total(pi[c] ** 2) + 2 * total(pi[c] ** 2 * h**2)
    return proof.at_least(
        "With room = σ² - v >= 0 it isn't negative.", positive, 0, witness, given=[room - s**2 + v]
    )


@derivation("bias-harmless-at-uniform-policy")
def harmless_at_uniform() -> Proof:
    """At π = 1/k the bias is the same number for all actions, and softmax is shift-invariant.

    A bias matters only through differences between entries. A statement about one expected step,
    not about the noise.
    """
    proof = Proof(
        "at the uniform policy the alternate bias is one number for all actions, so the biased and"
        " the true expected update give the same next policy: from a uniform start, the first step"
        " is unbiased whatever the baseline",
        EVERY_BANDIT + ", every b; π uniform",
        where=SOFTMAX,
    )
    bias = E(ghat_ALT[a]) - Partial(r_pi, theta[a])
    proof.equal("The bias.", bias, (r_pi - b) * pi[a])
    proof.where = {**ON_POLICY, pi: lambda action: 1 / k}
    proof.signs = Signs(positive=(k,))
    proof.equal("At π = 1/k it is the same for a and c.", (r_pi - b) * pi[a], (r_pi - b) * pi[c])
    return proof.note(
        "A step adds α times it to every preference, and equal additions cancel in softmax."
    )
