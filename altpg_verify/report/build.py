"""The stages: simulations and figures beside the evidence, then ledger, certificates, figures and
page; every file whole or not at all.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from altpg_verify import ledger_building
from altpg_verify.files import write_whole
from altpg_verify.judging import Finding
from altpg_verify.ledger import Ledger
from altpg_verify.report.memory import collecting_seldom
from altpg_verify.report.parts import Part
from altpg_verify.report.progress import Progress, reporting
from altpg_verify.report.settings import Built, Settings
from altpg_verify.report.side_process import Beside
from altpg_verify.report.typesetting import dated
from altpg_verify.sealing import looked_at

if TYPE_CHECKING:
    from altpg_verify.sim.results import Results

T = TypeVar("T")


def build(settings: Settings, *, quiet: bool = False) -> Built:
    """Run everything and write `ledger.json`, `certificates/*.json`, `figures/*.svg`, `report.pdf`,
    `proofs.pdf` and `report.html`.

    What can be refused is looked at first. Simulations run in a process beside the evidence;
    evidence on them comes last and waits for it. Each file is written whole or not at all.

    Args:
        settings: folder, seed, formats, profile.
        quiet: nothing on standard error.

    Raises:
        BadInput: the folder can't be written, or a kept table that the report shows is none;
            nothing was run.
    """
    # what a user can mend first, before minutes of work
    kept = kept_parts(settings.out)
    writable(settings.out)
    with reporting(quiet) as progress, collecting_seldom():
        side = beside(settings, progress)
        finished = run_evidence(settings, side.results, progress)
        return write(settings, finished, side, kept, progress)


def beside(settings: Settings, progress: Progress) -> Beside:
    """Simulations and figures in a process of their own, started now; it is done when its futures
    are.
    """
    from altpg_verify.report.side_process import start

    return start(settings.profile, settings.out, progress)


def kept_parts(out: Path) -> dict[str, list[Part]]:
    """What the report shows of kept tables: the audits of libraries, and the figures of trust in
    the verifier itself.

    Raises:
        BadInput: a file isn't such a table.
    """
    from altpg_verify.report import audited, validation

    return {
        "audits": audited.audited(audited.stored(out)),
        "trust": validation.trusted(audited.stored(out, validation.NAME)),
    }


def writable(folder: Path) -> None:
    """Make the folder and a file in it, and take the file away; look at the date that the files
    will bear.

    Raises:
        BadInput: that is not possible, or the date is none.
    """
    dated()
    probe = folder / ".altpg-verify"
    write_whole(probe, b"", "--out")
    probe.unlink()


def in_background(work: Callable[[], T]) -> Future[T]:
    """Start the work in a thread that doesn't keep the program alive; compiled kernels leave the
    interpreter free meanwhile.

    Returns:
        A future of its result, or of the exception that ended it.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="simulations", daemon=True).start()
    return future


def run_evidence(
    settings: Settings, results: Results | Future[Results], progress: Progress
) -> Ledger:
    """Every piece of evidence; that which needs the simulations comes last.

    Args:
        settings: seed and number of examples.
        results: of the simulations, or a future of them.
        progress: gets a stage, with a step for each piece.
    """
    with progress.stage("evidence") as stage:
        from altpg_verify.theory.claims import CLAIMS

        functions = evidence_functions()
        number = itertools.count()
        offered = {"results": results, "max_examples": settings.max_examples, "seed": settings.seed}
        finished = ledger_building.build(
            CLAIMS,
            functions,
            offered=offered,
            progress=lambda name: stage.at(next(number), len(functions), name),
        )
        stage.at(len(functions), len(functions))
        return finished


def evidence_functions() -> list[Callable[..., Finding]]:
    """All evidence of theory, enumeration and simulation, that which asks for simulation results
    last, when the simulations are nearest to their end.
    """
    import altpg_verify.sim.experiments
    import altpg_verify.sim.large.evidence
    from altpg_verify import theory
    from altpg_verify.report import evidence

    return sorted(
        ledger_building.collect(
            (theory, evidence, altpg_verify.sim.experiments, altpg_verify.sim.large.evidence)
        ),
        key=lambda function: "results" in inspect.signature(function).parameters,
    )


def write(
    settings: Settings,
    finished: Ledger,
    side: Beside,
    kept: Mapping[str, list[Part]],
    progress: Progress,
) -> Built:
    """The files: ledger, figures, and last the pages that show them.

    Args:
        settings: folder, formats, profile.
        finished: the ledger.
        side: results and figures of the simulations.
        kept: see `kept_parts`.
        progress: gets a stage for each kind of file.
    """
    with looked_at(finished):
        return _written(settings, finished, side, kept, progress)


def _written(
    settings: Settings,
    finished: Ledger,
    side: Beside,
    kept: Mapping[str, list[Part]],
    progress: Progress,
) -> Built:
    from altpg_verify.report.document import document
    from altpg_verify.report.formats import rendered
    from altpg_verify.report.html.playground import of_the_paper
    from altpg_verify.report.main_report import main_report
    from altpg_verify.report.memory import spare
    from altpg_verify.report.provenance import made
    from altpg_verify.report.reading import reproducing
    from altpg_verify.theory.proving.certificate_store import write_certificates

    text = finished.as_json(
        made(profile=settings.profile, max_examples=settings.max_examples, seed=settings.seed)
    ).encode()
    with progress.stage("certificates"):
        # what the ledger has just judged
        write_certificates(settings.out / "certificates", inside=settings.out, again=False)
    shown = main_report(
        finished, side.results.result(), side.everything(), kept["audits"], kept["trust"]
    )
    spare()
    with progress.stage("page"):
        facts = reproducing(
            settings.profile, settings.seed, settings.max_examples, hashlib.sha256(text).hexdigest()
        )
        pages = rendered(
            document(finished, profile=settings.profile, reproducing=facts, **shown),
            settings.format,
            simplex=of_the_paper,
        )
    files = {settings.out / name: page for name, page in pages.items()}
    counts = ", ".join(
        f"{number} {verdict}" for verdict, number in finished.counts().items() if number
    )
    built = Built(
        f"{len(finished.entries)} claims: {counts}",
        finished.consistent,
        tuple(files),
        settings.out / "ledger.json",
        finished,
    )
    write_whole(built.data, text, "--out")
    for part in (
        shown.get("picture"),
        *(part for chapter in shown["chapters"] for part in chapter["parts"]),
    ):
        if part and part["kind"] == "figure":
            write_whole(
                settings.out / "figures" / f"{part['name']}.svg",
                part["svg"].encode(),
                "--out",
                inside=settings.out,
            )
    for path, page in files.items():
        write_whole(path, page, "--out")
    return built
