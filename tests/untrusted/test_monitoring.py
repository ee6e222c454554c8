"""What Python tells of lines and branches from 3.12 on comes to the same as what a trace function
tells; before that a stand-in for `sys.monitoring` says it here.
"""

from __future__ import annotations

import dis
import functools
import sys
from types import SimpleNamespace

import pytest

from altpg_verify.untrusted.lines import LineCoverage
from tests.untrusted.test_lines import ALL, CASES, relative, seen

pytestmark = pytest.mark.skipif(
    hasattr(sys, "monitoring"), reason="test_lines asks Python's own here"
)

TOOLS = range(6)
"""The numbers that tools may have."""


class Monitoring:
    """As `sys.monitoring` is, told by a trace function."""

    DISABLE = object()

    def __init__(self, *branches):
        self.events = SimpleNamespace(
            INSTRUCTION=1, **{name: 2 << i for i, name in enumerate(branches)}
        )
        self.tools, self.callbacks, self.local, self.off = {}, {}, {}, set()
        self.before = sys.gettrace()

    def get_tool(self, tool):
        return self.tools.get(tool)

    def use_tool_id(self, tool, name):
        assert tool in TOOLS
        assert tool not in self.tools
        self.tools[tool] = name

    def free_tool_id(self, tool):
        del self.tools[tool]

    def restart_events(self):
        self.off.clear()

    def register_callback(self, tool, event, function):
        assert tool in self.tools
        self.callbacks[tool, event] = function

    def set_local_events(self, tool, code, events):
        assert tool in self.tools
        self.local[code] = (tool, events)
        sys.settrace(
            self.entering if any(events for _, events in self.local.values()) else self.before
        )

    def entering(self, frame, event, argument):
        code = frame.f_code
        tool, wanted = self.local.get(code, (None, 0))
        if not wanted:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        last = [-1]

        def local(frame, event, argument):
            if event == "opcode":
                self.tell(code, tool, wanted, last[0], frame.f_lasti)
                last[0] = frame.f_lasti
            return local

        return local

    def tell(self, code, tool, wanted, last, now):
        callbacks = {
            name: self.callbacks.get((tool, event))
            for name, event in vars(self.events).items()
            if event & wanted
        }
        told = None if (code, now) in self.off else callbacks.get("INSTRUCTION")
        if told and told(code, now) is self.DISABLE:
            self.off.add((code, now))
        if last in conditional(code):
            jumped = conditional(code)[last] == now
            name = "BRANCH_RIGHT" if jumped else "BRANCH_LEFT"
            if told := callbacks.get(name, callbacks.get("BRANCH")):
                told(code, last, now)


@functools.cache
def conditional(code):
    return {
        each.offset: each.argval for each in dis.get_instructions(code) if "JUMP_" in each.opname
    }


@pytest.fixture(params=[("BRANCH",), ("BRANCH_LEFT", "BRANCH_RIGHT")], ids=["3.12", "3.14"])
def monitoring(request, monkeypatch):
    made = Monitoring(*request.param)
    monkeypatch.setattr(sys, "monitoring", made, raising=False)
    return made


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_what_never_ran_is_named_alike(monitoring, function):
    arguments, expected = CASES[function]
    assert relative(seen(function, *arguments), function) == expected
    # it's left as it was found
    assert not monitoring.tools
    assert not any(monitoring.callbacks.values())
    assert not any(events for _, events in monitoring.local.values())


@pytest.mark.parametrize("function", ALL, ids=lambda function: function.__name__)
def test_nothing_is_named_when_all_ran(monitoring, function):
    assert seen(function, *ALL[function]) == ""
    cover = LineCoverage(function)
    for argument in ALL[function]:
        # what was switched off in an earlier block is wanted again
        with cover:
            function(argument)
    assert not cover.unrun()


@pytest.mark.parametrize("free", [*TOOLS, None])
def test_a_number_that_others_use_is_theirs(monitoring, free):
    theirs = {tool: "theirs" for tool in TOOLS if tool != free}
    monitoring.tools.update(theirs)
    function, (arguments, expected) = next(iter(CASES.items()))
    assert relative(seen(function, *arguments), function) == expected
    assert monitoring.tools == theirs
    # where all are in use, a trace function does
    assert bool(monitoring.local) is (free is not None)
