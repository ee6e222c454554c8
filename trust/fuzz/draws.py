"""How Hypothesis draws inputs here: the same ones in every run, and as slowly as they are read."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def drawn(examples: int) -> settings:
    """Settings for so many inputs."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
