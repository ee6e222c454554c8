"""Every sequence of a few tokens that can be written after a prompt, with what is paid for it, and the
contexts in which the policy decides.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from altpg_verify.audit.declarations import (
    as_fraction,
    as_list,
    checked_chances,
    checked_outcomes,
    is_row,
    shown,
    whole,
)
from altpg_verify.audit.mdps import MOST_EPISODES
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.calling import calling

Context = tuple[int, ...]
"""Tokens that the policy has read: the prompt, then the row."""


def token_of(name: str, token: Any, vocabulary: int) -> int:
    """A token, checked. Args: name: what a message calls it.

    Raises:
        BadInput: the vocabulary has no such token.
    """
    found = whole(name, token, 0)
    if found >= vocabulary:
        raise BadInput(
            f"{name}: there is no token {found}; the vocabulary has 0 to {vocabulary - 1}"
        )
    return found


@dataclass(frozen=True)
class Played:
    """A row as far as it is written.

    Args:
        chance: the probability of what isn't the policy's.
        row: its tokens.
        columns: (token, state, step) of each; a step of -1 where the policy didn't write it.
        states, taken: where the policy decided, and its tokens.
    """

    chance: Fraction
    row: Context = ()
    columns: tuple[tuple[int, int, int], ...] = ()
    states: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()


@dataclass
class Problem:
    """What can be written, and the numbers of the states in the order in which they are met.

    Args:
        vocabulary, length, eos, prompts, reward, turns, legal: as for `token_spaces.tokens`.
        states: the number of each context met so far, by prompt and row.
        contexts: (tokens, how many of them the policy wrote, whether it decides there) of each.
    """

    vocabulary: int
    length: int
    eos: int | None
    prompts: tuple[Context, ...]
    reward: Callable[..., Any]
    turns: Callable[[Context], Any] | None
    legal: Callable[[Context], Sequence[bool]] | None
    states: dict[Hashable, int] = field(default_factory=dict)
    contexts: list[tuple[Context, int, bool]] = field(default_factory=list)

    def state(self, prompt: int, row: Context, written: int | None = None) -> int:
        """The number of a context; `written`, how many tokens the policy has put there, where it
        decides on the next.
        """
        key = (prompt, row)
        if key not in self.states:
            self.states[key] = len(self.contexts)
            self.contexts.append(((*self.prompts[prompt], *row), 0, False))
        if written is not None:
            self.contexts[self.states[key]] = ((*self.prompts[prompt], *row), written, True)
        return self.states[key]

    def before(self, prompt: int, count: int) -> int:
        """The number of the context of a prompt's first tokens."""
        key = ("prompt", self.prompts[prompt][:count])
        if key not in self.states:
            self.states[key] = len(self.contexts)
            self.contexts.append((self.prompts[prompt][:count], 0, False))
        return self.states[key]

    def least(self) -> int:
        """How many sequences each prompt has at least."""
        if self.legal is not None:
            return 1
        kept = self.vocabulary - (self.eos is not None)
        return int(kept ** min(self.length, 64))

    def written(self, prompt: int, share: Fraction) -> Iterator[tuple[int, Played, Any]]:
        """(prompt, row, what is paid) of everything that can be written after a prompt.

        Raises:
            BadInput: there are more sequences than are enumerated, or what a function of the user's
                returns can't be used.
        """
        waiting, count = [Played(share)], 0
        while waiting:
            played = waiting.pop()
            here = self.state(prompt, played.row, len(played.taken))
            for token in self._allowed(prompt, played.row):
                step = len(played.taken)
                longer = replace(
                    played,
                    row=(*played.row, token),
                    columns=(*played.columns, (token, here, step)),
                    states=(*played.states, here),
                    taken=(*played.taken, token),
                )
                for following, chance in self._following(longer.row):
                    there = self._turned(prompt, longer, following, chance)
                    if len(there.taken) < self.length and (following or token != self.eos):
                        waiting.append(there)
                        continue
                    for paid, odds in self._paid(prompt, there):
                        count += 1
                        if count > MOST_EPISODES:
                            raise BadInput(
                                f"there are more than {MOST_EPISODES:,} sequences; shorten the"
                                " length or the vocabulary"
                            )
                        yield prompt, replace(there, chance=there.chance * odds), paid

    def _turned(self, prompt: int, played: Played, following: Context, chance: Fraction) -> Played:
        row, columns = played.row, list(played.columns)
        for token in following:
            columns.append((token, self.state(prompt, row), -1))
            row = (*row, token)
        return replace(played, chance=played.chance * chance, row=row, columns=tuple(columns))

    def _allowed(self, prompt: int, row: Context) -> list[int]:
        if self.legal is None:
            return list(range(self.vocabulary))
        with calling("legal"):
            given = list(self.legal((*self.prompts[prompt], *row)))
        if len(given) != self.vocabulary or not any(given):
            raise BadInput(
                f"legal: {shown(given)} isn't a truth value for each of {self.vocabulary} tokens,"
                " one at least true"
            )
        return [token for token, can in enumerate(given) if can]

    def _following(self, row: Context) -> list[tuple[Context, Fraction]]:
        if self.turns is None:
            return [((), Fraction(1))]
        with calling("turns"):
            given: Any = self.turns(row)
        entries = as_list("turns", given if given is not None else ())
        if any(is_row(entry) for entry in entries):
            return [
                (self._tokens(outcome[0]), checked)
                for outcome, checked in zip(entries, _chances("turns", entries), strict=True)
            ]
        return [(self._tokens(entries), Fraction(1))]

    def _tokens(self, given: Any) -> Context:
        return tuple(token_of("turns", token, self.vocabulary) for token in as_list("turns", given))

    def _paid(self, prompt: int, played: Played) -> list[tuple[Any, Fraction]]:
        with calling("reward"):
            given = (
                self.reward(self.prompts[prompt], played.row)
                if _takes_two(self.reward)
                else self.reward(played.row)
            )
        if not is_row(given):
            return [(as_fraction("reward", given), Fraction(1))]
        entries = list(given)
        if entries and all(is_row(entry) for entry in entries):
            return [
                (as_fraction("reward", value), chance)
                for value, chance in checked_outcomes("reward", entries)
            ]
        if len(entries) != len(played.taken):
            raise BadInput(
                f"reward: {len(entries)} numbers for {len(played.taken)} of the policy's tokens in"
                f" {played.row}; give one for each"
            )
        return [(tuple(as_fraction("reward", entry) for entry in entries), Fraction(1))]


def _chances(name: str, entries: Sequence[Any]) -> tuple[Fraction, ...]:
    if any(not is_row(entry) or len(entry) != 2 for entry in entries):
        raise BadInput(
            f"{name}: {shown(entries)} is neither tokens nor a list of (tokens, probability) pairs"
        )
    return checked_chances(name, [entry[1] for entry in entries], positive=True)


def _takes_two(reward: Callable[..., Any]) -> bool:
    try:
        asked = inspect.signature(reward).parameters.values()
    except (TypeError, ValueError):
        return False
    return (
        sum(
            each.default is each.empty
            and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
            for each in asked
        )
        >= 2
    )
