"""Normally distributed actions: exact means by the nodes of a rule, objectives in closed form, and
errors of public reports by name.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, gaussian, gumbel, trainer_loss, update
from altpg_verify.audit.continuous import finer
from altpg_verify.audit.expected_update import expected, moments
from altpg_verify.audit.gaussian_actions import jacobian_term, latent_entropy
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.noise_degree import noise_degree
from altpg_verify.audit.objectives import entropy, kl_from_reference, kl_to_reference, value
from altpg_verify.audit.polynomials import polynomial_of
from altpg_verify.audit.quadrature import Rule, panels
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.verdicts import Verdict


def parabola(a):
    return 2 * a - a**2


PLAIN = gaussian(parabola, mean=0.3, std=0.5)
SQUASHED = gaussian(parabola, mean=0.3, std=0.5, squash="tanh")
CLIPPED = gaussian(parabola, mean=0.3, std=0.5, bounds=(-0.5, 0.8))


@update(space=PLAIN.batch(2))
def score_function(rewards, mean_scores, log_std_scores):
    return {
        "mean": (rewards[:, None] * mean_scores).mean(axis=0),
        "log_std": (rewards[:, None] * log_std_scores).mean(axis=0),
    }


@update(space=PLAIN)
def pathwise(actions, noise, stds):
    slope = 2 - 2 * actions
    return {"mean": slope, "log_std": slope * stds * noise}


# --- what is right
# --------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("made", [score_function, pathwise])
def test_the_gradient_of_a_polynomial_is_met_to_rounding_and_is_not_called_proved(made):
    found = audit(made)
    assert found.kind is Kind.UNBIASED
    assert found.strength is Verdict.HOLDS
    # V = 2μ - μ² - σ²
    assert found.gradient == pytest.approx((2 - 2 * 0.3, -2 * 0.25), abs=1e-14)
    assert found.expected == pytest.approx(found.gradient, abs=1e-14)
    assert (
        "exact for polynomials of the noise up to degree 17, and the same by a finer rule"
        in found.evidence
    )
    # r(a) (ε² - 1), and r'(a) σ ε
    degree = 4 if made is score_function else 2
    assert f"a polynomial of degree {degree} in each number of the noise" in found.evidence


def test_means_of_polynomials_are_exact_fractions():
    reward = polynomial_of([1, 0, 0, 0, "1/3"], 1, scalar=True)
    # E[(μ + σε)⁴] = μ⁴ + 6μ²σ² + 3σ⁴
    at = [Fraction(1, 2), Fraction(2)]
    assert (
        reward.mean_under_normals().at(at, Fraction(1))
        == 1 + (Fraction(1, 16) + 6 * Fraction(1, 4) * 4 + 3 * 16) / 3
    )
    assert str(polynomial_of(parabola, 1, scalar=True)) == "2 a - a²"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "space",
    [
        PLAIN,
        SQUASHED,
        CLIPPED,
        gaussian(lambda a: a[0] * a[1] - a[1] ** 2, mean=[0.3, -0.2], std=[0.5, 0.7], dimension=2),
        gaussian(
            [[0, 1], [0, 0, -1]],
            mean=[0.1, 0.4],
            std=[0.5],
            shared_std=True,
            chances=["1/4", "3/4"],
        ),
        gaussian(parabola, std=0.8, std_parameter="softplus"),
        gaussian(parabola, std=0.8, std_parameter="fixed"),
        gaussian(lambda a: np.exp(-(a**2)), smooth=True, mean=0.2, std=0.3),
    ],
    ids=["plain", "tanh", "clipped", "two numbers", "two contexts", "softplus", "fixed", "smooth"],
)
def test_score_function_updates_are_unbiased_on_every_sort_of_space(space):
    group = space.policy.std_group

    def both(rewards, scores, more):
        spread = rewards.reshape(-1, *[1] * (scores.ndim - 1))
        return {"mean": (spread * scores).mean(axis=0), group: (spread * more).mean(axis=0)}

    if not group:
        made = update(space=space)(
            lambda rewards, mean_scores: (rewards[:, None] * mean_scores).mean(axis=0)
        )
    elif group == "raw_std":
        made = update(space=space)(
            lambda rewards, mean_scores, raw_std_scores: both(rewards, mean_scores, raw_std_scores)
        )
    else:
        made = update(space=space)(
            lambda rewards, mean_scores, log_std_scores: both(rewards, mean_scores, log_std_scores)
        )
    found = audit(made, differentiate=False)
    assert found.kind is Kind.UNBIASED, str(found)


def test_derivatives_of_objectives_are_those_of_their_values():
    beside = gaussian(parabola, mean=0.3, std=0.5, reference=(0.1, 0.9))
    asked = [
        (PLAIN, value),
        (SQUASHED, value),
        (CLIPPED, value),
        (PLAIN, entropy),
        (SQUASHED, entropy),
        (SQUASHED, latent_entropy),
    ]
    for space, objective in [
        *asked,
        (SQUASHED, jacobian_term),
        (beside, kl_to_reference),
        (beside, kl_from_reference),
    ]:
        for group in ("mean", "log_std"):
            here, step = space.parameters[group], 1e-5
            ahead, behind = (
                objective.value(space, {**space.parameters, group: here + side * step})
                for side in (1, -1)
            )
            slope = objective.gradient(space, (group,))
            assert slope[0] == pytest.approx((ahead - behind) / (2 * step), abs=1e-8), (
                objective.name,
                group,
            )


def test_values_are_those_of_another_computation():
    nodes, weights = panels()
    actions = 0.3 + 0.5 * nodes
    assert value.value(PLAIN) == pytest.approx(weights @ parabola(actions), abs=1e-14)
    assert value.value(SQUASHED) == pytest.approx(weights @ parabola(np.tanh(actions)), abs=1e-14)
    # the panels don't end where the clipped reward has a kink
    assert value.value(CLIPPED) == pytest.approx(
        weights @ parabola(np.clip(actions, -0.5, 0.8)), abs=1e-4
    )
    assert entropy.value(PLAIN) == pytest.approx(
        math.log(0.5) + 0.5 * math.log(2 * math.pi * math.e)
    )


def test_rules_integrate_polynomials_up_to_their_degree_and_not_beyond():
    nodes, weights = Rule("hermite", 4).at(0, 1)
    assert weights @ nodes**6 == pytest.approx(15)
    assert abs(weights @ nodes**8 - 105) > 1


# --- what is wrong, by name
# -----------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_std_that_is_never_moved():
    @update(space=PLAIN)
    def mean_only(rewards, mean_scores):
        return {"mean": (rewards[:, None] * mean_scores).mean(axis=0)}

    found = audit(mean_only)
    assert found.kind is Kind.BIASED
    assert "log_std is never moved" in found.causes[0]


@pytest.mark.thorough
def test_a_gradient_in_sigma_that_is_added_to_its_logarithm():
    @update(space=PLAIN)
    def mixed(rewards, mean_scores, log_std_scores, stds):
        step = rewards[:, None] * log_std_scores / stds[:, None]
        return {"mean": (rewards[:, None] * mean_scores).mean(axis=0), "log_std": step.mean(axis=0)}

    found = audit(mixed)
    assert not found.ok
    assert "the gradient in σ, not in log σ" in found.causes[0]


def _soft_actor_critic(times, sign=1):
    """Pathwise, with the entropy bonus 0.1 H and log(1 - a²) so often in log π."""

    @update(space=SQUASHED, target=value + 0.1 * entropy)
    def actor(actions, noise, stds):
        inner = 1 - actions**2
        slope = (2 - 2 * actions) * inner + sign * 0.1 * times * (-2 * actions)
        return {"mean": slope, "log_std": slope * stds * noise + sign * 0.1}

    return actor


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("times", "message"),
    [
        (0, "lacks the correction for tanh"),
        (2, "has the correction for tanh, log(1 - a²), twice"),
        (3, "3 times"),
    ],
)
def test_a_missing_and_a_repeated_jacobian_of_tanh(times, message):
    assert audit(_soft_actor_critic(1)).kind is Kind.UNBIASED
    found = audit(_soft_actor_critic(times))
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert message in found.causes[0]


@pytest.mark.thorough
def test_without_the_correction_the_entropy_is_that_before_tanh():
    assert audit(_soft_actor_critic(0)).follows == "V + 1/10·H(u)"


@pytest.mark.thorough
def test_an_entropy_of_the_wrong_sign():
    assert audit(_soft_actor_critic(1, sign=-1)).follows == "V - 1/10·H"


@pytest.mark.thorough
def test_the_score_of_a_clipped_action():
    @update(space=CLIPPED)
    def clipped(clipped_actions, rewards, means, stds):
        z = (clipped_actions - means) / stds
        return {"mean": rewards * z / stds, "log_std": rewards * (z**2 - 1)}

    found = audit(clipped)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert found.expected[0] < 0.9 * found.gradient[0]
    assert found.causes == (
        (
            "what is scored is the clipped action, whose density is another: with the action as it"
            " was sampled it is unbiased"
        ),
    )


@pytest.mark.thorough
def test_of_a_parabola_without_noise_it_is_not_said_that_the_noise_is_left_out():
    # r'(μ) is E[r'(a)] for parabolas: other rewards tell
    @update(space=PLAIN)
    def at_mean(reward_function, means, stds):
        return {"mean": 2 - 2 * means, "log_std": 0 * means}

    assert audit(at_mean).follows == ""


# --- where two rules differ nothing is said
# -------------------------------------------------------------------------


def test_a_kink_in_the_noise_is_inconclusive_and_nothing_else():
    @update(space=PLAIN)
    def kinked(rewards, noise, mean_scores, log_std_scores):
        weight = rewards * np.abs(noise) / np.sqrt(2 / np.pi)
        return {
            "mean": (weight[:, None] * mean_scores).mean(axis=0),
            "log_std": (weight[:, None] * log_std_scores).mean(axis=0),
        }

    found = audit(kinked)
    assert found.kind is Kind.UNDECIDED
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "the rules differ" in found.evidence


def test_what_is_no_polynomial_of_the_noise_isnt_called_one():
    @update(space=PLAIN)
    def waved(rewards, noise, mean_scores):
        return {"mean": (np.cos(noise)[:, None] * mean_scores).mean(axis=0)}

    assert noise_degree(waved) is None


def test_too_few_nodes_are_seen_by_the_finer_rule():
    few = score_function.on(gaussian(parabola, mean=0.3, std=0.5, nodes=2))
    assert np.abs(expected(few) - moments(few.on(finer(few.space))).mean).max() > 1e-3
    assert audit(few).verdict is Verdict.INCONCLUSIVE


# --- what can't be had
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"std": 0}, "std: 0 is no standard deviation; give a number above 0"),
        ({"std": -1.0}, "std: -1 is no standard deviation"),
        ({"std": float("nan")}, "std"),
        ({"mean": float("inf")}, "mean"),
        ({"mean": [1.0, 2.0]}, "mean has shape"),
        ({"reward": lambda a: np.exp(a)}, "isn't a polynomial of the action"),
        ({"reward": lambda a: abs(a)}, "isn't a polynomial of the action"),
        ({"reward": [0, float("nan")]}, "reward"),
        ({"reward": {(1, 2): 1}}, "exponents"),
        ({"reward": [0] * 40 + [1]}, "degree 40"),
        ({"reward": "a"}, "is no reward"),
        ({"nodes": 1000}, "nodes"),
        ({"nodes": 200, "dimension": 2, "reward": lambda a: a[0]}, "more than the"),
        ({"bounds": (1, -1)}, "bounds"),
        ({"bounds": (-1, 1), "squash": "tanh"}, "give one of squash and bounds"),
        ({"squash": "sigmoid"}, "write 'tanh'"),
        ({"reference": 1}, "write reference=(0, 1)"),
    ],
)
def test_what_is_no_space_is_refused_in_one_sentence(options, message):
    with pytest.raises(BadInput) as refused:
        gaussian(**{"reward": parabola, **options})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_names_of_finitely_many_actions_are_not_offered():
    with pytest.raises(BadEstimator, match="'pi'"):
        update(space=PLAIN)(lambda pi, rewards: pi)


def test_points_and_policies_that_the_rule_is_not_for_are_refused():
    for made, message in (
        (lambda: PLAIN.at(log_std=[800.0]), "standard deviation|not between"),
        (lambda: PLAIN.at(log_std=[-40.0]), "not between"),
        (lambda: PLAIN.sampled_by([[1 / 9] * 9]), "behaviour: a table over the actions"),
        (lambda: PLAIN.against([["1/9"] * 9]), "reference: a table over the actions"),
        (lambda: trainer_loss(space=PLAIN), "can't be handed over as a trainer's loss"),
    ):
        with pytest.raises(BadInput, match=message):
            made()


def test_sampling_and_objectives_of_tables_are_refused():
    with pytest.raises(BadInput, match="nodes of a rule"):
        audit(score_function, samples=1000)
    with pytest.raises(BadInput, match="makes no sense"):
        audit(score_function.on(PLAIN, target="squared_probability"))


def test_an_update_that_writes_or_counts_is_refused():
    calls = []

    @update(space=PLAIN)
    def counts(rewards, mean_scores):
        calls.append(1)
        return {"mean": len(calls) * (rewards[:, None] * mean_scores).mean(axis=0)}

    with pytest.raises(BadEstimator):
        audit(counts)

    @update(space=PLAIN)
    def writes(noise):
        noise += 1
        return {"mean": noise}

    with pytest.raises(BadEstimator, match="noise"):
        audit(writes)


NOISE = gumbel(lambda x: x[0], pi=["1/4", "3/4"])


@pytest.mark.parametrize("space", [PLAIN, SQUASHED, NOISE])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda space: space.sampled_by([["1/2", "1/2"]]), "from the policy that is trained"),
        (lambda space: space.sampled_by(lambda parameters: None), "off-policy losses are tried on"),
        (lambda space: space.decoded(temperature=1.2), "off-policy losses are tried on"),
        (lambda space: space.against([["1/2", "1/2"]]), r"reference=\(mean, std\)"),
    ],
)
def test_other_policies_are_refused_in_words_of_the_space(space, change, words):
    with pytest.raises(BadInput, match=words):
        change(space)
