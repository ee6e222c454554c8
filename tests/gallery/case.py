"""One case of the gallery: which module it is, which update heads it, and what the verdict
means.
"""

from __future__ import annotations

from dataclasses import dataclass

GALLERY = "tests.gallery.cases"
"""Where its modules are."""

FIXTURES = "altpg_verify.audit.fixtures"
"""Where its small spaces are."""


@dataclass(frozen=True)
class Case:
    """One public case on the page.

    Args:
        module: the numpy version in the gallery, or the torch version without its ending; a case is
            named for it.
        headline: the update whose whole audit is shown; of the others, one line each.
        means: the verdict in plain words.
        torch: whether the code on the page is a torch loss.
        numpy: whether there is a numpy version; a trainer's loss is torch alone.
    """

    module: str
    headline: str
    means: str
    torch: bool = True
    numpy: bool = True

    @property
    def code(self) -> str:
        """What `P08` stands for."""
        return self.module.partition("_")[0].upper()

    @property
    def shown(self) -> str:
        """The module on the page."""
        return f"{GALLERY}.{self.module}{'_torch' if self.torch else ''}"

    @property
    def title(self) -> str:
        """The case in words, from the name of its module."""
        return self.module.partition("_")[2].replace("_", " ")
