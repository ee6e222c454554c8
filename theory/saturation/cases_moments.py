"""First and second moments, and the variance of (e_A - eta)(R - b) line by line (appendix B.2)."""

from __future__ import annotations

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis, dot, join
from altpg_verify.theory.exact_cases.bandits import ANY_REWARDS, CORNERS, NOISY_CORNERS
from altpg_verify.theory.exact_cases.statements import Statement

_DOMAIN = "interior policies and corners, two and three actions, noisy and noiseless rewards"
_CORNER = "policies that always take one action, noisy and noiseless rewards, three kinds of eta"
_CASES = [*CORNERS[::2], *ANY_REWARDS[::3]]


def _variance(m: Bandit) -> Vec:
    return m.var(lambda e, x: (e - m.eta) * (x - m.b))


STATEMENTS: dict[str, Statement] = {
    "expectation-is-elementwise": Statement(
        lambda m: m.mean(lambda e, x: e * x),
        lambda m: Vec(*(m.mean(lambda e, x, a=a: Vec((e * x)[a]))[0] for a in m.actions)),
        _CASES,
        _DOMAIN,
    ),
    "expectation-of-vector-function": Statement(
        lambda m: m.mean(lambda e, x: e * x**2),
        lambda m: join(
            [Vec(sum(weight * e[a] * x**2 for weight, e, x in m.draws)) for a in m.actions]
        ),
        _CASES,
        _DOMAIN,
    ),
    "variance-in-short-notation": Statement(
        lambda m: (
            m.mean(lambda e, x: (e * x) * (e * x))
            - m.mean(lambda e, x: e * x) * m.mean(lambda e, x: e * x)
        ),
        lambda m: m.mean(lambda e, x: (e * x) ** 2) - m.mean(lambda e, x: e * x) ** 2,
        _CASES,
        _DOMAIN,
    ),
    "mean-reward": Statement(
        lambda m: m.mean(lambda e, x: Vec(x)),
        lambda m: Vec(sum(m.p[a] * m.r[a] for a in m.actions)),
        _CASES,
        _DOMAIN,
    ),
    "second-moment-by-conditioning": Statement(
        lambda m: m.mean(lambda e, x: Vec(x * x)),
        lambda m: Vec(sum(m.p[a] * (m.sigma[a] ** 2 + m.r[a] ** 2) for a in m.actions)),
        _CASES,
        _DOMAIN,
    ),
    "second-moment-as-inner-product": Statement(
        lambda m: m.mean(lambda e, x: Vec(x * x)),
        lambda m: Vec(dot(m.p, m.sigma**2 + m.r**2)),
        _CASES,
        _DOMAIN,
    ),
    "mean-basis-vector": Statement(
        lambda m: m.mean(lambda e, x: e), lambda m: m.p, _CASES, _DOMAIN
    ),
    "mean-basis-times-reward": Statement(
        lambda m: m.mean(lambda e, x: e * x), lambda m: m.p * m.r, _CASES, _DOMAIN
    ),
    "mean-basis-times-squared-reward": Statement(
        lambda m: m.mean(lambda e, x: e * x * x),
        lambda m: m.p * (m.sigma**2 + m.r**2),
        _CASES,
        _DOMAIN,
    ),
    "variance-drops-constant": Statement(
        lambda m: join([_variance(m), _variance(m)]),
        lambda m: join(
            [
                m.var(lambda e, x: e * x - e * m.b - m.eta * x + m.eta * m.b),
                m.var(lambda e, x: e * x - e * m.b - m.eta * x),
            ]
        ),
        _CASES,
        _DOMAIN,
    ),
    "variance-expansion-first-line": Statement(
        _variance,
        lambda m: (
            m.var(lambda e, x: e * x)
            + m.var(lambda e, x: e * m.b)
            + m.var(lambda e, x: m.eta * x)
            - 2 * m.cov(lambda e, x: e * x, lambda e, x: e * m.b)
            - 2 * m.cov(lambda e, x: e * m.b, lambda e, x: m.eta * x)
            + 2 * m.cov(lambda e, x: e * m.b, lambda e, x: m.eta * x)
        ),
        NOISY_CORNERS + _CASES,
        _DOMAIN,
        summary="left: the elementwise variance from the list of outcomes; right: the sum as printed",
    ),
    "variance-expansion-first-line-corrected": Statement(
        _variance,
        lambda m: (
            m.var(lambda e, x: e * x)
            + m.var(lambda e, x: e * m.b)
            + m.var(lambda e, x: m.eta * x)
            - 2 * m.cov(lambda e, x: e * x, lambda e, x: e * m.b)
            - 2 * m.cov(lambda e, x: e * x, lambda e, x: m.eta * x)
            + 2 * m.cov(lambda e, x: e * m.b, lambda e, x: m.eta * x)
        ),
        NOISY_CORNERS + _CASES,
        _DOMAIN,
    ),
    "variance-expansion": Statement(
        _variance,
        lambda m: (
            m.var(lambda e, x: e * x)
            + m.var(lambda e, x: e) * m.b**2
            + m.var(lambda e, x: x + 0 * e) * m.eta**2
            - 2 * m.cov(lambda e, x: e * x, lambda e, x: e) * m.b
            - 2 * m.cov(lambda e, x: e * x, lambda e, x: x + 0 * e) * m.eta
            + 2 * m.cov(lambda e, x: e, lambda e, x: x + 0 * e) * m.eta * m.b
        ),
        _CASES,
        _DOMAIN,
    ),
    "corner-variance-terms": Statement(
        _variance,
        lambda m: (
            basis(m.top, m.k) * m.sigma**2
            + m.sigma[m.top] ** 2 * m.eta**2
            - 2 * m.sigma * basis(m.top, m.k) * m.eta
        ),
        CORNERS,
        _CORNER,
        summary=(
            "left: the elementwise variance from the list of outcomes; right: the terms as printed"
        ),
    ),
    "corner-variance-terms-corrected": Statement(
        _variance,
        lambda m: (
            basis(m.top, m.k) * m.sigma**2
            + m.sigma[m.top] ** 2 * m.eta**2
            - 2 * m.sigma**2 * basis(m.top, m.k) * m.eta
        ),
        CORNERS,
        _CORNER,
    ),
    "corner-variance-simplified": Statement(
        _variance,
        lambda m: (
            m.sigma[m.top] ** 2
            * (basis(m.top, m.k) + m.eta**2 - 2 * m.eta[m.top] ** 2 * basis(m.top, m.k))
        ),
        CORNERS,
        _CORNER,
        summary=(
            "left: the elementwise variance from the list of outcomes; right: the terms as printed"
        ),
    ),
    "corner-variance-simplified-corrected": Statement(
        _variance,
        lambda m: (
            m.sigma[m.top] ** 2
            * (basis(m.top, m.k) + m.eta**2 - 2 * m.eta[m.top] * basis(m.top, m.k))
        ),
        CORNERS,
        _CORNER,
    ),
    "corner-variance-at-eta-zero": Statement(
        lambda m: m.var(lambda e, x: (e - 0) * (x - m.b)),
        lambda m: m.sigma[m.top] ** 2 * basis(m.top, m.k),
        CORNERS,
        _CORNER,
    ),
    "corner-variance-at-eta-pi": Statement(
        lambda m: m.var(lambda e, x: (e - m.p) * (x - m.b)), lambda m: 0 * m.p, CORNERS, _CORNER
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def moments(claim: str) -> Finding:
    """Both sides of each line on moments and variances, case by case.

    The moments are sums over the listed outcomes, two signs of the noise for each action; η takes
    several values besides π and 0, so that a dropped term shows.
    """
    return STATEMENTS[claim].judged()
