"""Somebody's code that replaces what the check works with gets no verdict, and leaves nothing
behind.
"""

from __future__ import annotations

import builtins
import fractions
import math

import numpy as np
import pytest

from altpg_verify import check_estimator, checks, estimator
from altpg_verify import comparing_sides as engine
from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.audit.objectives import OBJECTIVES
from altpg_verify.errors import BadEstimator
from altpg_verify.laws import LAWS
from altpg_verify.relations import RELATIONS
from altpg_verify.untrusted import intact as intact_module
from altpg_verify.untrusted.intact import _home, _Shared, intact
from altpg_verify.verdicts import Verdict


@pytest.fixture
def _looked_at_anew(monkeypatch):
    """What is shared is looked at from nothing, as in a new process; else it is known from the
    test before.
    """
    monkeypatch.setattr(intact_module, "_LAST", [_Shared()])


class Elsewhere:
    pass


REPLACEMENTS = [
    (math, "sin", "math.sin"),
    (np, "unique", "numpy.unique"),
    (np.linalg, "norm", "numpy.linalg.norm"),
    (fractions.Fraction, "__add__", "fractions.Fraction.__add__"),
    (engine, "TOLERANCE", "altpg_verify.comparing_sides.TOLERANCE"),
    (engine.Comparing, "fails", "altpg_verify.comparing_sides.Comparing.fails"),
]


@pytest.mark.usefixtures("_looked_at_anew")
@pytest.mark.parametrize(
    ("owner", "name", "reported"), REPLACEMENTS, ids=[reported for *_, reported in REPLACEMENTS]
)
def test_what_is_replaced_is_named_and_put_back(owner, name, reported):
    own = vars(owner)[name]
    with (
        pytest.raises(
            BadEstimator, match=f"^it replaces {reported}, which the check itself works with"
        ),
        intact("it"),
    ):
        setattr(owner, name, None)
    assert vars(owner)[name] is own


def test_what_is_deleted_is_put_back():
    own = engine.TOLERANCE
    with pytest.raises(BadEstimator, match="TOLERANCE"), intact("it"):
        del engine.TOLERANCE
    assert own == engine.TOLERANCE


def test_what_is_added_to_a_class_is_taken_away():
    with pytest.raises(BadEstimator, match=r"Comparing\.__eq_again__"), intact("it"):
        engine.Comparing.__eq_again__ = None
    assert not hasattr(engine.Comparing, "__eq_again__")


def test_of_several_that_are_added_the_first_is_named():
    names = [f"__{letter}__" for letter in "hgfedcba"]

    def add():
        for name in names:
            setattr(engine.Comparing, name, None)

    with pytest.raises(BadEstimator, match=r"Comparing\.__a__"), intact("it"):
        add()
    assert not vars(engine.Comparing).keys() & set(names)


def test_what_stands_in_several_modules_is_named_where_it_is_made():
    for value, home in (
        (checks.check_estimator, f"{checks.check_estimator.__module__}.check_estimator"),
        (Verdict.REFUTED, "altpg_verify.verdicts.Verdict.REFUTED"),
    ):
        assert _home(["altpg_verify.a.name", home, "altpg_verify.z.name"], value) == home
        assert _home(["altpg_verify.a.name", "altpg_verify.z.name"], value) == "altpg_verify.a.name"


def test_an_entry_of_a_table_is_put_back_and_a_new_one_may_come():
    own = dict(RELATIONS)
    with pytest.raises(BadEstimator, match="RELATIONS"), intact("it"):
        RELATIONS["="] = None
    assert own == RELATIONS
    with intact("it"):
        RELATIONS["new"] = None
    del RELATIONS["new"]


def test_a_module_may_get_new_names_and_others_may_change():
    with intact("it"):
        engine.new_name = 1
        Elsewhere.anything = 1
    del engine.new_name


def test_an_error_of_a_check_that_was_tampered_with_is_no_error_of_the_check():
    def tampered():
        math.cos = None
        raise ZeroDivisionError

    with pytest.raises(BadEstimator, match=r"math\.cos"), intact("it"):
        tampered()
    with pytest.raises(ZeroDivisionError), intact("it"):
        raise ZeroDivisionError


def test_an_interruption_stays_one():
    own = math.cos

    def interrupted():
        math.cos = None
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), intact("it"):
        interrupted()
    assert math.cos is own


