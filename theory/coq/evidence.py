"""Evidence from Coq: the theorems of theory/coq, compiled from the very sources that ship, and what
they rest on.

`check()` compiles every file in a temporary folder, as modules of one file, because each run of coqc
loads the real numbers again, which takes most of its time; only what is refused so, or is for
coqchk, is compiled file by file. The last one, `Assumptions.v`, prints the main theorems and all
axioms that they rest on. A certificate here is the name of a theorem: its re-check
compiles the sources (once a process) and refuses it if Coq does, or if anything but the axioms of
Coq's real numbers is assumed.

coqc takes seconds and runs for the ledger. coqchk, which checks the compiled files and the library
again by other code, takes half a minute and more and is left to CI. The stored transcript shows
what both said; it is made by `python -c "from altpg_verify.theory.coq import evidence as c;
print(c.check(coqchk=True).transcript(), end='')"`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.errors import BadInput
from altpg_verify.judging import Finding, Step, not_run, proved
from altpg_verify.ledger import evidence
from altpg_verify.theory.coq.theorems import THEOREMS

FOLDER = Path(__file__).parent
"""The sources, with `_CoqProject` that names them in order."""
TRANSCRIPT = FOLDER / "transcript.txt"
"""What coqc and coqchk said of the sources that ship, with their hashes."""

REAL_NUMBERS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""The axioms on which Coq's own library builds the real numbers, exp and ln."""

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|Admit)\b|\bUnset\s+(Guard|Positivity|Universe)\s+Checking\b"
)
"""Ways to claim without proof; none may stand in a source, not even in a comment."""

_HARMLESS = re.compile(
    r"(CONTEXT SUMMARY|=*|\* Theory: Set is predicative|\* Axioms:|\* .*: <none>|\s*)"
    rf"|    Coq\.(Reals|Logic)\.({'|'.join(map(re.escape, sorted(REAL_NUMBERS)))})"
)
"""What may stand in coqchk's summary: the same axioms, and no switched-off check."""

_PATIENCE = 900
"""Seconds after which a run of coqc or coqchk counts as failed."""


@dataclass(frozen=True)
class CoqRun:
    """What Coq said of the sources.

    Args:
        version: of Coq.
        sources: sha256 of each file, in the order of compilation.
        failure: the first message of coqc or coqchk against them; empty if there was none.
        statements: the main theorems by name, as Coq prints them.
        axioms: all that the main theorems rest on, and what each axiom says.
        summary: coqchk's own list of what the compiled files rest on; empty if it wasn't run.
    """

    version: str
    sources: Mapping[str, str]
    failure: str = ""
    statements: Mapping[str, str] = field(default_factory=dict)
    axioms: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""

    def transcript(self) -> str:
        """The run as text, the same for the same sources and version: no clock, no path."""
        hashes = "\n".join(f"{digest}  {name}" for name, digest in self.sources.items())
        axioms = "\n".join(f"{name}{text}" for name, text in sorted(self.axioms.items()))
        theorems = "\n\n".join(f"Theorem {name}\n{text}" for name, text in self.statements.items())
        verdict = self.failure or f"coqc accepts all {len(self.sources)} files"
        parts = (
            f"Coq {self.version}\n{verdict}",
            f"The sources, by sha256\n\n{hashes}",
            (
                "coqchk, on the compiled files and all of the library that they"
                f" use\n\n{self.summary or 'not run'}"
            ),
            f"All axioms that the main theorems rest on\n\n{axioms}",
            f"The main theorems as Coq prints them\n\n{theorems}",
        )
        return "\n\n\n".join(parts) + "\n"


def installed() -> bool:
    """Whether coqc is on the path; coqchk comes with it in every distribution of Coq."""
    return shutil.which("coqc") is not None


def order(folder: Path = FOLDER) -> tuple[str, ...]:
    """The files in the order of compilation, as `_CoqProject` has them.

    A file may require only files that stand before it, so the order is what makes them compile.
    """
    return tuple(line for line in _text(folder / "_CoqProject").split("\n") if line.endswith(".v"))


def hashes(folder: Path = FOLDER) -> dict[str, str]:
    """The sha256 of the bytes of each source, by its name, in the order of compilation. Two runs
    speak of the same theorems only if these agree.
    """
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in order(folder)
    }


