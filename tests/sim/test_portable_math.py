"""exp, log, sine and cosine against exact values, and the same bits on other instruction sets."""

import math
import os
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from numba import njit

from altpg_verify.sim import portable_math

GENERATOR = np.random.Generator(np.random.SFC64(5))


@njit(error_model="numpy")
def both(which, x, first, second):
    """All functions in one compiled loop, as the kernels use them."""
    for i in range(x.size):
        if which == 0:
            first[i] = portable_math.exp(x[i])
        elif which == 1:
            first[i] = portable_math.log(x[i])
        elif which == 2:
            first[i], second[i] = portable_math.cos_sin(x[i])
        elif which == 3:
            first[i], second[i] = portable_math.cos_sin_turn(x[i])
        else:
            first[i], second[i] = portable_math.cos(x[i]), portable_math.sin(x[i])


def evaluated(which, x):
    first, second = np.empty_like(x), np.empty_like(x)
    both(which, x, first, second)
    return first, second


def units(got, exact):
    """The largest error in units of the last place."""
    with mpmath.workprec(200):
        errors = [
            abs(mpmath.mpf(float(value)) - true) / mpmath.mpf(math.ulp(float(true)))
            for value, true in zip(got, exact, strict=True)
        ]
        return float(max(errors))


def exactly(function, x):
    with mpmath.workprec(200):
        return [function(mpmath.mpf(float(value))) for value in x]


N = 3000


@pytest.mark.thorough
def test_exp():
    x = np.concatenate(
        [
            GENERATOR.uniform(portable_math.EXP_UNDERFLOW, portable_math.EXP_OVERFLOW, N),
            GENERATOR.uniform(-2, 2, N),
        ]
    )
    assert units(evaluated(0, x)[0], exactly(mpmath.exp, x)) < 1.5


def test_exp_outside_its_range():
    got = evaluated(0, np.array([-np.inf, -800.0, -707.1, 0.0, 709.8, np.inf, np.nan]))[0]
    assert got[:6].tolist() == [0.0, 0.0, 0.0, 1.0, np.inf, np.inf]
    assert np.isnan(got[6])


def test_log():
    near_one = 1 - 2.0**-53 * np.arange(1, 50)
    x = np.concatenate(
        [
            GENERATOR.random(N) + 2.0**-53,
            np.exp(GENERATOR.uniform(-700, 700, N)),
            near_one,
            2.0**-53 * np.arange(1, 50),
        ]
    )
    assert units(evaluated(1, x)[0], exactly(mpmath.log, x)) < 1.5
    assert evaluated(1, np.array([1.0]))[0][0] == 0.0


@pytest.mark.parametrize("which", [2, 4])
def test_sine_and_cosine(which):
    x = np.concatenate(
        [
            GENERATOR.uniform(-7, 7, N),
            GENERATOR.uniform(-1e5, 1e5, N),
            np.arange(-100, 100) * np.pi / 2,
        ]
    )
    cosine, sine = evaluated(which, x)
    assert units(cosine, exactly(mpmath.cos, x)) < 2
    assert units(sine, exactly(mpmath.sin, x)) < 2


def test_sine_and_cosine_of_turns():
    x = GENERATOR.random(N)
    cosine, sine = evaluated(3, x)
    with mpmath.workprec(200):
        exact = [
            (mpmath.cospi(2 * mpmath.mpf(float(u))), mpmath.sinpi(2 * mpmath.mpf(float(u))))
            for u in x
        ]
    assert units(cosine, [c for c, _ in exact]) < 2
    assert units(sine, [s for _, s in exact]) < 2
    eighths = evaluated(3, np.arange(8) / 8)
    assert eighths[0][::2].tolist() == [1.0, 0.0, -1.0, 0.0]
    assert eighths[1][::2].tolist() == [0.0, 1.0, 0.0, -1.0]


PROGRAM = """
import hashlib
from altpg_verify.estimators import alternate, regular
from altpg_verify.sim import bandit, chain
digest = hashlib.sha256()
for estimator in (regular, alternate):
    agent = bandit.Bandit((1.0, 2.0, 3.0), 1.0, (5.0, 0.0, 0.0), 0.25, 0.25, "learned", 4.0)
    for outcome in bandit.simulate(estimator, [agent], root=1, experiment="bits", runs=37, steps=2000, last=100):
        digest.update(outcome.theta.tobytes() + outcome.b.tobytes() + outcome.mean.tobytes())
    agent = chain.Chain((1.0, 0.0), 0.25, 0.25, "learned", 4.0)
    for outcome in chain.simulate(estimator, [agent], root=1, experiment="bits", runs=37, episodes=300, last=100):
        digest.update(outcome.theta.tobytes() + outcome.b.tobytes() + outcome.mean.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_agents_have_the_same_bits_on_every_instruction_set(tmp_path):
    def digest(cpu):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / (cpu or "native"))}
        if cpu:
            environment |= {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    native = digest("")
    assert len(native) == 65
    assert digest("generic") == native
    assert digest("haswell") == native
