"""What is drawn from the results is shared out in pieces: all of it, each piece once, and together
it is whole again.
"""

from __future__ import annotations

import multiprocessing

from altpg_verify.report import pictures
from altpg_verify.sim.experiments import EXPERIMENTS


def test_every_experiment_is_a_piece_once():
    names = [name for kind, name in pictures.pieces() if kind == "experiments"]
    assert sorted(names) == sorted(experiment.name for experiment in EXPERIMENTS)
    assert len(set(pictures.pieces())) == len(pictures.pieces())


def test_two_who_draw_share_the_pieces_and_together_have_them_in_order(monkeypatch):
    monkeypatch.setattr(pictures, "drawn", lambda piece, results: f"{results} {piece}")
    count = multiprocessing.get_context("spawn").Value("i", 0)
    one, other = pictures.taken("one", count), pictures.taken("other", count)
    found = dict([next(one), next(other), *one, *other])
    assert set(found) == set(pictures.pieces())
    assert {text.partition(" ")[0] for text in found.values()} == {"one", "other"}
    whole = pictures.together(found)
    assert list(whole["experiments"]) == [experiment.name for experiment in EXPERIMENTS]
    assert set(whole) == {"experiments", "picture", "variances", "choices"}
