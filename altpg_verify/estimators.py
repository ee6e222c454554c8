"""What an estimator is: one formula, written once and run everywhere.

An estimator gives one sample's estimate of a gradient with respect to the action preferences
(logits) θ ∈ ℝᵏ, as an ascent direction: training adds a positive multiple of it to θ. It is an
ordinary Python function that asks for what it needs by parameter name:

    @estimator
    def alternate(pi, e, r, b):
        return (r - b) * e

The very same function object is run on sympy symbols (proofs), on `Fraction`s (exact
counterexamples), on float64 arrays (property tests), and is compiled into the inner loops of the
agents in `sim`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias, overload

from altpg_verify.docstrings import summary_of
from altpg_verify.errors import BadEstimator

Formula: TypeAlias = Callable[..., Any]
"""A function of some of `ARGUMENTS`, by name; numbers of any one sort in, (k,) of that sort out."""

ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "theta": "(k,) action preferences",
        "pi": "(k,) policy, the probability of each action",
        "e": "(k,) one-hot vector of the sampled action",
        "r": "scalar: sampled reward, return or bootstrapped target",
        "b": "scalar: baseline, not dependent on the action",
        "q": "(k,) value of each action, E[R | a]",
        "v": "scalar: value of the policy, sum of pi * q",
        "h": "(k,) advantages, q - v",
    }
)
"""Every name an estimator may ask for, with its shape and meaning."""

SAMPLED = frozenset({"e", "r"})
"""The arguments that depend on the draw; an estimator without them is an expected update."""

POLICY_GRADIENT = "policy gradient"


# equal only to itself: cases keep what an estimator gave under the estimator as a key
@dataclass(frozen=True, eq=False)
class Estimator:
    """A gradient estimate as a formula, and what it claims to be.

    The formula gives the estimate of *one* draw, ĝ(A, R) ∈ ℝᵏ, as an ascent direction in the action
    preferences: an agent adds α ĝ to θ, with a stepsize α > 0. A loss, which is minimised, is the
    business of `altpg_verify.audit`. One formula serves every sort of number, so it should use
    arithmetic and numpy's functions; one that branches on its numbers can be searched, but not
    proved.

    Args:
        formula: the Python function; its parameter names are taken from `ARGUMENTS`.
        name: how results, ids and replay commands call it.
        needs: the names it asks for, in order.
        target: what it claims to estimate; ∇_θ J unless said otherwise.
        expected_failures: law name -> why this law is meant to fail. Strict: a law marked here that
            holds is an error, and so is a name that is no law.
        promises: names of descriptive laws that this estimator claims to satisfy; a refuted promise
            counts as a failure.

    Examples:
        >>> from altpg_verify import alternate
        >>> alternate.name, alternate.needs
        ('alternate', ('e', 'r', 'b'))

        It is called with arguments by name, and takes no notice of those that it doesn't need.

        >>> import numpy as np
        >>> alternate(pi=np.array([0.5, 0.5]), e=np.array([1, 0]), r=3, b=1)
        array([2, 0])
    """

    formula: Formula
    name: str
    needs: tuple[str, ...]
    target: str = POLICY_GRADIENT
    expected_failures: Mapping[str, str] = field(default_factory=dict)
    promises: tuple[str, ...] = ()

    def __call__(self, **arguments: Any) -> Any:
        """The estimate for one draw; extra arguments are ignored, so callers may offer all they
        have.

        Args:
            arguments: by the names of `ARGUMENTS`, in the shapes that are said there.

        Returns:
            (k,) an ascent direction, in numbers of the sort that was put in.
        """
        return self.at(arguments)

    def at(self, arguments: Mapping[str, Any]) -> Any:
        """The same from a mapping, of which only the needed arguments are looked up.

        A mapping that computes its entries when they are looked up thus pays for what is used: θ
        takes k logarithms, and most estimators don't ask for it.
        """
        return self.formula(**{name: arguments[name] for name in self.needs})

    @property
    def summary(self) -> str:
        """The summary of the formula's docstring, which reports print as the estimator's formula;
        empty if it has none.
        """
        return summary_of(self.formula)

    def __repr__(self) -> str:
        return f"<estimator {self.name}({', '.join(self.needs)})>"


@overload
def estimator(formula: Formula, /) -> Estimator: ...
@overload
def estimator(
    *,
    name: str | None = None,
    target: str = POLICY_GRADIENT,
    expected_failures: Mapping[str, str] | None = None,
    promises: tuple[str, ...] = (),
) -> Callable[[Formula], Estimator]: ...
def estimator(
    formula: Formula | None = None,
    /,
    *,
    name: str | None = None,
    target: str = POLICY_GRADIENT,
    expected_failures: Mapping[str, str] | None = None,
    promises: tuple[str, ...] = (),
) -> Estimator | Callable[[Formula], Estimator]:
    """Turn a function of `pi, e, r, b, ...` into an `Estimator`; usable with or without arguments.

    The function returns the estimate of one draw as an ascent direction: what an agent adds to θ,
    times a stepsize. A parameter with a default that isn't in `ARGUMENTS` keeps its default and is
    part of the formula.

    Args:
        formula: the function; it asks by name for what it needs (see `ARGUMENTS`) and returns an
            ascent direction, (k,).
        name: what reports call it; the function's own name by default.
        target, expected_failures, promises: as for `Estimator`.

    Raises:
        BadEstimator: a parameter isn't in `ARGUMENTS`, or an expected failure has no reason.

    Examples:
        >>> from altpg_verify import estimator
        >>> @estimator
        ... def doubled(r, b, e, pi):
        ...     return 2 * (r - b) * (e - pi)
        >>> doubled.name, doubled.needs
        ('doubled', ('r', 'b', 'e', 'pi'))

        A law that is meant to fail is marked, with the reason that reports print.

        >>> @estimator(expected_failures={"baseline_invariant": "by design: a biased one"})
        ... def taken_only(r, b, e):
        ...     return (r - b) * e
        >>> list(taken_only.expected_failures)
        ['baseline_invariant']
    """

    def wrap(function: Formula) -> Estimator:
        # a functools.partial has no name of its own
        title = str(name or getattr(function, "__name__", "estimator"))
        if not title.isprintable():
            raise BadEstimator(
                f"the estimator's name {title!r} has a line break or another sign that can't be"
                " printed; give it a plain name"
            )
        needs = _needs(function, title)
        for law, reason in (expected_failures or {}).items():
            if not isinstance(reason, str) or not reason.strip():
                raise BadEstimator(
                    f"estimator {title!r}: expected_failures[{law!r}] needs a reason, a sentence"
                    " that says why the law is meant to fail"
                )
        return Estimator(
            function, title, needs, target, dict(expected_failures or {}), tuple(promises)
        )

    return wrap if formula is None else wrap(formula)


def _needs(function: Formula, title: str) -> tuple[str, ...]:
    if not callable(function):
        raise BadEstimator(
            f"estimator {title!r} is not a function; write a function of some of"
            f" {', '.join(ARGUMENTS)}"
        )
    names = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise BadEstimator(
                f"estimator {title!r} takes *{parameter.name}; name each argument instead:"
                f" {', '.join(ARGUMENTS)}"
            )
        # a default doesn't keep one of these from being handed over
        if parameter.name in ARGUMENTS:
            names.append(parameter.name)
        elif parameter.default is parameter.empty:
            known = "; ".join(f"{key}: {meaning}" for key, meaning in ARGUMENTS.items())
            raise BadEstimator(
                f"estimator {title!r} asks for {parameter.name!r}, which is not an argument; choose"
                f" from {known}"
            )
    if not names:
        raise BadEstimator(
            f"estimator {title!r} asks for none of the arguments {', '.join(ARGUMENTS)}"
        )
    return tuple(names)


@estimator
def regular(pi, e, r, b):
    """(R - b)(e_A - π), the likelihood-ratio estimator (paper, eq.
    regular_gradient_bandit_with_baseline).

    Unbiased for every baseline that doesn't depend on the action: E[ĝ] = π ∘ (q - v) = ∇J, since b
    multiplies E[e_A - π] = 0. At a corner of the simplex e_A = π, so that the estimate itself is
    zero: neither a gradient nor noise is left there to move the policy (propositions
    expectation_saturated_pg and variance_saturated_pg).
    """
    return (r - b) * (e - pi)


@estimator(
    expected_failures={
        "unbiased": (
            "by design: exact at b = v, and the bias (v - b) π is what moves a saturated policy"
        ),
        "baseline_invariant": "by design: the expected update π ∘ (r - b) follows the baseline",
        "vanishes_at_corner": (
            "by design: a baseline other than the reward pushes off (or onto) the corner"
        ),
        "zero_sum": "by design: only the sampled action's preference moves",
        "conservative": (
            "by design: the biased update is not the gradient of any function (paper, proposition"
            " fixed_pt_biased_no_grad)"
        ),
    },
    promises=("touches_taken_action_only", "optimistic_attracts", "pessimistic_repels"),
)
def alternate(e, r, b):
    """(R - b) e_A, the alternate estimator (paper, eq.
    alternate_stochastic_softmax_grad_vector_with_baseline).

    Its expected update is E[ĝ] = π ∘ (q - b): the policy gradient at b = v, and (v - b) π away from
    it otherwise. That bias has one fixed point for a baseline on one side of all rewards, π* ∝ 1/(q
    - b), which attracts if the baseline is optimistic and repels if it is pessimistic (lemma
    fixed_pt_biased_pg, theorem fixed_pt_biased_pg_attract_repulse). At a corner its variance is
    σ_c² e_c, the reward noise of the action taken (proposition variance_saturated_pg).
    """
    return (r - b) * e


@estimator
def expected_gradient(pi, q, v):
    """π ∘ (q - v), the policy gradient itself for a softmax policy (paper, section 3).

    It needs the value of every action, which an agent seldom has, and no draw: its variance is
    zero. Among estimators it serves as the one that passes every law of a gradient by being one.
    """
    return pi * (q - v)


# the same object for the same p, so that what was computed of it is found again
@functools.cache
def escort_regular(p: int) -> Estimator:
    """p (R - b)(e_A - π)/θ, the likelihood-ratio estimator of an escort policy π_a = |θ_a|^p / Σ
    |θ_c|^p.

    The paper (eq. grad_W_log_pi_escort) writes p (R - b)(e_A/θ - sgn(θ) |θ|^(p-1) / Σ |θ_c|^p),
    which is the same: the last term is π/θ. Call it escort_regular(2) and check it with the policy
    "escort:2". It has no value where a preference is zero.

    Args:
        p: the escort power, a whole number of at least 1.

    Raises:
        BadEstimator: p is no whole number of at least 1.

    Examples:
        >>> from altpg_verify import check_estimator, escort
        >>> from altpg_verify.estimators import escort_regular
        >>> report = check_estimator(
        ...     escort_regular(2), only=["unbiased"], parameterisation=escort(2), max_examples=20
        ... )
        >>> str(report["unbiased"].verdict), report["unbiased"].ok
        ('PROVED', True)
    """
    if not isinstance(p, int) or p < 1:
        raise BadEstimator(
            f"escort power p must be a whole number of at least 1, not {p!r}; try escort_regular(2)"
        )

    def formula(theta, pi, e, r, b):
        return p * (r - b) * (e - pi) / theta

    formula.__doc__ = (
        f"{p} (R - b)(e_A - π)/θ, the likelihood-ratio estimator of the escort policy of power {p}"
        " (paper, appendix C.5)"
    )
    return Estimator(formula, f"escort_regular({p})", ("theta", "pi", "e", "r", "b"))
