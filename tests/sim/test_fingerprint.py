"""The fingerprint of sources: what a reader sees only doesn't count, and everything that can change
a bit does.
"""

from __future__ import annotations

import pytest

from altpg_verify.sim.jit import SOURCES, fingerprint, stamp

SOURCE = '''"""A kernel."""

SIZE = 4
"""Of a block."""


def step(x, y=1.0):
    """One step."""
    # why
    return x * y + SIZE if y else None
'''

SAME = {
    "another comment": ("# why", "# for another reason"),
    "no comment": ("    # why\n", ""),
    "another docstring": ('"""One step."""', '"""A step\n\n    of two lines."""'),
    "no docstring": ('    """One step."""\n', ""),
    "words below a constant": ('"""Of a block."""', '"""Of a lane."""'),
    "a refusal": ("    return", "    refusals.bandit(x, x.shape, 3)\n    return"),
    "what refuses": ("SIZE = 4", "from altpg_verify.sim import refusals\nSIZE = 4"),
    "layout": (
        "x * y + SIZE if y else None",
        "(\n        x * y\n        + SIZE if y else None\n    )",
    ),
}
OTHER = {
    "a number": ("SIZE = 4", "SIZE = 5"),
    "a refusal whose answer is used": ("    return", "    x = refusals.bandit(x)\n    return"),
    "a refusal of what is made for it": ("    return", "    refusals.bandit(y := 2.0)\n    return"),
    "a refusal of what a call gives": ("    return", "    refusals.bandit(x.pop())\n    return"),
    "what refuses under another name": ("    return", "    settings.bandit(x)\n    return"),
    "another module with it": (
        "SIZE = 4",
        "from altpg_verify.sim import refusals, streams\nSIZE = 4",
    ),
    "a module of that name elsewhere": ("SIZE = 4", "from sim import refusals\nSIZE = 4"),
    "the type of a number": ("SIZE = 4", "SIZE = 4.0"),
    "a default": ("y=1.0", "y=1.5"),
    "an order": ("x * y", "y * x"),
    "an operation": ("x * y +", "x * y -"),
    "a grouping": ("x * y + SIZE", "x * (y + SIZE)"),
    "None": ("else None", "else 0"),
    "a name": ("def step", "def steps"),
    "a decorator": ("def step", "@njit\ndef step"),
    "text that is used": ('SIZE = 4\n"""Of a block."""', 'SIZE = 4\nNAME = """Of a block."""'),
}


def changed(old, new):
    assert SOURCE.count(old) == 1
    return SOURCE.replace(old, new)


@pytest.mark.parametrize("what", SAME)
def test_what_only_readers_see_does_not_count(what):
    assert fingerprint([changed(*SAME[what])]) == fingerprint([SOURCE])


@pytest.mark.parametrize("what", OTHER)
def test_what_can_change_a_bit_counts(what):
    assert fingerprint([changed(*OTHER[what])]) != fingerprint([SOURCE])


def test_where_the_package_lies_and_the_order_of_imports_do_not_count():
    old = (
        "from altpg_verify.errors import A\nfrom altpg_verify.structure import B\nfrom sim.jit"
        " import C\n"
    )
    new = (
        "from altpg_verify.errors import A\nfrom altpg_verify.sim.jit import C\nfrom"
        " altpg_verify.structure import B\n"
    )
    assert fingerprint([new]) == fingerprint([old])
    # the later of two bindings of a name counts, and another module is another source
    assert fingerprint([new.replace("import B", "import C")]) != fingerprint(
        [old.replace("import B", "import C")]
    )
    assert fingerprint([new.replace("sim.jit", "sim.streams")]) != fingerprint([old])


def test_files_do_not_run_into_each_other():
    assert fingerprint(["x = 1\ny = 2"]) != fingerprint(["x = 1", "y = 2"])
    assert fingerprint(["x = 1", "y = 2"]) != fingerprint(["y = 2", "x = 1"])


def test_it_is_the_same_in_every_version_of_python():
    # fields that a version of Python adds or leaves out when empty are not in it: this number was
    # made by 3.11
    assert (
        fingerprint(["def f(x: int) -> int:\n    return -x\n\n\nclass C:\n    y = f'{f(2)!r}'\n"])
        == 3469867755532208428
    )


def test_families_have_fingerprints_of_their_own():
    assert len({stamp(family) for family in SOURCES}) == len(SOURCES)
    assert all(0 <= stamp(family) < 2**62 for family in SOURCES)
