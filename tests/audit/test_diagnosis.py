"""The audit on planted faults: each must be called what it is, and innocent code cleared."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import alternate, regular
from altpg_verify.audit import (
    audit,
    bandit,
    check_update,
    compare,
    endpoints,
    from_estimator,
    from_function,
    update,
)
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.expected_update import curl, exact_expected, expected
from altpg_verify.audit.findings import AuditError
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_arms, two_prompts
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import OBJECTIVES, objective_named, value
from altpg_verify.audit.policies import softmax_policy
from altpg_verify.audit.proofs import proved
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.verdicts import Verdict
from tests.shares import share

B3 = three_arms()


def reinforce(reward, score):
    return reward * score


def planted(function, space=B3, **options):
    return audit(from_function(function, space=space, **options))


FAULTS = [
    (reinforce, Kind.UNBIASED),
    (lambda reward, score: -reward * score, Kind.REVERSED),
    (lambda reward, score: 2 * reward * score, Kind.SCALED),
    (lambda reward, score: 0 * score, Kind.ZERO),
    (lambda reward, score: score, Kind.ZERO),
    (lambda reward, e: reward * e, Kind.NOT_A_GRADIENT),
    (
        lambda reward, score, pi: reward * score + 1e-6 * pi[0] * np.array([0, 1, 0]),
        Kind.NOT_A_GRADIENT,
    ),
    (lambda reward, score, logprobs: (reward - 0.25 * logprobs[0]) * score, Kind.OTHER_OBJECTIVE),
    (lambda reward, score, pi: score * np.sin(pi @ np.array([1.0, 0.5, 0.0])), Kind.ZERO),
    (lambda q, pi: pi * (np.exp(q) - pi @ np.exp(q)), Kind.BIASED),
]
NAMES = [
    *("right", "sign", "doubled", "nothing", "no_reward", "alternate", "slight_turn"),
    *("entropy", "score_alone", "other_rewards"),
]


@pytest.mark.parametrize(("function", "kind"), FAULTS, ids=NAMES)
def test_a_planted_fault_is_called_what_it_is(function, kind):
    found = planted(function)
    assert found.kind is kind
    assert found.ok is (kind is Kind.UNBIASED)
    assert (found.verdict is Verdict.REFUTED) is (kind is not Kind.UNBIASED)


@pytest.mark.parametrize(("function", "kind"), share(FAULTS, 3), ids=NAMES)
def test_so_it_is_where_draws_are_many_and_derivatives_are_spared(function, kind, monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.expected_update.MANY", 0)
    monkeypatch.setattr("altpg_verify.audit.diagnosis.MANY_DRAWS", 0)
    assert planted(function).kind is kind


def test_a_bias_of_one_part_in_a_hundred_million_is_seen():
    assert planted(lambda reward, score: (1 + 1e-8) * reward * score).kind is Kind.SCALED
    assert (
        planted(
            lambda reward, score, pi: reward * score + 1e-8 * pi[0] * (np.array([0, 1, 0]) - pi)
        ).kind
        is not Kind.UNBIASED
    )


def test_a_bias_that_vanishes_at_the_point_is_shown_elsewhere():
    space = B3.having(b=Fraction(1, 3))
    found = audit(from_estimator(alternate, space=space))
    # b = v at the point of the audit only, where the alternate estimator is unbiased
    assert found.kind is not Kind.UNBIASED
    assert max(abs(float(entry)) for entry in found.bias) > 1e-3
    assert any("at the point of the audit itself" in note for note in found.notes)


def test_proofs_are_proofs():
    found = planted(reinforce)
    assert found.verdict is found.strength is Verdict.PROVED
    wrong = from_function(
        lambda reward, score, pi: reward * score + pi[0] * pi[1] * pi[2] * (score - score), space=B3
    )
    assert proved(wrong, value)
    assert not proved(
        from_function(lambda reward, score, pi: reward * score * (1 + pi[0]), space=B3), value
    )
    assert not proved(from_function(reinforce, space=B3), value, Fraction(2))


def test_what_runs_on_floats_only_is_never_proved():
    found = planted(lambda reward, logprobs, score: reward * score * np.exp(0 * logprobs[0]))
    assert found.kind is Kind.UNBIASED
    assert found.verdict is Verdict.HOLDS


def test_a_branch_on_the_policy_is_never_proved():
    found = planted(lambda reward, score, pi: reward * score if pi[0] < 2 else score)
    assert found.kind is Kind.UNBIASED
    assert found.verdict is Verdict.HOLDS


def test_exact_sides_are_fractions():
    found = planted(reinforce)
    assert found.expected == found.gradient == (Fraction(1, 9), Fraction(1, 18), Fraction(-1, 6))
    assert list(exact_expected(from_estimator(regular, space=B3), B3.weights)) == list(
        found.expected
    )


def test_raw_and_gauge_curl_are_told_apart():
    found = curl(from_function(lambda h: h, space=B3))
    assert found.raw == pytest.approx(5 / 18)
    assert found.gauge == pytest.approx(0, abs=1e-10)
    assert curl(from_estimator(alternate, space=B3)).gauge == pytest.approx(1 / 108)


def test_a_kink_is_not_differentiated_in_silence():
    clipped = from_function(
        lambda reward, score, pi: reward * score * min(pi[0] * 6, 1.0), space=B3
    )
    assert curl(clipped).error > 1e-3


# every candidate against every other; the gallery's cases show one of most
@pytest.mark.slow
def test_candidates_are_told_apart():
    """No candidate's gradient is taken for another's on a space where both make sense."""
    for space in (B3.against(["1/2", "1/4", "1/4"]), stop_or_go(discount="1/2")):
        for name, objective in OBJECTIVES.items():
            if not objective.fits(space) or objective.holds:
                continue

            def ascent(parameters, draw, objective=objective):
                found = objective.gradient(draw.space, ("theta",), parameters)
                return {"theta": found.reshape(parameters["theta"].shape)}

            found = audit(Update(name, ascent, space, "-entropy"), differentiate=False)
            if name == "entropy":
                assert found.kind is Kind.REVERSED
            else:
                assert (found.kind, found.follows) == (Kind.OTHER_OBJECTIVE, objective.formula)


def test_targets_by_name_and_by_sum():
    assert objective_named("-entropy").formula == "-H"
    assert (value + 0.1 * objective_named("entropy")).formula == "V + 1/10·H"
    with pytest.raises(BadInput, match="target 'banana' is not known; choose from value"):
        objective_named("banana")
    with pytest.raises(BadInput, match="makes no sense on"):
        planted(reinforce, target="kl_to_reference")


def test_marks_are_strict():
    scaled = from_function(
        lambda reward, score: 2 * reward * score,
        space=B3,
        intended={"scaled": "the optimiser halves it"},
    )
    assert check_update(scaled).intended == "the optimiser halves it"
    right = from_function(reinforce, space=B3, intended={"scaled": "no longer true"})
    assert not audit(right).ok
    with pytest.raises(AuditError, match="remove the mark"):
        check_update(right)


def test_the_message_of_a_failure():
    with pytest.raises(AuditError) as failure:
        check_update(
            from_function(lambda reward, score: 2 * reward * score, space=B3, name="doubled"),
            origin="mine:doubled",
        )
    assert (
        str(failure.value)
        == "✗ doubled: right direction, wrong scale: the expected update is ∇V times 2\n    law    "
        "   E[g] = ∇V: REFUTED\n    where     three arms, one episode a draw (3 draws); π ="
        " (1/6, 1/3, 1/2), r = (1, 1/2, 0)\n    left      (2/9, 1/9, -1/3)   the expected"
        " update\n    right     (1/9, 1/18, -1/6)   the gradient of the value V\n    bias     "
        " (1/9, 1/18, -1/6) = 1 ∇V\n    scale     2\n    evidence  PROVED: for every policy on"
        " this space, as rational functions\n    curl      0 in the raw logits, 0 modulo their"
        " shifts\n    variance  0.771605 in total, for one draw\n    intended?"
        " intended={'scaled': 'why'}\n    replay    python -m altpg_verify check mine:doubled"
    )


def test_results_are_data():
    found = planted(lambda reward, score: 2 * reward * score)
    assert json.loads(found.as_json()) == found.as_dict()
    assert found.as_dict()["scale"]["factors"] == {"": 2.0}
    assert "<table>" in found._repr_html_()
    with pytest.raises(AttributeError):
        found.kind = Kind.ZERO


def test_each_prompt_has_a_scale_of_its_own():
    def by_prompt(reward, score, starts):
        return (1 + 2 * starts) * reward * score

    found = planted(by_prompt, two_prompts())
    assert found.kind is Kind.SCALED
    assert dict(found.scale.factors) == {"prompt 0": 1, "prompt 1": 3}
    assert not found.scale.constant


def test_declared_randomness_is_enumerated():
    space, coin = B3, {"flip": [(1, Fraction(1, 2)), (-1, Fraction(1, 2))]}
    found = planted(lambda reward, score, flip: reward * score + flip, space, choices=coin)
    assert found.kind is Kind.UNBIASED
    assert found.draws == 6
    loaded = {"flip": [(1, Fraction(2, 3)), (0, Fraction(1, 3))]}
    assert planted(
        lambda reward, score, flip: reward * score * flip, space, choices=loaded
    ).scale.factors[""] == Fraction(2, 3)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda reward: reward, "returned shape"),
        (lambda reward, score: score * np.nan, "return finite numbers"),
        (lambda reward, score: 1 / 0 * score, "raised ZeroDivisionError"),
        (lambda banana: banana, "asks for 'banana'"),
        (lambda *everything: everything, "name each argument"),
        (lambda reward, score: {"phi": score}, "returned a group 'phi'"),
        (lambda rng, score: score, "draws its own randomness"),
    ],
)
def test_unusable_updates_say_what_to_change(function, message):
    with pytest.raises(BadInput, match=message):
        planted(function)


def test_one_step_names_on_longer_draws():
    with pytest.raises(BadInput, match="'reward' is there for draws of one step only"):
        planted(reinforce, stop_or_go())
    with pytest.raises(BadEstimator, match="returned shape"):
        planted(lambda rewards, scores: rewards @ scores[0], B3.batch(3))


def test_off_policy_with_importance_weights():
    space = B3.sampled_by(["1/2", "1/4", "1/4"])

    def weighted(reward, score, logprobs, old_logprobs):
        return np.exp(logprobs - old_logprobs)[0] * reward * score

    assert planted(weighted, space).kind is Kind.UNBIASED
    assert planted(reinforce, space).kind not in (Kind.UNBIASED, Kind.SCALED)


def test_frozen_quantities_stand_still_when_training_is_followed():
    def towards_frozen(value, score, reward):
        return (reward - value) * score

    moving = from_function(towards_frozen, space=B3)
    assert np.allclose(
        expected(moving), expected(from_function(towards_frozen, space=B3, frozen=("value",)))
    )


def test_where_training_ends():
    (end,) = endpoints(from_function(reinforce, space=B3))
    assert end.value == pytest.approx(1, abs=1e-9)
    assert end.stopped
    assert end.stable
    ends = endpoints(from_estimator(alternate, space=B3.having(b=2)), everywhere=True)
    # the optimistic fixed point π* ∝ 1 / (b - r), from everywhere
    for end in ends:
        assert np.allclose(end.policy, np.array([6, 4, 3]) / 13)
    assert len(ends) == 4


@pytest.mark.thorough
def test_a_saddle_is_no_end():
    """From the edge of the basin the flow passes a saddle; it must not be taken for an end."""

    def wrong_entropy(pi, q, value):
        surprise = -np.log(pi)
        return pi * (q - value) - 0.1 * pi * (surprise - pi @ surprise)

    for start in ([0.025, 0.95, 0.025], [0.34, 0.33, 0.33]):
        (end,) = endpoints(
            from_function(wrong_entropy, space=B3), starts=[{"theta": np.log(start)}]
        )
        assert end.policy.max() == pytest.approx(1, abs=1e-6)
        assert end.stable


@pytest.mark.thorough
def test_comparisons():
    doubled = from_function(lambda reward, score: 2 * reward * score, space=B3, name="doubled")
    centred = from_function(
        lambda reward, score, value: (reward - value) * score, space=B3, name="centred"
    )
    right = from_function(reinforce, space=B3)
    found = compare(right, centred)
    assert not found.changes
    assert found.sentence.startswith("unbiased before and after; variance ")
    assert found.ok
    assert compare(doubled, right).sentence.startswith("the patch removes the bias (scaled before)")
    spoiled = compare(right, doubled)
    assert spoiled.changes
    assert not spoiled.ok
    assert spoiled.sentence.startswith(
        "it was unbiased, and the patch makes it so no longer (scaled)"
    )
    assert json.dumps(spoiled.as_dict())
    assert (
        "ends      before: the flow of the expected update from π = (1/6, 1/3, 1/2) ends at"
        in str(spoiled)
    )


def test_a_decorated_estimator_is_an_update():
    assert audit(update(space=B3)(regular)).kind is Kind.UNBIASED
    assert update(space=bandit([1, 0]))(regular).name == "regular"


def test_two_arms_cant_tell_a_scale_from_another_objective():
    """With one direction to go everything is parallel to the gradient; other rewards tell, and
    where they don't a factor changes.
    """
    found = planted(lambda pi, q: pi * (pi @ q) * (q - pi @ q), two_arms("1/4"))
    assert (found.kind, found.scale.formula, found.follows) == (Kind.SCALED, "V", "1/2·V²")
    assert found.sentence.endswith(
        "times 1/4 = V, and it changes with the policy; exactly the gradient of 1/2·V²"
    )
    assert (
        "there is only one direction (two actions), in which every bias looks like a factor"
        in str(found)
    )
    varying = planted(lambda pi, q: pi * (pi @ (q * q)) * (q - pi @ q), two_arms("1/4"))
    assert varying.kind is Kind.SCALED
    assert not varying.scale.constant


def test_what_float64_cant_tell_is_undecided_where_an_episode_is_cut_off_too():
    """All rewards are 0; what tells the actions apart are the values of where they lead."""
    episodes = tuple(
        Episode(Fraction(1), (0,), (action,), (Fraction(0),), Fraction(10**13 + action))
        for action in (0, 1)
    )
    cut = Space("cut off", episodes, softmax_policy(1, 2), parameters={"theta": np.zeros(2)})
    found = planted(lambda theta: 0 * theta, cut)
    assert (found.kind, found.verdict) == (Kind.UNDECIDED, Verdict.INCONCLUSIVE)
