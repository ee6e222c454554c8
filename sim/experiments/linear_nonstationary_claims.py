"""What the paper says of linear actor-critics whose actions are switched at half-time (section 7, experiment 6, and appendix F.1, F.2).

Stepsizes are chosen as the paper chooses them, on 50 runs; what is reported are fresh runs at them. How each sentence is read was
fixed before anything was run: "both sets" are the stepsizes best at half-time and those best at the end; where a sentence names no
estimator it is said of both.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import Measured, less
from sim.bootstrap import bootstrapped, lead_near_best
from sim.experiments.linear_nonstationary import record
from sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from sim.experiments.online_measures import CHOICE, at, change, domain, fresh, sweep_domain
from sim.experiments.online_panel import CHOICES
from sim.results import Results

ENTROPY = (0.0, 1.0986122886681098)
"""Between 0 and ln 3."""

NEAR = 50.0
"""So far below the best a stepsize pair still counts as good: the paper's plots are read to that."""

SETTING = "tile coding, actions switched at half-time"


def _domain(results: Results, *tasks: str) -> str:
    return domain(SETTING, [record(results, task, name) for task in tasks for name in ESTIMATORS])


def ends(results: Results, task: str, estimator: str, choice: str) -> Measured:
    """Final performance of fresh runs without an entropy bonus."""
    return fresh(estimator, record(results, task, estimator), choice, RETURNS)


def advantage(results: Results, task: str, choice: str) -> Measured:
    """Alternate less regular at the end, each at its stepsizes of that choice."""
    alternate, regular = (ends(results, task, estimator, choice) for estimator in ESTIMATORS)
    return less(alternate, regular, about=task)


@evidence("mountaincar-alternate-superior", kind="simulation")
def alternate_superior(results: Results) -> Finding:
    gaps = [advantage(results, "MountainCar", choice) for choice in CHOICES]
    return analysis.all_above(
        "on MountainCar alternate ends above regular, for both sets of stepsizes", gaps, 0.0, _domain(results, "MountainCar")
    )


@evidence("mountaincar-regular-does-not-recover", kind="simulation")
def regular_does_not_recover(results: Results) -> Finding:
    item = ends(results, "MountainCar", "regular", "half")
    return analysis.all_below("on MountainCar regular, best at half-time, ends below -400", [item], -400.0, _domain(results, "MountainCar"))


@evidence("mountaincar-alternate-recovers", kind="simulation")
def alternate_recovers(results: Results) -> Finding:
    item = ends(results, "MountainCar", "alternate", "half")
    says = "on MountainCar alternate, best at half-time, ends above -250"
    why = (
        "it does recover from about -1000, but of several pairs of stepsizes nearly as good at half-time some recover better than others: "
        "which of them is best is the chance of 50 runs"
    )
    return analysis.explained(lambda says: analysis.all_above(says, [item], -250.0, _domain(results, "MountainCar")), says, why)


@evidence("acrobot-difference-smaller", kind="simulation")
def acrobot_difference_smaller(results: Results) -> Finding:
    items = []
    for choice in CHOICES:
        car, acrobot = (advantage(results, task, choice) for task in ("MountainCar", "Acrobot"))
        items += [acrobot, less(car, acrobot, about=f"MountainCar's less Acrobot's, {CHOICE[choice]}")]
    says = "on Acrobot alternate ends above regular by less than on MountainCar, for both sets of stepsizes"
    why = "the stepsizes best at the end are those at which regular, too, recovers on both tasks, and little is left to differ by"
    return analysis.explained(lambda says: analysis.all_above(says, items, 0.0, _domain(results, *TASKS)), says, why)


@evidence("critic-predicts-about-minus-200", kind="simulation")
def critic_about_200(results: Results) -> Finding:
    says = "on MountainCar the critics of both estimators, best at half-time, value the start between -250 and -150 at half-time"
    about = _domain(results, "MountainCar")
    return analysis.explained(lambda says: analysis.all_within(says, _start_values(results), -200.0, 50.0, about), says, _VALUES)


