"""Names of what of Python's own and of libraries asks the clock, the system's entropy, addresses in
memory or the system, of what only computes, and of the files that stand between these and a user's
code.
"""

from __future__ import annotations

import builtins
import gc
import os
import sys
import threading
import time

ENTROPY = {
    getattr(os, name): f"os.{name}" for name in ("urandom", "getrandom") if hasattr(os, name)
}

CLOCK = {
    getattr(time, name): f"time.{name}"
    for name in (
        *(
            "time",
            "time_ns",
            "monotonic",
            "monotonic_ns",
            "perf_counter",
            "perf_counter_ns",
            "process_time",
            "process_time_ns",
        ),
        *("thread_time", "thread_time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"),
    )
    if hasattr(time, name)
}

OUTSIDE = {
    **{getattr(builtins, name): name for name in ("id", "hash")},
    **{getattr(os, name, None): f"os.{name}" for name in ("getpid", "getppid")},
    **{
        getattr(threading, name): f"threading.{name}"
        for name in ("get_ident", "get_native_id", "stack_size")
    },
    **{
        getattr(sys, name): f"sys.{name}"
        for name in ("_getframe", "_current_frames", "gettrace", "getprofile", "getrefcount")
    },
    **{
        getattr(sys, name): f"sys.{name}"
        for name in ("settrace", "setprofile", "setrecursionlimit", "getrecursionlimit")
    },
    **{
        getattr(gc, name): f"gc.{name}"
        for name in ("get_objects", "get_referrers", "get_count", "get_stats")
    },
}

DATES = {"now", "utcnow", "today"}

COMPUTES = frozenset(
    (
        *("builtins", "math", "cmath", "operator", "_operator", "functools", "_functools"),
        *("itertools", "collections", "_collections"),
        *("fractions", "decimal", "_decimal", "numbers", "statistics", "_statistics", "bisect"),
        *("_bisect", "heapq"),
        *("_heapq", "_pydecimal"),
        *("random", "_random", "re", "_sre", "string", "_string", "copy", "types", "typing"),
        *("_typing", "contextlib", "contextvars"),
        *("_contextvars", "enum", "array", "struct", "_struct", "json", "_json", "pickle"),
        *("_pickle", "_codecs", "hashlib", "_hashlib"),
        *("_blake2", "_sha2", "_sha256", "_sha512", "_md5", "_sha1", "_sha3", "zlib"),
        *("binascii", "base64", "unicodedata", "textwrap"),
        *("dataclasses", "abc", "_abc", "_collections_abc", "weakref", "_weakref"),
        *("_weakrefset", "warnings", "_warnings", "logging"),
        *("_io", "io", "_imp", "importlib", "_frozen_importlib", "_thread", "threading"),
        *("ctypes", "_ctypes", "mmap", "_ast", "ast", "dis"),
        *("datetime", "_datetime", "zoneinfo", "pdb", "_lsprof", "calendar", "uuid", "_uuid"),
        *("reprlib", "pprint", "colorsys", "graphlib", "difflib", "concurrent", "marshal"),
    )
)
"""Python's own modules that compute, or whose place `untrusted.state` reads or the lists above
name.
"""

HARMLESS = frozenset(
    (
        *(
            "exit",
            "intern",
            "exc_info",
            "exception",
            "getdefaultencoding",
            "getfilesystemencoding",
            "fspath",
            "displayhook",
        ),
        *("sleep", "collect", "enable", "disable"),
    )
)

HIDDEN = frozenset(
    (
        *("open", "open_code", "_get_dump", "_abc_register", "getcontext", "setcontext"),
        *("string_at", "breakpoint", "get_cache_token", "getweakrefcount", "getweakrefs"),
        # the room of a container
        *("__sizeof__", "__alloc__"),
        *("register_error", "lookup_error", "get_errno", "set_errno", "dlopen", "_count"),
    )
)
"""Names of what else of Python's own is outside."""

IN_LIBRARIES = frozenset(
    (
        *("fromfile", "from_file", "tofile", "safe_open", "serialize_file"),
        # counts, addresses and modes that torch and JAX keep for the whole process
        *("_sequence_nr", "data_ptr", "set_flush_denormal", "_set_flush_denormal"),
        *("unsafe_buffer_pointer", "_cache_size"),
    )
)
"""Names of what is outside in compiled functions of whatever library."""

FOREIGN = frozenset(
    {"CDLL", "PyDLL", "WinDLL", "OleDLL", "cdll", "pydll", "windll", "pythonapi", "LibraryLoader"}
)
"""Names of ctypes by which functions of C are called, which no profiler sees."""

OF_LOGS = frozenset(
    {
        *("debug", "info", "warning", "error", "critical", "exception", "log", "getLogger"),
        *("isEnabledFor", "getEffectiveLevel", "basicConfig", "__init__"),
    }
)
"""What may be asked of `logging`."""

SETTINGS = frozenset(
    (
        "get_printoptions",
        "getbufsize",
        "geterr",
        "geterrcall",
        "get_num_threads",
        "get_num_interop_threads",
        "getdefaulttimeout",
        "initial_seed",
    )
)
"""Functions of libraries that read a setting of the whole process."""

# code between the user's and the operating system's
BETWEEN = (
    *("/torch/random.py", "/random.py", "/secrets.py", "/uuid.py", "/numpy/random/"),
    *("/tempfile.py", "/datetime.py", "/_pydatetime.py", "/inspect.py", "/traceback.py"),
)

# the same for what asks the system
TO_THE_SYSTEM = (
    *("/os.py", "/genericpath.py", "/posixpath.py", "/ntpath.py", "/pathlib", "/subprocess.py"),
    *("/socket.py", "/shutil.py", "/glob.py"),
    *(
        "/platform.py",
        "/getpass.py",
        "/sqlite3/",
        "/queue.py",
        "/multiprocessing/",
        "/asyncio/",
        "/selectors.py",
        "/signal.py",
    ),
    *("/csv.py", "/locale.py", "/fileinput.py", "/shelve.py", "/dbm/", "/codecs.py"),
    *("/decimal.py", "/_pydecimal.py", "/gc.py"),
    # libraries by which data is read and written
    *("/zipfile", "/gzip.py", "/bz2.py", "/lzma.py", "/tarfile.py"),
    *("/numpy/", "/pandas/", "/scipy/io/", "/torch/serialization.py", "/torch/storage.py"),
    *("/jax/_src/numpy/", "/safetensors/", "/h5py/", "/zarr/", "/tables/", "/pyarrow/", "/polars/"),
    *("/joblib/", "/diskcache/", "/PIL/", "/imageio/", "/skimage/io/", "/yaml/", "/tqdm/"),
    *("/requests/", "/urllib3/", "/httpx/", "/httpcore/", "/aiohttp/", "/redis/", "/psutil/"),
    *(
        "<frozen os>",
        "<frozen posixpath>",
        "<frozen genericpath>",
        "<frozen ntpath>",
        "<frozen codecs>",
        "<frozen abc>",
        "/abc.py",
    ),
)

KEEPS_NOTHING = frozenset(
    {"pathlib", "posixpath", "ntpath", "genericpath", "os", "fnmatch", "secrets", "tempfile"}
)
"""Modules whose functions in Python keep nothing; what they ask of the system is seen by itself."""
