"""A sympy object as Typst mathematics, so that the page shows the very formula that was proved.

`typeset(expression)` gives the source of the formula; `typst_lines` breaks long ones. A sympy class
without a rule raises: a formula is printed right or not at all. Terms with a minus sign come last,
as people write them (r_1 - b, not -b + r_1).
"""

from __future__ import annotations

from sympy import Add, Basic, Contains, Expr, Indexed, Mul, Piecewise, Pow, Rational, S, fraction
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import AppliedUndef
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.printer import Printer

from altpg_verify.report.typst_names import parse
from altpg_verify.report.typst_precedence import (
    RELATION,
    binding,
    factor_order,
    needs_brackets,
    reaches_right,
)
from altpg_verify.report.typst_signs import signed

RELATIONS = {"==": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "log": "log", "Max": "max", "Min": "min",
    "sign": 'op("sign")', "erf": 'op("erf")', "erfc": 'op("erfc")', "gamma": "Gamma", "re": "Re", "im": "Im", "trace": "tr", "Trace": "tr",
}  # fmt: skip
_OPERATORS = {"E": "EE", "V": "VV", "P": "PP"}
"""Expectation, variance and probability, applied in square brackets."""

_CONSTANTS = {
    "Infinity": "infinity", "NegativeInfinity": "-infinity", "Pi": "pi", "Exp1": "e", "ImaginaryUnit": "i", "EulerGamma": "gamma",
    "BooleanTrue": '"true"', "BooleanFalse": '"false"', "Reals": "RR", "Integers": "ZZ", "Naturals": "NN",
    "Naturals0": "NN_0", "EmptySet": "emptyset", "Identity": "bold(I)", "OneMatrix": "bold(1)", "ZeroMatrix": "bold(0)",
}  # fmt: skip


class UnprintableError(TypeError):
    """No rule says how this sympy class is written in Typst."""


