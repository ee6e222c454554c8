"""What is narrower than the distance of a rule's nodes is no pass: peaks at constants, at what is
computed of them, in rewards, in noise, in batches; what is smooth stays unbiased, and what was run
is said.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.audit import audit, from_function, gaussian, gumbel
from altpg_verify.audit.kinds import Kind
from altpg_verify.verdicts import Verdict


def parabola(a):
    return 2 * a - a**2


PLAIN = gaussian(parabola, mean=0.3, std=0.5)
TANH = gaussian(parabola, mean=0.3, std=0.5, squash="tanh")
CLIPPED = gaussian(parabola, mean=0.3, std=0.5, bounds=(-0.5, 0.8))
VECTOR = gaussian(lambda a: a[0] * a[1] - a[0] ** 2, mean=[0.3, 0.1], std=[0.5, 0.4], dimension=2)
CONTEXTS = gaussian([parabola, lambda a: a], mean=0.3, std=0.5)
SMOOTH = gaussian(np.sin, mean=0.3, std=0.5, smooth=True)
TWO = gumbel(lambda x: (x[0] + x[1] / 2) ** 2, pi=["1/4", "3/4"], temperature=0.5)


def judged(function, space=PLAIN, **options):
    return audit(from_function(function, space=space, **options), differentiate=False)


def times(factor):
    """REINFORCE, times a factor of the action."""

    def mine(reward, mean_scores, log_std_scores, action):
        by = reward * factor(action)
        return {"mean": by * mean_scores[0], "log_std": by * log_std_scores[0]}

    return mine


def mean(rewards, mean_scores, log_std_scores):
    return {
        "mean": (rewards.reshape(-1, 1) * mean_scores).mean(axis=0),
        "log_std": (rewards.reshape(-1, 1) * log_std_scores).mean(axis=0),
    }


def mean_with(name, peak):
    """The mean of a batch, with a peak in a quantity of its members."""
    scope = {"peak": peak}
    exec(
        f"def mine(rewards, mean_scores, log_std_scores, {name}):\n"
        f"    by = (rewards * peak({name}))[:, None]\n"
        "    return {'mean': (by * mean_scores).mean(axis=0), 'log_std': (by *"
        " log_std_scores).mean(axis=0)}",
        scope,
    )
    return scope["mine"]


def at_a_product(a):
    third, much = 0.3, 2.9
    return 1 + 1e5 * (abs(a - third * much) < 1e-5)


PEAKS = {
    "of a constant": lambda a: 1 + 1e3 * (abs(a - 0.77) < 1e-3),
    "of a narrow constant": lambda a: 1 + 1e7 * (abs(a - 0.77) < 1e-7),
    "at a cosine": lambda a: 1 + 1e6 * (abs(a - math.cos(0.69)) < 1e-6),
    "at a product": at_a_product,
    "smooth": lambda a: 1 + 1e6 * np.exp(-(((a - 0.77) / 1e-6) ** 2)),
    "a tent": lambda a: 1 + 1e6 * np.maximum(0, 1 - abs(a - 0.77) * 1e6),
    "in a branch": lambda a: 1e6 if abs(a - 0.77) < 1e-6 else 1,
    "of a line": lambda a: 1 + 1e5 * (abs(3.1 * a - 2.7) < 1e-5),
}


@pytest.mark.thorough
@pytest.mark.parametrize("peak", PEAKS.values(), ids=PEAKS)
def test_a_peak_that_two_rules_dont_see_is_no_pass(peak):
    found = judged(times(peak))
    assert (found.kind, found.strength) == (Kind.UNDECIDED, Verdict.INCONCLUSIVE)
    assert "narrower than the distance of the nodes" in found.evidence


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "peak"),
    [
        ("noise", lambda x: 1 + 1e5 * (abs(x - 1.234) < 1e-5)),
        ("logprobs", lambda x: 1 + 1e5 * (abs(x + 0.75) < 1e-5)),
        ("old_logprobs", lambda x: 1 + 1e5 * (abs(x + 0.75) < 1e-5)),
    ],
)
@pytest.mark.parametrize("size", [1, 2])
def test_peaks_in_other_quantities(name, peak, size):
    found = judged(mean_with(name, peak), PLAIN.batch(size))
    assert found.kind is Kind.UNDECIDED


@pytest.mark.thorough
def test_a_peak_where_a_reward_is_a_constant():
    def mine(rewards, mean_scores, log_std_scores):
        by = (rewards * (1 + 1e5 * (abs(rewards - 0.5) < 1e-5)))[:, None]
        return {"mean": (by * mean_scores).mean(0), "log_std": (by * log_std_scores).mean(0)}

    assert judged(mine, PLAIN.batch(1)).kind is Kind.UNDECIDED


def test_a_peak_where_two_numbers_of_an_action_are_equal():
    def mine(rewards, mean_scores, log_std_scores, actions):
        by = rewards[0] * (1 + 1e4 * (abs(actions[0, 1] - actions[0, 0]) < 1e-4))
        return {"mean": by * mean_scores[0], "log_std": rewards[0] * log_std_scores[0]}

    assert judged(mine, VECTOR).kind is Kind.UNDECIDED


@pytest.mark.thorough
@pytest.mark.parametrize("space", [TANH, CLIPPED, SMOOTH], ids=["tanh", "clipped", "smooth"])
def test_peaks_on_other_spaces(space):
    found = judged(times(PEAKS["of a constant"]), space)
    assert found.kind is Kind.UNDECIDED
    assert judged(times(lambda a: 1), space).kind is Kind.UNBIASED


@pytest.mark.thorough
def test_a_peak_of_one_context_of_two():
    def mine(rewards, mean_scores, log_std_scores, actions, states):
        peak = 1e4 * (abs(actions[0] - 0.123) < 1e-4) * (states[0] == 1)
        return {
            "mean": rewards[0] * mean_scores[0] * (1 + peak),
            "log_std": rewards[0] * log_std_scores[0],
        }

    assert judged(mine, CONTEXTS).kind is Kind.UNDECIDED


@pytest.mark.thorough
def test_a_peak_in_a_reward_that_is_declared_smooth():
    space = gaussian(
        lambda a: np.sin(a) + 1e4 * np.exp(-(((a - 0.77) / 1e-4) ** 2)),
        mean=0.3,
        std=0.5,
        smooth=True,
    )
    assert judged(times(lambda a: 1), space).kind is Kind.UNDECIDED


@pytest.mark.thorough
def test_a_peak_of_a_relaxation():
    def right(rewards, scores):
        return rewards[0] * scores[0]

    def mine(rewards, scores, relaxed):
        return rewards[0] * scores[0] * (1 + 1e4 * (abs(relaxed[0, 0] - 0.77) < 1e-5))

    assert judged(right, TWO).kind is Kind.UNBIASED
    assert judged(mine, TWO).kind is Kind.UNDECIDED


@pytest.mark.thorough
def test_draws_that_are_thrown_away_in_a_narrow_gap():
    space = PLAIN.keeping(lambda draw: abs(draw["actions"][0] - 0.77) > 1e-3)
    assert judged(times(lambda a: 1), space).kind is Kind.UNDECIDED


@pytest.mark.thorough
def test_what_raises_between_the_nodes_is_no_pass():
    def raising(a):
        if abs(a - 0.77) < 1e-3:
            raise ValueError("never here")
        return 1

    found = judged(times(raising))
    assert found.kind is Kind.UNDECIDED
    assert "on a finer line of the noise it raised ValueError: never here" in found.evidence


@pytest.mark.thorough
@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_is_smooth_is_unbiased_and_what_was_run_is_said(size):
    found = judged(mean, PLAIN.batch(size))
    assert (found.kind, found.strength) == (Kind.UNBIASED, Verdict.HOLDS)
    assert "from -9.5 to 9.5" in found.evidence
    assert "what is narrower there isn't seen" in found.evidence


@pytest.mark.thorough
def test_what_stands_nowhere_and_is_narrower_than_said_is_never_called_proved():
    place = sum(map(ord, "abcdefg")) / 913.0777
    found = judged(times(lambda a: 1 + 1e9 * (abs(a - place * place * place) < 1e-9)))
    assert found.strength in (Verdict.HOLDS, Verdict.INCONCLUSIVE)
    assert found.kind is Kind.UNDECIDED or "narrower there isn't seen" in found.evidence
