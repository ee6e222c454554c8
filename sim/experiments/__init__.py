"""All experiments, in the order of the paper, with what goes beyond it where it belongs, and the
function that runs them.
"""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path

import altpg_verify
from altpg_verify.errors import BadInput
from altpg_verify.sim.executors import executor_named
from altpg_verify.sim.experiment import PAPER_SCALE, Cell, Experiment, check_profile
from altpg_verify.sim.experiments.bandit_attraction import BANDIT_ATTRACTION
from altpg_verify.sim.experiments.bandit_corner_spread import BANDIT_CORNER_SPREAD
from altpg_verify.sim.experiments.bandit_cycles import BANDIT_CYCLES
from altpg_verify.sim.experiments.bandit_escape_times import BANDIT_ESCAPE_TIMES
from altpg_verify.sim.experiments.bandit_fixed_baseline import BIAS_ALTERNATE_PARAM_STUDY
from altpg_verify.sim.experiments.bandit_fixed_regular import REGULAR_FIXED_BASELINE
from altpg_verify.sim.experiments.bandit_gradient_noise import COMPETITOR_REGULAR_NOISY
from altpg_verify.sim.experiments.bandit_no_baseline import MULTIPLE_INIT_REGULAR_NO_BASELINE
from altpg_verify.sim.experiments.bandit_optimism_budget import BANDIT_OPTIMISM_BUDGET
from altpg_verify.sim.experiments.bandit_portrait import BANDIT_PORTRAIT
from altpg_verify.sim.experiments.bandit_preferences import UNIFORM_INIT_LEARNING_CURVES
from altpg_verify.sim.experiments.bandit_quiet_baselines import BASELINES_WITHOUT_NOISE
from altpg_verify.sim.experiments.bandit_random_walk import CORNER_RANDOM_WALK
from altpg_verify.sim.experiments.bandit_reward_noise import PARAM_SENSITIVITY_R001
from altpg_verify.sim.experiments.bandit_saturated_starts import (
    BAD_INIT_OPTIMISTIC_PARAM_STUDY,
    BAD_INIT_PESSIMISTIC_PARAM_STUDY,
    MULTIPLE_BAD_INIT_PARAM_STUDY,
)
from altpg_verify.sim.experiments.bandit_spread import BANDIT_SPREAD
from altpg_verify.sim.experiments.bandit_stationary_mean import STATIONARY_MEAN
from altpg_verify.sim.experiments.chain_baselines import CHAIN_BASELINES
from altpg_verify.sim.experiments.chain_fixed_value import BIASED_PG_SENSITIVITY
from altpg_verify.sim.experiments.chain_four_actions import CHAIN_MESSED_SENSITIVITY
from altpg_verify.sim.experiments.chain_gradient_noise import COMPETITOR_LINEAR_CHAIN_SENSITIVITY
from altpg_verify.sim.experiments.chain_large_stepsizes import TABULAR_LARGE
from altpg_verify.sim.experiments.chain_learned_value import (
    MULTIPLE_BAD_INIT_NO_NOISE_SENSITIVITY,
    MULTIPLE_BAD_INIT_SENSITIVITY,
    OPTIMISTIC_LINEAR_CHAIN_SENSITIVITY,
    PESSIMISTIC_LINEAR_CHAIN_SENSITIVITY,
)
from altpg_verify.sim.experiments.chain_long_episodes import CHAIN_LONG_EPISODES
from altpg_verify.sim.experiments.chain_long_runs import CHAIN_FIXED_POINT
from altpg_verify.sim.experiments.linear_coders import figures as tile_coders
from altpg_verify.sim.experiments.linear_entropy import ENTROPY_SENSITIVITY
from altpg_verify.sim.experiments.linear_escort import ESCORT_SENSITIVITY
from altpg_verify.sim.experiments.linear_more_runs import LINEAR_MORE_RUNS
from altpg_verify.sim.experiments.linear_nonstationary import LINEAR_NONSTATIONARY
from altpg_verify.sim.experiments.linear_panel import clamped
from altpg_verify.sim.experiments.linear_realistic import LINEAR_REALISTIC, LINEAR_REALISTIC_NEWER
from altpg_verify.sim.experiments.linear_saturated import LINEAR_SATURATED
from altpg_verify.sim.experiments.mdp_attraction import MDP_ATTRACTION
from altpg_verify.sim.experiments.neural_nonstationary import NEURAL_NONSTATIONARY
from altpg_verify.sim.experiments.neural_saturated import NEURAL_SATURATED
from altpg_verify.sim.experiments.released_choices import (
    RELEASED_CHAIN_CUT,
    RELEASED_DOT_REACHER,
    RELEASED_SWITCH,
)
from altpg_verify.sim.jit import SOURCES
from altpg_verify.sim.results import Results
from altpg_verify.sim.sweep import Progress, run
from altpg_verify.sim.throughput import Throughput

