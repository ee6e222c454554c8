"""Cases far from the simple ones: heavy-tailed rewards and baselines, policies next to a corner,
and numbers that the formula itself names.

Hypothesis finds the simplest counterexample where there is one among small numbers. A clip at 15, a
floor at 1/50 or a special case at -100 shows only where nobody would look by chance: at the
formula's own constants, on both sides of them, and at large and tiny numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from altpg_verify.cases import Case, Outcome
from altpg_verify.parameterisations import Parameterisation

MOST_ACTIONS = 8
LARGEST_POWER = 9
NEAREST_POWER = 12
MOST_NAMED = 16
"""Up to this number of actions, and one more, a formula's own whole numbers are tried as such."""

CASES_PER_CONSTANT = 18

RANGES = (
    f"k from 2 to {MOST_ACTIONS}, |r| and |b| up to 10^{LARGEST_POWER} and down to"
    f" 10^-{LARGEST_POWER}, both signs and 0, policies from uniform to 10^-{NEAREST_POWER} from a"
    " corner, constants of the formula and both sides of each"
)
"""What is searched, in words; a report prints it once."""

_ACTIONS = (2, 3, 2, 4, 3, 8, 2, 5, 3, 6, 2, 7)
"""Mostly few, since many cost more and show less."""

_USUAL = frozenset(map(Fraction, (-1, 0, 1, 2)))


def wide_cases(parameterisation: Parameterisation, count: int, seed: int) -> list[Case]:
    """So many cases over the whole range, the same for the same seed.

    Rewards of one scale for all actions or of one for each, between 10^-9 and 10^9; baselines that
    are random, equal or next to a reward, or 0; policies uniform, uneven, or up to 10^-12 from a
    corner.
    """
    # the kinds of cases draw from streams of their own, far apart for neighbouring seeds
    random = Random(seed * 1_000_003 + 17)
    return [_wide(parameterisation, random, i) for i in range(count)]


def simple_cases(parameterisation: Parameterisation, count: int, seed: int) -> list[Case]:
    """Small numbers: two to five actions, weights up to 12, rewards and baselines up to 6; the
    simplest cases first.

    The first two have the uniform policy on two actions, the very first rewards 0 and 1; every
    second case may have noise. The same for the same seed.

    Args:
        parameterisation: how coordinates become the policy.
        count: of cases.
        seed: of all but the first.
    """
    random = Random(seed * 1_000_003 + 5)
    return [_simple(parameterisation, random, i) for i in range(count)]


def constant_cases(
    parameterisation: Parameterisation, constants: Sequence[Fraction], most: int, seed: int
) -> list[Case]:
    """Cases whose rewards, baselines, probabilities, differences and products lie at a constant or
    beside it.

    A clip at 15 is seen at 15 and at 14 and 16, a special case at -100 there only. Beside a
    constant c are c ± |c|·10^-9, c ± |c|/100, c ± |c| and c ± 1, and the same of -c.

    Args:
        parameterisation: how coordinates become the policy.
        constants: the numbers in a formula.
        most: cases at most; 0, 1, -1 and 2 get none of their own.
        seed: of what is left to chance.
    """
    unusual = [number for number in constants if number not in _USUAL and -number not in _USUAL]
    if not unusual:
        return []
    # apart from the streams of the other kinds of cases, which have the same seed
    random = Random(seed * 1_000_003 + 29)
    turns = [_Turns(number, random) for number in unusual]
    count = min(most, CASES_PER_CONSTANT * len(unusual))
    return [_at_constant(parameterisation, random, turns, i) for i in range(count)]


class _Turns:
    """A constant, and what is beside it and beside its opposite: each is taken before any is taken
    again, in an order of chance.
    """

    def __init__(self, number: Fraction, random: Random) -> None:
        self.number, self.random = number, random
        self.numbers = sorted({*_beside(number), *_beside(-number)})
        self.left: list[Fraction] = []

    def next(self) -> Fraction:
        if not self.left:
            self.left = self.numbers[:]
            self.random.shuffle(self.left)
        return self.left.pop()


def _beside(number: Fraction) -> tuple[Fraction, ...]:
    size = abs(number) or Fraction(1)
    near = [
        number + sign * step
        for sign in (1, -1)
        for step in (size / 10**9, size / 100, size, Fraction(1))
    ]
    return (number, *near)


def _simple(parameterisation: Parameterisation, random: Random, i: int) -> Case:
    k = 2 if i < 2 else random.randint(2, 5)
    weights = [Fraction(1 if i < 2 else random.randint(1, 12)) for _ in range(k)]
    small = [Fraction(random.randint(-6, 6), random.choice([1, 1, 2, 3])) for _ in range(k + 1)]
    values, b = (small[:k], small[k]) if i else ([Fraction(0), Fraction(1)], Fraction(0))
    rewards = []
    for value in values:
        chance = Fraction(random.randint(1, 3), 4)
        # every second case has none: a law may fail without noise only
        noise = i % 2 and random.random() < 0.7
        pair = ((value, chance), (value + random.randint(1, 4), 1 - chance))
        rewards.append(pair if noise else ((value, Fraction(1)),))
    total = sum(weights)
    return Case(
        _coordinates(parameterisation, [weight / total for weight in weights]),
        tuple(rewards),
        b,
        parameterisation,
    )


