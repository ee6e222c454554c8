"""The numbers of the experiments' text, each derived from its general formula before the printed
digits are put in.
"""

from __future__ import annotations

from sympy import Integer, Rational, symbols

from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    alpha,
    b,
    ghat_ALT,
    j,
    pi,
    r,
    r_pi,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

slack, t, s, u = symbols("slack t s u")


@derivation("zero-is-pessimistic-for-123")
def zero_is_pessimistic() -> Proof:
    """r_a - 0 >= 1 > 0.

    Fig. intuition_bandits_reward123_noise1, line 882: a baseline below all rewards is pessimistic.
    """
    above = symbols("x", cls=type(r))
    proof = Proof(
        "b = 0 is below every reward of a bandit whose smallest reward is 1",
        "r = (1, 2, 3)",
        Signs(nonnegative=(above,)),
    )
    proof.note("Measure rewards from the smallest, 1: x_a = r_a - 1 isn't negative.")
    return proof.greater(
        "Each reward exceeds the baseline.", r[a], b, 1 + above[a], given=[b, above[a] - r[a] + 1]
    )


@derivation("zero-not-optimistic-for-001")
def zero_not_optimistic() -> Proof:
    """r_a = 1 > 0 = b.

    Appendix D.2, line 1132: an optimistic baseline must exceed every reward, so for r = (0, 0, 1)
    zero is none.
    """
    proof = Proof("b = 0 isn't above the reward of the last action", "r = (0, 0, 1)")
    return proof.greater(
        "The reward of the last action exceeds the baseline.", r[a], b, 1, given=[b, r[a] - 1]
    )


@derivation("alternate-biased-throughout")
def biased_throughout() -> Proof:
    """E[ĝ_ALT] - ∇J = π (r_π - b), and r_π is between 1 and 3.

    Fig. bias_alternate_param_study, line 1193: the sign of the bias never changes during training,
    as r_π can't reach the baseline.
    """
    above, below = symbols("x y", cls=type(r))
    proof = Proof(
        "b = 4 is above and b = -4 below the value of every policy, so that no entry of the"
        " expected update is the gradient's",
        "every interior policy, every r with 1 <= r <= 3, every noise of mean zero",
        Signs(positive=(pi,), nonnegative=(above, below)),
        where=ON_POLICY,
    )
    gradient = pi[a] * (r[a] - r_pi)
    proof.note("x = r - 1 and y = 3 - r aren't negative.")
    high = Given(below[j] + r[j] - 3, each=j, weight=pi[j] * pi[a])
    excess = pi[a] * (1 + total(pi[j] * below[j], j))
    proof.greater(
        "With b = 4 the update is too small in every entry,",
        gradient,
        E(ghat_ALT[a]),
        excess,
        given=[b - 4, high, SIMPLEX],
    )
    low = Given(above[j] - r[j] + 1, each=j, weight=pi[j] * pi[a])
    excess = pi[a] * (5 + total(pi[j] * above[j], j))
    return proof.greater(
        "with b = -4 too large.", E(ghat_ALT[a]), gradient, excess, given=[b + 4, low, SIMPLEX]
    )


@derivation("saturated-starts-corrected")
def saturated_starts() -> Proof:
    """e^θ/(e^θ + 2) > 1/2 for θ >= 5, as e^θ >= 1 + θ.

    Appendix D.1, line 1117, corrected: the list of starts has one of a probability below one half
    in it.
    """
    weight, extra = symbols("weight extra")
    summary = (
        "from preferences (θ, 0, 0) with θ >= 5 the first action has more than half of the mass,"
        " and ever more"
    )
    proof = Proof(
        summary,
        "k = 3, every θ >= 5, among them 5, 10 and 50",
        Signs(positive=(weight,), nonnegative=(slack, extra)),
    )
    proof.note(
        "Let weight = e^θ with θ = 5 + extra. As e^y >= 1 + y, slack = e^θ - 1 - θ isn't negative."
    )
    given = [slack - weight + 6 + extra]
    share = weight / (weight + 2)
    proof.greater(
        "So the probability exceeds one half.",
        share,
        Rational(1, 2),
        (4 + extra + slack) / (2 * (weight + 2)),
        given=given,
    )
    grown = share + 2 * s / ((weight + 2) * (weight + s + 2))
    proof.signs = Signs(positive=(weight, s))
    return proof.equal(
        "A weight larger by s has a larger probability.", (weight + s) / (weight + s + 2), grown
    )


