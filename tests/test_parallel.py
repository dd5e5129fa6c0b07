"""skatai.parallel: order, errors, early ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skatai.errors import AgentError, SkatError
from skatai.parallel import BACKENDS, cpu_count, one_torch_thread, pmap


def _square(x: int) -> int:
    return x * x


def _slow_first(x: int) -> int:
    if x == 0:
        time.sleep(0.3)
    return x


def _fail_at_three(x: int) -> int:
    if x == 3:
        raise AgentError("three")
    return x


def _die(x: int) -> int:
    os._exit(1)


def _environment(name: str) -> tuple[int, str | None]:
    return os.getpid(), os.environ.get(name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_in_order(backend: str) -> None:
    assert list(pmap(_square, range(20), backend, workers=2)) == [i * i for i in range(20)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_exception_comes_through(backend: str) -> None:
    results = pmap(_fail_at_three, range(10), backend, workers=1)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(AgentError, match="three"):
        next(results)


def test_unordered_gives_what_is_ready() -> None:
    found = list(pmap(_slow_first, range(4), "threads", workers=2, ordered=False))
    assert sorted(found) == [0, 1, 2, 3]
    assert found[0] != 0


def test_items_are_taken_as_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for i in range(1000):
            taken.append(i)
            yield i

    results = pmap(_square, items(), "threads", workers=2)
    next(results)
    results.close()
    assert len(taken) < 10


def test_closing_leaves_no_thread_behind() -> None:
    before = threading.active_count()
    results = pmap(_square, range(100), "threads", workers=3)
    next(results)
    results.close()
    assert threading.active_count() == before


def test_empty() -> None:
    assert list(pmap(_square, [], "processes", workers=2)) == []


def test_a_dead_worker_is_an_error_not_a_hang() -> None:
    with pytest.raises(SkatError, match="worker process ended"):
        list(pmap(_die, range(3), "processes", workers=1))


def test_worker_processes_use_one_thread_each() -> None:
    (pid, threads), *_ = pmap(_environment, ["OMP_NUM_THREADS"], "processes", workers=1)
    assert pid != os.getpid()
    assert threads == "1"


@pytest.mark.parametrize(("backend", "workers"), [("fork", 1), ("threads", 0), ("serial", -1)])
def test_bad_arguments_fail_at_once(backend: str, workers: int) -> None:
    with pytest.raises(SkatError):
        pmap(_square, [1], backend, workers)


def test_progress_changes_nothing() -> None:
    assert list(pmap(_square, range(5), desc="squares", unit="square")) == [0, 1, 4, 9, 16]


def test_cpu_count() -> None:
    assert cpu_count() >= 1


def test_one_torch_thread() -> None:
    import torch

    before = torch.get_num_threads()
    with one_torch_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


ORPHANS = """
import os, sys, time
from skatai.parallel import pmap

def work(path):
    open(path, "w").write(str(os.getpid()))
    time.sleep(1000)

if __name__ == "__main__":
    list(pmap(work, sys.argv[1:], "processes", workers=1))
"""


def test_a_killed_parent_takes_its_workers_along(tmp_path: Path) -> None:
    script, note = tmp_path / "script.py", tmp_path / "pid"
    script.write_text(ORPHANS, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, str(script), str(note)], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (note.exists() and note.read_text(encoding="utf-8")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    worker = int(note.read_text(encoding="utf-8"))
    while _is_running(worker):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # ended but not yet collected by the system
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