class TypstPrinter(Printer):
    """The rules, one method for each sympy class.

    Attributes:
        printmethod: sympy's name for a method by which a class writes itself.
    """

    printmethod = "_typst"

    def emptyPrinter(self, expr: Basic) -> str:
        """What sympy calls for a class without a rule.

        Raises:
            UnprintableError: always; the message names the class.
        """
        raise UnprintableError(f"no rule writes {type(expr).__name__} in Typst: {expr!r}")

    def _print(self, expr: Basic, **settings: object) -> str:
        return _CONSTANTS.get(type(expr).__name__) or super()._print(expr, **settings)

    def _group(self, expr: Basic, level: float, strict: bool = False) -> str:
        """The expression, in parentheses if it binds less than `level` (or as much, when
        strict).
        """
        source = self._print(expr)
        own = binding(expr)
        return f"({source})" if own < level or (strict and own == level) else source

    # names and numbers

    def _print_Symbol(self, expr: Basic) -> str:
        return parse(expr.name).typeset()

    _print_Dummy = _print_Wild = _print_Idx = _print_IndexedBase = _print_Str = _print_Symbol

    def _print_MatrixSymbol(self, expr: Basic) -> str:
        return f"bold({parse(expr.name).typeset()})"

    def _print_Indexed(self, expr: Basic, power: str = "") -> str:
        return parse(str(expr.base.label)).typeset(tuple(map(self._print, expr.indices)), power)

    def _print_MatrixElement(self, expr: Basic) -> str:
        indices = [
            index
            for index, size in zip((expr.i, expr.j), expr.parent.shape, strict=True)
            if size != 1
        ]
        return f"{self._print(expr.parent)}_({', '.join(map(self._print, indices))})"

    def _print_KroneckerDelta(self, expr: Basic) -> str:
        return f"delta_({' '.join(map(self._print, expr.args))})"

    def _print_Integer(self, expr: Basic) -> str:
        return str(expr)

    _print_int = _print_Zero = _print_One = _print_NegativeOne = _print_Integer

    def _print_Rational(self, expr: Basic) -> str:
        sign = "-" if expr.p < 0 else ""
        return f"{sign}frac({abs(expr.p)}, {expr.q})"

    _print_Half = _print_Rational

    def _print_Float(self, expr: Basic) -> str:
        mantissa, _, exponent = f"{float(expr):.6g}".partition("e")
        return f"{mantissa} dot 10^({int(exponent)})" if exponent else mantissa

    # arithmetic

    def _print_Add(self, expr: Basic) -> str:
        return _join(self.terms(expr))

    _print_MatAdd = _print_Add

    def terms(self, expr: Basic) -> list[tuple[str, str]]:
        """The terms of a sum with their signs, positive ones first, otherwise in sympy's order."""
        ordered = (
            expr.as_ordered_terms()
            if isinstance(expr, Expr) and isinstance(expr, Add)
            else list(expr.args)
        )
        terms = sorted(map(signed, ordered), key=lambda pair: pair[0] == "-")
        return [(sign, self._group(term, PRECEDENCE["Add"], strict=True)) for sign, term in terms]

    def _print_Mul(self, expr: Basic) -> str:
        sign, expr = signed(expr)
        if sign == "-":
            return "-" + self._group(expr, PRECEDENCE["Add"], strict=True)
        if not isinstance(expr, Mul):
            return self._print(expr)
        # exact: e^(-x) stays a power and isn't put below a line
        above, below = fraction(expr, exact=True)
        if below is S.One:
            return self._product(above)
        if below.is_Integer and any(needs_brackets(factor) for factor in Mul.make_args(above)):
            coefficient, rest = above.as_coeff_Mul()
            return f"frac({coefficient}, {below}) {self._product(rest, following=True)}"
        return f"frac({self._print(above)}, {self._print(below)})"

    def _product(self, expr: Basic, following: bool = False) -> str:
        if not isinstance(expr, Mul):
            return self._group(expr, PRECEDENCE["Mul"]) if following else self._print(expr)
        commuting = [factor for factor in expr.as_ordered_factors() if factor.is_commutative]
        others = [factor for factor in expr.args if not factor.is_commutative]
        factors = sorted(commuting, key=factor_order) + others
        parts: list[str] = []
        for number, factor in enumerate(factors):
            last = number == len(factors) - 1
            source = (
                f"({self._print(factor)})"
                if reaches_right(factor) and not last
                else self._group(factor, PRECEDENCE["Mul"])
            )
            parts += ["dot", source] if parts and source[0].isdigit() else [source]
        return " ".join(parts)

    def _print_Pow(self, expr: Basic) -> str:
        base, exponent = expr.args
        if exponent.is_Rational and exponent < 0:
            return f"frac(1, {self._print(Pow(base, -exponent))})"
        if isinstance(exponent, Rational) and exponent.p == 1 and exponent.q != 1:
            return (
                f"sqrt({self._print(base)})"
                if exponent.q == 2
                else f"root({exponent.q}, {self._print(base)})"
            )
        power = (
            f"{exponent.p}\\/{exponent.q}"
            if isinstance(exponent, Rational) and exponent.q != 1
            else self._print(exponent)
        )
        if base.is_Symbol:
            return parse(base.name).typeset(power=power)
        if isinstance(base, Indexed):
            return self._print_Indexed(base, power=power)
        plain = base.is_Integer and base >= 0
        return f"{self._print(base) if plain else f'({self._print(base)})'}^({power})"

    def _print_exp(self, expr: Basic) -> str:
        (exponent,) = expr.args
        # a tall or long exponent is easier to read on the line
        tall = exponent.has(ExprWithLimits, Piecewise) or len(str(exponent)) > 24
        return f"exp ({self._print(exponent)})" if tall else f"e^({self._print(exponent)})"

    def _print_UnevaluatedExpr(self, expr: Basic) -> str:
        return (
            f"({self._print(expr.args[0])})"
            if isinstance(expr.args[0], Add)
            else self._print(expr.args[0])
        )

    # functions

    def _print_Function(self, expr: Basic) -> str:
        name = type(expr).__name__
        if name in _OPERATORS and isinstance(expr, AppliedUndef):
            return f"{_OPERATORS[name]} [{', '.join(map(self._print, expr.args))}]"
        if isinstance(expr, AppliedUndef):
            head = parse(name).typeset()
            head = f"op({head})" if head.startswith('"') else head
        elif name in _FUNCTIONS:
            head = _FUNCTIONS[name]
        else:
            return self.emptyPrinter(expr)
        # the space keeps Typst from reading the name and the parenthesis as a call of its own
        # function
        return f"{head} ({', '.join(map(self._print, expr.args))})"

    _print_Max = _print_Min = _print_Trace = _print_Function

    def _print_UndefinedFunction(self, expr: Basic) -> str:
        return parse(expr.__name__).typeset()

    def _print_Abs(self, expr: Basic) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_floor(self, expr: Basic) -> str:
        return f"floor({self._print(expr.args[0])})"

    def _print_ceiling(self, expr: Basic) -> str:
        return f"ceil({self._print(expr.args[0])})"

    def _print_factorial(self, expr: Basic) -> str:
        return f"{self._group(expr.args[0], PRECEDENCE['Func'])}!"

    def _print_binomial(self, expr: Basic) -> str:
        return f"binom({', '.join(map(self._print, expr.args))})"

    def _print_Piecewise(self, expr: Basic) -> str:
        conditions = [
            '"otherwise"' if condition is S.true else f'"if " {self._print(condition)}'
            for _, condition in expr.args
        ]
        rows = [
            f"{self._print(value)} & {condition}"
            for (value, _), condition in zip(expr.args, conditions, strict=True)
        ]
        return f"cases({', '.join(rows)})"

    # sums, products, integrals, limits, derivatives

    def _limits(self, sign: str, expr: Basic) -> str:
        signs = []
        # sympy lists the innermost variable first, readers the outermost
        for variable, *bounds in reversed(expr.limits):
            name = self._print(variable)
            if len(bounds) == 2:
                signs.append(
                    f"{sign}_({name} = {self._print(bounds[0])})^({self._print(bounds[1])})"
                )
            else:
                signs.append(f"{sign}_({name}{f' in {self._print(bounds[0])}' if bounds else ''})")
        return f"{' '.join(signs)} {self._group(expr.function, PRECEDENCE['Mul'])}"

    def _print_Sum(self, expr: Basic) -> str:
        return self._limits("sum", expr)

    def _print_Product(self, expr: Basic) -> str:
        return self._limits("product", expr)

    def _print_Integral(self, expr: Basic) -> str:
        signs = [
            (
                f"integral_({self._print(bounds[0])})^({self._print(bounds[1])})"
                if len(bounds) == 2
                else "integral"
            )
            for _, *bounds in reversed(expr.limits)
        ]
        ends = [f"dif {self._print(variable)}" for variable, *_ in expr.limits]
        return (
            f"{' '.join(signs)} {self._group(expr.function, PRECEDENCE['Mul'])} thin"
            f" {' thin '.join(ends)}"
        )

    def _print_Limit(self, expr: Basic) -> str:
        body, variable, point, side = expr.args
        mark = {"+": "^(plus)", "-": "^(minus)"}.get(str(side), "") if point.is_finite else ""
        return (
            f"lim_({self._print(variable)} -> {self._print(point)}{mark})"
            f" {self._group(body, PRECEDENCE['Mul'])}"
        )

    def _print_Derivative(self, expr: Basic) -> str:
        order = sum(count for _, count in expr.variable_count)
        power = f"^({self._print(order)})" if order != 1 else ""
        below = " thin ".join(
            self._partial(variable, count) for variable, count in expr.variable_count
        )
        if expr.expr.is_Symbol or isinstance(expr.expr, AppliedUndef | Indexed):
            return f"frac(partial{power} {self._print(expr.expr)}, {below})"
        return f"frac(partial{power}, {below}) {self._group(expr.expr, PRECEDENCE['Mul'])}"

    def _partial(self, variable: Basic, count: Basic) -> str:
        return f"partial {self._print(variable)}" + (
            "" if count == 1 else f"^({self._print(count)})"
        )

    def _print_Subs(self, expr: Basic) -> str:
        body, variables, values = expr.args
        where = ", ".join(
            f"{self._print(variable)} = {self._print(value)}"
            for variable, value in zip(variables, values, strict=True)
        )
        return f"lr({self._group(body, PRECEDENCE['Mul'])} |)_({where})"

    # matrices

    def _print_MatrixBase(self, expr: Basic) -> str:
        return f"mat({'; '.join(', '.join(self._print(expr[row, column]) for column in range(expr.cols)) for row in range(expr.rows))})"

    _print_ImmutableDenseMatrix = _print_MutableDenseMatrix = _print_MatrixBase

    def _print_MatMul(self, expr: Basic) -> str:
        coefficient, factors = expr.as_coeff_matrices()
        parts = [self._group(factor, PRECEDENCE["Mul"]) for factor in factors]
        if coefficient != 1:
            parts.insert(
                0, "-" if coefficient == -1 else self._group(coefficient, PRECEDENCE["Mul"])
            )
        return " ".join(parts)

    def _print_HadamardProduct(self, expr: Basic) -> str:
        return " dot.o ".join(
            self._group(factor, PRECEDENCE["Mul"], strict=True) for factor in expr.args
        )

    def _print_Transpose(self, expr: Basic) -> str:
        return f"{self._group(expr.arg, PRECEDENCE['Pow'])}^top"

    def _print_Inverse(self, expr: Basic) -> str:
        return f"{self._group(expr.arg, PRECEDENCE['Pow'])}^(-1)"

    def _print_DiagMatrix(self, expr: Basic) -> str:
        return f'op("diag") ({self._print(expr.args[0])})'

    _print_DiagonalMatrix = _print_DiagMatrix

    # relations, logic, sets

    def _print_Relational(self, expr: Basic) -> str:
        return (
            f"{self._group(expr.lhs, RELATION, strict=True)} {RELATIONS[expr.rel_op]}"
            f" {self._group(expr.rhs, RELATION, strict=True)}"
        )

    def _logic(self, sign: str, expr: Basic) -> str:
        return f" {sign} ".join(self._group(part, RELATION) for part in expr.args)

    def _print_And(self, expr: Basic) -> str:
        return self._logic("and", expr)

    def _print_Or(self, expr: Basic) -> str:
        return self._logic("or", expr)

    def _print_Not(self, expr: Basic) -> str:
        (inner,) = expr.args
        if isinstance(inner, Contains):
            return f"{self._print(inner.args[0])} in.not {self._print(inner.args[1])}"
        return f"not {self._group(inner, PRECEDENCE['Atom'])}"

    def _print_Implies(self, expr: Basic) -> str:
        return self._logic("=>", expr)

    def _print_Equivalent(self, expr: Basic) -> str:
        return self._logic("<=>", expr)

    def _print_Contains(self, expr: Basic) -> str:
        return f"{self._print(expr.args[0])} in {self._print(expr.args[1])}"

    def _print_Interval(self, expr: Basic) -> str:
        left, right = ("(" if expr.left_open else "["), (")" if expr.right_open else "]")
        return f"lr({left} {self._print(expr.start)}, {self._print(expr.end)} {right})"

    def _print_FiniteSet(self, expr: Basic) -> str:
        return f"{{{', '.join(map(self._print, expr.args))}}}"

    def _print_Tuple(self, expr: Basic) -> str:
        return f"({', '.join(map(self._print, expr))})"

    _print_tuple = _print_list = _print_Tuple


def typeset(expression: Basic) -> str:
    """The Typst mathematics of a sympy object.

    Args:
        expression: of classes that have a rule.

    Raises:
        UnprintableError: a class in the expression has no rule.
    """
    return TypstPrinter().doprint(expression)


def _join(terms: list[tuple[str, str]]) -> str:
    (sign, first), *rest = terms
    return ("-" if sign == "-" else "") + " ".join(
        [first, *(f"{sign} {source}" for sign, source in rest)]
    )
