"""Puzzles: the position is what the puzzle says, and agents are judged by their card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skatai.agent import BaseAgent
from skatai.cards import Card, CardSet
from skatai.conformance import CaseError, check_file
from skatai.conformance.puzzles import check_puzzle, read_puzzle
from skatai.rng import Rng
from skatai.view import PlayerView

PATH = Path(__file__).parent.parent / "data/play_puzzles.jsonl"
PUZZLES = [json.loads(line) for line in PATH.read_text().splitlines()]


@pytest.mark.parametrize("data", PUZZLES, ids=lambda data: data["id"])
def test_position(data: dict[str, Any]) -> None:
    game = read_puzzle(data).game
    seat = game.to_move
    assert seat is not None
    view = game.view(seat)
    forehand = data["played"][0][0] if data["played"] else data["seat"]
    declarer, contract = view.declarer, view.contract
    assert declarer is not None and contract is not None
    assert (forehand + seat) % 3 == data["seat"] and (forehand + declarer) % 3 == 0
    assert view.hand == CardSet.parse(" ".join(data["hand"]))
    assert [[(forehand + who) % 3, str(card)] for who, card in view.plays] == data["played"]
    assert str(contract) == data["game"] + "H" * data["hand_game"] and view.bid == 18
    assert view.discards == CardSet.parse(" ".join(data["discards_known"]))
    assert sum(call.isdigit() for _, call in view.calls) == 1 and len(view.calls) == 3
    for other in range(3):
        started = [0, 0, 0]
        for who, _ in view.plays:
            started[who] += 1
        assert len(game.hands[other]) == 10 - started[other]


class Chooser(BaseAgent):
    """Plays what is named for each pair of hand and cards on the table."""

    def __init__(self, wanted: dict[tuple[str, ...], int]) -> None:
        self.name = "chooser"
        self.wanted = wanted

    def act(self, view: PlayerView, rng: Rng) -> int:
        return self.wanted[str(view.hand), *(str(card) for _, card in view.trick)]


def key(data: dict[str, Any]) -> tuple[str, ...]:
    played = [card for _, card in data["played"]]
    return (str(CardSet.parse(" ".join(data["hand"]))), *played[len(played) - len(played) % 3 :])


def test_agents_are_judged() -> None:
    good = Chooser({key(data): max(CardSet.parse(" ".join(data["accepted"]))) for data in PUZZLES})
    assert len(good.wanted) == len(PUZZLES)
    assert all(check_puzzle(data, good).status == "right" for data in PUZZLES)
    report = check_file(PATH, good)
    assert (report.right, report.wrong, report.remarks) == (13, 0, [])
    puzzle = next(data for data in PUZZLES if data["id"] == "case10_easy")
    for action, told in ((int(Card.parse("ST")), "ST"), (33, "hold"), (500, "500")):
        verdict = check_puzzle(puzzle, Chooser({key(puzzle): action}))
        assert verdict.status == "wrong" and verdict.what.endswith(f"expected S7, came {told}")


def test_registered_agents_answer_with_legal_cards() -> None:
    report = check_file(PATH, "random", seed=3)
    assert report.cases == 13 and report.right + report.wrong == 13
    assert not any("not legal" in difference.what for difference in report.differences)
    again = check_file(PATH, "random", seed=3)
    assert [str(difference) for difference in again.differences] == [
        str(difference) for difference in report.differences
    ]


def base(**values: Any) -> dict[str, Any]:
    """A defender on forehand before the first lead."""
    hand = ["CJ", "SJ", "D7", "DT", "HA", "H9", "S9", "C8", "C9", "CQ"]
    case = {
        "id": "x",
        "game": "N",
        "seat": 1,
        "hand_game": False,
        "hand": hand,
        "played": [],
        "legal": hand,
        "accepted": ["S9"],
    }
    return case | values


def test_null_and_hand_games() -> None:
    for game in "DHSCGN":
        for by_hand in (False, True):
            assert check_puzzle(base(game=game, hand_game=by_hand)).status == "right"


def test_hands_fit_the_cards_played() -> None:
    # Neither of the others follows in spades: what is left of the suit lies in the skat.
    hand = ["ST", "SK", "SQ", "S9", "S8", "HT", "HK", "HQ", "H9"]
    puzzle = read_puzzle(base(hand=hand, played=[[1, "SA"], [2, "D7"], [0, "C7"]], legal=hand))
    assert puzzle.game.skat == CardSet.parse("SJ S7")
    assert check_puzzle(base(hand=hand, played=[[1, "SA"], [2, "D7"], [0, "C7"]], legal=hand)).status == "right"


@pytest.mark.parametrize(
    "values",
    [
        {"seat": 0},  # a declarer who picked up knows his discards
        {"discards_known": ["S7", "S8"]},  # a defender does not
        {"hand": ["CJ"]},
        {"played": [[1, "S7"], [1, "S8"]]},
        {"played": [[1, "S7"], [2, "SA"], [0, "H7"], [2, "S9"]]},
        {"played": "SA"},
        {"played": [[3, "SA"]]},
        {"played": [["1", "SA"]]},
        {"legal": []},
        {"accepted": ["S9", "S9"]},
        {
            "hand": ["ST", "SK", "SQ", "S9", "HT", "HK", "HQ", "H9"],
            "played": [[1, "SA"], [2, "D7"], [0, "C7"], [1, "HA"], [2, "D8"], [0, "S8"]],
        },
    ],
)
def test_impossible_positions(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        read_puzzle(base(**values))


def test_no_deal_fits() -> None:
    # Three suits are barred for both others after three tricks of the defender: their cards have only two places in the skat.
    hand = ["C7", "C8", "C9", "CT", "CQ", "CK", "CA"]
    played = [[1, "SA"], [2, "D7"], [0, "D8"], [1, "HA"], [2, "D9"], [0, "DT"], [1, "CJ"], [2, "DJ"], [0, "DQ"]]
    with pytest.raises(CaseError, match="no deal fits"):
        read_puzzle(base(hand=hand, played=played, legal=hand, accepted=hand))
