"""Starting a process in which a file of the user's folder, a random.py or pickle.py, doesn't stand
in for the real module.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_NAME = "PYTHONSAFEPATH"


@contextmanager
def safe_path() -> Iterator[None]:
    """Processes that are started inside the block don't have the current folder first in `sys.path`
    while they start. The environment is as before at the block's end.
    """
    # by the environment, which a started interpreter reads before it makes its path
    before = os.environ.get(_NAME)
    os.environ[_NAME] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_NAME]
        else:
            os.environ[_NAME] = before
