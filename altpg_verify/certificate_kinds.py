"""Which kinds of certificates the judges accept, and how they are checked again: by this project's own
code only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from altpg_verify.folders import own


class Checkable(Protocol):
    """A certificate: data plus a check that shares no code with what produced it, so that a fault
    in the search for a proof can't pass for a proof.
    """

    def recheck(self) -> bool:
        """Whether the data prove the statement, decided anew; anything but True is a refusal."""


Kind = TypeVar("Kind", bound=type)

CHECKS: dict[type, Callable[[Any], bool]] = {}


def certificate_kind(kind: Kind) -> Kind:
    """Class decorator: certificates of exactly this class are accepted by the judges, and checked
    by its `recheck` as it stands now.

    The check is looked up once, here, so that replacing `recheck` on the class or on a certificate
    later changes nothing. Its code must lie in this project's own folders.

    Raises:
        TypeError: the check isn't this project's own code: what says of itself that it is a proof
            is none.
    """
    check = vars(kind).get("recheck")
    file = getattr(getattr(check, "__code__", None), "co_filename", "")
    if not any(Path(file).resolve().is_relative_to(folder) for folder in own("theory")):
        raise TypeError(
            f"{kind.__name__} is checked by code of its own; the judges accept the project's kinds"
            " of certificates only"
        )
    CHECKS[kind] = check  # type: ignore[assignment]
    return kind


def accepted(certificate: Any) -> bool:
    """Whether it is of a registered kind and passes its re-check."""
    check = CHECKS.get(type(certificate))
    return check is not None and check(certificate) is True


def refused(certificate: Any) -> str:
    """What is said of one that isn't accepted."""
    return (
        str(certificate)
        if type(certificate) in CHECKS
        else f"{type(certificate).__name__} is no known kind of certificate"
    )
