"""What each case of the gallery is called, and why it isn't what it is meant to be; what mends it
is in `test_mending`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

import pytest

from altpg_verify.audit import audit, identify
from altpg_verify.audit.references.identification import Likeness
from altpg_verify.errors import BadInput
from tests.gallery.entries import CASES
from tests.shares import share

ALGORITHMS = {
    "P01": "A = 0; A log π; mean over sequences of the sum over tokens; 1 · k1 in the loss",
    "P02": "A = 0; A log π; mean over sequences of the sum over tokens; 1 · k3 in the loss",
    "P08": "GPG, OPO, REINFORCE with the mean of the batch or group as baseline",
    "P11": (
        "A = (R - mean(R)) / (std(R) + 0), std over N - 0; A log π; mean over sequences of the sum"
        " over tokens"
    ),
    "P13": "RLOO",
    "P14": "A = R; A log π; mean over all tokens",
    "P16": "REINFORCE",
    "P17": "REINFORCE",
    "P24": "REINFORCE",
    "P44": "sampled NeuRD",
    "P50": "A = 0; A log π; mean over sequences of the sum over tokens",
    "P64": "PPO with dual clip",
    "P65": "GSPO, GSPO-token",
    "P66": "SAPO",
    "P67": "GMPO",
    "P68": "CISPO",
    "P71": "REINFORCE++",
    "P73": "OPO",
    "P75": "A = 0; A log π; mean over sequences of the sum over tokens; 1 · k2 in the loss",
    "P76": "A = 0; A log π; mean over sequences of the sum over tokens; 1 · k3 in the loss",
    "P79": (
        "A = R - mean(R); min(ρ A, clip(ρ, 1 - epsilon, 1 + epsilon) A); mean over sequences of the"
        " mean over tokens"
    ),
    "P80": "A = R - mean of the others; min(s A, clip(s, 1 - epsilon, 1 + epsilon) A)",
    "P81": "PPO with dual clip",
    "P82": "DAPO, GRPO, GSPO, GSPO-token, REINFORCE++, REINFORCE++ with the group's mean",
    "P86": "COMA",
    "P89": "GRPO",
    "P90": "DAPO, GRPO, GSPO, GSPO-token, REINFORCE++, REINFORCE++ with the group's mean",
}
"""The published algorithms that a headline equals, or the formula without a name; nothing where it
equals none.
"""

CAUSES = {
    "P09": "what is divided by changes from draw to draw",
    "P11": "what is divided by changes from draw to draw",
    "P13": "which draws are thrown away depends on what is in them",
    "P44": "what is divided by changes from draw to draw",
    "P47": "what is divided by changes from draw to draw",
    "P49": "the policy that is sampled isn't the one that is scored",
    "P60": "time limits are taken for ends",
    "P61": "the policy that is sampled isn't the one that is scored",
    "P72": "what is divided by changes from draw to draw",
    "P75": "in one term the visited states S are held: it is ∇(-E[Σ KL(π‖ref)(S)])",
    "P77": "the policy that is sampled isn't the one that is scored",
    "P79": "what is divided by changes from draw to draw",
    "P82": "what is divided by changes from draw to draw",
    "P83": "time limits are taken for ends",
    "P86": "what is divided by changes from draw to draw",
    "P90": "what is divided by changes from draw to draw",
    "P91": "in one term the visited states S are held: it is ∇(V + 1/4·E[Σ H(π(·|S))])",
    "P92": "what is divided by changes from draw to draw",
    "P100": "log π has the correction for tanh, log(1 - a²), twice",
    "P101": "log π lacks the correction for tanh",
    "P102": "the action is drawn by sample(), through which no gradient goes",
    "P103": "what is scored is the clipped action",
    "P105": "what is scored has the standard deviation √σ",
    "P106": "where every joint action pays the same it still moves agents 0 and 1",
}
"""The cause that is said of a headline; nothing where it is right, or nothing that was taken away
helps.
"""

NEARLY = {"P66", "P67"}
"""Those with an epsilon in a denominator that the paper's formula hasn't got."""


@cache
def headline(code):
    (case,) = [each for each in CASES if each.code == code]
    if case.torch:
        pytest.importorskip("torch")
    return getattr(import_module(case.shown), case.headline)


@pytest.mark.thorough
@pytest.mark.parametrize("code", share([case.code for case in CASES], 8))
def test_it_is_called_by_its_name(code):
    if headline(code).space.continuous is not None:
        # the algorithms are those of actions that can be counted
        with pytest.raises(BadInput, match="can't be identified: its draws are nodes of a rule"):
            identify(headline(code))
        return
    found = identify(headline(code))
    names = ", ".join(
        sorted({name for each in found.names for name in each.split(" (")[0].split(" = ")})
    )
    expected = ALGORITHMS.get(code, "")
    assert (found.likeness is Likeness.NEARLY) is (code in NEARLY)
    if expected.startswith("A = "):
        assert not names
        assert found.formulas[0].startswith(expected)
    else:
        assert names == expected
        assert (found.likeness is Likeness.NONE) is not bool(expected)


@pytest.mark.parametrize("code", share([case.code for case in CASES], 8))
def test_the_cause_is_said_where_it_is_known(code):
    causes = audit(headline(code), differentiate=False).causes
    if code in CAUSES:
        assert causes[0].startswith(CAUSES[code])
    else:
        assert not causes


def test_every_case_of_the_tables_is_in_the_gallery():
    assert {*ALGORITHMS, *CAUSES, *NEARLY} <= {case.code for case in CASES}
    assert len(CASES) >= 60
