"""Appendix A's rules for vectors, by first-order parts: f(θ + ε δ) = f + ε f' + o(ε), so ε² may be
dropped.

One component j of a vector and one direction of θ are fixed; sums run over the components that the
rule sums over, however many.
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol, symbols

from altpg_verify.theory.fixed_points.bias import ETA
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Given
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    V,
    a,
    c,
    equation,
    ghat,
    i,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

eps, df, x_j, dx_j, y_j, al, dal = symbols("epsilon f' x_j x'_j y_j alpha alpha'")
SMALL = eps**2
"""Is dropped."""
G, jacobian, delta, weight, slope, dx, entry = map(
    IndexedBase, ("G", "J", "delta", "c", "y'", "x'", "f")
)
EVERY_VECTOR = "every m and n, every differentiable function"


@derivation("gradient-is-transposed-jacobian", "gradient-for-scalar-argument")
def gradient_layout() -> Proof:
    """[∇x]_ij = ∂x_j/∂θ_i = J_ji.

    Appendix A.1, lines 424 and 426: the convention [∇_θ x]_ij = ∂x_j/∂θ_i, (m, n), that all
    gradients of the paper follow.
    """
    proof = Proof(
        "∇x is the transposed Jacobian: for n = 1 a column, the gradient; for m = 1 a row",
        EVERY_VECTOR,
    )
    proof.note(
        "Fix j. The derivative of x_j along δ is Σ_i δ_i ∂x_j/∂θ_i, with J_ji in the Jacobian's row"
        " j and G_ij in column j of ∇x.",
        equation(G[i], jacobian[i]),
    )
    each = Given(G[i] - jacobian[i], each=i, weight=delta[i])
    proof.equal(
        "Both give the same directional derivative.",
        total(delta[i] * G[i], i),
        total(jacobian[i] * delta[i], i),
        given=[each],
    )
    return proof.note(
        "For n = 1 column j is all of ∇x; for m = 1 each column has one entry, so ∇x is one row."
    )


@derivation("dot-product-component", "dot-product-rule")
def dot_product() -> Proof:
    """∂(θᵀ c)/∂θ_a = c_a.

    Prop. dot_product_grad, line 431: (m,), a column in this layout.
    """
    proof = Proof("∇(θᵀ c) = ∇(cᵀ θ) = c", "every m, every c that doesn't depend on θ")
    moved = total(theta[i] * weight[i], i) - theta[a] * weight[a] + (theta[a] + eps) * weight[a]
    proof.equal(
        "The derivative in θ_a is c_a: with θ_a + ε in the place of θ_a,",
        moved,
        total(theta[i] * weight[i], i) + eps * weight[a],
    )
    return proof.note("The order of the factors doesn't matter.")


@derivation(
    "scalar-times-vector-component",
    "scalar-times-vector-rule-corrected",
    "scalar-times-vector-proof-conclusion",
)
def scalar_times_vector() -> Proof:
    """∂(α x_j)/∂θ_i = ∂α/∂θ_i x_j + α ∂x_j/∂θ_i.

    Appendix A.1, line 441, corrected: the source has x (∇α)ᵀ, which is n × m.
    """
    proof = Proof("∇(α x) = ∇α xᵀ + α ∇x: entry (i, j) is ∂α/∂θ_i x_j + α ∂x_j/∂θ_i", EVERY_VECTOR)
    left = (al + eps * dal) * (x_j + eps * dx_j)
    proof.equal(
        "The product rule: up to o(ε),",
        left,
        al * x_j + eps * (dal * x_j + al * dx_j),
        given=[SMALL],
    )
    return proof.note("The first term is entry (i, j) of ∇α xᵀ, m rows and n columns.")


@derivation("chain-rule-component-corrected", "chain-rule-column-corrected", "chain-rule")
def chain_rule() -> Proof:
    """∂y_j/∂θ_i = Σ_{k=1}^n ∂y_j/∂x_k ∂x_k/∂θ_i.

    Prop. chain_rule_grad, line 452; in lines 458 and 459 the sum runs to m in the source, corrected
    to n. In this layout the inner function's matrix comes first.
    """
    proof = Proof(
        "∇y(x(θ)) = ∇x ∇_x y: entry (i, j) is the sum over the n components of x", EVERY_VECTOR
    )
    proof.note(
        "At θ_i + ε the component c of x is x_c + ε x'_c + o(ε); let y'_c be the partial"
        " derivatives of y_j in x_c."
    )
    left = y_j + total(slope[c] * (eps * dx[c]))
    proof.equal(
        "So the derivative of y_j is the sum over the components of x:",
        left,
        y_j + eps * total(slope[c] * dx[c]),
    )
    return proof.note(
        "x'_c is entry (i, c) of ∇x and y'_c entry (c, j) of ∇_x y: row times column."
    )


@derivation("elementwise-rule")
def elementwise() -> Proof:
    """∂f(θ_j)/∂θ_i = 1{i = j} f'(θ_j).

    Prop. elementwise_grad, line 471: f is applied to each entry, as in e^θ.
    """
    proof = Proof("∇f(θ) is diagonal with the entries f'(θ_i)", EVERY_VECTOR)
    others = Symbol("others")
    proof.note(
        "Let others be the sum of all entries but a; it doesn't contain θ_a.",
        equation(others, total(entry[i], i) - entry[a]),
    )
    moved = others + entry[a] + eps * df
    given = [others + entry[a] - total(entry[i], i)]
    proof.equal(
        "The sum depends on θ_a through entry a alone: up to o(ε),",
        moved,
        total(entry[i], i) + eps * df,
        given=given,
    )
    return proof.note("by ε f'(θ_a): off the diagonal ∇f(θ) is zero.")


p, q, z = symbols("p_1 p_2 z")
prob, outcome = IndexedBase("p"), IndexedBase("X")


@derivation("expectation-is-elementwise", "expectation-of-vector-function")
def expectation_elementwise() -> Proof:
    """E[f(Y)]_j = Σ_y p(y) f_j(y).

    Appendix A.2, line 477: linearity of the sum; no measure theory, as all variables are finite.
    """
    proof = Proof(
        "the expectation of a vector is that of each entry, and that of a function is the sum over"
        " the variable's values",
        "every finite variable",
    )
    proof.note(
        "Entry j of a sum of vectors is the sum of the entries j, so entry j of Σ p X is E[X_j].",
        total(prob[c] * outcome[c]),
    )
    return proof.equal(
        "Values of Y with the same f are gathered: their probabilities add.",
        (p + q) * z,
        p * z + q * z,
    )


@derivation("variance-in-short-notation")
def short_notation() -> Proof:
    """V[X] = E[X²] - E[X]², elementwise.

    Appendix A.2, line 479: the variance of a vector is the vector of variances, with no
    covariances.
    """
    proof = Proof("with x² := x ∘ x, V[X] = E[X²] - E[X]²", ETA, where=ON_POLICY, given=[SIMPLEX])
    return proof.equal(
        "In each entry, X = ĝ for one.", V(ghat[a]), E(ghat[a] * ghat[a]) - E(ghat[a]) ** 2
    )
