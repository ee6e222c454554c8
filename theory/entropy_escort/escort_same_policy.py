"""Section 7: from one and the same policy the escort transform with p = 3 is faster than softmax,
where with p = 1 it is slower.

Both are gradient flows of the expected reward of three actions, r = (0, 0, 1), until the best
action has half of the mass.
"""

from __future__ import annotations

from sympy import Rational, expand, symbols

from altpg_verify.theory.entropy_escort.escort import Z
from altpg_verify.theory.entropy_escort.escort_escape import (
    J,
    best_share,
    off,
    second,
    squares_stay,
    third,
)
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.proof import Proof, derivation

first, other, last, largest, kept_norm, size, beyond = symbols("s_1 s_2 s_3 u N M w")
gaps = symbols("d_1 d_2 d_3")


@derivation("escort-faster-from-same-policy")
def faster_from_same_policy() -> Proof:
    """Softmax: q' <= 2 q² (1 - q)². Escort with p = 3: (-1/θ_g)' = 3 (1 - J)/Z with Z <= N³, and J
    <= 1/36 as long as θ_g <= N/4.

    Beyond section 7, line 306: so which of the two escapes faster depends on p. The time of softmax
    is bounded from below, that of escort from above.
    """
    proof = Proof(
        "from the policy (M³, 1, 1)/(M³ + 2) escort with p = 3 needs (12 N³ + 22 N²)/35 or less,"
        " softmax M³/2 or more, which is longer",
        "three actions, r = (0, 0, 1), M >= 20, escort preferences (M, 1, 1), N² = M² + 2; gradient"
        " flow, the integration is in words",
        Signs(positive=(best_share, second, third)),
        given=[best_share + second + third - 1],
    )
    _softmax_at_least(proof)
    _norms(proof)
    _escort_at_most(proof)
    return _sooner(proof)


def _softmax_at_least(proof: Proof) -> None:
    x, y, z = best_share, second, third
    proof.note(
        "Softmax: let x, y, z be the probabilities, x that of the best action; along ∇J it grows at"
        " x² ((1 - x)² + y² + z²)."
    )
    proof.at_least(
        "That is at most",
        2 * x**2 * (1 - x) ** 2,
        x**2 * ((1 - x) ** 2 + y**2 + z**2),
        2 * x**2 * y * z,
    )
    proof.note("-1/x + 1/w + 2 log(x/w) with w = 1 - x has the slope 1/(x² w²), as")
    proof.signs, proof.given = Signs(positive=(x, off)), [x + off - 1]
    proof.equal(
        "with the slopes of its parts", 1 / x**2 + 1 / off**2 + 2 / (x * off), 1 / (x**2 * off**2)
    )
    proof.note(
        "so it grows at 2 or less, from -(m + 2) + (m + 2)/(m + 1) - 2 log(m + 1), m = M³, to 0 at"
        " x = 1/2. The time is at least"
    )
    proof.signs, proof.given = Signs(positive=(size,)), []
    half = Rational(1, 2)
    proof.at_least(
        "M³/2.", half * (size + 2 - (size + 2) / (size + 1)), half * size, half * size / (size + 1)
    )


def _norms(proof: Proof) -> None:
    """N^6/3 <= Z² and Z <= N³."""
    proof.note(
        "Escort: Σ θ² = N² stays, so no size is above N; let d be the differences, and Z the sum of"
        " the cubes."
    )
    proof.include(squares_stay())
    sizes = first, other, last
    squares, cubes = sum(s**2 for s in sizes), sum(s**3 for s in sizes)
    proof.signs = Signs(nonnegative=(*sizes, *gaps))
    proof.given = []
    short = [kept_norm - s - gap for s, gap in zip(sizes, gaps, strict=True)]
    proof.at_least(
        "Z is at most N times N².",
        kept_norm * squares,
        cubes,
        sum(s**2 * d for s, d in zip(sizes, gaps, strict=True)),
        given=short,
    )
    pairs = [(first, other), (first, last), (other, last)]
    proof.at_least(
        "And", sum(sizes) * cubes, squares**2, sum(s * t * (s - t) ** 2 for s, t in pairs)
    )
    proof.at_least("while", 3 * squares, sum(sizes) ** 2, sum((s - t) ** 2 for s, t in pairs))
    proof.note("so (N²)^4 <= (s_1 + s_2 + s_3)² Z² <= 3 N² Z², that is Z² >= N^6/3.")


def _escort_at_most(proof: Proof) -> None:
    proof.note(
        "Let u be the best preference, of 1 at the start: it moves at 3 u² (1 - J)/Z, and -1/u at"
    )
    proof.signs = Signs(positive=(largest, Z))
    proof.equal("that over u².", 3 * largest**2 * (1 - J) / Z / largest**2, 3 * (1 - J) / Z)
    proof.note("As long as u <= N/4, J² = u^6/Z² is at most 3/4^6.")
    proof.at_least(
        "So J <= 1/36",
        Rational(1, 36**2),
        Rational(3, 4**6),
        Rational(1, 36**2) - Rational(3, 4**6),
    )
    proof.note(
        "and -1/u grows at 35/(12 N³) or more, from -1 to -4/N; then at 3/(2 N³) or more, from -4/N"
        " to at most -1/N, until J = 1/2."
    )
    proof.signs = Signs(positive=(kept_norm,))
    both = (1 - 4 / kept_norm) * 12 * kept_norm**3 / 35 + 3 / kept_norm * 2 * kept_norm**3 / 3
    proof.equal("Both times are at most", both, (12 * kept_norm**3 + 22 * kept_norm**2) / 35)


def _sooner(proof: Proof) -> Proof:
    proof.note(
        "N <= M + 1/M, as its square is N² + 1/M², so N³ <= (M + 1/M) (M² + 2). Let M = 20 + w."
    )
    proof.signs = Signs(nonnegative=(beyond,))
    m = 20 + beyond
    # both sides times 35 M
    upper, later = 12 * (m**2 + 1) * (m**2 + 2) + 22 * m * (m**2 + 2), Rational(35, 2) * m**4
    text = "Then 35 M times escort's time, at most the right side, is below 35 M times M³/2:"
    proof.greater(text, later, upper, expand(later - upper))
    return proof.note("for every M >= 20 escort is the faster one.")
