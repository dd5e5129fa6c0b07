"""``@kernel``: the only way skatai compiles a function.

Compiled code is cached on disk in a folder named by a hash of the sources the function depends on: its own module and,
transitively, every ``skatai`` or ``skatai_agents`` module that it imports. Numba alone notices only changes in the file of
the cached function itself, so that a rule fixed in a callee of another file would go on giving the old score.

Environment variables
    ``SKATAI_CACHE_DIR``  where compiled code is kept (default: ``skatai`` in the user's cache folder). Where the folder cannot be
    written, a folder under the system's temporary directory serves, and failing that nothing is cached.
    ``NUMBA_DISABLE_JIT=1``  runs every kernel as plain Python (slow; for coverage and debugging).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba
from numba.core import config as _numba_config
from numba.core import event as _numba_event

__all__ = ["JIT_ENABLED", "cache_dir", "kernel", "source_hash"]

F = TypeVar("F", bound=Callable[..., Any])

#: False when ``NUMBA_DISABLE_JIT`` is set: kernels are then plain Python functions.
JIT_ENABLED: bool = not _numba_config.DISABLE_JIT

_IMPORT = re.compile(r"^\s*from\s+((?:skatai|skatai_agents)[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def _source(path: Path) -> bytes:
    return path.read_bytes()


def _module_file(root: Path, dotted: str) -> Path | None:
    """The file of module ``dotted`` (``skatai.kernels.bits``), where ``root`` holds its top-level package."""
    stem = root.joinpath(*dotted.split("."))
    for candidate in (stem.with_suffix(".py"), stem / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def _package_root(package: str) -> Path | None:
    if package == "skatai":
        return Path(__file__).resolve().parent.parent
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    return Path(file).resolve().parent.parent if file else None


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """The project files that the module at ``path`` imports (absolute ``from … import …`` lines)."""
    found: list[Path] = []
    for dotted, names in _IMPORT.findall(_source(path).decode("utf-8")):
        root = _package_root(dotted.split(".")[0])
        if root is None:
            continue
        candidates = [dotted] + [f"{dotted}.{name}" for name in re.findall(r"\w+", names)]
        found += [file for name in candidates if (file := _module_file(root, name)) is not None]
    return tuple(found)


@cache
def source_hash(path: Path) -> str:
    """Hash (16 hex digits) of a module's source and of all project modules it imports, directly or not."""
    seen: set[Path] = set()
    pending = [path]
    while pending:
        file = pending.pop()
        if file not in seen:
            seen.add(file)
            pending.extend(_imports(file))
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for file in sorted(seen):
        digest.update(file.name.encode() + b"\0" + _source(file))
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_dir() -> Path | None:
    """The folder that holds compiled code, or ``None`` when nothing can be written anywhere."""
    named = os.environ.get("SKATAI_CACHE_DIR")
    if named:
        choices = [Path(named).expanduser()]
    elif os.environ.get("XDG_CACHE_HOME"):
        choices = [Path(os.environ["XDG_CACHE_HOME"]) / "skatai"]
    else:
        try:
            choices = [Path.home() / ".cache" / "skatai"]
        except RuntimeError:  # no home folder at all
            choices = []
    uid = os.getuid() if hasattr(os, "getuid") else 0
    choices.append(Path(tempfile.gettempdir()) / f"skatai-{uid}")
    return next((folder for folder in choices if _writable(folder)), None)


#: compiled code that no process has used for so long is deleted when new code is compiled
KEEP_DAYS = 30


@cache
def _module_cache(folder: Path, name: str) -> Path:
    """The folder of one module's compiled code, marked as used today; old ones go when it is made anew."""
    own = folder / name
    try:
        if own.is_dir():
            os.utime(own)
        else:
            oldest = time.time() - KEEP_DAYS * 86400
            for other in folder.iterdir():
                if re.fullmatch(r"[0-9a-f]{16}", other.name) and other.stat().st_mtime < oldest:
                    shutil.rmtree(other, ignore_errors=True)
            own.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass  # somebody else cleans up, or the folder belongs to somebody else: Numba will tell if it cannot write
    return own


class _Announcer(_numba_event.Listener):
    """Says once, on stderr, that compilation has begun: it takes seconds and would look like a hang."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            where = cache_dir()
            kept = f"cached in {where}" if where else "no writable cache folder: not cached"
            print(f"skatai: compiling kernels for the first use ({kept}) …", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


if JIT_ENABLED:
    _numba_event.register("numba:compile", _Announcer())


@overload
def kernel(function: F) -> F: ...


@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...


def kernel(function: F | None = None, *, inline: bool = False) -> F | Callable[[F], F]:
    """Compile ``function`` with Numba (nopython, ``nogil``, cached) on its first call.

    Kernels take scalars, arrays and state records; they hold no ``try``, strings or Python objects.

    ``@kernel(inline=True)`` puts the code into every caller, whatever its size: for the few small kernels whose call costs more
    than the work (an array is seven arguments to the processor). Callers take longer to compile.
    """
    if function is None:
        return lambda decorated: _compiled(decorated, inline)
    return _compiled(function, inline)


def _compiled(function: F, inline: bool) -> F:
    if not JIT_ENABLED:
        return function
    options = {"nogil": True, "forceinline": inline}
    folder = cache_dir()
    path = Path(function.__code__.co_filename).resolve()
    if folder is None or not path.is_file():
        return cast(F, numba.njit(**options)(function))
    previous = _numba_config.CACHE_DIR
    _numba_config.CACHE_DIR = str(_module_cache(folder, source_hash(path)))
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    finally:
        _numba_config.CACHE_DIR = previous
