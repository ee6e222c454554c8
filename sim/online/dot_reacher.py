"""DotReacher (paper, appendix G): a dot in the square [-1, 1]² looks for a goal.

It starts anywhere in the square, uniformly. Each of the nine actions moves it by 0.03 (or not)
along each axis, clipped to the square, and costs 0.01, the last one too. The goal is reached when
both coordinates are within 0.1 of it. An episode is cut after 1000 steps. State: the two
coordinates.
"""

from __future__ import annotations

ACTIONS = 9
STAY = 4
"""The action that doesn't move."""
STRIDE = 0.03
COST = 0.01
TOLERANCE = 0.1
CUT = 1000
"""As the text says; the library that it names cuts after 1001."""

DIRECTIONS = ((-1, 1), (0, 1), (1, 1), (-1, 0), (0, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
MOVES = {"text": DIRECTIONS, "library": ((-1, -1), *DIRECTIONS[1:])}
"""The directions of the actions: eight different ones and none, or, as in the library at the time,
(-1, -1) twice and no (-1, 1).
"""

CENTRE = (0.0, 0.0)
CORNERS = ((-1.0, -1.0), (1.0, 1.0))
"""The goal; and where the non-stationary task has it before and after half-time."""
