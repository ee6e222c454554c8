"""JAX draws by keys, which are numbers like others: within a replayed step its samplers are refused
by name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from altpg_verify.audit.draw_tree import Branch
from altpg_verify.untrusted.standing_in import standing_in

SAMPLERS = (
    *("ball", "bernoulli", "beta", "binomial", "bits", "categorical", "cauchy", "choice"),
    *("dirichlet", "exponential", "gamma"),
    *("geometric", "gumbel", "laplace", "logistic", "multinomial", "multivariate_normal"),
    *("normal", "permutation", "poisson"),
    *("rademacher", "randint", "truncated_normal", "uniform"),
)


@contextmanager
def refused(branch: Branch) -> Iterator[None]:
    """A context in which the samplers of `jax.random` are refused; what was compiled before isn't
    seen.
    """
    module = sys.modules.get("jax.random")
    with standing_in(
        (module, name, partial(_refuse, branch, name)) for name in SAMPLERS if hasattr(module, name)
    ):
        yield


def _refuse(branch: Branch, name: str, *others: Any, **options: Any) -> None:
    branch.refuse(
        f"draws by jax.random.{name}, whose outcomes can't be enumerated; take `choose` as an"
        " argument: choose(probabilities)"
    )
