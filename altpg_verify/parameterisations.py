"""How action preferences θ become a policy π: softmax, escort, or the user's own.

A parameterisation is stated in coordinates x that make π a rational function, so that everything
downstream can be exact: softmax has x = e^θ, the escort transform x = θ. The only derivative it has
to give is dx/dθ, entry by entry; all others follow by exact differentiation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.forward_mode import log
from altpg_verify.number_types import Number


@dataclass(frozen=True)
class Parameterisation:
    """A policy as a rational function of coordinates x, and x as a function of the action
    preferences θ.

    The chain rule does the rest: ∂π_a/∂θ_c = ∂π_a/∂x_c · dx_c/dθ_c, with the first factor from
    exact differentiation of `policy` and the second from `slope`. Each coordinate depends on its
    own preference only.

    Args:
        name: as written on the command line, e.g. "softmax" or "escort:2".
        policy: x (k,) -> π (k,), using + - * / and whole powers only.
        slope: x (k,) -> dx/dθ (k,), entry by entry.
        preferences: x (k,) -> θ (k,), the inverse of x(θ); exact where it can be, else float64.
        normalised: scaling x changes neither the policy nor its derivatives in θ (softmax), so that
            x = π covers every policy.
        signed: x may be negative (escort).

    Examples:
        >>> from altpg_verify import softmax
        >>> softmax.name, softmax.normalised
        ('softmax', True)

        One of one's own, π_a = θ_a / Σ θ_c for positive θ:

        >>> from altpg_verify import Parameterisation, bandit, policy_gradient
        >>> linear = Parameterisation(
        ...     "linear", lambda x: [entry / sum(x) for entry in x], lambda x: [1] * len(x), list
        ... )
        >>> [str(g) for g in policy_gradient(bandit([1, 0], [1, 3], b=0, parameterisation=linear))]
        ['3/16', '-1/16']
    """

    name: str
    policy: Callable[[Sequence[Number]], list[Number]]
    slope: Callable[[Sequence[Number]], list[Number]]
    preferences: Callable[[Sequence[Number]], list[Number]]
    normalised: bool = False
    signed: bool = False

    @property
    def shift_invariant(self) -> bool:
        """Adding a constant to every preference leaves the policy unchanged, so that updates count
        modulo such shifts. True of softmax, whose x is multiplied by the exponential of the
        constant.
        """
        return self.normalised


def _softmax(x: Sequence[Number]) -> list[Number]:
    total = sum(x)
    return [entry / total for entry in x]


softmax = Parameterisation(
    name="softmax",
    policy=_softmax,
    slope=list,
    preferences=lambda x: [log(entry) for entry in x],
    normalised=True,
)
"""π_a = e^θ_a / Σ_c e^θ_c, in coordinates x = e^θ (paper, section 2)."""


@cache
def escort(p: int) -> Parameterisation:
    """The escort transform π_a = |θ_a|^p / Σ_c |θ_c|^p with whole p ≥ 1 (paper, experiment 9), in
    coordinates x = θ.

    There ∂π_a/∂θ_a = p π_a (1 - π_a)/θ_a (paper, appendix C.5). Not defined where all preferences
    are zero. The same object for the same p.

    Args:
        p: the escort power.

    Raises:
        BadInput: p is no whole number of at least 1.

    Examples:
        >>> from altpg_verify import escort
        >>> escort(2).name
        'escort:2'
        >>> escort(2).policy([1, -1, 2])
        [0.16666666666666666, 0.16666666666666666, 0.6666666666666666]
    """
    if not isinstance(p, int) or p < 1:
        raise BadInput(
            f"escort power p must be a whole number of at least 1, not {p!r}; try escort:2"
        )

    def policy(x: Sequence[Any]) -> list[Number]:
        # rational functions have no absolute value, and for even powers need none
        powers = [(entry if p % 2 == 0 else abs(entry)) ** p for entry in x]
        total = sum(powers)
        return [power / total for power in powers]

    return Parameterisation(
        name=f"escort:{p}",
        policy=policy,
        slope=lambda x: [1 for _ in x],
        preferences=list,
        signed=True,
    )


def named(text: str) -> Parameterisation:
    """The parameterisation called "softmax" or "escort:P", as the option `--policy` takes it.

    Args:
        text: the name; P is a whole number from 1 to 999.

    Raises:
        BadInput: no such parameterisation.
    """
    if text == "softmax":
        return softmax
    kind, _, power = text.partition(":")
    if kind == "escort":
        # an exact p-th power has p times the digits
        if not power.isdecimal() or len(power) > 3:
            raise BadInput(
                f"policy {text!r}: write the escort power as a whole number below 1000, e.g."
                " escort:2"
            )
        return escort(int(power))
    raise BadInput(f"policy {text!r} is not known; choose softmax or escort:P")