@derivation("tile-features-sum-to-one")
def features_sum_to_one() -> Proof:
    """T/(T + 1) + 1/(T + 1) = 1.

    Appendix F.1, line 1411: normalised tile coding, so that the stepsize needn't be divided by the
    number of active features.
    """
    tilings, share = symbols("T share")
    proof = Proof(
        "T active tiles and the bias, each divided by T + 1, sum to one",
        "every number T of tilings, here 8",
    )
    proof.equal(
        "With share = 1/(T + 1),", tilings * share + share, 1, given=[share * (tilings + 1) - 1]
    )
    return proof.equal(
        "For eight tilings the divisor is nine.", tilings + 1, 9, given=[tilings - 8]
    )


@derivation("effective-stepsize-number")
def effective_stepsize() -> Proof:
    """2^16/9 is within one half of 7282.

    Appendix H, line 1532: the printed 7282 is 2^16 over nine active features.
    """
    share, half = symbols("share"), Rational(1, 2)
    proof = Proof(
        "the stepsize over the number of active features rounds to 7282",
        "eight tilings and the bias, α = 2^16",
    )
    proof.note(
        "With share = 1/9, the size of each active feature, the effective stepsize is α share."
    )
    given, exact = [9 * share - 1, alpha - Integer(2) ** 16], Rational(2**16, 9)
    proof.at_least(
        "It is at least 7281.5", alpha * share, 7282 - half, exact - 7282 + half, given=given
    )
    return proof.at_least(
        "and at most 7282.5.", 7282 + half, alpha * share, 7282 + half - exact, given=given
    )


@derivation("all-critic-starts-optimistic")
def starts_optimistic() -> Proof:
    """-500 > -1000 > v.

    Appendix F.4, line 1480: a saturated policy's value, without the cut at 1000 steps, is minus its
    mean number of steps.
    """
    first, extra, value = symbols("first extra v")
    proof = Proof(
        "a start of -500 or more is above the value of a policy that takes more than 1000 steps, by"
        " more than 500",
        "every policy with more than 1000 steps on average, reward -1 a step, no discount",
        Signs(positive=(s,), nonnegative=(extra,)),
    )
    proof.note(
        "Let 1000 + s be the mean number of steps, s > 0; the value v is minus that. The start is"
        " -500 + extra."
    )
    given = [value + 1000 + s, first + 500 - extra]
    return proof.greater("So it is optimistic.", first, value, 500 + extra + s, given=given)


@derivation("minimum-possible-return")
def minimum_return() -> Proof:
    """-n >= -1000, with equality at n = 1000.

    Appendix F.5, line 1492, corrected: −1000 is the smallest return; the source calls it the
    largest.
    """
    steps, value = symbols("n G")
    proof = Proof(
        "a return is -1000 or more, and -1000 for an episode that is cut",
        "episodes of n <= 1000 steps, reward -1 a step",
    )
    proof.signs = Signs(nonnegative=(slack,))
    proof.note("With slack = 1000 - n >= 0 and the return G = -n,")
    proof.at_least(
        "no return is smaller,", value, -1000, slack, given=[value + steps, slack - 1000 + steps]
    )
    return proof.equal(
        "and a cut episode attains it.", value, -1000, given=[value + steps, steps - 1000]
    )


@derivation("average-return-fits-most-failing")
def most_fail() -> Proof:
    """s g - 1000 (1 - s) = -700 with g >= -200 makes s <= 3/8.

    Appendix F.5, line 1492: an average of −700 as a mixture of solved runs and runs that are cut;
    at most 3/8 of them are solved.
    """
    good = symbols("g")
    proof = Proof(
        "less than half of the runs succeed if the average is -700",
        "successful runs at g >= -200 on average, others at -1000",
    )
    proof.signs = Signs(nonnegative=(u,))
    proof.note("Let s be the share of successful runs and u = g + 200 >= 0.")
    given = [s * good - 1000 * (1 - s) + 700, good + 200 - u]
    proof.equal("The share is", s, 300 / (800 + u), given=given)
    return proof.greater(
        "less than one half.", Rational(1, 2), s, (100 + u / 2) / (800 + u), given=given
    )


