"""Arguments in front of the command lines: every command, with values that are right, wrong or
hostile.

Where a command's own work would begin, which may take minutes, the attempt ends: that is none of
the input's doing.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from trust.fuzz.draws import drawn
from trust.fuzz.kinds import kind_named
from trust.fuzz.watch import Reached, Tally, World, crashed, ran, standing_in

NUMBERS = (
    "0",
    "1",
    "-1",
    "7",
    "1.5",
    "nan",
    "inf",
    "1e400",
    "9" * 5000,
    "²",
    "٣",
    "",
    " 3",
    "0x10",
    "1_0",
    "1/2",
    "--",
    "-",
)
WORDS = (
    "",
    " ",
    "x",
    "\x00",
    "a\nb",
    "\ud800",
    "ℝ" * 400,
    "x" * 5000,
    "../x",
    "/",
    "%s%n",
    "{0}",
    "--help",
    "*",
    "\x1b[31m",
)
GOOD_WORDS = (
    *("quick", "paper", "unbiased", "attracts", "parquet", "netcdf", "pdf", "html", "bash"),
    *("identity", "PROVED", "chain", "fuzz"),
)
PLACES = (
    "good.json",
    "absent.json",
    "",
    ".",
    "..",
    "/",
    "/dev/null",
    "/proc/self/mem",
    "a\x00b",
    "x" * 5000,
    "x/" * 3000,
    "good.json/inside",
    "\udcff.json",
    "../outside/precious.txt/x",
    "-",
)
TARGETS = (
    "good.py:fair",
    "good.py",
    "good.py:absent",
    "good.py:number",
    "broken.py",
    "absent.py",
    ":",
    "::",
    "a:b:c",
    ".x",
    "..",
    "x..y",
    "1",
    "good.json:x",
    "altpg_verify.estimators:regular",
    "altpg_verify.estimators:__loader__",
    "altpg_verify.nothing:x",
    "altpg_verify:" + "x" * 3000,
    "stops.py",
    "\x00.py",
    "x" * 5000 + ".py",
    "x" * 5000,
)
CASES = (
    "pi=1/2,1/2; r=0,1; b=1",
    "pi=1/2,1/2; r=0,1",
    "pi=1/0,1; r=0,1; b=1",
    "pi=2,-1; r=0,1; b=1",
    "pi=1/2,1/2; r=0,1; b=1e999999999",
    "pi=1/2,1/2; r=0@1e9999999,1; b=1",
    "pi=1/2,1/2; r=0@1/2|1@1/2,1; b=" + "9" * 5000,
    "pi=nan,1; r=0,1; b=1",
    "theta=1,2; r=0,1; b=1",
    "pi=; r=; b=",
    "=;=;=",
    "pi=1; r=1; b=1",
)
POLICIES = (
    "softmax",
    "escort:2",
    "escort:0",
    "escort:²",
    "escort:" + "9" * 5000,
    "escort:1e9",
    "escort:",
    "escort",
    "",
)
NAMES = (
    "corner_random_walk",
    "all",
    "tabular",
    "../../x",
    "/tmp/x",
    "corner_random_walk/../x",
    "corner_random_walk\x00",
)
SHARDS = ("0/4", "4/4", "1/0", "a/b", "/", "²/4", "0/" + "9" * 5000, "-1/2", "0/1")
EXECUTORS = ("serial", "local", "nothing", "", "file:///x", "x" * 5000)
BANDITS = (
    "r=1,2,3; b=4",
    "r=1,2,3; b=2",
    "r=; b=",
    "r=1e999999999,2; b=4",
    "r=1; b=2",
    "r=a,b; b=c",
    "",
    "b=4",
    "r=" + "1," * 4000 + "1; b=4",
)
MINE = """from altpg_verify import estimator
@estimator
def fair(pi, e, r, b):
    return (r - b) * (e - pi)
