"""Three arms as a gymnasium environment, each pull an episode; and the gradient of the value there,
written out.
"""

from __future__ import annotations

import gymnasium
import numpy as np

PAYS = (1.0, 0.5, 0.0)
PI = np.array([1 / 6, 1 / 3, 1 / 2])
GRADIENT = PI * (np.array(PAYS) - PI @ PAYS)
"""π(a) (r(a) - V)."""


class Arms(gymnasium.Env):
    """One state, seen as the number 1."""

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,))
    action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.ones(1), {}

    def step(self, action):
        return np.ones(1), PAYS[int(action)], True, False, {}
