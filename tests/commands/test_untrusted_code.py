"""What is checked is an untrusted program: it can't end the command, hide behind old bytecode, or
stand in for anything of ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import py_compile
import signal
import subprocess
import sys

import pytest

from altpg_verify import check_estimator
from altpg_verify.__main__ import main
from altpg_verify.errors import BadInput
from altpg_verify.source_loading import Finder
from altpg_verify.stale_sources import refuse_stale
from tests.shares import share

HEAD = "from altpg_verify import estimator\n"
GOOD = HEAD + "@estimator\ndef mine(pi, e, r, b):\n    return +(r - b) * (e - pi)\n"
TURNED = GOOD.replace("+(r", "-(r")
CHECK = ["--only", "unbiased"]


def run(folder, *arguments, **options):
    """One command in a fresh process, with bytecode written as on everyone's machine."""
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    } | {"PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-m", "altpg_verify", *arguments]
    return subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
        **options,
    )


ENDS = {
    "sys.exit(0)": ("import sys", "sys.exit(0)", "calls sys.exit; let it return its result"),
    "os._exit(0)": ("import os", "os._exit(0)", "calls sys.exit; let it return its result"),
    "raise SystemExit": ("", "raise SystemExit", "calls sys.exit; let it return its result"),
    "KeyboardInterrupt": ("", "raise KeyboardInterrupt", "raised KeyboardInterrupt by itself"),
    "recursion": ("", "return mine.formula(pi, e, r, b)", "recurses without end"),
    "GeneratorExit": ("", "raise GeneratorExit", "raised GeneratorExit"),
    "no memory": ("", "raise MemoryError", "needs more memory than there is"),
}


