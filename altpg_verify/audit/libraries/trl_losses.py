"""TRL: the advantage and loss code of `GRPOTrainer` and `RLOOTrainer`.

What stands in for the rest of the trainer: generation gives the draw's completions, the reward
function gives its returns, and the language model is a table of logits with a row for each
position. From there on the trainer's own `_generate_and_score_completions` and `_compute_loss` run,
under the defaults of its configuration but for what `setting` says.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from altpg_verify.audit.environments import bandit
from altpg_verify.audit.fixtures import stop_or_go, three_arms, three_arms_with_reference, two_arms
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.objectives import kl_to_reference, value
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.torch_updates import from_torch
from altpg_verify.audit.updates import Update

_trl = partial(LibraryAudit, package="trl", version="1.16.0")


@cache
def _trainer_class(kind: str) -> Any:
    """The trainer with its surroundings replaced; everything else is inherited."""
    import torch
    import trl

    base: Any = getattr(trl, f"{kind}Trainer")

    class Trainer(base):
        def __init__(self, options: dict[str, Any], group: int) -> None:
            required = {
                "output_dir": "unused",
                "bf16": False,
                "use_cpu": True,
                "report_to": [],
                "per_device_train_batch_size": group,
            }
            self.args = getattr(trl, f"{kind}Config")(num_generations=group, **required, **options)
            for name in vars(self.args):
                if not hasattr(type(self), name):
                    setattr(self, name, getattr(self.args, name))
            self.epsilon_low = self.args.epsilon
            self.epsilon_high = (
                self.args.epsilon if self.args.epsilon_high is None else self.args.epsilon_high
            )
            self.num_generations_eval = group
            self.accelerator = SimpleNamespace(
                device=torch.device("cpu"),
                process_index=0,
                num_processes=1,
                sync_gradients=True,
                gather=lambda values: values,
                gather_for_metrics=lambda values: values,
                reduce=lambda values, reduction: values,
            )
            self.model, self.ref_model = (
                SimpleNamespace(training=True, is_gradient_checkpointing=False),
                "reference",
            )
            self._tokenizer = SimpleNamespace(pad_token_id=0)
            self.reward_weights, self.reward_funcs, self.reward_func_names = (
                torch.ones(1),
                [None],
                ["reward"],
            )
            self.environment_factories = self.environments = self.tools = (
                self.pad_to_multiple_of
            ) = None
            self.aux_loss_enabled = self._entropy_bonus_enabled = self.log_multimodal = False
            self.current_gradient_accumulation_steps, self._step, self.num_iterations = 1, 0, 1
            self._metrics: Any = {"train": defaultdict(list)}
            self._logs = _logs()
            self._pending_extra_logs: dict[str, Any] = {}
            self._pending_metrics: dict[str, Any] = {}

        def loss_of(
            self, table: Any, reference: Any, completions: list[list[int]], returns: Any
        ) -> Any:
            """The loss of one group: (positions, tokens) log-probabilities, the completions and
            their returns.
            """
            self._table, self._reference, self._completions, self._returns = (
                table,
                reference,
                completions,
                returns,
            )
            batch = self._generate_and_score_completions([{"prompt": ""}] * len(completions))
            self._metrics["train"].clear()
            self._logs = _logs()
            return self._compute_loss(self.model, batch)

        def _generate(self, prompts: Any) -> Any:
            found = [[0]] * len(prompts), self._completions
            return (
                (*found, self._completions)
                if kind == "RLOO"
                else (*found, None, self._completions, None, {}, None, None)
            )

        def _calculate_rewards(self, inputs: Any, *others: Any) -> Any:
            return self._returns[:, None]

        def _get_per_token_logps_and_entropies(
            self,
            model: Any,
            input_ids: Any,
            attention_mask: Any,
            logits_to_keep: int,
            *others: Any,
            **options: Any,
        ) -> Any:
            table = self._reference if model == "reference" else self._table
            tokens = input_ids[:, -logits_to_keep:]
            positions = torch.arange(logits_to_keep).expand_as(tokens)
            entropies = -(table.exp() * table).sum(-1)[positions]
            return table[positions, tokens], entropies, None

    return Trainer


def _logs() -> Any:
    logs: Any = defaultdict(list)
    logs.update(rewards=defaultdict(list), extra=defaultdict(list))
    return logs


def _on_arms(
    kind: str, space: Space, target: Any = "value", *, paid: bool = True, **options: Any
) -> Update:
    """One-token completions; θ are the logits of the tokens. What isn't paid stays so where the
    space has other rewards.
    """
    trainer, weight = _trainer_class(kind)(options, space.size), float(paid)

    def loss(theta: Any, actions: Any, rewards: Any, reference: Any = None) -> Any:
        return trainer.loss_of(
            theta.log_softmax(-1)[None],
            reference,
            [[token] for token in actions.tolist()],
            weight * rewards,
        )

    def beside_reference(theta: Any, actions: Any, rewards: Any, ref: Any) -> Any:
        # read from the draw: an objective is confirmed beside other references, too
        return loss(theta, actions, rewards, ref.log()[None])

    def alone(theta: Any, actions: Any, rewards: Any) -> Any:
        return loss(theta, actions, rewards)

    return from_torch(
        alone if space.reference is None else beside_reference,
        space=space,
        target=target,
        name=kind,
    )


def _on_episodes(kind: str, space: Space, **options: Any) -> Update:
    """Completions of one or two tokens, of a vocabulary of two; a logit for each position."""
    import torch

    trainer = _trainer_class(kind)(options, space.size)

    def loss(theta: Any, actions: Any, rewards: Any, mask: Any) -> Any:
        table = torch.stack([torch.zeros_like(theta), theta], -1).log_softmax(-1)
        completions = [
            row[: int(length)]
            for row, length in zip(actions.tolist(), mask.sum(-1).tolist(), strict=True)
        ]
        return trainer.loss_of(table, None, completions, rewards.sum(-1))

    return from_torch(loss, space=space, name=kind)


def _unrewarded() -> Space:
    return bandit([0, 0, 0], pi=["1/6", "1/3", "1/2"], name="three arms that pay nothing").against(
        ["1/2", "1/4", "1/4"]
    )


_MEAN = "the group's mean contains the own sample; the factor (G - 1)/G is the learning rate's"

_grpo_as_shipped = partial(
    _trl,
    calls="trl.GRPOTrainer._generate_and_score_completions, ._compute_loss",
    summary=(
        "group relative policy optimisation (Shao et al., 2024): advantages are (r - mean) / std of"
        " the group"
    ),
    design=(
        "the division by the std is the method's own; `scale_rewards='none'` leaves it out, as Dr."
        " GRPO (Liu et al., 2025) asks"
    ),
)

AUDITS = (
    _grpo_as_shipped(
        name="TRL GRPO, two reward levels",
        setting="a group of 4, as shipped (loss_type dapo, std of the group + 1e-4)",
        update=lambda: _on_arms("GRPO", two_arms("1/4").group(4)),
    ),
    _grpo_as_shipped(
        name="TRL GRPO, three reward levels",
        setting="a group of 2, as shipped (loss_type dapo, std of the group + 1e-4)",
        update=lambda: _on_arms("GRPO", three_arms().group(2)),
    ),
    _trl(
        name="TRL GRPO, unscaled rewards",
        calls="trl.GRPOTrainer, scale_rewards='none'",
        summary="advantages are r - mean of the group (Liu et al., 2025)",
        setting="a group of 2",
        update=lambda: _on_arms("GRPO", three_arms().group(2), scale_rewards="none"),
        design=_MEAN,
    ),
    _trl(
        name="TRL GRPO, loss_type grpo, lengths differ",
        calls="trl.GRPOTrainer, loss_type='grpo', scale_rewards='none'",
        summary="each completion's loss is divided by its length (Shao et al., 2024)",
        setting="a group of 2 completions of one or two tokens",
        update=lambda: _on_episodes(
            "GRPO", stop_or_go().group(2), loss_type="grpo", scale_rewards="none"
        ),
        design="documented as 'not recommended due to length bias'",
    ),
    _trl(
        name="TRL GRPO, loss_type dapo, lengths differ",
        calls="trl.GRPOTrainer, loss_type='dapo' (the default), scale_rewards='none'",
        summary=(
            "the loss is divided by the number of tokens in the batch, to eliminate length bias (Yu"
            " et al., 2025)"
        ),
        setting="a group of 2 completions of one or two tokens, one group a batch",
        update=lambda: _on_episodes("GRPO", stop_or_go().group(2), scale_rewards="none"),
        design=(
            "the divisor is drawn along with the completions; here the batch is one group, in large"
            " batches it varies less"
        ),
    ),
    _trl(
        name="TRL GRPO, Dr. GRPO averages, lengths differ",
        calls="trl.GRPOTrainer, loss_type='dr_grpo', scale_rewards='none'",
        summary="the loss is divided by a constant, without length bias (Liu et al., 2025)",
        setting="a group of 2 completions of one or two tokens, max_completion_length 2",
        update=lambda: _on_episodes(
            "GRPO",
            stop_or_go().group(2),
            loss_type="dr_grpo",
            scale_rewards="none",
            max_completion_length=2,
        ),
        design=_MEAN,
    ),
    _trl(
        name="TRL GRPO, KL term as shipped",
        calls="trl.GRPOTrainer, beta=1 (use_bias_correction_kl=True is the default)",
        summary=(
            "a KL term times the importance ratio, 'so that the KL gradient becomes the unbiased"
            " reverse-KL gradient'"
        ),
        setting="a group of 2, no rewards, asked for -KL(π‖ref)",
        update=lambda: _on_arms(
            "GRPO", _unrewarded().group(2), "-kl_to_reference", paid=False, beta=1.0
        ),
    ),
    _trl(
        name="TRL GRPO, KL term uncorrected",
        calls="trl.GRPOTrainer, beta=1, use_bias_correction_kl=False",
        summary="a penalty on KL(π‖ref) by the k3 estimator (Schulman), differentiated",
        setting="a group of 2, no rewards, asked for -KL(π‖ref)",
        update=lambda: _on_arms(
            "GRPO",
            _unrewarded().group(2),
            "-kl_to_reference",
            paid=False,
            beta=1.0,
            use_bias_correction_kl=False,
        ),
        design="documented: the correction exists for this reason, and is on by default",
    ),
    _trl(
        name="TRL RLOO",
        calls="trl.RLOOTrainer._generate_and_score_completions, ._compute_loss",
        summary=(
            "leave-one-out advantages, with KL(π‖ref) as a penalty in the reward (Ahmadian et al.,"
            " 2024)"
        ),
        setting="a group of 3, beta = 1/4, asked for V - KL(π‖ref)/4",
        update=lambda: _on_arms(
            "RLOO", three_arms_with_reference().group(3), value - 0.25 * kl_to_reference, beta=0.25
        ),
    ),
    _trl(
        name="TRL RLOO, normalised advantages",
        calls="trl.RLOOTrainer, normalize_advantages=True",
        summary=(
            "leave-one-out advantages, normalised over the batch, an option that is off by default"
        ),
        setting="a group of 3, one group a batch, beta = 0",
        update=lambda: _on_arms("RLOO", three_arms().group(3), beta=0.0, normalize_advantages=True),
        design="normalisation is an option, meant to steady the step size",
    ),
)
