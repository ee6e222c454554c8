"""Language models in the small: every sequence of a few tokens, as a space.

    tokens(vocabulary=2, length=3, eos=0, reward=lambda tokens: tokens.count(1)).group(2)

A state is what the policy has read so far: the prompt and the row. Tokens that the policy didn't
write (a tool's answer, a user's turn) stand in the row with a mask of 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from altpg_verify.audit.declarations import (
    as_fraction,
    as_list,
    checked_chances,
    checked_outcomes,
    float_array,
    is_row,
    shown,
    whole,
)
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.mdps import MOST_EPISODES
from altpg_verify.audit.policies import ILLEGAL, FunctionPolicy, Parameters, Policy, TablePolicy
from altpg_verify.audit.spaces import Space, point_at
from altpg_verify.audit.token_rows import TokenRows
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.calling import calling

Context = tuple[int, ...]
"""Tokens that the policy has read: the prompt, then the row."""

TABLES = ("prefix", "position", "shared")
"""Which contexts have the same logits: none, those with as many of the policy's tokens, all."""


def tokens(
    *,
    reward: Callable[..., Any],
    vocabulary: int = 2,
    length: int = 2,
    eos: int | None = None,
    prompts: Sequence[Sequence[int]] = ((),),
    weights: Sequence[Any] | None = None,
    turns: Callable[[Context], Any] | None = None,
    legal: Callable[[Context], Sequence[bool]] | None = None,
    policy: str | Callable[[Parameters, tuple[Context, ...]], Any] = "prefix",
    parameters: Mapping[str, Any] | None = None,
    pi: Sequence[Any] | None = None,
    discount: Any = 1,
    padding: Literal["right", "left"] = "right",
    pad: int | None = None,
    prompt_in_row: bool = False,
    name: str = "tokens",
) -> Space:
    """Sequences of at most `length` tokens that a policy writes, each token a decision.

    Args:
        reward: of the row of tokens, `reward(tokens)`, or of both, `reward(prompt, tokens)`: a
            number, paid with the last token; a list with a number for each of the policy's tokens;
            or a list of (number, probability) pairs.
        vocabulary: how many tokens there are, 0 to vocabulary - 1.
        length: after so many of the policy's tokens a row is over.
        eos: the token after which a row is over earlier; none by default.
        prompts: tokens before the row, one sequence for each prompt.
        weights: how probable each prompt is; equally, by default.
        turns: what follows that isn't the policy's, as a function of the row so far, asked after
            each of the policy's tokens: tokens, or a list of (tokens, probability) pairs; () for
            nothing. After `eos` with something following, the next turn begins.
        legal: for a prompt and row, as one sequence, which tokens can be written; all by default.
        policy: "prefix": logits for every prompt and row; "position": for every number of tokens
            written; "shared": the same everywhere; or a numpy function (parameters, contexts) ->
            (contexts, vocabulary) logits, a network.
        parameters: what that function reads, by name.
        pi: (vocabulary,) the probabilities of the tokens at the point of the audit, exact and the
            same in every context; uniform by default. Not for a network.
        discount: γ from one of the policy's tokens to the next.
        padding: the side on which shorter rows are filled up.
        pad: the token that fills them up; `eos`, or 0, by default.
        prompt_in_row: whether rows begin with the prompt.
        name: what reports call the space.

    Raises:
        BadInput: something is no token, no number or no distribution, or there are more sequences
            than are enumerated.

    Examples:
        >>> from altpg_verify.audit import tokens
        >>> space = tokens(length=2, vocabulary=2, reward=lambda sequence: sum(sequence))
        >>> len(space.episodes)
        4
    """
    given = dict(locals())
    size = whole("vocabulary", vocabulary, 2)
    problem = _Problem(
        size,
        whole("length", length),
        None if eos is None else _token("eos", eos, size),
        tuple(
            tuple(_token("prompts", token, size) for token in as_list("prompts", prompt))
            for prompt in as_list("prompts", prompts)
        ),
        reward,
        turns,
        legal,
    )
    if not problem.prompts:
        raise BadInput(
            "prompts: there is none; give one sequence of tokens for each, () for an empty one"
        )
    if padding not in ("right", "left"):
        raise BadInput(f"padding: {shown(padding)} is not known; write 'right' or 'left'")
    count = len(problem.prompts)
    shares = (
        (Fraction(1, count),) * count
        if weights is None
        else checked_chances("weights", weights, positive=True)
    )
    if len(shares) != count:
        raise BadInput(
            f"weights: there are {len(shares)} chances for {count} prompts; give one for each"
        )
    for name_, function in (("reward", reward), ("turns", turns), ("legal", legal)):
        if function is not None and not callable(function):
            raise BadInput(f"{name_} must be a function of the tokens, not {shown(function)}")
    least = problem.least()
    if least * count > MOST_EPISODES:
        raise BadInput(
            f"there are at least {least * count:,} sequences, more than the {MOST_EPISODES:,} that"
            " are enumerated; shorten them"
        )
    found = [each for number, share in enumerate(shares) for each in problem.written(number, share)]
    filler = _token("pad", pad, size) if pad is not None else problem.eos or 0
    rows: list[list[tuple[int, int, int]]] = []
    for number, played, _ in found:
        before = (
            [
                (token, problem.before(number, i), -1)
                for i, token in enumerate(problem.prompts[number])
            ]
            if prompt_in_row
            else []
        )
        rows.append([*before, *played.columns])
    width = max(map(len, rows))
    # a row without padding needs no state after its end
    ends = [
        (filler, problem.state(n, played.row) if len(row) < width else 0)
        for row, (n, played, _) in zip(rows, found, strict=True)
    ]
    laid = TokenRows.laid_out(rows, ends, padding)
    episodes = tuple(
        (
            Episode(played.chance, tuple(played.states), tuple(played.taken), paid)
            if isinstance(paid, tuple)
            else Episode(
                played.chance,
                tuple(played.states),
                tuple(played.taken),
                (Fraction(0),) * (len(played.taken) - 1) + (paid,),
            )
        )
        for _, played, paid in found
    )
    made, point = _policy(problem, policy, parameters, pi)
    longer = partial(_of_length, given) if isinstance(policy, str) else None
    return Space(
        name,
        episodes,
        made,
        discount=as_fraction("discount", discount),
        rows=laid,
        longer=longer,
        **point,
    )


