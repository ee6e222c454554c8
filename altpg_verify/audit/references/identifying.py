"""Which reference an update equals: the same update on every draw of every trial, not merely in
expectation.

"Equals" is said of every draw that was enumerated, with the policies, behaviours, rewards and sizes
that were tried; and where several references agree on all of them though they differ elsewhere, all
are named: the space can't tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from altpg_verify.audit.continuous import refuse_continuous
from altpg_verify.audit.expected_update import identifiable_projection, moments, refuse_random
from altpg_verify.audit.purity import refuse_impure
from altpg_verify.audit.references.algorithms import ALGORITHMS, USUAL, Algorithm
from altpg_verify.audit.references.candidates import Candidates, met
from altpg_verify.audit.references.comparison import CLOSE, LEVEL, Comparison
from altpg_verify.audit.references.equivalence import distinct, grouped_names, names_of, with_names
from altpg_verify.audit.references.identification import SMALL, Identification, Likeness, listed
from altpg_verify.audit.references.identification_words import blind, evidence, factor_text
from altpg_verify.audit.references.loss_numbers import readable_names
from altpg_verify.audit.references.penalties import may_agree
from altpg_verify.audit.references.recipes import Recipe, Reference
from altpg_verify.audit.references.trials import Trial, unrun
from altpg_verify.audit.references.variations import trials
from altpg_verify.audit.suggestions import did_you_mean
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadInput
from altpg_verify.sealing import remade, seal

BASES, CANDIDATES = 4, 20
"""Of so many formulas where ratios are 1 the surrogates are compared, and so many of those on all
trials, for the nearest.
"""


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
        own, off: those that are sampled from the policy itself, and the others.
        comparison: one reference against the update.
        candidates: which references there are.
    """

    def __init__(self, update: Update) -> None:
        self.update, self.space = update, update.space
        self.tried = list(trials(update))
        self.own = [trial for trial in self.tried if trial.own]
        self.off = [trial for trial in self.tried if not trial.own]
        self.comparison = Comparison(self.tried)
        self.candidates = Candidates(update, ratios=bool(self.off))
        self.identifiable = identifiable_projection(self.space, self.tried[0].layout.groups)

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
                nearest, difference = with_names(closest), self.comparison.difference(closest)
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
                evidence(self.update, self.tried),
                tuple(blind(self.update, equal, classes)),
                "",
                "" if algorithm is None else algorithm.name,
                conforms,
                times,
            )
        )

    def _met(self, equal: list[Reference]) -> list[Reference]:
        """Without those that have a bound which no draw met."""
        return met(equal) if self.off else equal

    def _equal(self) -> tuple[Likeness, str, list[Reference]]:
        for likeness, identifiable, close in (
            (Likeness.EQUAL, None, CLOSE),
            (Likeness.SHIFTED, self.identifiable, CLOSE),
            (Likeness.NEARLY, None, SMALL),
        ):
            if identifiable is not None and np.allclose(identifiable, np.eye(len(identifiable))):
                continue
            self.comparison.close = close
            home = self._at_home if likeness is Likeness.EQUAL else None
            equal = self._sieve(partial(self.comparison.agrees, identifiable=identifiable), home)
            self.comparison.close = CLOSE
            if equal:
                return likeness, "", self._closest(equal) if likeness is Likeness.NEARLY else equal
        return self._multiples()

    def _closest(self, equal: list[Reference]) -> list[Reference]:
        """Of references that differ by less than an epsilon those with the smallest difference."""
        gaps = {each: self.comparison.distance(each, self.tried)[1] for each in equal}
        return [each for each in equal if gaps[each] <= 2 * min(gaps.values())]

    def _sieve(
        self,
        agrees: Callable[[Reference, Sequence[Trial]], bool],
        home: Sequence[Recipe] | None = None,
    ) -> list[Reference]:
        """The references that agree on all trials.

        Args:
            home: those of `candidates.plain` that agree where the policy is sampled from itself, if that is
                known.
        """
        found: list[Reference] = [
            each for each in self.candidates.on_logits if agrees(each, self.tried)
        ]
        for base in (
            (each for each in self.candidates.plain if agrees(each, self.own))
            if home is None
            else home
        ):
            # most are told apart where the policy isn't sampled from itself
            found += [
                each
                for each in self.candidates.expanded(base)
                if agrees(each, self.off) and (each == base or agrees(each, self.own))
            ]
        return found

    @cached_property
    def _at_home(self) -> list[Recipe]:
        """Those of `candidates.plain` that are equal on every draw that is sampled from the policy itself."""
        left: Sequence[Recipe] = self.candidates.plain
        if self.own:
            block = self.comparison.telling(self.own[0])[0]
            left = may_agree(left, block, CLOSE, LEVEL * block.largest, self.comparison.vectors)
        return [each for each in left if self.comparison.agrees(each, self.own)]

    def _multiples(self, *, published: bool = False) -> tuple[Likeness, str, list[Reference]]:
        """References of which the update is the same multiple on every draw."""
        factors: dict[Reference, dict[int, float]] = {}

        def agrees(reference: Reference, trials: Sequence[Trial]) -> bool:
            known = factors.setdefault(reference, {})
            for trial in trials:
                size = trial.update.space.size
                if size not in known:
                    factor = self.comparison.factor(reference, self.comparison.telling(trial))
                    if factor is None:
                        return False
                    known[size] = factor
                if not self.comparison.agrees(reference, [trial], None, known[size]):
                    return False
            return True

        equal = [each for each in self._sieve(agrees) if not published or names_of(each)]
        if not equal:
            return Likeness.NONE, "", []
        texts = {each: factor_text(factors[each], self.space) for each in equal}
        # those of one factor only: the published first
        chosen = texts[min(equal, key=lambda each: (not names_of(each), len(texts[each])))]
        return Likeness.MULTIPLE, chosen, [each for each in equal if texts[each] == chosen]

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
            for each in self.candidates.expanded(base)
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
            usual = algorithm.references(replace(self.candidates.numbers, clips=USUAL.clips))
            pool: list[Reference] = [
                each for each in usual if each.fits(self.space) and algorithm.name in names_of(each)
            ]
            if not pool:
                raise BadInput(
                    f"{algorithm.name} makes no sense on {self.space}; choose a space with groups,"
                    " several steps or a reference policy"
                )
            return min(pool, key=lambda each: self.comparison.distance(each, self.tried[:4]))
        bases = sorted(
            self.candidates.plain,
            # where ratios are 1 surrogates aren't seen, so that a name says nothing
            key=lambda each: self.comparison.distance(each, (self.own or self.tried)[:2])[:2],
        )[:BASES]
        readable = readable_names(self.update)
        # what needs the sampled policy isn't near to an update that doesn't ask for it
        rest: list[Reference] = [
            each
            for base in bases
            for each in self.candidates.expanded(base)
            if set(each.surrogate.formula.reads) <= readable
        ]
        near = sorted(
            [*rest, *self.candidates.on_logits],
            key=lambda each: self.comparison.distance(each, self.tried[:4]),
        )[:CANDIDATES]
        return min(near, key=lambda each: self.comparison.distance(each, self.tried), default=None)
