"""Expectation, variance, gradient and Jacobian of an estimator by enumerating every outcome: no
sampling, no tolerance.

The code is the same for `Fraction`, float64, rational functions, and any of these with derivatives
carried along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from altpg_verify.balls import Ball
from altpg_verify.cases import Case, vector
from altpg_verify.divisions import dividing, met
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.exact_numbers import ExactNumber
from altpg_verify.forward_mode import divide, gradient_of, value_of
from altpg_verify.number_types import Number
from altpg_verify.opaque_numbers import NotRational, opaque
from altpg_verify.rational_functions import RationalFunction
from altpg_verify.sized import Sized
from altpg_verify.untrusted.arguments import refuse_writing, which_written, wrote
from altpg_verify.untrusted.calling import by_a_raise, did, interrupted, line, refuse
from altpg_verify.untrusted.lines import LineCoverage, Unrun
from altpg_verify.untrusted.type_queries import type_query


class Undefined(BadEstimator):
    """The formula has no finite value here, though it runs elsewhere: a division by zero, a
    logarithm of zero.

    Two sides of a law of which one is undefined aren't equal, so that this can refute.
    """


class Raised(BadEstimator):
    """The formula raised an exception of its own here; it may run elsewhere. A law is INCONCLUSIVE
    then, unless another case refutes it.
    """


class TooLarge(Raised):
    """The formula has a value here that float64 can't hold: that is a limit of float64, and such a
    case is left out.
    """


class NotDifferentiable(ArithmeticError):
    """The formula can't be run on numbers that carry derivatives."""


@dataclass
class Calls:
    """What an estimator was asked, and what it answered: so that it can be asked again.

    Args:
        asked: (estimator, case, action, reward) of each call.
        answers: what it gave, in the same order.
        coverage: notes what of the formula ran; None once all of it has.
        symbols: whether calls on symbols count for the coverage, too.
    """

    asked: list[tuple[Estimator, Case, int, Number]] = field(default_factory=list)
    answers: list[np.ndarray] = field(default_factory=list)
    coverage: LineCoverage | None = None
    symbols: bool = False

    def unrun(self) -> Unrun:
        """What of the formula never ran on numbers."""
        return self.coverage.unrun() if self.coverage is not None else Unrun((), ())


_LISTENING: list[Calls] = []
# numbers of answers after which it is asked whether all lines ran: asking each time would be slow
_LOOKS_AT = frozenset((2, 8, 40, 200, 1000, 3000))


@contextmanager
def listening(calls: Calls) -> Iterator[Calls]:
    """Note every call of an estimator on numbers within the block; of nested blocks the innermost
    listens.

    Args:
        calls: what is noted is added to it.
    """
    _LISTENING.append(calls)
    try:
        yield calls
    finally:
        _LISTENING.pop()


def evaluate(
    estimator: Estimator, case: Case, action: int, reward: Number, *, finite: bool = True
) -> np.ndarray:
    """(k,) the estimate at one draw, after checking the estimator's contract; asked once for each
    draw of a case.

    Args:
        estimator: made by `@estimator`.
        case: the policy, rewards and baseline, in numbers of any sort.
        action: the index of the sampled action, from 0.
        reward: what it paid.
        finite: refuse infinities and NaN.

    Raises:
        BadEstimator: it raised, wrote into its arguments, or returned something other than k real
            numbers.
        Undefined: of these, a division by zero, a logarithm of what has none, or (unless
            `finite=False`) a number that isn't finite.
        Raised: of these, another exception of its own; `TooLarge`, if a number became too large for
            float64.
        NotRational: the case is symbolic, and the formula looks at its numbers.

    Examples:
        >>> from altpg_verify import bandit, regular
        >>> from altpg_verify.exact import evaluate
        >>> case = bandit([1, 0], ["1/2", "1/2"], b=0)
        >>> [str(entry) for entry in evaluate(regular, case, 0, 1)]
        ['1/2', '-1/2']
    """
    key = (estimator, action, id(reward), finite)
    if key not in case.known:
        with dividing() as conditions:
            # the reward is kept, so that its id stays its own
            case.known[key] = (
                ask(estimator, case, action, reward, finite=finite),
                conditions,
                reward,
            )
    else:
        met(case.known[key][1])
    return case.known[key][0]


