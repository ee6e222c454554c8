"""What the peers have in common: sizes and rules of the tasks, as the paper's appendices F and G
have them.
"""

from __future__ import annotations

CUT = 1000
"""Steps after which an episode is ended."""
TILINGS, TILES = 8, 4
STRIDE = 0.03
DIRECTIONS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""DotReacher's nine moves."""
