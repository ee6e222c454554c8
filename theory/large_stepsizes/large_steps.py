"""Appendix H, large stepsizes: where the optimum of a softmax policy lies and what one large step
along the gradient does.
"""

from __future__ import annotations

from sympy import IndexedBase, Integer, exp, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import growth
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT, EVERY_SOFTMAX, gradient_proof
from altpg_verify.theory.mdps.mdp_estimators import q as values
from altpg_verify.theory.mdps.occupancy import MDP
from altpg_verify.theory.mdps.policy_gradient import policy_gradient_theorem
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.indicators import delta_a, delta_c, indicating
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    Partial,
    R,
    a,
    alpha,
    b,
    c,
    e,
    equation,
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

gain, direction, slope, below = map(IndexedBase, ("s", "v", "g", "h"))
"""u (e^(α u) - 1) for an entry u of ∇J; a direction; the entries of a gradient; and the best reward
less each one.
"""
others, odds, more, grown, moved, gap, q, t, rest, visits, length, other = symbols(
    "S o w y u t q t_a rest nu N M"
)
VALUE = r_pi - total(pi[j] * r[j], j)
"""Is zero."""


@derivation("softmax-of-any-preferences")
def any_preferences() -> Proof:
    """0 < π_a and Σ π = 1, for every real θ.

    Appendix H, line 1541: in real numbers; in floats e^θ overflows for θ above 709.
    """
    proof = gradient_proof(
        "for every finite θ, however large, the softmax probabilities are positive and sum to one"
    )
    proof.greater("Each is a quotient of positive numbers.", pi[a], 0, softmax(a))
    return proof.equal("They sum to one.", total(pi[c]), 1)


@derivation("optimum-at-infinity-unequal-values")
def optimum_at_infinity() -> Proof:
    """∇J = 0 at a finite θ would make all actions of a visited state equal in value.

    Appendix H, line 1541, corrected: with equal action values every policy is optimal, at finite θ
    too.
    """
    proof = Proof(
        "no finite θ maximises J if two actions differ in value in a visited state; it is"
        " approached as gaps of θ grow to infinity",
        MDP + "; tabular softmax; that some deterministic policy is optimal is a named fact",
    )
    proof.include(policy_gradient_theorem.proof())
    proof.note(
        "The preferences of a state move the policy there alone. So with ν its occupancy, positive"
        " in a visited state,"
    )
    derivative = Partial(total(pi[i] * values[i], i), theta[a])
    entry = pi[a] * (values[a] - total(pi[i] * values[i], i))
    proof.equal("the entry of ∇J is", visits * derivative, visits * entry, where=SOFTMAX)
    proof.note("At a maximum with finite θ all entries are zero. For two actions of the state:")
    proof.signs = Signs(positive=(pi, visits))
    zeros = [visits * pi[one] * (values[one] - total(pi[i] * values[i], i)) for one in (a, c)]
    proof.equal(
        "divide by ν π, which isn't zero, and subtract.", values[a] - values[c], 0, given=zeros
    )
    proof.note(
        "So in the visited states, which no action leaves, all actions have their state's value:"
        " Bellman's optimality equation holds, and"
    )
    proof.note(
        "these are the optimal values, of which two differ: a contradiction. Some deterministic"
        " policy is optimal. Towards it"
    )
    text = (
        "π_c/π_a = e^(θ_c - θ_a) tends to zero only as the gap of the preferences grows to"
        " infinity."
    )
    return proof.equal(text, pi[c] / pi[a], exp(theta[c] - theta[a]), where=SOFTMAX)


@derivation("larger-step-closer-for-two-actions")
def two_actions() -> Proof:
    """r_a - J' = t/(1 + o), and the odds o = π'_a/π'_c grow with α.

    Appendix H, line 1541, corrected: for two actions only. With three a longer step can favour the
    second best action.
    """
    proof = Proof(
        "with two actions the distance to the best reward after one step along ∇J falls as the"
        " stepsize grows, and tends to zero",
        "two actions with r(a) > r(c); every θ and α > 0; with equal rewards every policy is"
        " optimal",
        Signs(positive=(pi, gap, odds, more, alpha)),
    )
    two = [pi[a] + pi[c] - 1, r_pi - pi[a] * r[a] - pi[c] * r[c], gap - r[a] + r[c]]
    proof.equal(
        "The entries of ∇J, for any number of actions.",
        Partial(r_pi, theta[a]),
        pi[a] * (r[a] - r_pi),
        where=SOFTMAX,
    )
    proof.note(
        "With two actions and t = r_a - r_c > 0, the difference θ_a - θ_c changes by α times",
        equation(gap, r[a] - r[c]),
    )
    speed = pi[a] * (r[a] - r_pi) - pi[c] * (r[c] - r_pi)
    proof.greater("a positive number.", speed, 0, 2 * pi[a] * pi[c] * gap, given=two)
    proof.note(
        "So the odds o = π'_a/π'_c after the step are those before it times e^(2 α π_a π_c t): they"
        " grow with α, without bound."
    )
    after = [pi[a] + pi[c] - 1, pi[a] - odds * pi[c], r_pi - pi[a] * r[a] - pi[c] * r[c]]
    proof.note(
        "With a policy of the odds o the distance to the best reward times 1 + o doesn't depend on"
        " them."
    )
    proof.equal("It is t.", (r[a] - r_pi) * (1 + odds), gap, given=[*after, gap - r[a] + r[c]])
    witness = gap * more / ((1 + odds) * (1 + odds + more))
    return proof.greater(
        "If a larger α makes the odds larger by w > 0 it is smaller.",
        gap / (1 + odds),
        gap / (1 + odds + more),
        witness,
    )