def ask(
    estimator: Estimator, case: Case, action: int, reward: Number, *, finite: bool = True
) -> np.ndarray:
    """The same as `evaluate`, but the formula is really called.

    So that it can be asked again: the answer must not depend on when, how often or in which order.

    Args:
        estimator: made by `@estimator`.
        case: the policy, rewards and baseline.
        action: the index of the sampled action, from 0.
        reward: what it paid.
        finite: refuse infinities and NaN.

    Raises:
        BadEstimator: as `evaluate` does, and its kinds.
        NotRational: the case is symbolic, and the formula looks at its numbers.
    """
    who = f"estimator {estimator.name!r}"

    def where() -> str:
        return f"for action {action}, reward {value_of(reward)}, case {case}"

    arguments = case.arguments(action, reward)
    listener = _LISTENING[-1] if _LISTENING else None
    # runs on symbols tell nothing of numbers, and are asked again by none
    numeric = type(case) is Case
    coverage = listener.coverage if listener is not None and (numeric or listener.symbols) else None
    overflowed: list[str] = []
    try:
        with (
            np.errstate(all="ignore", over="call", call=lambda kind, flag: overflowed.append(kind)),
            opaque() as refusals,
            coverage or nullcontext(),
        ):
            returned = estimator.at(arguments)
    except (BadInput, NotRational):
        raise
    except ZeroDivisionError as error:
        raise Undefined(f"{who} raised ZeroDivisionError: {error} {where()}") from error
    except BaseException as error:
        if wrote(error):
            needed = {name: arguments[name] for name in estimator.needs}
            refuse_writing(who, which_written(lambda lent: estimator.formula(**lent), needed))
        if isinstance(error, KeyboardInterrupt) and interrupted(error):
            raise
        kind = _kind_of(error)
        if kind is None:
            refuse(error, who, where)
        raise kind(line(f"{who} {did(error)}", where())) from error
    if refusals:
        # caught by the formula itself, which then went another way
        raise NotRational(refusals[0])
    try:
        entries = _checked(who, returned, case.k, where, finite)
    except Undefined as error:
        raise (TooLarge(str(error)) if overflowed else error) from None
    if listener is not None and numeric:
        listener.asked.append((estimator, case, action, reward))
        listener.answers.append(entries)
        if coverage is not None and len(listener.answers) in _LOOKS_AT and not coverage.unrun():
            # everything ran: watching is over
            listener.coverage = None
    return entries


def _kind_of(error: BaseException) -> type[BadEstimator] | None:
    """What an exception of a formula says of it; None if it is no ordinary one, or comes of how the
    formula is written.
    """
    # what a formula raises by itself is no limit of float64
    if isinstance(error, OverflowError) and not by_a_raise(error):
        return TooLarge
    if isinstance(error, ValueError) and str(error).startswith(_NO_VALUE):
        return Undefined
    if isinstance(error, Exception) and not isinstance(
        error, RecursionError | MemoryError | NameError | SyntaxError | StopIteration
    ):
        return Raised
    return None


_NO_VALUE = (
    "math domain error",
    "expected a nonnegative input",
    "expected a positive input",
    "expected a number in range",
)
"""What the functions of `math` say of a number that they have no value for, in any version of
Python.
"""


def _checked(
    who: str, returned: object, k: int, where: Callable[[], str], finite: bool
) -> np.ndarray:
    plain = type(returned) is np.ndarray or not isinstance(returned, np.ndarray)
    # who asks for `np.ma` loads it
    if not plain and isinstance(returned, np.ma.MaskedArray):
        raise BadEstimator(
            f"{who} returned a masked array, of which some entries don't count; return plain"
            f" numbers {where()}"
        )
    entries = returned if isinstance(returned, np.ndarray) else _as_array(returned)
    if entries.shape != (k,):
        got = "a single number" if entries.shape == () else f"shape {entries.shape}"
        raise BadEstimator(
            f"{who} returned {got} instead of shape ({k},) {where()}; return one entry for each"
            " action"
        )
    entries = (
        entries.copy()
        if entries.dtype in (object, float)
        else vector([entry.item() for entry in entries])
    )
    for entry in entries:
        number = value_of(entry)
        if type(number) is ExactNumber:
            # nearly all are: no need to ask the abstract classes below
            continue
        if isinstance(number, complex | np.complexfloating):
            raise BadEstimator(
                f"{who} returned the complex number {number} {where()}; an estimate is real"
            )
        # balls come from the project's own certificates, never from a case that a user can make
        if not isinstance(number, _NUMBERS) and type(number).__module__.split(".")[0] != "flint":
            kind = (
                ""
                if isinstance(number, str | bytes) or number is None
                else f" of type {type(number).__name__}"
            )
            raise BadEstimator(
                f"{who} returned {shortened(number)}{kind} {where()}; return numbers"
            )
        if finite and isinstance(number, float | np.floating) and not math.isfinite(number):
            raise Undefined(f"{who} returned {number} {where()}; return finite numbers")
    if entries.dtype == object and any(isinstance(entry, np.generic) for entry in entries):
        entries = vector(
            [entry.item() if isinstance(entry, np.generic) else entry for entry in entries]
        )
    return entries


_NUMBERS = (bool, int, float, Fraction, np.number, np.bool_, RationalFunction, Sized, Ball)


