"""Categories drawn by Gumbel noise, for straight-through and relaxed estimators: x is the one-hot
vector of argmax(θ + G), or near it.

    gumbel(lambda x: (x[0] + x[1] / 2) ** 2, pi=[1/6, 1/3, 1/2], temperature=0.5)

The arg-max is drawn first, with probability π = softmax(θ); given that it is a, θ_a + G_a = log Z -
log E_a, and for the others θ_j + G_j = -log(E_j e^-θ_j + E_a / Z) with E independent and
exponential (Maddison, Tarlow, Minka 2014). Within such a region nothing has a kink. A shift of all
of G changes no softmax and no arg-max, so only the ratios E_j / E_a matter: their logarithms are
the nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import as_list, checked_chances, float_array, shown, whole
from altpg_verify.audit.gaussian_values import Reward
from altpg_verify.audit.gumbel_categories import Gumbel
from altpg_verify.audit.gumbel_policies import GumbelPolicy
from altpg_verify.audit.numbers import say
from altpg_verify.audit.polynomials import polynomial_of
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

DIMENSIONS = (2, 3)
"""How many categories there may be: the nodes fill a space of one dimension less."""

MOST_NODES = 400


def gumbel(
    reward: Any,
    *,
    pi: Sequence[Any] | None = None,
    theta: Sequence[float] | None = None,
    temperature: float = 1.0,
    nodes: int | None = None,
    name: str = "Gumbel noise",
) -> Space:
    """Two or three categories drawn as argmax(θ + G), G Gumbel noise, and paid r(x) of the one-hot
    vector x, r a polynomial of vectors.

    Args:
        reward: r as a function of a vector of k numbers, or as {(exponents): coefficient}; at
            one-hot vectors it is what is paid.
        pi: (k,) probabilities where the audit stands; or
        theta: (k,) the same as logits.
        temperature: of the softmax in `relaxed`, and a constant that updates may ask for.
        nodes: of each of the k - 1 numbers of the noise.
        name: what reports call the space.

    Raises:
        BadInput: there aren't two or three categories, the reward is no polynomial, or a number is
            out of range.

    Examples:
        >>> from altpg_verify.audit import gumbel
        >>> str(gumbel(lambda x: (x[0] + x[1] / 2) ** 2, pi=["1/4", "3/4"], temperature=0.5))
        'Gumbel noise, one episode a draw'
    """
    if (pi is None) == (theta is None):
        raise BadInput(
            "gumbel needs pi, the probabilities of two or three categories, or theta, their logits"
        )
    logits = (
        float_array("theta", theta) if pi is None else np.log([float(p) for p in _positive(pi)])
    )
    if logits.ndim != 1 or len(logits) not in DIMENSIONS:
        raise BadInput(
            f"{'theta' if pi is None else 'pi'}: {logits.size} categories; the noise of two or"
            " three is integrated"
        )
    heat = float_array("temperature", [temperature])[0]
    if not 0.05 <= heat <= 100:
        raise BadInput(
            f"temperature: {say(float(heat))} is not between 0.05 and 100; choose another"
        )
    found = polynomial_of(reward, len(logits), scalar=False)
    if found is None:
        raise BadInput(
            "reward: it isn't a polynomial of the vector's numbers; write one, such as lambda x:"
            " (x[0] + x[1] / 2) ** 2"
        )
    count = (
        whole("nodes", nodes, 2, MOST_NODES if len(logits) == 2 else MOST_NODES // 3)
        if nodes is not None
        else (61, 53)[len(logits) - 2]
    )
    policy = GumbelPolicy(len(logits), count)
    made = Gumbel(policy, Reward(found), float(heat))
    return Space(
        name,
        made.episodes(),
        policy,
        {"theta": logits},
        continuous=made,
        constants={"temperature": float(heat)},
    )


def _positive(pi: Any) -> tuple[Fraction, ...]:
    found = checked_chances("pi", as_list("pi", pi))
    if not all(found):
        raise BadInput(
            f"pi: {shown(pi)} has a 0; softmax gives every category a positive probability"
        )
    return found
