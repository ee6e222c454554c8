"""Going through a set of texts is another thing in every process, and is refused by name; asking
whether something is in it isn't.
"""

from __future__ import annotations

import ast
import enum
import math
import os
import subprocess
import sys
import types

import pytest

from altpg_verify.checks import check_estimator
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import estimator
from altpg_verify.untrusted.set_order import varying_order

WORDS = ("clip", "mean", "norm")
NAMES = frozenset(WORDS)
NUMBERS = frozenset((1, 2.5, (3, 4)))
TABLE = {"names": {"clip", "mean"}, "numbers": {1, 2}}
FUNCTIONS = {math.sin, math.cos}


PAIRS = {("a", 1), ("b", 2)}
MIXED = (1, "clip")
LISTED = [{1, 2}, NAMES]
HELD = types.SimpleNamespace(names=NAMES)


class Slotted:
    __slots__ = ("n",)


SLOTTED = Slotted()
SLOTTED.n = 1


class Colour(enum.Enum):
    RED, BLUE = 1, 2


class Config:
    names = NAMES


def displayed():
    for name in {"clip", "mean"}:
        return name


def of_a_global():
    return [*NAMES][0]  # noqa: RUF015


def listed():
    return list(NAMES)


def joined():
    return "".join(NAMES)


def formatted():
    return f"{NAMES}"


def made():
    return next(iter(set(WORDS)))


def made_of_a_list():
    return tuple(frozenset(["clip", "mean"]))


def comprehended():
    return [name for name in {word + "s" for word in WORDS} | NAMES]  # noqa: C416


def of_entries():
    return list({word.upper() for word in WORDS})


def taken_out():
    rest = set(WORDS)
    return rest.pop()


def named_first():
    rest = {"clip", "mean"}
    for name in rest:
        return name


def walrus():
    return list(rest) if (rest := set(WORDS)) else 0


def united():
    return list({1, 2} | NAMES)


def less():
    return list(NAMES - {"clip"})


def copied():
    return list(NAMES.copy())


def in_a_table():
    return list(TABLE["names"])


def of_a_class():
    return list(Config.names)


def by_length():
    return max(NAMES, key=len)


def unpacked():
    one, _two, _three = NAMES
    return one


def numbered():
    return [i for i, _ in enumerate(NAMES)]


def functions_in_order():
    return [each(1) for each in FUNCTIONS]


def members():
    return list({Colour.RED, Colour.BLUE})


def objects():
    return list({object(), object()})


def texts():
    return list({str(1), str(2)})


def yielded():
    yield from NAMES


def within():
    names = {"clip", "mean"}

    def inner():
        return list(names)

    return inner()


def of_a_generator():
    return list(set(word for word in WORDS))  # noqa: C401


def of_a_list():
    return list({word for word in [name for name in WORDS]})  # noqa: C416


def through_a_set():
    return list({name for name in {"clip", "mean"}})  # noqa: C416


def of_a_local_list():
    words = ["clip", "mean"]
    return list(set(words))


def of_pairs():
    return list(PAIRS)


def of_mixed():
    return list(set(MIXED))


def in_a_list():
    return list(LISTED[1])


def of_an_object():
    return list(HELD.names)


def behind_names():
    one = NAMES
    two = one
    three = two
    four = three
    five = four
    return list(five)


def of_itself(rest=frozenset()):
    rest = rest | {"clip", "mean"}
    return list(rest)


GOES = (
    *(of_a_generator, of_a_list, through_a_set, of_a_local_list, of_pairs, of_mixed, in_a_list),
    *(of_an_object, behind_names, of_itself),
    *(displayed, of_a_global, listed, joined, formatted, made, made_of_a_list, comprehended),
    *(of_entries, taken_out, named_first, walrus, united, less, copied, in_a_table, of_a_class),
    *(by_length, unpacked, numbered, functions_in_order, members, objects, texts, yielded, within),
)


@pytest.mark.parametrize("function", GOES, ids=lambda function: function.__name__)
def test_going_through_it_is_seen(function):
    found = varying_order([function])
    line = int(found.rpartition("line ")[2].removesuffix(")"))
    first = function.__code__.co_firstlineno
    assert first < line < first + 7


def asked():
    return "mean" in NAMES


def counted():
    return len(NAMES), bool(NAMES), sorted(NAMES), min(NAMES), set(WORDS) == NAMES


def any_of():
    return any(name == "clip" for name in NAMES), sorted(name.upper() for name in NAMES)


def to_a_set():
    return len({name.upper() for name in NAMES})


def of_numbers():
    return list(NUMBERS), list({3, 1, 2}), [x for x in TABLE["numbers"]]  # noqa: C416


def one_alone():
    return next(iter({"clip"}))


def of_a_tuple():
    return [name for name in WORDS], dict.fromkeys(WORDS)  # noqa: C416


def without_a_name(names):
    return list(names)


def added():
    rest = set()
    rest.add("clip")
    return "clip" in rest


def of_a_local():
    numbers = [1, 2]
    return list(numbers), list(set(numbers))


def of_what_isnt_there():
    return list({TABLE["nothing"], 2}), list({HELD.nothing, 2}), list({nothing, 2})  # noqa: F821


def of_a_slot():
    return list({SLOTTED.n, 2}), list({LISTED[0], 2} if LISTED is SLOTTED else ())


DOESNT = (
    of_a_local,
    of_a_slot,
    of_what_isnt_there,
    asked,
    counted,
    any_of,
    to_a_set,
    of_numbers,
    one_alone,
    of_a_tuple,
    without_a_name,
    added,
)


@pytest.mark.parametrize("function", DOESNT, ids=lambda function: function.__name__)
def test_what_depends_on_no_order_is_let_through(function):
    assert varying_order([function]) == ""


def test_a_lambda_isnt_taken_for_its_neighbour():
    one, other = (lambda: list(NAMES)), (lambda: sorted(NAMES))
    assert varying_order([one])
    assert varying_order([other]) == ""


def test_reading_a_source_leaves_what_all_trees_share_as_it_was():
    assert varying_order([test_what_depends_on_no_order_is_let_through]) == ""
    for text in ("a", "a = 1", "a + 1", "-a", "a < 1", "a and b"):
        for node in ast.walk(ast.parse(text)):
            assert vars(node).keys() <= {*node._fields, *node._attributes}, ast.dump(node)


def test_code_without_a_source_is_no_crash():
    scope = {}
    exec("def made(): return list({'a', 'b'})", scope)
    assert varying_order([scope["made"]]) == ""


def test_a_check_refuses_it_by_name():
    def mine(e, pi, r, b):
        return (r - b) * (e - pi) * (1 if len(next(iter(NAMES))) else 2)

    with pytest.raises(BadEstimator) as refused:
        check_estimator(estimator(mine), only=("unbiased",))
    assert "goes through a set in an order that isn't the same in every run" in str(refused.value)
    assert "sort it, or write a tuple" in str(refused.value)


FILE = """
from altpg_verify import estimator

@estimator
def mine(e, pi, r, b):
    first = next(iter({"clip", "mean", "norm"}))
    return (r - b) * (e - pi) * (1 if first == "clip" else 2)
"""


@pytest.mark.slow
def test_the_answer_is_the_same_in_every_process(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    said = {
        subprocess.run(
            [sys.executable, "-m", "altpg_verify", "check", "mine.py:mine", "--only", "unbiased"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=False,
        ).stderr
        for seed in range(4)
    }
    assert len(said) == 1
    assert "goes through a set" in said.pop()
