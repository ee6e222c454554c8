"""Ways that are not evidence: what sympy gets wrong or can't decide here, kept so that nobody comes
back to them.
"""

from __future__ import annotations

import pytest
import sympy

from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.certificates import certify
from altpg_verify.theory.proving.notation import Partial, a, c, pi, softmax, theta


def test_matrix_symbol_calculus_drops_the_quotient_rule():
    """The derivative of e^θ/(1ᵀ e^θ) comes out diagonal; the true Jacobian has -π_a π_c off the
    diagonal.
    """
    n = 3
    vector = sympy.MatrixSymbol("theta", n, 1)
    exponentials = vector.applyfunc(sympy.exp)
    policy = exponentials / (sympy.OneMatrix(1, n) * exponentials)[0, 0]
    derivative = policy.diff(vector)
    at = {vector[row, 0]: 0 for row in range(n)}
    numbers = sympy.Matrix(
        derivative.doit().as_explicit() if hasattr(derivative, "as_explicit") else derivative
    ).subs(at)
    flat = sympy.flatten(numbers.tolist())
    true = [
        sympy.Rational(2, 9) if row == column else sympy.Rational(-1, 9)
        for row in range(n)
        for column in range(n)
    ]
    assert flat != true
    assert sympy.Rational(-1, 9) not in flat


def test_derivatives_of_opaque_letters_are_zero():
    """sympy's own Derivative takes π_a for a constant; `Partial` keeps the question, and the kernel
    refuses to answer it for a letter.
    """
    assert sympy.Derivative(pi[a], theta[c]).doit() == 0
    assert Partial(pi[a], theta[c]).doit() != 0
    assert not certify(Partial(pi[a], theta[c]), "=", 0, summary="π doesn't depend on θ").recheck()
    assert certify(
        Partial(pi[a], theta[c]), "=", -pi[a] * pi[c], summary="it does", where={pi: softmax}
    ).recheck()


@pytest.mark.thorough
def test_products_of_sums_are_not_merged():
    """Lagrange's identity for symbolic k: simplify doesn't prove it, the finite-sum ring does."""
    from altpg_verify.theory.proving.notation import i, j, r, total

    left = total(pi[i] ** 2, i) * total(r[i] ** 2, i) - total(pi[i] * r[i], i) ** 2
    right = total(total((pi[i] * r[j] - pi[j] * r[i]) ** 2, j), i) / 2
    assert sympy.simplify(left - right) != 0
    certificate = certify(left, "=", right, summary="Lagrange's identity")
    assert kernel.holds(dict(certificate.data))