def check(folder: Path = FOLDER, *, coqchk: bool = False, work: Path | None = None) -> CoqRun:
    """Compile the sources of `folder` with coqc, and check the compiled files with coqchk if asked.

    Args:
        work: where to compile file by file, as coqchk needs it; nothing is written into `folder`,
            and nothing stays if no place is named.

    Raises:
        BadInput: Coq is not installed.
    """
    if not installed():
        raise BadInput(
            "Coq is not installed; install it (on Debian: apt-get install --no-install-recommends"
            " coq)"
        )
    with tempfile.TemporaryDirectory() as place:
        return _checked(folder, work or Path(place), coqchk, apart=coqchk or work is not None)


def _checked(folder: Path, work: Path, coqchk: bool, *, apart: bool) -> CoqRun:
    sources = hashes(folder)
    version = _run(["coqc", "--print-version"], work)[0].split()[0]
    for name in sources:
        shutil.copyfile(folder / name, work / name)
    output, refused = "", True
    if not apart:
        (work / TOGETHER).write_text(together(folder), encoding="utf-8")
        output, complaint = _run([*_COQC, TOGETHER], work)
        refused = bool(complaint)
    # which file is refused, and why, is said of the file itself
    for name in sources if refused else ():
        output, failure = _run([*_COQC, name], work)
        if failure:
            return CoqRun(version, sources, f"coqc refuses {name}: {failure}")
    summary, failure = "", ""
    if coqchk:
        modules = [f"AltPG.{name.removesuffix('.v')}" for name in sources]
        summary, failure = _run(["coqchk", "-silent", "-o", "-Q", ".", "AltPG", *modules], work)
    statements, axioms = read_assumptions(output)
    return CoqRun(
        version,
        sources,
        failure and f"coqchk refuses: {failure}",
        statements,
        axioms,
        _tidy(summary),
    )


TOGETHER = "AllTogether.v"
"""The file of all sources; no name of one of them."""

_COQC = ("coqc", "-q", "-Q", ".", "AltPG")


def together(folder: Path = FOLDER) -> str:
    """All sources as one text: each file is a module of its own name, the last one stands after
    them, and what they require of each other is imported.

    One file because loading the real numbers takes coqc most of its time, and so once and not once
    a file. Names that two files share don't clash, as each stays within its module.
    """
    *modules, last = ((name.removesuffix(".v"), _text(folder / name)) for name in order(folder))
    parts = [f"Module {name}.\n{text}\nEnd {name}.\n" for name, text in modules]
    return re.sub(
        r"^From AltPG Require (?=(?:Export|Import)\b)", "", "".join([*parts, last[1]]), flags=re.M
    )


