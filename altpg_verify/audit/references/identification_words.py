"""An identification in words: on what it rests, what its space is blind to, and the factor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from altpg_verify.audit.numbers import fraction_near, say
from altpg_verify.audit.references.comparison import CLOSE
from altpg_verify.audit.references.equivalence import distinct
from altpg_verify.audit.references.recipes import Recipe, Reference
from altpg_verify.audit.references.trials import Trial
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update


def evidence(update: Update, tried: Sequence[Trial]) -> str:
    """On what an identification rests."""
    draws = sum(len(block.vectors) for trial in tried for block in trial.blocks)
    own = sum(trial.own for trial in tried)
    off = [trial for trial in tried if not trial.own]
    text = f"{draws:,} draws: {len(tried)} variations of policy, rewards, size and constants"
    if off:
        low, high = min(trial.ratios[0] for trial in off), max(trial.ratios[1] for trial in off)
        text += (
            f", {own} sampled from the policy itself and {len(off)} from another, with ratios"
            f" from {low:.2g} to {high:.2g}"
        )
    else:
        text += ", all sampled from the policy itself"
    sizes = sorted({trial.update.space.size for trial in tried})
    if update.space.scheme != "one":
        text += f"; sizes {', '.join(map(str, sizes))}"
    lengths = sorted(set(update.space.arrays.lengths.tolist()))
    return (
        f"{text}; episodes of {', '.join(map(str, lengths))}"
        f" step{'s' if lengths != [1] else ''}; float64, to {CLOSE:g}"
    )


def blind(
    update: Update, equal: Sequence[Reference], classes: Sequence[Reference]
) -> Iterator[str]:
    """What the space doesn't tell apart, one sentence each."""
    if len(classes) > 1:
        yield (
            f"{len(classes)} formulas that differ elsewhere agree on every draw of this space: "
            + " | ".join(str(each) for each in classes[:4])
        )
    recipes = [each for each in distinct(equal[:200], update.space) if isinstance(each, Recipe)]
    for part in ("advantage", "surrogate", "aggregation", "divergence"):
        kinds = list(
            dict.fromkeys(str(getattr(each, part)) or "no divergence term" for each in recipes)
        )
        if len(kinds) > 1:
            yield (
                f"{part}: {len(kinds)} give the same here:"
                f" {'; '.join(kinds[:4])}{'; ...' if len(kinds) > 4 else ''}"
            )
    if update.space.horizon == 1:
        yield (
            "every episode has one step: nothing is seen of how tokens are added up; give"
            " episodes of different lengths"
        )
    elif len(set(update.space.arrays.lengths.tolist())) == 1:
        yield (
            "all episodes are equally long: nothing is seen of lengths; give episodes of"
            " different lengths"
        )
    if update.space.scheme == "one":
        yield "one episode a draw: nothing is seen of groups; try .group(3)"


def factor_text(sizes: dict[int, float], space: Space) -> str:
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
