"""The gallery's updates for tests: the numpy one always, those under autodiff where the framework
is installed.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from altpg_verify.audit import Audit, Update, audit

FOURTH_DECIMAL = 6e-5
"""Where the table of cases gives four decimals only."""


audited = functools.cache(audit)
"""An update of the gallery is audited once, however many tests read what was found."""


def flavours(*frameworks):
    """Parametrise a test over the numpy version of a case and its versions as losses."""
    return pytest.mark.parametrize("flavour", ["numpy", *frameworks])


def updates(case: str, flavour: str):
    """The module of a case in one flavour; skipped with the reason where the framework isn't
    there.
    """
    if flavour != "numpy":
        pytest.importorskip(flavour)
        return import_module(f"tests.gallery.cases.{case}_{flavour}")
    return import_module(f"tests.gallery.cases.{case}")


def same(found, *numbers, within=1e-9):
    """Vectors agree: exactly where fractions are given and found, else to 1e-9 (relative for
    numbers above 1).
    """
    expected = [Fraction(n) if isinstance(n, str) else n for n in numbers]
    found = list(np.asarray(found, dtype=object).reshape(-1))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, Fraction) and isinstance(other, Fraction):
            assert one == other
        else:
            assert abs(float(one) - float(other)) <= within * max(1.0, abs(float(other))), (
                f"{found} is not {expected}"
            )
    return True


__all__ = ["FOURTH_DECIMAL", "Audit", "Update", "audited", "flavours", "same", "updates"]
