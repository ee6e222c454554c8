"""Every way the draws of a program can come out, by running it again and again: each run replays
the draws before, and takes another turn.

    for branch, answer in every_branch(run, most=1000, who="trainer 'step'"):
        ...         # branch.probability, and what `run(branch)` returned

`run` asks its branch whenever chance has a say: `branch.choose([1/6, 1/3, 1/2])` is the number of
an outcome. What it asks may depend on how it was answered, so the tree needn't be known before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

import numpy as np

from altpg_verify.errors import BadEstimator, BadInput

Answer = TypeVar("Answer")

SMALLEST = 1e-100
"""What is less probable isn't followed further: a step that draws until something happens has no
end.
"""

OFTEN = 64
"""Draws after which that is looked at."""

WHOLE = 1e-9
"""How far from 1 the probabilities of all branches may add up."""

MEND = (
    "what it keeps or draws unseen has a part in it; hand over build=..., which makes the trainer"
    " anew, or take that out"
)


@dataclass(frozen=True)
class Turn:
    """One draw of a run.

    Args:
        chances: the probabilities of its outcomes.
        outcome: how it came out.
        what: what drew, such as "torch.multinomial".
    """

    chances: tuple[float, ...]
    outcome: int
    what: str

    @property
    def next(self) -> int | None:
        """The next outcome that can happen; None after the last."""
        return next(
            (i for i in range(self.outcome + 1, len(self.chances)) if self.chances[i] > 0), None
        )

    @property
    def ways(self) -> int:
        """How many outcomes can happen."""
        return sum(chance > 0 for chance in self.chances)


@dataclass
class Branch:
    """One run: its draws come out as in the run before up to a turn, take that one's next outcome,
    and after it the first that can happen.

    Args:
        who: the sentence's subject.
        begins: the turns that are replayed; what they ask must be asked again.
        turns: those of this run so far.
        refusal: what can't be enumerated, raised when the run is over even if the program swallows
            it.
    """

    who: str
    begins: tuple[Turn, ...] = ()
    turns: list[Turn] = field(default_factory=list)
    refusal: BadInput | None = None

    @property
    def probability(self) -> float:
        """Of all these outcomes together."""
        return math.prod(turn.chances[turn.outcome] for turn in self.turns)

    def choose(self, chances: Sequence[float] | np.ndarray, what: str = "a draw") -> int:
        """How a draw comes out.

        Args:
            chances: the probabilities of the outcomes, or any multiple of them.
            what: what draws, for messages.

        Raises:
            BadEstimator: they aren't probabilities, or something else was asked at this turn of the
                same run.
        """
        numbers = np.asarray(chances, dtype=np.float64).reshape(-1)
        total = float(numbers.sum()) if numbers.size else 0.0
        if not (np.isfinite(numbers).all() and (numbers >= 0).all() and total > 0):
            self.refuse(
                f"hands {what} the probabilities {numbers.tolist()}; give numbers of at least 0,"
                " one of them above it"
            )
        # as a tuple of floats, so that a replay is compared bit for bit
        shares = tuple((numbers / total).tolist())
        place = len(self.turns)
        if place < len(self.begins):
            known = self.begins[place]
            # no tolerance: the same program on the same draws computes the same floats
            if known.chances != shares or known.what != what:
                self.refuse(
                    "drew otherwise when the same draws were replayed:"
                    f" {_shown(known.what, known.chances)} at first, then {_shown(what, shares)};"
                    f" {MEND}"
                )
            self.turns.append(known)
        else:
            if place % OFTEN == OFTEN - 1 and self.probability < SMALLEST:
                self.refuse(
                    f"draws on and on: {place:,} draws in one step, which come out so with a"
                    f" chance below {SMALLEST:g}; bound the loop that draws"
                )
            self.turns.append(
                Turn(shares, next(i for i, share in enumerate(shares) if share > 0), what)
            )
        return self.turns[-1].outcome

    def order(self, count: int, what: str) -> list[int]:
        """A permutation, all being equally probable."""
        left = list(range(count))
        return [left.pop(self.choose([1.0] * len(left), what)) for _ in range(count)]

    def several(
        self, chances: Sequence[float] | np.ndarray, count: int, *, again: bool, what: str
    ) -> list[int]:
        """So many draws from the same outcomes; without `again` none comes twice."""
        left = np.array(chances, dtype=np.float64)
        found = []
        for _ in range(count):
            found.append(self.choose(left, what))
            if not again:
                # `choose` takes any multiple of probabilities, so that what is left needs no new
                # scale
                left[found[-1]] = 0.0
        return found

    def refuse(self, why: str) -> NoReturn:
        """Refuse the program, also if it catches what is raised; `why` is the rest of a sentence
        about it.

        Raises:
            BadEstimator: always; of several the first.
        """
        if self.refusal is None:
            self.refusal = BadEstimator(f"{self.who} {why}")
        raise BadEstimator(str(self.refusal))


def every_branch(
    run: Callable[[Branch], Answer], *, most: int, who: str
) -> Iterator[tuple[Branch, Answer]]:
    """(branch, what the run returned) for every way the draws can come out; lazily, in
    lexicographic order.

    Args:
        run: runs the program once, asking its branch for every draw.
        most: so many branches at most.
        who: the sentence's subject.

    Raises:
        BadInput: there are more; said after the first run if that shows it.
        BadEstimator: the same draws, replayed, led to other ones.
    """
    begins: tuple[Turn, ...] = ()
    count, total = 0, 0.0
    while True:
        branch = Branch(who, begins)
        answer = run(branch)
        # the program may have caught it, and gone on with numbers of its own making
        if branch.refusal is not None:
            raise branch.refusal
        if len(branch.turns) < len(begins):
            branch.refuse(
                f"stopped drawing when the same draws were replayed: {len(begins)} draws at first,"
                f" then {len(branch.turns)}; {MEND}"
            )
        # from the first run alone: a tree of 10^20 leaves must be refused before a second is run
        if count == 0:
            refuse_too_many(branch, most)
        count, total = count + 1, total + branch.probability
        yield branch, answer
        begins = _following(branch.turns)
        if not begins:
            break
        if count >= most:
            raise BadInput(f"{who} has more than {most:,} ways its draws can come out; {_WAY_OUT}")
    # a program that remembers may draw fewer or more in later runs, and hide it from each replay
    if abs(total - 1) > WHOLE:
        raise BadEstimator(
            f"{who} drew otherwise when the same draws were replayed: the probabilities of all"
            f" branches add up to {total:.12g}"
        )


_WAY_OUT = "make its rollout, batch or group smaller, or take fewer minibatches and epochs"


def refuse_too_many(first: Branch, most: int) -> None:
    """Raises BadInput if a first run shows that there are too many branches: the product of the
    ways of its draws, as if all were alike.
    """
    size = sum(math.log10(turn.ways) for turn in first.turns)
    if size > math.log10(most):
        count = (
            f"{math.prod(turn.ways for turn in first.turns):,}" if size < 15 else f"10^{size:.0f}"
        )
        raise BadInput(
            f"{first.who} has about {count} ways its draws can come out ({drawn(first.turns)}),"
            f" more than {most:,}; {_WAY_OUT}"
        )


def drawn(turns: Sequence[Turn]) -> str:
    """What a run drew, in words: "3 draws by torch.multinomial, 2 by torch.randperm"."""
    counts: dict[str, int] = {}
    for turn in turns:
        counts[turn.what] = counts.get(turn.what, 0) + 1
    said = [f"{count} by {what}" for what, count in counts.items()]
    if not said:
        return "no draws"
    first = next(iter(counts.values()))
    return ", ".join([said[0].replace(" by", f" draw{'s' if first > 1 else ''} by", 1), *said[1:]])


def _following(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of the next run, up to the one that comes out otherwise; none after the last
    run.
    """
    # an odometer: the last draw that has another outcome takes it, those behind start anew
    for place in reversed(range(len(turns))):
        other = turns[place].next
        if other is not None:
            return (*turns[:place], Turn(turns[place].chances, other, turns[place].what))
    return ()


def _shown(what: str, chances: Sequence[float]) -> str:
    few = ", ".join(f"{chance:.6g}" for chance in chances[:4])
    return f"{what} with ({few}{', ...' if len(chances) > 4 else ''})"
