"""Section 6: REINFORCE on the five-state chain."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import larger, read_as

_main = partial(
    Claim, section="6 Tabular-MDP experiments", kind="empirical", required_evidence=("simulation",)
)
PROTOCOL = (
    "five-state chain, $gamma = 0.9$, noise 1; $v_pi (s_3)$ over the last 10 of 100 episodes, 150"
    " runs, $alpha in {2^(-6), ..., 2^1}$, $beta in {2^(-4), ..., 2^1}$, each estimator at its best"
    " stepsizes"
)
_SATURATED = 'start $theta_mono("left") = 3$, learned values from 0'

CHAIN_MAIN = (
    _main(
        "chain-competitive-uniform",
        270,
        statement=(
            "The alternate PG estimator is competitive with the regular estimator in case of"
            " uniform policy initialization."
        ),
        given=(
            PROTOCOL,
            read_as(
                "alternate, and alternate less regular, uniform start, learned values from 0",
                "the first is above 0.339, the uniform policy's and a tenth of 0.81, the second"
                " above -0.04",
            ),
        ),
    ),
    _main(
        "chain-superior-saturated",
        270,
        statement="It is superior to it in case of sub-optimally saturated initialization.",
        given=(PROTOCOL, larger("alternate", "regular, " + _SATURATED)),
    ),
    _main(
        "chain-learned-baseline-best-of-all",
        270,
        statement=(
            "For the saturated initialization case, alternate with baseline is vastly superior to"
            " all the methods."
        ),
        given=(
            PROTOCOL,
            larger(
                "alternate with learned values",
                "each of the other four, expected PG among them, " + _SATURATED,
                0.1,
            ),
        ),
    ),
    _main(
        "chain-true-value-little-better",
        270,
        statement="Alternate with true $v_pi$ is a little better than the regular estimators.",
        given=(
            PROTOCOL,
            larger("alternate with true values", "both regular estimators, " + _SATURATED),
        ),
    ),
    _main(
        "chain-small-critic-steps-better",
        270,
        statement="Smaller $beta$ values have higher final performance.",
        given=(
            PROTOCOL,
            read_as(
                "alternate with learned values, mean over $alpha$, at $beta = 2^(-4)$ and $2^1$, "
                + _SATURATED,
                "the first is larger",
            ),
            (
                "no bootstrapping where an episode is cut, as the text says; with that of the"
                " authors' code both are nearly alike, and it is undecided"
            ),
        ),
    ),
    _main(
        "chain-optimism-helps",
        272,
        statement="Having an optimistic baseline significantly helps the alternate estimator.",
        given=(
            PROTOCOL,
            larger(
                "alternate from $b = +4$",
                'alternate from $b = 0$, start $theta_mono("left") = 3$',
                "0.08",
            ),
        ),
    ),
    _main(
        "chain-pessimism-hurts",
        272,
        statement="A pessimistic baseline hurts its performance.",
        given=(
            PROTOCOL,
            larger(
                "alternate from $b = 0$", 'alternate from $b = -4$, start $theta_mono("left") = 1$'
            ),
        ),
    ),
    _main(
        "chain-optimism-prefers-small-critic-steps",
        272,
        statement=(
            "The alternate estimator with the optimistic baseline prefers smaller critic stepsizes,"
            " and vice-versa for the pessimistic one."
        ),
        given=(
            PROTOCOL,
            read_as("the best $beta$ from $b = +4$ and from $b = -4$", "the first is smaller"),
        ),
    ),
    _main(
        "optimism-can-hurt",
        272,
        statement=(
            "For certain MDPs (where a uniform policy is bad for exploration) an optimistic"
            " baseline can also hurt its performance."
        ),
        given=(
            "the four-action chain, uniform start",
            larger("alternate from $b = 0$", "alternate from $b = +4$, 300 episodes"),
        ),
    ),
)
