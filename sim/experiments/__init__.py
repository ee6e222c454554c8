"""All experiments, in the order of the paper, with what goes beyond it where it belongs, and the function that runs them."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path

from altpg_verify.errors import BadInput
from sim.experiment import Cell, Experiment, check_profile
from sim.experiments.bandit_attraction import BANDIT_ATTRACTION
from sim.experiments.bandit_corner_spread import BANDIT_CORNER_SPREAD
from sim.experiments.bandit_cycles import BANDIT_CYCLES
from sim.experiments.bandit_escape_times import BANDIT_ESCAPE_TIMES
from sim.experiments.bandit_fixed_baseline import BIAS_ALTERNATE_PARAM_STUDY
from sim.experiments.bandit_fixed_regular import REGULAR_FIXED_BASELINE
from sim.experiments.bandit_gradient_noise import COMPETITOR_REGULAR_NOISY
from sim.experiments.bandit_no_baseline import MULTIPLE_INIT_REGULAR_NO_BASELINE
from sim.experiments.bandit_optimism_budget import BANDIT_OPTIMISM_BUDGET
from sim.experiments.bandit_portrait import BANDIT_PORTRAIT
from sim.experiments.bandit_preferences import UNIFORM_INIT_LEARNING_CURVES
from sim.experiments.bandit_quiet_baselines import BASELINES_WITHOUT_NOISE
from sim.experiments.bandit_random_walk import CORNER_RANDOM_WALK
from sim.experiments.bandit_reward_noise import PARAM_SENSITIVITY_R001
from sim.experiments.bandit_saturated_starts import (
    BAD_INIT_OPTIMISTIC_PARAM_STUDY,
    BAD_INIT_PESSIMISTIC_PARAM_STUDY,
    MULTIPLE_BAD_INIT_PARAM_STUDY,
)
from sim.experiments.bandit_spread import BANDIT_SPREAD
from sim.experiments.bandit_stationary_mean import STATIONARY_MEAN
from sim.experiments.chain_baselines import CHAIN_BASELINES
from sim.experiments.chain_fixed_value import BIASED_PG_SENSITIVITY
from sim.experiments.chain_gradient_noise import COMPETITOR_LINEAR_CHAIN_SENSITIVITY
from sim.experiments.chain_large_stepsizes import TABULAR_LARGE
from sim.experiments.chain_learned_value import (
    MULTIPLE_BAD_INIT_NO_NOISE_SENSITIVITY,
    MULTIPLE_BAD_INIT_SENSITIVITY,
    OPTIMISTIC_LINEAR_CHAIN_SENSITIVITY,
    PESSIMISTIC_LINEAR_CHAIN_SENSITIVITY,
)
from sim.experiments.chain_long_episodes import CHAIN_LONG_EPISODES
from sim.experiments.chain_long_runs import CHAIN_FIXED_POINT
from sim.experiments.mdp_attraction import MDP_ATTRACTION
from sim.results import Results
from sim.sweep import Progress, executor_named, run

EXPERIMENTS: tuple[Experiment, ...] = (
    CORNER_RANDOM_WALK,
    BANDIT_CORNER_SPREAD,
    BANDIT_OPTIMISM_BUDGET,
    BANDIT_CYCLES,
    BANDIT_ATTRACTION,
    BANDIT_PORTRAIT,
    BANDIT_SPREAD,
    BANDIT_ESCAPE_TIMES,
    PARAM_SENSITIVITY_R001,
    UNIFORM_INIT_LEARNING_CURVES,
    MULTIPLE_BAD_INIT_PARAM_STUDY,
    BAD_INIT_OPTIMISTIC_PARAM_STUDY,
    BAD_INIT_PESSIMISTIC_PARAM_STUDY,
    BASELINES_WITHOUT_NOISE,
    BIAS_ALTERNATE_PARAM_STUDY,
    REGULAR_FIXED_BASELINE,
    STATIONARY_MEAN,
    MULTIPLE_INIT_REGULAR_NO_BASELINE,
    COMPETITOR_REGULAR_NOISY,
    CHAIN_LONG_EPISODES,
    MULTIPLE_BAD_INIT_SENSITIVITY,
    MULTIPLE_BAD_INIT_NO_NOISE_SENSITIVITY,
    OPTIMISTIC_LINEAR_CHAIN_SENSITIVITY,
    PESSIMISTIC_LINEAR_CHAIN_SENSITIVITY,
    BIASED_PG_SENSITIVITY,
    CHAIN_FIXED_POINT,
    CHAIN_BASELINES,
    COMPETITOR_LINEAR_CHAIN_SENSITIVITY,
    MDP_ATTRACTION,
    TABULAR_LARGE,
)


def experiment_named(name: str) -> Experiment:
    """Raises BadInput, with the list, if there is no such experiment."""
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    raise BadInput(f"no experiment {name!r}; choose from all, {', '.join(experiment.name for experiment in EXPERIMENTS)}")


def work_for(profile: str, name: str = "all") -> tuple[Cell, ...]:
    """The cells of one experiment, or of all."""
    check_profile(profile)
    chosen = EXPERIMENTS if name == "all" else (experiment_named(name),)
    return tuple(cell for experiment in chosen for cell in experiment.work(profile))


def run_all(
    profile: str = "quick",
    out: Path = Path("results"),
    executor: str | Executor | None = "local",
    progress: Progress = lambda done, total, name: None,
    *,
    only: str = "all",
    shard: tuple[int, int] = (0, 1),
) -> Results:
    """Run what `out` doesn't have yet, and give access to all of it.

    Args:
        profile: one of `sim.experiment.PROFILES`.
        executor: "serial", "local", or anything with the `concurrent.futures.Executor` interface.
        progress: called as progress(done, total, name of the cell just finished).
        only: one experiment; shard: (i, n), every n-th cell from the i-th on.

    Raises:
        BadInput: an unknown name, a folder that can't be written, or stored results that were altered.
    """
    work = work_for(profile, only)
    with executor_named(executor) as workers:
        run(work, Path(out), executor=workers, shard=shard, progress=progress)
    return Results(profile, work, Path(out))
