"""`python -m altpg_verify.report --estimator`: files whole or not at all, the same bytes, one clear
line for what can't be used.
"""

from __future__ import annotations

import io
import json

import pikepdf
import pytest

from altpg_verify.report.__main__ import main
from altpg_verify.report.own import learning
from tests.report.pdf_rules import RULES

HERE = "tests.report.own_estimators"


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--estimator", f"{HERE}:nothing"], "has no 'nothing'"),
        (["--estimator", "no_such_module:x"], "no module 'no_such_module'"),
        (["--estimator", HERE], "name one of them"),
        (["--estimator", "tests.gallery.cases.p08_own_mean:MEANT"], ""),
        (["--estimator", f"{HERE}:doubled", "--policy", "escort:x"], "escort power"),
        (["--estimator", f"{HERE}:doubled", "--profile", "quick"], "--profile"),
        (["--estimator", f"{HERE}:doubled", "--max-examples", "0"], "--max-examples 0"),
        (["--policy", "softmax"], "--policy goes with --estimator"),
    ],
)
def test_bad_targets(arguments, reported, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([*arguments, "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert reported in error
    assert error.count("\n") == 1
    assert not out.exists()


def smaller(monkeypatch):
    monkeypatch.setattr(learning, "RUNS", 8)
    monkeypatch.setattr(learning, "ALPHAS", (0.25, 1.0))
    monkeypatch.setattr(learning, "ONLINE_ALPHAS", (0.5,))
    monkeypatch.setattr(learning, "ONLINE_RUNS", 16)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["half_regular", "mixing", "clipped", "expected"])
def test_the_same_bytes_twice(name, tmp_path, monkeypatch):
    smaller(monkeypatch)
    built = []
    for folder in ("one", "two"):
        assert (
            main(
                [
                    "--estimator",
                    f"{HERE}:{name}",
                    "--out",
                    str(tmp_path / folder),
                    "--max-examples",
                    "40",
                    "--quiet",
                ]
            )
            == 1
        )
        built.append(
            {
                path.relative_to(tmp_path / folder): path.read_bytes()
                for path in (tmp_path / folder).rglob("*")
                if path.is_file()
            }
        )
    assert built[0] == built[1]
    names = {str(path) for path in built[0]}
    assert {f"{name}.pdf", f"{name}.json"} <= names
    data = json.loads((tmp_path / "one" / f"{name}.json").read_text(encoding="utf-8"))
    assert {result["law"]: result["verdict"] for result in data["results"]}["unbiased"] == "REFUTED"


@pytest.mark.slow
def test_half_regular_as_a_page(tmp_path, monkeypatch):
    from altpg_verify.theory.proving.certificate_recheck import recheck_file

    smaller(monkeypatch)
    assert main(["--estimator", f"{HERE}:half_regular", "--out", str(tmp_path), "--quiet"]) == 1
    data = json.loads((tmp_path / "half_regular.json").read_text(encoding="utf-8"))
    assert data["moments"]["every k"]["bias"] == "-(b - r_pi)*pi[a]/2"
    assert [one["task"] for one in data["learning"] if one["results"]] == [
        "bandit",
        "chain",
        "MountainCar",
    ]
    with pikepdf.open(io.BytesIO((tmp_path / "half_regular.pdf").read_bytes())) as file:
        assert {name: rule(file) for name, rule in RULES.items()} == {name: [] for name in RULES}
        with file.open_outline() as outline:
            titles = [str(item.title) for item in outline.root]
    assert titles[:3] == ["Summary", "Contents", "How to read a verdict"]
    assert "The laws, one by one" in titles
    stored = sorted((tmp_path / "half_regular.certificates").iterdir())
    assert [path.stem for path in stored] == ["attracts", "bias", "conservative", "unbiased"]
    assert all(recheck_file(path).holds for path in stored)


@pytest.mark.slow
def test_an_escort_policy(tmp_path):
    target = tmp_path / "escorted.py"
    target.write_text(
        "from altpg_verify.estimators import escort_regular\nmine = escort_regular(2)\n",
        encoding="utf-8",
    )
    assert (
        main(
            [
                "--estimator",
                f"{target}:mine",
                "--policy",
                "escort:2",
                "--out",
                str(tmp_path),
                "--quiet",
            ]
        )
        == 0
    )
    assert (tmp_path / "escort_regular(2).pdf").exists()
