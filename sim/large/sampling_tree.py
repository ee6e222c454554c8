"""`SamplingTree`: sampling from a softmax policy over very many actions, with O(log k) for a sample
and for a new preference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.sim.large.blocks import aligned_zeros, boundary_error, offsets
from altpg_verify.sim.large.exponential import LIMIT
from altpg_verify.sim.large.kernels import kernels
from altpg_verify.sim.settings import shown, whole

_ALL = np.empty(0, dtype=np.int64)


class SamplingTree:
    """The softmax policy π(a) = e^θ_a / Σ_c e^θ_c of k action preferences θ, ready to be sampled.

    `sample` and `update` visit one block of eight sums on each of ⌈log₈ k⌉ levels, whatever the
    preferences are: they may drift without end or lie e^1000 apart, nothing overflows, no sum
    underflows, rounding errors don't accumulate, and no step ever takes O(k). How:
    `altpg_verify.sim.large.blocks`, with the derivation of the error bound.

    The paper's appendix B.1 describes such a tree (binary, with differences added to raw
    exponentials).

    `blocks` is the number of blocks of eight sums.
    `arrays` (theta, weight, exponent, offset: see `altpg_verify.sim.large.blocks`) and `champions`
    (winner, best: see `altpg_verify.sim.large.champions`) are for compiled loops, such as that of
    `LogBandit`; `changes` counts calls of `update` and `update_many`.

    Args:
        preferences: (k,) action preferences θ; finite, of absolute value up to 2³⁰. They are
            copied.

    Raises:
        BadInput: the preferences aren't such a vector; the message names the first entry that
            isn't.

    Examples:
        >>> tree = SamplingTree([0.0, 0.0, 1000.0])
        >>> tree.policy().tolist()
        [0.0, 0.0, 1.0]
        >>> tree.update(2, 0.0)
        >>> tree.select(0.5)
        1
    """

    def __init__(self, preferences: Sequence[float] | np.ndarray) -> None:
        self._theta = numbers(preferences, "preferences", aligned=True)
        if not self._theta.size:
            raise BadInput("preferences is empty; a policy needs at least one action")
        _check_preferences(self._theta, "preferences")
        offset = offsets(self._theta.size)
        self.blocks = int(offset[-1])
        self._arrays = (
            self._theta,
            aligned_zeros(8 * self.blocks),
            np.zeros(self.blocks, dtype=np.int32),
            offset,
        )
        self._champions = (_ALL, np.empty(0))
        self._kernels = kernels()
        self._kernels.grow(*self._arrays)
        # counts changes by the user, by which `LogBandit` sees that its envelopes don't fit
        self.changes = 0
        self._behind: Callable[[], np.ndarray | None] | None = None

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """theta, weight, exponent, offset, up to date."""
        self._catch_up()
        return self._arrays

    @property
    def champions(self) -> tuple[np.ndarray, np.ndarray]:
        """winner, best, up to date; empty until `greedy` was asked."""
        self._catch_up()
        return self._champions

    def owned(self) -> np.ndarray:
        """(k,) the preferences, to be changed in place by whoever calls `fall_behind`
        afterwards.
        """
        return self._theta

    def fall_behind(self, changed: Callable[[], np.ndarray | None]) -> None:
        """Preferences are changed in place by the owner: before the sums are next used, `changed()`
        names the actions, or None for any.
        """
        self._behind = changed

    def _catch_up(self) -> None:
        if self._behind is None:
            return
        changed, self._behind = self._behind(), None
        if changed is not None and changed.size * 16 <= self._theta.size:
            # an action that was taken many times needs one update
            changed = np.unique(changed)
            self._kernels.update_many(
                *self._arrays, *self._champions, changed, self._theta[changed]
            )
            return
        self._kernels.grow(*self._arrays)
        if self._champions[0].size:
            self._kernels.champions(self._theta, *self._champions, self._arrays[3])

    @property
    def preferences(self) -> np.ndarray:
        """(k,) the preferences as they are now; a view that can't be written to."""
        # a write would leave the sums as they are
        view = self._theta.view()
        view.flags.writeable = False
        return view

    def __len__(self) -> int:
        return self._theta.size

    def __repr__(self) -> str:
        return f"<SamplingTree of {len(self)} actions, {self.levels} levels>"

    @property
    def levels(self) -> int:
        """Blocks that one walk visits, down or up: ⌈log₈ k⌉, at least 1, and so at most ⌈log₂(k +
        1)⌉.
        """
        return self._arrays[3].size - 1

    @property
    def boundary_error(self) -> float:
        """How far the ends of an action's interval of keys may lie from the exact cumulative
        probabilities.
        """
        return boundary_error(self.levels)

    def select(self, key: float) -> int:
        """The action a with π(0) + ... + π(a-1) <= key < π(0) + ... + π(a); the ends are exact up
        to `boundary_error`.

        Raises:
            BadInput: the key isn't in [0, 1).
        """
        if not isinstance(key, _NUMBER) or not 0.0 <= key < 1.0:
            raise BadInput(
                f"key is {shown(key)}; give a number in [0, 1), a share of the total probability"
            )
        found = np.empty(1, dtype=np.int64)
        self._kernels.select(*self.arrays, key, found)
        return int(found[0])

    def select_many(self, keys: Sequence[float] | np.ndarray) -> np.ndarray:
        """(n,) int64: the action of each of n keys.

        Sixteen walks go down side by side, so that they wait for memory together.

        Raises:
            BadInput: a key isn't in [0, 1).
        """
        keys = numbers(keys, "keys")
        outside = ~((keys >= 0.0) & (keys < 1.0))
        if outside.any():
            i = int(outside.argmax())
            raise BadInput(
                f"keys[{i}] is {keys[i]}; give numbers in [0, 1), shares of the total probability"
            )
        actions = np.empty(keys.size, dtype=np.int64)
        self._kernels.select_many(*self.arrays, keys, actions)
        return actions

    def sample(self, generator: np.random.Generator) -> int:
        """An action A ~ π, from one uniform of the generator.

        Raises:
            BadInput: the generator isn't numpy's.
        """
        return self.select(_drawing(generator).random())

    def sample_many(self, count: int, generator: np.random.Generator) -> np.ndarray:
        """(count,) int64: independent actions A ~ π, one uniform of the generator each.

        Raises:
            BadInput: the count is negative.
        """
        whole("count", count, least=0)
        return self.select_many(_drawing(generator).random(count))

    def update(self, action: int, preference: float) -> None:
        """Set θ(action) = preference.

        O(log k): one block on each level is added up anew.

        Raises:
            BadInput: there is no such action, or the preference isn't a number up to 2³⁰ in size;
                nothing is changed.
        """
        if (
            isinstance(action, bool)
            or not isinstance(action, _WHOLE)
            or not 0 <= action < self._theta.size
        ):
            raise BadInput(
                f"action is {shown(action)}; the tree has the actions 0 to {self._theta.size - 1}"
            )
        if (
            isinstance(preference, bool)
            or not isinstance(preference, _NUMBER)
            or not abs(preference) <= LIMIT
        ):
            raise BadInput(f"preference is {shown(preference)}; {_WANTED}")
        self._kernels.update(*self.arrays, *self.champions, action, preference)
        self.changes += 1

    def update_many(
        self, actions: Sequence[int] | np.ndarray, preferences: Sequence[float] | np.ndarray
    ) -> None:
        """Set θ(actions[i]) = preferences[i] for all i; if an action occurs twice, the later
        preference stays.

        O(n log k), or O(k) where n is more than a sixteenth of the actions.

        Raises:
            BadInput: lengths differ, there is no such action, or a preference isn't a number up to
                2³⁰ in size; nothing is changed.
        """
        chosen = self._actions(actions)
        values = numbers(preferences, "preferences")
        if chosen.size != values.size:
            raise BadInput(
                f"actions has {chosen.size} entries and preferences {values.size}; give one"
                " preference for each action"
            )
        _check_preferences(values, "preferences")
        self._kernels.update_many(*self.arrays, *self.champions, chosen, values)
        self.changes += 1

    def policy(self, actions: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """(k,) the probabilities of all actions, or (n,) of the given ones; relative error below
        1e-14, 0 below 1e-307.

        Raises:
            BadInput: there is no such action.
        """
        return self._read(self._kernels.policy, actions)

    def log_probabilities(self, actions: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """(k,) log π of all actions, or (n,) of the given ones; also where π itself is too small
        for a double.

        Raises:
            BadInput: there is no such action.
        """
        return self._read(self._kernels.log_policy, actions)

    def log_normalizer(self) -> float:
        """log Σ_a e^θ_a.

        In nats, and finite even where Σ_a e^θ_a is far beyond a double.
        """
        found = np.empty(1)
        self._kernels.log_normalizer(*self.arrays, found)
        return float(found[0])

    def greedy(self) -> int:
        """The action with the largest preference, the first of them; the first call takes O(k), and
        from then on it is at hand.
        """
        winner, best = self.champions
        if not winner.size:
            winner, best = self._champions = (
                np.empty(self.blocks, dtype=np.int64),
                np.empty(self.blocks),
            )
            self._kernels.champions(self._theta, winner, best, self._arrays[3])
        return int(winner[0])

    def _read(self, kernel: Any, actions: Sequence[int] | np.ndarray | None) -> np.ndarray:
        chosen = _ALL if actions is None else self._actions(actions)
        out = np.empty(self._theta.size if actions is None else chosen.size)
        kernel(*self.arrays, chosen, out)
        return out

    def _actions(self, actions: Sequence[int] | np.ndarray) -> np.ndarray:
        try:
            chosen = np.asarray(actions)
        except ValueError:
            raise BadInput("actions is no vector of whole numbers") from None
        if chosen.size == 0:
            chosen = chosen.astype(np.int64)
        if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
            raise BadInput(
                f"actions has shape {chosen.shape} and type {chosen.dtype}; give a vector of whole"
                " numbers"
            )
        outside = (chosen < 0) | (chosen >= self._theta.size)
        if outside.any():
            i = int(outside.argmax())
            raise BadInput(
                f"actions[{i}] is {chosen[i]}; the tree has the actions 0 to {self._theta.size - 1}"
            )
        return np.ascontiguousarray(chosen, dtype=np.int64)


_WHOLE, _NUMBER = (int, np.integer), (int, float, np.integer, np.floating)


def _drawing(generator: Any) -> np.random.Generator:
    if not isinstance(generator, np.random.Generator):
        raise BadInput(
            f"generator is {shown(generator)}; give a numpy Generator, such as"
            " numpy.random.default_rng(1)"
        )
    return generator


_WANTED = "preferences are finite numbers of absolute value up to 2^30"


def numbers(values: Any, name: str, *, aligned: bool = False) -> np.ndarray:
    """A vector of doubles; if `aligned`, a copy that starts at a cache line.

    Raises:
        BadInput: it isn't a vector of real numbers.
    """
    try:
        array = np.asarray(values)
        # integers, unsigned ones, floats and booleans; no complex numbers, objects or texts
        if array.dtype.kind not in "iufb":
            raise TypeError
    except (TypeError, ValueError):
        raise BadInput(f"{name} is not a vector of real numbers") from None
    if array.ndim != 1:
        raise BadInput(f"{name} has shape {array.shape}; give a vector")
    if not aligned:
        return np.ascontiguousarray(array, dtype=float)
    own = aligned_zeros(array.size)
    own[:] = array
    return own


def _check_preferences(theta: np.ndarray, name: str) -> None:
    # by the negation, so that NaN is refused
    refused = ~(np.abs(theta) <= LIMIT)
    if refused.any():
        i = int(refused.argmax())
        raise BadInput(f"{name}[{i}] is {theta[i]}; {_WANTED}")
