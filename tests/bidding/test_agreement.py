"""Agreement with recorded people, against records whose figures are counted by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai.agent import BaseAgent, make_agent
from skatai.arena import Tournament, write_iss
from skatai.bidding.agreement import Agreed, Agreement, agreement, cohens_kappa
from skatai.bidding.recorded import recorded_decisions
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.records import GameOutcome, read_records
from skatai.records.iss import format_record, record_of_game
from skatai.rng import Rng
from skatai.rules import Rules
from skatai.view import PlayerView

#: forehand holds queen and seven of clubs among others; the skat is H8 H7
DEAL = "CJ.HJ.CA.CT.C9.C8.SA.ST.HT.D7|SJ.DJ.CK.SK.S9.HA.HK.DA.DT.D9|CQ.C7.SQ.S8.S7.HQ.H9.DK.DQ.D8|H8.H7"


@dataclass
class BySeat:
    """A bidder whose limit is told by the seat."""

    limits_of: tuple[int, int, int]
    name: str = "by-seat"

    def limits(self, hands: NDArray[np.uint32], seats: NDArray[np.int64], rules: Rules) -> NDArray[np.int64]:
        assert hands.dtype == np.uint32
        return np.array(self.limits_of, dtype=np.int64)[seats]


class Plain(BaseAgent):
    """Passes, picks up, puts away its lowest cards, declares the first game it may."""

    name = "plain"

    def act(self, view: PlayerView, rng: Rng) -> int:
        return {"auction": 32, "skat": 34}.get(view.phase, view.legal_actions[0])


class Hand(Plain):
    """Declares by hand."""

    name = "hand"

    def act(self, view: PlayerView, rng: Rng) -> int:
        return view.legal_actions[1] if view.phase == "skat" else super().act(view, rng)


def line(*actions: str, ratings: Sequence[str] = ("", "", ""), players: Sequence[str] = ("Ann", "Bob", "Cyd")) -> str:
    """A record of a game that goes as far as the actions."""
    game = Game(Deal.parse(DEAL), rules=Rules.iss())
    for action in actions:
        game.play(action)
    record = record_of_game(game, players=(players[0], players[1], players[2]))
    return format_record(replace(record, ratings_text=(ratings[0], ratings[1], ratings[2])))


def write(path: Path, *lines: str) -> Path:
    """Records with numbers of their own."""
    text = "".join(f"{line.replace('ID[1]', f'ID[{number}]')}\n" for number, line in enumerate(lines, 1))
    path.write_text(text, encoding="utf-8")
    return path


AUCTIONS = (("18", "y", "20", "p", "p"), ("p", "p", "p"), ("p", "p", "18"))


def rows(found: Agreement) -> dict[tuple[str, str], Agreed]:
    return {(row.dimension, row.value): row for row in found.calls}


def hits(row: Agreed) -> tuple[int, int]:
    return row.agreement.hits, row.agreement.n


def test_calls_by_the_limit(tmp_path: Path) -> None:
    """Limits 20, 0, 24. First record: middlehand's 18 and 20 no, forehand's hold of 18 yes, of 20 (passed) yes, rearhand's 22
    (passed) yes. The others: middlehand passes 18 as it should, rearhand not, forehand's last chance is left once, taken once.
    """
    file = write(tmp_path / "three.sgf", *(line(*calls) for calls in AUCTIONS))
    found = agreement([file], BySeat((20, 0, 24)))
    table = rows(found)
    assert found.records == {"game": 3}
    assert hits(table["all", "calls"]) == (4, 11)
    assert (table["all", "calls"].recorded_yes, table["all", "calls"].bidder_yes) == (4, 7)
    assert table["all", "calls"].kappa == pytest.approx((4 * 11 - 56) / (121 - 56))
    assert hits(table["recorded", "yes"]) == (2, 4) and hits(table["recorded", "pass"]) == (2, 7)
    assert table["recorded", "yes"].kappa is None
    assert [hits(table["seat", seat]) for seat in ("forehand", "middlehand", "rearhand")] == [(2, 4), (2, 4), (0, 3)]
    assert hits(table["value", "18"]) == (4, 8) and hits(table["value", "20–23"]) == (0, 3)
    assert ("value", "24–35") not in table
    assert hits(table["call", "names a value"]) == (2, 7)
    assert hits(table["call", "holds"]) == (1, 2)
    assert hits(table["call", "last chance"]) == (1, 2)
    assert found.after == {} and not any(row.dimension == "rating" for row in found.calls)
    assert table["all", "calls"].agreement.effective <= 11


def test_ratings_split_and_filter(tmp_path: Path) -> None:
    """Forehand 1000, middlehand 900, rearhand without: of the calls above forehand's four and middlehand's four are rated."""
    lines = (line(*calls, ratings=("1000", "900", "null")) for calls in AUCTIONS)
    file = write(tmp_path / "rated.sgf", *lines)
    table = rows(agreement([file], BySeat((20, 0, 24))))
    assert {key: hits(row) for key, row in table.items() if key[0] == "rating"} == {
        ("rating", "up to 900"): (2, 4),
        ("rating", "900 to 1000"): (2, 4),
    }
    strong = agreement([file], BySeat((20, 0, 24)), min_rating=950)
    assert hits(strong.calls[0]) == (2, 4)
    assert (strong.left_out, strong.min_rating) == (7, 950)


def test_after_the_auction(tmp_path: Path) -> None:
    """Recorded: skat, D7 and H7 away, clubs. The plain agent: skat, its lowest two cards D7 and H7, then the first game, diamonds;
    at the second record H8 and HT went away, none of them its own. The third one was played by hand.
    """
    start = ("18", "y", "p", "p")
    file = write(
        tmp_path / "after.sgf",
        line(*start, "pick up", "D7", "H7", "declare C"),
        line(*start, "pick up", "H8", "HT", "declare D"),
        line(*start, "declare DH"),
    )
    plain = agreement([file], BySeat((0, 0, 0)), Plain())
    assert {name: (share.hits, share.n) for name, share in plain.after.items()} == {
        "hand or skat": (2, 3),
        "discard": (1, 2),
        "one discard": (1, 2),
        "game": (1, 2),
        "contract": (1, 2),
    }
    assert hits(rows(plain)["recorded", "pass"]) == (6, 6) and hits(rows(plain)["recorded", "yes"]) == (0, 6)
    by_hand = agreement([file], BySeat((0, 0, 0)), Hand())
    assert (by_hand.after["hand or skat"].hits, by_hand.after["contract"].n) == (1, 3)
    assert by_hand.after["contract"].hits == 2  # diamonds by hand and after the skat; clubs not


def test_an_agent_agrees_with_its_own_records(tmp_path: Path) -> None:
    games = Tournament(["rule", "random"], deals_from_seed(3, 12), 3).run().records
    mine = [record for record in games if record.seating == "ABB"]
    players = {"rule": "Ann", "random": "bernie"}
    named = [replace(record, seats=tuple(players[name] for name in record.seats)) for record in mine]
    file = write_iss(tmp_path / "own.sgf", named)
    found = agreement([file], BySeat((0, 0, 0)), make_agent("rule"))
    assert found.calls[0].agreement.n >= 12  # programs are left out: only forehand's calls count
    assert {row.value for row in found.calls if row.dimension == "seat"} == {"forehand"}
    assert all(row.agreement.hits == row.agreement.n for row in found.calls)
    assert all(share.hits == share.n for share in found.after.values())


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    game = line(*AUCTIONS[0])
    text = f"{game}\n{game}\n(;GM[Skat]MV[w C7] ;)\n"
    file = tmp_path / "broken.sgf"
    file.write_text(text, encoding="utf-8")
    found = agreement([file, file], BySeat((20, 0, 24)))
    assert found.records == {"game": 1, "duplicate": 3, "quarantine": 2}
    assert len(found.quarantine) == 2 and found.quarantine[0].startswith("broken.sgf, line 3: ")
    assert found.calls[0].agreement.n == 5
    other = tmp_path / "other.sgf"
    other.write_text(line(*AUCTIONS[1]) + "\n", encoding="utf-8")  # the same number, another game
    assert agreement([file, other], BySeat((20, 0, 24))).records == {"game": 2, "duplicate": 1, "quarantine": 1}
    with pytest.raises(SkatError, match=r"missing\.sgf"):
        agreement([tmp_path / "missing.sgf"], BySeat((0, 0, 0)))
    (tmp_path / "empty.sgf").write_text("", encoding="utf-8")
    with pytest.raises(SkatError, match=r"no records in .*empty\.sgf"):
        agreement([tmp_path / "empty.sgf"], BySeat((0, 0, 0)))


def test_real_records() -> None:
    """Every record is one of the kinds, and every game has calls."""
    path = Path(__file__).parents[1] / "data" / "iss_records.sgf"
    seen: list[int] = []
    found = agreement([path], BySeat((18, 18, 18)), make_agent("rule"), progress=seen.append)
    assert sum(found.records.values()) == 24
    assert sum(seen) == found.records["game"]
    games = [outcome for outcome in read_records(path) if isinstance(outcome, GameOutcome)]
    decisions = [decision for outcome in games for decision in recorded_decisions(outcome)]
    assert found.calls[0].agreement.n == sum(decision.view.phase == "auction" for decision in decisions)
    picked_up = sum(decision.view.phase == "discard" for decision in decisions)
    assert found.after["discard"].n == picked_up > 10
    assert all(decision.away.bit_count() == 2 for decision in decisions if decision.view.phase == "discard")


def test_agents_that_cannot_be_asked(tmp_path: Path) -> None:
    class Silly(BaseAgent):
        name = "silly"

        def act(self, view: PlayerView, rng: Rng) -> int:
            return 135

    file = write(tmp_path / "one.sgf", line(*AUCTIONS[0]))
    with pytest.raises(AgentError, match="agent 'silly': action 135 is not legal in auction of a recorded game"):
        agreement([file], BySeat((0, 0, 0)), Silly())
    with pytest.raises(SkatError, match="sees all cards"):
        agreement([file], BySeat((0, 0, 0)), make_agent("open"))


def test_kappa() -> None:
    """Cohen's own kind of example: 50 cases, p_o = 0.7, p_e = 0.5, κ = 0.4; none where both say the same word only."""
    assert cohens_kappa(20, 5, 10, 15) == pytest.approx(0.4)
    assert cohens_kappa(10, 0, 0, 10) == 1
    assert cohens_kappa(5, 5, 5, 5) == 0
    assert cohens_kappa(7, 0, 0, 0) is None
    assert cohens_kappa(0, 0, 0, 0) is None
