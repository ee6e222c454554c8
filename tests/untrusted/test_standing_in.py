"""What stood in for something is gone afterwards, also after an exception."""

from __future__ import annotations

import pytest

from altpg_verify.untrusted.standing_in import standing_in


class Base:
    inherited = "base"


class Owner(Base):
    own = "own"


def test_own_names_are_put_back_and_inherited_ones_are_inherited_again():
    before = dict(vars(Owner))
    with standing_in([(Owner, "own", 1), (Owner, "inherited", 2), (Owner, "new", 3)]):
        assert (Owner.own, Owner.inherited, Owner.new) == (1, 2, 3)
    assert dict(vars(Owner)) == before
    assert Owner.inherited == "base"


def test_also_after_an_exception_and_where_somebody_took_it_away():
    before = dict(vars(Owner))

    def raises():
        with standing_in([(Owner, "own", 1), (Owner, "new", 3)]):
            del Owner.new
            raise ValueError("taken away")

    with pytest.raises(ValueError, match="taken away"):
        raises()
    assert dict(vars(Owner)) == before
