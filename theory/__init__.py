"""What the paper claims, and why it is true or isn't: proofs for every number of actions, with
certificates anyone can check again.

A folder for each subject, with its claims as printed and corrected (`claims`, `claims_...`),
derivations (named for what they derive), and exact cases with the counterexamples (`cases`,
`cases_...`). A derivation never imports cases. What a folder's first lines say is what the paper
says, and what was found.

    gradients               sections 1 to 3: the gradient of a softmax bandit, and both estimators
    saturation              section 3, appendix B.2: reward noise near corners; propositions 1 and 2
    fixed_points            section 3, appendix B.3: the bias, and lemma 2.1
    attraction              theorem 1, and the KL divergence from π*
    visualisations          appendix B.5: plots of updates and variances
    sampling_tree           appendix B.1
    mdps                    section 5, appendices C.1 and C.2: REINFORCE, actor-critic, PPO, TRPO
    function_approximation  section 7, appendices C.3 and F
    entropy_escort          appendices C.4 and C.5
    experiments, chain      section 4 and 6, appendices D and E
    large_stepsizes         appendices G and H
    vector_calculus         appendix A
    extensions              beyond the paper

And what knows no subject:

    claims/                 all claims in order, what each line of the paper is judged by, and the
                            rule for "as printed"
    empirical               the wording of claims that runs decide
    proving/                notation, calculus, the language of derivations, certificates, and the
                            kernel that checks them again
    exact_cases/            arithmetic and judge of the exact cases
    smt/                    polynomial parts as SMT-LIB text, decided by z3 and cvc5
    coq/                    theorem 1, lemma 2.1 and more, for Coq
    certify/                certificates for a user's bandit or estimator
"""
