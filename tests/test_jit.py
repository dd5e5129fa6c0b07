"""The compile cache: it must never serve yesterday's rules."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import skatai
from skatai import _jit
from skatai._jit import JIT_ENABLED, cache_dir, kernel, source_hash

PACKAGE = Path(skatai.__file__).parent

#: two modules of a package called skatai: the caller in one file, its callee in another
CALLEE = "from skatai._jit import kernel\n\n\n@kernel\ndef rule(x):\n    return x + {number}\n"
CALLER = "from skatai._jit import kernel\nfrom skatai.callee import rule\n\n\n@kernel\ndef game(x):\n    return rule(x) * 10\n"


def run(root: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``code`` in a new interpreter in which ``skatai`` is the package under ``root``."""
    names = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")
    clean = {name: os.environ[name] for name in names if name in os.environ}
    clean |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=clean, cwd=root, capture_output=True, text=True, check=True, timeout=300
    )


@pytest.fixture
def small_package(tmp_path: Path) -> Path:
    """A package ``skatai`` of two kernels and the real ``_jit``."""
    package = tmp_path / "root" / "skatai"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    shutil.copy(PACKAGE / "_jit.py", package)
    (package / "callee.py").write_text(CALLEE.format(number=1))
    (package / "caller.py").write_text(CALLER)
    return package


GAME = "from skatai.caller import game; print(game(1))"


@pytest.mark.jit
def test_a_change_in_another_file_is_compiled_anew(small_package: Path, tmp_path: Path) -> None:
    root, cache = small_package.parent, str(tmp_path / "cache")
    first = run(root, GAME, SKATAI_CACHE_DIR=cache)
    assert first.stdout == "20\n"
    notice = first.stderr.splitlines()
    assert notice == [f"skatai: compiling kernels for the first use (cached in {cache}) …"]

    again = run(root, GAME, SKATAI_CACHE_DIR=cache)
    assert again.stdout == "20\n" and again.stderr == ""  # from the cache, without a word

    (small_package / "callee.py").write_text(CALLEE.format(number=2))
    changed = run(root, GAME, SKATAI_CACHE_DIR=cache)
    assert changed.stdout == "30\n" and "compiling" in changed.stderr

    (small_package / "callee.py").write_text(CALLEE.format(number=1))
    back = run(root, GAME, SKATAI_CACHE_DIR=cache)
    assert back.stdout == "20\n" and back.stderr == ""  # the old code is still there under its own name


@pytest.mark.jit
def test_a_home_that_cannot_be_written(small_package: Path, tmp_path: Path) -> None:
    """The cache moves to the temporary folder, and where there is none either, everything still works."""
    blocked = tmp_path / "file"
    blocked.write_text("a file cannot hold a cache, not even for root")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    result = run(small_package.parent, GAME, HOME=str(blocked), TMPDIR=str(temporary))
    assert result.stdout == "20\n" and list(temporary.glob("skatai-*/*"))

    code = "import skatai._jit as j; j._writable = lambda folder: False; " + GAME
    result = run(small_package.parent, code, HOME=str(blocked), TMPDIR=str(temporary))
    assert result.stdout == "20\n" and "no writable cache folder: not cached" in result.stderr


