"""Checking anyone's loss, batch, trajectory or group estimator by exact enumeration.

Table of contents, in reading order; every name is loaded when it is first used.

    policies     parameters -> action probabilities: softmax, sigmoid, shared or masked logits, or a function
    spaces       every episode of a small bandit, contextual bandit or MDP; draws of one, of batches, of groups
    problems     bandits, contextual bandits, lists of episodes, as spaces
    mdps         small MDPs as spaces, and what a time limit cuts off
    declarations what users declare of them, checked
    processes    that episodes are a random process under every policy
    episode_arrays, enumeration  the episodes as arrays, and every draw of them, in blocks
    tables       what follows from the policy alone, for one policy or a stack: values, scores, log-probabilities
    draws        what an update is shown: `draw["actions"]`, `draw["rewards"]`, ... (see `DRAWN` and `GIVEN`); a draw is a row of a block
    updates      `Update`, and how a formula, a numpy function, a torch or JAX loss becomes one: `@update`, `@loss`
    chain        losses written in log-probabilities: the chain rule through the policy
    stacked      a numpy function run once for all draws
    programs     the road an update is run on: many draws at once where that gives the same, else one by one
    merging      whether multisets stand for sequences, established
    moments      mean and spread over every draw, at many policies in one pass
    workers, progress  several processes or a cluster; what is done, how much is left, when to stop
    naming       what somebody who used another name may have meant
    objectives   what an update may follow: values, divergences, entropies, and more
    fields       the exact expected update, its Jacobian and curl
    evidence     the expected update beside the target's gradient, at several policies
    purity, guarding  that an update is a function of its arguments, and what of it never ran
    diagnosis    `audit(update)`: unbiased, scaled, zero, reversed, another objective's gradient, or no gradient field
    training     where training ends, and the value reached
    checking     the same for tests: `check_update` raises when an update isn't what it is meant to be
    sampling     the same by sampling, with stated error rates, where enumerating is out of reach
    comparing    two updates side by side
    references   published losses and advantage estimators; `identify(update)`: which of them an update equals
    fixtures     small spaces with known answers
"""

from __future__ import annotations

from typing import Any

from altpg_verify.lazy import listed, load

_HOMES = {
    "Audit": "findings",
    "Draw": "draws",
    "Objective": "objectives",
    "Space": "spaces",
    "Update": "updates",
    "AuditError": "findings",
    "Comparison": "comparing",
    "Kind": "findings",
    "audit": "diagnosis",
    "bandit": "problems",
    "check_update": "checking",
    "compare": "comparing",
    "contexts": "problems",
    "decisions": "problems",
    "endpoints": "training",
    "entropy": "objectives",
    "from_estimator": "updates",
    "from_function": "updates",
    "from_jax": "jax_loss",
    "from_torch": "torch_loss",
    "identify": "references.identifying",
    "kl_from_reference": "objectives",
    "kl_to_reference": "objectives",
    "loss": "updates",
    "mdp": "mdps",
    "undiscounted_value": "objectives",
    "update": "updates",
    "value": "objectives",
    "with_policy": "problems",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return listed(__name__, _HOMES)