@pytest.mark.parametrize("kind", ENDS)
def test_an_estimator_cannot_end_the_check(tmp_path, capsys, kind):
    first, does, words = ENDS[kind]
    file = tmp_path / "mine.py"
    file.write_text(
        f"{first}\n{HEAD}@estimator\ndef mine(pi, e, r, b):\n    {does}\n", encoding="utf-8"
    )
    assert main(["check", str(file), *CHECK]) == 2
    said = capsys.readouterr().err
    assert said.startswith("altpg-verify: estimator 'mine' ")
    assert words in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "import sys\nsys.exit(0)",
        "import os\nos._exit(0)",
        "raise KeyboardInterrupt",
        "def f(): f()\nf()",
    ],
)
def test_nor_can_its_module(tmp_path, capsys, statement):
    file = tmp_path / "mine.py"
    file.write_text(f"{GOOD}{statement}\n", encoding="utf-8")
    assert main(["check", str(file), *CHECK]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def rewrite(path, text):
    """Other content of the same size, at the same time."""
    before = path.stat()
    assert len(text.encode()) == before.st_size
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.thorough
@pytest.mark.parametrize("target", share(["mine.py:mine", "mine:mine", "mine"], 3))
def test_a_file_edited_in_the_same_second_is_judged_as_it_stands(tmp_path, target):
    file = tmp_path / "mine.py"
    file.write_text(GOOD, encoding="utf-8")
    # whatever runs it leaves bytecode behind
    py_compile.compile(str(file), doraise=True)
    assert run(tmp_path, "check", target, *CHECK).returncode == 0
    rewrite(file, TURNED)
    done = run(tmp_path, "check", target, *CHECK)
    assert done.returncode == 1
    assert (
        f"source  sha256:{hashlib.sha256(TURNED.encode()).hexdigest()[:12]} of mine.py"
        in done.stdout
    )


@pytest.mark.thorough
def test_so_is_what_it_imports_and_within_one_process(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("", encoding="utf-8")
    helper = tmp_path / "parts" / "sign.py"
    helper.write_text("SIGN = +1\n", encoding="utf-8")
    text = GOOD.replace("+(r", "SIGN * (r").replace(HEAD, HEAD + "from parts.sign import SIGN\n")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    py_compile.compile(str(helper), doraise=True)
    assert main(["check", "mine.py", *CHECK]) == 0
    assert "of mine.py (and 2 imported files)" in capsys.readouterr().out
    rewrite(helper, "SIGN = -1\n")
    assert main(["check", "mine.py", *CHECK, "--json", "-"]) == 1
    source = json.loads(capsys.readouterr().out)[0]["source"]
    assert source["file"] == "mine.py"
    assert source["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert source["imported"]["parts/sign.py"] == hashlib.sha256(b"SIGN = -1\n").hexdigest()


@pytest.mark.thorough
def test_of_two_folders_each_file_sees_its_own_neighbours(tmp_path, capsys):
    for folder, sign in (("one", "+1"), ("two", "-1")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "signs.py").write_text(f"SIGN = {sign}\n", encoding="utf-8")
        text = GOOD.replace("+(r", "SIGN * (r").replace(HEAD, HEAD + "from signs import SIGN\n")
        (tmp_path / folder / "mine.py").write_text(text, encoding="utf-8")
    assert main(["check", str(tmp_path / "one" / "mine.py"), *CHECK]) == 0
    assert main(["check", str(tmp_path / "two" / "mine.py"), *CHECK]) == 1
    assert main(["check", str(tmp_path / "one" / "mine.py"), *CHECK]) == 0


def test_where_somebody_else_loads_it_old_bytecode_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(
        sys, "meta_path", [finder for finder in sys.meta_path if finder is not Finder]
    )
    file = tmp_path / "late_bytecode.py"
    file.write_text(GOOD, encoding="utf-8")
    py_compile.compile(str(file), doraise=True)
    rewrite(file, TURNED)
    sys.path.insert(0, str(tmp_path))
    import late_bytecode

    with pytest.raises(
        BadInput, match=r"'mine' was loaded from other code than 'late_bytecode\.py' holds now"
    ):
        refuse_stale(late_bytecode.mine)
    with pytest.raises(BadInput, match="load it again"):
        check_estimator(late_bytecode.mine, only=["unbiased"])
    rewrite(file, GOOD)
    assert check_estimator(late_bytecode.mine, only=["unbiased"]).ok


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", share(["random", "sympy", "json", "numpy", "hypothesis", "argparse"], 4)
)
def test_a_file_with_the_name_of_a_library_stands_in_for_nothing(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong one')\n", encoding="utf-8")
    (tmp_path / "beside.py").write_text("SIGN = 1\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("from beside import SIGN\n" + GOOD, encoding="utf-8")
    for target in ("mine", "mine.py"):
        done = run(tmp_path, "check", target, *CHECK)
        assert (done.returncode, done.stderr) == (0, "")


def test_who_wants_such_a_file_is_told(tmp_path, capsys):
    (tmp_path / "random.py").write_text("SIGN = 1\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text("from random import SIGN\n" + GOOD, encoding="utf-8")
    assert main(["check", str(tmp_path / "mine.py")]) == 2
    said = capsys.readouterr().err
    assert (
        "random.py beside it has the name of an installed module, which comes first: give it"
        " another name" in said
    )


def test_what_it_prints_is_no_part_of_the_json(tmp_path):
    text = GOOD.replace("    return", "    print('within')\n    return")
    (tmp_path / "mine.py").write_text("print('hello')\n" + text, encoding="utf-8")
    done = run(tmp_path, "check", "mine", *CHECK, "--json", "-")
    assert json.loads(done.stdout)[0]["estimator"] == "mine"
    assert "hello" in done.stderr
    assert "within" in done.stderr


@pytest.mark.parametrize("name", ["one\ntwo", "tab\there", "bell\a"])
def test_a_name_is_one_line(tmp_path, capsys, name):
    file = tmp_path / "mine.py"
    file.write_text(GOOD.replace("@estimator", f"@estimator(name={name!r})"), encoding="utf-8")
    assert main(["check", str(file), *CHECK]) == 2
    said = capsys.readouterr().err
    assert "has a line break or another sign that can't be printed; give it a plain name" in said
    assert said.count("\n") == 1


@pytest.mark.thorough
def test_ctrl_c_is_one_line(tmp_path):
    text = GOOD.replace(
        "    return",
        "    print('ready', flush=True)\n    import time\n    time.sleep(60)\n    return",
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "altpg_verify", "check", "mine", *CHECK]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    # a process that was started in the background ignores Ctrl-C, and so do its children
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(words, cwd=tmp_path, **streams)
    signal.signal(signal.SIGINT, before)
    with process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "altpg-verify: stopped\n")


@pytest.mark.thorough
@pytest.mark.parametrize("closing", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_no_traceback(tmp_path, closing):
    (tmp_path / "mine.py").write_text(GOOD, encoding="utf-8")
    command = f'"{sys.executable}" -m altpg_verify check mine --only unbiased {closing}'
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.thorough
def test_a_pipe_that_closes_early(tmp_path):
    (tmp_path / "mine.py").write_text(GOOD, encoding="utf-8")
    command = f'"{sys.executable}" -m altpg_verify check mine | true; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (
            "import altpg_verify.comparing_sides as c; c.Comparing.fails = 0",
            "comparing_sides.Comparing.fails",
        ),
        ("import altpg_verify.audit.agreement as c; c.CLOSE = 9", "audit.agreement.CLOSE"),
        ("import json; json.dumps = repr", "json.dumps"),
        ("from fractions import Fraction as F; F.__eq__ = F.__le__", "fractions.Fraction.__eq__"),
    ],
)
def test_its_module_edits_nothing_that_will_judge_it(tmp_path, capsys, statement, named):
    (tmp_path / "mine.py").write_text(f"{statement}\n{GOOD}", encoding="utf-8")
    assert main(["check", str(tmp_path / "mine.py"), *CHECK]) == 2
    said = capsys.readouterr().err
    assert f"{named}, which the check itself works with" in said
    assert said.count("\n") == 1


@pytest.mark.thorough
def test_the_output_is_the_commands_alone(tmp_path):
    writes = (
        "import os, sys, atexit, subprocess\nos.write(1, b'number')\nprint('name')\n"
        "sys.__stdout__.write('first')\natexit.register(print, 'end')\n"
        "subprocess.run(['echo', 'program'])\n"
    )
    (tmp_path / "mine.py").write_text(writes + GOOD, encoding="utf-8")
    done = run(tmp_path, "check", "mine.py", *CHECK, "--json", "-")
    assert json.loads(done.stdout)[0]["ok"]
    for each in ("number", "name", "first", "end", "program"):
        assert each in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words", ["> out.txt", "> out.txt 2> err.txt", "> /dev/null", "2>&1 | cat"]
)
def test_the_output_may_go_anywhere(tmp_path, words):
    (tmp_path / "mine.py").write_text(f"print('loaded')\n{GOOD}", encoding="utf-8")
    command = f"{sys.executable} -m altpg_verify check mine.py --only unbiased {words}"
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    kept = {name: tmp_path / name for name in ("out.txt", "err.txt")}
    texts = {name: file.read_text() if file.exists() else "" for name, file in kept.items()}
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    if "/dev/null" not in words:
        assert "✓ unbiased" in texts["out.txt"] + done.stdout
    assert "loaded" in done.stderr + texts["err.txt"] + done.stdout
    assert "loaded" not in texts["out.txt"]


@pytest.mark.thorough
def test_whoever_closes_the_output_still_gets_the_verdict(tmp_path):
    (tmp_path / "mine.py").write_text(f"import sys\nsys.stdout.close()\n{GOOD}", encoding="utf-8")
    done = run(tmp_path, "check", "mine.py", *CHECK)
    assert (done.returncode, done.stderr) == (0, "")
    assert "✓ unbiased" in done.stdout
