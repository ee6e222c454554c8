"""Two footnotes on returns: a discount factor caps them, and without one a critic that never sees an end has no bound."""

from __future__ import annotations

from sympy import IndexedBase, symbols

from theory.certificates import Signs
from theory.notation import equation, j, total
from theory.proof import Proof, derivation
from theory.states import gamma

most, reward, later, room, short, left = symbols("r_max rho G room short d")
beta, M, v, onward, under, beyond, kept = symbols("beta M v v_next u w f")
visits, value, after = map(IndexedBase, ("d", "v", "y"))
"""A stationary law of the states, their estimates, and the mean estimates after a step."""
CAP = most / left


@derivation("discount-caps-return")
def capped() -> Proof:
    """r_max/(1 - γ) - (ρ + γ G) = (r_max - ρ) + γ (r_max/(1 - γ) - G)."""
    proof = Proof(
        "no return exceeds r_max/(1 - γ), and r_max at every step for ever reaches it",
        "0 <= γ < 1, every sequence of rewards none of which exceeds r_max, finite or not; r_max >= 0",
        Signs(positive=(left,), nonnegative=(gamma, most, room, short)),
        given=[gamma + left - 1],
    )
    proof.note("Let d = 1 - γ > 0. Induct on the number of steps: a return of none is 0.", equation(left, 1 - gamma))
    proof.at_least("That isn't above the cap,", CAP, 0, most / left)
    proof.note("A return is ρ + γ G. Let short = r_max - ρ and room = r_max/(1 - γ) - G, neither negative.")
    givens = [short - most + reward, room * left - most + later * left]
    proof.at_least("and one step more keeps it so.", CAP, reward + gamma * later, short + gamma * room, given=givens)
    proof.note("A return without an end is the limit of these, and isn't above it either.")
    return proof.equal("With r_max at every step the cap is the solution of G = r_max + γ G.", most + gamma * CAP, CAP)


@derivation("unsolved-values-diverge")
def no_bound() -> Proof:
    """v + β (-1 + v' - v) <= M - β if v, v' <= M; and Σ d (-1 + P v - v) = -1."""
    proof = Proof(
        "without an end every stretch in which each state is updated lowers the largest estimate by at least β: all tend to -∞; "
        "with linear features a fixed mean of the weights falls by β per step in the mean",
        "TD with γ = 1, the reward -1 at each step, bootstrapping at the cut. Tabular: 0 < β <= 1, every order of updates in which each "
        "state comes again and again. Linear: features with a fixed weighted sum of one, as tile coding has; states in a stationary law",
        Signs(positive=(beta,), nonnegative=(under, beyond, kept)),
    )
    proof.note("Let no estimate exceed M: v = M - u and v_next = M - w with u, w >= 0. Let f = 1 - β >= 0.", equation(kept, 1 - beta))
    updated = v + beta * (-1 + onward - v)
    givens = [v - M + under, onward - M + beyond, kept + beta - 1]
    proof.at_least("An update brings the state to at most M - β.", M - beta, updated, kept * under + beta * beyond, given=givens)
    proof.note("So no estimate rises above M, and once every state was updated none exceeds M - β: repeat with this for M.")
    proof.note(
        "With linear features let a fixed weighted sum of them be one in each state: that mean of the weights moves by β times the error."
    )
    proof.note("Let d be the stationary law and y(s) the mean of v after s; d is stationary, so")
    same = total(visits[j] * after[j], j) - total(visits[j] * value[j], j)
    proof.note("these agree.", equation(total(visits[j] * after[j], j), total(visits[j] * value[j], j)))
    errors = beta * total(visits[j] * (-1 + after[j] - value[j]), j)
    return proof.equal("The mean move is", errors, -beta, given=[same, total(visits[j], j) - 1])
