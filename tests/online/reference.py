"""The linear agents and their tasks again, in plain Python from the equations: slow, obvious, and
independent of the kernels.
"""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from altpg_verify.sim import streams

CLAMPED_ORDER = (0, 2, 1, 3, 4, 5)
"""Which of the six things that the agent sees of Acrobot each offset of the clamped coder shifts;
those of the other go in order.
"""

RANGES = {
    "MountainCar": [(-1.2, 0.5), (-0.07, 0.07)],
    "Acrobot": [(-1, 1)] * 4 + [(-4 * math.pi, 4 * math.pi), (-9 * math.pi, 9 * math.pi)],
}


def clipped(x, low, high):
    return min(max(x, low), high)


def mountain_car(state, push):
    p, v = state
    v = clipped(v + 0.001 * push - 0.0025 * math.cos(3 * p), -0.07, 0.07)
    p += v
    if p < -1.2:
        p, v = -1.2, 0.0
    return (p, v), -1.0, p >= 0.5


def realistic_mountain_car(
    state, push, gravity=9.8, mass=0.2, friction=0.3, dt=0.1, force=2.0, newer=False
):
    p, v = state
    pull = gravity * math.cos(3 * p) * (1 if newer else mass)
    change = -pull + force * push / mass - friction * v
    p, v = p + dt * v, clipped(v + dt * change, -0.07, 0.07)
    if p < -1.2:
        p, v = -1.2, 0.0
    return (p, v), -1.0, p >= 0.5


def newer_mountain_car(state, push):
    return realistic_mountain_car(
        state, push, gravity=0.0025, mass=10.0, friction=0.0, dt=0.1, force=0.1, newer=True
    )


def acrobot_slopes(state, torque):
    """The book's equations of motion, with all constants by name."""
    m1 = m2 = length = inertia1 = inertia2 = 1.0
    c1 = c2 = 0.5
    g = 9.8
    t1, t2, w1, w2 = state
    d1 = (
        m1 * c1**2 + m2 * (length**2 + c2**2 + 2 * length * c2 * math.cos(t2)) + inertia1 + inertia2
    )
    d2 = m2 * (c2**2 + length * c2 * math.cos(t2)) + inertia2
    phi2 = m2 * c2 * g * math.cos(t1 + t2 - math.pi / 2)
    phi1 = -m2 * length * c2 * w2**2 * math.sin(t2) - 2 * m2 * length * c2 * w2 * w1 * math.sin(t2)
    phi1 += (m1 * c1 + m2 * length) * g * math.cos(t1 - math.pi / 2) + phi2
    a2 = (torque + d2 / d1 * phi1 - m2 * length * c2 * w1**2 * math.sin(t2) - phi2) / (
        m2 * c2**2 + inertia2 - d2**2 / d1
    )
    a1 = -(d2 * a2 + phi1) / d1
    return np.array([w1, w2, a1, a2])


def acrobot(state, push, dt=0.2):
    x = np.array(state)
    k1 = acrobot_slopes(x, push)
    k2 = acrobot_slopes(x + dt / 2 * k1, push)
    k3 = acrobot_slopes(x + dt / 2 * k2, push)
    k4 = acrobot_slopes(x + dt * k3, push)
    t1, t2, w1, w2 = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    t1, t2 = (math.remainder(angle, 2 * math.pi) for angle in (t1, t2))
    w1, w2 = clipped(w1, -4 * math.pi, 4 * math.pi), clipped(w2, -9 * math.pi, 9 * math.pi)
    done = -math.cos(t1) - math.cos(t1 + t2) > 1
    return (t1, t2, w1, w2), 0.0 if done else -1.0, done


TASKS = {
    "MountainCar": mountain_car,
    "Acrobot": acrobot,
    "RealisticMountainCar": realistic_mountain_car,
    "RealisticMountainCar:newer": newer_mountain_car,
}


def seen(task, state):
    """What the agent sees of a state."""
    if task == "Acrobot":
        t1, t2, w1, w2 = state
        return (math.cos(t1), math.sin(t1), math.cos(t2), math.sin(t2), w1, w2)
    return state