def _run(command: list[str], folder: Path) -> tuple[str, str]:
    """What the command prints, and its complaint if it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COQ")}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", f"{command[0]} did not finish: {type(error).__name__}"
    complaint = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
    # coqchk writes its summary where others complain
    return done.stdout or done.stderr, complaint if done.returncode else ""


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def read_assumptions(output: str) -> tuple[dict[str, str], dict[str, str]]:
    """Statements and axioms from what `Check @name`, for each theorem, and one `Print Assumptions`
    at the end print.

    Whatever stands at the margin of the list of axioms is kept as one, so that what doesn't look
    like an axiom is refused.

    The axioms of `Print Assumptions` are what the theorems rest on in the end, whatever stands
    between, an admitted lemma among them: it would be listed as one more axiom.

    Args:
        output: of coqc on `Assumptions.v`.
    Returns:
        The statements, by the theorem's name, and the axioms, each with what it says. If no list
            was
        printed, the axioms hold a name that no library has, so that the run is refused.
    """
    statements: dict[str, str] = {}
    axioms: dict[str, str] = {}
    checked, found, listed = output.partition("\nAxioms:\n")
    if not found:
        checked, found, _ = output.partition("\nClosed under the global context\n")
        if not found:
            axioms["an unknown list, for none was printed"] = ""
    _, *parts = re.split(r"^@?(\w+)\n(?= +: )", checked, flags=re.MULTILINE)
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        statements[name] = _tidy(
            textwrap.dedent(re.sub(r"^ +: ", lambda colon: " " * len(colon[0]), text))
        )
    for line in filter(None, listed.split("\n")):
        if line[0].isspace() and axioms:
            axioms[name] += f"\n{line}"
        else:
            name = line.partition(" ")[0] if re.match(r"[\w.']+( :|$)", line) else line
            axioms[name] = line.removeprefix(name)
    return statements, axioms


def covered(folder: Path = FOLDER) -> frozenset[str]:
    """The theorems whose axioms `Assumptions.v` prints.

    A theorem that is missing there could rest on anything; `objections` refuses it.
    """
    listed = re.search(
        r"^Definition main_theorems :=([^.]*)\.\s+Print Assumptions main_theorems\.$",
        _text(folder / "Assumptions.v"),
        re.M,
    )
    return frozenset(re.findall(r"@(\w+)", listed[1])) if listed else frozenset()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def objections(theorem: str, run: CoqRun, folder: Path = FOLDER) -> list[str]:
    """All that speaks against taking the theorem as proved by this run; empty if nothing does.

    Coq's word counts if it refuses no file, was asked about these very sources, no source contains
    a word that claims without proof (`FORBIDDEN`), the theorem and its axioms are printed, and
    every axiom is one of `REAL_NUMBERS`. coqchk's summary, if there is one, may name nothing but
    those axioms.

    Args:
        theorem: its name in the sources.
        run: what Coq said.
        folder: where the sources stand now.
    """
    found = [run.failure] if run.failure else []
    if dict(run.sources) != hashes(folder):
        found.append("the run was on other sources")
    for name in order(folder):
        if match := FORBIDDEN.search(_text(folder / name)):
            found.append(f"{name} contains {match[0]!r}")
    if theorem not in run.statements or theorem not in covered(folder):
        found.append(f"Assumptions.v doesn't print the theorem {theorem} and its axioms")
    if foreign := sorted(set(run.axioms) - REAL_NUMBERS):
        found.append(f"the theorems assume {', '.join(foreign)}")
    found += [
        f"coqchk lists {line!r}"
        for line in run.summary.split("\n")
        if not _HARMLESS.fullmatch(line)
    ]
    return found


def run_once(folder: Path = FOLDER) -> CoqRun:
    """`check(folder)` without coqchk, once a process for the same sources: one compilation serves
    all theorems. Changed sources have other hashes, and are compiled again.
    """
    return _remembered(folder, tuple(hashes(folder).items()))


@functools.lru_cache(maxsize=4)
def _remembered(folder: Path, sources: tuple[tuple[str, str], ...]) -> CoqRun:
    return check(folder)


@certificate_kind
@dataclass(frozen=True)
class MachineChecked:
    """A theorem of the Coq sources; its re-check is Coq's.

    Args:
        theorem: its name in the Coq sources.
        folder: where the sources are.
    """

    theorem: str
    folder: Path = FOLDER

    def recheck(self) -> bool:
        """Coq accepts these sources, and the theorem rests on the axioms of the real numbers
        alone.
        """
        return not objections(self.theorem, run_once(self.folder), self.folder)

    def __str__(self) -> str:
        return (
            "; ".join(objections(self.theorem, run_once(self.folder), self.folder))
            or f"{self.theorem} is proved"
        )


@evidence(*THEOREMS, kind="coq")
def machine_checked(claim: str) -> Finding:
    """Coq's verdict on the theorems that state the claim (`THEOREMS`): PROVED with one certificate
    a theorem, whose re-check is Coq's own, or not run where Coq isn't installed.
    """
    if not installed():
        return not_run("Coq is not installed; the stored transcript is shown as a transcript")
    run = run_once()
    names = THEOREMS[claim]
    steps = [
        Step(f"{name} of {_file(name)}, as Coq prints it:", _verbatim(run.statements.get(name, "")))
        for name in names
    ]
    rests_on = ", ".join(sorted(axiom.split(".")[-1] for axiom in run.axioms))
    steps.append(
        Step(
            f"The axioms of all theorems together: {rests_on}; they are those of Coq's real"
            " numbers."
        )
    )
    steps.append(
        Step(
            "coqc compiled the sources for this ledger; coqchk, which takes longer, checks the"
            " compiled files again in CI only."
        )
    )
    summary = (
        f"Coq accepts {'the theorem' if len(names) == 1 else 'the theorems'} {' and '.join(names)}"
    )
    certificates = [MachineChecked(name) for name in names]
    return proved(
        certificates,
        summary,
        domain="every k, under the assumptions that the theorem states",
        steps=steps,
        numbers={"Coq": run.version},
    )


def _file(theorem: str) -> str:
    """The source that states the theorem."""
    stated = re.compile(rf"^\s*(Theorem|Lemma|Corollary) {theorem}\b", re.MULTILINE)
    return next((name for name in order() if stated.search(_text(FOLDER / name))), "no file")


def _verbatim(text: str) -> str:
    """Text as Typst mathematics that sets it letter by letter."""
    return f"#raw({json.dumps(text, ensure_ascii=False)}, block: true)"


def stored_transcript() -> str:
    """What coqc and coqchk said when the sources were last changed: for a reader without Coq. It
    proves nothing here; `machine_checked` doesn't read it.
    """
    return _text(TRANSCRIPT)
