"""The printer: golden strings, every rule compiles, an unknown class raises, long sums break
without loss.
"""

from __future__ import annotations

import re

import pytest
from sympy import (
    Abs,
    Add,
    And,
    Basic,
    Contains,
    Derivative,
    Eq,
    FiniteSet,
    Float,
    Function,
    HadamardProduct,
    Identity,
    Implies,
    IndexedBase,
    Integer,
    Integral,
    Interval,
    KroneckerDelta,
    Limit,
    MatrixSymbol,
    Max,
    Mul,
    Ne,
    Not,
    OneMatrix,
    Or,
    Piecewise,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Transpose,
    Tuple,
    binomial,
    ceiling,
    exp,
    factorial,
    floor,
    log,
    oo,
    sin,
    sqrt,
    symbols,
    uppergamma,
)
from sympy import Matrix as DenseMatrix
from sympy.matrices.expressions.diagonal import DiagMatrix

from altpg_verify.report.typesetting import compiled
from altpg_verify.report.typst_lines import _terms, broken, forms, glyphs
from altpg_verify.report.typst_math import TypstPrinter, UnprintableError, typeset
from altpg_verify.report.typst_names import GREEK, parse

a, c, j, i, k, n, x, y, b = symbols("a c j i k n x y b")
r, pi, theta, pi_star = (
    IndexedBase("r"),
    IndexedBase("pi"),
    IndexedBase("theta"),
    IndexedBase("pi^*"),
)
f = Function("f")
R, P, one = MatrixSymbol("r", k, 1), MatrixSymbol("pi", k, 1), OneMatrix(k, 1)

