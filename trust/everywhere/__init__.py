"""Everywhere it says it runs: interpreters, oldest and newest dependencies, the built wheel, and
surroundings that trip programs up.

- matrix: the settings, declared beforehand
- interpreters: which of the declared interpreters are here
- packages: the wheel and the source archive as they would be released, and environments made for
  them
- surroundings: time zone, locale, hash seed, folder, a home that can't be written
- trial: the tests and the commands of one setting, and what they gave
- digests: what must come out the same everywhere; run by itself in a setting
- ordering: a pytest plugin, also run by itself: another order, the locale switched on
- part: the part of `python -m trust`: a share of the tests in each setting
- __main__: the whole suite in a setting: python -m trust.everywhere NAME
"""

from trust.everywhere.part import PART

__all__ = ["PART"]
