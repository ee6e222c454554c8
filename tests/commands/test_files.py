"""JSON files are read whole: what could not be written again is refused in a sentence."""

from __future__ import annotations

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.files import read_json


def test_half_a_character_is_refused(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text('{"notes": ["\\uD83D"]}', encoding="utf-8")
    with pytest.raises(BadInput, match=r"kept\.json.*surrogates not allowed.*write it again"):
        read_json(path)


def test_both_halves_are_a_character(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text('"\\ud83d\\ude00"', encoding="utf-8")
    assert read_json(path) == "\N{GRINNING FACE}"
