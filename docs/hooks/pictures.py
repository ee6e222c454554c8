"""The pictures of README and site: `python docs/hooks/pictures.py` writes those of `PICTURES` into
docs/pictures.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "pictures"


def simplex() -> str:
    """The report's own figure."""
    from altpg_verify.report.simplex import draw

    return draw()


def group_std() -> str:
    """The figure on page one of the report on an update: GRPO's division by the deviation of the
    group, on three arms.
    """
    from altpg_verify.report.own.audited.updates_at_policies import field_of
    from tests.gallery.cases.p11_group_std import grpo_on_three_arms

    field, _ = field_of(grpo_on_three_arms)
    figure = field.figure(()) if field is not None else None
    assert figure is not None
    return str(figure["svg"])


PICTURES = {"simplex": simplex, "group_std": group_std}
"""By the names of their files."""


def made(name: str) -> str:
    """A picture, on white wherever it is shown."""
    return PICTURES[name]().replace("<svg ", '<svg style="background: white" ', 1)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(made(name), encoding="utf-8")
        print((FOLDER / f"{name}.svg").relative_to(Path.cwd()))
