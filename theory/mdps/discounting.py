"""Two footnotes on returns: a discount factor caps them, and without one a critic that never sees
an end has no bound.
"""

from __future__ import annotations

from sympy import IndexedBase, symbols

from altpg_verify.theory.mdps.occupancy import gamma
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import equation, j, total
from altpg_verify.theory.proving.proof import Proof, derivation

most, reward, later, room, short, left = symbols("r_max rho G room short d")
beta, M, v, onward, under, beyond, kept = symbols("beta M v v_next u w f")
visits, value, after, square_after = map(IndexedBase, ("d", "v", "y", "m"))
"""A stationary law of the states, their estimates, and the means of the estimate and of its square
after a step.
"""
CAP = most / left


@derivation("discount-caps-nonnegative-rewards")
def capped() -> Proof:
    """r_max/(1 - γ) - (ρ + γ G) = (r_max - ρ) + γ (r_max/(1 - γ) - G).

    The footnote of line 1276 (appendix E.1), corrected: with negative rewards a short episode's
    return can exceed r_max/(1 − γ), so r_max ≥ 0 is needed.
    """
    proof = Proof(
        "no return exceeds r_max/(1 - γ), and r_max at every step for ever reaches it",
        "0 <= γ < 1, every sequence of rewards none of which exceeds r_max, finite or not; r_max"
        " >= 0",
        Signs(positive=(left,), nonnegative=(gamma, most, room, short)),
        given=[gamma + left - 1],
    )
    proof.note(
        "Let d = 1 - γ > 0. Induct on the number of steps: a return of none is 0.",
        equation(left, 1 - gamma),
    )
    proof.at_least("That isn't above the cap,", CAP, 0, most / left)
    proof.note(
        "A return is ρ + γ G. Let short = r_max - ρ and room = r_max/(1 - γ) - G, neither negative."
    )
    # the cap is r_max/d, hence times d
    givens = [short - most + reward, room * left - most + later * left]
    proof.at_least(
        "and one step more keeps it so.",
        CAP,
        reward + gamma * later,
        short + gamma * room,
        given=givens,
    )
    proof.note("A return without an end is the limit of these, and isn't above it either.")
    return proof.equal(
        "With r_max at every step the cap is the solution of G = r_max + γ G.",
        most + gamma * CAP,
        CAP,
    )


@derivation("unsolved-values-diverge")
def no_bound() -> Proof:
    """v + β (-1 + v' - v) <= M - β if v, v' <= M; and for linear features Σ d (-1 + P v - v) =
    -1.

    Appendix F.1, line 1402: what becomes of a critic that bootstraps at the cut of episodes, never
    sees an end and has γ = 1. The tabular part is exact, the linear one about the mean update.
    """
    proof = Proof(
        "without an end all estimates tend to -∞: in the tabular case the largest falls by at least"
        " β whenever each state was updated, and with linear features the mean update takes them"
        " down at a constant speed",
        "TD with γ = 1, the reward -1 at each step, bootstrapping at the cut. Tabular: 0 < β <= 1,"
        " every order of updates in which each state comes again and again. Linear: the mean update"
        " in the limit of small steps, a stationary law of an irreducible chain, independent"
        " features of which some weighted sum is one in every state, as in tile coding; the limit"
        " is argued in words",
        Signs(positive=(beta,), nonnegative=(under, beyond, kept)),
    )
    proof.note(
        "Let no estimate exceed M: v = M - u and v_next = M - w with u, w >= 0. Let f = 1 - β"
        " >= 0.",
        equation(kept, 1 - beta),
    )
    # one step of TD(0) with γ = 1
    updated = v + beta * (-1 + onward - v)
    givens = [v - M + under, onward - M + beyond, kept + beta - 1]
    proof.at_least(
        "An update brings the state to at most M - β.",
        M - beta,
        updated,
        kept * under + beta * beyond,
        given=givens,
    )
    proof.note(
        "So no estimate rises above M, and once every state was updated none exceeds M - β: repeat"
        " with this for M."
    )
    return _linear(proof)


def _linear(proof: Proof) -> Proof:
    """The weights move by g + A w in the mean; one direction is only pushed, by -1, and A contracts
    the others.
    """
    proof.note(
        "With features x(s) let z be the weights with zᵀ x(s) = 1 in each state, d the stationary"
        " law, and y(s) the mean of v after s."
    )
    same = total(visits[j] * after[j], j) - total(visits[j] * value[j], j)
    proof.note(
        "As d is stationary, these agree.",
        equation(total(visits[j] * after[j], j), total(visits[j] * value[j], j)),
    )
    errors = total(visits[j] * (-1 + after[j] - value[j]), j)
    proof.equal(
        "The mean update of w is Σ d x (-1 + y - v), so zᵀ w changes by",
        errors,
        -1,
        given=[same, total(visits[j], j) - 1],
    )
    proof.note(
        "at all times, and w + z moves as w does, for it only adds 1 to v and to y. Let m(s) be the"
        " mean of v² after s, as stationary."
    )
    square = total(visits[j] * square_after[j], j) - total(visits[j] * value[j] ** 2, j)
    form = total(visits[j] * value[j] * (after[j] - value[j]), j)
    pairs = total(visits[j] * (value[j] ** 2 - 2 * value[j] * after[j] + square_after[j]), j)
    proof.equal(
        "The part of the move that is linear in w has, times w,", form, -pairs / 2, given=[square]
    )
    proof.note(
        "Each v² - 2 v y + m is the mean of (v - v_next)², so this is negative unless v is"
        " constant, that is, w a multiple of z."
    )
    proof.note(
        "Both the multiples of z and the weights orthogonal to z are kept by the linear part: it"
        " contracts the latter, which converge."
    )
    return proof.note(
        "The multiple of z falls at the constant speed 1/zᵀz, and every v(s) with it."
    )
