"""Is a function pure? Everything it answered is asked again, elsewhere in time and chance, and must
come out the same to the last bit.

    guard = Purity(function, who="update 'own_mean'")          # before the first call
    answers = [run(i) for i in range(n)]                       # the engine's own work
    evidence = guard.establish(run, answers)                   # raises BadEstimator, or says what was compared

What is decided, in this order:

1. something visible that changes once more although the same draws are asked again: "remembers
   earlier calls";
2. a visible generator that the calls moved: "draws random numbers";
3. the clock, the system's entropy, an address or the call stack, asked for by the user's own code:
   "reads the clock", "draws random numbers", "looks at what isn't the same in every run"; and a
   set of texts that its code goes through, see `set_order`;
4. an answer that is different when everything visible is put back to the start, and the draws come
   in another order, with all generators in another state.

A table that is filled while new draws come, by `lru_cache` or by hand, is allowed: asked the same
again it doesn't change, and emptied it gives the same answers. What cannot be seen and makes no
difference in any of these calls stays unknown: state in C code, in files or on the net that matters
only after more calls than are made.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.entropy import outside_calls, outside_names
from altpg_verify.untrusted.generators import Generators, State, visible_generators
from altpg_verify.untrusted.reaching import functions
from altpg_verify.untrusted.set_order import ORDER, SORT, varying_order
from altpg_verify.untrusted.state import Memory, Snapshot
from altpg_verify.untrusted.tensors import ESCAPED, Unreadable
from altpg_verify.untrusted.unfilled import FILLS, asks_for_memory, filled

ALL = 2_000
"""Answers that are all asked again; of more, this many."""

FEW = 12
"""Answers asked under the profiler, and first of all."""

HELD = 5
"""New objects, at most, that are kept before each second asking."""

DIFFERENT = 20_160_605
"""The state that generators are put into for the second asking."""

DRAWS = "draws random numbers"
REMEMBERS = "remembers earlier calls"
CLOCK = "reads the clock"
UNFILLED = "reads memory that nobody filled"
OUTSIDE = "looks at what isn't the same in every run"

_MEND = {
    DRAWS: (
        "declare them as `choices`, take a generator `rng` as an argument, or judge it by sampling"
    ),
    REMEMBERS: "take what it keeps as an argument",
    CLOCK: "take the time out, or as an argument",
    OUTSIDE: "let its answer depend on its arguments alone",
    ORDER: SORT,
    UNFILLED: "take `zeros` for `empty`, or fill all of it",
}

_KINDS = {"entropy": DRAWS, "clock": CLOCK, "outside": OUTSIDE}


@dataclass(frozen=True)
class PurityEvidence:
    """What was compared.

    Args:
        compared: answers that were asked for again and agreed to the last bit.
        nonzero: those of them that aren't zero; without any, nothing was shown about a factor.
        of: all answers there are.
        generators: names of the generators that were put into another state.
    """

    compared: int
    nonzero: int
    of: int
    generators: tuple[str, ...]

    def __str__(self) -> str:
        share = "all" if self.compared == self.of else f"{self.compared:,} of"
        return (
            f"pure: {share} {self.of:,} answers asked again, {self.nonzero:,} of them not zero, the"
            " same to the last bit"
        )


class Purity:
    """What a function could see before it was called; see the module for what is decided.

    Args:
        function: the user's function (or estimator, update, partial, bound method).
        who: the sentence's subject, such as "update 'own_mean'".
        also: further functions that run with it, such as a user's objective.

    Attributes:
        generators: all that it can see.
        memory: what it could remember.
        start: what that was before the first call.
        began: the generators' states then.
    """

    def __init__(self, function: Any, who: str, *, also: Sequence[Any] = ()) -> None:
        self.who = who
        self.generators: Generators = visible_generators(function, *also)
        self.memory = Memory(function, *also)
        self.start: Snapshot = self.memory.snapshot()
        self.began: State = self.generators.capture()

    def establish(
        self,
        run: Callable[[int], Any],
        answers: Sequence[Any],
        *,
        strata: Sequence[Any] | None = None,
        limit: int = ALL,
        same: Callable[[Any, Any], bool] | None = None,
        seeded: bool = False,
    ) -> PurityEvidence:
        """Ask again, and compare.

        Args:
            run: the answer for draw i, computed anew: the function must really be called, in the
                way the first answer was made.
            answers: the first answers; `bits` says what they may be. A None was never asked and is
                left out.
            strata: what kind of draw each is (a length, a shape); some of each kind are asked if
                not all can be.
            limit: answers to ask again at most.
            same: decides whether two answers are equal; to the last bit by default.
            seeded: `run` puts the generators into a state of its own before each call, as was
                declared.

        Raises:
            BadEstimator: it draws random numbers, reads the clock or remembers earlier calls.
        """
        equal = same or (lambda one, other: bits(one) == bits(other))
        first = self.generators.capture()
        asked = [i for i, answer in enumerate(answers) if answer is not None]
        chosen = _chosen(asked, answers, strata, limit)
        few = _spread([i for i in chosen if not is_zero(answers[i])] or chosen, FEW)
        held: list[list[object]] = []

        def again(i: int) -> Any:
            # objects that stay: a new one in the function gets another address than the last time
            held.append([object() for _ in range(1 + i % HELD)])
            return _attempt(run, i)

        def compare(i: int, answer: Any) -> None:
            if not _alike(equal, answer, answers[i]):
                self._differs(
                    run,
                    i,
                    equal,
                    f" ({answer.removeprefix(_RAISED)})" if isinstance(answer, str) else "",
                )

        try:
            self._nothing_kept(run, asked)
            self.memory.restore()
            self.generators.reseed(DIFFERENT)
            before = self.generators.capture()
            # a few under the profiler, and all of them for what they answer: one asking shows both
            first_few = _shuffled(few)
            found, outside = outside_calls(lambda: [again(i) for i in first_few])
            if not seeded and self.generators.moved(before):
                self._no_draws(run, few)
            for name, kind in outside.items():
                self._refuse(_KINDS[kind], f"it calls {name}")
            name, kind = outside_names(self.memory.roots)
            if name:
                self._refuse(_KINDS[kind], f"it names {name}")
            if order := varying_order(self.memory.roots):
                self._refuse(ORDER, order)
            for i, answer in zip(first_few, found, strict=True):
                compare(i, answer)
            self._nothing_unfilled(run, few, equal)
            for i in _shuffled([i for i in chosen if i not in set(few)]):
                compare(i, again(i))
            if not seeded and self.generators.moved(before):
                self._no_draws(run, chosen)
        finally:
            self.generators.restore(first)
        nonzero = sum(not is_zero(answers[i]) for i in chosen)
        return PurityEvidence(
            len(chosen), nonzero, len(asked), tuple(each.name for each in self.generators.every)
        )

    def _refuse(self, what: str, detail: str) -> NoReturn:
        raise BadEstimator(f"{self.who} {what}: {detail}; {_MEND[what]}")

    def _no_draws(self, run: Callable[[int], Any], draws: Sequence[int]) -> None:
        """A generator that calls leave elsewhere, and in different places if it was in different
        ones, is drawn from.
        """
        ends = []
        for number in (1, 2):
            self.generators.reseed(number)
            before = self.generators.capture()
            for i in draws:
                run(i)
            ends.append((self.generators.moved(before), self.generators.capture()))
        for each, one, other in zip(self.generators.every, ends[0][1], ends[1][1], strict=True):
            # one that the function itself seeds ends in the same state from anywhere
            if each.name in ends[0][0] and one != other:
                self._refuse(DRAWS, f"its calls move the generator {each.name}")

    def _nothing_unfilled(
        self, run: Callable[[int], Any], draws: Sequence[int], equal: Callable[[Any, Any], bool]
    ) -> None:
        """What memory held that was asked for, and not filled, may make no difference."""
        roots = [each for root in self.memory.roots for each in functions(root)]
        if not asks_for_memory(roots):
            return
        found = []
        for number in FILLS:
            with filled(roots, number):
                found.append([_attempt(run, i) for i in draws])
        for one, other in zip(*found, strict=True):
            if not _alike(equal, one, other):
                self._refuse(UNFILLED, "with other numbers in it the same draw gave another answer")

    def _nothing_kept(self, run: Callable[[int], Any], asked: Sequence[int]) -> None:
        """If the first calls have changed anything that can be seen, the same calls once more may
        change nothing.
        """
        before = self.memory.snapshot()
        if not self.start.changed(before):
            return
        for _ in range(2):
            for i in asked:
                run(i)
            later = self.memory.snapshot()
            changed = before.changed(later)
            # what was kept of many draws at once gives way to what is kept of one
            if not changed or not all(before.tokens.get(name) == ESCAPED for name in changed):
                break
            before = later
        if changed:
            hidden = isinstance(later.tokens.get(changed[0]), Unreadable)
            self._refuse(
                REMEMBERS,
                f"{changed[0]}"
                f" {'keeps a place that nobody can read' if hidden else 'changes from call to call'}",
            )

    def _differs(
        self, run: Callable[[int], Any], i: int, equal: Callable[[Any, Any], bool], detail: str
    ) -> NoReturn:
        """Say why an answer came out different."""
        detail = f"one draw, asked again, gave another answer{detail}"

        def under(number: int) -> Any:
            self.memory.restore()
            self.generators.reseed(number)
            return _attempt(run, i)

        one, same, other = under(7), under(7), under(8)
        if _alike(equal, one, same) and not _alike(equal, one, other):
            self._refuse(DRAWS, detail)
        if _alike(equal, one, same):
            # the same from the same start: what differs is what went before
            self._refuse(REMEMBERS, detail)
        answers = [_attempt(run, i) for _ in range(8)]
        if (
            sum(not _alike(equal, one, answer) for answer in answers)
            and len({_key(answer) for answer in answers}) > 2
        ):
            raise BadEstimator(
                f"{self.who} {DRAWS} or {REMEMBERS}: {detail}, with every generator and variable"
                " that can be seen as it was before; let its answer depend on its arguments alone"
            )
        self._refuse(REMEMBERS, detail)


def bits(answer: Any) -> Any:
    """An answer as something that compares with ==, to the last bit: nan equals nan, 0.0 differs
    from -0.0.

    Numbers, Fractions, arrays of floats or of objects, torch and jax arrays, and tuples, lists and
    mappings of these.
    """
    if isinstance(answer, Mapping):
        return tuple((str(name), bits(value)) for name, value in answer.items())
    if isinstance(answer, tuple | list):
        return tuple(map(bits, answer))
    if isinstance(answer, bytes | str | None):
        return answer
    if isinstance(answer, int | float | complex):
        return (type(answer).__name__, repr(answer))
    detach = getattr(answer, "detach", None)
    if detach is not None:
        answer = detach().cpu().numpy()
    if not hasattr(answer, "dtype"):
        return (type(answer).__name__, repr(answer))
    import numpy

    array = numpy.asarray(answer)
    if array.dtype == object:
        return (array.shape, tuple(map(bits, array.flat)))
    return (array.shape, array.dtype.str, array.tobytes())


def is_zero(answer: Any) -> bool:
    """Whether all numbers of an answer are zero."""
    if isinstance(answer, Mapping):
        return all(map(is_zero, answer.values()))
    if isinstance(answer, tuple | list):
        return all(map(is_zero, answer))
    if isinstance(answer, bytes | str):
        return False
    detach = getattr(answer, "detach", None)
    if detach is not None:
        answer = detach().cpu().numpy()
    if hasattr(answer, "dtype") and getattr(answer, "shape", ()) != ():
        import numpy

        array = numpy.asarray(answer)
        return all(map(is_zero, array.flat)) if array.dtype == object else not array.any()
    try:
        return bool(answer == 0)
    except Exception:
        return False


def _chosen(
    asked: list[int], answers: Sequence[Any], strata: Sequence[Any] | None, limit: int
) -> list[int]:
    """Which to ask again: all, or by turns from each kind of draw, those that aren't zero first."""
    if len(asked) <= limit:
        return asked
    groups: dict[Any, list[int]] = {}
    for i in asked:
        groups.setdefault(
            (strata[i] if strata is not None else None, is_zero(answers[i])), []
        ).append(i)
    # each non-zero kind gets its share, zeros what is left
    kinds = sorted(groups, key=lambda kind: (kind[1], len(groups[kind]), repr(kind[0])))
    found: list[int] = []
    for place, kind in enumerate(kinds):
        share = (limit - len(found)) // (len(kinds) - place)
        found += _spread(groups[kind], share)
    return sorted(found)


def _spread(indices: Sequence[int], most: int) -> list[int]:
    """At most so many, evenly from first to last."""
    if len(indices) <= most:
        return list(indices)
    if most < 1:
        return []
    return [indices[(place * (len(indices) - 1)) // max(most - 1, 1)] for place in range(most)]


def _shuffled(indices: Sequence[int]) -> list[int]:
    found = list(indices)
    random.Random(len(found)).shuffle(found)
    return found


_RAISED = "raised: "


def _attempt(run: Callable[[int], Any], i: int) -> Any:
    try:
        return run(i)
    except BadInput as error:
        return f"{_RAISED}{error}"


def _key(answer: Any) -> Any:
    return repr(bits(answer))


def _alike(equal: Callable[[Any, Any], bool], one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return equal(one, other)
