"""Hostile programs against the command itself: what ends its process, edits the checker as it is
loaded, writes to its output, or closes what it works with.

Each is a file of an estimator that is twice what it claims, checked by `python -m altpg_verify check
FILE --json -` in a process of its own: right is that it fails, or is refused.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from trust.hostile.forms import NEVER_PASSED

PATIENCE = 100
"""Seconds for one command."""

FORMULA = """\
from altpg_verify import estimator

@estimator
def mine(pi, e, r, b):
    {}
    return 2 * (r - b) * (e - pi)
"""


def checked(before: str, within: str = "pass") -> Callable[[], str]:
    """What the command says of a file. Args: before: code of the module. within: of the formula."""

    def ask() -> str:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "mine.py").write_text(
                before + "\n" + FORMULA.format(within), encoding="utf-8"
            )
            words = [sys.executable, "-m", "altpg_verify", "check", "mine.py"]
            done = subprocess.run(
                [*words, "--only", "unbiased", "--json", "-"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=PATIENCE,
                check=False,
            )
        if done.returncode == 2 and "Traceback (most" not in done.stderr:
            return "refused"
        (report,) = json.loads(done.stdout)
        (found,) = report["results"]
        if report["ok"] is not (done.returncode == 0):
            raise AssertionError(f"exit code {done.returncode}, and ok is {report['ok']}")
        return "PROVED" if report["ok"] else str(found["verdict"])

    return ask


C = "import ctypes\nC = ctypes.CDLL(None)"

_ENDING = [
    ("_exit of C, in the formula", C, "C._exit(0)"),
    ("_exit of C, in the module", f"{C}\nC._exit(0)", "pass"),
    ("exit of C", C, "C.exit(0)"),
    ("a signal to itself", "import os", "os.kill(os.getpid(), 9)"),
    ("a crash", C, "ctypes.string_at(0)"),
    (
        "a watchdog",
        "import faulthandler\nfaulthandler.dump_traceback_later(0.2, exit=True)",
        "pass",
    ),
    ("_exit of C at the end", f"{C}\nimport atexit\natexit.register(lambda: C._exit(0))", "pass"),
    ("a copy", "import os", "os.fork()"),
    ("every file closed", "import os\nos.closerange(3, 100)", "pass"),
]
_EDITING = [
    (
        "a comparison",
        "import altpg_verify.comparing_sides as c\nc.Comparing.fails = lambda *a: False",
    ),
    (
        "the search",
        "import altpg_verify.law_engine as c\nc.LawEngine._search = lambda *a, **k: (None, 500, 0)",
    ),
    (
        "what is fine",
        "import altpg_verify.results as c\nc.CheckResult.ok = c.Report.ok = property(lambda s: True)",
    ),
    (
        "the sides of a law",
        (
            "import altpg_verify.laws as c\nobject.__setattr__(c.law_named('unbiased'), 'sides',"
            " lambda one, case: ([0], [0]))"
        ),
    ),
    ("an exit code", "import altpg_verify.commands as c\nc.NOT_OK = 0"),
    ("what is written", "import json\njson.dumps = lambda *a, **k: '[]'"),
    ("fractions", "import fractions\nfractions.Fraction.__eq__ = lambda a, b: True"),
    ("a builtin", "import builtins\nbuiltins.all = lambda each: True"),
    (
        "a name put together",
        "m = __import__('altpg_verify.' + 'comparing_sides').comparing_sides\nm.Comparing.fails = 0",
    ),
]
_WRITING = [
    ("by number", "import os\nos.write(1, b'[]')"),
    ("to Python's first stream", "import sys\nsys.__stdout__.write('[]')"),
    ("at the end", "import atexit\natexit.register(print, '[]')"),
    ("by another program", "import subprocess\nsubprocess.run(['echo', '[]'])"),
    ("by C", f"{C}\nC.puts(b'[]')"),
]
_CLOSING = [
    ("another output", "import os, sys\nsys.stdout = open(os.devnull, 'w')"),
    ("its output closed", "import sys\nsys.stdout.close()"),
    ("its output closed, by number", "import os\nos.close(1)"),
    ("no streams", "import sys\nsys.stdout = sys.stderr = None"),
    ("another folder", "import os\nos.chdir('/')"),
    ("no modules", "import sys\nsys.modules.clear()"),
    ("no environment", "import os\nos.environ.clear()"),
    ("no depth", "import sys\nsys.setrecursionlimit(60)"),
    ("no collector", "import gc\ngc.disable()\ngc.freeze()"),
    ("few digits", "import sys\nsys.set_int_max_str_digits(640)"),
]

PROGRAMS = {
    "the process": [(name, checked(*made), NEVER_PASSED) for name, *made in _ENDING],
    "edits at import": [(name, checked(made), NEVER_PASSED) for name, made in _EDITING],
    "the output": [(name, checked(made), NEVER_PASSED) for name, made in _WRITING],
    "what it works with": [(name, checked(made), NEVER_PASSED) for name, made in _CLOSING],
}
"""Programs by kind."""
