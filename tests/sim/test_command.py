"""`python -m altpg_verify.sim` from end to end, with good input and bad."""

import argparse
import subprocess
import sys

import pytest

from altpg_verify.sim import __main__ as sim_command
from altpg_verify.sim.__main__ import main
from altpg_verify.sim.large import __main__ as large_command


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "altpg_verify.sim", *arguments],
        capture_output=True,
        text=True,
        **options,
    )


def test_list_names_every_experiment(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in (
        "bias_alternate_param_study",
        "stationary_mean",
        "biased_pg_sensitivity",
        "chain_fixed_point",
    ):
        assert f"{name}\n" in shown
    assert "paper: 16 cells" in shown


@pytest.mark.thorough
def test_run_says_what_it_found_and_goes_on_from_there(tmp_path, capsys):
    arguments = ["run", "bias_alternate_param_study", "--out", str(tmp_path)]
    assert main(arguments) == 0
    first = capsys.readouterr()
    assert "no run failed" in first.out
    assert "REFUTED       alternate-pessimistic-converges-to-zero" in first.out
    assert "SUPPORTED     pessimistic-saturated-reward-one" in first.out
    assert first.err.startswith("0/16 ")
    assert main(arguments) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert second.err.startswith("16/16 ")


@pytest.mark.thorough
def test_shards_add_up(tmp_path, capsys):
    base = ["run", "bias_alternate_param_study", "--executor", "serial", "--out", str(tmp_path)]
    assert main([*base, "--shard", "0/2"]) == 0
    assert "run the other shards" in capsys.readouterr().out
    assert len(list(tmp_path.rglob("*.npz"))) == 8
    assert main([*base, "--shard", "1/2"]) == 0
    capsys.readouterr()
    assert main(base) == 0
    assert capsys.readouterr().err == "16/16 \n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "nonesuch"], "no experiment 'nonesuch'"),
        (["run", "all", "--profile", "huge"], "profile 'huge'"),
        (["run", "all", "--executor", "cloud"], "executor 'cloud'"),
        (["run", "all", "--shard", "3/2"], "--shard '3/2'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, sentence, tmp_path, capsys):
    assert main([*arguments, "--out", str(tmp_path / "new")]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""
    assert not (tmp_path / "new").exists()


@pytest.mark.thorough
def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    done = run("run", "corner_random_walk", "--out", str(tmp_path / "file"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.thorough
def test_an_altered_result_is_refused(tmp_path, capsys):
    arguments = [
        "run",
        "bias_alternate_param_study",
        "--executor",
        "serial",
        "--out",
        str(tmp_path),
    ]
    assert main(arguments) == 0
    path = next(tmp_path.rglob("*.npz"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    capsys.readouterr()
    assert main(arguments) == 2
    assert path.name in capsys.readouterr().err


def test_no_command_is_bad_use():
    assert run().returncode == 2


@pytest.mark.thorough
def test_a_run_that_is_stopped_says_that_it_can_go_on(tmp_path, capsys, monkeypatch):
    def stop(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("altpg_verify.sim.sweep.Store.write", stop)
    arguments = ["run", "corner_random_walk", "--executor", "serial", "--out", str(tmp_path)]
    assert main(arguments) == 130
    assert "the same command goes on from there" in capsys.readouterr().err
    monkeypatch.undo()
    assert main(arguments) == 0


@pytest.mark.thorough
def test_one_experiment_shows_only_what_it_decides(tmp_path, capsys):
    assert main(["run", "corner_random_walk", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "corner_random_walk: no run failed" in shown
    assert "pessimistic-value-independent-of-start" not in shown
    assert "NOT RUN" not in shown


def options_of(parser, words=()):
    """(words of the command, option) of every number that a command takes."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from options_of(command, (*words, name))
        elif action.type in (int, float):
            yield words, action


SIM, LARGE = (sim_command, sim_command._parser()), (large_command, large_command.parser())
NUMBERS = [(module, *found) for module, parser in (SIM, LARGE) for found in options_of(parser)]
NEEDED = {
    "run": ["bandit"],
    "export": ["all", "--to", "parquet", "--out", "x"],
    "recheck": ["nowhere"],
}


@pytest.mark.parametrize(
    ("module", "words", "option"), NUMBERS, ids=lambda part: getattr(part, "dest", "")
)
@pytest.mark.parametrize(
    "value", ["-1", "0", "nan", "inf", "-inf", "1e400", "two", "", "1.5", "9" * 400]
)
def test_no_number_on_the_command_line_is_a_traceback(
    module, words, option, value, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    try:
        code = module.main(
            [*words, *NEEDED.get(words[0], []), f"{option.option_strings[0]}={value}"]
        )
    except SystemExit as ended:
        code = ended.code
    said = capsys.readouterr().err.splitlines()
    assert code == 2
    assert "Traceback" not in " ".join(said)
    # any whole number is a seed, and of no cells at all the folder is looked at: it isn't there
    right = value.lstrip("-").isdecimal() and (
        option.dest == "seed" or (option.dest, value) == ("cells", "0")
    )
    assert ("nowhere" if right else option.option_strings[0]) in said[-1]
