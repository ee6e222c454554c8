"""Which reference an update equals: the same update on every draw of every trial, not merely in
expectation.

"Equals" is said of every draw that was enumerated, with the policies, behaviours, rewards and sizes
that were tried; and where several references agree on all of them though they differ elsewhere, all
are named: the space can't tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from altpg_verify.audit.continuous import refuse_continuous
from altpg_verify.audit.expected_update import identifiable_projection, moments, refuse_random
from altpg_verify.audit.numbers import fraction_near, say, say_vector
from altpg_verify.audit.purity import refuse_impure
from altpg_verify.audit.references.advantages import ADVANTAGES
from altpg_verify.audit.references.algorithms import (
    ALGORITHMS,
    USUAL,
    Algorithm,
    combined,
    surrogates_of,
)
from altpg_verify.audit.references.equivalence import distinct, grouped_names, names_of, with_names
from altpg_verify.audit.references.identification import (
    SMALL,
    Difference,
    Identification,
    Likeness,
    listed,
)
from altpg_verify.audit.references.loss_numbers import numbers_of, readable_names
from altpg_verify.audit.references.penalties import may_agree
from altpg_verify.audit.references.recipes import OnLogits, Recipe, Reference
from altpg_verify.audit.references.sequences import FAR
from altpg_verify.audit.references.surrogates import AGGREGATIONS, DIVERGENCES, SURROGATES, Piece
from altpg_verify.audit.references.trials import Block, Trial, unrun
from altpg_verify.audit.references.variations import trials
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.sealing import remade, seal

CLOSE = 1e-9
"""Relative difference of two updates on one draw below which they agree."""

NOTHING = 1e-14
"""The same as a share of the largest update of the trial: rounding of what cancels."""

LEVEL = 1e-7
"""The same where all returns of a draw are equal and the reference is 0: rounding of their mean,
divided by an epsilon.
"""


SHOWN = 18
"""Of more actions or rewards of a draw only the first are shown."""

BASES, CANDIDATES = 4, 20
"""Of so many formulas where ratios are 1 the surrogates are compared, and so many of those on all
trials, for the nearest.
"""

ROWS = 10
"""Draws of a block on which all references are tried first."""


def identify(update: Update, *, conforms_to: str = "") -> Identification:
    """Say which reference an update equals on every draw.

    Args:
        update: what is to be named.
        conforms_to: a key of `ALGORITHMS`: then `ok` says whether it is that one;
            `update.conforms_to` by default.

    Raises:
        BadInput: no such algorithm, or the update draws its own randomness.
        BadEstimator: the update can't be run, or isn't a function of its arguments.

    Examples:
        >>> from altpg_verify.audit import bandit, identify, update
        >>> @update(space=bandit([1, "1/2", 0]).group(3))
        ... def mine(rewards, scores):
        ...     return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)
        >>> len(identify(mine).names)
        3
    """
    wanted = conforms_to or update.conforms_to
    if wanted and wanted not in ALGORITHMS:
        raise BadInput(
            f"conforms_to={wanted!r} is not known;"
            f" {did_you_mean(wanted, sorted(ALGORITHMS)) or 'choose from'} {', '.join(ALGORITHMS)}"
        )
    refuse_random(update)
    refuse_continuous(update.space, "identified")
    moments(update)
    search = _Search(update)
    found = search.found(wanted)
    refuse_impure(update)
    return remade(found, unrun=unrun(update, search.tried))


class _Search:
    """All references against one update.

    On draws that are sampled from the policy itself all ratios are 1, so that advantages,
    aggregations and divergence terms are told apart there, and only for those that are left
    surrogates with all their numbers are tried.

    Attributes:
        tried: the trials.
        own: those that are sampled from the policy itself.
        close: relative difference up to which a reference agrees.
    """

    def __init__(self, update: Update) -> None:
        self.update, self.space = update, update.space
        self.numbers = numbers_of(update)
        self.tried = list(trials(update))
        self.own = [trial for trial in self.tried if trial.own]
        self.off = [trial for trial in self.tried if not trial.own]
        self.identifiable = identifiable_projection(self.space, self.tried[0].layout.groups)
        self._tellings: dict[int, list[Block]] = {}
        self.close = CLOSE

    def found(self, wanted: str) -> Identification:
        """What was found."""
        likeness, factor, equal = self._equal()
        equal = self._met(equal)
        named = [each for each in equal if names_of(each)]
        classes = distinct(named or equal, self.space)
        names = grouped_names(named, self.space)
        algorithm = ALGORITHMS[wanted] if wanted else None
        mine = [
            each for each in named if algorithm is not None and algorithm.name in names_of(each)
        ]
        # another algorithm is the same thing, or the space can't tell
        separated = len(
            distinct([*mine, *[each for each in named if each not in mine]], self.space)
        ) == len(distinct(mine, self.space))
        conforms = bool(mine) and likeness in (Likeness.EQUAL, Likeness.SHIFTED) and separated
        nearest, difference = "", None
        if not equal or (wanted and (not mine or likeness in (Likeness.MULTIPLE, Likeness.NEARLY))):
            closest = self._nearest(algorithm)
            if closest is not None:
                nearest, difference = with_names(closest), self._difference(closest)
        times = ""
        if likeness in (Likeness.EQUAL, Likeness.SHIFTED) and equal and not names:
            also, factor_of_it, multiples = self._multiples(published=True)
            published = grouped_names(
                [each for each in self._met(multiples) if names_of(each)], self.space
            )
            times = (
                f"{factor_of_it} times {listed(published)}"
                if also is Likeness.MULTIPLE and published and factor_of_it != "1"
                else ""
            )
        return seal(
            Identification(
                self.update.name,
                str(self.space),
                likeness,
                names,
                tuple(str(each) for each in (classes if not names else ())),
                factor,
                self._agreeing_at_home(equal) if likeness is not Likeness.MULTIPLE else (),
                nearest,
                difference,
                self._evidence(),
                tuple(self._blind(equal, classes)),
                "",
                "" if algorithm is None else algorithm.name,
                conforms,
                times,
            )
        )

    def _met(self, equal: list[Reference]) -> list[Reference]:
        """Without those that have a bound which no draw met: the same without that bound agrees,
        too.
        """
        if not self.off:
            return equal
        known = set(equal)

        def looser(reference: Recipe) -> Iterator[Recipe]:
            numbers = dict(reference.surrogate.numbers)
            if reference.surrogate.name == "dual clip":
                yield replace(
                    reference,
                    surrogate=Piece(
                        "surrogate", "clip", (("low", numbers["low"]), ("high", numbers["high"]))
                    ),
                )
            if reference.surrogate.name == "truncated weight":
                yield replace(reference, surrogate=Piece("surrogate", "ratio"))
                return
            for bound in ("low", "high"):
                if numbers.get(bound, FAR) != FAR:
                    yield replace(
                        reference,
                        surrogate=replace(
                            reference.surrogate, numbers=tuple({**numbers, bound: FAR}.items())
                        ),
                    )

        return [
            each
            for each in equal
            if not (isinstance(each, Recipe) and any(one in known for one in looser(each)))
        ]

    def _equal(self) -> tuple[Likeness, str, list[Reference]]:
        for likeness, identifiable, close in (
            (Likeness.EQUAL, None, CLOSE),
            (Likeness.SHIFTED, self.identifiable, CLOSE),
            (Likeness.NEARLY, None, SMALL),
        ):
            if identifiable is not None and np.allclose(identifiable, np.eye(len(identifiable))):
                continue
            self.close = close
            home = self._at_home if likeness is Likeness.EQUAL else None
            equal = self._sieve(partial(self._agrees, identifiable=identifiable), home)
            self.close = CLOSE
            if equal:
                return likeness, "", self._closest(equal) if likeness is Likeness.NEARLY else equal
        return self._multiples()

    def _closest(self, equal: list[Reference]) -> list[Reference]:
        """Of references that differ by less than an epsilon those with the smallest difference."""
        gaps = {each: self._distance(each, self.tried)[1] for each in equal}
        return [each for each in equal if gaps[each] <= 2 * min(gaps.values())]

    def _sieve(
        self,
        agrees: Callable[[Reference, Sequence[Trial]], bool],
        home: Sequence[Recipe] | None = None,
    ) -> list[Reference]:
        """The references that agree on all trials.

        Args:
            home: those of `_plain` that agree where the policy is sampled from itself, if that is
                known.
        """
        found: list[Reference] = [
            each for each in _on_logits(self.space) if agrees(each, self.tried)
        ]
        for base in (
            (each for each in self._plain if agrees(each, self.own)) if home is None else home
        ):
            # most are told apart where the policy isn't sampled from itself
            found += [
                each
                for each in self._expanded(base)
                if agrees(each, self.off) and (each == base or agrees(each, self.own))
            ]
        return found

    @cached_property
    def _at_home(self) -> list[Recipe]:
        """Those of `_plain` that are equal on every draw that is sampled from the policy itself."""
        left: Sequence[Recipe] = self._plain
        if self.own:
            block = self._telling(self.own[0])[0]
            left = may_agree(left, block, CLOSE, LEVEL * block.largest, self._vectors)
        return [each for each in left if self._agrees(each, self.own)]

    @cached_property
    def _plain(self) -> list[Recipe]:
        """One reference for each that is another where all ratios are 1."""
        readable = readable_names(self.update)

        def likely(table: Any, own: tuple[str, ...]) -> list[str]:
            return [
                name
                for name, each in table.items()
                if name in own or not each.reads or set(each.reads) & readable
            ]

        named = ALGORITHMS.values()
        advantages = likely(ADVANTAGES, tuple(name for each in named for name in each.advantages))
        divergences = likely(DIVERGENCES, ())
        surrogates = [
            "score",
            *(["sequence clip", "geometric mean"] if self.space.horizon > 1 else []),
        ]
        usual = replace(self.numbers, clips=((0.2, 0.2),), gates=USUAL.gates, reaches=USUAL.reaches)
        return [
            each
            for each in combined(advantages, surrogates, list(AGGREGATIONS), divergences, usual)
            if each.fits(self.space)
        ]

    def _expanded(self, base: Recipe) -> Iterator[Recipe]:
        """The references that are the same where all ratios are 1."""
        if base.advantage.name == base.divergence.name == "none":
            # nothing, whatever it is multiplied by
            yield base
            return
        if base.surrogate.name != "score":
            kinds = [base.surrogate.name]
        else:
            kinds = [
                name
                for name in SURROGATES
                if name != "geometric mean" and (name != "sequence clip" or self.space.horizon == 1)
            ]
            kinds += ["geometric mean"] if self.space.horizon == 1 else []
        numbers = self.numbers if self.off else USUAL
        for kind in kinds:
            yield from (replace(base, surrogate=each) for each in surrogates_of(kind, numbers))

    def _agrees(
        self,
        reference: Reference,
        trials: Sequence[Trial],
        identifiable: np.ndarray | None = None,
        factor: float = 1.0,
    ) -> bool:
        """On a few draws of each trial first, then on all."""
        for look in (self._telling, lambda trial: trial.blocks):
            for trial in trials:
                if not all(
                    bool(self._same(reference, block, identifiable, factor).all())
                    for block in look(trial)
                ):
                    return False
        return True

    def _telling(self, trial: Trial) -> list[Block]:
        key = id(trial)
        if key not in self._tellings:
            self._tellings[key] = [block.telling(ROWS) for block in trial.blocks[:8]]
        return self._tellings[key]

    def _same(
        self,
        reference: Reference,
        block: Block,
        identifiable: np.ndarray | None = None,
        factor: float = 1.0,
    ) -> np.ndarray:
        """(B,) on which draws they agree."""
        theirs = factor * self._vectors(reference, block)
        own = block.vectors
        if identifiable is not None:
            theirs, own = theirs @ identifiable, own @ identifiable
        sizes = np.maximum(np.abs(own).max(axis=1), np.abs(theirs).max(axis=1))
        level = block.draws.level & (np.abs(theirs).max(axis=1) == 0)
        return np.abs(own - theirs).max(axis=1) <= self.close * sizes + np.where(
            level, LEVEL * block.largest, NOTHING * block.largest
        )

    def _vectors(self, reference: Reference, block: Block) -> np.ndarray:
        with np.errstate(all="ignore"):
            found = reference.vectors(block.draws, block.scores, self.tried[0].layout, block.kept)
        return np.where(np.isnan(found), np.inf, found)

    def _multiples(self, *, published: bool = False) -> tuple[Likeness, str, list[Reference]]:
        """References of which the update is the same multiple on every draw."""
        factors: dict[Reference, dict[int, float]] = {}

        def agrees(reference: Reference, trials: Sequence[Trial]) -> bool:
            known = factors.setdefault(reference, {})
            for trial in trials:
                size = trial.update.space.size
                if size not in known:
                    factor = self._factor(reference, self._telling(trial))
                    if factor is None:
                        return False
                    known[size] = factor
                if not self._agrees(reference, [trial], None, known[size]):
                    return False
            return True

        equal = [each for each in self._sieve(agrees) if not published or names_of(each)]
        if not equal:
            return Likeness.NONE, "", []
        texts = {each: _factor_text(factors[each], self.space) for each in equal}
        # those of one factor only: the published first
        chosen = texts[min(equal, key=lambda each: (not names_of(each), len(texts[each])))]
        return Likeness.MULTIPLE, chosen, [each for each in equal if texts[each] == chosen]

    def _factor(self, reference: Reference, blocks: Sequence[Block]) -> float | None:
        own = np.concatenate([block.vectors.reshape(-1) for block in blocks])
        theirs = np.concatenate([self._vectors(reference, block).reshape(-1) for block in blocks])
        size = float(np.abs(theirs).max(initial=0.0))
        if not np.isfinite(size) or size == 0.0 or not np.abs(own).max(initial=0.0):
            return None
        unit = theirs / size
        return float(own @ unit / (unit @ unit)) / size

    def _agreeing_at_home(self, equal: Sequence[Reference]) -> tuple[str, ...]:
        """Published algorithms that agree on every draw that is sampled from the policy itself, and
        not on others.
        """
        if not self.own or not self.off:
            return ()
        known = {name for each in equal for name in names_of(each)}
        found = [
            name
            for base in self._at_home
            for each in self._expanded(base)
            for name in names_of(each)
            if name not in known
        ]
        return tuple(dict.fromkeys(found))

    def _nearest(self, algorithm: Algorithm | None) -> Reference | None:
        """The reference that agrees on most draws; among those, the one with the smallest
        difference; None if none makes sense there.

        Raises:
            BadInput: the algorithm that is asked for makes no sense on the space.
        """
        if algorithm is not None:
            usual = algorithm.references(replace(self.numbers, clips=USUAL.clips))
            pool: list[Reference] = [
                each for each in usual if each.fits(self.space) and algorithm.name in names_of(each)
            ]
            if not pool:
                raise BadInput(
                    f"{algorithm.name} makes no sense on {self.space}; choose a space with groups,"
                    " several steps or a reference policy"
                )
            return min(pool, key=lambda each: self._distance(each, self.tried[:4]))
        bases = sorted(
            self._plain,
            # where ratios are 1 surrogates aren't seen, so that a name says nothing
            key=lambda each: self._distance(each, (self.own or self.tried)[:2])[:2],
        )[:BASES]
        readable = readable_names(self.update)
        # what needs the sampled policy isn't near to an update that doesn't ask for it
        rest: list[Reference] = [
            each
            for base in bases
            for each in self._expanded(base)
            if set(each.surrogate.formula.reads) <= readable
        ]
        near = sorted(
            [*rest, *_on_logits(self.space)], key=lambda each: self._distance(each, self.tried[:4])
        )[:CANDIDATES]
        return min(near, key=lambda each: self._distance(each, self.tried), default=None)

    def _distance(self, reference: Reference, trials: Sequence[Trial]) -> tuple[float, float, bool]:
        """Share of draws that differ, size of the difference, whether it is unpublished."""
        wrong, gap, size, count = 0, 0.0, 0.0, 0
        for trial in trials:
            for block in self._telling(trial):
                theirs = self._vectors(reference, block)
                if not np.isfinite(theirs).all():
                    return 1.0, np.inf, True
                wrong += int((~self._same(reference, block)).sum())
                count += len(theirs)
                gap += float(((theirs - block.vectors) ** 2).sum())
                size += float((theirs**2).sum() + (block.vectors**2).sum())
        return wrong / count, gap / size if size else 0.0, not names_of(reference)

    def _difference(self, reference: Reference) -> Difference | None:
        first: tuple[Trial, Block, int] | None = None
        wrong = count = 0
        for trial in self.tried:
            for block in trial.blocks:
                same = self._same(reference, block)
                wrong, count = wrong + int((~same).sum()), count + len(same)
                if first is None and not same.all():
                    first = trial, block, int(np.flatnonzero(~same)[0])
        if first is None:
            return None
        trial, block, row = first
        draw = block.draws.draws.row(row)
        return Difference(
            trial.summary,
            _draw_in_words(draw),
            tuple(float(entry) for entry in block.vectors[row]),
            tuple(float(entry) for entry in self._vectors(reference, block)[row]),
            f"π = {'; '.join(say_vector(each) for each in trial.update.space.policy.table(trial.point))}",
            wrong / count,
        )

    def _evidence(self) -> str:
        draws = sum(len(block.vectors) for trial in self.tried for block in trial.blocks)
        own = sum(trial.own for trial in self.tried)
        off = [trial for trial in self.tried if not trial.own]
        text = (
            f"{draws:,} draws: {len(self.tried)} variations of policy, rewards, size and constants"
        )
        if off:
            low, high = min(trial.ratios[0] for trial in off), max(trial.ratios[1] for trial in off)
            text += (
                f", {own} sampled from the policy itself and {len(off)} from another, with ratios"
                f" from {low:.2g} to {high:.2g}"
            )
        else:
            text += ", all sampled from the policy itself"
        sizes = sorted({trial.update.space.size for trial in self.tried})
        if self.update.space.scheme != "one":
            text += f"; sizes {', '.join(map(str, sizes))}"
        lengths = sorted(set(self.update.space.arrays.lengths.tolist()))
        return (
            f"{text}; episodes of {', '.join(map(str, lengths))}"
            f" step{'s' if lengths != [1] else ''}; float64, to {CLOSE:g}"
        )

    def _blind(self, equal: Sequence[Reference], classes: Sequence[Reference]) -> Iterator[str]:
        if len(classes) > 1:
            yield (
                f"{len(classes)} formulas that differ elsewhere agree on every draw of this space: "
                + " | ".join(str(each) for each in classes[:4])
            )
        recipes = [each for each in distinct(equal[:200], self.space) if isinstance(each, Recipe)]
        for part in ("advantage", "surrogate", "aggregation", "divergence"):
            kinds = list(
                dict.fromkeys(str(getattr(each, part)) or "no divergence term" for each in recipes)
            )
            if len(kinds) > 1:
                yield (
                    f"{part}: {len(kinds)} give the same here:"
                    f" {'; '.join(kinds[:4])}{'; ...' if len(kinds) > 4 else ''}"
                )
        if self.update.space.horizon == 1:
            yield (
                "every episode has one step: nothing is seen of how tokens are added up; give"
                " episodes of different lengths"
            )
        elif len(set(self.update.space.arrays.lengths.tolist())) == 1:
            yield (
                "all episodes are equally long: nothing is seen of lengths; give episodes of"
                " different lengths"
            )
        if self.update.space.scheme == "one":
            yield "one episode a draw: nothing is seen of groups; try .group(3)"


def _on_logits(space: Space) -> list[Reference]:
    return [each for each in (OnLogits("neurd"), OnLogits("sampled neurd")) if each.fits(space)]


def _factor_text(sizes: dict[int, float], space: Space) -> str:
    """The factor; as a function of the size where several sizes were tried."""
    factor = sizes[space.size]
    near = fraction_near(factor)
    text = say(near if near is not None else factor)
    letter = "N" if space.scheme == "batch" else "G"
    for name, law in _OF_SIZE.items():
        if len(sizes) > 1 and all(
            abs(law(size) - each) <= CLOSE * abs(each) for size, each in sizes.items()
        ):
            return f"{text} = {name.replace('N', letter)}"
    if len(sizes) > 1 and max(sizes.values()) - min(sizes.values()) > CLOSE * abs(factor):
        return f"{text}, which changes with the size"
    return text


_OF_SIZE = {
    "N": lambda n: n,
    "1/N": lambda n: 1 / n,
    "(N-1)/N": lambda n: (n - 1) / n,
    "N/(N-1)": lambda n: n / (n - 1),
    "N-1": lambda n: n - 1,
    "1/(N-1)": lambda n: 1 / (n - 1),
    "-1": lambda n: -1,
}


def _draw_in_words(draw: Any) -> str:
    actions = [str(each) for each in np.array(draw["actions"]).tolist()]
    rewards = [say(each) for each in np.array(draw["rewards"], dtype=float).reshape(-1)]
    return f"actions {_listed(actions)}, rewards {_listed(rewards)}"


def _listed(entries: list[str]) -> str:
    """In brackets; of many the first only."""
    if len(entries) <= SHOWN:
        return f"[{', '.join(entries)}]"
    return f"[{', '.join(entries[: SHOWN // 2])}, ...] ({len(entries)})"
