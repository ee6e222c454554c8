"""Finite sample spaces: every episode that can happen, its probability as a function of the policy,
and how draws are made of episodes.

A `Space` is a small decision problem with a policy, plus a scheme of drawing: one episode, a batch
of N, or a group of G from one start. All of it is enumerated; nothing is sampled here.

    bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"]).batch(4)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from altpg_verify.audit import policies_beside, space_caveats
from altpg_verify.audit.continuous import Continuous
from altpg_verify.audit.declarations import as_fraction, checked_table, float_array, shown, whole
from altpg_verify.audit.draw_counts import count_of
from altpg_verify.audit.episode_arrays import EpisodeArrays
from altpg_verify.audit.episodes import LARGEST_DRAW, Episode
from altpg_verify.audit.exact_points import point_at
from altpg_verify.audit.policies import Parameters, Policy
from altpg_verify.audit.processes import Process
from altpg_verify.audit.token_rows import TokenRows
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.games import Game


Scheme = Literal["one", "batch", "group", "groups"]


@dataclass(frozen=True, eq=False)
class Space:
    """A decision problem with finitely many episodes, a policy at a point, and a scheme of drawing.

    Args:
        name: what reports call it.
        episodes: every episode that can happen.
        policy: how parameters become action probabilities.
        parameters: the point at which the audit stands; groups the policy doesn't read (a critic's)
            may be among them.
        weights: e^θ of that point as exact numbers, if it is rational (tabular policies only).
        discount: γ.
        behaviour: (states, actions) the policy that is sampled, a fixed table or a function of the
            parameters; the policy itself if None.
        reference: (states, actions) a fixed policy to keep near.
        constants: whatever else an update may ask for by name, e.g. b, eps, ddof, features.
        scheme, size: one episode; a batch of `size`; a group of `size` from one start drawn at
            random; a group from every start at once.
        keep: draws for which it is false are thrown away and drawn again (with their start, if the
            start is drawn).
        exchangeable: draws that differ in order only are enumerated once; right for updates that
            don't look at the order.
        rows: how episodes are laid out as rows of tokens; their actions, one a column, if None.
        longer: the same problem with another length, if it can be posed with one.
        game: what several agents are shown, where the steps are agents that act at once (see
            `games`).
        continuous: what is computed of an episode, where episodes are the nodes of a rule (see
            `continuous`).

    Raises:
        BadInput: the episodes' probabilities don't add up to 1 for every policy, or don't fit the
            policy; the parameters, the discount or a table of a policy can't be used.

    Examples:
        >>> from altpg_verify.audit import bandit
        >>> space = bandit([1, 0]).group(2)
        >>> space.scheme, space.size, space.horizon, space.states
        ('group', 2, 1, 1)
    """

    name: str
    episodes: tuple[Episode, ...]
    policy: Policy
    parameters: Parameters
    weights: tuple[Any, ...] | None = None
    discount: Fraction = Fraction(1)
    behaviour: np.ndarray | Callable[[Parameters], np.ndarray] | None = None
    reference: np.ndarray | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    scheme: Scheme = "one"
    size: int = 1
    exchangeable: bool = False
    keep: Callable[[Any], bool] | None = None
    rows: TokenRows | None = None
    longer: Callable[[int], Space] | None = None
    continuous: Continuous | None = None
    game: Game | None = None
    _process: Process | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        fits = self._process is not None and self._process.of(self.episodes, self.policy)
        self._fit_policy()
        if not fits:
            if not isinstance(self.episodes, tuple) or not all(
                isinstance(episode, Episode) for episode in self.episodes
            ):
                raise BadInput(
                    f"episodes of space {shown(self.name)} must be a tuple of `Episode`, not"
                    f" {shown(self.episodes)}"
                )
            table = self.policy.table({**self.parameters})
            object.__setattr__(
                self, "_process", Process(str(self.name), self.episodes, self.policy, table)
            )
        if type(self.discount) is not Fraction:
            object.__setattr__(self, "discount", as_fraction("discount", self.discount))
        if not 0 <= self.discount <= 1:
            raise BadInput(
                f"discount: γ = {self.discount} is not between 0 and 1; give a discount factor"
            )
        for name, given in (("behaviour", self.behaviour), ("reference", self.reference)):
            if given is not None:
                policies_beside.refuse_table(self, name)
            if isinstance(given, np.ndarray):
                policies_beside.refuse_other_actions(self, name, given)

    def _fit_policy(self) -> None:
        """That the policy's parameters are there, in its shapes."""
        for group, shape in self.policy.shapes.items():
            given = float_array(group, self.parameters[group]) if group in self.parameters else None
            if given is None or given.shape != tuple(shape):
                got = "nothing" if given is None else f"shape {given.shape}"
                raise BadInput(
                    f"space {shown(self.name)}: the policy reads {group!r} of shape {tuple(shape)},"
                    f" and the parameters have {got}"
                )

        if self.continuous is not None:
            self.continuous.refuse(self.parameters)

    # --- what it is
    # ----------------------------------------------------------------------------------------------

    @cached_property
    def states(self) -> int:
        """The number of states."""
        return self.policy.table(self.parameters).shape[0]

    @cached_property
    def actions(self) -> int:
        """The largest number of actions in a state."""
        return self.policy.table(self.parameters).shape[1]

    @cached_property
    def horizon(self) -> int:
        """The length of the longest episode."""
        return max(map(len, self.episodes))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The states in which episodes start: prompts, contexts."""
        return tuple(dict.fromkeys(episode.start for episode in self.episodes))

    def start_weight(self, start: int) -> Fraction:
        """The probability that an episode starts there."""
        # the policy's share of all episodes from a start adds to 1, so a uniform stand-in will do
        return self._starting.get(start, Fraction(0))

    @cached_property
    def _starting(self) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for episode in self.episodes:
            share = episode.chance / math.prod(len(self.taken[s]) for s in episode.states)
            found[episode.start] = found.get(episode.start, Fraction(0)) + share
        return found

    @property
    def taken(self) -> Mapping[int, frozenset[int]]:
        """For each state that episodes visit, the actions that are taken there in some episode."""
        assert self._process is not None
        return self._process.taken

    @cached_property
    def arrays(self) -> EpisodeArrays:
        """The episodes as arrays."""
        return EpisodeArrays(self.episodes)

    @cached_property
    def token_rows(self) -> TokenRows:
        """The episodes as rows of tokens."""
        return TokenRows.of(self.arrays) if self.rows is None else self.rows

    @property
    def names(self) -> tuple[str, ...]:
        """What updates may ask for by name beside `draws.DRAWN` and `draws.GIVEN`: constants, and
        names of continuous actions or agents.
        """
        return (
            *self.constants,
            *(
                more
                for each in (self.continuous, self.game)
                if each is not None
                for more in each.names
            ),
        )

    @property
    def steps_are(self) -> str:
        """What a state is called: the step of an episode, or an agent."""
        return "state" if self.game is None else "agent"

    @property
    def draws_count(self) -> int | float:
        """How many draws there are; an estimate above 10^15. Of multisets, where orders are
        declared to be exchangeable.
        """
        return count_of(self, merged=self.exchangeable)

    @cached_property
    def undeclared_cut(self) -> tuple[Fraction | float, int] | None:
        """(share, steps) of the episodes that a time limit cuts off although nobody declared what
        follows; None if there are none; see `space_caveats`.
        """
        return space_caveats.undeclared_cut(self)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """What a verdict on this space can't see, one sentence each; reports print them with every
        verdict.
        """
        return space_caveats.caveats(self)

    def __str__(self) -> str:
        scheme = {
            "one": "one episode a draw",
            "batch": f"batches of {self.size}",
            "group": f"groups of {self.size} from one start",
            "groups": f"a group of {self.size} from each of {len(self.starts)} starts",
        }[self.scheme]
        return f"{self.name}, {scheme}"

    # --- variations
    # ----------------------------------------------------------------------------------------------

    def batch(self, size: int, *, exchangeable: bool = False) -> Space:
        """Draws of `size` independent episodes."""
        return replace(
            self,
            scheme="batch",
            size=whole("batch size", size, most=LARGEST_DRAW),
            exchangeable=exchangeable,
        )

    def group(self, size: int, *, every_start: bool = False, exchangeable: bool = False) -> Space:
        """Draws of `size` episodes from one start, itself drawn; or, with `every_start`, so many
        from each start at once.
        """
        scheme: Scheme = "groups" if every_start else "group"
        return replace(
            self,
            scheme=scheme,
            size=whole("group size", size, most=LARGEST_DRAW),
            exchangeable=exchangeable,
        )

    def at(self, *, weights: Sequence[Any] | None = None, **groups: Any) -> Space:
        """The same with parameters elsewhere; `weights` are e^θ in exact numbers, flattened (for
        softmax: any multiple of π).

        Raises:
            BadInput: something is no number, or not as many as the policy reads.
        """
        if weights is not None:
            return replace(self, **point_at(self.policy, weights, self.parameters))
        moved = {name: float_array(name, values) for name, values in groups.items()}
        for name in set(moved) & set(self.policy.shapes):
            if moved[name].shape != tuple(self.policy.shapes[name]):
                raise BadInput(
                    f"{name} has shape {moved[name].shape}, and the policy reads"
                    f" {tuple(self.policy.shapes[name])}; give as many"
                )
        exact = None if set(groups) & set(self.policy.shapes) else self.weights
        return replace(self, parameters={**self.parameters, **moved}, weights=exact)

    def having(self, **constants: Any) -> Space:
        """The same with constants that updates may ask for by name."""
        return replace(self, constants={**self.constants, **constants})

    def keeping(self, keep: Callable[[Any], bool]) -> Space:
        """The same with draws thrown away and drawn again where `keep(draw)` is false (groups whose
        rewards are all equal).

        Raises:
            BadInput: `keep` is no function.
        """
        if not callable(keep):
            raise BadInput(
                f"keep must be a function of a draw, not {shown(keep)}; write .keeping(lambda draw:"
                " ...)"
            )
        return replace(self, keep=keep)

    def discounted(self, discount: Any) -> Space:
        """The same with another γ."""
        return replace(self, discount=as_fraction("discount", discount))

    def sampled_by(self, behaviour: Any) -> Space:
        """The same, but sampled by another policy: a table of probabilities, or a function of the
        parameters.

        Raises:
            BadInput: a row isn't a distribution over the actions; of a function, at the point of
                the audit.
        """
        policies_beside.refuse_table(self, "behaviour")
        if not callable(behaviour):
            return replace(
                self, behaviour=checked_table("behaviour", behaviour, (self.states, self.actions))
            )
        moved = replace(self, behaviour=behaviour)
        moved.behaviour_at(self.parameters)
        return moved

    def decoded(
        self,
        *,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float = 1.0,
        epsilon: float = 0.0,
    ) -> Space:
        """The same, but sampled from the policy by another decoding than the one that is scored;
        see `decoding.Decoding`.

        Raises:
            BadInput: a setting is out of range.
        """
        from altpg_verify.audit.decoding import Decoding

        return self.sampled_by(Decoding(self.policy, temperature, top_k, top_p, epsilon))

    def behaviour_at(self, parameters: Parameters) -> np.ndarray:
        """(states, actions) the policy that is sampled, in float64, checked: rows of probabilities
        that add up to 1.

        Raises:
            BadInput: a behaviour policy given as a function failed there, or returned something
                else.
        """
        if self.behaviour is None:
            return self.policy.table(parameters)
        return policies_beside.behaviour_at(self, self.behaviour, parameters)

    def against(self, reference: Any) -> Space:
        """The same with a reference policy, a table of probabilities.

        Raises:
            BadInput: a row isn't a distribution over the actions, or an action that can be taken
                has no chance.
        """
        return replace(self, reference=policies_beside.reference_table(self, reference))

    def training(self, **groups: Any) -> Space:
        """The same with further groups of parameters, which the policy doesn't read (a critic)."""
        return self.at(**groups)

    def named(self, name: str) -> Space:
        """The same under another name."""
        return replace(self, name=name)
