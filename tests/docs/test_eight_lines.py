"""What a user writes to have a trainer's loss audited, as the documentation has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks

MOST = 8
PROGRAMS = {
    block.file: block
    for block in blocks(Path(ROOT, "docs", "how-to", "tokens.md"))
    if block.file.startswith("of_")
}


@pytest.mark.parametrize("file", ["of_verl.py", "of_trl.py", "of_cleanrl.py", "of_jax.py"])
def test_a_loss_is_handed_over_in_eight_lines_imports_included(file):
    lines = [
        line
        for line in PROGRAMS[file].text.splitlines()
        if line.strip() and not line.startswith("#")
    ]
    assert any(line.startswith("from my_") for line in lines)
    assert any("trainer_loss(" in line for line in lines)
    assert len(lines) <= MOST
