"""The remarks after theorem 1: the true gradient finds the optimal corner, is slow when saturated,
and the biased update is not.

Gradient flow stands for many small steps. With p = π_c and l = log(p/(1 - p)), D = max r - min r,
d_j = b - r_j and d' = max d:

    true gradient    dl/dt >= -2 D (1 - p),           so leaving takes at least (e^l₀ - e^l₁ + l₀ -
                     l₁)/(2 D): exponential in the gap
    biased update    dl/dt <= -d_c p + d' (1 - p),    so leaving takes at most (l₀ - l₁)/(d_c p₁ -
                     d' (1 - p₁)): linear in the gap
"""

from __future__ import annotations

from sympy import Expr, IndexedBase, Symbol, exp, symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    a,
    b,
    c,
    d,
    ghat_ALT,
    j,
    k,
    pi,
    r,
    r_pi,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

D, q, most = symbols("D q d'")
q_is = q + pi[c] - 1
"""Is zero: q = 1 - π_c."""
g, room = IndexedBase("g"), IndexedBase("h")
"""The entries of an update, and D² q² - g², not negative by the bound on ∇J."""
FLOW = "gradient flow, the limit of many small steps"


def _flow_proof(summary: str, signs: Signs) -> Proof:
    proof = Proof(
        summary,
        f"{EVERY_BANDIT}; D = max r - min r; {FLOW}; the integration over time is in words",
        signs,
        given=[q_is, SIMPLEX],
    )
    proof.note(
        "Let l = log(π_c/q) with q = 1 - π_c. By the chain rule l' is π'_c over π_c q, and π'_c ="
        " π_c (g_c - Σ π g)."
    )
    return proof.equal(
        "So if the preferences move with the speed g, l moves with",
        pi[c] * (g[c] - total(pi[j] * g[j], j)) / (pi[c] * q),
        logit_speed(),
    )


def logit_speed() -> Expr:
    """g_c - Σ_{j≠c} π_j g_j / q.

    The time derivative of l = log(π_c / (1 − π_c)), when θ moves with the speeds g: a common shift
    of g cancels.
    """
    return g[c] - (total(pi[j] * g[j], j) - pi[c] * g[c]) / q


@derivation("true-gradient-slow-when-saturated")
def true_gradient_is_slow() -> Proof:
    """dl/dt >= -2 D q, hence T >= (e^l₀ - e^l₁ + l₀ - l₁)/(2 D).

    Appendix B.3, line 829, as a bound on the time of the flow (in units of 1 over the stepsize).
    For preferences (M, 0, …, 0) the time grows as e^M: the plateau of softmax policies.
    """
    over, others = symbols("over others")
    summary = (
        "from l = log(π(c)/(1 - π(c))) = l₀ down to l₁, ∇J needs at least (e^l₀ - e^l₁ + l₀ -"
        " l₁)/(2 D): exponential in the gap"
    )
    proof = _flow_proof(summary, Signs(positive=(pi, q), nonnegative=(over, others)))
    proof.note(
        "Each entry of ∇J is at most D q in size: over = D q + g_c and others = Σ_{j≠c} π_j (D q -"
        " g_j) aren't negative."
    )
    givens = [
        over - D * q - g[c],
        others - total(pi[j] * (D * q - g[j]), j) + pi[c] * (D * q - g[c]),
    ]
    proof.at_least(
        "So l falls at most with the speed 2 D q.",
        logit_speed(),
        -2 * D * q,
        over + others / q,
        given=givens,
    )
    proof.equal("As e^l = π_c/q,", (1 + pi[c] / q) * q, 1)
    proof.note("l + e^l falls at most with the speed (1 + e^l) 2 D q, a constant:", 2 * D)
    return proof.note(
        "From preferences (M, 0, ..., 0), e^l₀ = e^M/(k - 1): the time is exponential in M.",
        exp(Symbol("M")) / (k - 1),
    )