@derivation("large-steps-never-lower-value")
def never_lower() -> Proof:
    """J' - J = Σ u (e^(α u) - 1) / Σ π e^(α u) >= 0 with u_a = π_a (r_a - r_π).

    Appendix H, line 1541, corrected: large steps don't lower J, but the probability of the best
    action may fall.
    """
    proof = Proof(
        "one step along ∇J never lowers the expected reward, for every α > 0",
        EVERY_SOFTMAX + ", every stepsize α > 0",
        Signs(positive=(pi, growth), nonnegative=(gain,)),
    )
    proof.equal(
        "The entries u_a of ∇J.", Partial(r_pi, theta[a]), pi[a] * (r[a] - r_pi), where=SOFTMAX
    )
    proof.note("Let y_a = e^(α u_a), positive. The next policy is π_a y_a / Σ π y.")
    proof.note(
        "e^x - 1 has the sign of x, so s_a = u_a (y_a - 1) isn't negative.",
        equation(gain[a], pi[a] * (r[a] - r_pi) * (growth[a] - 1)),
    )
    # J of the policy after the step
    new = total(pi[j] * growth[j] * r[j], j) / total(pi[j] * growth[j], j)
    proof.equal(
        "The entries sum to zero.", total(pi[j] * (r[j] - r_pi), j), 0, given=[VALUE, SIMPLEX]
    )
    each = Given(gain[j] - pi[j] * (r[j] - r_pi) * (growth[j] - 1), each=j)
    witness = total(gain[j], j) / total(pi[j] * growth[j], j)
    return proof.at_least(
        "So the new expected reward is at least the old one.",
        new,
        r_pi,
        witness,
        given=[each, VALUE, SIMPLEX],
    )


def _one_preference(summary: str) -> Proof:
    proof = Proof(
        summary,
        EVERY_SOFTMAX + "; the other preferences fixed, k >= 2",
        Signs(positive=(others, grown, more)),
    )
    return proof.note(
        "Let S be the sum of e^θ_c over all other actions, positive.",
        equation(others, total(exp(theta[c])) - exp(theta[a])),
    )


@derivation("logistic-is-softmax")
def logistic_is_softmax() -> Proof:
    """e^x/(e^x + 1) at x = θ_a - log S.

    Fig. softmax_optim, line 1546: π(a) as a function of θ_a alone.
    """
    proof = _one_preference(
        "π(a) is the logistic function at x = θ_a - log Σ_{c≠a} e^θ_c: a translation along the axis"
    )
    given = [others + exp(theta[a]) - total(exp(theta[j]), j)]
    fraction = exp(theta[a]) / (exp(theta[a]) + others)
    proof.equal("So the softmax function is", softmax(a), fraction, given=given)
    proof.note("With x = θ_a - log S, e^x = e^θ_a/S.")
    shifted = exp(theta[a]) / others
    return proof.equal(
        "The logistic function there is the same.", shifted / (shifted + 1), fraction
    )


@derivation("logistic-increases-with-stepsize")
def logistic_increases() -> Proof:
    """x (y + w)/(x (y + w) + S) > x y/(x y + S).

    Fig. softmax_optim, line 1546: why a long step is harmless along one preference: the function is
    monotone.
    """
    proof = _one_preference(
        "the larger the step of its preference along the slope, the larger the probability"
        " afterwards"
    )
    proof.equal("The slope is", Partial(pi[a], theta[a]), pi[a] * (1 - pi[a]), where=SOFTMAX)
    proof.note(
        "and positive. A step of size α multiplies e^θ_a by y = e^(α slope), which grows with α,"
        " say by w > 0."
    )
    weight = exp(theta[a])
    small, large = weight * grown, weight * (grown + more)
    witness = weight * more * others / ((large + others) * (small + others))
    return proof.greater(
        "With the larger step the probability is larger.",
        large / (large + others),
        small / (small + others),
        witness,
    )


