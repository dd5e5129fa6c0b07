"""Statistics against hand-computed examples."""

from __future__ import annotations

import math

import pytest

from skatai.arena.designs import DESIGNS, PAIR_SIX, SeatDesign, design_named
from skatai.arena.facts import DealFacts
from skatai.arena.records import GameRecord
from skatai.arena.stats import HUMAN_BANDS, complete_records, deal_differences, summarise
from skatai.errors import SkatError
from skatai.rng import Rng
from skatai.scoring import list_points

SEATINGS = PAIR_SIX.seatings


def _row(game: int, declarer: int | None, score: int = 0, contract: str | None = "G", **changes: object) -> GameRecord:
    deal, seating = divmod(game, 6)
    letters = SEATINGS[seating]
    values: dict[str, object] = {
        "game": game,
        "deal": deal,
        "group": ("a", "b"),
        "seating": letters,
        "seats": tuple(letter.lower() for letter in letters),
        "declarer": declarer,
        "contract": None if declarer is None else contract,
        "bid": 0 if declarer is None else 18,
        "end": "passed_in" if declarer is None else "played",
        "won": score > 0,
        "overbid": False,
        "matadors": 0,
        "value": abs(score),
        "score": score,
        "points": 61,
        "schneider": False,
        "schwarz": False,
        "list_points": list_points(score, declarer),
        "decisions": (10, 10, 10),
        "ms": (1.0, 2.0, 3.0),
        "line": "",
    }
    return GameRecord(**{**values, **changes})  # type: ignore[arg-type]


def _deal(deal: int, games: list[tuple[int | None, int]]) -> list[GameRecord]:
    return [_row(6 * deal + i, declarer, score) for i, (declarer, score) in enumerate(games)]


# ABB BAB BBA BAA ABA AAB. Forehand declares every time and wins 48 if it is A, else loses 48.
ONE = _deal(0, [(0, 48), (0, -96), (0, -96), (0, -96), (0, 48), (0, 48)])


def test_difference_by_hand() -> None:
    # A: declares and wins three times: 3·98. It defends against a loss once in BAB, once in BBA, twice in BAA: 4·40.
    # B: loses three times: 3·(-146), defends against a loss beside A in BAB and BBA: 2·40. Nine seat-deals each.
    a, b = 3 * 98 + 4 * 40, 3 * -146 + 2 * 40
    assert deal_differences(ONE, "a", "b") == {0: pytest.approx((a - b) / 9)}


def test_equal_play_is_exactly_zero() -> None:
    same: list[tuple[int | None, int]] = [(1, -48)] * 6
    assert deal_differences(_deal(0, same), "a", "b") == {0: 0.0}


def test_pair_interval_takes_deals_as_the_unit() -> None:
    records = ONE + _deal(1, [(None, 0)] * 6)
    (pair,) = summarise(records, ["a", "b"]).pairs
    d = deal_differences(ONE, "a", "b")[0]
    assert pair.difference.n == 2
    assert pair.difference.mean == pytest.approx(d / 2)
    assert pair.difference.half == pytest.approx(12.7062 * d / math.sqrt(2) / math.sqrt(2), rel=1e-5)
    assert pair.by_deal == {0: pytest.approx(d), 1: 0.0}


def test_agent_figures_by_hand() -> None:
    summary = summarise(ONE + _deal(1, [(None, 0)] * 6), ["a", "b"])
    a, b = summary.agents
    assert (a.name, b.name) == ("a", "b")  # the better one first
    assert a.seat_deals == 18
    assert a.points.mean == pytest.approx((3 * 98 + 4 * 40) / 9 / 2)
    assert (a.declared.hits, a.declared.n) == (3, 18)
    assert (a.won.hits, a.won.n, b.won.hits, b.won.n) == (3, 3, 0, 3)
    assert (a.kinds["grand"].hits, a.kinds["grand"].n) == (3, 3)
    assert a.contracts == {"G": 3}
    assert a.by_seat == (3, 0, 0)
    assert a.decisions == 180
    # A sat three times in each seat and deal: (1 + 2 + 3)·3 ms for 90 decisions
    assert a.ms == pytest.approx(18 / 90)
    assert (summary.passed_in.hits, summary.passed_in.n) == (6, 12)
    assert (summary.games, summary.left_out) == (12, 0)


