"""The picture of README and site: `python docs/hooks/pictures.py` writes docs/pictures/simplex.svg."""

from __future__ import annotations

from pathlib import Path

PICTURE = Path(__file__).parents[1] / "pictures" / "simplex.svg"


def simplex() -> str:
    """The report's own figure, on white wherever it is shown."""
    from altpg_verify.report.simplex import draw

    return draw().replace("<svg ", '<svg style="background: white" ', 1)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(simplex(), encoding="utf-8")
    print(PICTURE.relative_to(Path.cwd()))
