"""The modules of exact cases, wherever in `theory` they stand: a file of exact cases is called
`cases` or `cases_...`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from altpg_verify import theory

MODULES = tuple(
    import_module(info.name)
    for info in pkgutil.walk_packages(theory.__path__, f"{theory.__name__}.")
    if info.name.rpartition(".")[2].startswith("cases")
)
STATED = tuple(module for module in MODULES if hasattr(module, "STATEMENTS"))
"""Those with statements of the paper; the others hold what several of them share."""
