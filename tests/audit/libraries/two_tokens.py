"""TRL's trainers around a language model of two tokens, made in code: its logits are a head of two
weights, whatever came before.
"""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import datasets
import tokenizers
import torch
import transformers
import trl
from transformers.modeling_outputs import BaseModelOutput, CausalLMOutput

END, GO = 0, 1


class Config(transformers.PretrainedConfig):
    """Two tokens: 0 ends."""

    model_type = "two-tokens"

    def __init__(self, **settings):
        sizes = {
            "vocab_size": 2,
            "hidden_size": 1,
            "num_hidden_layers": 1,
            "num_attention_heads": 1,
        }
        super().__init__(
            **{**sizes, "eos_token_id": END, "pad_token_id": END, "bos_token_id": GO, **settings}
        )


class Backbone(torch.nn.Module):
    """Says 1 at every place."""

    def forward(self, input_ids, attention_mask=None, **others):
        return BaseModelOutput(last_hidden_state=torch.ones(*input_ids.shape, 1))


class Model(transformers.PreTrainedModel, transformers.GenerationMixin):
    """θ is the head's weight."""

    config_class = Config
    base_model_prefix = "backbone"

    def __init__(self, config):
        super().__init__(config)
        self.backbone = Backbone()
        self.head = torch.nn.Linear(1, 2, bias=False)
        self.post_init()

    def _init_weights(self, module):
        pass

    def get_output_embeddings(self):
        return self.head

    def prepare_inputs_for_generation(self, input_ids, attention_mask=None, **others):
        return {"input_ids": input_ids, "attention_mask": attention_mask}

    def forward(self, input_ids, attention_mask=None, logits_to_keep=0, **others):
        logits = self.head(self.backbone(input_ids).last_hidden_state)
        return CausalLMOutput(logits=logits[:, -logits_to_keep:] if logits_to_keep else logits)


def tokenizer():
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"end": END, "go": GO}, unk_token="go")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="end", pad_token="end", padding_side="left"
    )


def builder(kind, *, group, pays, length=1, rate=0.1, **settings):
    """What makes the trainer and says where θ is.

    Args:
        kind: "GRPO" or "RLOO".
        group: completions of the one prompt.
        pays: the completion's tokens -> its reward.
        length: the most tokens of a completion.
        rate: of gradient descent.
        settings: of the trainer's configuration.
    """

    def reward(prompts, completions, completion_ids, **others):
        return [pays(list(map(int, tokens))) for tokens in completion_ids]

    def build():
        quiet = {
            "bf16": False,
            "use_cpu": True,
            "report_to": [],
            "save_strategy": "no",
            "logging_strategy": "no",
            "disable_tqdm": True,
            "log_level": "error",
        }
        descent = {
            "optim": "sgd",
            "lr_scheduler_type": "constant",
            "learning_rate": rate,
            "max_grad_norm": 1e9,
            "max_steps": 1,
        }
        sizes = {
            "per_device_train_batch_size": group,
            "num_generations": group,
            "max_completion_length": length,
        }
        asked = {
            **quiet,
            **descent,
            **sizes,
            "activation_checkpointing": False,
            "output_dir": tempfile.gettempdir(),
            **settings,
        }
        made = getattr(trl, f"{kind}Trainer")(
            model=Model(Config()),
            reward_funcs=reward,
            args=getattr(trl, f"{kind}Config")(**asked),
            train_dataset=datasets.Dataset.from_list([{"prompt": "go"}]),
            processing_class=tokenizer(),
        )
        return made.train, {"theta": made.model.head.weight[:, 0]}

    return build
