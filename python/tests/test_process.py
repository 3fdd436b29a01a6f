# SPDX-License-Identifier: Apache-2.0
"""Threads, fork, Ctrl-C, progress, limits and leaks."""
import gc
import multiprocessing
import os
import resource
import signal
import threading
import time

import pytest

import gblite as gb


def test_threads_share_matrices():
    A = gb.Matrix("rmat:10:8")
    expected, wrong = A @ A, []

    def work():
        for _ in range(20):
            if not (A @ A).isequal(expected):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_the_interpreter_runs_during_a_product():
    A = gb.Matrix("rmat:14:16")
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    with gb.threads(1):
        started = time.monotonic()
        A @ A
        ended = time.monotonic()
    done.set()
    ticker.join()
    assert sum(started < t < ended for t in ticks) >= 2


def _square(spec):
    A = gb.Matrix(spec)
    return (A @ A).nvals


def test_fork_after_use():
    expected = _square("rmat:10:8")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_square, ["rmat:10:8"] * 4) == [expected] * 4


def _interrupt_soon():
    def send():
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()


def test_ctrl_c_cancels_and_leaves_operands():
    A = gb.Matrix("rmat:15:16")
    before = A.sum()
    with pytest.raises(KeyboardInterrupt), gb.threads(1):
        _interrupt_soon()
        while True:
            A @ A
    assert A.sum() == before
    A.mxm(A, mask=A)


def test_progress_reports_and_cancels():
    A, told = gb.Matrix("rmat:13:16"), []
    with gb.progress(lambda what, done: told.append((what, done))):
        A @ A
    assert told and all(0 <= done <= 1 for _, done in told)
    with gb.progress(lambda what, done: False), pytest.raises(gb.Cancelled):
        A @ A

    def broken(what, done):
        raise ZeroDivisionError

    with gb.progress(broken), pytest.raises(ZeroDivisionError):
        A @ A
    (A @ A).wait()


def test_limits_are_held_and_restored():
    A = gb.Matrix("rmat:12:16")
    with gb.memory_limit(1000), pytest.raises(gb.OutOfMemory, match="limit"):
        A @ A
    with gb.memory_limit(4 << 20):
        limited = A @ A
    assert limited.isequal(A @ A)


def test_nothing_leaks():
    A = gb.Matrix("rmat:6:4")
    S = A.to_scipy()

    def use():
        B = gb.Matrix(S)
        C = B.mxm(A, "min_plus", mask=A)
        C.reduce_rows().to_numpy()
        C.to_scipy()
        try:
            A @ gb.Matrix("er:5:1")
        except gb.ShapeError:
            pass

    for _ in range(200):
        use()
    gc.collect()
    held, peak = gb.bytes_in_use(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5000):
        use()
    gc.collect()
    assert gb.bytes_in_use() == held
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 4096  # KB


def test_finalisers_meet_freed_objects_safely():
    for made in (gb.Matrix("er:6:3"), gb.Vector([1.0, 2.0])):
        made.__del__()  # as collections of garbage call it first, in any order
        with pytest.raises(gb.Error, match="NULL"):
            made.copy()


def test_processes_that_are_spawned():
    expected = _square("rmat:8:8")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_square, [gb.Matrix("rmat:8:8")]) == [expected]


def test_ctrl_c_stops_networkx():
    nx = pytest.importorskip("networkx", minversion="3.5")
    from gblite.networkx import Backend

    G = Backend.convert_from_nx(nx.gnm_random_graph(3000, 30000, seed=1))
    with pytest.raises(KeyboardInterrupt):
        _interrupt_soon()
        while True:
            nx.betweenness_centrality(G)
