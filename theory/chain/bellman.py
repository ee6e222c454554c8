"""The numbers and plain facts about the chain environment: from its Bellman equations, for general
symbols before the numbers.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, IndexedBase, Rational, Symbol, symbols

from altpg_verify.theory.chain import fixed_point as chain
from altpg_verify.theory.mdps.occupancy import gamma
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.expression_trees import Meaning
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    as_rational,
    b,
    ghat_ALT,
    j,
    pi,
    r,
    r_pi,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation
from altpg_verify.theory.saturation.variance import corner_alternate, corner_regular

DISCOUNT: Meaning = {gamma: Rational(9, 10)}
v = IndexedBase("v")
V = [v[s] for s in range(1, chain.STATES + 1)]
CHAIN = "the five-state chain, start s₃, reward 1 only for leaving s₅ to the right"
ROUNDED = Rational(1, 200)
"""Half a unit of the second decimal."""
slack, t, u, p = symbols("slack t u p")


def _bellman(right: list[Rational]) -> list[Expr]:
    """Each is zero: v(s) less what its two neighbours and the reward give."""
    # beyond either end the value is 0
    around = [0, *V, 0]
    rewards = [0, 0, 0, 0, right[-1]]
    return [
        V[s] - (1 - right[s]) * gamma * around[s] - right[s] * gamma * around[s + 2] - rewards[s]
        for s in range(chain.STATES)
    ]


def _value_line(proof: Proof, policy: list[Fraction]) -> Rational:
    """The line that v(s₃) is the number that solves the Bellman equations."""
    value = as_rational(chain.value(policy)[2])
    proof.equal(
        "The Bellman equations give",
        V[2],
        value,
        given=_bellman([as_rational(one) for one in policy]),
        where=DISCOUNT,
    )
    return value


@derivation("chain-three-steps")
def three_steps() -> Proof:
    """n(s₃) = 1 + n(s₄) = 2 + n(s₅) = 3, and each step moves by one.

    Appendix E.1, line 1272. A step moves by one state, so a distance of three needs three of them;
    no policy does better.
    """
    n3, n4, n5, steps, moved = symbols("n_3 n_4 n_5 n moved")
    proof = Proof(
        "going right always, three steps leave the chain at its right end, and fewer can't",
        CHAIN,
        Signs(nonnegative=(slack,)),
    )
    proof.equal("Each step goes on by one state.", n3, 3, given=[n5 - 1, n4 - 1 - n5, n3 - 1 - n4])
    proof.note(
        "From position 3 to position 6 an episode of n steps moves by 3, and at most by one in a"
        " step: slack = n - moved >= 0."
    )
    return proof.at_least(
        "So it needs at least three.", steps, 3, slack, given=[moved - 6 + 3, slack - steps + moved]
    )


@derivation("maximum-return-number")
def maximum_return() -> Proof:
    """γ² = 0.81, and γ^(n-1) <= γ² for n >= 3.

    Appendix E.5, line 1367, the caption of fig. chain_messed_sensitivity: the one reward is
    discounted by the steps before it.
    """
    proof = Proof(
        "the largest return is γ², 0.81",
        CHAIN + ", γ = 0.9",
        Signs(positive=(gamma,), nonnegative=(u,)),
    )
    proof.note(
        "The reward 1 comes with the last of n >= 3 steps and is worth γ^(n-1) = γ² t with t ="
        " γ^(n-3) and u = 1 - t >= 0."
    )
    proof.at_least(
        "So no return is larger than that of three steps,",
        gamma**2,
        gamma**2 * t,
        gamma**2 * u,
        given=[u - 1 + t],
    )
    return proof.equal("which is 0.81.", gamma**2, Rational(81, 100), where=DISCOUNT)


HUNDREDTH = Rational(9, 10) ** 100


def _hundredth_power(proof: Proof) -> Proof:
    printed, half = Rational(27, 10**6), Rational(5, 10**7)
    proof.at_least(
        "γ¹⁰⁰ is at least 2.65 · 10⁻⁵",
        gamma**100,
        printed - half,
        HUNDREDTH - printed + half,
        where=DISCOUNT,
    )
    return proof.at_least(
        "and at most 2.75 · 10⁻⁵.",
        printed + half,
        gamma**100,
        printed + half - HUNDREDTH,
        where=DISCOUNT,
    )


@derivation("hundredth-power-of-discount")
def hundredth_power() -> Proof:
    """|0.9¹⁰⁰ - 2.7 · 10⁻⁵| <= 5 · 10⁻⁷.

    The footnote of line 1274: the weight of whatever an episode would earn after the cut at 100
    steps.
    """
    return _hundredth_power(Proof("γ¹⁰⁰ is 2.7 · 10⁻⁵ to two digits", "γ = 0.9, exact rationals"))


@derivation("timeout-contribution-negligible")
def timeout_negligible() -> Proof:
    """γ¹⁰⁰ v <= γ¹⁰⁰ < γ²/10 000.

    Appendix E.1, line 1274: the cut changes no return by more than this, so exact values without a
    cut may be compared to runs with one.
    """
    proof = Proof(
        "what a cut at 100 steps leaves out is less than a ten-thousandth of the largest return,"
        " 0.81, for every policy",
        CHAIN + ", γ = 0.9",
        Signs(nonnegative=(slack,)),
    )
    proof.note(
        "A reward of 1 comes at most once, so every value is at most 1: slack = 1 - v_timeout >= 0."
    )
    value = Symbol("v_timeout")
    spare = Rational(81, 100) / 10000 - HUNDREDTH
    return proof.greater(
        "So",
        gamma**2 / 10000,
        gamma**100 * value,
        spare + HUNDREDTH * slack,
        given=[slack - 1 + value],
        where=DISCOUNT,
    )


@derivation("return-noise-without-reward-noise")
def return_noise() -> Proof:
    """V[ĝ_ALT] = Var(G) e_c at a corner, and Var G >= p q g²/(p + q) if G is g with probability p
    and 0 with probability q.

    Appendix E.2, line 1297: without reward noise there still is noise in the return, from the later
    actions. Proposition 2 applies with the return in the place of the reward.
    """
    mean, variance, gain, q, rest = symbols("m Var g q rest")
    proof = Proof(
        "at a corner the alternate estimate has the variance of the return, which is positive if"
        " two returns are possible: with random transitions at the corner itself, and with those of"
        " the chain at every interior policy",
        "every corner with the return in the place of the reward; "
        + CHAIN
        + ", every interior policy, every discount in (0, 1]",
        Signs(positive=(p, q, gain), nonnegative=(rest,)),
    )
    proof.note("Read R as the return after the action of the corner and σ² as its variance.")
    proof.include(corner_alternate.proof()).note("The regular one has none there:").include(
        corner_regular.proof()
    )
    proof.note(
        "Let g > 0 be one possible return, p its probability, and q that of the return zero; m is"
        " the mean of the return,"
    )
    proof.note(
        "and rest >= 0 is what other returns add to the variance Var. On the chain g = γⁿ, for both"
        " ends can be reached."
    )
    # their part of the variance around the mean
    two_points = p * (gain - mean) ** 2 + q * mean**2
    # completing the square in the mean
    witness = (p + q) * (mean - p * gain / (p + q)) ** 2 + p * q * gain**2 / (p + q) + rest
    return proof.greater(
        "So the variance isn't zero.", variance, 0, witness, given=[variance - two_points - rest]
    )


@derivation("fixed-value-biases-alternate")
def fixed_value_biases() -> Proof:
    """ν π (v - b) isn't zero, as v <= 1 < b.

    Appendix E.3, line 1330. The bias is ν(s) π(a|s) (v(s) − b), and no value of the chain exceeds
    1.
    """
    below, occupancy = symbols("h", cls=type(r)), Symbol("nu")
    proof = Proof(
        "with b = 4 every entry of the expected update is below the gradient's",
        CHAIN + "; every interior policy, every MDP whose action values are at most 1",
        Signs(positive=(pi, occupancy), nonnegative=(below,)),
        where=ON_POLICY,
    )
    proof.note(
        "In a state with occupancy ν > 0 read r_a as q(s, a) and r_π as v(s); h = 1 - q isn't"
        " negative."
    )
    high = Given(below[j] + r[j] - 1, each=j, weight=occupancy * pi[j] * pi[a])
    gradient, update = occupancy * pi[a] * (r[a] - r_pi), occupancy * E(ghat_ALT[a])
    proof.equal("The bias of the entry is", update - gradient, occupancy * pi[a] * (r_pi - b))
    # b - v = 3 + (1 - v), with b = 4
    excess = occupancy * pi[a] * (3 + total(pi[j] * below[j], j))
    return proof.greater("and negative.", gradient, update, excess, given=[b - 4, high, SIMPLEX])


left_gap, right_gap = symbols("d_left d_right")
LEMMA = (1 / right_gap) / (1 / left_gap + 1 / right_gap)
"""The lemma's probability of right, with b - r for both actions."""