def _wide(parameterisation: Parameterisation, random: Random, i: int) -> Case:
    k = _ACTIONS[i % len(_ACTIONS)]
    # one scale for all or one for each
    power = random.randint(-LARGEST_POWER, LARGEST_POWER) if i % 2 else None
    values = [_number(random, power) for _ in range(k)]
    b = random.choice(
        [
            _number(random, power),
            _number(random, None),
            values[0],
            values[-1] + Fraction(1, 10**6),
            Fraction(0),
        ]
    )
    return Case(
        _coordinates(parameterisation, _policy(random, k)),
        _rewards(random, values, i),
        b,
        parameterisation,
    )


def _at_constant(
    parameterisation: Parameterisation, random: Random, turns: Sequence[_Turns], i: int
) -> Case:
    turn = turns[i % len(turns)]
    k = 2 + random.choice([0, 0, 1, 2, 3, i % (MOST_ACTIONS - 1)])
    if turn.number.denominator == 1 and 2 < turn.number <= MOST_NAMED and i // len(turns) % 6 < 3:
        # a whole number may be about how many actions there are
        k = int(turn.number) - 1 + i // len(turns) % 6
    b = Fraction(random.randint(-6, 6), random.choice([1, 2, 3]))
    way = (i // len(turns)) % 6
    # the constant itself is always there, among its neighbours
    exactly = random.choice([turn.number, turn.number, -turn.number])
    values = [exactly, *(turn.next() for _ in range(k - 1))]
    random.shuffle(values)
    weights = _policy(random, k)
    if way == 1:
        # differences from the baseline
        values = [b + value for value in values]
    elif way == 2:
        b, values = exactly, [Fraction(random.randint(-6, 6)) for _ in range(k)]
    elif way == 3 and b:
        # products with the baseline
        values = [value / b for value in values]
    elif way == 4:
        b = turn.next()
    shares = [share for share in (turn.number, 1 - turn.number) if 0 < share < 1] or [
        share for share in values if 0 < share < 1
    ]
    if way == 5 and 0 < turn.number < 1:
        shares = [share for share in turn.numbers if 0 < share < 1]
    if way in (0, 5) and not shares:
        shares = [share for share in (abs(value) - int(abs(value)) for value in values) if share]
    if shares:
        share, place = random.choice(shares), random.randrange(k)
        others = sum(weight for a, weight in enumerate(weights) if a != place)
        weights = [
            share if a == place else weight * (1 - share) / others
            for a, weight in enumerate(weights)
        ]
        if way == 5:
            values = [_number(random, 0) for _ in range(k)]
    return Case(
        _coordinates(parameterisation, weights), _rewards(random, values, i), b, parameterisation
    )


def _number(random: Random, power: int | None) -> Fraction:
    if random.random() < 0.1:
        return Fraction(0)
    power = random.randint(-LARGEST_POWER, LARGEST_POWER) if power is None else power
    return (
        random.choice([1, -1])
        * Fraction(random.randint(1, 99), random.choice([10, 7, 3]))
        * Fraction(10) ** power
    )


def _rewards(random: Random, values: Sequence[Fraction], i: int) -> tuple[tuple[Outcome, ...], ...]:
    if i % 3:
        return tuple(((value, Fraction(1)),) for value in values)
    chance = Fraction(random.randint(1, 3), 4)
    others = [values[(a + 1) % len(values)] for a in range(len(values))]
    return tuple(
        ((value, Fraction(1)),) if value == other else ((value, chance), (other, 1 - chance))
        for value, other in zip(values, others, strict=True)
    )


def _policy(random: Random, k: int) -> list[Fraction]:
    kind = random.randrange(6)
    weights = [Fraction(random.randint(1, 60)) for _ in range(k)]
    if kind == 0:
        weights = [Fraction(1)] * k
    elif kind in (1, 2):
        # next to a corner: all others together have 10^-n
        away, corner = Fraction(1, 10 ** random.randint(1, NEAREST_POWER)), random.randrange(k)
        others = sum(weights) - weights[corner]
        weights = [
            1 - away if a == corner else weight / others * away for a, weight in enumerate(weights)
        ]
    elif kind == 3:
        weights[random.randrange(k)] = Fraction(1, 10 ** random.randint(1, NEAREST_POWER))
    elif kind == 4:
        weights[-1] = weights[0]
    total = sum(weights)
    return [weight / total for weight in weights]


def _coordinates(
    parameterisation: Parameterisation, policy: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    if parameterisation.normalised:
        return tuple(policy)
    # any preferences that aren't 0, of both signs
    return tuple(
        share if a % 2 == 0 or not parameterisation.signed else -share
        for a, share in enumerate(policy)
    )


def shrunk(
    case: Case, fails: Callable[[Case], bool], restrict: Callable[[Case], Case], tries: int = 400
) -> Case:
    """A simpler case that fails, too: fewer actions, fewer outcomes, shorter numbers; none simpler
    can be made of it in one step.

    Greedy: the first simpler case that fails takes the place of the case, until none does or the
    tries are used up.

    Args:
        case: one that fails.
        fails: whether a case does.
        restrict: any case -> one that the law speaks of.
        tries: calls of `fails` at most.
    """
    left = tries
    simpler = True
    while simpler and left > 0:
        simpler = False
        for candidate in _simpler(case):
            candidate = restrict(candidate)
            # shorter by a fixed measure, or two cases could be made of each other for ever
            if _length(candidate) >= _length(case):
                continue
            left -= 1
            if fails(candidate):
                case, simpler = candidate, True
                break
            if left <= 0:
                break
    return case


def _length(case: Case) -> tuple[int, int, int, Fraction | int]:
    numbers = [*case.x, case.b, *(reward for outcomes in case.rewards for reward, _ in outcomes)]
    # denominators count twice: 3 reads more easily than 1/3
    bits = sum(
        number.numerator.bit_length() + 2 * (number.denominator.bit_length() - 1)
        for number in numbers
    )
    uneven = sum(entry != case.x[0] for entry in case.x)
    negative = sum(number < 0 for number in numbers)
    outcomes = sum(len(outcomes) for outcomes in case.rewards)
    return (
        case.k,
        outcomes,
        bits + uneven + negative,
        sum(abs(number) for number in numbers[case.k :]),
    )


def _simpler(case: Case) -> list[Case]:
    found: list[Case] = []
    k, softmax = case.k, case.parameterisation.normalised

    def add(x: Sequence[Fraction], rewards: Sequence[tuple[Outcome, ...]], b: Fraction) -> None:
        total = sum(x)
        if softmax and total and all(entry >= 0 for entry in x):
            x = [entry / total for entry in x]
        if any(entry != 0 for entry in x) and (softmax or all(entry != 0 for entry in x)):
            found.append(Case(tuple(x), tuple(rewards), b, case.parameterisation))

    x, rewards, b = list(case.x), list(case.rewards), case.b
    # the largest steps first: an action less, no noise, the uniform policy, then single numbers
    if k > 2:
        for a in range(k):
            add(x[:a] + x[a + 1 :], rewards[:a] + rewards[a + 1 :], b)
    sure = [((outcomes[0][0], Fraction(1)),) for outcomes in rewards]
    add(x, sure, b)
    zero = ((Fraction(0), Fraction(1)),)
    if all(entry != 0 for entry in x):
        add([Fraction(1, k)] * k, rewards, b)
    for a, outcomes in enumerate(rewards):
        add(x, [*rewards[:a], zero, *rewards[a + 1 :]], b)
        for outcome, _ in outcomes:
            add(x, [*rewards[:a], ((outcome, Fraction(1)),), *rewards[a + 1 :]], b)
            for number in _shorter(outcome):
                moved = tuple(
                    (number if reward == outcome else reward, weight) for reward, weight in outcomes
                )
                add(x, [*rewards[:a], moved, *rewards[a + 1 :]], b)
    for number in _shorter(b):
        add(x, rewards, number)
    if all(entry != 0 for entry in x):
        # the nearest fractions with small denominators, the smallest first
        for most in (2, 3, 10, 100, 1000, 10**6):
            smaller = [Fraction(entry).limit_denominator(most) for entry in x]
            if all(entry != 0 for entry in smaller):
                add(smaller, rewards, b)
        for a in range(k):
            evened = [entry if c == a else Fraction(1) for c, entry in enumerate(x)]
            rest = (1 - x[a]) / (k - 1) if softmax else Fraction(1)
            (
                add([x[a] if c == a else rest for c in range(k)], rewards, b)
                if softmax
                else add(evened, rewards, b)
            )
            if softmax and 0 < x[a] < 1:
                for share in _shorter(x[a]):
                    if 0 < share < 1:
                        add(
                            [
                                share if c == a else (1 - share) * entry / (1 - x[a])
                                for c, entry in enumerate(x)
                            ],
                            rewards,
                            b,
                        )
    return found


def _shorter(number: Fraction) -> list[Fraction]:
    whole = int(number)
    step = 1 if number > 0 else -1
    found = [
        Fraction(n)
        for n in (0, 1, -1, int(number / 1000), int(number / 2), whole, whole - step, whole + step)
    ]
    found += [
        number - step,
        *(Fraction(number).limit_denominator(most) for most in (2, 10, 100, 1000)),
    ]
    # tiny numbers become 1/n or a power of ten, which reads best
    if 0 < abs(number) < 1:
        part = int(1 / abs(number))
        found += [step * Fraction(1, n) for n in (part // 1000, part // 2, part - 1, part) if n > 1]
        power = len(str(part))
        found += [step * Fraction(1, 10**n) for n in (power - 1, power)]
    return list(dict.fromkeys(entry for entry in found if entry != number))
