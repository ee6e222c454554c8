"""Somebody's function as an untrusted program: what it raises, remembers, draws, writes and never
runs.
"""