def test_plain_python_gives_the_same(small_package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    result = run(small_package.parent, GAME, NUMBA_DISABLE_JIT="1", SKATAI_CACHE_DIR=str(cache))
    assert result.stdout == "20\n" and result.stderr == "" and not cache.exists()


@pytest.mark.parametrize("enabled", ["0", "1"])
def test_a_game_with_and_without_the_compiler(enabled: str) -> None:
    """One pinned random game under both: the kernels do not depend on being compiled."""
    code = (
        "from skatai.deal import Deal; from skatai.game import Game; from skatai.kernels.rollouts import random_game\n"
        "from skatai.kernels.rng import new_rng; g = Game(Deal.random(5)); random_game(g.state, new_rng(9))\n"
        "import hashlib; print(hashlib.sha256(g.state.tobytes()).hexdigest()[:16], g.result)"
    )
    environment = {"SKATAI_CACHE_DIR": str(cache_dir())} if enabled == "1" and cache_dir() else {}
    result = run(PACKAGE.parent, code, NUMBA_DISABLE_JIT="1" if enabled == "0" else "0", **environment)
    assert result.stdout.strip() == PINNED_GAME


PINNED_GAME = (
    "d36d098a3b229b2e rearhand lost clubs hand, schneider announced: 58 points, "
    "4 tricks; without 1, game 2, hand 3, schneider 4, announced 5, times 12 clubs = 60; score -120"
)


def test_the_hash_follows_the_imports() -> None:
    """Every kernel module depends on every file that its absolute imports reach."""
    kernels = PACKAGE / "kernels"
    reached = {path.name for path in _reachable(kernels / "moves.py")}
    assert {
        "moves.py",
        "settle.py",
        "state.py",
        "tables.py",
        "bits.py",
        "action_ids.py",
        "rules.py",
        "_jit.py",
    } <= reached
    assert "events.py" not in reached
    assert source_hash(kernels / "moves.py") != source_hash(kernels / "settle.py")
    assert len(source_hash(kernels / "moves.py")) == 16


def _reachable(path: Path) -> set[Path]:
    seen: set[Path] = set()
    pending = [path]
    while pending:
        file = pending.pop()
        if file not in seen:
            seen.add(file)
            pending.extend(_jit._imports(file))
    return seen


def test_every_import_of_a_kernel_is_followed() -> None:
    """No relative or plain imports of project modules in compiled code: the cache would not see them."""
    for path in (PACKAGE / "kernels").rglob("*.py"):
        for line in path.read_text().splitlines():
            assert not line.strip().startswith(("import skatai", "from .")), f"{path.name}: {line}"


def test_missing_modules_and_unknown_packages_are_no_files() -> None:
    assert _jit._module_file(PACKAGE.parent, "skatai.no_such_module") is None
    assert _jit._module_file(PACKAGE.parent, "skatai.kernels") == PACKAGE / "kernels" / "__init__.py"
    assert _jit._package_root("skatai") == PACKAGE.parent
    assert _jit._package_root("no_such_package") is None


def test_choice_of_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = cache_dir.__wrapped__
    monkeypatch.setenv("SKATAI_CACHE_DIR", str(tmp_path / "named"))
    assert choose() == tmp_path / "named"
    monkeypatch.delenv("SKATAI_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert choose() == tmp_path / "xdg" / "skatai"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert choose() == tmp_path / "home" / ".cache" / "skatai"

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert "skatai-" in str(choose())
    monkeypatch.setattr(_jit, "_writable", lambda folder: False)
    assert choose() is None


def test_writable_folders_are_told_from_files(tmp_path: Path) -> None:
    assert _jit._writable(tmp_path / "new" / "deep")
    (tmp_path / "file").write_text("")
    assert not _jit._writable(tmp_path / "file")


def test_inlined_kernels_give_the_same() -> None:
    @kernel(inline=True)
    def twice(x: int) -> int:
        return 2 * x

    @kernel
    def game(x: int) -> int:
        return twice(x) + 1

    assert (game(20), twice(21)) == (41, 42)


def test_kernels_made_at_run_time_are_not_cached() -> None:
    """A function without a file compiles all the same."""
    names: dict[str, object] = {}
    exec(compile("def double(x):\n    return 2 * x\n", "<made up>", "exec"), names)
    assert kernel(names["double"])(21) == 42  # type: ignore[operator, type-var]
    assert JIT_ENABLED == (os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"))


def test_compiled_code_that_nobody_uses_goes(tmp_path: Path) -> None:
    day = 86400.0
    now = time.time()
    ages = {"0123456789abcdef": 31, "0123456789abcde0": 29, "not-a-hash": 400}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - days * day, now - days * day))
    _jit._module_cache.cache_clear()
    used = _jit._module_cache(tmp_path, "0123456789abcde0")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(ages)  # nothing new, so nothing is cleaned
    assert now - used.stat().st_mtime < day  # marked as used
    made = _jit._module_cache(tmp_path, "00000000000000ff")
    assert made.is_dir()
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"0123456789abcde0", "00000000000000ff", "not-a-hash"}
