"""Losses as libraries ship them, audited: what each says it estimates, and what it estimates.

    rlax_losses         rlax: policy gradients, entropy, the all-action and regret losses, the
        clipped surrogate
    torchrl_losses      TorchRL: ReinforceLoss, A2CLoss, PPOLoss, ClipPPOLoss, DiscreteSACLoss
    sb3_steps           Stable-Baselines3: what one training step of A2C and PPO adds
    trl_losses          TRL: the advantage and loss code of GRPO and RLOO
    tianshou_steps      Tianshou: Reinforce, A2C, PPO
    table               all of them as a table and as JSON (`python -m altpg_verify audits`)
    kept                the table that is kept, and whether a file is one
    drift               what changed since the table that is kept

The libraries' own code runs, unchanged; what is replaced around it (a model, a generator, an
optimiser) is said in `setting`. A verdict other than "unbiased" is no report of a bug: many of
these are choices that their authors describe, and `design` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.updates import Update


@dataclass(frozen=True)
class LibraryAudit:
    """One loss of one library, and where it is tried.

    Args:
        name: short and unique.
        package: its name on the package index.
        version: the version this was written for; another one is run all the same, and named.
        calls: what of the library runs.
        summary: what its documentation, or the paper it names, says it follows.
        setting: batch, options, and what stands in for the rest of a trainer.
        update: makes the update; the library is imported here and not before.
        design: why a verdict other than "unbiased" is meant, in whose words.
    """

    name: str
    package: str
    version: str
    calls: str
    summary: str
    setting: str
    update: Callable[[], Update]
    design: str = ""

    @property
    def installed(self) -> str:
        """The version that is installed; empty if there is none."""
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return ""

    def built(self) -> Update:
        """The update.

        Raises:
            BadInput: the library isn't installed or can't be imported, or this version can't be
                used as the one that this was written for.
        """
        if not self.installed:
            raise BadInput(
                f"{self.package} isn't installed: pip install 'altpg-verify[audits]', or"
                f" '{self.package}=={self.version}'"
            )
        try:
            return self.update()
        except ImportError as error:
            raise BadInput(
                f"{self.package} {self.installed} can't be imported: {' '.join(str(error).split())}"
            ) from error
        except Exception as error:
            said = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise BadInput(
                f"{self.package} {self.installed} can't be used as {self.version}, which this audit"
                f" was written for ({said})"
            ) from error
