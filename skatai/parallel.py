"""One map over independent pieces of work: in this thread, in threads, in processes, or on the machines of a Ray cluster.

Threads suit kernels, which release the interpreter lock; processes suit agents written in Python or PyTorch. Ray
(``pip install 'skatai[ray]'``) is for more than one machine: ``ray start --head`` on the first, ``ray start --address=…`` on the
others, all with the same packages installed and, where Ray authenticates, the same token (``RAY_AUTH_MODE=token`` and
``RAY_AUTH_TOKEN``); a piece of work whose worker dies is done again elsewhere. Work that is split by
:func:`pmap` must take its seeds from its items, so that results depend neither on the backend nor on the number of workers.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from skatai.errors import SkatError

__all__ = ["BACKENDS", "cpu_count", "one_torch_thread", "pmap"]

T = TypeVar("T")
R = TypeVar("R")

BACKENDS: Final = ("serial", "threads", "processes", "ray")
#: how often a piece of work is done again whose Ray worker died
_RETRIES: Final = 5
_THREAD_VARIABLES: Final = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def cpu_count() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pmap(
    function: Callable[[T], R],
    items: Iterable[T],
    backend: str = "serial",
    workers: int = 1,
    *,
    ordered: bool = True,
    desc: str | None = None,
    unit: str = "item",
    address: str | None = None,
) -> Generator[R, None, None]:
    """Yield ``function(item)`` for every item as the results come.

    Only a few items per worker are taken ahead of the results, so ``items`` may be a long generator. Closing the generator, an
    exception or Ctrl-C cancels what has not begun; worker processes are ended at once, threads finish their item.

    Args:
        function: for processes a function of a module (or a picklable object); so must items and results be.
        items: the work.
        backend: ``"serial"``, ``"threads"``, ``"processes"`` (started afresh: a script needs the usual
            ``if __name__ == "__main__":``) or ``"ray"``.
        workers: threads or processes; ``"serial"`` ignores it.
        ordered: results in the order of the items; otherwise as they are finished.
        desc: a progress bar with this title on stderr (a terminal only).
        unit: what an item is called there.
        address: of a Ray cluster (``"auto"``, ``"host:6379"``); without it Ray is started on this machine and ended again.

    Raises:
        SkatError: an unknown backend, fewer than one worker, a worker process that died, or Ray is not there.
        Exception: what ``function`` raised.

    >>> list(pmap(abs, [-1, 2, -3], backend="threads", workers=2))
    [1, 2, 3]
    """
    if backend not in BACKENDS:
        raise SkatError(f"parallel backend {backend!r}: expected one of {', '.join(BACKENDS)}")
    if workers < 1:
        raise SkatError(f"parallel: {workers} workers, expected at least 1")
    if address is not None and backend != "ray":
        raise SkatError(f"parallel: the address {address!r} is for the backend ray, not {backend}")
    if backend == "ray":
        results = _on_ray(function, items, workers, ordered, address)
    elif backend == "serial":
        results = _serial(function, items)
    else:
        results = _pooled(function, items, backend, workers, ordered)
    if desc is None:
        return results
    return _with_progress(results, desc, unit, len(items) if isinstance(items, Sized) else None)


def _with_progress(
    results: Generator[R, None, None], desc: str, unit: str, total: int | None
) -> Generator[R, None, None]:
    from tqdm import tqdm

    yield from tqdm(results, desc=desc, unit=unit, total=total, disable=None)


def _serial(function: Callable[[T], R], items: Iterable[T]) -> Generator[R, None, None]:
    for item in items:
        yield function(item)


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Within, PyTorch (where it is loaded) computes in the calling thread alone, as in worker processes.

    For small networks its own threads cost more than they bring, and on a busy machine they wait for each other.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _end_with_parent() -> None:
    """A killed parent cannot end its workers, which would wait for work for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _prepare_worker() -> None:
    """First thing in a worker process: one thread each, and Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _THREAD_VARIABLES:
        os.environ[name] = "1"
    threading.Thread(target=_end_with_parent, daemon=True).start()
    torch = sys.modules.get("torch")  # loaded already where the main script imports it
    if torch is not None:
        torch.set_num_threads(1)


def _executor(backend: str, workers: int) -> Executor:
    if backend == "threads":
        return ThreadPoolExecutor(workers)
    from multiprocessing import get_context

    # Spawned, not forked: a fork copies locks that compiled code and PyTorch may hold.
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare_worker)


def _end_processes(executor: Executor) -> None:
    processes: dict[int, Any] | None = getattr(executor, "_processes", None)  # no public way before Python 3.14
    for process in list((processes or {}).values()):
        process.terminate()


def _pooled(
    function: Callable[[T], R], items: Iterable[T], backend: str, workers: int, ordered: bool
) -> Generator[R, None, None]:
    executor = _executor(backend, workers)
    pending: deque[Future[R]] = deque()
    source = iter(items)
    finished = False
    try:
        while True:
            while len(pending) < 2 * workers:
                try:
                    item = next(source)
                except StopIteration:
                    break
                pending.append(executor.submit(function, item))
            if not pending:
                break
            if ordered:
                future = pending.popleft()
            else:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
                future = next(candidate for candidate in pending if candidate in done)
                pending.remove(future)
            yield future.result()
        finished = True
    except BrokenProcessPool:
        raise SkatError(
            "parallel: a worker process ended without a result (killed, out of memory, or a script that starts processes "
            'without `if __name__ == "__main__":`)'
        ) from None
    finally:
        if not finished:
            _end_processes(executor)
        executor.shutdown(wait=True, cancel_futures=True)


def _connected_ray(workers: int, address: str | None) -> tuple[Any, bool]:
    """Ray, and whether it was started or connected here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a library does not report to its makers unasked
    try:
        import ray
    except ImportError:
        raise SkatError("parallel: the backend ray needs it: pip install 'skatai[ray]'") from None
    if ray.is_initialized():
        return ray, False
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is None:
            store = 1 << 27  # bytes of shared memory; items and results are small
            ray.init(address="local", num_cpus=workers, object_store_memory=store, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        where = "on this machine" if address is None else f"at {address}"
        raise SkatError(f"parallel: no Ray {where}: {' '.join(str(error).split())}") from None
    return ray, True


def _on_ray(
    function: Callable[[T], R], items: Iterable[T], workers: int, ordered: bool, address: str | None
) -> Generator[R, None, None]:
    ray, ours = _connected_ray(workers, address)

    def call(item: T) -> R:
        return function(item)

    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(call)
    pending: list[Any] = []
    source = iter(items)
    try:
        while True:
            while len(pending) < 2 * workers:
                try:
                    item = next(source)
                except StopIteration:
                    break
                pending.append(remote.remote(item))
            if not pending:
                break
            done = pending[0] if ordered else ray.wait(pending, num_returns=1)[0][0]
            pending.remove(done)
            yield ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise SkatError(f"parallel: a Ray worker gave no result: {' '.join(str(error).split())}") from None
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
        if ours:
            ray.shutdown()
