"""Files in the place of an estimator: broken, strange or wrong Python, and formulas that return
anything.

An estimator is code that its user runs on purpose, so it may do what it likes; but what it does
wrong must be said in a line.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from altpg_verify import __main__ as command
from trust.fuzz.draws import drawn
from trust.fuzz.watch import Tally, World, crashed, ran, standing_in

TARGET = "estimator sources"
_ATOMS = (
    *("r", "b", "pi", "e", "1", "0", "2.5", "1j", "1e308", "'x'", "None", "[]", "pi[0]"),
    *("e[9]", "float('nan')", "10**400", "pi.shape"),
)
_JOINED = (
    *("({} + {})", "({} - {})", "({} * {})", "({} / {})", "({} ** {})", "({} @ {})"),
    *("({} < {})", "[{}, {}]", "({} if {} else 0)"),
)
_expression = st.recursive(
    st.sampled_from(_ATOMS),
    lambda inner: st.builds(
        lambda how, one, other: how.format(one, other), st.sampled_from(_JOINED), inner, inner
    ),
    max_leaves=5,
)
_formula = _expression.map(
    lambda text: (
        "from altpg_verify import estimator\n@estimator\ndef mine(pi, e, r, b):\n    return"
        f" {text}\n".encode()
    )
)

STRANGE = (
    b"",
    b"\x00",
    b"\xff\xfe",
    b"# -*- coding: nothing -*-\n",
    b"def f(:\n",
    b"(" * 5000,
    b"-" * 50_000 + b"1",
    b"x = " + b"9" * 10_000,
    b"raise SystemExit(0)",
    b"raise RecursionError",
    b"raise MemoryError",
    b"import nothing_of_that_name",
    b"from altpg_verify import nothing",
    b"def f(): return f()\nf()",
    b"mine = 3",
    b"def __getattr__(name): raise RuntimeError(name)",
    b"from altpg_verify import estimator\n@estimator\ndef mine(x): return x",
    b"from altpg_verify import estimator\n@estimator\ndef mine(*a): return a",
    b"from altpg_verify import estimator\n@estimator\ndef mine(): return 1",
    b"from altpg_verify import estimator\nmine = estimator(3)",
    b"from altpg_verify import estimator\nmine = estimator(name='x' * 10**5)(lambda e, r: r * e)",
    (
        b"from altpg_verify import estimator\n@estimator(expected_failures={'nothing': 'why'})\ndef"
        b" mine(e, r): return r * e"
    ),
    (
        b"from altpg_verify import estimator\n@estimator(promises=('nothing',))\ndef mine(e, r):"
        b" return r * e"
    ),
    b"from altpg_verify import estimator\n@estimator\ndef mine(e, r):\n    raise SystemExit(0)",
    b"from altpg_verify import estimator\n@estimator\ndef mine(e, r):\n    raise RecursionError",
    b"from altpg_verify import estimator\n@estimator\ndef mine(e, r):\n    return mine(e=e, r=r)",
    b"from altpg_verify import estimator\n@estimator\ndef mine(e, r):\n    e[0] = 7\n    return e",
    (
        b"from altpg_verify import estimator\n@estimator\ndef mine(e, r):\n    del e\n    return"
        b" iter(())"
    ),
)
"""Sources that are no good."""


def check_sources(examples: int, tally: Tally) -> None:
    """Check the strange sources, and as many drawn formulas as asked for, with few cases each."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder).resolve(), {"neighbour.txt": b"good"})
        with standing_in(world.inside):
            for source in STRANGE:
                _checked(world, source, tally)

            @drawn(examples)
            @given(_formula)
            def draw(source: bytes) -> None:
                _checked(world, source, tally)

            draw()


def _checked(world: World, source: bytes, tally: Tally) -> None:
    world.put("mine.py", source)
    found = ran(
        lambda: command.main(
            [
                "check",
                "mine.py:mine",
                "--max-examples",
                "2",
                "--only",
                "unbiased",
                "--only",
                "zero_sum",
            ]
        )
    )
    tally.tried[TARGET] += 1
    tally.refused[TARGET] += found.code == 2
    if wrong := crashed(found):
        tally.fault("crashes", TARGET, f"{source[-120:]!r}: {wrong}")
    for fault, what in world.faults("", None):
        tally.fault(fault, TARGET, f"{source[-120:]!r}: {what}")
