"""The streams are numpy's own, named by a documented key."""

import hashlib

import numpy as np
import pytest

from altpg_verify.sim import streams

KEY = (7, "experiment", {"alpha": 0.25, "start": [0.0, 1.0]}, "actions")


def numpys(words, run):
    return np.random.SFC64(np.random.SeedSequence([*words, run]))


def test_the_key_is_the_documented_hash():
    text = b'[7,"experiment",{"alpha":0.25,"start":[0.0,1.0]},"actions"]'
    digest = hashlib.sha256(text).digest()
    assert streams.entropy(*KEY) == tuple(
        int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)
    )


def test_every_part_of_the_key_matters_and_the_order_of_names_does_not():
    others = [
        (8, *KEY[1:]),
        (7, "other", *KEY[2:]),
        (7, "experiment", {"alpha": 0.5, "start": [0.0, 1.0]}, "actions"),
        (*KEY[:3], "reward noise"),
    ]
    words = {streams.entropy(*key) for key in (KEY, *others)}
    assert len(words) == 5
    assert streams.entropy(
        7, "experiment", {"start": [0.0, 1.0], "alpha": 0.25}, "actions"
    ) == streams.entropy(*KEY)


def test_states_are_numpys_for_every_run():
    words = [streams.entropy(root, "a", {}, "b") for root in range(5)]
    states = streams.states(words, 40)
    assert states.shape == (5, 4, 40)
    for i, word in enumerate(words):
        for run in (0, 1, 39):
            assert states[i, :, run].tolist() == numpys(word, run).state["state"]["state"].tolist()


def test_uniforms_are_numpys_bit_for_bit():
    words = streams.entropy(*KEY)
    runs, draws = 9, 20_000
    in_lock_step, state = np.empty((draws, runs)), streams.states([words], runs)[0]
    row = np.empty(runs)
    for t in range(draws):
        streams.uniforms(state, row)
        in_lock_step[t] = row
    one_by_one, again = np.empty(draws), streams.states([words], runs)[0]
    for run in range(runs):
        expected = np.random.Generator(numpys(words, run)).random(draws)
        assert np.array_equal(in_lock_step[:, run], expected)
        streams.fill_uniforms(again, run, one_by_one)
        assert np.array_equal(one_by_one, expected)


def test_normals_come_in_pairs_from_two_uniforms():
    words = streams.entropy(*KEY)
    u = np.random.Generator(numpys(words, 3)).random(2000).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(u[:, 0] + 2.0**-53))
    first, second = np.empty(5), np.empty(5)
    state = streams.states([words], 5)[0]
    for x, y in u[:500]:
        streams.normals(state, first, second)
        assert first[3] == pytest.approx(
            np.sqrt(-2 * np.log(x + 2.0**-53)) * np.cos(2 * np.pi * y), rel=1e-12, abs=1e-14
        )
        assert second[3] == pytest.approx(
            np.sqrt(-2 * np.log(x + 2.0**-53)) * np.sin(2 * np.pi * y), rel=1e-12, abs=1e-14
        )
    even, odd = np.empty(1000), np.empty(1000)
    streams.fill_normals(streams.states([words], 5)[0], 3, even, odd)
    assert np.allclose(even, radius * np.cos(2 * np.pi * u[:, 1]), rtol=1e-12, atol=1e-14)
    assert np.allclose(odd, radius * np.sin(2 * np.pi * u[:, 1]), rtol=1e-12, atol=1e-14)


def test_both_ways_of_drawing_normals_give_the_same_bits():
    words = streams.entropy(*KEY)
    even, odd = np.empty(200), np.empty(200)
    streams.fill_normals(streams.states([words], 5)[0], 2, even, odd)
    state, first, second = streams.states([words], 5)[0], np.empty(5), np.empty(5)
    for t in range(200):
        streams.normals(state, first, second)
        assert (first[2], second[2]) == (even[t], odd[t])


def test_normals_are_normal():
    from scipy import stats

    even, odd = np.empty(50_000), np.empty(50_000)
    streams.fill_normals(streams.states([streams.entropy(*KEY)], 1)[0], 0, even, odd)
    # a fixed stream: this can't become false by chance, only by a change of the code
    assert stats.kstest(np.concatenate([even, odd]), "norm").pvalue > 0.001
    assert abs(np.corrcoef(even, odd)[0, 1]) < 4 / np.sqrt(50_000)


def test_runs_and_purposes_are_unrelated():
    actions, noise = (
        streams.states([streams.entropy(1, "a", {}, purpose)], 2)[0]
        for purpose in ("actions", "reward noise")
    )
    draws = np.empty((4, 5000))
    for i, (state, run) in enumerate([(actions, 0), (actions, 1), (noise, 0), (noise, 1)]):
        streams.fill_uniforms(state, run, draws[i])
    correlations = np.corrcoef(draws)[np.triu_indices(4, 1)]
    assert np.abs(correlations).max() < 4 / np.sqrt(5000)
