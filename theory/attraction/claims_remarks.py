"""Appendix B.3, what the text draws from theorem 1; B.4, the example with an optimistic
baseline.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="B.3 Proofs: the alternate estimator utilizes its biasedness")
_example = partial(
    Claim,
    section="B.4 Example: optimistic initialization helps the alternate estimator",
    required_evidence=("enumeration",),
)
_BOTH = ("derivation", "enumeration")

REMARKS = (
    _claim(
        "true-gradient-reaches-optimal-corner",
        829,
        statement="The true gradient updates the policy exactly towards the optimal corner.",
        kind="dynamics",
        given=(
            (
                "towards: the policy comes closer to the corner, in $- log pi$ of its action as in"
                " Euclidean distance; small steps"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "true-gradient-flow-reaches-optimal-corner",
        829,
        statement=(
            "In the limit of many small updates the true gradient brings the policy to the optimal"
            " corner."
        ),
        kind="dynamics",
        given=("gradient flow; the best action is unique",),
        required_evidence=("derivation",),
        corrects="true-gradient-reaches-optimal-corner",
        adds=(
            "the limit of many updates: on its way from $(0.30, 0.69, 0.01)$ the policy first moves"
            " away from the optimal corner"
        ),
    ),
    _claim(
        "pi-star-close-to-optimal-corner",
        829,
        statement="The biased update moves the policy towards a point close to the optimal corner.",
        kind="inequality",
        given=("close: closer to this corner than to the uniform policy, in Euclidean distance",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "pi-star-nearest-to-optimal-corner",
        829,
        statement=(
            "The biased update moves the policy towards a point that is closer to the optimal"
            " corner than to any other corner."
        ),
        kind="inequality",
        given=("optimistic baseline; the best action is unique; Euclidean distance",),
        required_evidence=_BOTH,
        depends_on=("pi-star-prefers-best-action",),
        corrects="pi-star-close-to-optimal-corner",
        adds=(
            "closer than to the other corners: $pi^*$ is closer still to the uniform policy,"
            " already for $bold(r) = (1, 2, 3)$ and $b = 4$, and tends to it as $b$ grows"
        ),
    ),
    _claim(
        "true-gradient-slow-when-saturated",
        829,
        statement=(
            "The true gradient update can be vanishingly small in saturated regions and therefore"
            " take an excessive amount of time to escape saturation."
        ),
        kind="dynamics",
        given=("gradient flow from preferences $(M, 0, 0)$: excessive means exponential in $M$",),
        required_evidence=("derivation",),
        depends_on=("saturated-gradient-bound",),
    ),
    _claim(
        "biased-update-larger-when-saturated",
        829,
        statement="The biased update will have a much larger update magnitude.",
        kind="inequality",
        given=(
            (
                "a hypothesis of the authors; near a corner $c$ with $b != r(c)$; the ratio of the"
                " norms of the expected updates"
            ),
        ),
        required_evidence=_BOTH,
        depends_on=("saturated-gradient-bound", "alternate-with-baseline-at-corner"),
    ),
    _claim(
        "biased-update-escapes-faster",
        829,
        statement="And therefore result in a faster escape.",
        kind="dynamics",
        given=(
            (
                "a hypothesis of the authors; optimistic baseline; time to leave the corner's"
                " neighbourhood along the expected update"
            ),
        ),
        required_evidence=("derivation",),
        depends_on=("biased-update-larger-when-saturated",),
    ),
)

_BANDIT = (
    (
        "$bold(r) = [0 space 0 space 1]^top$, $bold(pi) = [1 space 0 space 0]^top$, $R = r(A) +"
        " epsilon$, $b = delta$"
    ),
    "the agent samples $A = a_0$ at each timestep",
)

EXAMPLE = (
    _example(
        "optimistic-example-gradient-zero",
        836,
        statement=(
            "$nabla_bold(theta) cal(J)_pi = bold(pi) dot.o (bold(r) - r_pi bold(1)) = "
            "[1 space 0 space 0]^top dot.o [0 space 0 space 1]^top = [0 space 0 space 0]^top$"
        ),
        kind="example",
        label="eg: saturated_pg_opti",
        given=_BANDIT,
    ),
    _example(
        "optimistic-example-regular-zero",
        837,
        statement=(
            '$hat(bold(g))^"REG" (A, R) = (R - b) (bold(e)_A - bold(pi)) = (epsilon - delta) dot '
            "([1 space 0 space 0]^top - [1 space 0 space 0]^top) = [0 space 0 space 0]^top$"
        ),
        kind="example",
        label="eg: saturated_pg_opti",
        given=_BANDIT,
    ),
    _example(
        "optimistic-example-alternate",
        838,
        statement=(
            '$hat(bold(g))^"ALT" (A, R) = (R - b) bold(e)_A = (epsilon - delta) dot [1 space 0'
            " space 0]^top = [(epsilon - delta) space 0 space 0]^top$"
        ),
        kind="example",
        label="eg: saturated_pg_opti",
        given=_BANDIT,
    ),
    _example(
        "baseline-signal-escapes",
        841,
        statement=(
            "With a positive baseline that can override the reward noise, the alternate estimator"
            " can use the signal from the baseline to escape the saturated policy region, without"
            " relying solely on the reward noise."
        ),
        kind="dynamics",
        given=(
            (
                "a constant baseline $b = delta$, above the noise: $epsilon <= s < delta$; $bold(r)"
                " = [0 space 0 space 1]^top$"
            ),
            (
                "escape: from preferences $(M, 0, 0)$ another action is drawn, or is as likely,"
                " within $n > M \\/ (alpha (delta - s))$ draws"
            ),
        ),
        depends_on=("optimistic-example-alternate",),
    ),
)
