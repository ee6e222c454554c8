"""A PyTorch loss as it was written, turned into an ascent direction in float64 on the CPU.

    def reinforce(theta, actions, rewards):
        return -(theta.log_softmax(-1)[actions] * rewards).mean()

    gradient = TorchLoss(reinforce)
    gradient({"theta": np.zeros(3)}, {"actions": [0], "rewards": [1.0]})   # {"theta": array([2/3, -1/3, -1/3])}
    update = from_torch(reinforce, space=three_arms().batch(2))

A loss is minimised, so what training adds to the parameters is minus its gradient: that is what is
returned. The generators, the default dtype and the autograd state are as before after every call.
Torch is loaded when a loss is wrapped, not before.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit import (
    loss_validation,
    torch_casts,
    torch_cuts,
    torch_faults,
    torch_gumbels,
    torch_normals,
    torch_unread,
)
from altpg_verify.audit.programs import NotBatched, hasty
from altpg_verify.audit.wrapped_loss import WrappedLoss
from altpg_verify.errors import BadEstimator, BadInput

NOISES = {"noise": torch_normals.drawing, "gumbels": torch_gumbels.drawing}
"""What a draw calls its noise -> the mode under which a loss that draws gets it."""

OF_NOISE = frozenset(
    {
        "noise",
        "gumbels",
        "relaxed",
        "one_hot",
        "action",
        "actions",
        "latents",
        "clipped_actions",
        "reward",
        "rewards",
        "r",
        "logprobs",
        "old_logprobs",
        "ref_logprobs",
    }
)
"""What belongs to the noise of a draw: a loss that draws for itself asks for none of it."""


class TorchLoss(WrappedLoss):
    """A loss as a function (parameter groups, draw) -> ascent direction for each group, float64 and
    shaped like the group.

    Args:
        loss: a function of tensors that returns a scalar tensor to be minimised. It asks by name
            for parameter groups and for the draw's arrays. Or an `nn.Module` whose `forward` is
            that function of the draw; its parameters are the groups.
        modules: argument name -> `nn.Module` that the loss takes; its parameters are groups named
            `argument.parameter`. Modules are copied; yours stay as they are.
        trained: groups that must get a gradient; without it, one at least must.
        seed: fixes the loss's own randomness at this seed, in place of refusing it.
        name: how messages call it.
        torch: the module, loaded when the loss is wrapped.
        who: how messages begin.
        drew: some call so far has moved a random generator, and no seed is fixed.
        pathless: whether a loss without a path to the parameters has the gradient 0, in place of
            being refused.
        casts: what was evaluated in float64 although the loss asks for fewer digits, so far.
        cut: where such a loss lost its path, on the first draw on which it had none; empty if it
            always had one.
        reaches: on some draw it had one.
        samples: it drew normal numbers without gradients, as `sample` does, on some draw of a space
            that has noise.

    The first call for each set of shapes is a probe: it runs the loss twice and looks for
    everything in `unusable`.
    """

    def __init__(
        self,
        loss: Callable[..., Any],
        *,
        modules: Mapping[str, Any] | None = None,
        trained: Sequence[str] | None = None,
        seed: int | None = None,
        name: str | None = None,
        pathless: bool = False,
    ) -> None:
        self.torch = _torch()
        self.pathless, self.cut, self.reaches = pathless, "", False
        self.name = name or loss_validation.name_of(loss)
        self.who = f"torch loss {self.name!r}"
        self.trained, self.seed = tuple(trained or ()), seed
        # casts to float32 that lost nothing so far are watched at every draw
        self._narrows = False
        self.casts: set[str] = set()
        if not callable(loss):
            raise BadEstimator(
                f"{self.who} is a {type(loss).__name__}, not a function; write a function of"
                " tensors that returns the loss"
            )
        whole = isinstance(loss, self.torch.nn.Module)
        self.modules = {
            key: self._copied(module)
            for key, module in ({"": loss} if whole else dict(modules or {})).items()
        }
        self.loss: Any = self.modules[""] if whole else loss
        self._buffers = {
            key: copy.deepcopy(dict(module.named_buffers())) for key, module in self.modules.items()
        }
        self._probed: set[tuple[Any, ...]] = set()
        # functions of the draw that it asks for; what it asks for that belongs to the draw's noise;
        # and whether it draws by `sample`
        self._functions: dict[str, Any] = {}
        self._beside: tuple[str, ...] = ()
        self.samples = False

    @property
    def function(self) -> Callable[..., Any]:
        """What has the signature: the loss, or the module's `forward`."""
        return self.loss.forward if "" in self.modules else self.loss

    @property
    def partly(self) -> tuple[str, ...]:
        """What a verdict says of a loss that has a path on some draws only."""
        return (
            (f"on some draws nothing is learned: {self.cut}",) if self.cut and self.reaches else ()
        )

    @property
    def groups(self) -> dict[str, np.ndarray]:
        """The parameters of the wrapped modules, as they were when wrapped; empty for a loss of
        plain tensors.
        """
        return {
            name: values.detach().cpu().numpy().copy()
            for name, values in self._own_parameters().items()
        }

    def __call__(self, params: Mapping[str, Any], draw: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """The ascent direction, minus the gradient of the loss, at one draw.

        Raises:
            BadInput, BadEstimator: with one sentence that says what to change.
        """
        with self._as_before():
            groups, arrays = self._checked(params, draw)
            self._probe(groups, arrays)
            return self._once(groups, arrays)[0]

    def together(
        self,
        params: Mapping[str, np.ndarray],
        draw: Mapping[str, Any],
        stacked: Collection[str],
        count: int,
    ) -> dict[str, np.ndarray]:
        """The ascent directions at many draws, each group with a leading axis of draws.

        Args:
            params, draw: as for one draw, those in `stacked` with a leading axis.
            stacked: names that differ from draw to draw.
            count: how many draws.

        Raises:
            NotBatched: the loss can't be run on many draws at once.
            BadInput, BadEstimator: as for one draw.
        """
        torch = self.torch
        first = {
            name: values[0] if name in stacked else values
            for name, values in {**draw, **params}.items()
        }
        single = self._checked(
            {name: first[name] for name in params}, {name: first[name] for name in draw}
        )
        if not self._known(*single):
            with self._as_before():
                self._probe(*single)
        with self._as_before():
            groups = {name: np.array(values, dtype=np.float64) for name, values in params.items()}
            # the tensors are copies of them
            arrays = loss_validation.draw_arrays(draw, single[1], self.who, copy=False)
            # each draw has leaves of its own, so that one backward pass gives the gradient on every
            # draw
            whole = {
                name: values if name in stacked else np.broadcast_to(values, (count, *values.shape))
                for name, values in groups.items()
            }
            leaves = {
                name: torch.tensor(values, dtype=torch.float64, requires_grad=True)
                for name, values in whole.items()
            }
            data = {name: torch.tensor(values) for name, values in arrays.items()}
            self._seed(self.seed)
            axes = {name: 0 if name in stacked else None for name in data}
            try:
                values, lost = torch.func.vmap(self._scalar, in_dims=(0, axes), randomness="error")(
                    leaves, data
                )
                none = self.pathless and not values.requires_grad
                with self._widened():
                    found = (
                        (None,) * len(leaves)
                        if none
                        else torch.autograd.grad(
                            values.sum(), list(leaves.values()), allow_unused=True
                        )
                    )
                if any(each is not None for each in found):
                    self.reaches = True
                elif self.pathless and not self.cut:
                    # one draw alone says where the path is cut
                    self._once(*single)
            except (BadInput, NotBatched):
                raise
            except Exception as error:
                raise NotBatched(torch_faults.not_batched(error)) from error
            after = {name: each.detach().numpy() for name, each in (*leaves.items(), *data.items())}
            loss_validation.unchanged({**whole, **arrays}, after, groups, self.who)
            if bool(lost.any()):
                raise BadEstimator(torch_faults.in_float32(self.who))
            if not bool(torch.isfinite(values).all()):
                raise NotBatched("isn't finite on some draw")
            return {
                name: np.zeros(whole[name].shape) if each is None else -each.numpy()
                for name, each in zip(leaves, found, strict=True)
            }

    def _scalar(self, leaves: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[Any, Any]:
        """The loss as a function of all its tensors, and whether digits were lost on the way."""
        torch = self.torch
        watch = torch_faults.narrowing(torch) if self._narrows else contextlib.nullcontext()
        own = self._own_parameters()
        inside = {name: values for name, values in leaves.items() if name in own}
        unlooked = (
            torch_faults.unvalidated(torch)
            if NOISES.keys() & data.keys()
            else contextlib.nullcontext()
        )
        keeping = torch_unread.keeping(torch)
        with watch as seen, self._widened(), self._drawing(data), unlooked, keeping:
            if "" in self.modules:
                result = torch.func.functional_call(
                    self.loss, inside, args=(), kwargs=self._asked(leaves, data, leaves)
                )
            elif inside:
                result = torch.func.functional_call(
                    torch_faults.holding(
                        torch,
                        self.modules,
                        lambda **modules: self.loss(**self._asked(leaves, data, leaves, modules)),
                    ),
                    {f"held.{name}": values for name, values in inside.items()},
                    args=(),
                )
            else:
                result = self.loss(**self._asked(leaves, data, leaves))
        keeping.close()
        if (
            not isinstance(result, torch.Tensor)
            or result.numel() != 1
            or result.dtype is not torch.float64
        ):
            raise NotBatched("returns no single float64 number")
        return result.reshape(()), torch.zeros((), dtype=torch.bool) if seen is None else seen.lost

    def value(self, params: Mapping[str, Any], draw: Mapping[str, Any]) -> float:
        """The loss itself at one draw."""
        with self._as_before():
            groups, arrays = self._checked(params, draw)
            return self._once(groups, arrays)[1]

    def _checked(
        self, params: Mapping[str, Any], draw: Mapping[str, Any]
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        groups = loss_validation.float64_groups(params, self.who)
        self._refuse_unusable(groups, draw)
        for name, values in self._own_parameters().items():
            if name not in groups:
                raise BadInput(
                    f"{self.who}: the module's parameter {name!r} isn't given; start from `.groups`"
                )
            if tuple(values.shape) != groups[name].shape:
                raise BadInput(
                    f"{self.who}: {name!r} has shape {groups[name].shape}, but the module's is"
                    f" {tuple(values.shape)}"
                )
        differentiated = () if "" in self.modules else (*self._plain(groups), *self.modules)
        asked = loss_validation.asked_of_draw(self.function, differentiated, draw, self.who)
        self._functions = {name: draw[name] for name in asked if name == "reward_function"}
        drawn = [name for name in NOISES if name in draw]
        self._beside = tuple(name for name in asked if name in OF_NOISE) if drawn else ()
        hidden = tuple(name for name in drawn if name not in asked)
        return groups, loss_validation.draw_arrays(
            draw, (*(each for each in asked if each not in self._functions), *hidden), self.who
        )

    def _plain(self, groups: Mapping[str, Any]) -> tuple[str, ...]:
        """The groups that the loss takes as tensors."""
        own = self._own_parameters()
        return tuple(name for name in groups if name not in own)

    def _known(self, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray]) -> bool:
        """Whether these shapes needn't be probed."""
        return hasty() or _shapes(groups, arrays) in self._probed

    def _probe(self, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray]) -> None:
        if self._known(groups, arrays):
            return
        self._probing = True
        self._seed(loss_validation.SEEDS[0])
        first = self._once(groups, arrays, watch=True)[0]
        self._seed(loss_validation.SEEDS[0])
        loss_validation.same_twice(first, self._once(groups, arrays)[0], self.who, reseeded=False)
        self._seed(loss_validation.SEEDS[1])
        loss_validation.same_twice(first, self._once(groups, arrays)[0], self.who, reseeded=True)
        self._probed.add(_shapes(groups, arrays))

    def _once(
        self, groups: dict[str, np.ndarray], arrays: dict[str, np.ndarray], *, watch: bool = False
    ) -> tuple[dict[str, np.ndarray], float]:
        torch = self.torch
        leaves = {
            name: torch.tensor(values, dtype=torch.float64, requires_grad=True)
            for name, values in groups.items()
        }
        data = {name: torch.tensor(values) for name, values in arrays.items()}
        wanted = self._load(leaves)
        seen = torch_faults.watcher(torch) if watch or self._narrows else None
        self._seed(self.seed)
        with (
            self._explained(groups, arrays),
            seen or contextlib.nullcontext(),
            self._widened(),
            self._drawing(data),
        ):
            result = self.loss(**self._asked(leaves, data, groups))
            if self.pathless and not self.trained and torch_faults.is_number(torch, result):
                return self._nothing(result, groups, arrays)
            torch_faults.check_result(torch, result, seen, data, self.who)
            loss_validation.scalar_value(float(result.detach()), self.who, arrays)
            found = self._backward(result, list(wanted.values()))
            if self.pathless and not self.trained and all(each is None for each in found):
                return self._nothing(result, groups, arrays)
        self.reaches = True
        if seen:
            self._narrows = seen.narrows
        after = {name: values.detach().numpy() for name, values in (*wanted.items(), *data.items())}
        loss_validation.unchanged({**groups, **arrays}, after, groups, self.who)
        if watch:
            self._check_reached(dict(zip(wanted, found, strict=True)))
        gradient = {
            name: (
                np.zeros_like(groups[name])
                if values is None
                else -values.detach().cpu().numpy().astype(np.float64)
            )
            for name, values in zip(wanted, found, strict=True)
        }
        loss_validation.finite_gradient(gradient, self.who, arrays)
        return {name: gradient.get(name, np.zeros_like(groups[name])) for name in groups}, float(
            result.detach()
        )

    @staticmethod
    def _backward(result: Any, leaves: list[Any]) -> list[Any]:
        """The gradients as training has them, from the result's own `backward`, with every hook and
        with what the loss has added to them before.
        """
        result.backward(inputs=leaves)
        found = [None if each.grad is None else each.grad.detach().clone() for each in leaves]
        for each in leaves:
            each.grad = None
        return found

    def _nothing(
        self, result: Any, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
    ) -> tuple[dict[str, Any], float]:
        """What is learned of a loss without a path to the parameters."""
        value = float(result.detach() if isinstance(result, self.torch.Tensor) else result)
        loss_validation.scalar_value(value, self.who, arrays)
        self._note_cut(groups, arrays)
        return {name: np.zeros_like(values) for name, values in groups.items()}, value

    def _note_cut(self, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]) -> None:
        """Where the path is cut, found by running the loss again without each of the cuts."""
        if self.cut:
            return

        def run() -> tuple[Any, list[Any]]:
            leaves = {
                name: self.torch.tensor(values, dtype=self.torch.float64, requires_grad=True)
                for name, values in groups.items()
            }
            wanted = self._load(leaves)
            data = {name: self.torch.tensor(values) for name, values in arrays.items()}
            with self._drawing(data):
                return self.loss(**self._asked(leaves, data, groups)), list(wanted.values())

        self.cut = torch_cuts.why_no_path(self.torch, run, self.who)

    @contextlib.contextmanager
    def _widened(self) -> Iterator[None]:
        """Casts to fewer digits mean float64, and what is compiled runs as it was written."""
        eager = (
            self.torch.compiler.set_stance("force_eager")
            if "torch._dynamo" in sys.modules
            else contextlib.nullcontext()
        )
        widening = torch_casts.also_backward(self.torch, torch_casts.widening(self.torch))
        with eager, widening as mode:
            try:
                yield
            finally:
                self.casts |= mode.seen

    @contextlib.contextmanager
    def _drawing(self, data: Mapping[str, Any]) -> Iterator[None]:
        """Normal numbers that the loss draws are the draw's noise, if it has one."""
        name = next((each for each in NOISES if each in data), None)
        if name is None:
            yield
            return
        with NOISES[name](self.torch, data[name], self._beside, self.who) as mode:
            try:
                yield
            finally:
                self.samples = self.samples or mode.cuts

    def _asked(
        self,
        leaves: Mapping[str, Any],
        data: Mapping[str, Any],
        groups: Mapping[str, Any],
        modules: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """What the loss asks for by name: tensors, or whole modules."""
        names = inspect.signature(self.function).parameters
        data = {
            **{name: values for name, values in data.items() if name in names},
            **self._functions,
        }
        if "" in self.modules:
            return dict(data)
        taken = self.modules if modules is None else modules
        return {
            **loss_validation.takes(
                self.loss, {**{name: leaves[name] for name in self._plain(groups)}, **taken}
            ),
            **data,
        }

    def _load(self, leaves: dict[str, Any]) -> dict[str, Any]:
        """The tensors to differentiate: plain groups, and the modules' parameters set to the values
        given.
        """
        wanted = dict(leaves)
        with self.torch.no_grad():
            for name, own in self._own_parameters().items():
                own.copy_(leaves[name])
                wanted[name] = own
            for key, module in self.modules.items():
                for name, buffer in module.named_buffers():
                    buffer.copy_(self._buffers[key][name])
        return wanted

    def _own_parameters(self) -> dict[str, Any]:
        return {
            (f"{key}.{name}" if key else name): values
            for key, module in self.modules.items()
            for name, values in module.named_parameters()
        }

    def _copied(self, module: Any) -> Any:
        if not isinstance(module, self.torch.nn.Module):
            raise BadInput(
                f"{self.who}: `modules` holds a {type(module).__name__}; give nn.Module objects"
            )
        try:
            return copy.deepcopy(module).to(device="cpu", dtype=self.torch.float64)
        except RuntimeError as error:
            raise BadInput(
                f"{self.who}: the module can't be copied ({loss_validation.one_line(error)}); build"
                " it without running it first"
            ) from error

    def _check_reached(self, found: Mapping[str, Any]) -> None:
        missing = [name for name, values in found.items() if values is None]
        lost = [name for name in self.trained if name in missing]
        if lost:
            raise BadEstimator(
                f"{self.who}: group {lost[0]!r} is declared as trained but gets no gradient (None);"
                " is it detached, or not used?"
            )
        if len(missing) == len(found):
            raise BadEstimator(
                f"{self.who} has no path to the parameters {', '.join(found)}; is it made from"
                " copies of them?"
            )

    @contextlib.contextmanager
    def _explained(
        self, groups: Mapping[str, np.ndarray], arrays: Mapping[str, np.ndarray]
    ) -> Iterator[None]:
        try:
            yield
        except BadInput:
            raise
        except Exception as error:
            raise torch_faults.explained(
                error, self.who, loss_validation.shapes({**groups, **arrays})
            ) from error

    @contextlib.contextmanager
    def _as_before(self) -> Iterator[None]:
        """Torch computes in float64 with gradients on, and finds generators and default dtype as
        they were afterwards.
        """
        torch = self.torch
        dtype, generator = torch.get_default_dtype(), torch.get_rng_state()
        before = torch.get_num_threads()
        try:
            # a pool of threads only waits for itself where arrays are small, and on a busy machine
            # where they are large
            torch.set_num_threads(1)
            torch.set_default_dtype(torch.float64)
            with (
                self._generators_kept(lambda: not torch.equal(torch.get_rng_state(), generator)),
                torch.inference_mode(False),
                torch.enable_grad(),
            ):
                yield
        finally:
            torch.set_num_threads(before)
            torch.set_default_dtype(dtype)
            torch.set_rng_state(generator)

    def _seed(self, seed: int | None) -> None:
        if seed is not None:
            self.torch.manual_seed(seed if self.seed is None else self.seed)
        super()._seed(seed)


def _shapes(*given: Mapping[str, np.ndarray]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, array.shape) for each in given for name, array in each.items())


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise BadInput(
            "a torch loss needs PyTorch, which isn't installed: pip install 'altpg-verify[torch]'"
        ) from error
    return torch
