"""`python -m sim`: list the experiments, run them, or time the kernels."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 2 bad input (one line on standard error, nothing half-written)."""
    options = _parser().parse_args(arguments)
    try:
        options.command(options)
    except BadInput as error:
        print(f"sim: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sim", description="What happens when agents learn: the experiments of the paper, and more."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the experiments", description="List the experiments, in the order of the paper.")
    listing.set_defaults(command=_list)
    running = commands.add_parser(
        "run",
        help="run one experiment, or all",
        description="Run what the folder doesn't have yet, and say what it shows. A run that was stopped goes on where it was.",
    )
    running.add_argument("name", metavar="NAME", help="an experiment, or all")
    running.add_argument("--profile", default="quick", metavar="PROFILE", help="quick (default) or paper")
    running.add_argument("--executor", default="local", metavar="EXECUTOR", help="local: all cores (default); serial: one")
    running.add_argument(
        "--shard", default="0/1", metavar="I/N", help="only every N-th cell from the I-th on, counted from 0; for array jobs"
    )
    running.add_argument("--out", type=Path, default=Path("results"), metavar="FOLDER", help="where results are kept (default: results)")
    running.set_defaults(command=_run)
    timing = commands.add_parser(
        "bench", help="time the kernels", description="Time the kernels against a numpy batch, in CPU time on one core."
    )
    timing.set_defaults(command=_bench)
    return parser


def _list(options: argparse.Namespace) -> None:
    from sim.experiment import PROFILES
    from sim.experiments import EXPERIMENTS

    for experiment in EXPERIMENTS:
        print(f"{experiment.name}\n    {experiment.title}\n    paper: {experiment.paper}")
        for profile in PROFILES:
            print(f"    {profile}: {len(experiment.work(profile))} cells; {experiment.scale[profile]}")


def _run(options: argparse.Namespace) -> None:
    from sim.experiments import run_all
    from sim.sweep import parse_shard

    shard = parse_shard(options.shard)

    def progress(done: int, total: int, name: str) -> None:
        print(f"{done}/{total} {name.partition(' ')[0]}", file=sys.stderr, flush=True)

    results = run_all(options.profile, options.out, options.executor, progress, only=options.name, shard=shard)
    if shard[1] > 1:
        print(f"shard {options.shard} is done; run the other shards, then run again without --shard to see what the results show")
        return
    for experiment, failures in results.failures():
        print(f"{experiment}: {failures} failed runs" if failures else f"{experiment}: no run failed")
    for function in _evidence(options.name):
        try:
            finding = function(results=results)
        except BadInput as error:
            print(f"NOT RUN       {function.__evidence__[0][0]}: {error}")
            continue
        print(f"{finding.verdict!s:<13} {function.__evidence__[0][0]}: {finding.says}")


def _evidence(name: str) -> list[Any]:
    """The evidence functions of one experiment's module, or of all."""
    import sim.experiments
    from altpg_verify.ledger import collect

    functions = collect([sim.experiments])
    if name == "all":
        return functions
    home = sim.experiments.experiment_named(name).cells.__module__
    return [function for function in functions if function.__module__ == home]


def _bench(options: argparse.Namespace) -> None:
    from sim.bench import measure

    for line in measure():
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