def _of_length(given: Mapping[str, Any], length: int) -> Space:
    return tokens(**{**given, "length": length})


def _token(name: str, token: Any, vocabulary: int) -> int:
    found = whole(name, token, 0)
    if found >= vocabulary:
        raise BadInput(
            f"{name}: there is no token {found}; the vocabulary has 0 to {vocabulary - 1}"
        )
    return found


@dataclass(frozen=True)
class _Played:
    """A row as far as it is written: its tokens, (token, state, step) columns, the policy's states
    and tokens, and its chance.
    """

    chance: Fraction
    row: Context = ()
    columns: tuple[tuple[int, int, int], ...] = ()
    states: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()


@dataclass
class _Problem:
    """What can be written, and the numbers of the states in the order in which they are met."""

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

    def written(self, prompt: int, share: Fraction) -> Iterator[tuple[int, _Played, Any]]:
        """(prompt, row, what is paid) of everything that can be written after a prompt."""
        waiting, count = [_Played(share)], 0
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

    def _turned(
        self, prompt: int, played: _Played, following: Context, chance: Fraction
    ) -> _Played:
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
        return tuple(_token("turns", token, self.vocabulary) for token in as_list("turns", given))

    def _paid(self, prompt: int, played: _Played) -> list[tuple[Any, Fraction]]:
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


def _policy(
    problem: _Problem, policy: Any, parameters: Any, pi: Any
) -> tuple[Policy, dict[str, Any]]:
    """The policy over the problem's contexts, and its point."""
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


def _table(problem: _Problem, kind: str, pi: Any) -> tuple[TablePolicy, dict[str, Any]]:
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
