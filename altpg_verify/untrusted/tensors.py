"""What a torch tensor holds, read without a crash whatever sort of tensor it is: also one whose
contents nobody can read.
"""

from __future__ import annotations

import sys
from typing import Any

from altpg_verify.untrusted.contents import is_a


class Unreadable:
    """The token of an object that keeps its place where nobody can read it; it is equal to no
    other.
    """


ESCAPED = ("tensor", "of many draws at once")
"""The token of a tensor that a loss kept of a call on many draws at once: torch lets nobody read it
afterwards, the loss neither.
"""


def is_tensor(value: Any) -> bool:
    """Whether it is torch's, where torch was imported at all."""
    torch = sys.modules.get("torch")
    return torch is not None and is_a(value, getattr(torch, "Tensor", ()))


def token_of(value: Any) -> Any:
    """Something that is equal for equal contents."""
    try:
        plain = _plain(value)
        return ("tensor", tuple(plain.shape), str(plain.dtype), _bytes(plain))
    except Exception:
        return ESCAPED if _escaped(value) else Unreadable()


def copy_of(value: Any, most: int | None = None) -> Any:
    """Its contents by themselves; None if they can't be had, or if they are more entries than
    `most`.
    """
    try:
        plain = _plain(value).detach()
        return plain.clone() if most is None or plain.numel() <= most else None
    except Exception:
        return None


def put_back(value: Any, saved: Any) -> None:
    """Give it the contents of a copy, if it has others."""
    torch = sys.modules["torch"]
    if token_of(value) != token_of(saved):
        with torch.no_grad():
            _plain(value).detach().copy_(saved)


def _plain(value: Any) -> Any:
    """Without what a class of somebody's own makes of it."""
    torch = sys.modules["torch"]
    if type(value) is torch.Tensor:
        return value
    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.as_subclass(value, torch.Tensor)


def _bytes(value: Any) -> bytes:
    torch = sys.modules["torch"]
    plain = value.detach()
    if plain.is_meta:
        return b""
    if plain.layout != torch.strided:
        # the entries that are stored, and where
        return b"".join(map(_bytes, _parts(plain)))
    plain = plain.cpu().resolve_conj().resolve_neg().contiguous()
    # not every type of number has one in numpy
    return bytes(plain.reshape(-1).view(torch.uint8).numpy().tobytes())


def _parts(value: Any) -> tuple[Any, ...]:
    names = {
        "torch.sparse_coo": ("_indices", "_values"),
        "torch.sparse_csr": ("crow_indices", "col_indices", "values"),
        "torch.sparse_bsr": ("crow_indices", "col_indices", "values"),
        "torch.sparse_csc": ("ccol_indices", "row_indices", "values"),
        "torch.sparse_bsc": ("ccol_indices", "row_indices", "values"),
    }[str(value.layout)]
    return tuple(getattr(value, name)() for name in names)


def _escaped(value: Any) -> bool:
    functorch = getattr(sys.modules["torch"]._C, "_functorch", None)
    asked = getattr(functorch, "is_functorch_wrapped_tensor", None)
    return asked is not None and bool(asked(value))
