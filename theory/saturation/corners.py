"""Saturated policies: where the gradient vanishes exactly, how small it is near a corner, and that
softmax never gets there.
"""

from __future__ import annotations

from sympy import Expr, Symbol, exp, symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    Partial,
    a,
    c,
    g_ALT,
    g_REG,
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

level = Symbol("m")
"""The common reward of the actions that a saturated policy takes."""
SATURATED = EVERY_BANDIT + "; Σ π(a) = 1 over the actions with reward m, for any number m"
saturated_at = Given(pi[j] * (r[j] - level), each=j)
"""A saturated policy: for each action the probability is zero or the reward is m."""
saturated_on = pi[a] * (r[a] - level)


def saturated_proof(summary: str) -> Proof:
    """An empty proof about a policy saturated on the actions of one reward.

    A saturated policy takes only actions of one reward m; a corner is the case of one action. As m
    is a letter, one proof serves every face.
    """
    return Proof(summary, SATURATED, where=ON_POLICY, given=[SIMPLEX])


def _value_is_level(proof: Proof) -> Proof:
    proof.note("Each action has probability zero or the reward m.", saturated_on)
    return proof.equal(
        "Summed over the actions, the value is m.", r_pi, level, given=[saturated_at]
    )


@derivation("saturated-policy-zero-elsewhere")
def zero_elsewhere() -> Proof:
    """The probabilities outside of the set sum to zero, and none is negative.

    Appendix B.2, line 644: nonnegative numbers with the sum zero are all zero.
    """
    inside, outside, rest = symbols("inside outside rest")
    proof = Proof(
        "an action outside of the set has probability zero",
        SATURATED,
        Signs(nonnegative=(pi, rest)),
    )
    proof.note("Split Σ π(a) = 1 into the set and the rest.")
    proof.equal(
        "If the set has all of it, the rest has none.",
        outside,
        0,
        given=[inside + outside - 1, inside - 1],
    )
    return proof.at_least(
        "An action outside has at most the rest's probability, zero.",
        0,
        pi[a],
        rest,
        given=[outside, outside - pi[a] - rest],
    )


@derivation("saturated-value-is-constant")
def value_is_constant() -> Proof:
    """r_π = m.

    Appendix B.2, line 644: an average of equal numbers, as each action with another reward has the
    weight zero.
    """
    return _value_is_level(
        saturated_proof("the value of a saturated policy is the common reward of its actions")
    )


@derivation("saturated-policy-solves-equations", "saturated-gradient-zero")
def gradient_zero() -> Proof:
    """π_a (r_a - r_π) = 0 for all a.

    Proposition 1 (thm. expectation_saturated_pg, line 168) and line 644 of its proof. Each entry is
    a product, and one factor vanishes: the probability off the face, the advantage on it.
    """
    proof = saturated_proof(
        "on a corner, or a face of equal rewards, every entry of π ∘ (r - r_π 1) is zero, and that"
        " is ∇J"
    )
    proof.equal("The entries of ∇J.", Partial(r_pi, theta[a]), pi[a] * (r[a] - r_pi), where=SOFTMAX)
    _value_is_level(proof)
    return proof.equal(
        "So each entry vanishes.", pi[a] * (r[a] - r_pi), 0, given=[saturated_on, saturated_value()]
    )


def saturated_value() -> Expr:
    """Is zero: r_π - m.

    A factor for `given`: the kernel may add multiples of it, since it vanishes for saturated
    policies.
    """
    return total(pi[j] * r[j], j) - level


@derivation("saturated-regular-zero")
def regular_zero() -> Proof:
    """E[g_REG] = E[ĝ_REG] = 0.

    Proposition 1 for the regular estimator: zero for any baseline, as the mean is ∇J for any.
    """
    proof = _value_is_level(
        saturated_proof(
            "the mean of the regular estimator is zero, with the true value or any baseline"
        )
    )
    proof.equal("With the true value,", E(g_REG[a]), 0, given=[saturated_on, saturated_value()])
    return proof.equal(
        "and with a baseline.", E(ghat_REG[a]), 0, given=[saturated_on, saturated_value()]
    )


@derivation("saturated-alternate-zero")
def alternate_zero() -> Proof:
    """E[g_ALT] = 0.

    Proposition 1 for the alternate estimator: zero for b = r_π = m. With another baseline the
    entries are π_a (m − b).
    """
    proof = _value_is_level(
        saturated_proof("the mean of the alternate estimator with the true value is zero")
    )
    return proof.equal(
        "Each entry vanishes.", E(g_ALT[a]), 0, given=[saturated_on, saturated_value()]
    )


@derivation("constant-can-always-be-found")
def constant_exists() -> Proof:
    """c := r(a) makes the set contain a.

    Appendix B.2, line 634: a remark on the set {a | r(a) = c}, which is empty for a c that is no
    reward.
    """
    proof = Proof(
        "with c = r(a) the set of actions of reward c has a in it", "every k >= 1 and every r"
    )
    return proof.equal("The action a has the reward c.", r[a] - level, 0, given=[level - r[a]])


