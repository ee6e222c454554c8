"""What a certificate states and assumes: just what it was given, in the kernel's words, and nothing
is claimed before it is checked.
"""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest
from sympy import Symbol

from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.certificates import Given, IdentityCertificate, Signs, certify
from altpg_verify.theory.proving.finite_sums import _cofactors, cofactors
from altpg_verify.theory.proving.notation import a, b, c, pi, r, softmax, total

s, t, u = (Symbol(name) for name in "stu")


def fields(certificate, *names):
    return tuple(certificate.data[name] for name in names)


def test_an_identity_is_stated_as_given_and_holds():
    made = certify((s + t) ** 2, "=", s**2 + 2 * s * t + t**2, summary="square")
    assert made.recheck() is True
    assert fields(made, "says", "relation", "witness", "given") == ("square", "=", 0, [])
    assert fields(made, "left") == (["^", ["+", "s", "t"], 2],)
    assert str(made) == "square"
    assert certify((s + t) ** 2, "=", s**2 + t**2, summary="wrong").recheck() is False
    assert certify(s, "=", t, summary="wrong").recheck() is False


def test_sides_keep_their_places():
    made = certify(s, ">=", t, summary="", witness=u)
    assert fields(made, "left", "right", "witness") == ("s", "t", "u")
    assert made.recheck() is False


def test_a_witness_has_a_sign_that_its_letters_give_it():
    made = certify(s + t, ">=", t, summary="more", witness=s, signs=Signs(nonnegative=(s,)))
    assert made.recheck() is True
    assert fields(made, "nonnegative", "positive", "nonzero") == (["s"], [], [])
    assert certify(s + t, ">=", t, summary="more", witness=s).recheck() is False
    assert (
        certify(s + t, ">", t, summary="more", witness=s, signs=Signs(nonnegative=(s,))).recheck()
        is False
    )
    assert (
        certify(s + t, ">", t, summary="more", witness=s, signs=Signs(positive=(s,))).recheck()
        is True
    )
    assert (
        certify(s**2 + t, ">", t, summary="more", witness=s**2, signs=Signs(nonzero=(s,))).recheck()
        is True
    )


def test_only_letters_that_occur_are_assumed_anything_of():
    made = certify(
        s, "=", s, summary="", signs=Signs(positive=(t, s), nonnegative=(u,), nonzero=(u, s))
    )
    assert fields(made, "positive", "nonnegative", "nonzero") == (["s"], [], ["s"])
    # actions' symbols by their name; e^θ and the number of actions are positive always
    made = certify(
        softmax(a) * r[a] + total(1, c), "=", 0, summary="", signs=Signs(nonzero=(Symbol("r"),))
    )
    assert fields(made, "positive", "nonzero") == (["x"], ["r"])
    assert fields(certify(Symbol("k"), "=", 0, summary=""), "positive") == (["k"],)


def test_letters_are_named_in_order_whatever_their_hashes_are():
    factors = [Symbol(name) for name in "qwertyui"]
    made = certify(
        sum(factors) * b * r[a] * Symbol("alpha") * Symbol("kappa") * Symbol("sigma"),
        "=",
        0,
        summary="",
        signs=Signs(nonzero=factors),
    )
    assert fields(made, "nonzero", "constant") == (
        sorted("qwertyui"),
        ["alpha", "b", "kappa", "r", "sigma"],
    )


def test_constants_are_those_of_the_letters_that_are():
    made = certify(r[a] * b * s, "=", 0, summary="")
    assert fields(made, "constant") == (["b", "r"],)
    assert fields(certify(s, "=", 0, summary=""), "constant") == ([],)


def test_an_assumption_is_used_with_the_cofactor_that_makes_the_sides_agree():
    made = certify(s * u, "=", t * u, summary="", given=[s - t])
    assert made.recheck() is True
    (used,) = made.data["given"]
    assert used["each"] == ""
    assert used["cofactor"] == "u"
    assert fields(certify(s, "=", t, summary="", given=[s - t]), "given")[0][0]["cofactor"] == 1
    # what isn't needed is left out, and what is no consequence stays none
    assert certify(s, "=", s, summary="", given=[s - t]).data["given"] == []
    assert certify(s, "=", u, summary="", given=[s - t]).recheck() is False