GOLDEN = [
    (symbols("r_1") - b, "r_(1) - b"),
    (-b - symbols("r_1"), "-b - r_(1)"),
    (1 - symbols("eta"), "1 - eta"),
    (symbols("pi_a") * (symbols("r_a") - b), "pi_(a) (r_(a) - b)"),
    (-(x + y) * b, "-b (x + y)"),
    ((1 - x) * (1 - y), "(1 - x) (1 - y)"),
    (x / 2, "frac(x, 2)"),
    (-x / 2, "-frac(x, 2)"),
    (x * (x + y) / 2, "frac(1, 2) x (x + y)"),
    (1 / (r[a] - b), "frac(1, r_(a) - b)"),
    (-1 / (r[a] - b), "-frac(1, r_(a) - b)"),
    (Rational(-6, 11), "-frac(6, 11)"),
    (Integer(-3), "-3"),
    (Float(0.279447), "0.279447"),
    (Float("1e-12"), "1 dot 10^(-12)"),
    (Mul(2, 3, evaluate=False), "2 dot 3"),
    (x ** Rational(2, 3), "x^(2\\/3)"),
    (sqrt(x + 1), "sqrt(x + 1)"),
    (x ** Rational(1, 3), "root(3, x)"),
    (x**-2, "frac(1, x^(2))"),
    (x**-n, "x^(-n)"),
    ((x + y) ** 2, "(x + y)^(2)"),
    (pi[a] ** 2, "pi_(a)^(2)"),
    (pi_star[a], "pi_(a)^(ast)"),
    (pi_star[a] ** 2, "(pi_(a)^(ast))^(2)"),
    (symbols("sigma_c") ** 2, "sigma_(c)^(2)"),
    (symbols("theta_a"), "theta_(a)"),
    (symbols("kappa"), "kappa"),
    (symbols("pi_old"), 'pi_("old")'),
    (symbols("thetahat_a"), "hat(theta)_(a)"),
    (symbols("lamda"), "lambda"),
    (exp(theta[a]) / Sum(exp(theta[j]), (j, 1, k)), "frac(e^(theta_(a)), sum_(j = 1)^(k) e^(theta_(j)))"),
    (exp(Sum(x, (j, 1, k))), "exp (sum_(j = 1)^(k) x)"),
    (log(x / y), "log (frac(x, y))"),
    (log(x) ** 2, "(log (x))^(2)"),
    (sin(x) ** 2, "(sin (x))^(2)"),
    (Sum(pi[j] * (r[j] - b), (j, 1, k)), "sum_(j = 1)^(k) pi_(j) (r_(j) - b)"),
    (Sum(pi[j] + 1, (j, 1, k)), "sum_(j = 1)^(k) (pi_(j) + 1)"),
    (Sum(pi[j], (j, 1, k)) * x * Sum(r[i], (i, 1, k)), "x (sum_(j = 1)^(k) pi_(j)) sum_(i = 1)^(k) r_(i)"),
    (Sum(x, (i, 1, j), (j, 1, k)), "sum_(j = 1)^(k) sum_(i = 1)^(j) x"),
    (Product(pi[i], (i, 1, k)), "product_(i = 1)^(k) pi_(i)"),
    (KroneckerDelta(a, c), "delta_(a c)"),
    (Piecewise((x, x > 0), (0, True)), 'cases(x & "if " x > 0, 0 & "otherwise")'),
    (Derivative(pi[a], theta[c]), "frac(partial pi_(a), partial theta_(c))"),
    (Derivative(x**2 * y, x, 2, y), "frac(partial^(3), partial x^(2) thin partial y) x^(2) y"),
    (Eq(x, y + 1, evaluate=False), "x = y + 1"),
    (Ne(x, 1), "x != 1"),
    (And(x > 0, y <= 1), "y <= 1 and x > 0"),
    (Or(x > 0, y >= 1), "y >= 1 or x > 0"),
    (Not(Contains(x, S.Reals)), "x in.not RR"),
    (Implies(x > 0, y > 0), "x > 0 => y > 0"),
    (Interval.Ropen(0, oo), "lr([ 0, infinity ))"),
    (FiniteSet(1, 2), "{1, 2}"),
    (Tuple(1, x), "(1, x)"),
    (DenseMatrix([[1, x], [y, 2]]), "mat(1, x; y, 2)"),
    (HadamardProduct(P, R - b * one), "bold(pi) dot.o (bold(r) - b bold(1))"),
    (Identity(k) - P * Transpose(R), "bold(I) - bold(pi) bold(r)^top"),
    (P[a, 0], "bold(pi)_(a)"),
    (DiagMatrix(P), 'op("diag") (bold(pi))'),
    (Function("KL")(x, y), 'op("KL") (x, y)'),
    (Function("E")(x - y), "EE [x - y]"),
    (IndexedBase("ghat^REG")[a], 'hat(g)_(a)^("REG")'),
    (Limit(f(x), x, 0), "lim_(x -> 0^(plus)) f (x)"),
    (Integral(x**2, (x, 0, 1)), "integral_(0)^(1) x^(2) thin dif x"),
    (Subs(f(x), x, y), "lr(f (x) |)_(x = y)"),
    (Max(1, x), "max (1, x)"),
    (Abs(x), "abs(x)"),
    (floor(x) + ceiling(y), "ceil(y) + floor(x)"),
    (factorial(n), "n!"),
    (binomial(n, k), "binom(n, k)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "source"), GOLDEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_golden(expression, source):
    assert typeset(expression) == source


def test_every_rule_compiles():
    names = [
        parse(name).typeset()
        for name in (
            *GREEK,
            "x1",
            "p*",
            "pi^*_a",
            "Z_rest",
            'say "hi" # $ _ * <',
            "phat",
            "barr",
            "a^+",
        )
    ]
    sources = [
        *(source for _, source in GOLDEN),
        *names,
        *(line for expression, _ in GOLDEN for line in forms(expression)),
    ]
    page = "\n".join(f"#[$ {source} $]" for source in sources)
    assert (
        compiled(
            {"main.typ": f'#set text(font: "New Computer Modern")\n{page}'.encode()}, format="pdf"
        )[:4]
        == b"%PDF"
    )


def test_unknown_class_raises():
    class Odd(Basic):
        pass

    with pytest.raises(UnprintableError, match="Odd"):
        typeset(Odd(x))
    with pytest.raises(UnprintableError, match="uppergamma"):
        typeset(x + uppergamma(x, y))


def test_a_distinguishing_name_is_never_lost():
    different = ["pi_a", "pi_c", "pi^*_a", "pi^*", "pi", "pihat", "pi_1", "pi1_2"]
    assert len({parse(name).typeset() for name in different}) == len(different)


def test_long_sums_break_between_terms():
    terms = symbols("x_1:13")
    long = Eq(x, Add(*terms), evaluate=False)
    unbroken, *others = forms(long)
    assert "\\" not in unbroken
    assert others
    for source in others:
        words = re.sub(r"\\|&|quad", " ", source)
        assert words.split() == unbroken.split()
        assert max(glyphs(line) for line in source.split("\\ ")) <= 70
    assert broken(long, 30).count("\\ ") > broken(long, 60).count("\\ ")


def test_strings_are_typst_already():
    assert forms("a + b") == ("a + b",)


@pytest.mark.parametrize("expression", [x + y - 3, Eq(x / 2, 1 - y), Integer(7)])
def test_terms_that_were_printed_before_are_the_same(expression):
    first = forms(expression)
    _terms.cache_clear()
    assert forms(expression) == forms(expression) == first


def test_equal_numbers_of_other_types_are_printed_each_in_its_way():
    assert _terms(Integer(1)) == (("+", "1"),)
    assert _terms(Float(1)) == (("+", TypstPrinter().doprint(Float(1))),)
    assert _terms(2) == _terms(Integer(2)) == (("+", "2"),)