@evidence("critic-above-minus-200", kind="simulation")
def critic_above_200(results: Results) -> Finding:
    says = "on MountainCar the critics of both estimators, best at half-time, value the start above -200 at half-time"
    about = _domain(results, "MountainCar")
    return analysis.explained(lambda says: analysis.all_above(says, _start_values(results), -200.0, about), says, _VALUES)


_VALUES = (
    "with a small β the critic still lags behind the returns, and with a large one the few runs that do not solve the task by then, whose "
    "values go far below every return, pull the mean down"
)


def _start_values(results: Results) -> list[Measured]:
    return [at(name, record(results, "MountainCar", name), "half", "start_value", "before") for name in ESTIMATORS]


@evidence("returns-fall-below-minus-200", kind="simulation")
def returns_fall(results: Results) -> Finding:
    items = [at(name, record(results, "MountainCar", name), "half", "returns", "after", RETURNS) for name in ESTIMATORS]
    says = "on MountainCar the mean return of both estimators, best at half-time, is below -300 in the 5000 steps after the switch"
    return analysis.all_below(says, items, -300.0, _domain(results, "MountainCar"))


@evidence("entropy-jumps-for-alternate-only", kind="simulation")
def entropy_jumps(results: Results) -> Finding:
    moved = {name: change(name, record(results, "MountainCar", name), "half", "entropy", ENTROPY) for name in ESTIMATORS}
    says = (
        "on MountainCar, stepsizes best at half-time, the policy's entropy rises from the last 5000 steps before the switch to the first "
        "5000 after it for alternate, and falls for regular"
    )
    why = (
        "the stepsizes of regular that are best at half-time are small here, so that its policy is far from saturated at the switch, and "
        "the states in which it then finds itself are those in which it has decided least"
    )
    about = _domain(results, "MountainCar")
    return analysis.explained(
        lambda says: analysis.all_separated(says, [moved["alternate"]], [moved["regular"]], 0.0, about), says, why
    )  # fmt: skip


@evidence("thousand-steps-enough", kind="simulation")
def thousand_steps_enough(results: Results) -> Finding:
    groups, records = [], []
    for task in TASKS:
        for estimator in ESTIMATORS:
            records.append(record(results, task, estimator))
            first = records[-1]["first_goal"]
            groups.append((f"{task}, {estimator}", (first >= 0) & (first <= 10_000)))
    says = "with episodes cut at 1000 steps more than 99 % of all runs reach the goal within the first 10 000 steps"
    why = (
        "a uniform policy seldom reaches the goal of MountainCar in so few steps, and it stays uniform with small stepsizes, or while a "
        "critic that learns slowly is still optimistic; with large ones it can saturate before it has ever seen the goal"
    )
    about = sweep_domain("tile coding, uniform policy at the start, both estimators", records)
    return analysis.explained(lambda says: analysis.share_above(says, groups, 0.99, about), says, why)


@evidence("alternate-less-sensitive-nonstationary", kind="simulation")
def less_sensitive(results: Results) -> Finding:
    items, everything = [], []
    for task in TASKS:
        records = [record(results, task, estimator) for estimator in ESTIMATORS]
        everything += records
        for choice, when in (("half", "at half-time"), ("final", "at the end")):
            samples = [one[choice] for one in records]
            step = 1 / samples[0][..., 0].size
            label = f"{task}, {when}: share for alternate less share for regular"
            items.append(bootstrapped(label, partial(lead_near_best, distance=NEAR), samples, step=step))
    says = "a larger share of the stepsize pairs of alternate is within 50 of the best of both, at half-time and at the end, on both tasks"
    return analysis.all_above(says, items, 0.0, sweep_domain(f"{SETTING}, bootstrap over runs", everything))
