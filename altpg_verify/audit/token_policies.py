"""Policies over the contexts of sequences of tokens: tables of logits, shared or not, or a network."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import checked_chances, float_array, shown
from altpg_verify.audit.exact_points import point_at
from altpg_verify.audit.policies import ILLEGAL, FunctionPolicy, Parameters, Policy, TablePolicy
from altpg_verify.audit.token_sequences import Problem
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.calling import calling

TABLES = ("prefix", "position", "shared")
"""Which contexts have the same logits: none, those with as many of the policy's tokens, all."""


def policy_over(
    problem: Problem, policy: Any, parameters: Any, pi: Any
) -> tuple[Policy, dict[str, Any]]:
    """The policy over the problem's contexts, and its point.

    Raises:
        BadInput: it is no kind of table and no network that can be called, or its parameters or
            logits can't be used.
    """
    if isinstance(policy, str):
        if policy not in TABLES:
            raise BadInput(
                f"policy: {shown(policy)} is not known; choose from {', '.join(TABLES)}, or give a"
                " function"
            )
        if parameters is not None:
            raise BadInput(
                f"parameters: the policy {policy!r} has its own; give them with a policy that is a"
                " function"
            )
        return _table(problem, policy, pi)
    if (
        not callable(policy)
        or not isinstance(parameters, Mapping)
        or not parameters
        or pi is not None
    ):
        raise BadInput(
            "policy: a function (parameters, contexts) -> logits comes with parameters={name:"
            " values}, and without pi"
        )
    try:
        inspect.signature(policy).bind({}, ())
    except TypeError as error:
        raise BadInput(
            "policy: a network is called once, policy(parameters, contexts), with the mapping of"
            " its parameters and a tuple of all contexts, each a tuple of tokens (the prompt and"
            f" the row so far); {shown(policy)} can't be called so: {error}"
        ) from error
    except ValueError:
        # a compiled function may not say what it takes; it will when it is called
        pass
    groups = {name: float_array(name, values) for name, values in parameters.items()}
    contexts = tuple(context for context, _, _ in problem.contexts)
    shut = np.zeros((len(contexts), problem.vocabulary), dtype=bool)
    if problem.legal is not None:
        for state, (context, _, decides) in enumerate(problem.contexts):
            shut[state] = [decides and not can for can in problem.legal(context)]

    def logits(given: Parameters) -> np.ndarray:
        with calling("policy"):
            found = np.asarray(policy(given, contexts), dtype=float)
        if found.shape != shut.shape:
            raise BadInput(
                f"policy: returned logits of shape {found.shape} for {shut.shape[0]} contexts of"
                f" {shut.shape[1]} tokens"
            )
        return np.where(shut, -np.inf, found)

    made = FunctionPolicy(logits, tuple((name, values.shape) for name, values in groups.items()))
    if not np.isfinite(made.table(groups)).all():
        raise BadInput("policy: its logits aren't finite at the parameters given")
    return made, {"parameters": groups}


def _table(problem: Problem, kind: str, pi: Any) -> tuple[TablePolicy, dict[str, Any]]:
    """Logits that are parameters, for each context or shared by some."""
    size = problem.vocabulary
    decided = max(written for _, written, decides in problem.contexts if decides)
    index = []
    for state, (context, written, decides) in enumerate(problem.contexts):
        row = {"prefix": state, "position": written if decides else decided, "shared": 0}[kind]
        allowed = problem.legal(context) if problem.legal is not None and decides else [True] * size
        index.append(
            tuple(row * size + token if can else ILLEGAL for token, can in enumerate(allowed))
        )
    rows = {"prefix": len(index), "position": decided + 1, "shared": 1}[kind]
    chances = [Fraction(1, size)] * size if pi is None else checked_chances("pi", pi, positive=True)
    if len(chances) != size:
        raise BadInput(f"pi has {len(chances)} probabilities for {size} tokens; give one for each")
    made = TablePolicy(tuple(index), (size,) if rows == 1 else (rows, size))
    return made, point_at(made, list(chances) * rows, {}, "pi")
