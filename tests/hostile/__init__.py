"""Hostile programs: none is told to be what it is not."""
