"""Appendix C.5: along the gradient flow of the expected reward an escort policy leaves a saturated
state in polynomial time.

The flow conserves Σ θ², because π doesn't change when θ is scaled; so Z stays below k N^p with N² =
Σ θ². The best action's slope is then bounded below, and the gap D = r_best - J obeys D' <= -κ D²:
it is halved by the time 1/(κ D_0).
"""

from __future__ import annotations

from sympy import IndexedBase, Rational, symbols

from altpg_verify.theory.entropy_escort.escort import NORMALIZER, Z, escort_proof, p, power, slope
from altpg_verify.theory.mdps.mdp_estimators import eps
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import a, equation, i, k, pi, r, theta, total
from altpg_verify.theory.proving.proof import Proof, derivation

ESCAPE = (
    "every p >= 1, every number of actions and reward function, from every preferences with θ_best"
    " >= 1, (M, 1, 1) among them; for p = 1 a preference that reaches zero stays there"
)
J, ceiling, slack, excess, others, gap, time, start, rate, best = symbols(
    "J B s u rest D t D_0 kappa r_g"
)
flow, room = IndexedBase("theta^'"), IndexedBase("y")
VALUE = J * Z - total(power[i] * r[i], i)
"""Is zero: J = Σ π r."""


@derivation("escort-escapes-from-nonzero-preferences")
def escapes_fast() -> Proof:
    """T <= k² (M² + k - 1)^p / (p² D_0): polynomial in M, not exponential.

    Appendix C.5, line 1063, corrected: from preferences of at least 1 for the best action. From a
    preference of zero escort with p > 1 doesn't leave at all, as its slope is zero there.
    """
    proof = escort_proof(
        "the gap to the best reward is halved within the time k² (Σ θ²)^p / (p² D_0), a polynomial"
        " in M",
        ESCAPE,
    )
    _slope(proof)
    _norm(proof)
    _rate(proof)
    return _gap(proof)


def _slope(proof: Proof) -> None:
    """∂J/∂θ_a = p n_a (r_a - J)/Z."""
    gradient = p * slope[a] * (r[a] - J) / Z
    # J Z = Σ m r at the moved preference
    new = (J + eps * gradient) * (Z + eps * p * slope[a])
    proof.note(
        "With ∂m_a/∂θ_a = ∂Z/∂θ_a = p n_a and J = Σ m r/Z,", equation(J, total(pi[i] * r[i], i))
    )
    moved = total(power[i] * r[i], i) + eps * p * slope[a] * r[a]
    text = (
        "the derivative ∂J/∂θ_a = p n_a (r_a - J)/Z: J times Z at θ_a + ε is the sum Σ m r there,"
        " up to o(ε)."
    )
    proof.equal(text, new, moved, given=[NORMALIZER, VALUE, eps**2])


def _norm(proof: Proof) -> None:
    """Σ θ θ' = 0, so Z <= k B with B = N^p."""
    velocity = {flow: lambda action: p * slope[action] * (r[action] - J) / Z}
    proof.note("Along the flow θ'_a is that slope.", equation(flow[a], velocity[flow](a)))
    # θ_a n_a = m_a, for every action
    whole = Given(theta[i] * slope[i] - power[i], each=i, weight=p * (r[i] - J) / Z)
    radial = total(theta[i] * flow[i], i)
    proof.equal(
        "As θ_a n_a = m_a, the sum of the squares stays.",
        radial,
        0,
        given=[whole, NORMALIZER, VALUE],
        where=velocity,
    )
    proof.note(
        "So |θ_a| <= N with N² = Σ θ² at the start, M² + 2 from (M, 1, 1), and m_a <= B = N^p; let"
        " y_a be the difference."
    )
    proof.signs = Signs(
        positive=(p, Z, ceiling, gap, rate, start), nonnegative=(room, slack, excess, others, time)
    )
    bounded = Given(ceiling - power[i] - room[i], each=i)
    proof.at_least(
        "So Z is at most", k * ceiling, Z, total(room[i], i), given=[bounded, NORMALIZER]
    )


def _rate(proof: Proof) -> None:
    """|∇J|² >= (p D/(k B))²."""
    proof.note(
        "Let g be a best action, D = r_g - J > 0 and θ_g >= 1: its slope isn't negative, so this"
        " stays, and n_g = 1 + u with u >= 0."
    )
    proof.note("Write k B = Z + s with s >= 0.", equation(k * ceiling, Z + slack))
    steep, low = p * (1 + excess) * gap / Z, p * gap / (Z + slack)
    witness = p * gap * (slack + excess * Z + excess * slack) / (Z * (Z + slack))
    proof.at_least("Then the slope of J in θ_g is at least p D/(k B).", steep, low, witness)
    proof.note(
        "J grows at the rate of all slopes squared; let rest >= 0 be what the other actions add."
    )
    text = "With the definition of κ below, that is at least κ D²:"
    proof.at_least(text, steep**2 + others, low**2, others + witness * (steep + low))
    proof.note("So D' <= -κ D².", equation(rate, (p / (k * ceiling)) ** 2))