def _lemma_proof(summary: str) -> Proof:
    proof = Proof(
        summary,
        CHAIN + "; the lemma's formula with the immediate rewards, b = 4",
        Signs(positive=(left_gap, right_gap)),
    )
    proof.note(
        "Let d be the baseline less the immediate reward of each action. The probability of right"
        " in general:"
    )
    return proof.equal(
        "it grows with the gap of the other action.", LEMMA, left_gap / (left_gap + right_gap)
    )


@derivation("chain-uniform-states-number")
def uniform_states() -> Proof:
    """Equal gaps give one half.

    Appendix E.3, line 1330: lemma 2.1 applied to each state with its immediate rewards, as the
    paper does. `fixed_point` shows that this isn't the fixed point of the chain.
    """
    proof = _lemma_proof(
        "both actions have probability 1/2 where their immediate rewards are equal"
    )
    return proof.equal(
        "With no reward for either it is",
        LEMMA,
        Rational(1, 2),
        given=[left_gap - b, right_gap - b],
    )


@derivation("chain-last-state-number")
def last_state() -> Proof:
    """4/7 is 0.57 and 3/7 is 0.43 to two decimals.

    Appendix E.3, line 1330: the gaps are 4 for left and 3 for right, and probabilities are
    inversely proportional to them.
    """
    proof = _lemma_proof(
        "right has probability 4/7 in s₅, 0.57, and left 3/7, 0.43, to two decimals"
    )
    proof.equal(
        "With the reward 1 for right and b = 4,",
        LEMMA,
        Rational(4, 7),
        given=[left_gap - b, right_gap - b + 1, b - 4],
    )
    return _rounds(
        _rounds(proof, p, Rational(4, 7), Rational(57, 100)),
        1 - p,
        Rational(4, 7),
        Rational(43, 100),
    )