def shortened(value: object) -> str:
    """The value as Python writes it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _as_array(returned: object) -> np.ndarray:
    if isinstance(returned, list | tuple):
        return vector(list(returned))
    return np.empty((), dtype=object)


def _once(case: Case, key: object, compute: Callable[[], np.ndarray]) -> np.ndarray:
    """A quantity of a case, computed when it is first asked for; what it divided by is met again
    each time.
    """
    if key not in case.known:
        with dividing() as conditions:
            case.known[key] = (compute(), conditions)
    else:
        met(case.known[key][1])
    return case.known[key][0]


def expected_update(estimator: Estimator, case: Case) -> np.ndarray:
    """(k,) E[ĝ(A, R)], the expected update in ascent direction, by enumeration of actions and
    rewards.

    E[ĝ] = Σ_a π_a Σ_r P(r | a) ĝ(a, r), a sum of finitely many terms with no sampling in it.

    Args:
        estimator: made by `@estimator`.
        case: the policy, rewards and baseline; exact numbers give an exact result.

    Raises:
        BadEstimator: the estimator broke its contract; `Undefined`, where it has no value.

    Examples:
        >>> from altpg_verify import alternate, bandit, expected_update
        >>> case = bandit([1, 0], ["1/2", "1/2"], b=0)
        >>> [str(entry) for entry in expected_update(alternate, case)]
        ['1/2', '0']
    """

    def compute() -> np.ndarray:
        total = case.expectation(lambda action, reward: evaluate(estimator, case, action, reward))
        return total if isinstance(total, np.ndarray) else vector([total] * case.k)

    return _once(case, ("expected", estimator), compute)


def variance(estimator: Estimator, case: Case) -> np.ndarray:
    """(k,) the elementwise variance of ĝ(A, R): E[ĝ ∘ ĝ] - E[ĝ] ∘ E[ĝ].

    Over actions and reward noise together, for one sample; a mean of n independent samples has 1/n
    of it. The paper's variances are these (appendix A, proposition variance_saturated_pg).

    Examples:
        >>> from altpg_verify import alternate, bandit
        >>> from altpg_verify.exact import variance
        >>> [str(entry) for entry in variance(alternate, bandit([1, 0], ["1/2", "1/2"], b=0))]
        ['1/4', '0']
    """

    def compute() -> np.ndarray:
        mean = expected_update(estimator, case)
        square = case.expectation(
            lambda action, reward: evaluate(estimator, case, action, reward) ** 2
        )
        return square - mean * mean

    return _once(case, ("variance", estimator), compute)


def outcomes(estimator: Estimator, case: Case) -> list[np.ndarray]:
    """(k,) each: the estimate at every outcome that can happen, in order of action and reward."""
    return case.outcomes(lambda action, reward: evaluate(estimator, case, action, reward))


def policy_gradient(case: Case) -> np.ndarray:
    """(k,) ∇_θ J by exact differentiation of J = π·q, whatever the parameterisation.

    For softmax it comes to π ∘ (q - v), the paper's gradient of section 3; that formula isn't used
    here, so that estimators are compared with the definition.

    Args:
        case: the policy and the rewards; its baseline has no part in it.

    Examples:
        >>> from altpg_verify import bandit, policy_gradient
        >>> [str(entry) for entry in policy_gradient(bandit([1, 0], ["1/2", "1/2"], b=0))]
        ['1/4', '-1/4']
    """
    return _once(
        case, "policy gradient", lambda: vector(list(gradient_of(case.lifted().v, case.k)))
    )


def update_jacobian(estimator: Estimator, case: Case) -> np.ndarray:
    """(k, k) ∂E[ĝ]_a/∂θ_c, row a, column c; the baseline is frozen.

    Symmetric for a gradient field: E[ĝ] = ∇L for some L on all policies exactly if it is. The
    paper's proposition fixed_pt_biased_no_grad says that it isn't for the alternate estimator's.

    Raises:
        BadEstimator: the estimator broke its contract, without derivatives too.
        NotDifferentiable: the formula runs on numbers, but not on numbers with derivatives.
    """

    telling = type_query(estimator.formula, numbers=True)
    if telling:
        raise NotDifferentiable(f"the formula {telling}")

    def compute() -> np.ndarray:
        try:
            update = expected_update(estimator, case.lifted())
        except BadEstimator as error:
            # numbers with derivatives can do less than floats: math.log of them fails
            try:
                expected_update(estimator, case)
            except BadEstimator:
                raise error from None
            raise NotDifferentiable(str(error)) from error
        return np.array([gradient_of(entry, case.k) for entry in update], dtype=object)

    return _once(case, ("jacobian", estimator), compute)


def without_shift(entries: np.ndarray) -> np.ndarray:
    """A vector less its mean, or a matrix so projected on both sides: its part that changes a
    softmax policy.

    With P = I - 11ᵀ/k it is P·g, or P·M·P; two updates that agree after it move a softmax policy
    alike.
    """
    k = entries.shape[0]
    if entries.ndim == 1:
        return entries - divide(entries.sum(), k)
    rows = entries - vector([divide(total, k) for total in entries.sum(axis=0)])[None, :]
    return rows - vector([divide(total, k) for total in rows.sum(axis=1)])[:, None]