_LINEAR = (
    LINEAR_NONSTATIONARY,
    LINEAR_SATURATED,
    ENTROPY_SENSITIVITY,
    ESCORT_SENSITIVITY,
    LINEAR_REALISTIC_NEWER,
    LINEAR_MORE_RUNS,
)

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
    CHAIN_MESSED_SENSITIVITY,
    LINEAR_NONSTATIONARY,
    LINEAR_REALISTIC,
    LINEAR_REALISTIC_NEWER,
    ENTROPY_SENSITIVITY,
    ESCORT_SENSITIVITY,
    LINEAR_SATURATED,
    LINEAR_MORE_RUNS,
    clamped(LINEAR_REALISTIC, tile_coders),
    *map(clamped, _LINEAR),
    NEURAL_NONSTATIONARY,
    NEURAL_SATURATED,
    TABULAR_LARGE,
    RELEASED_SWITCH,
    RELEASED_DOT_REACHER,
    RELEASED_CHAIN_CUT,
)


def experiment_named(name: str) -> Experiment:
    """The experiment of that name.

    Raises:
        BadInput: there is none; the message lists all names.
    """
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    names = (*_GROUPS, *(experiment.name for experiment in EXPERIMENTS))
    raise BadInput(f"no experiment {name!r}; choose from {', '.join(names)}")


_GROUPS = ("all", "stored", *SOURCES)
"""What names several experiments: all, those that are too long for a report, or a family of
agents.
"""


def experiments_named(name: str = "all") -> tuple[Experiment, ...]:
    """One experiment, or those of a group, in the order of the paper.

    Args:
        name: of an experiment; or all, stored (too long for a report), tabular, linear or neural (a
            family of agents).

    Raises:
        BadInput: it names nothing.
    """
    if name == "stored":
        return tuple(experiment for experiment in EXPERIMENTS if experiment.stored)
    if name in _GROUPS:
        return tuple(experiment for experiment in EXPERIMENTS if name in ("all", experiment.family))
    return (experiment_named(name),)


def work_for(profile: str, name: str = "all") -> tuple[Cell, ...]:
    """The cells of the experiments of a name, see `experiments_named`.

    Args:
        profile: one of `altpg_verify.sim.experiment.PROFILES`.

    Raises:
        BadInput: an unknown profile or name.
    """
    check_profile(profile)
    return tuple(
        cell for experiment in experiments_named(name) for cell in experiment.work(profile)
    )


def run_all(
    profile: str = "quick",
    out: Path = Path("results"),
    executor: str | Executor | None = "local",
    progress: Progress = lambda done, total, name: None,
    *,
    only: str = "all",
    shard: tuple[int, int] = (0, 1),
    retry: bool = False,
    throughput: Throughput | None = None,
    kept: Path | None = None,
) -> Results:
    """Run what `out` doesn't have yet, and give access to all of it.

    Args:
        profile: one of `altpg_verify.sim.experiment.PROFILES`.
        executor: one of `altpg_verify.sim.executors.EXECUTORS`, or anything with the
            `concurrent.futures.Executor` interface.
        progress: called as progress(done, total, name of the cell just finished).
        only: a name, see `experiments_named`; shard: (i, n), every n-th cell from the i-th on.
        retry: run also the cells that were set aside; throughput: see `altpg_verify.sim.sweep.run`.
        kept: a folder of results at the paper's scale. If given, experiments that are too long for
            a report are not run but taken from there; where it doesn't have them, the results say
            so when they are asked for them.

    Raises:
        BadInput: an unknown name, a folder that can't be written, or stored results that were
            altered.
    """
    check_profile(profile)
    chosen = experiments_named(only)
    stored = [experiment for experiment in chosen if experiment.stored and kept is not None]
    work = [
        cell
        for experiment in chosen
        if experiment not in stored
        for cell in experiment.work(profile)
    ]
    with executor_named(executor) as workers:
        run(
            work,
            Path(out),
            executor=workers,
            shard=shard,
            progress=progress,
            retry=retry,
            throughput=throughput,
        )
    # kept results are the paper's scale, whatever the profile of the rest
    at_scale = [cell for experiment in stored for cell in experiment.work("paper")]
    return Results(profile, work, Path(out), stored=at_scale, kept=kept or PAPER_SCALE)


def paper_scale(out: Path) -> Path:
    """The folder of results at the paper's scale for a report in `out`: its own if there is one,
    else the repository's.

    A report that is written far from a checkout can bring its own by that.
    """
    own = Path(out) / PAPER_SCALE.name
    return own if own.is_dir() else Path(altpg_verify.__file__).parents[1] / PAPER_SCALE