@derivation("biased-update-escapes-faster")
def biased_update_is_fast() -> Proof:
    """dl/dt <= -d_c p + d' q, hence T <= (l₀ - l₁)/(d_c p₁ - d' (1 - p₁)).

    Appendix B.3, line 829: the same journey by the biased update. The push on c is π_c (b − r_c),
    which doesn't fade as π_c tends to 1.
    """
    others = Symbol("others")
    summary = (
        "from l₀ down to l₁ the biased update with b > max r needs at most (l₀ - l₁)/λ, linear in"
        " the gap; ∇J an exponential time"
    )
    proof = _flow_proof(summary, Signs(positive=(pi, q), nonnegative=(others,)))
    proof.note(
        "The biased update has g = π (r - b). With d' = max (b - r), others = Σ_{j≠c} π_j (d' q -"
        " π_j (b - r_j)) >= 0, as π_j <= q."
    )
    whole = total(pi[j] * (most * q - pi[j] * (b - r[j])), j) - pi[c] * (
        most * q - pi[c] * (b - r[c])
    )
    meaning = {g: lambda action: pi[action] * (r[action] - b)}
    bound = -pi[c] * (b - r[c]) + most * q
    proof.at_least(
        "So l falls at least with the speed λ(π_c) = π_c (b - r_c) - d' q.",
        bound,
        logit_speed(),
        others / q,
        given=[others - whole],
        where=meaning,
    )
    return proof.note(
        "While π_c >= p₁ that is at least λ(p₁), positive if p₁ > d'/(d' + b - r_c); so the time is"
        " at most (l₀ - l₁)/λ(p₁)."
    )


@derivation("biased-update-larger-when-saturated")
def biased_update_is_larger() -> Proof:
    """‖E[ĝ_ALT]‖ >= π_c |r_c - b| while ‖∇J‖ <= √k D (1 - π_c).

    Appendix B.3, line 829. Euclidean norms; of the biased update only entry c is needed.
    """
    rest = Symbol("rest")
    proof = Proof(
        "near the corner of c with b ≠ r(c) the ratio of the norms is at least π(c) |r(c) - b| /"
        " (√k D (1 - π(c))), without bound",
        EVERY_BANDIT + "; D = max r - min r",
        Signs(nonnegative=(room, rest)),
        where=ON_POLICY,
    )
    proof.equal("Entry c of the biased update.", E(ghat_ALT[c]), pi[c] * (r[c] - b))
    proof.note("Its squared norm is the square of that and rest >= 0 from the other entries.")
    whole = total(g[j] ** 2, j)
    proof.at_least("So it is at least", whole, g[c] ** 2, rest, given=[rest - whole + g[c] ** 2])
    proof.note(
        "Each entry of ∇J is at most D q in size, q = 1 - π_c: h_j = D² q² - g_j² isn't negative."
    )
    each = Given(room[j] - D**2 * q**2 + g[j] ** 2, each=j)
    return proof.at_least(
        "So its squared norm is at most k D² q².",
        k * D**2 * q**2,
        whole,
        total(room[j], j),
        given=[each],
    )


@derivation("true-gradient-flow-reaches-optimal-corner")
def true_gradient_reaches_corner() -> Proof:
    """The flow of ∇J can't stop below the largest reward.

    Appendix B.3, line 829, corrected: the source says so of the gradient's direction at any point.
    The policy may move away first, and reaches the corner in the limit of infinite time.
    """
    level, first, second, t = symbols("V s_1 s_2 t")
    proof = Proof(
        "the flow of ∇J brings the policy to the corner of the unique best action",
        f"{EVERY_BANDIT}, the best action unique; {FLOW}; certified identities, the limit is argued"
        " in words",
        Signs(positive=(pi, first, second, t)),
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.note(
        "J grows along the flow and is bounded; let V be its limit and suppose that V < r_a, the"
        " largest reward. ∇J tends to zero."
    )
    proof.equal(
        "The distance to the limit is a mean,", level - r_pi, total(pi[j] * (level - r[j]), j)
    )
    proof.note(
        "and not negative: so the actions above V weigh at most a constant times those below it."
    )
    proof.note(
        "Let c be an action below V. From some time on r_π > r_c. With s_1 = r_a - r_π and s_2 ="
        " r_π - r_c, both positive,"
    )
    faster = pi[a] * (r[a] - r_pi), pi[c] * (r[c] - r_pi)
    givens = [first - r[a] + r_pi, second - r_pi + r[c]]
    proof.greater(
        "θ_a grows faster than θ_c: π_c is at most a constant times π_a.",
        *faster,
        pi[a] * first + pi[c] * second,
        given=givens,
    )
    proof.note(
        "If the integral of π_a over time were infinite, π_c/π_a would tend to zero for each c"
        " below V, against the mean above."
    )
    proof.note(
        "So it is finite. Every speed is at most a constant times π_a; so θ converges, to an"
        " interior policy where ∇J = 0."
    )
    zeros = [pi[a] * (r[a] - r_pi), pi[d] * (r[d] - r_pi)]
    proof.equal("But there all rewards are equal, a contradiction.", r[a] - r[d], 0, given=zeros)
    proof.note("So J tends to the largest reward, and the policy to the corner of its only action.")
    return proof.equal(
        "The speeds are the entries of ∇J.",
        Partial(r_pi, theta[a]),
        pi[a] * (r[a] - r_pi),
        where=SOFTMAX,
    )
