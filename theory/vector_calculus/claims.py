"""Appendix A: rules of differentiation, expectation and variance for vectors."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_moments = partial(Claim, section="A.2 Expectation and variance of vector variables")
_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="A.1 Differentiation of vector variables",
    kind="identity",
    required_evidence=_BOTH,
)
_LAYOUT = (
    "$[nabla_bold(theta) bold(x)]_(i j) = (partial x_j) \\/ (partial theta_i)$, an $m times n$"
    " matrix"
)
_CHAIN = (
    "$bold(theta) in RR^m$, $bold(x) in RR^n$ a differentiable function of $bold(theta)$, $bold(y)$"
    " one of $bold(x)$; " + _LAYOUT
)

DIFFERENTIATION = (
    _claim(
        "gradient-is-transposed-jacobian",
        424,
        statement=(
            "$nabla_bold(theta) bold(x)(bold(theta))$ is the transpose of the usual Jacobian"
            " matrix, and reduces to the gradient vector if $bold(x)(bold(theta))$ is a scalar"
            " (i.e. $n = 1$)."
        ),
        given=(_LAYOUT,),
    ),
    _claim(
        "gradient-for-scalar-argument",
        426,
        statement=(
            "If $bold(theta)$ is a scalar (i.e. $m = 1$), then $nabla_theta bold(x)(theta) ="
            " [(partial x_1 (theta)) / (partial theta) space dots.c space (partial x_n (theta)) /"
            " (partial theta)]_(1 times n)$; if both are scalars, $nabla_theta x(theta) = (partial"
            " x(theta)) / (partial theta)$."
        ),
        given=(_LAYOUT,),
    ),
    _claim(
        "dot-product-rule",
        431,
        statement=(
            "$nabla_bold(theta) (bold(theta)^top bold(c)) = nabla_bold(theta) (bold(c)^top"
            " bold(theta)) = bold(c)$"
        ),
        label="prop: dot_product_grad",
        depends_on=("dot-product-component",),
    ),
    _claim(
        "dot-product-component",
        436,
        statement=(
            "$partial / (partial theta_k) bold(theta)^top bold(c) = partial / (partial theta_k)"
            " sum_(i=1)^m theta_i c_i = c_k$"
        ),
    ),
    _claim(
        "scalar-times-vector-rule",
        441,
        statement=(
            "$nabla_bold(theta) [alpha(bold(theta)) bold(x)(bold(theta))] = bold(x)(bold(theta))"
            " nabla_bold(theta) alpha(bold(theta))^top + alpha(bold(theta)) nabla_bold(theta)"
            " bold(x)(bold(theta))$"
        ),
        label="prop: scalar_vector_grad",
        given=(_LAYOUT,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "scalar-times-vector-rule-corrected",
        441,
        statement=(
            "$nabla_bold(theta) [alpha(bold(theta)) bold(x)(bold(theta))] = nabla_bold(theta)"
            " alpha(bold(theta)) bold(x)(bold(theta))^top + alpha(bold(theta)) nabla_bold(theta)"
            " bold(x)(bold(theta))$"
        ),
        given=(_LAYOUT,),
        depends_on=("scalar-times-vector-component",),
        corrects="scalar-times-vector-rule",
        adds=(
            "the transpose of the first term, as the last line of the proposition's own proof"
            " has it"
        ),
    ),
    _claim(
        "scalar-times-vector-component",
        446,
        statement=(
            "$(nabla_bold(theta) [alpha(bold(theta)) bold(x)(bold(theta))])_(i j) = partial /"
            " (partial theta_i) [alpha(bold(theta)) x_j (bold(theta))] = (partial"
            " alpha(bold(theta))) / (partial theta_i) x_j (bold(theta)) + alpha(bold(theta))"
            " (partial x_j (bold(theta))) / (partial theta_i)$"
        ),
        given=(_LAYOUT,),
    ),
    _claim(
        "scalar-times-vector-proof-conclusion",
        447,
        statement=(
            "$nabla_bold(theta) [alpha(bold(theta)) bold(x)(bold(theta))] = nabla_bold(theta)"
            " alpha(bold(theta)) bold(x)(bold(theta))^top + alpha(bold(theta)) nabla_bold(theta)"
            " bold(x)(bold(theta))$"
        ),
        given=(_LAYOUT,),
        depends_on=("scalar-times-vector-component",),
    ),
    _claim(
        "chain-rule",
        452,
        statement=(
            "$nabla_bold(theta) bold(y)(bold(x)(bold(theta))) = [nabla_bold(theta)"
            " bold(x)(bold(theta))] [nabla_(bold(x)(bold(theta))) bold(y)(bold(x)(bold(theta)))]$"
        ),
        label="prop: chain_rule_grad",
        given=(_CHAIN,),
        depends_on=("chain-rule-component-corrected",),
    ),
    _claim(
        "chain-rule-component",
        458,
        statement=(
            "$(nabla_bold(theta) bold(y)(bold(x)(bold(theta))))_(i j) = (partial y_j) / (partial"
            " theta_i) = sum_(k=1)^m (partial y_j) / (partial x_k) (partial x_k) / (partial"
            " theta_i)$"
        ),
        given=(_CHAIN,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "chain-rule-component-corrected",
        458,
        statement=(
            "$(nabla_bold(theta) bold(y)(bold(x)(bold(theta))))_(i j) = (partial y_j) / (partial"
            " theta_i) = sum_(k=1)^n (partial y_j) / (partial x_k) (partial x_k) / (partial"
            " theta_i)$"
        ),
        given=(_CHAIN,),
        corrects="chain-rule-component",
        adds=(
            "the sum runs to $n$, the length of $bold(x)$, in place of $m$, the length of"
            " $bold(theta)$"
        ),
    ),
    _claim(
        "chain-rule-column",
        459,
        statement=(
            "$(nabla_bold(theta) bold(y))_(dot j) = sum_(k=1)^m (partial y_j) / (partial x_k)"
            " nabla_bold(theta) x_k = nabla_bold(theta) bold(x) nabla_bold(x) y_j$"
        ),
        given=(_CHAIN,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "chain-rule-column-corrected",
        459,
        statement=(
            "$(nabla_bold(theta) bold(y))_(dot j) = sum_(k=1)^n (partial y_j) / (partial x_k)"
            " nabla_bold(theta) x_k = nabla_bold(theta) bold(x) nabla_bold(x) y_j$"
        ),
        given=(_CHAIN,),
        depends_on=("chain-rule-component-corrected",),
        corrects="chain-rule-column",
        adds="the sum runs to $n$, the length of $bold(x)$",
    ),
    _claim(
        "elementwise-rule",
        471,
        statement=(
            '$nabla_bold(theta) f(bold(theta)) = "diag"([(partial f(theta_1)) / (partial theta_1)'
            " space dots.c space (partial f(theta_m)) / (partial theta_m)]^top)$ for a function $f$"
            " applied elementwise"
        ),
        label="prop: elementwise_grad",
        given=(_LAYOUT,),
    ),
)

MOMENTS = (
    _moments(
        "expectation-is-elementwise",
        477,
        statement=(
            "The expectation $EE[bold(X)] := sum_bold(X) p(bold(X)) bold(X)$ is equivalent to the"
            " elementwise expectation, $EE[bold(X)] equiv [EE[X_1] space dots.c space"
            " EE[X_d]]^top$."
        ),
        kind="identity",
        required_evidence=_BOTH,
    ),
    _moments(
        "expectation-of-vector-function",
        477,
        statement="$EE[bold(f)(bold(Y))] = sum_bold(Y) p(bold(Y)) bold(f)(bold(Y))$",
        kind="identity",
        required_evidence=_BOTH,
        depends_on=("expectation-is-elementwise",),
    ),
    _moments(
        "variance-in-short-notation",
        479,
        statement=(
            "$VV[bold(X)] = EE[bold(X) dot.o bold(X)] - EE[bold(X)] dot.o EE[bold(X)]$ can be"
            " equivalently written as $VV[bold(X)] = EE[bold(X)^2] - EE[bold(X)]^2$ with $bold(x)^2"
            " := bold(x) dot.o bold(x)$."
        ),
        kind="identity",
        required_evidence=_BOTH,
    ),
)
