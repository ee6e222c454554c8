"""An agent with three logits, whose steps are audited."""

from __future__ import annotations

import numpy as np

from altpg_verify.audit import audit, bandit, trainer

PAYS = np.array([1.0, 0.5, 0.0])

SPACE = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


def softmax(theta):
    weights = np.exp(theta - theta.max())
    return weights / weights.sum()


class Agent:
    """A numpy agent; `draw` is how it comes to an action from probabilities."""

    def __init__(self, draw):
        self.theta, self.draw = np.zeros(3), draw

    def ascend(self, action, pi, alpha=0.25):
        self.theta = self.theta + alpha * PAYS[action] * (np.eye(3)[action] - pi)


def audited(step, agent, **options):
    return audit(
        trainer(
            step, parameters={"theta": (agent, "theta")}, space=SPACE, stepsize=0.25, **options
        ),
        places=2,
        differentiate=False,
    )
