"""Reference losses and advantage estimators, each with its formula and source, and which of them a
user's update equals.

- sequences: a block of draws as (draws, prompts, members, steps) arrays
- group_formulas: advantages relative to a group, for numpy and torch alike
- advantages: what multiplies the score of a step
- surrogates: ratios, clips, divergence terms, and how tokens are added up
- recipes: a reference, made of an advantage, a surrogate, an aggregation and a divergence term
- algorithms: the published ones by name
- penalties: divergences in the loss, compared at once
- trials: where an update and a reference are compared, draw by draw
- variations: of what: policies, behaviours, rewards, sizes, constants
- identifying: `identify(update)`, and `conformance(update, "grpo")`
- candidates, comparison: which references there are for an update, and one of them against it
- identification, identification_words: what it found, and in words
- loss_numbers: the numbers that may stand in a loss
- equivalence: which references are the same function, and their names
"""

from __future__ import annotations
