"""The losses of the TRL that is installed, by the names of the registry: the trainer's own advantages
and `_compute_loss`, handed the log-probabilities of another old policy, so that its clip acts.

pytest -m slow tests/audit/libraries/test_trl_names.py
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import from_torch, identify
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.references.identification import Likeness

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")
pytest.importorskip("trl")

from altpg_verify.audit.libraries.trl_losses import _trainer_class  # noqa: E402

SPACE = stop_or_go().sampled_by([["1/3", "2/3"]] * stop_or_go().states).group(2)
LONGEST = 2


def loss_of(**options):
    trainer = _trainer_class("GRPO")({"max_completion_length": LONGEST, **options}, 2)

    def loss(theta, actions, rewards, mask, old_logprobs):
        table = torch.stack([torch.zeros_like(theta), theta], -1).log_softmax(-1)
        rows = [
            row[: int(length)]
            for row, length in zip(actions.tolist(), mask.sum(-1).tolist(), strict=True)
        ]
        trainer._table, trainer._reference = table, None
        trainer._completions, trainer._returns = rows, rewards.sum(-1)
        trainer.num_generations = trainer.num_generations_eval = len(rows)
        batch = trainer._generate_and_score_completions([{"prompt": ""}] * len(rows))
        batch["old_per_token_logps"] = old_logprobs[:, : batch["completion_ids"].shape[1]]
        return trainer._compute_loss(trainer.model, batch)

    return from_torch(loss, space=SPACE, name="GRPO")


def names(found):
    return [each.split(" (")[0].split(" = ")[0] for each in found.names]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"loss_type": "grpo"}, "GRPO"),
        ({"loss_type": "dapo"}, "DAPO"),
        ({"loss_type": "dr_grpo", "scale_rewards": "none"}, "Dr. GRPO"),
        # one group a batch: its tokens are those of the batch
        ({"loss_type": "bnpo"}, "DAPO"),
        # the bound of the ratio itself, not what is added to 1
        ({"loss_type": "cispo", "epsilon_high": 1.28}, "CISPO"),
        ({"loss_type": "sapo"}, "SAPO"),
        ({"loss_type": "grpo", "importance_sampling_level": "sequence"}, "GSPO"),
    ],
)
def test_installed_losses_have_their_names(options, name):
    found = identify(loss_of(**options))
    assert names(found) == [name]
    # an epsilon and float32 are all that may be between them
    assert found.likeness in (Likeness.EQUAL, Likeness.NEARLY)


@pytest.mark.parametrize(
    "options",
    [
        {"loss_type": "grpo", "scale_rewards": "none"},
        {"loss_type": "dr_grpo"},
        # with 0.2 the ratio itself is cut at 0.2
        {"loss_type": "cispo"},
    ],
)
def test_other_settings_do_not_have_them(options):
    assert names(identify(loss_of(**options))) == []
