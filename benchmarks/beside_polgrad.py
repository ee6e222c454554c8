"""Side by side with `polgrad.testing.assert_conforms`: its ten algorithms, and deviations planted
in them, under both tools.

    python -m benchmarks.beside_polgrad

Every loss is written out with polgrad's four arguments, as a trainer would; polgrad runs it on its
random batches, we run it in a trainer's place on every draw of a small token space, with the
advantages that the algorithm names. Needs torch and polgrad 0.2.1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from altpg_verify.audit import audit, identify, tokens, trainer_loss
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.references.identification import Likeness
from altpg_verify.errors import BadEstimator

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1)).group(2)
"""Rows of one or two tokens, two of one prompt in a batch."""

LONGEST = 2
"""What Dr. GRPO divides by."""


def ratio(logprobs: Any, old_logprobs: Any) -> Any:
    return torch.exp(logprobs - old_logprobs)


def clipped(ratios: Any, advantages: Any, low: float, high: float) -> Any:
    return torch.minimum(ratios * advantages, ratios.clamp(1 - low, 1 + high) * advantages)


def spread(advantages: Any, mask: Any) -> Any:
    return advantages[:, None] if advantages.dim() == 1 else advantages


def sequence_mean(values: Any, mask: Any) -> Any:
    return ((values * mask).sum(-1) / mask.sum(-1)).mean()


def token_mean(values: Any, mask: Any) -> Any:
    return (values * mask).sum() / mask.sum()


def sequence_ratio(logprobs: Any, old_logprobs: Any, mask: Any) -> Any:
    return torch.exp(
        ((logprobs - old_logprobs) * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)
    )


# --- the ten
# --------------------------------------------------------------------------------------------------


def ppo(logprobs, old_logprobs, advantages, response_mask):
    return -token_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def grpo(logprobs, old_logprobs, advantages, response_mask):
    return -sequence_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def grpo_tis(logprobs, old_logprobs, rollout_logprobs, advantages, response_mask):
    weight = torch.exp(old_logprobs - rollout_logprobs).clamp(max=2.0).detach()
    return -sequence_mean(
        weight
        * clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def dr_grpo(logprobs, old_logprobs, advantages, response_mask):
    values = clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2)
    return -((values * response_mask).sum(-1) / LONGEST).mean()


def dapo(logprobs, old_logprobs, advantages, response_mask):
    return -token_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.28),
        response_mask,
    )


def gspo(logprobs, old_logprobs, advantages, response_mask):
    ratios = sequence_ratio(logprobs, old_logprobs, response_mask)
    return -sequence_mean(
        clipped(ratios, spread(advantages, response_mask), 3e-4, 4e-4), response_mask
    )


def gspo_token(logprobs, old_logprobs, advantages, response_mask):
    held = sequence_ratio(logprobs, old_logprobs, response_mask).detach()
    ratios = held * torch.exp(logprobs - logprobs.detach())
    return -sequence_mean(
        clipped(ratios, spread(advantages, response_mask), 3e-4, 4e-4), response_mask
    )


def cispo(logprobs, old_logprobs, advantages, response_mask):
    weight = ratio(logprobs, old_logprobs).clamp(max=1.2).detach()
    return -token_mean(weight * spread(advantages, response_mask) * logprobs, response_mask)


def rloo(logprobs, old_logprobs, advantages, response_mask):
    return -(spread(advantages, response_mask) * logprobs * response_mask).sum(-1).mean()


def reinforce_pp(logprobs, old_logprobs, advantages, response_mask):
    return -sequence_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def whitened(token_rewards, response_mask):
    """REINFORCE++: returns to go, less their mean over the batch's tokens, over their standard
    deviation.
    """
    returns = (token_rewards * response_mask).flip(-1).cumsum(-1).flip(-1)
    count = response_mask.sum()
    mean = (returns * response_mask).sum() / count
    std = (((returns - mean) ** 2 * response_mask).sum() / count).sqrt()
    return (returns - mean) / (std + 1e-8) * response_mask


# --- what is planted
# --------------------------------------------------------------------------------------------------


def padding_in_the_mean(logprobs, old_logprobs, advantages, response_mask):
    values = clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2)
    return -(values * response_mask).mean(-1).mean()


def token_mean_for_sequence_mean(logprobs, old_logprobs, advantages, response_mask):
    return -token_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def lower_clip_of_both(logprobs, old_logprobs, advantages, response_mask):
    return -token_mean(
        clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2),
        response_mask,
    )


def larger_for_smaller(logprobs, old_logprobs, advantages, response_mask):
    ratios, weights = ratio(logprobs, old_logprobs), spread(advantages, response_mask)
    return -token_mean(
        torch.maximum(ratios * weights, ratios.clamp(0.8, 1.2) * weights), response_mask
    )


def weight_not_held(logprobs, old_logprobs, advantages, response_mask):
    weight = ratio(logprobs, old_logprobs).clamp(max=1.2)
    return -token_mean(weight * spread(advantages, response_mask) * logprobs, response_mask)


def summed_log_ratio(logprobs, old_logprobs, advantages, response_mask):
    ratios = torch.exp(((logprobs - old_logprobs) * response_mask).sum(-1, keepdim=True))
    return -sequence_mean(
        clipped(ratios, spread(advantages, response_mask), 3e-4, 4e-4), response_mask
    )


def epsilon_in_the_length(logprobs, old_logprobs, advantages, response_mask):
    values = clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2)
    return -(
        (values * response_mask).sum(-1) / (response_mask.to(values.dtype).sum(-1) + 1e-8)
    ).mean()


def cut_at_eight(logprobs, old_logprobs, advantages, response_mask):
    values = clipped(
        ratio(logprobs, old_logprobs).clamp(max=8.0), spread(advantages, response_mask), 0.2, 0.2
    )
    return -sequence_mean(values, response_mask)


def length_of_four_at_most(logprobs, old_logprobs, advantages, response_mask):
    values = clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2)
    return -((values * response_mask).sum(-1) / response_mask.sum(-1).clamp(max=4)).mean()


def divergence_the_wrong_way(logprobs, old_logprobs, ref_logprobs, advantages, response_mask):
    values = clipped(ratio(logprobs, old_logprobs), spread(advantages, response_mask), 0.2, 0.2)
    gap = ref_logprobs - logprobs
    return -sequence_mean(values + 0.04 * (torch.exp(gap) - gap - 1), response_mask)


@dataclass(frozen=True)
class Case:
    """A loss under both tools.

    Args:
        loss: with polgrad's arguments.
        reference: the algorithm that it is said to be, by polgrad's key, and ours.
        advantages: what a trainer gives it.
        planted: what is wrong with it; empty if nothing is.
        referred: it needs a reference policy.
    """

    loss: Callable[..., Any]
    reference: str
    advantages: Any
    planted: str = ""
    referred: bool = False


CASES = (
    Case(ppo, "ppo", "gae"),
    Case(grpo, "grpo", "grpo"),
    Case(grpo_tis, "grpo_tis", "grpo"),
    Case(dr_grpo, "dr_grpo", "dr_grpo"),
    Case(dapo, "dapo", "grpo"),
    Case(gspo, "gspo", "grpo"),
    Case(gspo_token, "gspo_token", "grpo"),
    Case(cispo, "cispo", "grpo"),
    Case(rloo, "rloo", "rloo"),
    Case(reinforce_pp, "reinforce_pp", whitened),
    Case(padding_in_the_mean, "grpo", "grpo", "padding counts in the mean over tokens"),
    Case(token_mean_for_sequence_mean, "grpo", "grpo", "a mean over all tokens"),
    Case(lower_clip_of_both, "dapo", "grpo", "clipped at 1.2, not 1.28"),
    Case(larger_for_smaller, "ppo", "gae", "max for min"),
    Case(weight_not_held, "cispo", "grpo", "the weight is differentiated"),
    Case(summed_log_ratio, "gspo", "grpo", "a sum of log-ratios, not their mean"),
    Case(epsilon_in_the_length, "grpo", "grpo", "length + 1e-8"),
    Case(cut_at_eight, "grpo", "grpo", "ratios cut at 8"),
    Case(length_of_four_at_most, "grpo", "grpo", "lengths cut at 4"),
    Case(divergence_the_wrong_way, "grpo", "grpo", "β KL with the wrong sign", referred=True),
    Case(rloo, "rloo", "dr_grpo", "the own reward in the baseline"),
    Case(grpo, "grpo", "dr_grpo", "no standard deviation"),
)
"""Polgrad's ten, and twelve planted deviations, of which the last three aren't in the loss that
polgrad is handed.
"""


@dataclass(frozen=True)
class Row:
    """What both tools say of a case.

    Args:
        case: which.
        polgrad: "conforms", "differs", or why it can't be asked.
        ours: "conforms", or what it is instead.
        audit: the kind, against the value.
    """

    case: Case
    polgrad: str
    ours: str
    audit: str


def theirs(case: Case) -> str:
    """What `assert_conforms` says."""
    from polgrad import registry
    from polgrad.testing import assert_conforms

    config = registry.get(case.reference).loss
    reference = replace(config, norm_len=LONGEST) if case.reference == "dr_grpo" else case.reference
    if case.referred:
        return "can't be asked: no ref_logprobs"
    try:
        assert_conforms(case.loss, reference)
    except AssertionError:
        return "differs"
    except (ValueError, TypeError) as error:
        return "refused: is_correction" if "is_correction" in str(error) else f"refused: {error}"
    return "conforms"


def ours(case: Case) -> tuple[str, str]:
    """What `identify` says, and the verdict of `audit`."""
    space = SPACE.against([["1/2", "1/2"]] * SPACE.states) if case.referred else SPACE
    made = trainer_loss(case.loss, space=space, advantages=case.advantages)
    verdict = audit(made, differentiate=True)
    said = str(verdict.kind) if verdict.kind is not Kind.SCALED else f"scaled: {verdict.scale}"
    try:
        found = identify(made, conforms_to=case.reference)
    except BadEstimator as error:
        return f"refused: {error}", said
    except Exception as error:
        return f"not in the registry ({type(error).__name__})", said
    if found.ok:
        return "conforms", said
    if found.difference is None:
        return f"can't tell it from {_short(found.names)}", said
    if found.names:
        nearly = ", up to an epsilon or float32" if found.likeness is Likeness.NEARLY else ""
        return f"differs: it is {_short(found.names)}{nearly}", said
    if found.times:
        return f"differs: {found.times.split(' (')[0]}", said
    return (
        "differs: "
        + (
            "a composition without a name"
            if found.formulas
            else f"nearest is {_short((found.nearest,))}"
        ),
        said,
    )


def _short(names: tuple[str, ...]) -> str:
    """Names without their formulas."""
    return ", ".join(name.split(" (")[0] for name in names)


def rows(cases: tuple[Case, ...] = CASES) -> list[Row]:
    """Both tools on every case."""
    return [Row(case, theirs(case), *ours(case)) for case in cases]


def table(found: list[Row]) -> str:
    """As it stands in the documentation."""
    lines = [
        "| loss | said to be | planted | polgrad | identify | audit |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{row.case.loss.__name__}` | {row.case.reference} | {row.case.planted} | {row.polgrad}"
        f" | {row.ours} | {row.audit} |"
        for row in found
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table(rows()))
