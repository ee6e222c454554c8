"""Appendix B.1: a tree of partial sums, in which an action is drawn and a preference changed in
logarithmic time.

Found: Action-Select draws rightly from every tree. Not as printed: the middle of a list of even
length, and three things about Fix- Upstream, which leaves out its first node, is called with a
difference of preferences and not of their exponentials, and has the condition of its loop the wrong
way round.

- claims, claims_complexity, claims_in_practice: the algorithms, the table of costs, and the tree
  in double precision
- action_select: that the drawn action's interval holds the key, by induction
- cases_as_executed, cases_trees, cases: the algorithms line by line, on trees in fractions,
  against a plain reference
- cases_costs: the costs, counted
"""
