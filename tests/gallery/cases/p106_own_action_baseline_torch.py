"""P106: COMA's counterfactual baseline with the term of the action that was taken alone, π(a) Q(a),
in place of the sum over the agent's actions, Σ π(b) Q(b), the others' actions held. A slip against
Foerster et al. 2018, equation 4.
"""

from altpg_verify.audit.games import game
from altpg_verify.audit.losses import loss

SPACE = game([[3, 0, 1], ["1/2", 1, -2]], pi=[["1/3", "2/3"], ["1/4", "1/2", "1/4"]])


@loss(space=SPACE, frozen=("pi",))
def own_action_only(theta, logprobs, actions, pi, counterfactual_q, central_q):
    terms = pi * counterfactual_q
    baseline = terms.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    return -((central_q - baseline) * logprobs).sum(-1)


@loss(space=SPACE, frozen=("pi",))
def counterfactual(theta, logprobs, pi, counterfactual_q, central_q):
    baseline = (pi * counterfactual_q).sum(-1)
    return -((central_q - baseline) * logprobs).sum(-1)


@loss(space=SPACE)
def mean_over_agents(theta, logprobs, team_rewards):
    return -(team_rewards * logprobs.mean(-1))


@loss(space=SPACE)
def independent(theta, logprobs, actions, agent_q, value):
    taken = agent_q.gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    return -((taken - value) * logprobs).sum(-1)
