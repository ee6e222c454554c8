"""The neural agent again, one run in numpy, fed with numpy's own random numbers: slow, obvious, and
independent of the kernel.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.sim import streams

SHAPES = {"actor": ((2, 10), (10, 10), (10, 9)), "critic": ((2, 10), (10, 10), (10, 1))}
COMPASS = {
    "NW": (-1, 1),
    "N": (0, 1),
    "NE": (1, 1),
    "W": (-1, 0),
    "-": (0, 0),
    "E": (1, 0),
    "SW": (-1, -1),
    "S": (0, -1),
    "SE": (1, -1),
}


def generator(root, experiment, estimator, setting, run, purpose):
    words = streams.entropy(
        root, experiment, {"estimator": estimator.name, **vars(setting)}, purpose
    )
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([*words, run])))


class DotReacher:
    """The task, one step at a time."""

    def __init__(self, goal, cut, compass=tuple(COMPASS)):
        self.goal, self.cut, self.compass = goal, cut, compass
        self.x = self.y = self.t = None

    def start(self, x, y):
        self.x, self.y, self.t = x, y, 0

    def step(self, action):
        """(reward, at the goal, over)"""
        right, up = COMPASS[self.compass[action]]
        self.x = min(1.0, max(-1.0, self.x + 0.03 * right))
        self.y = min(1.0, max(-1.0, self.y + 0.03 * up))
        self.t += 1
        there = abs(self.x - self.goal[0]) <= 0.1 and abs(self.y - self.goal[1]) <= 0.1
        return -0.01, there, there or self.t >= self.cut


class Network:
    """Two hidden layers of ReLU units, learned with Adam; weights are matrices (outputs, inputs)
    and bias vectors.
    """

    def __init__(self, shapes, biases, uniforms):
        self.weights = []
        for inputs, outputs in shapes[:2]:
            drawn = (2 * uniforms.random((outputs, inputs + 1)) - 1) / np.sqrt(inputs)
            self.weights += [drawn[:, :-1].copy(), drawn[:, -1].copy()]
        self.weights += [np.zeros((shapes[2][1], shapes[2][0])), np.array(biases, dtype=float)]
        self.m = [np.zeros_like(w) for w in self.weights]
        self.v = [np.zeros_like(w) for w in self.weights]
        self.t = 0

    def activity(self, x):
        layers = [np.array(x)]
        for i in (0, 2):
            layers.append(np.maximum(0.0, self.weights[i] @ layers[-1] + self.weights[i + 1]))
        return [*layers, self.weights[4] @ layers[-1] + self.weights[5]]

    def ascend(self, x, slope, stepsize):
        layers, gradient = self.activity(x), []
        for i in (4, 2, 0):
            gradient = [np.outer(slope, layers[i // 2]), slope, *gradient]
            slope = (self.weights[i].T @ slope) * (layers[i // 2] > 0)
        self.t += 1
        for w, m, v, g in zip(self.weights, self.m, self.v, gradient, strict=True):
            m[:] = 0.9 * m + (1 - 0.9) * g
            v[:] = 0.999 * v + (1 - 0.999) * g * g
            w += stepsize * (m / (1 - 0.9**self.t)) / (np.sqrt(v / (1 - 0.999**self.t)) + 1e-8)

    def flat(self):
        """Unit by unit: its weights, then its bias."""
        return np.concatenate(
            [np.column_stack([self.weights[i], self.weights[i + 1]]).ravel() for i in (0, 2, 4)]
        )


class Agent:
    """One run; `step` takes one step, `episodes` lists (step, return, length, reached) and `notes`
    (entropy, start value or None).
    """

    def __init__(
        self,
        estimator,
        setting,
        run,
        *,
        steps,
        root=3,
        experiment="test",
        network=Network,
        seeds_of=None,
    ):
        named = seeds_of or estimator
        self.estimator, self.setting, self.half = estimator, setting, steps // 2
        draws = generator(root, experiment, named, setting, run, "weights")
        self.actor = network(SHAPES["actor"], setting.theta, draws)
        self.critic = network(SHAPES["critic"], [setting.critic], draws)
        self.actions = generator(root, experiment, named, setting, run, "actions")
        self.starts = generator(root, experiment, named, setting, run, "starts")
        compass = list(COMPASS)
        if setting.moves == "library":
            compass[0] = "SW"
        self.task = DotReacher(
            (-1.0, -1.0) if setting.switch == "goal" else (0.0, 0.0), setting.cut, compass
        )
        self.task.start(*(2 * self.starts.random(2) - 1))
        self.t, self.episodes, self.notes = 0, [], []

    def step(self):
        task, setting = self.task, self.setting
        if (
            setting.switch == "goal"
            and self.t >= self.half
            and (setting.switch_at == "step" or task.t == 0)
        ):
            task.goal = (1.0, 1.0)
        state = (task.x, task.y)
        theta = self.actor.activity(state)[-1]
        pi = np.exp(theta - theta.max()) / np.exp(theta - theta.max()).sum()
        surprise = -np.log(np.maximum(pi, 1e-300))
        entropy = float(pi @ surprise)
        action = int((self.actions.random() >= np.cumsum(pi)[:-1]).sum())
        b = float(self.critic.activity(state)[-1][0])
        self.notes.append((entropy, b if task.t == 0 else None))
        reward, there, over = task.step(action)
        r = (
            reward
            + setting.tau * entropy
            + (0.0 if there else float(self.critic.activity((task.x, task.y))[-1][0]))
        )
        e = np.eye(9)[action]
        arguments = {"theta": theta, "pi": pi, "e": e, "r": r, "b": b}
        slope = self.estimator(**arguments) + setting.tau * pi * (surprise - entropy)
        self.actor.ascend(state, slope, setting.alpha)
        self.critic.ascend(state, np.array([r - b]), setting.beta)
        self.t += 1
        if over:
            self.episodes.append((self.t, -0.01 * task.t, task.t, there))
            task.start(*(2 * self.starts.random(2) - 1))

    def flat(self):
        return np.concatenate([self.actor.flat(), self.critic.flat()])
