"""Worlds of linear agents that nobody ran: results as evidence asks for them, at levels that a test sets."""

import numpy as np

from altpg_verify.sim.experiments import linear_realistic, online_panel
from altpg_verify.sim.experiments.linear_panel import ALPHAS, BETAS
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.results import Record


class World:
    """Made-up results, each run with a spread of 5 about what `level` says of its agent.

    `level` gets task, estimator, tau, power, preference, critic, beta and place (of alpha in the
    grid, 0 to 1), and returns the return at the end, or those at half-time and at the end.
    `moments` gets the estimator and returns the means over the moments of a curve; returns are by
    default as at half-time before it, -950 right after it, and as at the end there.
    """

    def __init__(self, level, spread=5.0, **moments):
        self.level, self.spread, self.moments = level, spread, moments
        self.generator = np.random.Generator(np.random.SFC64(6))

    def __contains__(self, experiment):
        return True

    def one(
        self,
        experiment,
        *,
        task="RealisticMountainCar",
        estimator="escort",
        policy="",
        theta=(0, 0, 0),
        critic=0.0,
        tau=0.0,
    ):
        alphas = linear_realistic.ALPHAS if experiment.startswith(linear_realistic.NAME) else ALPHAS
        power = int(policy.partition(":")[2] or 0)
        about = {
            "task": task,
            "estimator": estimator,
            "tau": tau,
            "power": power,
            "preference": theta[1],
            "critic": critic,
        }
        places = np.linspace(0.0, 1.0, len(alphas))
        grid = np.array(
            [
                [_pair(self.level(**about, beta=beta, place=place)) for beta in BETAS]
                for place in places
            ]
        )
        arrays = {name: self.noisy(grid[..., k], 50) for k, name in enumerate(CHOICES)}
        arrays |= {
            "whole": arrays["final"],
            "first_goal": np.where(arrays["final"] > -500.0, 900, -1),
        }
        arrays["chosen"] = np.array([online_panel.best(arrays[name]) for name in CHOICES])
        at_chosen = grid[tuple(arrays["chosen"].T)]
        arrays |= {
            f"fresh_{name}": self.noisy(at_chosen[:, k], 900) for k, name in enumerate(CHOICES)
        }
        arrays["fresh_whole"] = arrays["fresh_final"]
        moments = [(-1000.0, half, -950.0, final) for half, final in at_chosen]
        arrays["at_returns"] = np.stack([self.noisy(np.array(means), 900) for means in moments])
        for name, means in self.moments.items():
            arrays[f"at_{name}"] = np.stack(
                [self.noisy(np.array(means(estimator)), 900, 1e-4 if name == "entropy" else 1.0)]
                * 2
            )
        setting = {
            "task": task,
            "estimator": estimator,
            "tau": tau,
            "policy": policy,
            "critic": critic,
            "choices": list(CHOICES),
        }
        sizes = {
            "alphas": alphas,
            "betas": BETAS,
            "runs": 50,
            "fresh": 900,
            "steps": 200_000,
            "last": 5000,
        }
        return Record({**setting, **sizes}, arrays)

    def noisy(self, means, runs, scale=1.0):
        return means[..., None] + self.generator.normal(
            0.0, scale * self.spread, (*means.shape, runs)
        )


def _pair(level):
    return level if isinstance(level, tuple) else (level, level)


def estimators(alternate, regular):
    """A world in which the two estimators come to these returns, whatever else."""
    return lambda *, estimator, **_: alternate if estimator == "alternate" else regular


def flat(value):
    return lambda **_: value


def by(name, values, other=-400.0):
    """A world in which one part of the setting decides."""
    return lambda **about: values.get(about[name], other)


def near(width):
    """How fast the return falls away from the best stepsize in the middle, by estimator, bonus and
    power.
    """
    return lambda **about: -150.0 - width(**about) * abs(about["place"] - 0.5)
