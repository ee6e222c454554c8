"""Tests of the online agents."""
