"""Language models in the small: every sequence of a few tokens, as a space.

    tokens(vocabulary=2, length=3, eos=0, reward=lambda tokens: tokens.count(1)).group(2)

A state is what the policy has read so far: the prompt and the row. Tokens that the policy didn't
write (a tool's answer, a user's turn) stand in the row with a mask of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from altpg_verify.audit.declarations import as_fraction, as_list, checked_chances, shown, whole
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.mdps import MOST_EPISODES
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.token_policies import policy_over
from altpg_verify.audit.token_rows import TokenRows
from altpg_verify.audit.token_sequences import Context, Problem, token_of
from altpg_verify.errors import BadInput


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
    problem = Problem(
        size,
        whole("length", length),
        None if eos is None else token_of("eos", eos, size),
        tuple(
            tuple(token_of("prompts", token, size) for token in as_list("prompts", prompt))
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
    filler = token_of("pad", pad, size) if pad is not None else problem.eos or 0
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
    made, point = policy_over(problem, policy, parameters, pi)
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
