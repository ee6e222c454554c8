"""The change of D_KL(π*‖π) over a whole closed simplex, for the bandit and stepsize that a user
names: branch and bound with Arb.

The simplex is bisected until on each piece the change has one sign, see `cover_check`, which checks
the result again. A change that is convex in α and zero at 0 is negative for all smaller stepsizes
if it is for one; and positive for all larger ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.errors import BadInput
from altpg_verify.theory.proving import cover_check
from altpg_verify.theory.proving.certificate_store import content, save
from altpg_verify.theory.proving.proof import Proof, derivation

PRECISION = 80
"""Bits while growing; the re-check uses more."""
DEEPEST = 40
"""Bisections per dimension: a piece that small and still undecided means that the sign changes
there.
"""

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Bandit:
    """Mean rewards and a baseline above all or below all of them.

    π* lies inside the simplex then; see the lemma on fixed points, case 3.

    Args:
        rewards: (k,) r.
        baseline: b.
    """

    rewards: tuple[Fraction, ...]
    baseline: Fraction

    def __str__(self) -> str:
        return f"r = ({', '.join(map(str, self.rewards))}), b = {self.baseline}"


def exact(text: str, argument: str) -> Fraction:
    """A number such as 2, -3/4 or 0.25.

    Raises:
        BadInput: it is none; the message names the argument.
    """
    try:
        return cover_check.number(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise BadInput(
            f"{argument}: {text.strip()!r} is no exact number; write it like 2, -3/4 or 0.25"
        ) from error


def parse_bandit(text: str | None) -> Bandit:
    """A bandit from "r=1,2,3; b=4".

    Examples:
        >>> str(parse_bandit("r=1,2,3; b=4"))
        'r = (1, 2, 3), b = 4'

    Raises:
        BadInput: a part is missing, unknown or unreadable, or there are fewer than 2 or more than 4
            actions.
    """
    match = re.fullmatch(r"\s*r\s*=([^;=]+);\s*b\s*=([^;=]+);?\s*", text or "")
    if not match:
        raise BadInput(f'--bandit: can\'t use {text!r}; write it like "r=1,2,3; b=4"')
    rewards = tuple(exact(one, "--bandit") for one in match[1].split(","))
    if not 2 <= len(rewards) <= 4:
        raise BadInput(f"--bandit: {len(rewards)} rewards; name 2, 3 or 4")
    return Bandit(rewards, exact(match[2], "--bandit"))


@certificate_kind
@dataclass(frozen=True)
class SimplexCover:
    """A bisection of the simplex and its leaves, as `cover_check` reads it.

    Args:
        data: the JSON object, all numbers exact.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `cover_check` accepts the data, read back from JSON text.

        At a higher precision, by code that shares nothing with what grew it.
        """
        return cover_check.holds(json.loads(json.dumps(self.data)))

    def __str__(self) -> str:
        return cover_check.statement(dict(self.data))


@dataclass(frozen=True)
class Undecided:
    """Why there is no certificate: the piece that could not be decided, and whether the change has
    the wrong sign within it.

    Args:
        summary: the statement that was tried.
        box: (k,) the range of each probability on the piece.
        against: (k,) a policy in it where the change has the wrong sign, rigorously; None if none
            was found.
    """

    summary: str
    box: tuple[tuple[Fraction, Fraction], ...]
    against: Point | None = None

    def __str__(self) -> str:
        ranges = ", ".join(
            f"π({action + 1}) in [{float(low):.9g}, {float(high):.9g}]"
            for action, (low, high) in enumerate(self.box)
        )
        if self.against is None:
            return f"INCONCLUSIVE: {self.summary}; undecided on the piece {ranges}"
        where = ", ".join(map(str, self.against))
        return (
            f"REFUTED: {self.summary}; the divergence moves the other way at π = ({where}),"
            f" rigorously; found in the piece {ranges}"
        )


def cover(bandit: Bandit, alpha: Fraction, max_leaves: int = 50_000) -> SimplexCover | Undecided:
    """Bisect the longest edges until every piece is decided, one is found that can't be, or there
    are too many.

    Args:
        alpha: the stepsize, exact.
        max_leaves: how many pieces there may be.

    Returns:
        The cover, or the piece that could not be decided.

    Raises:
        BadInput: the stepsize isn't positive, or the baseline isn't above all rewards or below all
            of them.
    """
    import flint

    if alpha <= 0:
        raise BadInput(f"--alpha: {alpha} isn't positive")
    if not (bandit.baseline > max(bandit.rewards) or bandit.baseline < min(bandit.rewards)):
        raise BadInput(
            f"--bandit: b = {bandit.baseline} isn't above all rewards or below all, so there is no"
            " π* in the simplex"
        )
    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    try:
        return _Growth(bandit, alpha).run(max_leaves)
    finally:
        flint.ctx.prec = before


class _Growth:
    def __init__(self, bandit: Bandit, alpha: Fraction):
        self.bandit, self.alpha, self.k = bandit, alpha, len(bandit.rewards)
        self.push = [alpha * (reward - bandit.baseline) for reward in bandit.rewards]
        inverse = sum((1 / one for one in self.push), start=Fraction(0))
        # π*_a is proportional to 1/(r_a - b)
        self.star = [1 / (one * inverse) for one in self.push]
        self.known: dict[tuple[int, Fraction, Fraction], tuple[bool, Any]] = {}

    def run(self, max_leaves: int) -> SimplexCover | Undecided:
        corners: tuple[Point, ...] = tuple(
            tuple(Fraction(int(row == column)) for column in range(self.k)) for row in range(self.k)
        )
        # depth first, so that the tree is written in the order in which it is read again
        waiting, tree, leaves = [(corners, 0)], [], []
        while waiting:
            piece, depth = waiting.pop()
            if self._decided(piece):
                tree.append(".")
                leaves.append([_weights(vertex) for vertex in piece])
                continue
            centre = tuple(
                sum((vertex[action] for vertex in piece), start=Fraction(0)) / self.k
                for action in range(self.k)
            )
            # one policy with the wrong sign, rigorously, ends the search: no bisection would help
            wrong = self._wrong_at(centre)
            if wrong or depth >= DEEPEST * (self.k - 1) or len(leaves) + len(waiting) >= max_leaves:
                box = tuple(
                    (min(v[action] for v in piece), max(v[action] for v in piece))
                    for action in range(self.k)
                )
                return Undecided(f"{self.bandit}, α = {self.alpha}", box, centre if wrong else None)
            # the longest edge, or pieces would become needles and bounds over their boxes useless
            i, j = _longest(piece)
            middle = tuple((x + y) / 2 for x, y in zip(piece[i], piece[j], strict=True))
            tree.append(f"{i}{j}")
            for gone in (i, j):  # the one that keeps i is read first
                # a stack: what is put last is read next
                waiting.append(
                    (
                        tuple(
                            middle if place == gone else vertex
                            for place, vertex in enumerate(piece)
                        ),
                        depth + 1,
                    )
                )
        rewards = [str(one) for one in self.bandit.rewards]
        return SimplexCover(
            {
                "rewards": rewards,
                "baseline": str(self.bandit.baseline),
                "alpha": str(self.alpha),
                "tree": "".join(tree),
                "leaves": leaves,
            }
        )

    def _decided(self, piece: tuple[Point, ...]) -> bool:
        bounds = [
            self._bound(action, min(v[action] for v in piece), max(v[action] for v in piece))
            for action in range(self.k)
        ]
        # at π* itself every term is 0, so that no sum is above 0 near it; there the signs of the
        # brackets decide
        return all(positive for positive, _ in bounds) or bool(sum(term for _, term in bounds) > 0)

    def _bound(self, action: int, low: Fraction, high: Fraction) -> tuple[bool, Any]:
        """For an optimistic baseline 1 - π|ζ| Ψ(|ζ| (π - π*)) is least with the largest π before Ψ
        and the smallest in it.
        """
        key = (action, low, high)
        if key not in self.known:
            push, star = self.push[action], self.star[action]
            bracket = (
                _arb(Fraction(1))
                if push > 0
                else 1 - _arb(-push * high) * _psi(_arb(-push * (low - star)))
            )
            inside = low <= star <= high
            # a positive bracket is least times the smallest distance, a negative one times the
            # largest
            near = Fraction(0) if inside else min(abs(low - star), abs(high - star))
            distance = near if bracket > 0 else max(abs(low - star), abs(high - star))
            self.known[key] = bool(bracket > 0), bracket * _arb(abs(push) * distance**2)
        return self.known[key]

    def _wrong_at(self, point: Point) -> bool:
        terms = []
        for p, push, star in zip(point, self.push, self.star, strict=True):
            terms.append(
                _arb(abs(push) * (p - star) ** 2)
                * (1 + _arb(p * push) * _psi(_arb(push * (star - p))))
            )
        return bool(sum(terms) < 0)


def _psi(y: Any) -> Any:
    """Ψ(y) = (e^-y - 1 + y)/y² = ₁F₁(1; 3; -y)/2."""
    return (-y).hypgeom_1f1(1, 3) / 2


def _arb(number: Fraction) -> Any:
    import flint

    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _weights(point: Point) -> list[int]:
    """Coordinates that are multiples of a power of 1/2, as integers."""
    scale = max(coordinate.denominator for coordinate in point)
    return [int(coordinate * scale) for coordinate in point]


def _longest(piece: Sequence[Point]) -> tuple[int, int]:
    edges = [(i, j) for j in range(len(piece)) for i in range(j)]
    return max(
        edges,
        key=lambda edge: sum(
            (x - y) ** 2 for x, y in zip(piece[edge[0]], piece[edge[1]], strict=True)
        ),
    )


def certify_bandit(
    text: str, alpha: str | None, out: Path, max_leaves: int = 50_000
) -> tuple[bool, str]:
    """Write the certificate of one bandit and stepsize; whether there is one, and words.

    Args:
        text: the bandit, as "r=1,2,3; b=4"; alpha: the stepsize as text.
        out: the file; max_leaves: see `cover`.

    Raises:
        BadInput: an argument can't be used.
    """
    if alpha is None:
        raise BadInput("certify: --bandit needs a stepsize, --alpha, or a target with --law")
    if max_leaves < 1:
        raise BadInput(f"--max-leaves: {max_leaves} isn't positive")
    bandit = parse_bandit(text)
    found = cover(bandit, exact(alpha, "--alpha"), max_leaves)
    if isinstance(found, Undecided):
        # no certificate is written for what the re-check doesn't accept
        return False, str(found)
    if not found.recheck():
        return (
            False,
            f"INCONCLUSIVE: {bandit}, α = {alpha}: a cover was found, and its re-check refused it",
        )
    save(out, content(str(found), f"{bandit}, the closed simplex", [found]))
    return True, f"CERTIFIED: {found}; written to {out}"


@derivation("three-arm-descent-whole-sweep", kind="certificate")
def whole_sweep_in_balls() -> Proof:
    """α = 2 on the whole simplex by Arb; the smaller stepsizes of the sweep by convexity."""
    bandit = parse_bandit("r=1,2,3; b=4")
    proof = Proof(
        "every expected step with 0 < α <= 2, the paper's whole sweep, lowers D_KL(π*‖π) at every"
        " policy but π*",
        f"{bandit}, the closed simplex",
        rigorous_on_domain=True,
    )
    found = cover(bandit, Fraction(2))
    if isinstance(found, Undecided):
        return proof.note(str(found))
    proof.note(
        "The simplex is bisected; on each piece the change is bounded by ball arithmetic, and once"
        " more at twice the precision."
    )
    return proof.attach(found, str(found), leaves=len(found.data["leaves"]))
