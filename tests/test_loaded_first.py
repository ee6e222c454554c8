"""What judges a file is loaded before the file's own code runs, wherever that code could edit it as
it is loaded; what it can't reach may wait.
"""

from __future__ import annotations

import importlib

import pytest

from altpg_verify import targets

SEARCH, AUDIT = "altpg_verify.strategies", "altpg_verify.audit.merging"
UPDATES = "from altpg_verify.audit import bandit, update\n"


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """The modules that are loaded for a file with such a text."""

    def modules(text):
        file = tmp_path / "theirs.py"
        file.write_text(text, encoding="utf-8")
        found = []
        with monkeypatch.context() as within:
            within.setattr(importlib, "import_module", found.append)
            targets._load_what_judges(str(file))
        return {*found}

    return modules


@pytest.mark.parametrize(
    "text",
    [
        UPDATES,
        "import numpy as np\nfrom altpg_verify.audit.spaces import Space\n",
        "from __future__ import annotations\nimport math\n" + UPDATES,
    ],
)
def test_a_file_of_updates_alone_waits_for_no_search(loaded, text):
    assert AUDIT in loaded(text)
    assert SEARCH not in loaded(text)


def test_a_file_of_estimators_alone_waits_for_no_audit(loaded):
    found = loaded("from altpg_verify import estimator\n")
    assert SEARCH in found
    assert AUDIT not in found


@pytest.mark.parametrize(
    "text",
    [
        UPDATES + "import altpg_verify\n",
        UPDATES + "from altpg_verify import strategies\n",
        "import altpg_verify.audit as a\n",
        UPDATES + "import altpg_verify.audit\n",
        UPDATES + "import operator\nfind = operator.attrgetter('strat' + 'egies')\n",
        UPDATES + "from inspect import getmodule\n",
        UPDATES + "import gc\n",
        UPDATES + "from altpg_verify.audit.updates import sys as s\n",
        UPDATES + "package = update.__globals__\n",
        UPDATES + "name = 'altpg_' 'verify'\nvars()\n",
        UPDATES + "import theirs_too\n",
        "if True:\n    from altpg_verify.audit import bandit\n",
        "import torch\n" + UPDATES,
    ],
)
def test_whoever_has_another_way_to_it_finds_all_of_it_loaded(loaded, text):
    assert {SEARCH, AUDIT} <= loaded(text)
