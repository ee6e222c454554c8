"""What is exported is what is stored, number by number, with the right labels; what can't be had is
refused by name.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim import sweep
from altpg_verify.sim.experiments import work_for
from altpg_verify.sim.export import axes, export
from altpg_verify.sim.results import Record, Results

NAMES = (
    "bias_alternate_param_study",
    "stationary_mean",
    "chain_long_episodes",
    "param_sensitivity_r001",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two cells of each experiment, with a few runs; the last two keep other settings and arrays
    than the first two.
    """
    folder = tmp_path_factory.mktemp("results")
    work = [
        cell for name in NAMES for cell in (work_for("quick", name)[1], work_for("quick", name)[-1])
    ]
    small = {
        "stationary_mean": {"runs": 4, "burn_in": 6, "last": 10},
        "param_sensitivity_r001": {"runs": 4, "fresh": 4},
    }
    work = [
        replace(cell, setting={**cell.setting, **small.get(cell.experiment, {})}) for cell in work
    ]
    sweep.run(work, folder)
    return Results("quick", work, folder)


def per_run(record):
    shape = record["failed"].shape
    return {
        name: values.reshape(-1, *values.shape[len(shape) :])
        for name, values in record.arrays.items()
        if values.shape[: len(shape)] == shape
    }


def test_axes_are_named_for_the_lists_of_the_setting():
    setting = {
        "rewards": [1.0, 2.0, 3.0],
        "starts": [0.0, 5.0],
        "alphas": [0.25, 0.5],
        "betas": [1.0, 2.0, 4.0],
    }
    found = axes(Record(setting, {"failed": np.zeros((2, 3, 2, 7, 5), bool)}))
    assert [axis.name for axis in found] == ["alpha", "beta", "start", "axis_3", "run"]
    assert found[1].labels.tolist() == [1.0, 2.0, 4.0]
    assert found[4].labels.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.thorough
def test_parquet_has_every_run_under_its_labels(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    left_out = export(results, NAMES, "parquet", tmp_path / "runs.parquet")
    assert {"curve", "curve_error", "fresh_mean"} <= set(left_out)
    rows = parquet.read_table(tmp_path / "runs.parquet").to_pylist()
    records = [(name, record) for name in NAMES for record in results.select(name)]
    assert len(rows) == sum(record["failed"].size for _, record in records)
    place = iter(rows)
    for name, record in records:
        columns = per_run(record)
        for index in range(record["failed"].size):
            row = next(place)
            assert row["experiment"] == name
            where = np.unravel_index(index, record["failed"].shape)
            assert row["run"] == where[-1]
            if "alphas" in record.setting and record["failed"].ndim == 3:
                assert row["alpha"] == record.setting["alphas"][where[0]]
                assert row["beta"] == record.setting["betas"][where[1]]
            for column, values in columns.items():
                assert np.array_equal(row[column], values[index])
            assert row.get("setting_estimator") == record.setting.get("estimator")


@pytest.mark.thorough
def test_netcdf_has_every_array_of_every_cell(results, tmp_path):
    h5netcdf = pytest.importorskip("h5netcdf")
    pytest.importorskip("h5py")
    assert export(results, NAMES, "netcdf", tmp_path / "all.nc") == ()
    with h5netcdf.File(tmp_path / "all.nc", "r") as file:
        for name in NAMES:
            assert len(file[name].groups) == 2
            for number, record in enumerate(results.select(name)):
                group = file[f"{name}/cell_{number:04}"]
                assert json.loads(group.attrs["setting"]) == record.setting
                for array, values in record.arrays.items():
                    assert np.array_equal(group[array][...], values)
                for axis in axes(record):
                    assert np.array_equal(group[axis.name][...], axis.labels)
                assert group["failed"].dimensions == tuple(axis.name for axis in axes(record))
        assert file["bias_alternate_param_study/cell_0000/curve"].dimensions == (
            "alpha",
            "beta",
            "curve_2",
        )


@pytest.mark.parametrize(("form", "module"), [("parquet", "pyarrow"), ("netcdf", "h5netcdf")])
def test_an_extra_that_is_not_installed_is_named(results, tmp_path, monkeypatch, form, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BadInput, match=rf"--to {form} needs .*altpg-verify\[export\]"):
        export(results, NAMES, form, tmp_path / "file")
    assert not list(tmp_path.iterdir())


def test_unknown_forms_and_missing_results_are_refused(results, tmp_path):
    with pytest.raises(BadInput, match="parquet, netcdf"):
        export(results, NAMES, "csv", tmp_path / "file")
    empty = Results("quick", work_for("quick", NAMES[0]), tmp_path)
    with pytest.raises(Missing, match=f"no stored results of {NAMES[0]}"):
        export(empty, NAMES[:1], "parquet", tmp_path / "file")
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_the_command(results, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    from altpg_verify.sim.__main__ import main

    assert main(["run", "corner_random_walk", "--out", str(tmp_path / "results")]) == 0
    capsys.readouterr()
    command = [
        "export",
        "corner_random_walk",
        "--to",
        "parquet",
        "--results",
        str(tmp_path / "results"),
        "--out",
    ]
    assert main([*command, str(tmp_path / "runs.parquet")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'runs.parquet'}\n"
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    assert main([*command, str(tmp_path / "taken" / "runs.parquet")]) == 2
    assert "--out" in capsys.readouterr().err
