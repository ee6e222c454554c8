"""Online actor-critic agents (paper, appendices F and G): linear with tile coding, and neural.

    outcome       what n runs of an agent did, in equal bins of steps
    linear        the linear agents: their settings, and `simulate`
    mountain_car, acrobot   the tasks, each a step of many lanes at once
    policies      softmax and escort, with entropy
"""
