"""What the paper claims, and why it is true or isn't: proofs for every number of actions, with certificates anyone can check again.

Read in this order:

    claims/            every statement of the paper as printed, its corrections, and what goes beyond it
    notation           the letters, as sympy objects
    calculus           expectations, variances and derivatives of the estimators' one definition, for symbolic k
    proof              a derivation as a list of certified lines; `derivation` makes it evidence
    certificates       what is stored of a line; fsum finds the cofactors, trees writes formulas down
    kernel             checks a stored line again: standard library only, shares nothing with the above

    gradient, bias, moments, variance, saturation, conservative                    section 3 and its proofs
    fixed_baseline, fixed_points, kl, mgf, inequalities, stepsize, consequences    lemma 2.1 and theorem 1
    dynamics, remarks, entropy, policy_gradient, vector_calculus                   stability, escape, and the background
    worked_examples, numbers, chain_numbers                                        the paper's examples and the numbers of its experiments
    three_arms, chain                                                              the paper's two examples in exact numbers;
                                                                                   exponential_check and chain_check check them again
    store, statements, recheck                                                     certificates as files, and `python -m
    altpg_verify.theory recheck`
    simplex_cover, anyones                                                         any bandit's whole simplex; anyone's estimator;
                                                                                   cover_check and instance_check check them again
    smt/               polynomial parts as SMT-LIB text, decided by z3 and cvc5
    refutations/       the false statements, each with its smallest exact counterexample
    coq/               theorem 1 and lemma 2.1 once more, for Coq
"""
