"""From a target to its files, `<name>.pdf` (or .html) and `<name>.json`, and the certificates;
every file whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from altpg_verify.dynamics import FixedPoint
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.files import write_whole
from altpg_verify.parameterisations import named
from altpg_verify.report.build import in_background, writable
from altpg_verify.report.own.escort_flow import scale_matters
from altpg_verify.report.own.kept import kept
from altpg_verify.report.own.target import Subject, chosen
from altpg_verify.report.progress import Progress, reporting
from altpg_verify.report.settings import Built, Settings
from altpg_verify.results import Report

SOFTMAX_ONLY = (
    "The simulations, the moments for every number of actions and the map of the variance are for"
    " softmax policies; the policy here is {}, whose agents are not compiled, and whose variance"
    " grows without bound towards the border of the simplex."
)

SCALE_MATTERS = (
    "The policy alone doesn't determine where the expected update moves it: preferences that are a"
    " multiple of others give the same policy, but are moved another way. So there are no arrows on"
    " the simplex and no fixed points of the policy."
)


def why_no_flow(about: Subject) -> str:
    """Why nothing can be drawn on the simplex; empty if it can."""
    if about.policy.normalised:
        return ""
    try:
        return SCALE_MATTERS if scale_matters(about.estimator, about.policy) else ""
    except BadEstimator as error:
        return (
            "Nothing is drawn on the simplex, since the formula isn't defined everywhere on it:"
            f" {error}."
        )


def build(settings: Settings, *, quiet: bool = False) -> Built:
    """Check, derive, simulate and write; an update of the audit is audited instead.

    Raises:
        BadInput: the target is no single estimator or update, it breaks its contract, or the folder
            can't be written; nothing was written.
    """
    policy = named(settings.policy or "softmax")
    origin, found = chosen(settings.target)
    if not isinstance(found, Estimator):
        from altpg_verify.report.own.audited.build import build as build_audited

        return build_audited(origin, found, settings, quiet=quiet)
    about = Subject(origin, found, policy)
    with reporting(quiet) as progress:
        with progress.stage("laws"):
            report = _checked(about, settings)
        # only now: an estimator that can't be used leaves no folder behind
        writable(settings.out)
        runs = in_background(lambda: _learning(about, progress))
        return _write(about, report, settings, runs, progress)


def _checked(about: Subject, settings: Settings) -> Report:
    from altpg_verify.checks import check_estimator

    return check_estimator(
        about.estimator,
        max_examples=settings.max_examples,
        seed=settings.seed,
        on_fail="return",
        parameterisation=about.policy,
        origin=about.origin,
    )


def _learning(about: Subject, progress: Progress) -> list[Any]:
    from altpg_verify.report.own import learning

    groups = learning.tasks()
    if not about.policy.normalised:
        return [(group, [], SOFTMAX_ONLY.format(about.policy.name)) for group in groups]
    estimators, found, number = about.beside(), [], 0
    total = sum(len(group) for group in groups) * len(estimators)
    with progress.stage("simulations") as stage:

        def done(name: str) -> None:
            nonlocal number
            number += 1
            stage.at(number, total, name)

        for group in groups:
            found.append((group, *learning.learn(estimators, group, done)))
    return found


def _write(
    about: Subject, report: Report, settings: Settings, runs: Any, progress: Progress
) -> Built:
    from altpg_verify.report.formats import rendered
    from altpg_verify.report.own import (
        certificates,
        chapters,
        comparison,
        document,
        interactive,
        law_sections,
        simplex_figures,
        symbolic_moments,
        wording,
    )
    from altpg_verify.report.parts import heading
    from altpg_verify.report.summary import text

    estimators = about.beside()
    softmax = about.policy.normalised
    with progress.stage("derivations"):
        certified, why = certificates.certificates(about)
        general = symbolic_moments.for_every_k(about.estimator) if softmax else None
        few = symbolic_moments.for_small_k(about.estimator, about.policy)
        laws = law_sections.part(about, report, certified)
    with progress.stage("figures"):
        no_flow = why_no_flow(about)
        flows = {} if no_flow else about.flows()
        ends = simplex_figures.ends(flows)
        pictures = [simplex_figures.arrows(flows, ends, about.policy)] if flows else []
        pictures += [simplex_figures.variance_map(estimators)] if softmax else []
        rows = comparison.rows(estimators, about.policy)
        peers = chapters.beside(rows, estimators, about.policy)
    runs = runs.result()
    with progress.stage("page"):
        said = [*wording.findings(about, report, certified, ends), *wording.learning(runs)]
        chapter_list: list[dict[str, Any]] = [
            {"title": "What it does", "parts": said},
            {
                "title": "The formula and its moments",
                "parts": [
                    *chapters.written(about),
                    *chapters.moments(about, general, few, certified, why),
                ],
            },
        ]
        others = (
            [" and ".join(names)]
            if (names := [label for label in estimators if label != about.label])
            else []
        )
        on_simplex = (
            [*pictures[1:], *chapters.points(ends), *chapters.attracting(certified)]
            if flows
            else [text(no_flow)]
        )
        chapter_list += [
            {"title": "On the simplex of three actions", "parts": on_simplex},
            {"title": " beside ".join(["Bias and variance", *others]), "parts": peers},
        ]
        if softmax:
            chapter_list.append(
                {"title": "Learning on the paper's tasks", "parts": chapters.learned(runs)}
            )
        else:
            chapter_list[1]["parts"] += [
                heading("What is not here"),
                text(SOFTMAX_ONLY.format(about.policy.name)),
            ]
        data = _data(about, report, settings, general, few, certified, ends, rows, runs)
        pages = rendered(
            document.document(
                about,
                report,
                lead=wording.lead(about, report),
                chapters=chapter_list,
                laws=laws,
                seed=settings.seed,
                max_examples=settings.max_examples,
                data_hash=hashlib.sha256(data).hexdigest(),
                certified=any(one.text for one in certified.values()),
                picture=pictures[0] if pictures else None,
            ),
            settings.format,
            about.file,
            simplex=lambda: (
                interactive.interactive(flows, about.label, escort=not softmax) if flows else None
            ),
        )
    for law, certificate in certified.items():
        if certificate.text:
            write_whole(
                settings.out / f"{about.file}.certificates" / f"{law}.json",
                certificate.text.encode(),
                "--out",
            )
    return kept(settings.out, about.file, pages, data, summary=report.summary(), ok=report.ok)


def _data(
    about: Subject,
    report: Report,
    settings: Settings,
    general: Any,
    few: Mapping[int, Any],
    certified: Mapping[str, Any],
    ends: Mapping[tuple[str, int], tuple[FixedPoint, ...]],
    rows: list[dict[str, Any]],
    runs: list[Any],
) -> bytes:
    """Everything the page says, as JSON; no clock."""
    whole = {
        "origin": about.origin,
        "seed": settings.seed,
        "max_examples": settings.max_examples,
        **report.as_dict(),
        "moments": {
            **({"every k": _strings(general)} if general is not None else {}),
            **{f"k = {k}": _strings(found) for k, found in few.items()},
        },
        "certificates": {
            law: {"verdict": one.verdict, "says": one.summary, "holds": one.holds}
            for law, one in certified.items()
        },
        "fixed_points": [
            {"estimator": label, "b": b, "found": list(map(str, points))}
            for (label, b), points in ends.items()
        ],
        "comparison": rows,
        "learning": [
            {"task": task, "not_run": why, "results": [vars(one) for one in found]}
            for task, (_, found, why) in zip(("bandit", "chain", "MountainCar"), runs, strict=True)
        ],
    }
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def _strings(moments: Any) -> dict[str, str]:
    return {name: str(value) for name, value in vars(moments).items()}
