"""The red team: small hostile programs by kind, each in five forms, with the only answers that are
acceptable.

forms         formula, numpy, torch, JAX and sampler, each with a trick in it
tricks_*      the tricks, by the assumption of the engine that they attack
declared      whole programs, with false declarations of draws, chances, limits, ranges and numbers
forged, forged_findings, forged_ledgers  certificates, findings and ledgers that were edited or made
              by hand
edited        results of checks and audits, the same
in_place      what the check works with, edited by the judged code
stale         sources that were edited behind the back of what loads them
handed        objects, functions and names that are handed over; steps; gradients of its own
commands      the command's process, output and exit code
running       one program, and the judgement
known         holes that are not mended yet: counted as the faults they are
"""

from __future__ import annotations

from collections import Counter

from trust.figures import Figure, Outcome, Part, Say
from trust.hostile import (
    commands,
    declared,
    edited,
    forged,
    forged_findings,
    forged_ledgers,
    handed,
    in_place,
    stale,
    tricks_answers,
    tricks_around,
    tricks_code,
    tricks_containers,
    tricks_fields,
    tricks_files,
    tricks_hidden,
    tricks_libraries,
    tricks_outside,
    tricks_posing,
    tricks_process,
    tricks_ranges,
    tricks_registries,
    tricks_settings,
    tricks_state,
    tricks_unseen,
    tricks_values,
)
from trust.hostile.forms import ANYTHING, FORMS, WHOLE, Hostile, missing, of_form
from trust.hostile.known import KNOWN_HOLES
from trust.hostile.running import run as judge

HARMLESS = frozenset({"in place, jax"})
"""Tricks that are none in this form: JAX arrays can't be written into, and `x -= y` makes
another.
"""

SLOW = (
    *("branches", "wrappers", "thresholds", "rounding and periods", "dtypes", "tolerances"),
    *("watchers", "addresses and processes", "the checker's own", "errors"),
    *(
        "methods of C",
        "references",
        "large",
        "the system",
        "settings",
        "words about code",
        "borrowed names",
        "other clocks",
        "held by C",
        "classes and names",
        "registries and hooks",
        "clocks in libraries",
        "orders of sets",
        "kept by the process",
        "odd answers",
        "events",
        "buffers of arguments",
        "fields",
        "slots and names",
        "large and far",
        "order and room",
        "numbers that are given",
        "threads",
        "called by C",
        "memory and libraries",
        *tricks_posing.TRICKS,
        *tricks_libraries.TRICKS,
    ),
)
"""Kinds of which JAX, where every draw of a branch is traced anew for seconds, gets one in so
many.
"""
ONE_IN = 5

TRICKS = tuple(
    (kind, *made)
    for tricks in (
        tricks_state.TRICKS,
        tricks_values.TRICKS,
        tricks_code.TRICKS,
        tricks_ranges.TRICKS,
        tricks_outside.TRICKS,
        tricks_hidden.TRICKS,
        tricks_settings.TRICKS,
        tricks_unseen.TRICKS,
        tricks_registries.TRICKS,
        tricks_process.TRICKS,
        tricks_answers.TRICKS,
        tricks_files.TRICKS,
        tricks_around.TRICKS,
        tricks_fields.TRICKS,
        tricks_containers.TRICKS,
        tricks_posing.TRICKS,
        tricks_libraries.TRICKS,
    )
    for kind, every in tricks.items()
    for made in every
)

PROGRAMS = tuple(
    Hostile(
        kind,
        name,
        make,
        form,
        ANYTHING if f"{name}, {form}" in HARMLESS else of_form(acceptable, form),
    )
    for i, (kind, name, make, acceptable) in enumerate(TRICKS)
    for form in FORMS
    if form != "jax" or kind not in SLOW or i % ONE_IN == 0
) + tuple(
    Hostile(kind, name, ask, WHOLE, acceptable)
    for programs in (
        declared.PROGRAMS,
        forged.PROGRAMS,
        forged_findings.PROGRAMS,
        forged_ledgers.PROGRAMS,
        edited.PROGRAMS,
        in_place.PROGRAMS,
        stale.PROGRAMS,
        commands.PROGRAMS,
        handed.PROGRAMS,
    )
    for kind, every in programs.items()
    for name, ask, acceptable in every
)

EVERY = 7
"""The sample takes every seventh: it meets every form, as there are five."""


def run(sample: bool, say: Say) -> Outcome:
    """Run the programs that can be run here."""
    chosen = PROGRAMS[::EVERY] if sample else PROGRAMS
    tally: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    faults: dict[str, str] = {}
    skipped: Counter[str] = Counter()
    for program in chosen:
        if reason := missing(program.form):
            skipped[reason] += 1
            continue
        judgement, outcome = judge(program)
        tally[judgement] += 1
        by_kind[program.kind] += 1
        if judgement != "fine":
            faults[program.title] = f"{judgement}: {outcome}"
            say(f"{program.title}: {judgement}: {outcome}")
    return outcome_of(tally, by_kind, faults, skipped)


def outcome_of(
    tally: Counter[str], by_kind: Counter[str], faults: dict[str, str], skipped: Counter[str]
) -> Outcome:
    """The figures; every program that isn't answered acceptably is in the details by name."""
    # holes that are known are listed by name and counted by themselves, so that a new one is seen
    new = Counter(
        fault.partition(":")[0] for title, fault in faults.items() if title not in KNOWN_HOLES
    )
    bounded = (
        ("false PROVED", "hostile programs that were PROVED to be what they aren't"),
        ("false pass", "hostile programs that passed whole without a proof, though they mustn't"),
        (
            "crash",
            "hostile programs that ended the check with anything but a verdict or one sentence",
        ),
        ("unacceptable", "hostile programs with another answer than the acceptable ones"),
    )
    return Outcome(
        (
            Figure("programs", tally.total(), "hostile programs run"),
            Figure(
                "known_holes",
                len(faults.keys() & KNOWN_HOLES.keys()),
                "wrong answers that are known and not mended, by name",
            ),
            *(Figure(name.replace(" ", "_"), tally[name], summary) for name, summary in bounded),
            *(
                Figure(
                    f"new_{name.replace(' ', '_')}",
                    new[name],
                    f"of these not known: {summary}",
                    at_least=0,
                    at_most=0,
                )
                for name, summary in bounded
            ),
        ),
        tuple(f"{count} programs not run: {reason}" for reason, count in skipped.items()),
        {"by_kind": dict(by_kind), "faults": faults},
    )


PART = Part("hostile", "hostile programs: does anyone talk a verdict into being false?", run)
