"""Certificates that a user asks for, with `python -m altpg_verify.theory certify`.

- simplex_cover: the change of D_KL(π*‖π) over the whole simplex of a named bandit
- user_certificates: unbiasedness, bias, conservativeness or an attracting fixed point of a user's
  own estimator
- user_formula: that estimator as one formula
"""