@derivation("dotreacher-critic-starts")
def critic_starts() -> Proof:
    """-10 <= -n/100 < 0.

    Appendix G.3, line 1522: which starts of DotReacher's critic are optimistic; returns lie between
    −10 and 0.
    """
    steps, value, extra = symbols("n G extra")
    proof = Proof(
        "0 and 25 are above every return, -25 is below",
        "episodes of 1 to 1000 steps, reward -0.01 a step, no discount",
    )
    proof.signs = Signs(positive=(steps,), nonnegative=(extra, slack))
    proof.note(
        "G = -n/100, and slack = 1000 - n isn't negative. A start of extra >= 0, as 0 and 25 are,"
    )
    given = [value + steps / 100, slack - 1000 + steps]
    proof.greater("is above every return;", extra, value, extra + steps / 100, given=given)
    return proof.greater("-25 is below.", value, -25, 15 + slack / 100, given=given)


@derivation("convex-large-step-can-worsen")
def large_step_worsens() -> Proof:
    """(x - s)² > x² for s > 2 x.

    Appendix H, line 1541: for a convex function a step can overshoot, which a softmax policy's step
    along ∇J can't.
    """
    x, y, eps = symbols("x y epsilon")
    proof = Proof(
        "a step down the slope of x² from x > 0 worsens it if it is longer than 2 x",
        "f(x) = x², every x > 0",
    )
    proof.signs = Signs(positive=(s, t))
    proof.equal(
        "The derivative is positive at x > 0: up to o(ε), f(x + ε) is",
        (x + eps) ** 2,
        x**2 + 2 * x * eps,
        given=[eps**2],
    )
    midpoint = ((x + y) / 2) ** 2
    proof.at_least("and f is convex.", (x**2 + y**2) / 2, midpoint, ((x - y) / 2) ** 2)
    return proof.greater(
        "A step of s = 2 x + t against the slope ends higher.",
        (x - s) ** 2,
        x**2,
        s * t,
        given=[t - s + 2 * x],
    )


@derivation("stepsize-bound-depends")
def bound_depends() -> Proof:
    """8/(d_1 + d_2) for two actions; 4/D and 16/(3 D) for two policies on three.

    Appendix B.3, line 816: for two actions the policy cancels, so its influence takes three.
    """
    one, two, rho, p, q, D = symbols("d_1 d_2 rho p q D")
    proof = Proof(
        "the bound changes with each reward, with the baseline and with the policy",
        "two actions, every r and b > max r; three actions with equal rewards, two families of"
        " policies, every b > r",
        Signs(positive=(one, two, D, s, t), nonzero=(rho,)),
    )
    proof.note(
        "With two actions let p and q be their probabilities, d_1 and d_2 the baseline less their"
        " rewards, ρ = p d_1 - q d_2."
    )
    # the paper's bound for two actions, before anything is simplified
    bound = 8 * (p**2 * one + q**2 * two - 1 / (1 / one + 1 / two)) / rho**2
    proof.equal("The bound is", bound, 8 / (one + two), given=[p + q - 1, rho - p * one + q * two])
    less = 8 * s / ((one + two) * (one + s + two))
    proof.greater("less if a reward is lower by s,", 8 / (one + two), 8 / (one + s + two), less)
    less = 16 * s / ((one + two) * (one + two + 2 * s))
    proof.greater(
        "or if the baseline is higher by s.", 8 / (one + two), 8 / (one + two + 2 * s), less
    )
    third = Rational(1, 3)
    proof.note(
        "With three actions of equal reward let D be the baseline less it; then (Σ 1/(b - r))⁻¹ is"
        " D/3."
    )
    even = 8 * (D * ((third + t) ** 2 + (third - t) ** 2 + third**2) - D / 3) / (2 * t * D) ** 2
    proof.equal("For the policy (1/3 + t, 1/3 - t, 1/3) the bound is", even, 4 / D)
    uneven = 8 * (D * ((third + 2 * t) ** 2 + 2 * (third - t) ** 2) - D / 3) / (3 * t * D) ** 2
    proof.equal("and for (1/3 + 2 t, 1/3 - t, 1/3 - t)", uneven, 16 / (3 * D))
    return proof.greater("which is another number.", 16 / (3 * D), 4 / D, 4 / (3 * D))
