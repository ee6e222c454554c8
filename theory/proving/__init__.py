"""The machinery of proof, which knows no subject: a derivation as certified lines, and how its
certificates are checked again.

- notation, calculus: the symbols as sympy objects; expectation, variance and derivative for every
  number of actions
- proof: a derivation as a list of certified lines; `derivation` makes it evidence
- certificates, finite_sums, indicators: what is stored of a line, and where the cofactors of sums
  and indicators come from
- expression_trees, formula_text, expansion_bound: formulas as the kernel reads them, as text, and
  how large they would get
- kernel: checks a stored identity again: standard library only
- exponential_check, chain_check, cover_check, instance_check: the same for the other kinds of
  certificates
- certificate_statements, certificate_store, certificate_recheck: certificates in words, as files,
  and `python -m altpg_verify.theory recheck`
"""
