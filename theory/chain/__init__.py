"""The five-state chain: REINFORCE with a fixed and with a learned value, section 6 and appendix E.

Found: with a fixed value b in every state the fixed point isn't the lemma's, computed for each
state by itself, as printed; it solves the lemma's equation with q_π, is enclosed in rational
intervals, and repels nearby policies at a large stepsize. What training shows is judged from runs.

- claims, claims_experiments, claims_fixed_baseline: section 6 and appendix E
- fixed_point: the fixed point, found and enclosed
- bellman: the chain's values from its Bellman equations
- cases, cases_stepsize: exact values, the printed fixed point, and stability at a large stepsize
"""
