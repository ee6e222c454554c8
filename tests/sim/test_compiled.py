"""The compiled form is the formula: scalar path, vector path and plain Python agree, and a bad
estimator gets one clear sentence.
"""

import numpy as np
import pytest
from numba import types
from numba.core import caching

from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.sim import bandit, compiled
from altpg_verify.sim.jit import compile_kernel
from tests.shares import share
from tests.sim import examples

GENERATOR = np.random.Generator(np.random.SFC64(11))


def draws(k, n):
    pi = GENERATOR.dirichlet(np.ones(k), n).T.copy()
    q, theta = GENERATOR.normal(size=(2, k, n))
    r, b = GENERATOR.normal(size=(2, n))
    return theta, pi, q, (pi * q).sum(axis=0), GENERATOR.integers(0, k, n).astype(float), r, b


def by_formula(est, theta, pi, q, v, action, r, b):
    columns = []
    for i in range(r.size):
        e = (np.arange(len(pi)) == action[i]).astype(float)
        columns.append(
            est(
                theta=theta[:, i],
                pi=pi[:, i],
                e=e,
                r=r[i],
                b=b[i],
                q=q[:, i],
                v=v[i],
                h=q[:, i] - v[i],
            )
        )
    return np.column_stack(columns)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "est",
    share([alternate, examples.with_everything, regular, expected_gradient], 4),
    ids=lambda est: est.name,
)
def test_both_paths_give_the_formula_for_draws(est):
    data = draws(4, 20)
    scalar, vector = np.empty((4, 20)), np.empty((4, 20))
    compiled.lanes(est, 4, by_action=True)(*data, scalar)
    compiled.lanes(est, 4, by_action=False)(*data, vector)
    assert np.array_equal(scalar, vector)
    assert np.allclose(scalar, by_formula(est, *data), rtol=1e-14, atol=1e-15)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "est",
    share([examples.clipped, examples.mixing, examples.vector_only, examples.scaled_by_count], 2),
    ids=lambda est: est.name,
)
def test_what_needs_vectors_takes_the_vector_path(est):
    data, out = draws(3, 20), np.empty((3, 20))
    compiled.lanes(est, 3)(*data, out)
    assert np.allclose(out, by_formula(est, *data), rtol=1e-14, atol=1e-15)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "est", share([examples.with_everything, regular], 2), ids=lambda est: est.name
)
def test_both_paths_add_up_an_episode(est):
    theta, q = GENERATOR.normal(size=(2, 5, 2))
    pi = GENERATOR.dirichlet((1, 1), 5)
    b, ret, weight = GENERATOR.normal(size=5), GENERATOR.normal(size=30), GENERATOR.random(30)
    state, action = GENERATOR.integers(0, 5, 30), GENERATOR.integers(0, 2, 30)
    v = (pi * q).sum(axis=1)
    expected = np.zeros((5, 2))
    for t in range(25):
        s, e = state[t], (np.arange(2) == action[t]).astype(float)
        expected[s] += weight[t] * est(
            theta=theta[s], pi=pi[s], e=e, r=ret[t], b=b[s], q=q[s], v=v[s], h=q[s] - v[s]
        )
    for by_action in (True, False):
        gradient = np.zeros((5, 2))
        compiled.episode(est, 2, by_action=by_action)(
            theta, pi, q, v, b, state, action, ret, weight, 25, gradient
        )
        assert np.allclose(gradient, expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    ("est", "sentence"),
    [
        (examples.too_long, "gives shape (6,) for 3 actions"),
        (examples.one_number, "gives shape () for 3 actions"),
        (examples.not_a_number, "finite real numbers"),
        (examples.imaginary, "finite real numbers"),
        (examples.raising, "raises KeyError"),
        (examples.beyond_numba, "can't be compiled"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_bad_estimator_gets_one_sentence(est, sentence):
    with pytest.raises(BadEstimator) as caught:
        compiled.lanes(est, 3)
    assert est.name in str(caught.value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_formula_that_remembers_is_refused():
    memory = [0.0]

    @estimator
    def drifting(e, r, b):
        memory[0] += 1.0
        return (r - b + memory[0]) * e

    with pytest.raises(BadEstimator):
        compiled.lanes(drifting, 3)


def test_kernels_compile_where_no_folder_can_be_written(monkeypatch):
    def refuse(self):
        raise OSError(30, "Read-only file system")

    for locator in caching.CacheImpl._locator_classes:
        monkeypatch.setattr(locator, "ensure_cache_path", refuse)
    assert compile_kernel(lambda x: x + 1.0, types.float64(types.float64), keep=True)(1.0) == 2.0


def test_a_kernel_from_other_sources_is_refused(monkeypatch):
    setting = bandit.Bandit((1.0, 2.0), 1.0, (0.0, 0.0), 0.25, 0.0, "fixed", 0.0)
    sizes = {"root": 0, "experiment": "test", "runs": 2, "steps": 2, "last": 1}
    bandit.simulate(regular, [setting], **sizes)
    monkeypatch.setattr(bandit, "stamp", lambda: 1)
    with pytest.raises(RuntimeError, match="other sources"):
        bandit.simulate(regular, [setting], **sizes)
