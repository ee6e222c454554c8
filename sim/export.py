"""Stored results in formats that other tools read, labelled: a table in parquet, arrays in netCDF.

    parquet    one row a run: the setting, the stepsizes or other grid values, the number of the
        run, then what it measured. Arrays
               that are not of single runs, such as averaged learning curves, have no place in such
               a table and are left out.
    netcdf     one group a cell with all its arrays, their dimensions named and labelled, the
               setting as JSON in an attribute.

Both need the extra `export`. A file is written whole or not at all.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.files import write_whole
from altpg_verify.sim.results import Record, Results

RUN = "run"


@dataclass(frozen=True)
class Axis:
    """A dimension of a cell's arrays: its name and what its places stand for.

    Args:
        name: e.g. alpha, run.
        labels: one value for each place, in order.
    """

    name: str
    labels: np.ndarray


def axes(record: Record) -> tuple[Axis, ...]:
    """The dimensions of `failed`, which all arrays of single runs begin with: grid values of the
    setting, and last the runs.

    A dimension as long as a list of the setting is named for it, in the singular; one that fits
    none is `axis_0`, `axis_1`, ...

    Args:
        record: a cell whose `failed` has an entry for every run.
    """
    # grid values are the lists of a setting; rewards are one bandit, not a grid
    lists = {
        name: values
        for name, values in record.setting.items()
        if isinstance(values, list) and name != "rewards"
    }
    order = [
        *(name for name in ("alphas", "betas") if name in lists),
        *(name for name in lists if name not in ("alphas", "betas")),
    ]
    *grid, runs = record["failed"].shape
    found = []
    for number, size in enumerate(grid):
        # a list of the setting as long as the dimension names it; alphas come before betas
        name = next((name for name in order if len(lists[name]) == size), None)
        if name is None:
            found.append(Axis(f"axis_{number}", np.arange(size)))
        else:
            order.remove(name)
            found.append(Axis(name.removesuffix("s"), np.array(lists[name])))
    return (*found, Axis(RUN, np.arange(runs)))


def export(results: Results, experiments: Sequence[str], form: str, path: Path) -> tuple[str, ...]:
    """Write the results of some experiments to one file.

    Args:
        form: one of `FORMS`.

    Returns:
        The names of the arrays that the form has no place for.

    Raises:
        BadInput: no such form, an extra that is not installed, results that are not there, or a
            file that can't be written.
    """
    if form not in FORMS:
        raise BadInput(f"--to {form!r} is none of {', '.join(FORMS)}")
    content, left_out = FORMS[form](
        [(name, record) for name in experiments for record in results.select(name)]
    )
    write_whole(path, content, "--out")
    return left_out


def _parquet(records: Sequence[tuple[str, Record]]) -> tuple[bytes, tuple[str, ...]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise _needs(error, "parquet") from error
    tables, left_out = [], set()
    for experiment, record in records:
        columns, others = _columns(experiment, record)
        tables.append(pyarrow.table(columns))
        left_out |= others
    buffer = io.BytesIO()
    # cells of an experiment may have other names in their settings: a column that a cell lacks is
    # empty there
    parquet.write_table(pyarrow.concat_tables(tables, promote_options="permissive"), buffer)
    return buffer.getvalue(), tuple(sorted(left_out))


def _columns(experiment: str, record: Record) -> tuple[dict[str, Any], set[str]]:
    """The rows of one cell, and the names of its arrays that are not of single runs."""
    found = axes(record)
    shape = record["failed"].shape
    size = int(np.prod(shape))
    plain = {
        name: value
        for name, value in record.setting.items()
        if isinstance(value, (str, int, float, bool))
    }
    columns: dict[str, Any] = {
        "experiment": [experiment] * size,
        **{f"setting_{name}": [value] * size for name, value in plain.items()},
    }
    for place, axis in enumerate(found):
        # the labels along their own dimension, and repeated along all others
        along = axis.labels.reshape([-1 if i == place else 1 for i in range(len(shape))])
        columns[axis.name] = np.broadcast_to(along, shape).ravel()
    others = set()
    for name, values in record.arrays.items():
        # averages and curves over all runs have no row for a run
        if values.shape[: len(shape)] != shape:
            others.add(name)
            continue
        rows = values.reshape(size, *values.shape[len(shape) :])
        columns[name] = rows if rows.ndim == 1 else rows.tolist()
    return columns, others


def _netcdf(records: Sequence[tuple[str, Record]]) -> tuple[bytes, tuple[str, ...]]:
    try:
        import h5netcdf
        import h5py
    except ImportError as error:
        raise _needs(error, "netcdf") from error
    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        for experiment, record in records:
            home = (
                file.groups[experiment]
                if experiment in file.groups
                else file.create_group(experiment)
            )
            group = home.create_group(f"cell_{len(home.groups):04}")
            group.attrs["setting"] = json.dumps(dict(record.setting), sort_keys=True)
            found = axes(record)
            for axis in found:
                group.dimensions[axis.name] = axis.labels.size
                words = axis.labels.dtype.kind in "US"
                labels, dtype = (
                    (axis.labels.astype(object), h5py.string_dtype())
                    if words
                    else (axis.labels, None)
                )
                group.create_variable(axis.name, (axis.name,), dtype, labels)
            for name, values in record.arrays.items():
                group.create_variable(
                    _free(name, found),
                    _dimensions(group, name, values, found),
                    data=_numbers(values),
                )
    return buffer.getvalue(), ()


def _dimensions(
    group: Any, name: str, values: np.ndarray, found: Sequence[Axis]
) -> tuple[str, ...]:
    """The named dimensions as far as they go, then dimensions of the array's own."""
    shared = 0
    while (
        shared < min(values.ndim, len(found)) and values.shape[shared] == found[shared].labels.size
    ):
        shared += 1
    own = []
    for place in range(shared, values.ndim):
        own.append(f"{name}_{place}")
        group.dimensions[own[-1]] = values.shape[place]
    return (*(axis.name for axis in found[:shared]), *own)


def _free(name: str, found: Sequence[Axis]) -> str:
    """The array's name, or another if a dimension has it."""
    return f"{name}_values" if name in {axis.name for axis in found} else name


def _numbers(values: np.ndarray) -> np.ndarray:
    """NetCDF has no truth values: 0 and 1."""
    return values.astype(np.int8) if values.dtype == bool else values


def _needs(error: ImportError, form: str) -> BadInput:
    return BadInput(
        f"--to {form} needs {error.name}, which is not installed; install the extra: pip install"
        " 'altpg-verify[export]'"
    )


FORMS: Mapping[str, Callable[[Sequence[tuple[str, Record]]], tuple[bytes, tuple[str, ...]]]] = {
    "parquet": _parquet,
    "netcdf": _netcdf,
}
"""What results can be exported to."""
