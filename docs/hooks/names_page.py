"""Every name that an update may ask for, as a page: the words are the code's own table, the shapes
those of real draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def spaces() -> Mapping[str, Any]:
    """Heading of a column -> a space whose draws have that form; three actions, two prompts or
    states.
    """
    from altpg_verify.audit import bandit, contexts, mdp

    uniform = [["1/3", "1/3", "1/3"]] * 2
    prompts = contexts([[1, 0, 0], [0, 1, 0]]).against(uniform)
    step, over = [0, 1], [1, 0]
    episodes = mdp(
        [[step, step, over], [over, over, over]],
        [[0, 0, 1], [0, 1, 2]],
        ["1", "0"],
        horizon=2,
        at_limit="ends",
    )
    arms = bandit([1, "1/2", 0]).against(uniform[0])
    return {
        "one step": arms,
        "batch of 5": arms.batch(5),
        "group of 4": prompts.group(4),
        "4 for each of 2 prompts": prompts.group(4, every_start=True),
        "one episode": episodes.against(uniform),
        "batch of 5 episodes": episodes.against(uniform).batch(5),
    }


def shape(space: Any, name: str) -> str:
    """The shape that the space's first draw has under the name: `number`, `(5, 3)`; empty if it
    isn't there.
    """
    import numpy as np

    from altpg_verify.audit.draws import Draws
    from altpg_verify.audit.policy_quantities import Tables
    from altpg_verify.errors import BadInput

    longest = max(range(len(space.episodes)), key=lambda index: len(space.episodes[index]))
    size = space.size * (len(space.starts) if space.scheme == "groups" else 1)
    try:
        found = Draws(Tables.at(space, space.parameters), np.full((1, size), longest)).row(0)[name]
    except BadInput:
        return ""
    return "number" if np.ndim(found) == 0 else str(np.shape(found))


def page() -> str:
    """The page."""
    from altpg_verify.audit import games, gaussian_actions, gumbel_categories
    from altpg_verify.audit.draw_names import ALIASES, DRAWN, GIVEN
    from altpg_verify.audit.suggestions import SYNONYMS

    columns = spaces()
    head = f"| name | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}\n"

    def table(names: Mapping[str, str]) -> str:
        rows = (
            f"| `{name}` |"
            f" {' | '.join(shape(space, name) or '–' for space in columns.values())} |\n"
            for name in names
        )
        return head + "".join(rows)

    def words(names: Mapping[str, str]) -> str:
        return "".join(
            f"| `{name}` | {summary.replace('|', chr(92) + '|')} |\n"
            for name, summary in names.items()
        )

    aliases = ", ".join(f"`{other}` for `{name}`" for other, name in ALIASES.items())
    elsewhere = "".join(
        f"| `{name}` | {', '.join(f'`{each}`' for each in meant)} |\n"
        for name, meant in SYNONYMS.items()
    )
    return (
        "# Names an update may ask for\n\nThe arguments of an update, a loss or an estimator's"
        " formula are filled in by name. This page is made from the table that the code looks them"
        " up in; shapes are those of real draws with 3 actions, and with 2 prompts, or 2 states"
        " and up to 2 steps. A torch or JAX loss gets tensors of the same shapes in float64,"
        " integers as int64.\n\n## What depends on the draw\n\n| name | what |\n| --- | ---"
        f" |\n{words(DRAWN)}\n### Shapes\n\n{table(DRAWN)}\n## What depends on the policy or the"
        f" space only\n\n| name | what |\n| --- | --- |\n{words(GIVEN)}\n###"
        f" Shapes\n\n{table(GIVEN)}\n## Where actions are numbers, noise is Gumbel's, or agents are"
        " several\n\nIn place of, or beside, what is above; see [Continuous"
        " actions](../how-to/continuous-actions.md),"
        " [Straight-through](../how-to/straight-through.md) and [Several"
        " agents](../how-to/several-agents.md).\n\n| `gaussian` | what |\n| --- | ---"
        f" |\n{words(gaussian_actions.NAMES)}\n| `gumbel` | what |\n| --- | ---"
        f" |\n{words(gumbel_categories.NAMES)}\n| `game` | what |\n| --- | ---"
        f" |\n{words(games.NAMES)}\n## Parameters and constants\n\nGroups of parameters are there"
        f" under their own names, such as `theta` with the policy's logits. Other names: {aliases}."
        " What `space.having(b=4, eps=0.2)` or `space.training(w=...)` adds is there under the"
        " name given. A numpy function may ask for `rng` and for the names of its declared"
        " `choices`, see [Randomness](../how-to/randomness.md).\n\n## What others call them\n\nA"
        " name that isn't there is refused, and the message says which may have been meant.\n\n|"
        f" elsewhere | here |\n| --- | --- |\n{elsewhere}"
    )
