"""`python -m altpg_verify.sim`: list the experiments, run them, check, export and time what they
do.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the user's folder first, where a random.py or sympy.py would stand in for the
    # real one
    sys.path.append(sys.path.pop(0))

import argparse
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput, Missing
from altpg_verify.screen import say
from altpg_verify.sim.settings import whole as whole_number
from altpg_verify.terminal import ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 done but something is wrong with what was found, 2 bad input (one
    line on standard error), 130 stopped.
    """
    options = _parser().parse_args(arguments)
    stopped = "stopped; what was finished is kept, and the same command goes on from there"
    return ended("sim", lambda: options.command(options), stopped=stopped)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m altpg_verify.sim",
        description="What happens when agents learn: the experiments of the paper, and more.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, does: Any, help: str, description: str, profile: str = ""
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help, description=description)
        made.set_defaults(command=does)
        if profile:
            made.add_argument(
                "--profile",
                default=profile,
                metavar="PROFILE",
                help=f"quick or paper (default: {profile})",
            )
        return made

    named = (
        "an experiment; tabular, linear or neural: a family of agents; stored: those too long for a"
        " report; or all"
    )
    command(
        "list", _list, "list the experiments", "List the experiments, in the order of the paper."
    )
    running = command(
        "run",
        _run,
        "run one experiment, or all",
        "Run what the folder doesn't have yet, and say what it shows. A run that was stopped goes"
        " on where it was. Exit code: 0 done; 1 some cells were set aside; 2 bad input.",
        profile="quick",
    )
    running.add_argument("name", metavar="NAME", help=named)
    running.add_argument(
        "--executor",
        default="local",
        metavar="EXECUTOR",
        help=(
            "local: a thread a core (default); processes: a process a core; serial: one core;"
            " tcp://HOST:PORT: a Dask scheduler"
        ),
    )
    running.add_argument(
        "--shard",
        default="0/1",
        metavar="I/N",
        help="only every N-th cell from the I-th on, counted from 0; for array jobs",
    )
    running.add_argument(
        "--retry",
        action="store_true",
        help="try again the cells that were set aside because they killed their worker",
    )
    running.add_argument(
        "--out",
        type=Path,
        default=Path("results"),
        metavar="FOLDER",
        help="where results are kept (default: results)",
    )
    checking = command(
        "recheck",
        _recheck,
        "check stored results against this code",
        "Check that all files of a folder are whole, and compute a sample of them again, bit for"
        " bit. Exit code: 0 all equal; 1 not.",
        profile="paper",
    )
    checking.add_argument(
        "folder", type=Path, metavar="FOLDER", help="results, for example reports/paper-scale"
    )
    checking.add_argument(
        "--cells",
        type=int,
        default=8,
        metavar="N",
        help="how many cells to compute again (default: 8)",
    )
    checking.add_argument("--seed", type=int, default=0, help="decides which ones (default: 0)")
    exporting = command(
        "export",
        _export,
        "write results for other tools",
        "Write stored results as a labelled table or arrays.",
        profile="quick",
    )
    exporting.add_argument("name", metavar="NAME", help=named)
    exporting.add_argument(
        "--to",
        required=True,
        metavar="FORM",
        help="parquet: one row a run; netcdf: all arrays, one group a cell",
    )
    exporting.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write")
    exporting.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        metavar="FOLDER",
        help="where results are kept (default: results)",
    )
    estimating = command(
        "estimate",
        _estimate,
        "how long a profile takes",
        "Run a small part of every experiment and extrapolate: CPU time of each, of all, and"
        " minutes on some cores.",
        profile="paper",
    )
    estimating.add_argument(
        "name", metavar="NAME", nargs="?", default="all", help=f"{named} (default: all)"
    )
    estimating.add_argument(
        "--fraction",
        type=float,
        default=0.01,
        metavar="PART",
        help="how much to run (default: 0.01)",
    )
    estimating.add_argument(
        "--cores",
        type=int,
        default=2,
        metavar="N",
        help="for how many cores to tell minutes (default: 2)",
    )
    timing = command(
        "bench",
        _bench,
        "time the agents",
        "Time the agents beside the same in C, JAX and numpy, in CPU time on one core.",
    )
    timing.add_argument(
        "--only",
        default="",
        metavar="TASK,...",
        help="bandit, chain, mountain_car, acrobot, dot_reacher (default: all)",
    )
    timing.add_argument(
        "--rounds",
        type=int,
        default=7,
        metavar="N",
        help="turns of each contender; the fastest counts (default: 7)",
    )
    return parser


def _list(options: argparse.Namespace) -> int:
    from altpg_verify.sim.experiment import PROFILES
    from altpg_verify.sim.experiments import EXPERIMENTS

    for experiment in EXPERIMENTS:
        say(f"{experiment.name}\n    {experiment.title}\n    paper: {experiment.paper}")
        for profile in PROFILES:
            say(
                f"    {profile}: {len(experiment.work(profile))} cells; {experiment.scale[profile]}"
            )
    return 0