def test_an_assumption_on_each_action_is_summed_with_its_weight():
    # r_c = b for every action, so Σ π_c r_c = b Σ π_c
    made = certify(
        total(pi[c] * r[c]),
        "=",
        b * total(pi[c]),
        summary="",
        given=[Given(r[c] - b, each=c, weight=pi[c])],
    )
    assert made.recheck() is True
    (used,) = made.data["given"]
    assert (used["each"], used["cofactor"]) == ("c", "pi[c]")
    doubled = certify(
        2 * s * total(pi[c] * r[c]),
        "=",
        2 * s * b * total(pi[c]),
        summary="",
        given=[Given(r[c] - b, each=c, weight=pi[c])],
    )
    assert doubled.recheck() is True
    assert doubled.data["given"][0]["cofactor"] != "pi[c]"
    # without a weight it is Σ of the assumption itself
    plain = certify(total(r[c]), "=", b * total(1), summary="", given=[Given(r[c] - b, each=c)])
    assert plain.recheck() is True
    assert plain.data["given"][0]["cofactor"] == 1
    # for one action alone, it says nothing of a sum
    assert (
        certify(total(r[c]), "=", b * total(1), summary="", given=[Given(r[c] - b)]).recheck()
        is False
    )


def test_letters_are_written_out_where_that_is_said():
    where = {s: t + 1}
    assert certify(s**2, "=", t**2 + 2 * t + 1, summary="", where=where).recheck() is True
    assert certify(s**2, "=", t**2 + 2 * t + 1, summary="").recheck() is False
    assert certify(u, "=", t + 1, summary="", given=[u - s], where=where).recheck() is True
    assert certify(t + u**2, ">=", t, summary="", witness=s, where={s: u**2}).recheck() is True
    weighted = certify(
        total(pi[c] * (t + 1)),
        "=",
        total(pi[c] * u),
        summary="",
        given=[Given(s - u, each=c, weight=pi[c])],
        where=where,
    )
    assert weighted.recheck() is True


def test_written_and_read_again_it_is_the_same():
    made = certify(total(softmax(c), c), "=", 1, summary="Σ π = 1 – for every k")
    text = made.as_json()
    assert "Σ π = 1 – for every k" in text
    again = IdentityCertificate.from_json(text)
    assert again == made
    assert again.recheck() is True
    changed = {**json.loads(text), "right": 2}
    assert IdentityCertificate(changed).recheck() is False
    assert str(IdentityCertificate({})) == "a certificate without words"
    assert kernel.holds(json.loads(text)) is True


@pytest.mark.parametrize(
    ("target", "zeros"),
    [
        (["*", "s", "t"], [["+", "s", -1]]),
        (["+", "s", -1, ["*", "t", ["+", "u", -2]]], [["+", "u", -2], ["+", "s", -1]]),
        (["^", "s", 3], ["s", ["*", 10**30, "t"]]),
    ],
)
def test_who_asks_again_gets_lists_of_its_own(target, zeros):
    first = cofactors(target, zeros)
    kept = json.dumps(first)
    for one in first:
        if isinstance(one, list):
            one.clear()
    first.clear()
    assert json.dumps(cofactors(target, zeros)) == kept == json.dumps(_cofactors(target, zeros))


def test_cofactors_belong_to_the_zeros_in_their_order():
    zeros = ["s", "t"]
    assert cofactors("s", zeros) == cofactors("s", zeros[::-1])[::-1] == [1, 0]
    assert cofactors("s", []) == []


def test_a_certificate_stays_as_it_is():
    made = certify(s, "=", s, summary="")
    for thing, name in ((made, "data"), (Given(s), "zero"), (Signs(), "positive")):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, None)
    assert (Given(s).each, Given(s).weight) == ("", 1)