def _gap(proof: Proof) -> Proof:
    """D(t) <= D_0/(1 + κ D_0 t)."""
    proof.note("Then (1/D)' >= κ, so 1/D >= 1/D_0 + κ t.")
    # the solution of D' = -κ D²
    bound = start / (1 + rate * start * time)
    proof.equal("That bound is", 1 / bound, 1 / start + rate * time)
    proof.equal(
        "and at t = 1/(κ D_0) it is half of D_0.",
        bound,
        start / 2,
        where={time: 1 / (rate * start)},
    )
    closed = k**2 * ceiling**2 / (p**2 * start)
    proof.equal("This time is", 1 / (rate * start), closed, where={rate: (p / (k * ceiling)) ** 2})
    proof.note("B² = (M² + 2)^p from (M, 1, 1): a polynomial in M for each p.")
    return proof.note(
        "By then J is at least halfway from its start to r_g: the policy has left the corner."
    )


best_share, second, third, off = symbols("x y z w")


@derivation("escort-slower-from-same-policy")
def slower_from_same_policy() -> Proof:
    """Softmax: q' >= 3/2 q² (1 - q)². Escort with p = 1: θ_g' <= 1/Z <= 1/M, and half of the mass
    needs θ_g >= M/2.

    Beyond section 7, line 306. Same policy, not same preferences: (M, 1, 1) means odds of M for
    escort, and a gap of log M for softmax.
    """
    proof = Proof(
        "from the policy (M, 1, 1)/(M + 2) escort with p = 1 needs M (M/2 - 1) or more, softmax 2/3"
        " (M + 1 + 2 log(M + 1)) or less",
        "three actions, r = (0, 0, 1), M > 2, escort preferences (M, 1, 1); gradient flow, the"
        " integration over time is in words",
        Signs(positive=(best_share, second, third)),
        given=[best_share + second + third - 1],
    )
    x, y, z = best_share, second, third
    proof.note(
        "Softmax: let x, y, z be the probabilities, x that of the best action; J = x, and the"
        " preferences move at the speeds"
    )
    speeds = x * (1 - x), -y * x, -z * x
    rate = x * (speeds[0] - x * speeds[0] - y * speeds[1] - z * speeds[2])
    proof.equal("∇J, so that x grows at the rate", rate, x**2 * ((1 - x) ** 2 + y**2 + z**2))
    proof.at_least(
        "and at least at this one.",
        rate,
        Rational(3, 2) * x**2 * (1 - x) ** 2,
        x**2 * (y - z) ** 2 * Rational(1, 2),
    )
    proof.note("-1/x + 1/w + 2 log(x/w) with w = 1 - x has the slope 1/(x² w²), as")
    proof.signs, proof.given = Signs(positive=(x, off)), [x + off - 1]
    proof.equal(
        "with the slopes of its parts", 1 / x**2 + 1 / off**2 + 2 / (x * off), 1 / (x**2 * off**2)
    )
    proof.note(
        "so it grows at 3/2 or more, from -(M + 2) + (M + 2)/(M + 1) - 2 log(M + 1) to 0 at x ="
        " 1/2; the second part is above 1."
    )
    proof.note("Escort, p = 1: the slope of J in the best preference is (1 - J)/Z.")
    proof.signs, proof.given = Signs(positive=(Z,), nonnegative=(J,)), []
    proof.at_least("It is at most 1/Z.", 1 / Z, (1 - J) / Z, J / Z)
    proof.note(
        "Z is the sum of the three sizes, so its square is at least the sum of the squares, which"
        " the flow keeps:"
    )
    first, other, last = symbols("s_1 s_2 s_3")
    proof.signs = Signs(nonnegative=(first, other, last))
    pairs = 2 * (first * other + first * last + other * last)
    proof.at_least(
        "the sizes aren't negative.",
        (first + other + last) ** 2,
        first**2 + other**2 + last**2,
        pairs,
    )
    proof.include(squares_stay())
    proof.note(
        "So Z >= M at all times. Half of the mass means θ_g = Z/2 >= M/2, from θ_g = 1 at a speed"
        " of 1/M or less."
    )
    return proof


def squares_stay() -> Proof:
    """Σ θ θ' = 0 for every p.

    The policy is homogeneous of degree zero in θ, so ∇J is orthogonal to θ (Euler).
    """
    proof = escort_proof("Σ θ² stays along the flow", ESCAPE)
    _slope(proof)
    _norm(proof)
    return proof
