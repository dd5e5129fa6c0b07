"""``skatai play`` with answers from a pipe."""

from __future__ import annotations

import io

import pytest

from skatai.cli import main
from skatai.cli.play import split_specs

CARDS = [suit + rank for suit in "CSHD" for rank in "ATKQJ987"[::1]] + [suit + "9" for suit in "CSHD"]


def _play(monkeypatch: pytest.MonkeyPatch, answers: str, *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    return main(["play", *words])


def _stubborn(rounds: int) -> str:
    """Passes, and tries every card again and again until one is legal."""
    return "p\n" + "\n".join(CARDS * rounds) + "\n"


@pytest.mark.parametrize("seat", ["forehand", "middlehand", "rearhand", "2"])
def test_a_whole_deal(seat: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert _play(monkeypatch, _stubborn(12), "--seat", seat, "--agents", "rule,random", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert "Deal 1 of 1: you are" in out
    assert "was dealt" in out
    assert "list: you " in out


def test_declarer_from_the_auction_to_the_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Middlehand jumps to 264; nobody holds. The result is told with the reckoning."""
    hand = "\n".join(["264", "s", "C8", "nonsense", "hand", "help"])
    answers = f"{hand}\n" + "\n".join(CARDS * 3) + "\nG\n" + "\n".join(CARDS * 12)
    assert _play(monkeypatch, answers, "--seat", "middlehand", "--seed", "1", "--agents", "rule,rule") == 0
    out = capsys.readouterr().out
    assert "middlehand lost" in out
    assert "times 24 grand" in out
    assert "overbid" in out
    assert "picks the skat up" in out  # help
    assert "is not an action" in out or "not a card" in out


def test_two_deals_move_the_seats(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert _play(monkeypatch, ("p\n" + _stubborn(12)) * 2, "--deals", "2", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert "Deal 1 of 2: you are forehand." in out
    assert "Deal 2 of 2: you are rearhand." in out


@pytest.mark.parametrize("answers", ["", "quit\n", "hand\nQ\n"])
def test_leaving(answers: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert _play(monkeypatch, answers, "--seed", "3") == 0
    assert capsys.readouterr().out.endswith("You left the game.\n")


def test_hidden_cards_stay_hidden(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Before the first trick only the own ten cards are printed."""
    _play(monkeypatch, "p\nquit\n", "--seed", "3")
    before = capsys.readouterr().out
    hand = next(line for line in before.splitlines() if line.startswith("your hand")).removeprefix("your hand: ")
    own = set(hand.split())
    assert len(own) == 10
    words = set(before.replace(",", " ").split())
    assert {card for card in CARDS if card in words} <= own


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "west"], "'west'"),
        (["--agents", "rule"], "expected two"),
        (["--agents", "rule,nobody"], "nobody"),
        (["--deals", "none.txt"], "none.txt"),
        (["--rules", "x=1"], "no switch"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _play(monkeypatch, "", *words) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert message in err


def test_specs_keep_their_options() -> None:
    assert split_specs("pimc:worlds=20,bid=rule,rule") == ["pimc:worlds=20,bid=rule", "rule"]
    assert split_specs("rule, pimc:worlds=5") == ["rule", "pimc:worlds=5"]
