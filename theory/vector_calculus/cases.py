"""Appendix A: the rules for vectors, on polynomials, with exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Number, Vec, basis, dot, join
from altpg_verify.theory.exact_cases.forward_mode import Dual, derivatives, dual, total_of
from altpg_verify.theory.exact_cases.statements import Statement


@dataclass(frozen=True)
class Functions:
    """A point theta, a scalar function alpha, a vector function x, and y as a function of x.

    Polynomials, so that values and derivatives are fractions; m and n differ where a transposed
    formula is to be told apart.

    Args:
        theta: (m,) the point.
        alpha: theta -> a number.
        x: theta -> (n,).
        y: x -> a vector.
        words: the functions in print.
    """

    theta: tuple[Number, ...]
    alpha: Callable[[list[Dual]], Dual]
    x: Callable[[list[Dual]], list[Dual]]
    y: Callable[[list[Dual]], list[Dual]]
    words: str

    @property
    def m(self) -> int:
        """The number of parameters."""
        return len(self.theta)

    @property
    def x_here(self) -> Vec:
        """(n,) x(theta)."""
        return Vec(*(component.value for component in self.x([dual(t) for t in self.theta])))

    @property
    def n(self) -> int:
        """The number of entries of x."""
        return len(self.x_here)

    @property
    def alpha_here(self) -> Fraction:
        """alpha(theta)."""
        return self.alpha([dual(t) for t in self.theta]).value

    @property
    def alpha_gradient(self) -> Vec:
        """(m,) d alpha / d theta_i."""
        return join(derivatives(lambda t: [self.alpha(t)], self.theta))

    @property
    def x_gradient(self) -> list[Vec]:
        """Rows i of d x_j / d theta_i."""
        return derivatives(self.x, self.theta)

    @property
    def y_by_x(self) -> list[Vec]:
        """Rows j of d y_l / d x_j, at x(theta)."""
        return derivatives(self.y, self.x_here.entries)

    @property
    def y_gradient(self) -> list[Vec]:
        """Rows i of d y_l / d theta_i, through x."""
        return derivatives(lambda t: self.y(self.x(t)), self.theta)

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"theta": Vec(*self.theta), "functions": self.words}


def _times(one: list[Vec], other: list[Vec]) -> Vec:
    """The product of two matrices, row by row."""
    # of the second factor
    columns = [Vec(*(row[j] for row in other)) for j in range(len(other[0]))]
    return Vec(*(dot(row, column) for row in one for column in columns))


def _summed(case: Functions, upto: int) -> Vec:
    """sum_{k = 1}^{upto} dy_j/dx_k dx_k/dtheta_i, at least as far as there are k."""
    by_x, by_theta = case.y_by_x, case.x_gradient
    outputs = range(len(by_x[0]))
    return Vec(
        *(
            sum((by_x[k][j] * by_theta[i][k] for k in range(min(upto, case.n))), Fraction(0))
            for i in range(case.m)
            for j in outputs
        )
    )


def _outer(one: Vec, other: Vec) -> Vec:
    return join([other * entry for entry in one])


_SQUARE = Functions(
    (2, 3),
    lambda t: t[0],
    lambda t: [t[0], t[1]],
    lambda x: [x[0] * x[1]],
    "alpha = theta_1, x = (theta_1, theta_2), y = x_1 x_2",
)
_LONG = Functions(
    (3,),
    lambda t: t[0] ** 2,
    lambda t: [t[0], t[0] ** 2],
    lambda x: [x[0] + x[1]],
    "alpha = theta^2, x = (theta, theta^2), y = x_1 + x_2",
)
_WIDE = Functions(
    (1, 2, -1),
    lambda t: t[0] * t[1] + t[2] ** 2,
    lambda t: [t[0] * t[2], t[1] ** 3 - t[0]],
    lambda x: [x[0] * x[1], x[0] ** 2, x[1] - x[0]],
    "alpha = theta_1 theta_2 + theta_3^2, x = (theta_1 theta_3, theta_2^3 - theta_1), y = (x_1 x_2,"
    " x_1^2, x_2 - x_1)",
)
_CASES: Sequence[Functions] = (_SQUARE, _LONG, _WIDE)
_EQUAL_LENGTHS: Sequence[Functions] = (_SQUARE,)
_DOMAIN = "polynomials of one to three variables"
_C = Vec(5, -2, Fraction(1, 3))


def _product_derivatives(s: Functions) -> Vec:
    """The derivatives of alpha x, component by component; row by row."""
    return join(derivatives(lambda t: [s.alpha(t) * component for component in s.x(t)], s.theta))


_PRODUCT_RULE = Statement(
    _product_derivatives,
    lambda s: _outer(s.alpha_gradient, s.x_here) + s.alpha_here * join(s.x_gradient),
    _CASES,
    _DOMAIN,
)

STATEMENTS: dict[str, Statement] = {
    "gradient-is-transposed-jacobian": Statement(
        lambda s: join(s.x_gradient),
        # the usual Jacobian has dx_j/dtheta_i in row j; its transpose, row by row
        lambda s: Vec(
            *(Vec(*(row[j] for row in s.x_gradient))[i] for i in range(s.m) for j in range(s.n))
        ),
        _CASES,
        _DOMAIN,
    ),
    "gradient-for-scalar-argument": Statement(
        lambda s: join(s.x_gradient),
        lambda s: Vec(1, 2 * s.theta[0]),
        [_LONG],
        "x = (theta, theta^2) at theta = 3",
    ),
    "dot-product-rule": Statement(
        lambda s: join(
            derivatives(lambda t: [total_of([t[i] * _C[i] for i in range(s.m)])], s.theta)
        ),
        lambda s: _C[: s.m],
        _CASES,
        _DOMAIN,
    ),
    "dot-product-component": Statement(
        lambda s: Vec(
            *(
                derivatives(lambda t: [total_of([t[i] * _C[i] for i in range(s.m)])], s.theta)[k][0]
                for k in range(s.m)
            )
        ),
        lambda s: Vec(*(_C[k] for k in range(s.m))),
        _CASES,
        _DOMAIN,
    ),
    "scalar-times-vector-rule": Statement(
        _product_derivatives,
        lambda s: _outer(s.x_here, s.alpha_gradient) + s.alpha_here * join(s.x_gradient),
        _EQUAL_LENGTHS,
        "two functions of two variables; for other lengths the two terms have different shapes",
        summary=(
            "left: the derivatives of alpha x; right: the rule as printed; both matrices row by row"
        ),
    ),
    "scalar-times-vector-rule-corrected": _PRODUCT_RULE,
    "scalar-times-vector-component": Statement(
        _product_derivatives,
        lambda s: Vec(
            *(
                s.alpha_gradient[i] * s.x_here[j] + s.alpha_here * s.x_gradient[i][j]
                for i in range(s.m)
                for j in range(s.n)
            )
        ),
        _CASES,
        _DOMAIN,
    ),
    "scalar-times-vector-proof-conclusion": _PRODUCT_RULE,
    "chain-rule": Statement(
        lambda s: join(s.y_gradient), lambda s: _times(s.x_gradient, s.y_by_x), _CASES, _DOMAIN
    ),
    "chain-rule-component": Statement(
        lambda s: join(s.y_gradient),
        lambda s: _summed(s, s.m),
        _CASES,
        _DOMAIN,
        summary="left: the derivatives of y; right: the sum over k = 1 ... m, m the length of theta",
    ),
    "chain-rule-component-corrected": Statement(
        lambda s: join(s.y_gradient), lambda s: _summed(s, s.n), _CASES, _DOMAIN
    ),
    "chain-rule-column": Statement(
        lambda s: _summed(s, s.m),
        lambda s: _times(s.x_gradient, s.y_by_x),
        _CASES,
        _DOMAIN,
        summary=(
            "left: the sum over k = 1 ... m, m the length of theta; right: the product of the two"
            " gradients"
        ),
    ),
    "chain-rule-column-corrected": Statement(
        lambda s: _summed(s, s.n), lambda s: _times(s.x_gradient, s.y_by_x), _CASES, _DOMAIN
    ),
    "elementwise-rule": Statement(
        lambda s: join(derivatives(lambda t: [one**3 - one for one in t], s.theta)),
        lambda s: join([(3 * Vec(*s.theta)[i] ** 2 - 1) * basis(i, s.m) for i in range(s.m)]),
        _CASES,
        "f(x) = x^3 - x on one to three variables",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def vector_calculus(claim: str) -> Finding:
    """Both sides of each rule, derivatives by forward differentiation in fractions.

    Appendix A. A rule that is printed transposed is refuted by the first case whose m and n differ,
    or whose matrix isn't symmetric.
    """
    return STATEMENTS[claim].judged()