def _rounds(proof: Proof, number: Expr, exact: Rational, printed: Rational) -> Proof:
    """`number`, a function of p = `exact`, is within half a unit of the second decimal of
    `printed`.
    """
    # within half a unit on either side, two lines
    given, at = [p - exact], number.subs(p, exact)
    proof.at_least("At least", number, printed - ROUNDED, at - printed + ROUNDED, given=given)
    return proof.at_least(
        "and at most", printed + ROUNDED, number, printed + ROUNDED - at, given=given
    )


@derivation("chain-value-number")
def chain_value() -> Proof:
    """v(s₃) = 103356/369859, which is 0.28 to two decimals.

    Appendix E.3, line 1330: the five Bellman equations, solved in fractions; the kernel checks the
    solution by elimination.
    """
    proof = Proof(
        "the value of the printed policy is 0.28 to two decimals",
        CHAIN + ", γ = 0.9; right with 1/2, in s₅ with 4/7",
    )
    value = _value_line(proof, chain.immediate_reward_policy())
    return _rounds(proof.note("Write p for this number."), p, value, Rational(28, 100))


@derivation("uniform-policy-explores-poorly")
def explores_poorly() -> Proof:
    """P(right end) = 1/(1 + ρ³) with the odds ρ of going left.

    Appendix E.5, line 1362: gambler's ruin from the middle of five states. With three of the four
    actions going left the odds are ρ = 3.
    """
    odds, difference, reach, more = symbols("rho D h s")
    here, before, after = symbols("h_here h_before h_after")
    proof = Proof(
        "the uniform policy reaches the rewarding end with probability 1/28 if three of four"
        " actions go left, and 1/2 with two actions",
        "the chain from s₃, all odds ρ of left against right; ρ = 3 and ρ = 1",
        Signs(positive=(odds, more, p)),
    )
    proof.note(
        "Let h(s) be the probability to end at the right, p that of going right, ρ = (1 - p)/p; h"
        " is a mean over the next states."
    )
    mean = here - p * after - (1 - p) * before
    proof.equal(
        "So each difference is ρ times the one before.",
        after - here,
        odds * (here - before),
        given=[mean, p * odds - 1 + p],
    )
    # six steps from one end to the other, each difference ρ times the one before
    geometric = sum(odds**n for n in range(6))
    proof.note(
        "With D the first one, the six differences sum to one, and h(s₃) is the sum of the first"
        " three."
    )
    proof.equal(
        "So",
        reach,
        1 / (1 + odds**3),
        given=[reach - difference * (1 + odds + odds**2), difference * geometric - 1],
    )
    worse = (3 * more + 3 * more**2 + more**3) / (2 * (1 + odds**3))
    proof.greater(
        "It is less than one half for ρ = 1 + s > 1;",
        Rational(1, 2),
        1 / (1 + odds**3),
        worse,
        given=[odds - 1 - more],
    )
    proof.equal("for ρ = 3 it is", 1 / (1 + odds**3), Rational(1, 28), given=[odds - 3])
    proof.equal("and for ρ = 1", 1 / (1 + odds**3), Rational(1, 2), given=[odds - 1])
    return proof.at_least(
        "which is more than ten times as much.",
        Rational(1, 2) - 10 * p,
        0,
        Rational(1, 7),
        given=[28 * p - 1],
    )
