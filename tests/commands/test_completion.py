"""Completion scripts name what the parser and the laws have, and a shell accepts them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from altpg_verify.__main__ import _parser, main
from altpg_verify.completion import _commands
from altpg_verify.laws import LAWS


@pytest.fixture
def script(capsys):
    def made(shell):
        assert main(["completion", shell]) == 0
        return capsys.readouterr().out

    return made


def complete(script, *words):
    """What bash offers after these words."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash isn't installed")
    asked = " ".join(f"'{word}'" for word in ("altpg-verify", *words))
    code = (
        f'{script}\nCOMP_WORDS=({asked})\nCOMP_CWORD={len(words)}\n_altpg_verify\nprintf "%s\\n"'
        ' "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run([bash, "--norc", "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands_options_and_laws(script):
    bash = script("bash")
    assert complete(bash, "") == list(_commands(_parser()))
    assert complete(bash, "che") == ["check"]
    assert complete(bash, "check", "mine.py:good", "--j") == ["--jobs", "--json", "--junit"]
    assert complete(bash, "check", "--only", "") == [law.name for law in LAWS]
    assert complete(bash, "check", "--only", "unbiased_") == ["unbiased_at_value"]
    assert complete(bash, "completion", "z") == ["zsh"]


def test_bash_completes_files(script, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert complete(script("bash"), "check", "mi") == ["mine.py"]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_every_option_of_every_command_is_in_the_script(script, shell):
    text = script(shell)
    for name, (_, parser) in _commands(_parser()).items():
        assert name in text
        for action in parser._actions:
            assert all(option in text for option in action.option_strings)


def test_zsh_accepts_the_script(script):
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("zsh isn't installed")
    subprocess.run([zsh, "-n"], input=script("zsh"), text=True, check=True)


def test_zsh_quotes_balance(script):
    lines = script("zsh").splitlines()
    assert all(line.replace("'\\''", "").count("'") % 2 == 0 for line in lines)
    assert lines[0] == "#compdef altpg-verify"


def test_another_shell_is_bad_use():
    with pytest.raises(SystemExit) as stop:
        main(["completion", "tcsh"])
    assert stop.value.code == 2
