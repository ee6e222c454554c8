"""What one would write in numpy: bandits and MountainCar with many runs in lock step, one run on
gymnasium's environment or the chain.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.estimators import Estimator
from benchmarks.tasks import CUT, TILES, TILINGS

ROWS = TILINGS * TILES * TILES + 1
SHARE = 1.0 / (TILINGS + 1)
WIDTHS, LOWEST = np.array([1.7, 0.14]), np.array([-1.2, -0.07])


def batch(
    estimator: str, runs: int, steps: int, *, alpha: float, beta: float
) -> Callable[[], np.ndarray]:
    """`runs` runs of `steps` steps as arrays; the call gives the mean return of each run's
    episodes.
    """

    def run() -> np.ndarray:
        generator = np.random.Generator(np.random.SFC64(0))
        offsets = generator.random((2, TILINGS, runs))
        weights = np.zeros((runs * ROWS, 4))
        lines = np.arange(runs)
        base = ROWS * lines
        bias, kinds = base + ROWS - 1, np.arange(3)[:, None]

        def tiles(p: np.ndarray, v: np.ndarray) -> np.ndarray:
            first = (TILES * ((p + 1.2) / 1.7 + offsets[0])).astype(np.int64)
            second = (TILES * ((v + 0.07) / 0.14 + offsets[1])).astype(np.int64)
            return np.vstack(
                [
                    (first + TILES * second) % TILES**2
                    + TILES**2 * np.arange(TILINGS)[:, None]
                    + base,
                    bias,
                ]
            )

        p, v = generator.uniform(-0.6, -0.4, runs), np.zeros(runs)
        count, returns, episodes = np.zeros(runs), np.zeros(runs), np.zeros(runs)
        index = tiles(p, v)
        for _ in range(steps):
            here = weights[index].sum(axis=0).T * SHARE
            pi = np.exp(here[:3] - here[:3].max(axis=0))
            pi /= pi.sum(axis=0)
            action = (generator.random(runs) >= pi.cumsum(axis=0)[:-1]).sum(axis=0)
            v = np.clip(v + 0.001 * (action - 1) - 0.0025 * np.cos(3 * p), -0.07, 0.07)
            p = p + v
            wall = p < -1.2
            v[wall], p[wall] = 0.0, -1.2
            goal = p >= 0.5
            after = tiles(p, v)
            value = np.where(goal, 0.0, weights[after, 3].sum(axis=0) * SHARE)
            delta = value - 1.0 - here[3]
            chosen = (action == kinds).astype(float)
            direction = chosen - pi if estimator == "regular" else chosen
            # the rows of a run are different, and so are those of different runs: nothing is added
            # twice
            weights[index] += (np.vstack([alpha * delta * direction, beta * delta]) * SHARE).T
            count += 1
            over = np.flatnonzero(goal | (count == CUT))
            if over.size:
                returns[over] -= count[over]
                episodes[over] += 1
                count[over] = 0
                p[over], v[over] = generator.uniform(-0.6, -0.4, over.size), 0.0
                after = tiles(p, v)
            index = after
        with np.errstate(invalid="ignore"):
            return returns / episodes

    return run


def gymnasium_run(
    estimator: str, steps: int, *, alpha: float, beta: float
) -> Callable[[], np.ndarray]:
    """One run on gymnasium's MountainCar-v0 with the agent in numpy; the call gives the mean return
    of its episodes.
    """
    import gymnasium

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment: Any = gymnasium.make("MountainCar-v0", max_episode_steps=CUT)

    def run() -> np.ndarray:
        generator = np.random.Generator(np.random.SFC64(0))
        offsets = generator.random((TILINGS, 2))
        weights = np.zeros((ROWS, 4))
        index = np.full(TILINGS + 1, ROWS - 1)
        tilings = np.arange(TILINGS) * TILES * TILES

        def tiles(observation: np.ndarray) -> np.ndarray:
            part = (TILES * ((observation - LOWEST) / WIDTHS + offsets)).astype(np.int64)
            index[:TILINGS] = tilings + (part[:, 0] + TILES * part[:, 1]) % TILES**2
            return index.copy()

        active = tiles(environment.reset(seed=0)[0])
        returns, episodes, gain = 0.0, 0, 0.0
        for _ in range(steps):
            here = weights[active].sum(axis=0) * SHARE
            pi = np.exp(here[:3] - here[:3].max())
            pi /= pi.sum()
            action = int((generator.random() >= pi.cumsum()[:-1]).sum())
            observation, reward, goal, cut, _ = environment.step(action)
            after = tiles(observation)
            value = 0.0 if goal else weights[after, 3].sum() * SHARE
            delta = reward + value - here[3]
            direction = np.zeros(3)
            direction[action] = 1.0
            if estimator == "regular":
                direction -= pi
            weights[active, :3] += alpha * delta * SHARE * direction
            weights[active, 3] += beta * delta * SHARE
            gain += float(reward)
            if goal or cut:
                returns, episodes, gain = returns + gain, episodes + 1, 0.0
                after = tiles(environment.reset()[0])
            active = after
        return np.array([returns / max(1, episodes)])

    return run


def bandit(estimator: Estimator, runs: int, steps: int) -> Callable[[], np.ndarray]:
    """The gradient bandit of three actions with a learned baseline, a batch of runs; the call gives
    each run's final J.
    """
    rewards, actions = np.array([1.0, 2.0, 3.0]), np.arange(3)[:, None]

    def run() -> np.ndarray:
        generator = np.random.Generator(np.random.SFC64(0))
        theta, b, final = np.zeros((3, runs)), np.zeros(runs), np.zeros(runs)
        for t in range(steps):
            weight = np.exp(theta - theta.max(axis=0))
            pi = weight / weight.sum(axis=0)
            action = (generator.random(runs) >= pi.cumsum(axis=0)[:-1]).sum(axis=0)
            r = rewards[action] + generator.standard_normal(runs)
            theta += 0.25 * estimator(pi=pi, e=(actions == action).astype(float), r=r, b=b)
            b += 0.25 * (r - b)
            if t >= steps - 50:
                final += rewards @ pi
        return final / 50

    return run


def chain(estimator: Estimator, *, runs: int, episodes: int) -> Callable[[], np.ndarray]:
    """REINFORCE on the five-state chain, run after run, uniform start; the call gives v(s3) after
    each episode, (runs, episodes).
    """
    gamma = 0.9

    def softmax(theta: np.ndarray) -> np.ndarray:
        weight = np.exp(theta - theta.max(axis=-1, keepdims=True))
        return np.asarray(weight / weight.sum(axis=-1, keepdims=True))

    def one(generator: np.random.Generator) -> np.ndarray:
        theta, b, values = np.zeros((5, 2)), np.zeros(5), np.zeros(episodes)
        for n in range(episodes):
            s = 2
            states: list[int] = []
            choices: list[int] = []
            rewards: list[float] = []
            while 0 <= s < 5 and len(states) < 100:
                a = int(generator.random() >= softmax(theta[s])[0])
                states.append(s)
                choices.append(a)
                s += 2 * a - 1
                rewards.append(float(s == 5) + generator.standard_normal())
            returns = np.array(rewards)
            for t in range(len(rewards) - 2, -1, -1):
                returns[t] += gamma * returns[t + 1]
            gradient = np.zeros((5, 2))
            for t, (s, a) in enumerate(zip(states, choices, strict=True)):
                gradient[s] += gamma**t * estimator(
                    pi=softmax(theta[s]), e=np.eye(2)[a], r=returns[t], b=b[s]
                )
            for s, g in zip(states, returns, strict=True):
                b[s] += 0.25 * (g - b[s])
            theta += 0.25 * gradient
            pi = softmax(theta)
            dynamics = np.diag(pi[1:, 0], -1) + np.diag(pi[:-1, 1], 1)
            values[n] = np.linalg.solve(
                np.eye(5) - gamma * dynamics, np.array([0, 0, 0, 0, pi[4, 1]])
            )[2]
        return values

    def run() -> np.ndarray:
        generator = np.random.Generator(np.random.SFC64(0))
        return np.array([one(generator) for _ in range(runs)])

    return run
