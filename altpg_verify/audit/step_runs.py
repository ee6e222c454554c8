"""One run of a trainer's step: from parameters that are put where it has them, with every draw that
of a branch, to what it adds to them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit import declared_rewards, numpy_draws, torch_casts
from altpg_verify.audit.draw_tree import Branch, drawn
from altpg_verify.audit.optimiser_steps import Steps
from altpg_verify.audit.parameter_slots import Slot, slots_of
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.saved_state import SavedState
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.step_arguments import given_to
from altpg_verify.audit.wide_numpy import NARROW
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.calling import calling
from altpg_verify.untrusted.generators import Generators, visible_generators
from altpg_verify.untrusted.standing_in import standing_in


class StepRuns:
    """A trainer's step, and what it is put back to after each run.

    Args:
        who: the sentence's subject.
        function: the step; or, if `building`, what makes it and says where its parameters are.
        space: the policy, and which groups of parameters there are.
        parameters: where the step has them.
        building: whether the trainer is made anew for each branch.
        stepsize: as for `trainer`.

    Attributes:
        stepped, several: optimisers made steps; more than one in a call.
        slots: where the step has its parameters; none where it is made anew.
    """

    def __init__(
        self,
        who: str,
        function: Callable[..., Any],
        space: Space,
        parameters: Any,
        building: bool,
        stepsize: float | None,
    ) -> None:
        self.who, self.function, self.space, self.building = who, function, space, building
        self.stepsize = stepsize
        self.slots = () if building else slots_of(parameters, space, who)
        self.stepped = self.several = False
        self._casts: set[str] = set()
        self._saved = SavedState(())
        self._within = self._is_open = False
        self._around: Callable[[], AbstractContextManager[Any]] = nullcontext

    @contextmanager
    def opened(self) -> Iterator[None]:
        """While branches are run: generators that lie about are exchanged; afterwards everything is
        as it was handed over.
        """
        if self._is_open:
            yield
            return
        mine = visible_generators(self.function)
        before = mine.capture()
        self._saved = SavedState(() if self.building else (self.function,))
        kept = [(slot, slot.kept(self._saved.keep_tensor)) for slot in self.slots]
        with numpy_draws.exchanged():
            self._is_open = True
            try:
                yield
            finally:
                self._is_open = False
                self._saved.restore()
                for slot, own in kept:
                    slot.put_back(own)
                mine.restore(before)

    def run(self, branch: Branch, point: Parameters) -> dict[str, np.ndarray]:
        """One run: what it adds to each group, in units of the stepsize."""
        try:
            with (
                np.errstate(all="ignore"),
                calling(self.who, lambda: f"({drawn(branch.turns)})", self._passing),
                self._wide(),
            ):
                step, slots = self._made(branch) if self.building else (self.function, self.slots)
                return self._stepped(branch, step, slots, point)
        except self._passing:
            self._within = True
            branch.turns.clear()
            return self.run(branch, point)
        except BadInput:
            if branch.refusal is not None:
                raise branch.refusal from None
            raise

    def _made(self, branch: Branch) -> tuple[Callable[..., Any], tuple[Slot, ...]]:
        """The trainer made anew; draws of numbers that initialise it are made from the same seeds,
        others are the branch's.
        """
        visible_generators().reseed(0)
        with _enumerated(branch, strict=False, within=False):
            made = self.function(**self._of_space(self.function, building=True))
        if not isinstance(made, tuple | list) or len(made) != 2 or not callable(made[0]):
            raise BadEstimator(
                f"{self.who}: build returned {type(made).__name__}; return (step, parameters), a"
                " function and where its parameters are"
            )
        given_to(made[0], self.who)
        if set(given_to(made[0], self.who)) & set(declared_rewards.NAMES):
            raise BadEstimator(
                f"{self.who}: the step that build returns asks for the space's rewards; let build"
                " ask for them"
            )
        return made[0], slots_of(made[1], self.space, self.who)

    def _stepped(
        self, branch: Branch, step: Callable[..., Any], slots: tuple[Slot, ...], point: Parameters
    ) -> dict[str, np.ndarray]:
        self._saved.restore()
        before: dict[str, np.ndarray] = {}
        for slot in slots:
            slot.write(np.asarray(point[slot.name], dtype=float).reshape(np.shape(slot.value)))
            before[slot.name] = slot.read()
        tensors = {slot.name: slot.leaf for slot in slots if slot.tensor is not None}
        generators = visible_generators(step) if self.building else self._generators
        states = generators.capture()
        with ExitStack() as stack:
            stack.enter_context(_enumerated(branch, strict=True, within=self._within))
            steps = None
            if "torch" in sys.modules:
                steps = Steps(branch, tensors, self.stepsize, self._saved.keep_optimiser)
                stack.enter_context(steps.watched())
            given = {"choose": branch.choose, "rng": numpy_draws.fresh(), **self._of_space(step)}
            with self._around():
                step(**{each: given[each] for each in given_to(step, self.who)})
            of_leaves = {} if steps is None else steps.answer()
        answer = {
            slot.name: slot.part(of_leaves[slot.name]) for slot in slots if slot.name in of_leaves
        }
        if steps is not None:
            self.stepped |= steps.count > 0
            self.several |= steps.count > 1
        if branch.refusal is not None:
            raise branch.refusal
        moved = generators.moved(states)
        if moved:
            branch.refuse(
                f"draws unseen: a step moves the generator {moved[0]}; draw through"
                " numpy.random.Generator, torch or `choose`"
            )
        for slot in slots:
            if slot.name not in answer:
                answer[slot.name] = self._difference(branch, slot, before[slot.name])
            if not np.isfinite(answer[slot.name]).all():
                branch.refuse(
                    f"makes a step in {slot.name} that isn't finite ({drawn(branch.turns)})"
                )
        return answer

    def _of_space(self, function: Callable[..., Any], *, building: bool = False) -> dict[str, Any]:
        """What it asks for of the space's rewards."""
        asked = given_to(function, self.who, building=building)
        return {
            name: declared_rewards.offered(self.space, name)
            for name in asked
            if name in declared_rewards.NAMES
        }

    def _difference(self, branch: Branch, slot: Slot, before: np.ndarray) -> np.ndarray:
        """What was added to an array."""
        left = np.asarray(slot.value)
        if left.dtype.kind not in "fiu" or left.size != before.size:
            branch.refuse(
                f"leaves {left.dtype} numbers of shape {left.shape} in {slot.name!r}; it must stay"
                f" {before.size} real ones"
            )
        difference = slot.read() - before
        if not difference.any():
            return difference
        if not self.stepsize:
            branch.refuse(
                f"moves {slot.name}, an array, so that its stepsize must be known; write"
                " stepsize=..."
            )
        return difference / self.stepsize

    @property
    def _passing(self) -> tuple[type[Exception], ...]:
        if "torch" not in sys.modules:
            return ()
        from altpg_verify.audit.torch_draws import DrawsWithin

        return (DrawsWithin,)

    @cached_property
    def _generators(self) -> Generators:
        return visible_generators(self.function)

    @contextmanager
    def _wide(self) -> Iterator[None]:
        """What is made or computed in fewer digits is float64."""
        with ExitStack() as stack:
            if torch := sys.modules.get("torch"):
                mode = stack.enter_context(
                    torch_casts.also_backward(torch, torch_casts.widening(torch))
                )
                stack.callback(lambda: self._casts.update(mode.seen))
                stack.callback(torch.set_default_dtype, torch.get_default_dtype())
                torch.set_default_dtype(torch.float64)
            stack.enter_context(standing_in((np, name, np.float64) for name in NARROW))
            yield


@contextmanager
def _enumerated(branch: Branch, *, strict: bool, within: bool) -> Iterator[None]:
    """All draws are the branch's; those within torch's own operations, too, if they are looked
    for.
    """
    with ExitStack() as stack:
        stack.enter_context(numpy_draws.enumerated(branch, strict=strict))
        if "torch" in sys.modules:
            from altpg_verify.audit import torch_draws

            stack.enter_context(
                torch_draws.enumerated(branch)
                if within
                else torch_draws.named(branch, strict=strict)
            )
        if strict and "jax" in sys.modules:
            from altpg_verify.audit import jax_draws

            stack.enter_context(jax_draws.refused(branch))
        yield
