"""Online actor-critic agents (paper, appendices F and G): `linear` with tile coding, and `neural`;
`outcome` is what both report.

Of the linear agents: `mountain_car` and `acrobot` are the tasks, each a step of many runs at once,
`tiles` their features, `policies` softmax and escort, `estimate` the estimator, `loop` the
algorithm, and `lanes` where each number lies.
"""
