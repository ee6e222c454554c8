"""What optimism costs: J(π*) = b - HM(b - r), with HM the harmonic mean, falls as the baseline
rises, from max r to the mean of r.
"""

from __future__ import annotations

from sympy import IndexedBase, Rational, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC_DOMAIN
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import b, c, d, equation, i, j, k, r, total
from altpg_verify.theory.proving.proof import Proof, derivation

near, far = IndexedBase("Delta"), IndexedBase("Delta^'")
"""b - r_a and b + h - r_a, positive."""
h, C, H, least, rest = symbols("h C H Delta_min rest")


@derivation("value-at-pi-star-falls-with-baseline")
def falls_with_baseline() -> Proof:
    """HM(d + h) - HM(d) >= h by Chebyshev's sum inequality, as a sum of squares.

    Chebyshev's sum inequality says that for two sequences that are ordered alike, k Σ x y ≥ Σ x Σ
    y; the inverses 1/Δ and 1/Δ′ are.
    """
    proof = Proof(
        "J(π*) falls when the baseline rises: a fixed baseline should be optimistic, but no more"
        " than the exploration needs",
        OPTIMISTIC_DOMAIN + ", every rise h > 0; strictly if two rewards differ",
    )
    proof.note("Let Δ = b - r and Δ' = Δ + h. For two actions,")
    both = [far[c] - near[c] - h, far[d] - near[d] - h]
    proof.signs = Signs(positive=(near, far))
    product = (1 / near[c] - 1 / near[d]) * (1 / far[c] - 1 / far[d])
    square = (near[c] - near[d]) ** 2 / (near[c] * near[d] * far[c] * far[d])
    proof.at_least("the inverses are ordered alike.", product, 0, square, given=both)
    proof.note("Let C >= 0 be half the sum of this over all pairs, positive if two rewards differ.")
    # each pair is counted twice
    pairs = Rational(1, 2) * total(
        total((1 / near[i] - 1 / near[j]) * (1 / far[i] - 1 / far[j]), j), i
    )
    inner, outer = total(1 / near[c]), total(1 / far[c])
    proof.equal("It is Chebyshev's sum.", pairs, k * total(1 / (near[c] * far[c])) - inner * outer)
    proof.signs = Signs(positive=(near, far, h), nonnegative=(C,))
    each = Given(far[j] - near[j] - h, each=j, weight=1 / (near[j] * far[j]))
    proof.equal(
        "The sums of the inverses differ by h Σ 1/(Δ Δ').",
        inner - outer,
        h * total(1 / (near[c] * far[c])),
        given=[each],
    )
    chebyshev = C - k * total(1 / (near[c] * far[c])) + inner * outer
    return proof.at_least(
        "J(π*) at b less J(π*) at b + h:",
        (b - k / inner) - (b + h - k / outer),
        0,
        h * C / (inner * outer),
        given=[chebyshev, inner - outer - h * total(1 / (near[c] * far[c]))],
    )


@derivation("value-at-pi-star-between-mean-and-best")
def between_mean_and_best() -> Proof:
    """mean r <= J(π*), the difference being Σ (d - H)²/(k d); J(π*) >= b - k min d.

    The value of lemma 2.1's π*. That the harmonic mean is at most the arithmetic one is shown by a
    sum of squares again.
    """
    proof = Proof(
        "J(π*) is at least the uniform policy's value, tends to it for large b, and tends to max r"
        " as b falls to max r: an optimistic fixed baseline never does worse than uniform choice",
        OPTIMISTIC_DOMAIN,
        Signs(positive=(near, H, k, least), nonnegative=(rest,)),
    )
    proof.note(
        "Let Δ = b - r and H = k/Σ (1/Δ) their harmonic mean, so J(π*) = b - H.",
        equation(H, k / total(1 / near[j], j)),
    )
    harmonic = H * total(1 / near[j], j) - k
    rewards = {r: lambda action: b - near[action]}
    uniform = total(r[c]) / k
    # arithmetic less harmonic mean
    spread = total((near[c] - H) ** 2 / near[c]) / k
    proof.at_least(
        "Against the uniform policy,", b - H, uniform, spread, given=[harmonic], where=rewards
    )
    proof.note("The difference is at most (max r - min r)²/(b - max r), so it vanishes as b grows.")
    proof.note("Let Δ_min = min (b - r) and rest >= 0 the other terms of Σ 1/(b - r).")
    floor = [H * (1 / least + rest) - k]
    proof.at_least(
        "J(π*) is at least b - k (b - max r), which tends to max r as b does.",
        b - H,
        b - k * least,
        H * least * rest,
        given=floor,
    )
    return proof