number = 3
"""

_any: dict[str, st.SearchStrategy[str]] = {
    "number": st.sampled_from((*NUMBERS, *WORDS)),
    "word": st.one_of(st.sampled_from(WORDS), st.sampled_from(GOOD_WORDS), st.text(max_size=20)),
    "place": st.one_of(
        st.sampled_from(PLACES),
        st.text(min_size=1, max_size=12).map(lambda text: text.replace("/", "_")),
    ),
    "target": st.one_of(
        st.sampled_from(TARGETS), st.text(max_size=8).map(lambda text: f"good.py:{text}")
    ),
    "case": st.one_of(
        st.sampled_from(CASES), st.text(alphabet="pirb=;,/|@0123456789.e- ", max_size=40)
    ),
    "policy": st.sampled_from((*POLICIES, *WORDS)),
    "name": st.sampled_from((*NAMES, *WORDS)),
    "shard": st.one_of(st.sampled_from(SHARDS), st.text(alphabet="0123456789/-+ ", max_size=8)),
    "executor": st.sampled_from(EXECUTORS),
    "bandit": st.one_of(
        st.sampled_from(BANDITS), st.text(alphabet="rb=;,/0123456789.e- ", max_size=40)
    ),
    "flag": st.none(),  # type: ignore[dict-item]
}

GRAMMAR: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "altpg_verify check": (
        ("target",),
        {
            "--only": "word",
            "--case": "case",
            "--policy": "policy",
            "--max-examples": "number",
            "--seed": "number",
            "--samples": "number",
            "--strict": "flag",
            "--ends": "flag",
            "--json": "place",
            "--junit": "place",
            "--sarif": "place",
        },
    ),
    "altpg_verify compare": (("target", "target"), {"--json": "place"}),
    "altpg_verify claims": (
        (),
        {
            "--ledger": "place",
            "--section": "word",
            "--kind": "word",
            "--verdict": "word",
            "--text": "word",
            "--json": "flag",
            "--max-examples": "number",
        },
    ),
    "altpg_verify audits": ((), {"--only": "word", "--json": "place"}),
    "altpg_verify completion": (("word",), {}),
    "altpg_verify": (("word",), {}),
    "altpg_verify.report": (
        (),
        {
            "--out": "place",
            "--estimator": "target",
            "--policy": "policy",
            "--profile": "word",
            "--format": "word",
            "--seed": "number",
            "--max-examples": "number",
        },
    ),
    "altpg_verify.theory recheck": (("place",), {}),
    "altpg_verify.theory certify": (
        ("target",),
        {
            "--law": "word",
            "--bandit": "bandit",
            "--alpha": "number",
            "--max-leaves": "number",
            "--out": "place",
        },
    ),
    "altpg_verify.theory certify ": (
        (),
        {"--bandit": "bandit", "--alpha": "number", "--max-leaves": "number", "--out": "place"},
    ),
    "altpg_verify.sim list": ((), {}),
    "altpg_verify.sim run": (
        ("name",),
        {
            "--profile": "word",
            "--executor": "executor",
            "--shard": "shard",
            "--retry": "flag",
            "--out": "place",
        },
    ),
    "altpg_verify.sim recheck": (
        ("place",),
        {"--profile": "word", "--cells": "number", "--seed": "number"},
    ),
    "altpg_verify.sim export": (
        ("name",),
        {"--to": "word", "--out": "place", "--results": "place", "--profile": "word"},
    ),
    "altpg_verify.sim estimate": (
        ("name",),
        {"--fraction": "number", "--cores": "number", "--profile": "word"},
    ),
    "altpg_verify.sim bench": ((), {"--only": "word", "--rounds": "number"}),
    "trust": ((), {"--only": "word", "--out": "place", "--sample": "flag", "--quiet": "flag"}),
}
"""Command -> its arguments in order, and its options; each with the sort of value it takes."""


def run_commands(examples: int, tally: Tally) -> None:
    """Draw command lines and run them up to where the work begins."""
    mains = _mains()
    files = {"good.json": kind_named("ledger.json").good, "good.py": MINE.encode()}
    files |= {"broken.py": b"def f(:\n", "stops.py": b"import sys\nsys.exit(7)\n"}
    with tempfile.TemporaryDirectory() as folder, _where_work_begins():
        world = World(Path(folder).resolve(), files)
        with standing_in(world.inside):

            @drawn(examples)
            @given(_lines())
            def draw(line: tuple[str, list[str]]) -> None:
                command, arguments = line
                program = command.split()[0]
                found = ran(lambda: mains[program](arguments))
                target = f"command line of {program}"
                tally.tried[target] += 1
                tally.refused[target] += found.code == 2
                said = f"{command} {[argument[:60] for argument in arguments]}"
                if wrong := crashed(found):
                    tally.fault("crashes", target, f"{said}: {wrong}")
                # --json good.json was told to write there, and may
                for path, content in files.items():
                    if not any(path in argument for argument in arguments):
                        continue
                    world.put(path, content)
                for fault, what in world.faults("", None):
                    tally.fault(fault, target, f"{said}: {what}")

            draw()


def _mains() -> dict[str, Callable[[list[str]], int]]:
    from altpg_verify import __main__ as check
    from altpg_verify.report import __main__ as report
    from altpg_verify.sim import __main__ as sim
    from altpg_verify.theory import __main__ as theory
    from trust import __main__ as trust

    modules = {
        "altpg_verify": check,
        "altpg_verify.report": report,
        "altpg_verify.theory": theory,
        "altpg_verify.sim": sim,
        "trust": trust,
    }
    return {name: module.main for name, module in modules.items()}


@st.composite
def _lines(draw: Any) -> tuple[str, list[str]]:
    command = draw(st.sampled_from(sorted(GRAMMAR)))
    positions, options = GRAMMAR[command]
    arguments = command.split()[1:]
    arguments += [draw(_any[sort]) for sort in positions]
    for option in (
        draw(st.lists(st.sampled_from(sorted(options)), max_size=3, unique=True)) if options else []
    ):
        value = draw(_any[options[option]])
        arguments += [option] if value is None else [option, value]
    # at times something that belongs nowhere
    arguments += draw(st.lists(_any["word"], max_size=1)) if draw(st.integers(0, 9)) == 0 else []
    return command, arguments


@contextlib.contextmanager
def _where_work_begins() -> Iterator[None]:
    """The functions that begin the work of a command end the attempt."""

    def reached(*arguments: Any, **named: Any) -> Any:
        raise Reached

    where = (
        "altpg_verify.checks.check_estimator",
        "altpg_verify.report.build.build",
        "altpg_verify.report.own.build.build",
        "altpg_verify.report.listing._fresh",
        "altpg_verify.audit.libraries.table.run",
        "altpg_verify.sim.experiments.run_all",
        "altpg_verify.sim.runtime_estimate.estimate",
        "altpg_verify.sim.bench.measure",
        "altpg_verify.theory.proving.certificate_store.write_certificates",
        "altpg_verify.theory.certify.simplex_cover.cover",
        "altpg_verify.theory.certify.user_certificates.certify",
        "altpg_verify.theory.certify.user_certificates._attracts",
        "trust.parts.import_module",
    )
    with contextlib.ExitStack() as stack:
        for name in where:
            stack.enter_context(mock.patch(name, reached))
        yield