@pytest.mark.thorough
def test_checks_and_audits_are_guarded():
    @estimator
    def lenient(pi, e, r, b):
        engine.TOLERANCE = 1e300
        return 2.0 * (r - b) * (e - pi)

    def replacing(reward, score):
        engine.TOLERANCE = 1e300
        return reward * score

    with pytest.raises(
        BadEstimator, match=r"estimator 'lenient' replaces altpg_verify\.comparing_sides\.TOLERANCE"
    ):
        check_estimator(lenient, on_fail="return")
    update = from_function(replacing, space=bandit([0, 1]))
    for options in ({}, {"samples": 1000}):
        with pytest.raises(
            BadEstimator,
            match=r"update 'replacing' replaces altpg_verify\.comparing_sides\.TOLERANCE",
        ):
            audit(update, **options)


def with_its_code(function):
    def edit():
        function.__code__ = (lambda *arguments, **named: True).__code__

    return edit


def with_its_default(function):
    def edit():
        function.__defaults__ = (1,)

    return edit


def with_attribute(value, name):
    return lambda: object.__setattr__(value, name, lambda *arguments: ([0], [0]))


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(
    ("edit", "reported"),
    [
        (with_its_code(engine.Comparing.fails), r"altpg_verify\.comparing_sides\.Comparing\.fails"),
        (with_its_default(checks.check_estimator), r"altpg_verify\S*\.check_estimator"),
        (with_attribute(LAWS[0], "sides"), r"altpg_verify\S*\.LAWS"),
        (with_attribute(OBJECTIVES["value"], "gradient"), r"altpg_verify\S*\.(OBJECTIVES|value)"),
        (with_attribute(Verdict.REFUTED, "_value_"), r"altpg_verify\.verdicts\.Verdict\.\w+"),
    ],
)
def test_what_is_edited_in_place_is_named_and_put_back(edit, reported, known, request):
    if not known:
        request.getfixturevalue("_looked_at_anew")
    kept = (
        engine.Comparing.fails.__code__,
        checks.check_estimator.__defaults__,
        LAWS[0].sides,
        Verdict.REFUTED.value,
    )
    with (
        pytest.raises(
            BadEstimator, match=f"^it replaces {reported}, which the check itself works with"
        ),
        intact("it"),
    ):
        edit()
    assert kept == (
        engine.Comparing.fails.__code__,
        checks.check_estimator.__defaults__,
        LAWS[0].sides,
        Verdict.REFUTED.value,
    )
    assert "gradient" not in vars(OBJECTIVES["value"])


def test_every_function_that_is_edited_is_put_back():
    def edit():
        engine.Comparing.fails.__code__ = (lambda self, *these: False).__code__
        checks.check_estimator.__kwdefaults__ = {"cases": 0}
        builtins.zip = lambda *these, strict=False: ()

    own, kept = builtins.zip, engine.Comparing.fails.__code__
    named = checks.check_estimator.__kwdefaults__
    with pytest.raises(BadEstimator, match="which the check itself works with"), intact("it"):
        edit()
    assert builtins.zip is own
    assert engine.Comparing.fails.__code__ is kept
    assert checks.check_estimator.__kwdefaults__ is named


def test_an_equal_code_that_is_another_is_an_edit():
    kept = engine.Comparing.fails.__code__
    with pytest.raises(BadEstimator, match=r"Comparing\.fails"), intact("it"):
        engine.Comparing.fails.__code__ = kept.replace()
    assert engine.Comparing.fails.__code__ is kept


def test_what_an_object_works_out_once_may_come_to_it():
    audit(
        from_function(lambda reward, score: reward * score, space=bandit([1, 2])),
        differentiate=False,
    )
    with intact("it"):
        audit(
            from_function(lambda reward, score: reward * score, space=bandit([1, 2])),
            differentiate=False,
        )


@pytest.mark.parametrize(
    ("name", "lies"),
    [
        ("all", lambda these: True),
        ("map", lambda *these: ()),
        ("len", lambda these: 0),
        ("zip", lambda *these, strict=False: ()),
    ],
)
def test_what_the_comparison_itself_calls_is_no_way_around_it(name, lies):
    own, tolerance = getattr(builtins, name), engine.TOLERANCE

    def replace():
        engine.TOLERANCE = 1e300
        setattr(builtins, name, lies)

    with pytest.raises(BadEstimator, match=f"^it replaces builtins.{name}, "), intact("it"):
        replace()
    assert (getattr(builtins, name), engine.TOLERANCE) == (own, tolerance)


class EqualToAll:
    """What lies when it is compared."""

    def __eq__(self, other):
        return True

    __hash__ = None


def exchanged(inside):
    first, second = list(inside)[:2]
    inside[first], inside[second] = inside[second], inside[first]


def lying(inside):
    inside[next(iter(inside))] = EqualToAll()


def gone(inside):
    del inside[next(iter(inside))]