def features(task, state, offsets, coder="wrapping"):
    """The names of the active features: a tile in each of eight tilings, and the bias; offsets are
    uniform in [0, 1).
    """
    ranges = RANGES.get(task, RANGES["MountainCar"])
    scaled = [
        (x - low) / (high - low) for x, (low, high) in zip(seen(task, state), ranges, strict=True)
    ]
    if coder == "wrapping":
        return [
            *((tiling, library_tile(scaled, offset)) for tiling, offset in enumerate(offsets)),
            "bias",
        ]
    if task == "Acrobot":
        scaled = [scaled[k] for k in CLAMPED_ORDER]
    tiles = [
        tuple(min(math.floor(4 * x + o), 3) for x, o in zip(scaled, offset, strict=True))
        for offset in offsets
    ]
    return [*enumerate(tiles), "bias"]


def library_tile(position, offset, tiles=4):
    """The tile of a point of the unit cube in one tiling, as the library of the authors' code
    defines it, from its formula.
    """
    width = 1.0 / tiles + 1e-12
    number = sum(
        math.floor((x + o + 1e-12) / width) * tiles**d
        for d, (x, o) in enumerate(zip(position, offset, strict=True))
    )
    return number % tiles ** len(position)


def policy(theta, name):
    weights = (
        np.exp(theta - theta.max())
        if name == "softmax"
        else np.abs(theta) ** int(name.split(":")[1])
    )
    return weights / weights.sum()


def generator(root, experiment, estimator, agent, run, purpose):
    named = {name: value for name, value in vars(agent).items() if name != "coder"}
    words = streams.entropy(root, experiment, {"estimator": estimator.name, **named}, purpose)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([*words, run])))


def follow(estimator, agent, *, root, experiment, run, steps):
    """One run. Returns the entropy at each step, the end of each episode (step, return, goal?), and
    the value of each start state.
    """
    draw, begin, shift = (
        generator(root, experiment, estimator, agent, run, purpose)
        for purpose in ("actions", "starts", "tile offsets")
    )
    offsets = shift.random((8, 6 if agent.task == "Acrobot" else 2))

    def start():
        if agent.task == "Acrobot":
            return tuple(begin.uniform(-0.1, 0.1) for _ in range(4))
        return begin.uniform(-0.6, -0.4), 0.0

    w = defaultdict(lambda: np.array(agent.theta, dtype=float))
    omega = defaultdict(lambda: float(agent.critic))
    state, age, total, direction = start(), 0, 0.0, 1
    active = features(agent.task, state, offsets, agent.coder)
    value = sum(omega[name] for name in active) / 9
    entropies, ends, starts = [], [], [(0, value)]
    for t in range(steps):
        if t == steps // 2 and agent.switch == "actions" and agent.switch_at == "step":
            direction = -1
        theta = sum(w[name] for name in active) / 9
        b = sum(omega[name] for name in active) / 9
        pi = policy(theta, agent.policy)
        entropy = -sum(p * math.log(p) for p in pi if p > 0)
        entropies.append(entropy)
        u = draw.random()
        a = 0 if u < pi[0] else 1 if u < pi[0] + pi[1] else 2
        state, reward, done = TASKS[agent.task](state, direction * (a - 1))
        following = features(agent.task, state, offsets, agent.coder)
        ahead = 0.0 if done else sum(omega[name] for name in following) / 9
        r = reward + agent.tau * entropy + ahead
        step = estimator(theta=theta, pi=pi, e=np.eye(3)[a], r=r, b=b)
        if agent.tau:
            step = step - agent.tau * pi * (np.log(pi) + entropy)
        for name in active:
            w[name] = w[name] + agent.alpha * step / 9
        for name in active:
            omega[name] += agent.beta * (r - b) / 9
        age, total, active = age + 1, total + reward, following
        if done or age == agent.cut:
            ends.append((t, total, bool(done)))
            if t + 1 >= steps // 2 and agent.switch == "actions" and agent.switch_at == "episode":
                direction = -1
            state, age, total = start(), 0, 0.0
            active = features(agent.task, state, offsets, agent.coder)
            starts.append((t, sum(omega[name] for name in active) / 9))
    return np.array(entropies), ends, starts