@derivation("gradient-is-steepest")
def steepest() -> Proof:
    """½ Σ g² + ½ Σ v² - Σ g v = ½ Σ (g - v)².

    Appendix H, line 1550: Cauchy-Schwarz as half of a sum of squares.
    """
    proof = Proof(
        "of all directions as long as the gradient, the gradient improves the objective fastest,"
        " and it alone does",
        "every differentiable objective of any number of variables; directions of another length by"
        " scaling",
        Signs(nonzero=(t,), nonnegative=(rest,)),
    )
    proof.note(
        "Let g be the gradient and v a direction, of the squared lengths N and M.",
        equation(length, total(slope[j] ** 2, j)),
    )
    givens = [length - total(slope[j] ** 2, j), other - total(direction[j] ** 2, j)]
    # g·v and |g - v|²
    along, apart = total(slope[j] * direction[j], j), total((slope[j] - direction[j]) ** 2, j)
    proof.equal(
        "By the chain rule the objective's speed along g is N,",
        total(slope[j] * slope[j], j),
        length,
        given=givens,
    )
    proof.at_least(
        "and along v at most (N + M)/2, which is N if M = N.",
        (length + other) / 2,
        along,
        apart / 2,
        given=givens,
    )
    proof.note(
        "If v isn't g, some t_a = g_a - v_a isn't zero; rest >= 0 is from the others.",
        equation(t, slope[a] - direction[a]),
    )
    givens += [t - slope[a] + direction[a], rest + (slope[a] - direction[a]) ** 2 - apart]
    return proof.greater(
        "Then it is smaller.", (length + other) / 2, along, (t**2 + rest) / 2, given=givens
    )


@derivation("bandit-optimum-is-global")
def only_optimum() -> Proof:
    """Moving u of the probability from c to the better a changes J by u (r_a - r_c).

    Appendix H, line 1550: J is linear on the simplex; in θ there is no optimum at all.
    """
    proof = Proof(
        "on the simplex J has one local maximum, the corner of the best action, and it is the"
        " global one",
        "every k and r with a unique best action, r = (1, 2, 3) among them; the closed simplex",
        Signs(positive=(moved, gap), nonnegative=(pi, below)),
        given=[gap - r[a] + r[c]],
    )
    proof.note(
        "Let a be the best action and c another one that has probability, t = r_a - r_c > 0. Shift"
        " u > 0 from c to a:"
    )
    # the policy after the shift of u from c to a
    after = total((pi[j] + moved * delta_a[j] - moved * delta_c[j]) * r[j], j)
    now = total(pi[j] * r[j], j)
    meaning = indicating({delta_a: a, delta_c: c})
    proof.greater(
        "J grows, however small u is; so the policy is no optimum.",
        after,
        now,
        moved * gap,
        where=meaning,
    )
    proof.note(
        "What is left is the corner of a. With h_j = r_a - r_j, not negative,",
        equation(below[j], r[a] - r[j]),
    )
    each = Given(below[j] - r[a] + r[j], each=j, weight=pi[j])
    proof.given = []
    return proof.at_least(
        "no policy has a larger J.", r[a], now, total(pi[j] * below[j], j), given=[each, SIMPLEX]
    )


TAKEN, AWAY = ({e: lambda action, value=value: Integer(value)} for value in (1, 0))
"""The action spoken of is the sampled one, or isn't."""


@derivation("regular-vanishes-at-saturation")
def regular_vanishes() -> Proof:
    """|ĝ_REG| <= |R - b| (1 - π_c) for A = c, and P(A = c) = π_c.

    Appendix H, line 1552: at saturation a draw of the saturated action, which nearly every draw is,
    moves next to nothing.
    """
    proof = Proof(
        "with the probability π(c) the draw is A = c, and then no entry of the regular estimate is"
        " larger than |R - b| (1 - π(c))",
        EVERY_BANDIT,
        Signs(positive=(pi, q), nonnegative=(rest,)),
        where=ON_POLICY,
        given=[q + pi[c] - 1],
    )
    proof.note("Let A = c and q = 1 - π_c.")
    proof.equal("Entry c of the estimate is", ghat_REG[c], (R - b) * q, where=TAKEN)
    proof.equal("and any other one", ghat_REG[a], -(R - b) * pi[a], where=AWAY)
    proof.note("where π_a = q - rest with rest >= 0.")
    witness = (R - b) ** 2 * rest * (q + pi[a])
    bound = (R - b) ** 2 * q**2
    proof.at_least(
        "So its square is at most that of entry c.",
        bound,
        ghat_REG[a] ** 2,
        witness,
        given=[rest + pi[a] - q],
        where=AWAY,
    )
    return proof.note(
        "Near the corner of c q is about 0, so the estimate is, too, with a probability of"
        " about 1.",
        q,
    )


@derivation("alternate-nonzero-at-any-saturation")
def alternate_stays() -> Proof:
    """Entry A of ĝ_ALT is R - b.

    Appendix H, line 1552: no factor of the estimate depends on the policy.
    """
    proof = Proof(
        "the alternate estimate has the size |R - b| at every policy: it isn't zero if R isn't b",
        EVERY_BANDIT,
        Signs(nonzero=(t,)),
        where={**ON_POLICY, R: b + t},
    )
    proof.note("Let t_a = R - b not be zero and A = a.", equation(t, R - b))
    proof.equal("Every other entry is zero", ghat_ALT[c], 0, where=AWAY)
    proof.equal("and entry a is t_a, whatever the policy is.", ghat_ALT[a], t, where=TAKEN)
    return proof.greater("Its square is positive.", ghat_ALT[a] ** 2, 0, t**2, where=TAKEN)
