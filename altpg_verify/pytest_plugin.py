"""The pytest plugin: the marker `claim(id)`, and nothing else unless asked. Importing it loads no
heavy library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that `--strict-markers` accepts it.

    Args:
        config: pytest's own.
    """
    config.addinivalue_line(
        "markers", "claim(id): this test is evidence for that claim of the ledger"
    )
