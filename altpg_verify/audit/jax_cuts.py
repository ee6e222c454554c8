"""Where a JAX loss loses its path to the parameters: the equations of its program that cut one, and
which of them, undone, give it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from altpg_verify.audit.jax_programs import is_literal, place, within

FLAT = ("floor", "ceil", "round", "sign", "nextafter")
"""Primitives of floats whose slope is 0 wherever it exists."""

STOPS = "stop_gradient"


@dataclass(frozen=True)
class _Cut:
    """An equation that cuts a path.

    Attributes:
        operand: what its operand is called, if it is an argument of the loss.
        call: the equation of the loss itself that runs it; of a function that was traced before
            only that one knows the line.
    """

    equation: Any
    operand: str
    call: Any

    @property
    def stops(self) -> bool:
        """It can be undone."""
        return bool(self.equation.primitive.name == STOPS)

    def said(self, jax: Any) -> str:
        """What it is, and where."""
        what = self.equation.primitive.name
        if what == "convert_element_type":
            what = f"a cast to {self.equation.params['new_dtype']}"
        of = f" of {self.operand!r}" if self.operand else ""
        caller = "" if self.call is self.equation else str(self.call.params.get("name", ""))
        inside = f" within {caller}()" if caller not in ("", what) else ""
        return f"{what}{of}{inside} in {place(jax, self.call) or 'the loss'}"


@dataclass
class _Seen:
    """What a walk along the path notes.

    Attributes:
        read: something is computed of a parameter.
        cuts: equations with a path that make something without one, in order; by id, since inner
            programs are walked once for each call of theirs.
    """

    read: bool = False
    cuts: dict[int, _Cut] = field(default_factory=dict)


def why_no_path(jax: Any, closed: Any, names: Sequence[str], parameters: Sequence[str]) -> str:
    """Why a loss has no path to its parameters, tried by undoing each `stop_gradient` alone, then
    all of them; empty if it has one.

    Args:
        closed: the loss as the program that it was traced to.
        names: what each of its inputs is called.
        parameters: those that are differentiated.
    """
    jaxpr = closed.jaxpr
    alive = [name in parameters for name in names]
    named = dict(zip(jaxpr.invars, names, strict=True))

    def reached(undone: frozenset[int]) -> tuple[bool, _Seen]:
        seen = _Seen()
        return any(_walk(jaxpr, alive, undone, seen, named)), seen

    has_path, seen = reached(frozenset())
    if has_path:
        return ""
    if not seen.read:
        return "the loss reads nothing of the parameters"
    begins = "the loss has no path to the parameters"
    cuts = dict(seen.cuts)
    for key, each in seen.cuts.items():
        if each.stops and reached(frozenset([key]))[0]:
            return f"{begins}, cut by {each.said(jax)}; without that it has one"
    # what is undone shows what lies behind it
    undone: frozenset[int] = frozenset()
    while True:
        more = frozenset(key for key, each in cuts.items() if each.stops)
        if has_path or more == undone:
            break
        undone = more
        has_path, behind = reached(undone)
        cuts |= behind.cuts
    if has_path:
        for key in undone:
            if reached(undone - {key})[0]:
                undone -= {key}
    left = [
        each for key, each in cuts.items() if (key in undone if has_path else not each.stops)
    ] or list(cuts.values())
    end = "; without these it has one" if has_path else ""
    return (
        f"{begins}, cut by {' and by '.join(dict.fromkeys(each.said(jax) for each in left))}{end}"
    )


def _is_float(variable: Any) -> bool:
    return str(getattr(variable.aval, "dtype", "")).startswith(("float", "bfloat", "complex"))


def _walk(
    jaxpr: Any,
    alive: Sequence[bool],
    undone: frozenset[int],
    seen: _Seen,
    named: dict[Any, str],
    call: Any = None,
) -> list[bool]:
    """Which results have a path from inputs that have one.

    Args:
        call: the equation of the loss itself that runs this program; None if it is the loss.
    """
    known = {each for each, is_alive in zip(jaxpr.invars, alive, strict=True) if is_alive}

    def has(variable: Any) -> bool:
        return not is_literal(variable) and variable in known

    for equation in jaxpr.eqns:
        given = [has(each) for each in equation.invars]
        if not any(given):
            continue
        seen.read = True
        first = next(
            each for each, is_alive in zip(equation.invars, given, strict=True) if is_alive
        )
        # a function with a rule of differentiation of its own may have a path where its program has none
        own_rule = equation.primitive.name.startswith("custom_jvp")
        inner = None if own_rule else within(equation)
        if inner is not None:
            below = {
                one: named[each]
                for one, each in zip(inner[0].invars, equation.invars, strict=True)
                if not is_literal(each) and each in named
            }
            made = _walk(inner[0], given, undone, seen, below, call or equation)
        elif equation.primitive.name == STOPS or equation.primitive.name in FLAT:
            made = [id(equation) in undone] * len(equation.outvars)
        else:
            # of a loop and a choice it is taken that they hand the path on
            made = [True] * len(equation.outvars)
        made = [
            is_alive and _is_float(each)
            for each, is_alive in zip(equation.outvars, made, strict=True)
        ]
        if inner is None and not any(made):
            seen.cuts[id(equation)] = _Cut(equation, named.get(first, ""), call or equation)
        known.update(
            each for each, is_alive in zip(equation.outvars, made, strict=True) if is_alive
        )
    return [has(each) for each in jaxpr.outvars]
