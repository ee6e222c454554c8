"""Tests of trust/: the figures and the command, and a small share of each part."""
