"""An entropy or a divergence that a loss computes in every visited state: what its gradient leaves
out is said.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, tokens, trainer_loss
from altpg_verify.audit.held_visits import VISITED
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.policy_quantities import Tables

ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).against(
    [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]]
)
HELD = "in one term the visited states S are held: it is ∇({}) without the part by which that term"


def entropies(logits):
    return -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1)


def bonus(log_prob, logits, returns, response_mask):
    each = returns * log_prob + 0.01 * entropies(logits)
    return -(each * response_mask).sum(-1).mean()


def bonus_over_length(log_prob, logits, returns, response_mask):
    gained = (returns * log_prob * response_mask).sum(-1)
    means = (entropies(logits) * response_mask).sum(-1) / response_mask.sum(-1)
    return -(gained + 0.05 * means).mean()


def k2(log_prob, ref_log_prob, returns, response_mask):
    gap = log_prob - ref_log_prob
    return -((returns * log_prob - 0.1 * gap**2 / 2) * response_mask).sum(-1).mean()


def k3(log_prob, ref_log_prob, returns, response_mask):
    gap = ref_log_prob - log_prob
    each = returns * log_prob - 0.1 * (gap.exp() - gap - 1)
    return -(each * response_mask).sum(-1).mean()


def both(log_prob, ref_log_prob, logits, returns, response_mask):
    gap = log_prob - ref_log_prob
    each = returns * log_prob / 2 - 0.1 * gap**2 / 2 + 0.03 * entropies(logits)
    return -(each * response_mask).sum(-1).mean()


@pytest.mark.parametrize(
    ("loss", "target", "formula"),
    [
        (bonus, "value + 0.01 * entropy", "V + 1/100·E[Σ H(π(·|S))]"),
        (bonus, "value", "V + 1/100·E[Σ H(π(·|S))]"),
        (bonus_over_length, "value + 0.05 * entropy", "V + 1/20·E[(1/T) Σ H(π(·|S))]"),
        (k2, "value - 0.1 * kl_to_reference", "V - 1/10·E[Σ KL(π‖ref)(S)]"),
        (k3, "value - 0.1 * kl_to_reference", "V - 1/10·E[Σ KL(ref‖π)(S)]"),
        (both, "value", "1/2·V + 3/100·E[Σ H(π(·|S))] - 1/10·E[Σ KL(π‖ref)(S)]"),
    ],
)
def test_what_a_term_of_each_visited_state_leaves_out_is_said(loss, target, formula):
    pytest.importorskip("torch")
    found = audit(trainer_loss(loss, space=ROWS, target=target), differentiate=False)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert found.causes[0].startswith(HELD.format(formula))


def test_a_uniform_reference_is_a_divergence_where_one_is_asked_for():
    """There an entropy's gradient is the same."""
    pytest.importorskip("torch")
    space = ROWS.against([["1/2", "1/2"]] * 3)
    said = [
        audit(trainer_loss(k2, space=space, target=target), differentiate=False).causes[0]
        for target in ("value - 0.1 * kl_to_reference", "value + 0.1 * entropy")
    ]
    assert "KL(π‖ref)(S)" in said[0]
    assert "H(π(·|S))" in said[1]


def test_the_other_order_of_the_ratio_is_no_such_term():
    """exp(log π - log ref) for its inverse: E[∇k] is no divergence's gradient in any state."""
    pytest.importorskip("torch")

    def other_order(log_prob, ref_log_prob, returns, response_mask):
        gap = log_prob - ref_log_prob
        each = returns * log_prob - 0.1 * (gap.exp() - gap - 1)
        return -(each * response_mask).sum(-1).mean()

    found = audit(trainer_loss(other_order, space=ROWS), differentiate=False)
    assert not any("visited states" in each for each in found.causes)


def test_the_first_states_entropy_alone_is_another_thing():
    """Held or not, the first state is visited always: nothing is left out."""
    pytest.importorskip("torch")

    def first_only(log_prob, logits, returns, response_mask):
        gained = (returns * log_prob * response_mask).sum(-1)
        return -(gained + 0.1 * entropies(logits)[:, 0]).mean()

    found = audit(trainer_loss(first_only, space=ROWS), differentiate=False)
    assert found.kind is not Kind.UNBIASED
    assert not any("visited states" in each for each in found.causes)


def uneven(log_prob, logits, returns, response_mask):
    """Another coefficient for each token."""
    weights = entropies(logits).detach() * 0 + log_prob.new_tensor([0.01, 0.02])
    return -((returns * log_prob + weights * entropies(logits)) * response_mask).sum(-1).mean()


def weighed_by_the_policy(log_prob, logits, returns, response_mask):
    each = returns * log_prob + 0.01 * entropies(logits) * log_prob.exp().detach()
    return -(each * response_mask).sum(-1).mean()


def squared(log_prob, logits, returns, response_mask):
    each = returns * log_prob + 0.01 * entropies(logits) ** 2
    return -(each * response_mask).sum(-1).mean()


def of_the_sequence(log_prob, returns, response_mask):
    """The whole entropy: nothing is held."""
    whole = (log_prob * response_mask).sum(-1)
    return -((returns[:, 0] - 0.01 * whole.detach()) * whole).mean()


@pytest.mark.parametrize("loss", [uneven, weighed_by_the_policy, squared, of_the_sequence])
def test_what_only_resembles_such_a_term_is_not_called_one(loss):
    pytest.importorskip("torch")
    made = trainer_loss(loss, space=ROWS, target="value + 0.01 * entropy")
    found = audit(made, differentiate=False)
    assert (found.kind is Kind.UNBIASED) is (loss is of_the_sequence)
    assert not any("visited states" in each for each in found.causes)


@pytest.mark.parametrize("number", range(len(VISITED)))
def test_the_field_is_a_sum_over_states_of_gradients_within_them(number):
    """By finite differences of each state's number, weighted with how often the state comes."""
    objective = VISITED[number]
    theta = ROWS.parameters["theta"] + np.linspace(-0.7, 0.9, 6).reshape(3, 2)
    tables = Tables.at(ROWS, {"theta": theta})
    arrays, mean = ROWS.arrays, "1/T" in objective.formula
    weights = tables.probabilities / (arrays.lengths if mean else 1)
    visits = np.zeros(3)
    for row, weight in enumerate(weights):
        for state in arrays.states[row][arrays.steps[row]]:
            visits[state] += weight

    def number_of(state, logits):
        pi = np.exp(logits) / np.exp(logits).sum()
        ref = ROWS.reference[state].astype(float)
        return {
            "H": -(pi * np.log(pi)).sum(),
            "π": (pi * np.log(pi / ref)).sum(),
            "r": (ref * np.log(ref / pi)).sum(),
        }["H" if "H(" in objective.formula else "π" if "π‖ref" in objective.formula else "r"]

    by_hand, step = np.zeros((3, 2)), 1e-5
    for state in range(3):
        for action in range(2):
            move = step * np.eye(2)[action]
            rise = number_of(state, theta[state] + move) - number_of(state, theta[state] - move)
            by_hand[state, action] = visits[state] * rise / (2 * step)
    found = objective.gradient(ROWS, ["theta"], {"theta": theta})
    assert np.allclose(found, by_hand.ravel(), atol=1e-9)
