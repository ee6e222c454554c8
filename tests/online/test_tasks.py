"""MountainCar, RealisticMountainCar and Acrobot step by step: against plain Python from the
equations, and against gymnasium.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.sim.online.acrobot import COSINES, SINES
from altpg_verify.sim.online.lanes import (
    BASE,
    DONE,
    NEXT,
    NUMBERS,
    PUSH,
    REWARD,
    START_STREAM,
    STATE,
    WHOLES,
)
from altpg_verify.sim.online.linear import TASKS
from altpg_verify.sim.online.mountain_car import SLOPE
from altpg_verify.sim.online.tiles import CODERS, place_tilings
from tests.online import reference

LANES = 16


class Block:
    """A task in 16 lanes."""

    def __init__(self, task, seed=0, coder="wrapping"):
        self.task, self.size, self.coder = TASKS[task], 4 if task == "Acrobot" else 2, coder
        generator = np.random.default_rng(seed)
        self.numbers, self.wholes = np.zeros((NUMBERS, LANES)), np.zeros((WHOLES, LANES), np.uint64)
        self.offsets = generator.random((8, self.task.dimensions, LANES))
        for tiling, dimensions in enumerate(self.offsets):
            for d, uniform in enumerate(dimensions):
                place_tilings(
                    self.numbers,
                    self.wholes,
                    tiling,
                    d,
                    uniform,
                    np.full(LANES, coder == "wrapping"),
                )
        self.wholes[START_STREAM : START_STREAM + 4] = generator.integers(
            0, 2**63, (4, LANES), dtype=np.uint64
        )

    def start(self):
        for lane in range(LANES):
            self.task.start(LANES, self.coder)(
                self.numbers.reshape(-1), self.wholes.reshape(-1), lane
            )
        return self.states

    def step(self, push):
        self.numbers[PUSH] = push
        self.task.step(LANES, self.coder)(self.numbers.reshape(-1), self.wholes.reshape(-1))
        return self.states, self.numbers[REWARD].copy(), self.numbers[DONE].astype(bool)

    @property
    def states(self):
        return self.numbers[STATE : STATE + self.size].T.copy()

    @states.setter
    def states(self, states):
        self.numbers[STATE : STATE + self.size] = np.transpose(states)
        if self.size == 4:
            self.numbers[COSINES : COSINES + 2] = np.cos(self.numbers[STATE : STATE + 2])
            self.numbers[SINES : SINES + 2] = np.sin(self.numbers[STATE : STATE + 2])
        else:
            self.numbers[SLOPE] = np.cos(3.0 * self.numbers[STATE])


def anywhere(task, generator):
    """Random states of the whole range, 16 of them; for the cars one is at the wall and one at the
    goal.
    """
    if task == "Acrobot":
        return generator.uniform(-1, 1, (LANES, 4)) * [math.pi, math.pi, 4 * math.pi, 9 * math.pi]
    return np.vstack(
        [
            [[-1.2, -0.05], [0.499, 0.06]],
            generator.uniform([-1.2, -0.07], [0.5, 0.07], (LANES - 2, 2)),
        ]
    )


def close(task, found, expected):
    off = np.abs(np.subtract(found, expected))
    if task == "Acrobot":
        # an angle of π is one of -π
        off[..., :2] = np.minimum(off[..., :2], 2 * math.pi - off[..., :2])
    return off.max() < 1e-10


@pytest.mark.parametrize("task", TASKS)
def test_every_step_follows_the_equations(task):
    generator, block, goals, walls = np.random.default_rng(1), Block(task), 0, 0
    for n in range(200):
        if n % 2 == 0:
            block.states = anywhere(task, generator)
        before, push = block.states, generator.integers(-1, 2, LANES).astype(float)
        after, rewards, done = block.step(push)
        for lane in range(LANES):
            state, reward, goal = reference.TASKS[task](before[lane], push[lane])
            assert close(task, after[lane], state), (before[lane], push[lane])
            assert rewards[lane] == reward
            assert done[lane] == goal
            goals += goal
            walls += task != "Acrobot" and state == (-1.2, 0.0)
    assert goals > 5
    assert task == "Acrobot" or walls > 2


@pytest.mark.parametrize(
    ("task", "low", "high"),
    [("MountainCar", [-0.6, 0], [-0.4, 0]), ("Acrobot", [-0.1] * 4, [0.1] * 4)],
)
def test_starts_are_uniform(task, low, high):
    block = Block(task)
    states = np.concatenate([block.start() for _ in range(200)])
    assert (states >= low).all()
    assert (states <= high).all()
    middle, spread = np.add(low, high) / 2, np.subtract(high, low) / math.sqrt(12)
    # six standard errors of the mean
    assert (np.abs(states.mean(axis=0) - middle) <= 6 * spread / math.sqrt(len(states))).all()
    assert np.allclose(states.std(axis=0), spread, rtol=0.1)


@pytest.mark.thorough
@pytest.mark.parametrize("coder", CODERS)
@pytest.mark.parametrize("task", ["MountainCar", "Acrobot"])
def test_equal_tiles_have_equal_weights_and_no_others(task, coder):
    generator, block, number = np.random.default_rng(2), Block(task, coder=coder), {}
    dimensions = block.task.dimensions
    for n in range(150):
        block.states = anywhere(task, generator) * (0.1 if n % 2 else 1.0)
        states, _, _ = block.step(0.0)
        for lane in range(LANES):
            names = reference.features(task, states[lane], block.offsets[:, :, lane], coder)[:8]
            for name, tile in zip(
                names, block.wholes[NEXT : NEXT + 8, lane] - block.wholes[BASE, lane], strict=True
            ):
                assert number.setdefault(name, tile) == tile
    assert len(set(number.values())) == len(number)
    assert max(number.values()) < 4 * 8 * 4**dimensions
    assert min(number.values()) >= 0
    assert all(int(tile) % 4 == 0 for tile in number.values())


@pytest.mark.parametrize(
    ("task", "gym"), [("MountainCar", "MountainCar-v0"), ("Acrobot", "Acrobot-v1")]
)
def test_every_step_is_gymnasiums(task, gym):
    gymnasium = pytest.importorskip("gymnasium")
    environment = gymnasium.make(gym).unwrapped
    environment.reset(seed=0)
    generator, block = np.random.default_rng(3), Block(task)
    for _ in range(60):
        block.states = anywhere(task, generator)
        before, action = block.states, generator.integers(0, 3, LANES)
        after, rewards, done = block.step(action - 1.0)
        for lane in range(LANES):
            environment.state = before[lane].copy()
            _, reward, terminated, _, _ = environment.step(action[lane])
            expected = np.array(environment.state, dtype=float)
            if task == "MountainCar":
                # there the position stops at 0.6, beyond the goal
                assert after[lane, 0] < 0.6
            assert close(task, after[lane], expected), (before[lane], action[lane])
            assert rewards[lane] == reward
            assert done[lane] == terminated


def test_a_wrong_constant_is_noticed():
    block = Block("Acrobot")
    block.states = anywhere("Acrobot", np.random.default_rng(4))
    before = block.states
    after, _, _ = block.step(1.0)
    wrong = [reference.acrobot(state, 1.0, dt=0.2000001)[0] for state in before]
    assert not close("Acrobot", after, wrong)