def _run(options: argparse.Namespace) -> int:
    from altpg_verify.sim.experiments import experiments_named, run_all
    from altpg_verify.sim.progress import shown
    from altpg_verify.sim.results import NotHeld
    from altpg_verify.sim.sweep import parse_shard
    from altpg_verify.sim.throughput import Throughput

    shard, throughput = parse_shard(options.shard), Throughput()
    chosen = {"only": options.name, "shard": shard, "retry": options.retry}
    with shown(throughput) as progress:
        results = run_all(
            options.profile,
            options.out,
            options.executor,
            progress,
            throughput=throughput,
            **chosen,
        )
    aside = list(results.aside())
    for cell in aside:
        say(f"SET ASIDE     {cell.words}; try it again with --retry", sys.stderr)
    if shard[1] > 1:
        say(
            f"shard {options.shard} is done; run the other shards, then run again without --shard"
            " to see what the results show"
        )
        return 1 if aside else 0
    for experiment in experiments_named(options.name):
        try:
            ((name, failures),) = results.failures(experiment.name)
        except Missing as error:
            say(f"{experiment.name}: not complete: {error}")
            continue
        say(f"{name}: {failures} failed runs" if failures else f"{name}: no run failed")
    odd = False
    for function in _evidence():
        try:
            finding = function(results=results)
        except NotHeld:
            continue
        except BadInput as error:
            say(f"NOT RUN       {function.__evidence__[0][0]}: {error}")
            continue
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            odd = True
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            say(
                f"NOT RUN       {function.__evidence__[0][0]}: the results in {options.out} are not"
                f" what it judges ({reason}); recheck them"
            )
            continue
        say(f"{finding.verdict!s:<13} {function.__evidence__[0][0]}: {finding.reported}")
    return 1 if aside or odd else 0


def _evidence() -> list[Any]:
    """The evidence functions that judge results of experiments."""
    import altpg_verify.sim.experiments
    from altpg_verify.ledger_building import collect

    return [
        function
        for function in collect([altpg_verify.sim.experiments])
        if "results" in inspect.signature(function).parameters
    ]


def _recheck(options: argparse.Namespace) -> int:
    from altpg_verify.sim.experiment import check_profile
    from altpg_verify.sim.experiments import EXPERIMENTS
    from altpg_verify.sim.recheck import recheck, whole

    check_profile(options.profile)
    whole_number("--cells", options.cells, least=0)
    where = (options.folder, options.profile, EXPERIMENTS)
    for name, number in whole(*where):
        say(f"{name}: {number} cells, all whole")
    wrong = 0
    for checked in recheck(*where, options.cells, options.seed):
        say(checked.words)
        wrong += bool(checked.differ)
    return 1 if wrong else 0


def _export(options: argparse.Namespace) -> int:
    from altpg_verify.sim.experiment import check_profile
    from altpg_verify.sim.experiments import experiments_named, work_for
    from altpg_verify.sim.export import export
    from altpg_verify.sim.results import Results

    check_profile(options.profile)
    names = [experiment.name for experiment in experiments_named(options.name)]
    results = Results(options.profile, work_for(options.profile, options.name), options.results)
    left_out = export(results, names, options.to, options.out)
    say(options.out)
    if left_out:
        say(f"not of single runs, so left out; netcdf has them: {', '.join(left_out)}")
    return 0


def _estimate(options: argparse.Namespace) -> int:
    from altpg_verify.sim.experiment import check_profile
    from altpg_verify.sim.experiments import experiments_named
    from altpg_verify.sim.log import load
    from altpg_verify.sim.progress import duration
    from altpg_verify.sim.runtime_estimate import estimate

    check_profile(options.profile)
    if not 0 < options.fraction <= 1:
        raise BadInput(
            f"--fraction {options.fraction:g}: give a part of the work, above 0 and up to 1"
        )
    whole_number("--cores", options.cores)
    families: dict[str, float] = {}
    for block in estimate(experiments_named(options.name), options.profile, options.fraction):
        say(block.words)
        families[block.family] = families.get(block.family, 0.0) + block.cpu
    for family, seconds in families.items():
        say(f"{family}: {seconds:.0f} s of CPU time")
    total = sum(families.values())
    say(
        f"all: {total:.0f} s of CPU time; {duration(total / options.cores)} on {options.cores} idle"
        " cores if they share it evenly"
    )
    say(f"load average while this was measured: {load():.1f}")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from altpg_verify.sim.bench import measure

    whole_number("--rounds", options.rounds)
    for line in measure([name for name in options.only.split(",") if name], options.rounds):
        say(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
