"""The dispatcher: quick help, clear errors."""

from __future__ import annotations

import io
import signal
import subprocess
import sys

import pytest

from skatai.cli import COMMANDS, main


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name}" in out for name in COMMANDS)


def test_every_command_exists_and_explains_itself() -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0


def test_an_unknown_command_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["frobnicate"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "no command 'frobnicate'" in err


@pytest.mark.parametrize("code", ["import skatai", "import skatai.cli; skatai.cli.main(['--help'])"])
def test_import_and_help_load_nothing_heavy(code: str) -> None:
    heavy = ["numpy", "numba", "torch", "gymnasium", "tyro", "rich", "matplotlib", "tqdm"]
    probe = f"{code}\nimport sys\nprint('HEAVY', [name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    assert "HEAVY []" in out


def test_version() -> None:
    out = subprocess.run([sys.executable, "-m", "skatai", "--version"], capture_output=True, text=True, check=True)
    assert out.stdout.startswith("skatai 0.")


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(argv: list[str]) -> int:
        raise OSError(28, "No space left on device", "games.npz")

    monkeypatch.setattr("skatai.cli.records.run", full)
    assert main(["records", "x"]) == 2
    assert capsys.readouterr().err == "skatai records: games.npz: No space left on device\n"


@pytest.mark.parametrize("swallowed", [False, True])
def test_an_interrupt_is_one_line(
    swallowed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that a callback of the compiler swallowed, so that the compiler fails."""

    def interrupted(argv: list[str]) -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            if not swallowed:
                raise
        raise RuntimeError("no compiled object yet")

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("skatai.cli.records.run", interrupted)
    assert main(["records", "x"]) == 130
    assert capsys.readouterr().err == "skatai records: interrupted\n"
    assert signal.getsignal(signal.SIGINT) is before


def test_other_runtime_errors_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(argv: list[str]) -> int:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr("skatai.cli.records.run", broken)
    with pytest.raises(RuntimeError, match="a fault of the program"):
        main(["records", "x"])


def test_an_output_without_our_signs_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(output, encoding="ascii"))
    assert main(["--help"]) == 0
    sys.stdout.flush()
    assert b"usage: skatai COMMAND ?" in output.getvalue()
