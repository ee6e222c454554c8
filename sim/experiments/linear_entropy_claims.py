"""What the paper says of an entropy bonus on the tasks whose actions are switched (section 7, experiment 9, and appendix F.3).

The best τ of an estimator is the one whose best stepsizes did best in the sweep, by the same performance that its stepsizes are
chosen by; what is reported are fresh runs. Where a sentence names no task it is said of both.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import Measured, less
from sim.bootstrap import bootstrapped, lead_near_best, share_of_wins
from sim.experiments.linear_entropy import TAUS, record
from sim.experiments.linear_nonstationary_claims import NEAR, SETTING, ends
from sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from sim.experiments.online_measures import at_best_betas, best_of, domain, fresh, over_stepsizes, sweep_domain
from sim.experiments.online_panel import CHOICES
from sim.results import Record, Results


def _records(results: Results, *tasks: str) -> list[Record]:
    return [record(results, task, name, tau) for task in tasks for name in ESTIMATORS for tau in (0.0, *TAUS)]


def _domain(results: Results) -> str:
    return domain(f"{SETTING}; τ = 0.1 ... 0.9, the best chosen like the stepsizes", _records(results, *TASKS))


def _sweep(results: Results, *tasks: str) -> str:
    return sweep_domain(SETTING, _records(results, *tasks))


def with_bonus(results: Results, task: str, choice: str, estimator: str = "regular") -> Measured:
    """Final performance of fresh runs with the best τ > 0."""
    best = best_tau(results, task, choice, estimator)
    return fresh(f"{estimator}, τ = {best.setting['tau']:g}", best, choice, RETURNS)


def best_tau(results: Results, task: str, choice: str, estimator: str = "regular") -> Record:
    """The sweep with the best τ > 0."""
    return best_of([record(results, task, estimator, tau) for tau in TAUS], choice)


def _why(results: Results) -> str:
    """What both estimators come to with a bonus: the comparison that is fair to both."""
    means = []
    for task in TASKS:
        one, other = (with_bonus(results, task, "final", estimator).mean for estimator in ESTIMATORS)
        means.append(f"{one:.0f} and {other:.0f} on {task}")
    return (
        "at the stepsizes best at the end regular recovers, too, and better with a bonus that keeps its policy from saturating; with a "
        f"bonus for both, alternate and regular come to {' and to '.join(means)}"
    )


@evidence("entropy-bonus-no-help-to-regular", kind="simulation")
def no_help_to_regular(results: Results) -> Finding:
    gaps = [less(with_bonus(results, task, "half"), ends(results, task, "regular", "half"), about=task) for task in TASKS]
    says = "at the stepsizes best at half-time, regular with its best τ ends at most 20 above regular without a bonus, on both tasks"
    why = (
        "the bonus is scaled to rewards of -1 a step: a bonus that keeps the policy from saturating before the switch also lets it recover "
        "afterwards, and which τ is best at half-time is a near tie that 50 runs decide by chance"
    )
    return analysis.explained(lambda says: analysis.all_below(says, gaps, 20.0, _domain(results)), says, why)


@evidence("regular-entropy-worse-than-alternate", kind="simulation")
def worse_than_alternate(results: Results) -> Finding:
    gaps = [
        less(ends(results, task, "alternate", choice), with_bonus(results, task, choice), about=task)
        for task in TASKS
        for choice in CHOICES
    ]
    says = "alternate without a bonus ends above regular with its best τ, for both sets of stepsizes, on both tasks"
    why = _why(results)
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 0.0, _domain(results)), says, why)


@evidence("alternate-not-worse-than-regular-entropy", kind="simulation")
def not_worse(results: Results) -> Finding:
    gaps = [less(ends(results, task, "alternate", "final"), with_bonus(results, task, "final"), about=task) for task in TASKS]
    says = "at the stepsizes best at the end, alternate without a bonus ends at most 10 below regular with its best τ, on both tasks"
    why = _why(results)
    return analysis.explained(lambda says: analysis.all_above(says, gaps, -10.0, _domain(results)), says, why)


@evidence("entropy-significantly-improves-regular", kind="simulation")
def improves_regular(results: Results) -> Finding:
    gaps = [less(with_bonus(results, task, "final"), ends(results, task, "regular", "final"), about=task) for task in TASKS]
    says = "at the stepsizes best at the end, regular with its best τ ends more than 20 above regular without a bonus, on both tasks"
    why = "without a bonus, too, there are stepsizes at which regular recovers; the bonus helps at others, not at the best"
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 20.0, _domain(results)), says, why)


@evidence("alternate-beats-regular-entropy-widely", kind="simulation")
def beats_widely(results: Results) -> Finding:
    items = []
    for task in TASKS:
        samples = [record(results, task, estimator, tau)["final"] for tau in TAUS for estimator in ESTIMATORS]
        step = 1 / (samples[0][..., 0].size * len(TAUS))
        items.append(bootstrapped(f"{task}, share of α, β and τ", share_of_wins, samples, step=step))
    says = "alternate ends above regular at more than 90 % of the stepsize pairs and τ, the same for both, on both tasks"
    why = (
        "with a large τ, and with very small stepsizes, neither learns, and which is ahead there is chance; alternate is ahead at large α, "
        "but on Acrobot a bonus puts regular ahead at the α between"
    )
    return analysis.explained(
        lambda says: analysis.all_above(says, items, 0.9, f"{_sweep(results, *TASKS)}; τ = 0.1 ... 0.9, bootstrap over runs"), says, why
    )


@evidence("entropy-helps-alternate-slightly", kind="simulation")
def helps_alternate(results: Results) -> Finding:
    small, none = (_over(results, "Acrobot", tau) for tau in (0.1, 0.0))
    says = "on Acrobot alternate ends higher with τ = 0.1 than without a bonus, in the mean over all stepsizes"
    return analysis.all_above(says, [less(small, none, about="Acrobot")], 0.0, _sweep(results, "Acrobot"))


@evidence("large-tau-hurts-alternate", kind="simulation")
def large_tau_hurts(results: Results) -> Finding:
    gaps = [less(*(_over(results, task, tau) for tau in (0.1, 0.9)), about=task) for task in TASKS]
    says = "alternate ends higher with τ = 0.1 than with τ = 0.9, in the mean over all stepsizes, on both tasks"
    return analysis.all_above(says, gaps, 0.0, _sweep(results, *TASKS))


def _over(results: Results, task: str, tau: float) -> Measured:
    return over_stepsizes(f"alternate, τ = {tau:g}", record(results, task, "alternate", tau), RETURNS)


@evidence("entropy-helps-regular-sensitivity", kind="simulation")
def helps_sensitivity(results: Results) -> Finding:
    items = []
    for task in TASKS:
        records = [best_tau(results, task, "final"), record(results, task, "regular", 0.0)]
        tops = [at_best_betas(one["final"]) for one in records]
        label = f"{task}, τ = {records[0].setting['tau']:g}: share of α less the same without"
        items.append(bootstrapped(label, partial(lead_near_best, distance=NEAR), tops, step=1 / len(tops[0])))
    says = (
        "with its best τ a larger share of the stepsizes α of regular is within 50 of the best of both than without a bonus, each α with "
        "its best β, on both tasks"
    )
    about = f"{_sweep(results, *TASKS)}; β chosen on half of the runs, shares of the other half, bootstrap over runs"
    return analysis.all_above(says, items, 0.0, about)