@pytest.mark.parametrize("edit", [exchanged, lying, gone])
def test_attributes_are_compared_by_what_they_are(edit):
    inside = vars(LAWS[0])
    kept = dict(inside)
    with pytest.raises(BadEstimator, match=r"altpg_verify\S*\.LAWS"), intact("it"):
        edit(inside)
    assert inside.keys() == kept.keys()
    assert all(inside[name] is value for name, value in kept.items())


def test_attributes_in_another_order_are_the_same():
    inside = vars(LAWS[0])
    with intact("it"):
        name = next(iter(inside))
        inside[name] = inside.pop(name)


def test_what_was_replaced_between_two_checks_is_what_is_put_back(monkeypatch):
    with intact("it"):
        pass
    for value in (0.5, EqualToAll(), np.zeros(2)):
        monkeypatch.setattr(engine, "TOLERANCE", value)
        with intact("it"):
            assert engine.TOLERANCE is value
        with pytest.raises(BadEstimator, match=r"comparing_sides\.TOLERANCE"), intact("it"):
            engine.TOLERANCE = EqualToAll()
        assert engine.TOLERANCE is value


def test_a_function_that_came_between_two_checks_is_guarded(monkeypatch):
    def own():
        return 1

    own.__module__ = engine.__name__
    with intact("it"):
        pass
    monkeypatch.setattr(engine, "TOLERANCE", own)
    code = own.__code__
    with pytest.raises(BadEstimator, match=r"comparing_sides\.TOLERANCE"), intact("it"):
        own.__code__ = (lambda: 2).__code__
    assert own.__code__ is code


def test_a_name_that_is_another_with_the_same_value_is_seen():
    inside = vars(engine)
    kept = dict(inside)

    def rename():
        inside.clear()
        inside.update({f"{name}_" * (name == "TOLERANCE") or name: kept[name] for name in kept})

    with pytest.raises(BadEstimator, match=r"comparing_sides\.TOLERANCE"), intact("it"):
        rename()
    assert inside["TOLERANCE"] is kept["TOLERANCE"]
    del inside["TOLERANCE_"]


@pytest.mark.parametrize("forged", [_Shared(), "none of the owners", "nothing"])
def test_what_is_kept_for_the_next_check_cannot_be_forged(forged):
    own = engine.TOLERANCE

    def forge(forged, tolerance=own):
        last = intact_module._LAST[0]
        if forged == "none of the owners":
            forged = _Shared(modules=last.modules)
        if forged == "nothing":
            intact_module._LAST.clear()
            intact_module._LAST.append(None)
        else:
            intact_module._LAST[0] = forged
        engine.TOLERANCE = tolerance

    with intact("it"):
        forge(forged)
    with pytest.raises(BadEstimator, match="TOLERANCE"), intact("it"):
        forge(forged, 1e300)
    assert own == engine.TOLERANCE
    with pytest.raises(TypeError), intact("it"):
        intact_module._LAST[0].inside.values[0] = None


def test_functions_and_methods_of_torch_and_jax_are_compared_too():
    torch = pytest.importorskip("torch")
    jax = pytest.importorskip("jax")

    def replaces(owner, name):
        with intact("it"):
            setattr(owner, name, None)

    # a name that comes to `Tensor` hides what it inherits
    for owner, name in ((torch.func, "grad"), (torch.Tensor, "sum"), (jax.numpy, "where")):
        own = getattr(owner, name)
        with pytest.raises(BadEstimator, match=f"replaces .*{name}, which the check itself"):
            replaces(owner, name)
        assert getattr(owner, name) == own


def test_the_code_of_a_librarys_function_is_put_back():
    norm = np.linalg.norm.__wrapped__
    code = norm.__code__

    def edits():
        with intact("it"):
            norm.__code__ = code.replace(co_name="another")

    with pytest.raises(BadEstimator, match=r"replaces numpy\.linalg\.norm"):
        edits()
    assert norm.__code__ is code


def test_torchs_own_wrapper_of_its_seed_is_no_replacement():
    torch = pytest.importorskip("torch")
    dynamo = pytest.importorskip("torch._dynamo")
    assert dynamo is torch._dynamo
    seed = torch.manual_seed
    own = seed.__wrapped__ if hasattr(seed, "__wrapped__") else seed
    wrapped = torch._disable_dynamo(own)

    def mine(number):
        return own(number)

    mine.__wrapped__ = own
    forged = torch._disable_dynamo(mine)
    assert intact_module._by_torch(wrapped, own)
    assert not intact_module._by_torch(mine, own)
    assert not intact_module._by_torch(forged, own)
    # another function of torch's than the one that torch itself wraps
    assert not intact_module._by_torch(torch._disable_dynamo(torch.einsum), torch.einsum)
