"""Somebody's function is an untrusted program: what it raises, remembers, draws and writes, and
what of it never ran.
"""