@derivation("gradient-equations-quadratic")
def equations_are_quadratic() -> Proof:
    """π_a (r_a - Σ_j π_j r_j) has the degree two.

    Appendix B.2, line 640, corrected: the source calls the equations linear, but r_π contains the
    unknown π, so each is quadratic.
    """
    s = Symbol("s")
    proof = Proof(
        "each equation is a homogeneous quadratic plus a linear term in the π(a)",
        EVERY_BANDIT,
        where=ON_POLICY,
    )
    proof.note("Scale all the variables by s; a polynomial's degree is the highest power of s.")
    # also r_π inside of it, which is what makes it quadratic
    scaled = (s * pi[a]) * (r[a] - total(s * pi[j] * r[j], j))
    proof.equal(
        "Each of the first equations has the degree two.",
        scaled,
        s * pi[a] * r[a] - s**2 * pi[a] * r_pi,
    )
    return proof.equal("The last one is linear.", total(s * pi[c]) - 1, s * total(pi[c]) - 1)


@derivation("gradient-zero-only-at-boundary-corrected")
def zero_only_at_boundary() -> Proof:
    """In the interior π_a (r_a - r_π) = 0 for all a makes all rewards equal.

    Appendix B.2, line 647, corrected by its condition: with equal rewards the gradient vanishes
    everywhere, so "only at the boundary" needs two rewards that differ.
    """
    proof = Proof(
        "an interior policy with ∇J = 0 has equal rewards for every two actions",
        EVERY_BANDIT + ", interior policies",
        Signs(positive=(pi,)),
        where=ON_POLICY,
    )
    proof.note(
        "Suppose that all entries π_a (r_a - r_π) vanish and no π_a does. For any two actions:"
    )
    zeros = [pi[a] * (r[a] - r_pi), pi[c] * (r[c] - r_pi)]
    return proof.equal("divide by the probabilities and subtract.", r[a] - r[c], 0, given=zeros)


@derivation("gradient-zero-on-equal-reward-faces")
def zero_on_faces() -> Proof:
    """∇J = 0 exactly where all actions with positive probability have one reward.

    Appendix B.2, line 647, as an equivalence: `gradient_zero` is one direction; for the other two
    actions with positive probability are both at the value r_π.
    """
    t, s = symbols("t s")
    proof = gradient_zero.proof()
    proof.summary = (
        "∇J is zero exactly at the corners and on the faces whose actions all have the same reward"
    )
    proof.note("Conversely let ∇J be zero, and t = π_a and s = π_c two probabilities that aren't.")
    proof.signs, proof.given = Signs(nonzero=(t, s)), []
    zeros = [pi[a] * (r[a] - r_pi), pi[c] * (r[c] - r_pi), pi[a] - t, pi[c] - s]
    return proof.equal("Then the two rewards are equal.", r[a] - r[c], 0, given=zeros)


@derivation("propositions-need-boundary-corrected")
def need_boundary() -> Proof:
    """Two actions of different reward can't both have probability in a saturated policy.

    Section 3, line 175, corrected: the propositions speak of the boundary only if two rewards
    differ; for equal rewards every interior policy is saturated in their sense.
    """
    t = Symbol("t")
    proof = Proof(
        "if two rewards differ, a policy saturated on the actions of one reward gives one of the"
        " two actions no probability",
        EVERY_BANDIT,
        Signs(nonzero=(t,)),
    )
    proof.note(
        "Let t = r_a - r_c not be zero. In a saturated policy each action has probability zero or"
        " the reward m."
    )
    zeros = [t - r[a] + r[c], saturated_on, pi[c] * (r[c] - level)]
    proof.equal(
        "So the product of the two probabilities is zero: the policy is at the boundary.",
        pi[a] * pi[c],
        0,
        given=zeros,
    )
    return proof.equal(
        "If π_c = 1, as in proposition 2, the others have none.",
        total(pi[j], j) - pi[c],
        0,
        given=[SIMPLEX, pi[c] - 1],
    )


@derivation("softmax-never-at-boundary")
def never_at_boundary() -> Proof:
    """0 < π_a < 1 for finite θ and k >= 2.

    Section 3, line 175. An exponential is positive, so no finite step of θ reaches the boundary:
    what the propositions say of corners holds near them by continuity (`gradient_bound`).
    """
    rest = Symbol("rest")
    proof = Proof(
        "every softmax probability is between zero and one for finite θ and k >= 2",
        "every k >= 2, every θ",
        Signs(nonnegative=(rest,)),
        where=SOFTMAX,
    )
    proof.greater("It is a quotient of positive numbers.", pi[a], 0, softmax(a))
    proof.note("With a second action c and the rest of the sum, rest >= 0,")
    whole = total(exp(theta[j]), j)
    # what the other actions have of the sum
    witness = (exp(theta[c]) + rest) / whole
    proof.greater(
        "one minus it is positive, too.",
        1,
        pi[a],
        witness,
        given=[rest + exp(theta[a]) + exp(theta[c]) - whole],
    )
    return proof.equal(
        "The ratio of two of them is exp(θ_a - θ_c), which is 0 only in the limit of an infinite"
        " difference.",
        pi[a] / pi[c],
        exp(theta[a] - theta[c]),
    )


