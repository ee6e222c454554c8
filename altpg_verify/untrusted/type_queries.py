"""Whether a function could tell a stand-in (a symbol, an exact number, a stack of draws) from the
number or array that training hands it.

Stand-ins answer arithmetic as what they stand for does. A function that asks for types, or catches
what a stand-in can't do, may answer another way there; comparing at some draws doesn't find it,
since the other way may be taken at a rare draw only. So whatever could tell is found in the user's
own code, before anything is run, and such a function is run on plain numbers only, draw by draw.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import make_dataclass
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.reaching import functions, names_in, nested

# fmt: off
TELLING = frozenset((
    "type", "issubclass", "id", "repr", "ascii", "vars", "dir", "hasattr", "eval", "exec", "compile", "globals",
    "locals", "gc", "getsizeof", "getrefcount", "__class__", "__dict__", "__module__", "__name__", "__qualname__",
    "__mro__", "__sizeof__", "__repr__", "__str__", "__format__", "__reduce__", "__reduce_ex__", "__slots__",
    "settrace", "setprofile", "_getframe", "currentframe", "inspect", "traceback", "singledispatch", "suppress",
    "__array_interface__", "__array_struct__", "__cuda_array_interface__", "__array__", "__array_function__",
    "__array_ufunc__", "array2string", "array_repr", "array_str", "strides", "ctypes", "nbytes", "itemsize", "data_ptr",
    "untyped_storage", "storage", "stride", "is_contiguous", "grad_fn", "requires_grad", "is_leaf", "_version",
    "typename", "_functorch", "functorch", "is_batchedtensor", "get_unwrapped", "maybe_get_level", "Tracer",
    "is_concrete", "aval", "_data", "_call", "_varies", "_picked", "__eq__", "__ne__", "__lt__", "__le__", "__gt__",
    "__ge__", "__hash__", "__getattribute__", "attrgetter", "methodcaller", "pickle", "StringIO", "BytesIO", "callable",
    "redirect_stdout", "redirect_stderr", "displayhook", "tofile", "savetxt", "isscalar", "iterable", "iscomplexobj",
    "isrealobj", "issubdtype", "can_cast", "result_type", "min_scalar_type", "common_type", "promote_types", "is_integer",
))
# fmt: on
"""Names by which types, addresses or representations are had."""

_WRITTEN = frozenset(
    {"__eq__", "__repr__", "__lt__", "__le__", "__gt__", "__ge__", "__setattr__", "__delattr__"}
)
_NO_FIELDS = frozenset({"__class__", "__qualname__", "NotImplemented"})

DTYPES = frozenset({"dtype"})
"""What tells exact numbers and symbols from floats, but not a stack of draws from one draw."""

PLAIN_CLASSES = frozenset({"ndarray", "Tensor", "Array"})
"""Classes that a stand-in belongs to wherever what it stands for does."""

_WORDS = frozenset({"str", "format"})
_SIGHTLESS = (ast.Raise, ast.Assert)


_KNOWN: WeakKeyDictionary[Any, dict[frozenset[str], str]] = WeakKeyDictionary()


def type_query(root: Any, *, numbers: bool = False) -> str:
    """What in the user's code could tell a stand-in, as "could tell what it is run on (`type` in
    f)"; empty if nothing.

    Args:
        root: a function or callable object; the user's helpers that it can see are looked through,
            too.
        numbers: the stand-ins are exact numbers or symbols, which have another dtype than floats;
            stacks of draws have the same.
    """
    telling = TELLING | DTYPES if numbers else TELLING
    try:
        known = _KNOWN.setdefault(root, {})
    except TypeError:
        return _search(root, telling)
    if telling not in known:
        known[telling] = _search(root, telling)
    return known[telling]


def _search(root: Any, telling: frozenset[str]) -> str:
    for function in functions(root):
        if of_library(function.__code__, function.__globals__) or _of_dataclass(function.__code__):
            continue
        found = _in_function(function, telling)
        if found:
            return f"could tell what it is run on ({found} in {function.__name__})"
    return ""


def _of_dataclass(code: CodeType) -> bool:
    """Whether it is, instruction by instruction, what Python writes for a dataclass; such code
    compares and shows its own objects only.
    """
    if code.co_filename != "<string>" or code.co_name not in _WRITTEN:
        return False
    listed = [text for each in code.co_consts if isinstance(each, tuple) for text in each]
    for names in ([name for name in code.co_names if name not in _NO_FIELDS], listed):
        with suppress(TypeError, ValueError):
            alike = make_dataclass(
                "Alike", [(name, object) for name in names], order=True, frozen=names is listed
            )
            own = vars(alike).get(code.co_name)
            if own and _same_code(inspect.unwrap(own).__code__, code):
                return True
    return False


def _same_code(one: CodeType, two: CodeType) -> bool:
    return (one.co_code, one.co_names, one.co_consts, one.co_freevars) == (
        two.co_code,
        two.co_names,
        two.co_consts,
        two.co_freevars,
    )


def _in_function(function: FunctionType, telling: frozenset[str]) -> str:
    code = function.__code__
    used = names_in(code)
    # pytest rewrites assertions, so that they can show local variables
    names = sorted((used & telling) - ({"locals"} if "@py_builtins" in used else set()))
    # a word that is printed for somebody to read is nobody's input
    if "dtype" in names and not any("dtype" in each.co_names for each in nested(code)):
        names.remove("dtype")
    if names:
        return f"`{names[0]}`"
    if any(_catches(each) for each in nested(code)):
        return "`except`"
    if any(_matches_class(each) for each in nested(code)):
        return "`match`"
    if "print" in used and any(
        "file" in keywords
        for each in nested(code)
        for keywords in each.co_consts
        if isinstance(keywords, tuple)
    ):
        return "`print` into a file"
    if not used & (_WORDS | {"isinstance", "getattr"}) and not any(
        _writes_text(each) for each in nested(code)
    ):
        return ""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        # a lambda within an expression, or code without a file
        return "code whose source can't be read, with text or `isinstance`"
    return next(_in_tree(tree), "")


def _catches(code: CodeType) -> bool:
    """Whether it has an `except` or `finally`; `with` blocks have a handler of their own, which
    ends them.
    """
    steps = [step.opname for step in dis.get_instructions(code)]
    return any(
        one == "PUSH_EXC_INFO" and after != "WITH_EXCEPT_START" for one, after in pairwise(steps)
    )


def _matches_class(code: CodeType) -> bool:
    return any(
        step.opname in ("MATCH_CLASS", "MATCH_SEQUENCE", "MATCH_MAPPING")
        for step in dis.get_instructions(code)
    )


def _writes_text(code: CodeType) -> bool:
    steps = list(dis.get_instructions(code))
    return any(step.opname.startswith("FORMAT_") for step in steps) or any(
        step.opname == "BINARY_OP" and step.argrepr in ("%", "%=") for step in steps
    )


def _in_tree(node: ast.AST) -> Iterator[str]:
    """What could tell, in the order of the source; messages of errors are nobody's input."""
    if isinstance(node, _SIGHTLESS):
        if isinstance(node, ast.Assert):
            yield from _in_tree(node.test)
        return
    if isinstance(node, ast.JoinedStr):
        yield "an f-string"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
        yield "text made with %"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "isinstance" and len(node.args) == 2 and _plain(node.args[1]):
            yield from _in_tree(node.args[0])
            return
        if (
            node.func.id == "getattr"
            and len(node.args) >= 2
            and isinstance(node.args[1], ast.Constant)
        ):
            # the name is one of those looked for already
            for each in (node.args[0], *node.args[2:]):
                yield from _in_tree(each)
            return
    if isinstance(node, ast.Name) and node.id in ("isinstance", "getattr", *_WORDS):
        yield f"`{node.id}`"
    if isinstance(node, ast.Attribute) and node.attr in _WORDS:
        yield f"`.{node.attr}`"
    for child in ast.iter_child_nodes(node):
        yield from _in_tree(child)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def _plain(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_plain(each) for each in node.elts)
    return (
        node.attr
        if isinstance(node, ast.Attribute)
        else node.id
        if isinstance(node, ast.Name)
        else ""
    ) in PLAIN_CLASSES
