"""The search for a counterexample: its own settings, and nothing left behind in Hypothesis or on
disk.
"""

from __future__ import annotations

import re

import pytest

from altpg_verify.search import sample, search
from altpg_verify.strategies import cases


def test_a_search_counts_until_the_first_failure_and_finds_the_smallest():
    found, tried = search(cases(), lambda case: case.k > 2, 100, 0)
    assert str(found) == "pi=1/3,1/3,1/3; r=0,0,0; b=0"
    assert 0 <= tried < 100
    assert search(cases(), lambda case: False, 17, 0) == (None, 17)
    assert search(cases(), lambda case: True, 17, 0)[1] == 1
    drawn = sample(cases(), 17, 3)
    assert len(drawn) == 17
    assert drawn == sample(cases(), 17, 3)
    assert drawn != sample(cases(), 17, 4)


def test_a_search_runs_where_the_internals_of_hypothesis_have_moved(monkeypatch):
    def moved(name):
        raise ModuleNotFoundError(name)

    # Hypothesis itself still needs them, wherever they are
    monkeypatch.setattr("altpg_verify.search.import_module", moved)
    assert search(cases(), lambda case: False, 3, 0) == (None, 3)


def test_a_search_has_its_own_settings_whatever_the_users_are():
    import time

    from hypothesis import settings
    from hypothesis.database import InMemoryExampleDatabase

    kept = InMemoryExampleDatabase()
    settings.register_profile("as before", settings())
    settings.register_profile("users", database=kept, deadline=1)
    settings.load_profile("users")

    try:
        found, _ = search(cases(), lambda case: case.k > 2, 100, 0)
        assert found.k == 3
        # each longer than the user's deadline
        assert search(cases(), lambda case: bool(time.sleep(0.005)), 3, 0) == (None, 3)
    finally:
        settings.load_profile("as before")
    assert not kept.data


def test_a_search_gives_back_the_users_folder_of_hypothesis(tmp_path):
    from hypothesis import configuration

    before = vars(configuration).get("__hypothesis_home_directory")
    configuration.set_hypothesis_home_dir(tmp_path)
    try:
        search(cases(), lambda case: False, 1, 0)
        assert vars(configuration)["__hypothesis_home_directory"] == tmp_path
    finally:
        configuration.set_hypothesis_home_dir(before)
    assert list(tmp_path.iterdir()) == []


def test_a_search_leaves_hypothesis_and_the_folder_as_they_were(tmp_path, monkeypatch):
    from hypothesis import configuration
    from hypothesis.internal.conjecture import providers

    monkeypatch.chdir(tmp_path)
    home = vars(configuration).get("__hypothesis_home_directory")
    constants = vars(providers)["_get_local_constants"]
    cache = vars(providers)["CONSTANTS_CACHE"]
    inside = []

    def fails(case):
        inside.append(
            (
                vars(configuration).get("__hypothesis_home_directory"),
                vars(providers)["_get_local_constants"],
                vars(providers)["CONSTANTS_CACHE"],
            )
        )
        return False

    search(cases(), fails, 3, 0)
    assert vars(configuration).get("__hypothesis_home_directory") == home
    assert vars(providers)["_get_local_constants"] is constants
    assert vars(providers)["CONSTANTS_CACHE"] is cache
    place, ours, empty = inside[0]
    assert re.search("altpg-verify-", str(place))
    assert ours is not constants
    assert empty is not cache
    assert ours().set_for_type("integer") == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RuntimeError):
        search(cases(), lambda case: (_ for _ in ()).throw(RuntimeError("stop")), 3, 0)
    assert vars(providers)["_get_local_constants"] is constants
    assert vars(configuration).get("__hypothesis_home_directory") == home
