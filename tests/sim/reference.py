"""The agents again, in plain Python and step by step, fed with given random numbers: slow, obvious,
and independent of the kernels.
"""

from __future__ import annotations

import math

import numpy as np

from altpg_verify.sim import streams
from altpg_verify.sim.bandit import Bandit
from altpg_verify.sim.chain import Chain


def random_numbers(root, experiment, estimator, setting, run, count):
    """The uniforms, the normals of the rewards and those of the gradient of one run, from numpy's
    own generator and the documented key.
    """
    key = {"estimator": estimator.name, **vars(setting)}
    if not setting.gradient_noise:
        del key["gradient_noise"]

    def uniforms(purpose, how_many):
        words = streams.entropy(root, experiment, key, purpose)
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence([*words, run]))).random(
            how_many
        )

    def normals(purpose, how_many):
        pairs = uniforms(purpose, 2 * how_many).reshape(-1, 2)
        radius, angle = np.sqrt(-2 * np.log(pairs[:, 0] + 2.0**-53)), 2 * np.pi * pairs[:, 1]
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).ravel()

    return (
        uniforms("actions", count),
        normals("reward noise", count),
        normals("gradient noise", 10 * count),
    )


def softmax(theta):
    weight = [math.exp(x - max(theta)) for x in theta]
    return np.array(weight) / sum(weight)


def one_hot(action, k):
    return np.array([float(a == action) for a in range(k)])


def bandit(estimator, setting: Bandit, uniforms, normals, stirs, steps):
    """J and |b - r_π| at every step, and θ and b at the end."""
    rewards, theta, b = np.array(setting.rewards), np.array(setting.theta), setting.b
    pairs = (len(rewards) + 1) // 2
    path, off = [], []
    for t in range(steps):
        pi = softmax(theta)
        value = float(pi @ rewards)
        path.append(value)
        below, action = 0.0, 0
        for a in range(len(rewards) - 1):
            below += pi[a]
            if uniforms[t] >= below:
                action = a + 1
        r = rewards[action] + setting.sigma * normals[t]
        if setting.baseline == "true":
            b = value
        off.append(abs(b - value))
        e = one_hot(action, len(rewards))
        xi = setting.gradient_noise * stirs[2 * pairs * t : 2 * pairs * t + len(rewards)]
        theta = theta + setting.alpha * (
            estimator(theta=theta, pi=pi, e=e, r=r, b=b, q=rewards, v=value, h=rewards - value) + xi
        )
        if setting.baseline == "learned":
            b = setting.beta * r + (1 - setting.beta) * b
    return np.array(path), np.array(off), theta, b


def chain_model(pi, gamma):
    """v, q and the discounted occupancy of a policy (5, k) of which only the last action goes
    right, by linear solves.
    """
    k = pi.shape[1]
    moves = [-1] * (k - 1) + [1]
    to, reward = np.zeros((5, 5)), np.zeros((5, k))
    reward[4, -1] = 1.0
    for s in range(5):
        for a, move in enumerate(moves):
            if 0 <= s + move <= 4:
                to[s, s + move] += pi[s, a]
    v = np.linalg.solve(np.eye(5) - gamma * to, (pi * reward).sum(axis=1))
    q = reward + np.array(
        [[gamma * v[s + move] if 0 <= s + move <= 4 else 0.0 for move in moves] for s in range(5)]
    )
    start = one_hot(2, 5)
    return v, q, np.linalg.solve(np.eye(5) - gamma * to.T, start)


def chain(estimator, setting: Chain, uniforms, normals, stirs, episodes):
    """v(s3) after every episode, and θ and b at the end."""
    k = np.shape(setting.theta)[-1]
    theta = np.broadcast_to(np.array(setting.theta, dtype=float), (5, k)).copy()
    b = np.full(5, float(setting.b))
    uniforms, normals, path = iter(uniforms), iter(normals), []
    for n in range(episodes):
        pi = np.array([softmax(theta[s]) for s in range(5)])
        v, q, occupancy = chain_model(pi, setting.gamma)
        if setting.baseline == "true":
            b = v.copy()

        def estimate(s, action, ret, theta=theta, pi=pi, q=q, v=v, b=b):
            e = one_hot(action, k)
            return estimator(
                theta=theta[s], pi=pi[s], e=e, r=ret, b=b[s], q=q[s], v=v[s], h=q[s] - v[s]
            )

        gradient = np.zeros((5, k))
        states, returns = [], []
        if {"e", "r"} & set(estimator.needs):
            states, actions, rewards = [], [], []
            s = 2
            while 0 <= s <= 4 and len(states) < setting.cut:
                action = int((next(uniforms) >= pi[s, :-1].cumsum()).sum())
                states.append(s)
                actions.append(action)
                s += 1 if action == k - 1 else -1
                rewards.append(setting.sigma * next(normals) if setting.sigma else 0.0)
            rewards[-1] += 1.0 if s == 5 else 0.0
            returns = [
                sum(setting.gamma ** (i - t) * rewards[i] for i in range(t, len(rewards)))
                for t in range(len(rewards))
            ]
            for t, (s, action, ret) in enumerate(zip(states, actions, returns, strict=True)):
                gradient[s] += setting.gamma**t * estimate(s, action, ret)
        else:
            for s in range(5):
                gradient[s] += occupancy[s] * estimate(s, 0, 0.0)
        gradient += setting.gradient_noise * stirs[5 * k * n : 5 * k * (n + 1)].reshape(5, k)
        theta = theta + setting.alpha * gradient
        if setting.baseline == "learned":
            for s, ret in zip(states, returns, strict=True):
                b[s] += setting.beta * (ret - b[s])
        pi = np.array([softmax(theta[s]) for s in range(5)])
        path.append(chain_model(pi, setting.gamma)[0][2])
    return np.array(path), theta, b
