"""Appendix B.3: the bias, and that the biased update is the gradient of no function."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="B.3 Proofs: the alternate estimator utilizes its biasedness",
    kind="identity",
    required_evidence=_BOTH,
)
_ETA = "$bold(eta)$ and $b$ don't depend on the action"

NO_GRADIENT = (
    _claim(
        "bias-makes-policy-more-uniform",
        682,
        statement=(
            "For the alternate estimator, this bias helps make the policy more uniform, "
            "thereby moving the agent out of the saturated region."
        ),
        kind="dynamics",
        given=("this bias: that of any critic estimate $b != r_pi$, as the sentence before says",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "optimistic-bias-makes-policy-more-uniform",
        682,
        statement=(
            "With an optimistic baseline, the bias helps make a saturated policy more uniform: if"
            " $pi(c) > pi(a)$ for all $a != c$ and $b > r_pi$, adding the bias $(r_pi - b)"
            " bold(pi)$ to the preferences lowers $pi(c)$."
        ),
        kind="dynamics",
        given=("$k >= 2$, any positive stepsize",),
        depends_on=("biased-when-baseline-differs",),
        corrects="bias-makes-policy-more-uniform",
        adds=(
            "an optimistic baseline, $b > r_pi$: the bias of a pessimistic one makes the policy"
            " less uniform"
        ),
    ),
    _claim(
        "expected-update-any-eta",
        684,
        statement=(
            "$EE[(bold(e)_A - bold(eta)) (R - b)] = EE[bold(e)_A R] - EE[bold(e)_A b] - EE[R]"
            " bold(eta) + bold(eta) b = bold(pi) dot.o bold(r) - bold(pi) b - r_pi bold(eta) +"
            " bold(eta) b$"
        ),
        given=(_ETA,),
        depends_on=("mean-reward", "mean-basis-vector", "mean-basis-times-reward"),
    ),
    _claim(
        "expected-update-eta-pi",
        685,
        statement=(
            "$EE[(bold(e)_A - bold(eta)) (R - b)] = bold(pi) dot.o (bold(r) - r_pi bold(1))$ if"
            " $bold(eta) = bold(pi)$"
        ),
        label="eq: expected_gradient_bandit_updates",
        given=(_ETA,),
        depends_on=("expected-update-any-eta",),
    ),
    _claim(
        "expected-update-eta-zero",
        685,
        statement=(
            "$EE[(bold(e)_A - bold(eta)) (R - b)] = bold(pi) dot.o (bold(r) - b bold(1))$ if"
            " $bold(eta) = bold(0)$"
        ),
        label="eq: expected_gradient_bandit_updates",
        given=(_ETA,),
        depends_on=("expected-update-any-eta",),
    ),
    _claim(
        "expected-updates-differ",
        689,
        statement=(
            '$nabla_bold(theta) cal(J) = EE[hat(bold(g))^"REG" (A, R)] = bold(pi) dot.o (bold(r) -'
            ' r_pi bold(1)) != bold(pi) dot.o (bold(r) - b bold(1)) = EE[hat(bold(g))^"ALT" (A,'
            " R)]$"
        ),
        kind="inequality",
        given=("$b != r_pi$",),
        depends_on=("expected-update-eta-pi", "expected-update-eta-zero"),
    ),
    _claim(
        "biased-update-no-potential",
        694,
        statement=(
            "For no function $cal(L)$, $nabla_bold(theta) cal(L) = bold(pi) dot.o (bold(r) - b)$."
        ),
        label="thm: fixed_pt_biased_no_grad",
        required_evidence=("enumeration",),
    ),
    _claim(
        "biased-update-no-potential-corrected",
        694,
        statement=(
            "If two rewards differ, then for no function $cal(L)$, $nabla_bold(theta) cal(L) ="
            " bold(pi) dot.o (bold(r) - b)$."
        ),
        depends_on=("mixed-partials-disagree-corrected",),
        corrects="biased-update-no-potential",
        adds=(
            "two different rewards: if all are equal, $(r - b) log sum_a e^(theta_a)$ is a"
            " potential"
        ),
    ),
    _claim(
        "biased-update-modulo-shift",
        694,
        statement=(
            "If two rewards differ and $k >= 3$, then for no functions $cal(L)$ and $f$,"
            " $nabla_bold(theta) cal(L) = bold(pi) dot.o (bold(r) - b) + f bold(1)$: not even"
            " modulo the shift that leaves the policy unchanged."
        ),
        required_evidence=("derivation",),
        depends_on=("mixed-partials-of-biased-update",),
        extension=True,
    ),
    _claim(
        "biased-update-mirror-potential",
        694,
        statement=(
            "The biased update is the gradient with respect to $bold(pi)$, not $bold(theta)$, of"
            " $1/2 sum_a (r(a) - b) pi(a)^2$: exponentiated gradient ascent on this function."
        ),
        required_evidence=("derivation",),
        depends_on=("expected-alternate-with-baseline",),
        extension=True,
    ),
    _claim(
        "mixed-partials-of-biased-update",
        699,
        statement=(
            "If $(partial cal(L)) / (partial theta_a) = pi(a) dot (r(a) - b)$, then $(partial^2"
            " cal(L)) / (partial theta_c partial theta_a) = pi(a) [II(a = c) - pi(c)] (r(a) - b)$."
        ),
        depends_on=("softmax-jacobian",),
    ),
    _claim(
        "mixed-partials-disagree",
        699,
        statement=(
            "Then $(partial^2 cal(L)) / (partial theta_c partial theta_a) != (partial^2 cal(L)) /"
            " (partial theta_a partial theta_c)$ for $a != c$."
        ),
        kind="inequality",
        required_evidence=("enumeration",),
    ),
    _claim(
        "mixed-partials-disagree-corrected",
        699,
        statement=(
            "Then $(partial^2 cal(L)) / (partial theta_c partial theta_a) != (partial^2 cal(L)) /"
            " (partial theta_a partial theta_c)$ for $a != c$ with $r(a) != r(c)$."
        ),
        kind="inequality",
        depends_on=("mixed-partials-of-biased-update",),
        corrects="mixed-partials-disagree",
        adds="different rewards of the two actions: the difference is $pi(a) pi(c) (r(c) - r(a))$",
    ),
    _claim(
        "true-gradient-hessian",
        702,
        statement=(
            "$(partial^2 cal(J)) / (partial theta_c partial theta_a) = "
            "- pi(a) pi(c) [r(a) + r(c) - 2 r_pi] + pi(a) II(a = c) [r(a) - r_pi]$"
        ),
        given=("footnote; $nabla_bold(theta) cal(J) = bold(pi) dot.o (bold(r) - r_pi)$",),
        depends_on=("gradient-is-pi-times-advantage",),
    ),
    _claim(
        "true-gradient-hessian-symmetric",
        702,
        statement=(
            "$(partial^2 cal(J)) / (partial theta_c partial theta_a) = (partial^2 cal(J)) /"
            " (partial theta_a partial theta_c)$ for $a != c$"
        ),
        given=("footnote",),
        depends_on=("true-gradient-hessian",),
    ),
)
