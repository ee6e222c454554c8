"""How tests ask the engine for one law: one of the project's, or one made up on the spot."""

from __future__ import annotations

import numpy as np

from altpg_verify import LAWS, check_estimator, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.law_domains import ANYWHERE
from altpg_verify.laws import Law

CASE = parse_case("pi=1/2,1/2; r=0,1; b=1")


def ask(est, name, **options):
    options = {"facts": False, "on_fail": "return", "max_examples": 10, **options}
    return check_estimator(est, only=[name], **options)[name]


def law(sides, relation="=", domain=ANYWHERE, **rest):
    return Law("mine", "mine", "mine", sides, domain, relation, **{"layout": "scalar", **rest})


def ask_mine(sides, relation="=", domain=ANYWHERE, est=regular, case=None, max_examples=10, **rest):
    return ask(
        est,
        "mine",
        laws=(*LAWS, law(sides, relation, domain, **rest)),
        case=case,
        max_examples=max_examples,
    )


@estimator
def branches(pi, e, r, b):
    return (r - b) * (e - pi) if r > b else (b - r) * (pi - e)


@estimator
def rounded(pi, e, r, b):
    return (float(r) - float(b)) * (np.asarray(e, dtype=float) - np.asarray(pi, dtype=float))