@derivation("saturated-agent-explores-rarely")
def explores_rarely() -> Proof:
    """Σ_{a != c} π_a = 1 - π_c > 0.

    The introduction's line 82, corrected: a saturated agent explores with the small probability 1 −
    π(c), not never.
    """
    others = total(pi[i], i) - pi[c]
    proof = Proof(
        "another action than c is drawn with the probability 1 - π(c), which isn't zero",
        "every k >= 2, every θ",
        where=SOFTMAX,
    )
    proof.equal("The chances of the others add up to", others, 1 - pi[c])
    return proof.include(never_at_boundary.proof())


above, below = symbols("x y", cls=type(pi))
spread = Symbol("D")


@derivation(
    "saturated-gradient-bound",
    "gradient-close-to-zero-near-corners",
    "weights-not-updated-near-corners",
    "regular-expectation-vanishes-near-corners",
)
def gradient_bound() -> Proof:
    """|π_a (r_a - r_π)| <= D (1 - π_c) for all a and c, as four inequalities.

    Section 3, lines 157 and 175: what "close to zero" means, with a constant. D = max r − min r
    bounds every advantage, and all but 1 − π_c of the mass shares the reward r_c.

    Rewards are measured from the smallest one, so that every letter is nonnegative, and each of the
    four inequalities is a sum of products of such letters: the witness.
    """
    rest, T, U = symbols("rest T U")
    proof = Proof(
        "every entry of ∇J, the regular estimator's mean, is at most D (1 - π(c)) in size, for"
        " every c: it vanishes as π(c) tends to 1, and with it the expected step",
        EVERY_BANDIT + "; D = max r - min r",
        Signs(positive=(pi,), nonnegative=(above, below, spread, rest, T, U)),
        where={**ON_POLICY, r: lambda action: level + above[action]},
        given=[SIMPLEX],
    )
    proof.note(
        "Measure rewards from the smallest one, m: x_j = r_j - m and y_j = D - x_j, neither"
        " negative."
    )
    proof.note("First an action a other than c, with rest = 1 - π_c - π_a, not negative.")
    gradient = pi[a] * (r[a] - r_pi)
    givens = [above[a] + below[a] - spread, rest + pi[c] + pi[a] - 1]
    # the bound less the entry, as a sum of products of nonnegative letters
    over = spread * rest + pi[a] * (below[a] + total(pi[j] * above[j], j))
    proof.at_least("From above,", spread * (1 - pi[c]), gradient, over, given=givens)
    both = Given(above[j] + below[j] - spread, each=j, weight=pi[a] * pi[j])
    under = spread * rest + pi[a] * (above[a] + total(pi[j] * below[j], j))
    proof.at_least(
        "and from below.",
        spread * (1 - pi[c]),
        -gradient,
        under,
        given=[rest + pi[c] + pi[a] - 1, both],
    )
    proof.note(
        "Then a = c itself, with rest = 1 - π_c, T the sum of π_j x_j and U that of π_j y_j over j"
        " ≠ c."
    )
    gradient = pi[c] * (r[c] - r_pi)
    givens = [
        above[c] + below[c] - spread,
        rest + pi[c] - 1,
        T + pi[c] * above[c] - total(pi[j] * above[j], j),
        U + pi[c] * below[c] - total(pi[j] * below[j], j),
    ]
    over = spread * rest**2 + pi[c] * (below[c] * rest + T)
    under = spread * rest**2 + pi[c] * (above[c] * rest + U)
    both = Given(above[j] + below[j] - spread, each=j, weight=pi[c] * pi[j])
    proof.at_least("From above,", spread * (1 - pi[c]), gradient, over, given=givens)
    return proof.at_least(
        "and from below.", spread * (1 - pi[c]), -gradient, under, given=[both, *givens]
    )


@derivation("optimal-corner-attracts")
def optimal_corner_attracts() -> Proof:
    """Near the corner of the best action c its preference rises and every other falls.

    Section 3, line 166. "Near" is where r_π exceeds the reward of every other action, so that each
    of their advantages is negative.
    """
    t, T, s = symbols("t T s")
    proof = Proof(
        "near the corner of the unique best action c, ∇J raises θ(c) and lowers every other"
        " preference",
        EVERY_BANDIT
        + "; r(c) > r(a) for all a ≠ c, 0 < π(c) < 1 and close enough to 1 that r_π > r(a)",
        Signs(positive=(pi, t, T, s)),
        where=ON_POLICY,
        given=[SIMPLEX],
    )
    proof.note("T, the sum of π_j (r_c - r_j) over all j, is positive away from the corner.")
    proof.greater(
        "The entry of c is positive,",
        pi[c] * (r[c] - r_pi),
        0,
        pi[c] * T,
        given=[T - total(pi[j] * (r[c] - r[j]), j)],
    )
    proof.note("and with t = r_π - r_a, positive near the corner,")
    return proof.greater(
        "that of any other action is negative.",
        0,
        pi[a] * (r[a] - r_pi),
        pi[a] * t,
        given=[t - r_pi + r[a]],
    )
