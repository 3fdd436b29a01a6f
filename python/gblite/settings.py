# SPDX-License-Identifier: Apache-2.0
"""Settings of the library, each for the length of a with block:

    with gblite.threads(2), gblite.memory_limit(1 << 30):
        C = A @ B
"""
import contextlib

from gblite import _library
from gblite._library import InvalidValue, check, global_setting, lib


def _set(field, value):
    check(lib.gbl_Global_set_INT64(lib.GBL_GLOBAL, int(value), field))


@contextlib.contextmanager
def _held(field, value, what):
    if not 0 <= value < 2**63:
        raise InvalidValue(f"{what} are {value}, but must be 0 or more")
    before = global_setting(field)
    _set(field, value)
    try:
        yield
    finally:
        _set(field, before)


def threads(n):
    """Calls inside the block run on at most n threads."""
    return _held(lib.GBL_NTHREADS, n, "threads")


def memory_limit(n):
    """Products inside the block take at most n bytes beside their result; 0: no limit."""
    return _held(lib.GBL_MEMORY_LIMIT, n, "bytes")


def bytes_in_use():
    """Bytes that objects and workspace hold; arrays that numpy owns are not counted."""
    return global_setting(lib.GBL_BYTES_IN_USE)


def trim():
    """Gives freed memory that is kept for reuse back to the system."""
    check(lib.gbl_trim(0))


@contextlib.contextmanager
def progress(report=None):
    """Shows how far products inside the block are: by tqdm where it is installed, or by
    report(what, done) with done in 0 .. 1, which returns False to cancel."""
    bar = None
    if report is None:
        import tqdm

        bar = tqdm.tqdm(total=100, leave=False)

        def report(what, done):
            bar.set_description_str(what, refresh=False)
            bar.update(100 * done - bar.n)

    previous = _library.set_report(report)
    try:
        yield
    finally:
        _library.set_report(previous)
        if bar is not None:
            bar.close()