def test_contracts_are_sorted_into_kinds() -> None:
    names = ["D", "HS", "NOH", "NO", "CO", "GH"]
    records = [_row(i, SEATINGS[i].index("A"), 48, contract=name) for i, name in enumerate(names)]
    a = next(agent for agent in summarise(records, ["a", "b"]).agents if agent.name == "a")
    assert {kind: share.hits for kind, share in a.kinds.items()} == {"suit": 3, "grand": 1, "null": 2}
    assert (a.hand.hits, a.hand.n) == (
        3,
        6,
    )  # NOH, CO (ouvert implies hand), GH; "HS" would need the hand, as written it has none


def test_incomplete_deals_do_not_count() -> None:
    records = ONE + _deal(1, [(0, 48)] * 6)[:5]
    assert complete_records(records) == ONE
    summary = summarise(records, ["a", "b"])
    assert (summary.games, summary.left_out) == (6, 5)
    assert summary.pairs[0].difference.n == 1


def test_nothing_at_all() -> None:
    summary = summarise([], ["a", "b"])
    assert (summary.agents, summary.pairs, summary.flags) == ((), (), ())


def test_flags_need_evidence() -> None:
    few = summarise(ONE, ["a", "b"]).flags
    assert not any(flag.band == HUMAN_BANDS["passed_in"] for flag in few)
    many = [record for deal in range(20) for record in _deal(deal, [(None, 0)] * 6)]
    (flag, *_) = summarise(many, ["a", "b"]).flags
    assert str(flag) == "all tables: passed in 100.0 %, people 2–5 %"


def test_games_on_one_deal_are_one_piece_of_evidence() -> None:
    """All six games on 3 of 20 deals are passed in: as if of 20 games; 6 · 20 independent ones would leave the band of 2–5 %."""
    records = [r for deal in range(20) for r in _deal(deal, [(None, 0) if deal < 3 else (0, 48)] * 6)]
    summary = summarise(records, ["a", "b"])
    # V = 20/19·(3·5.1² + 17·0.9²) / 120², p·(1 - p)/119 = 0.1275/119
    variance = 20 / 19 * (3 * 5.1**2 + 17 * 0.9**2) / 120**2
    assert summary.passed_in.effective == pytest.approx(120 * 0.1275 / 119 / variance)
    assert summary.passed_in.interval.low == pytest.approx(5.2, abs=0.2)
    # Of the same cards twenty times there is one piece of evidence only.
    same = summarise(records, ["a", "b"], facts=DealFacts(cards=[0] * 20))
    assert same.passed_in.effective == 1.0


def test_shares_hold_the_truth_by_simulation() -> None:
    """Sixty deals of six games, of which all or none end early: 95 % of the intervals hold the truth."""
    rng, held = Rng(8).numpy(), 0
    for _ in range(200):
        out = rng.random(60) < 0.2
        share = summarise([_row(i, None if out[i // 6] else 0, 48) for i in range(360)], ["a", "b"]).passed_in
        held += share.interval.low <= 20 <= share.interval.high
    assert held >= 178


def test_order_of_records_does_not_matter() -> None:
    records = ONE + _deal(1, [(2, 96), (1, 48), (None, 0), (0, -48), (1, 20), (2, 22)])
    assert summarise(records[::-1], ["a", "b"]) == summarise(records, ["a", "b"])


def test_record_round_trip() -> None:
    assert GameRecord.from_json(ONE[1].to_json()) == ONE[1]


def test_designs_are_balanced() -> None:
    assert PAIR_SIX.members == "AB"
    assert PAIR_SIX.groups(3) == [(0, 1), (0, 2), (1, 2)]
    assert PAIR_SIX.seats((4, 7), 1) == (7, 4, 7)
    assert DESIGNS["field-six"].groups(4) == [(0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert DESIGNS["field-six"].pairs(("x", "y", "z")) == [("x", "y")]
    assert len(DESIGNS["three-six"].pairs(("x", "y", "z"))) == 3
    with pytest.raises(SkatError, match="no seat design 'round'; there are pair-six"):
        design_named("round")
    with pytest.raises(SkatError, match="equally often"):
        SeatDesign("lame", ("ABB", "BAB"))
    with pytest.raises(SkatError, match="three letters"):
        SeatDesign("short", ("AB",))
