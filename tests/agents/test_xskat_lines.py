"""XSkat's games from logs of ten deals; a stand-in takes the program's place."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import pytest

from skatai.actions import PASS
from skatai.arena.phases import RecordedBidder
from skatai.bidding.recorded import recorded_decisions
from skatai.deal import Deal, read_deals
from skatai.errors import RecordError, SkatError
from skatai.game import Game
from skatai.records import GameOutcome, read_records
from skatai.rng import Rng
from skatai_agents.rule import RuleAgent
from skatai_agents.xskat_lines import lines_bidder, reference_games
from skatai_agents.xskat_lines import program as program_module
from skatai_agents.xskat_lines.__main__ import main
from skatai_agents.xskat_lines.auction import NOBODY, Limits, auction, auctions_of, weak_limits
from skatai_agents.xskat_lines.compare import compare
from skatai_agents.xskat_lines.games import games_of_logs, read_games, write_games
from skatai_agents.xskat_lines.log import parse_log
from skatai_agents.xskat_lines.program import find_xskat, game_file, run_xskat

DATA = Path(__file__).parents[1] / "data" / "xskat"
LOGS = [(DATA / f"{name}.log").read_text(encoding="ascii") for name in ("plain", "weak1", "weak2", "weak3")]
# The seat that declares, bid, contract, card points, won, as the plain log tells
OUTCOMES = [
    (2, 18, "D", 91, True),
    (1, 18, "C", 53, False),
    (0, 18, "GH", 65, True),
    (0, 18, "G", 103, True),
    (None, 0, None, 0, False),
    (2, 20, "NH", None, True),
    (1, 20, "NOH", None, True),
    (2, 18, "CH", 94, True),
    (1, 48, "NOH", None, True),
    (2, 20, "NH", None, False),
]
STAND_IN = """#!{python}
import shutil, sys
words = sys.argv[1:]
weak = next((w[2] for w in words if w in ("-s1", "-s2", "-s3")), None)
assert words[words.index("-auto") + 1] == "10" and open(words[words.index("-game") + 1]).read() == open({games!r}).read()
shutil.copy({folder!r} + ("/plain.log" if weak is None else f"/weak{{weak}}.log"), words[words.index("-log") + 1])
"""


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return read_deals(DATA / "deals.txt")


@pytest.fixture(scope="module")
def games(deals: list[Deal]) -> list[Game]:
    return games_of_logs(deals, LOGS[0], LOGS[1:])


@pytest.fixture
def stand_in(tmp_path: Path, deals: list[Deal], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program ``xskat`` that knows the ten deals only; the first one found."""
    (tmp_path / "expected").write_text(game_file(deals), encoding="ascii")
    script = tmp_path / "xskat"
    games = str(tmp_path / "expected")
    script.write_text(STAND_IN.format(python=sys.executable, games=games, folder=str(DATA)), encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return script


@pytest.fixture
def no_xskat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(program_module, "_FOLDERS", str(tmp_path))


# -- the auction --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "calls", "outcome"),
    [
        ((0, 0, 0), "pass pass pass", NOBODY),
        ((17, 0, 0), "pass pass bid_18", (0, 18)),
        ((17, 17, 0), "bid_18 pass pass", (1, 18)),  # who only names 18 does not hold it
        ((18, 17, 0), "bid_18 hold pass pass", (0, 18)),
        ((0, 18, 17), "bid_18 pass pass", (1, 18)),  # 20 is more than rearhand would name
        ((20, 0, 18), "pass bid_18 hold pass", (0, 18)),
        ((20, 24, 22), "bid_18 hold bid_20 hold bid_22 pass pass", (1, 22)),  # rearhand does not name 23
        ((23, 22, 33), "bid_18 hold bid_20 hold bid_22 hold pass bid_23 hold bid_24 pass", (2, 24)),
    ],
)
def test_auction_by_hand(limits: Limits, calls: str, outcome: tuple[int | None, int]) -> None:
    assert auction(limits) == (tuple(call.replace("_", " ") for call in calls.split()), outcome)


def test_auctions_are_legal_and_end_as_told() -> None:
    deal = Deal.random(1)
    for limits in product((0, 17, 18, 20, 23, 24, 60), repeat=3):
        calls, (declarer, bid) = auction((limits[0], limits[1], limits[2]))
        game = Game(deal)
        for call in calls:
            game.play(call)
        assert game.phase == ("over" if declarer is None else "skat"), limits
        assert (game.declarer, game.bid if declarer is not None else 0) == (declarer, bid), limits


def test_auction_is_found_again() -> None:
    """Whatever the limits and whatever a weakened player makes of his, the true auction is among those found."""
    for limits in product((0, 17, 18, 22, 33), repeat=3):
        mine: Limits = (limits[0], limits[1], limits[2])
        calls, outcome = auction(mine)
        weakened = []
        for seat in range(3):
            changed = list(mine)
            changed[seat] = weak_limits(mine[seat])[-1]
            weakened.append(auction((changed[0], changed[1], changed[2]))[1])
        assert calls in auctions_of(outcome, (weakened[0], weakened[1], weakened[2]))


# -- logs ---------------------------------------------------------------------------------------------------------------


def test_outcomes(games: list[Game]) -> None:
    found = []
    for game in games:
        result = game.result
        assert result is not None
        contract = None if result.contract is None else str(result.contract)
        points = None if contract is not None and contract[0] == "N" else result.points
        found.append((result.declarer, result.bid, contract, points, result.won))
    assert found == OUTCOMES


def test_first_game_card_by_card(games: list[Game]) -> None:
    """Read off the log by hand: Computer2 deals, so that Computer3 is forehand; nobody but Computer2 bids."""
    names = [name for _, name in games[0].history]
    assert names[:4] == ["pass", "bid 18", "pass", "pick up"]
    assert str(games[0].discards) == "CT H7"
    assert [str(card) for _, card in games[0].plays[:6]] == ["HA", "H9", "DQ", "SJ", "D7", "HJ"]
    assert [seat for seat, _ in games[0].plays[:6]] == [0, 1, 2, 2, 0, 1]


def test_lost_null_ends_at_once(games: list[Game]) -> None:
    assert len(games[9].plays) == 15


def test_log_of_other_deals_is_refused(deals: list[Deal]) -> None:
    with pytest.raises(RecordError, match="XSkat's game 1: "):
        games_of_logs([deals[1], deals[0], *deals[2:]], LOGS[0], LOGS[1:])
    with pytest.raises(RecordError, match="10 games on 9 deals"):
        games_of_logs(deals[:9], LOGS[0], LOGS[1:])


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("Won with: 91 points", "Won with: 92 points", "game 1: .*91"),
        ("Last bid: 18", "Last bid: 20", "game 1: 0 auctions"),
        ("Last bid: 18\n", "", "game 1: expected the skat, the last bid"),
        ("Heart_A", "Heart_K", "game 1: "),
        ("Played Hand", "Played Revolution", "game 3: played 'Revolution'"),
        ("=" * 40, "", "9 games on 10 deals"),
    ],
)
def test_spoilt_logs(deals: list[Deal], old: str, new: str, complaint: str) -> None:
    assert old in LOGS[0]
    with pytest.raises(RecordError, match=complaint):
        games_of_logs(deals, LOGS[0].replace(old, new, 1), LOGS[1:])


def test_cut_log() -> None:
    with pytest.raises(RecordError, match="expected a line of ="):
        list(parse_log(LOGS[0][:5000]))


# -- the program --------------------------------------------------------------------------------------------------------


def test_game_file_by_hand() -> None:
    """Forehand is 3, middlehand 1, rearhand 2, the skat 0; ace, ten, king, queen, jack, nine, eight, seven."""
    deal = Deal.parse("DA.DT.DK.DQ.DJ.D9.D8.D7.HA.HT|HK.HQ.HJ.H9.H8.H7.SA.ST.SK.SQ|SJ.S9.S8.S7.CA.CT.CK.CQ.CJ.C9|C8.C7")
    rows = ["3 3 3 3 3 3 3 3", "3 3 1 1 1 1 1 1", "1 1 1 1 2 2 2 2", "2 2 2 2 2 2 0 0"]
    assert game_file([deal]) == "\n".join(rows) + "\n"


def test_reference_games(stand_in: Path, deals: list[Deal], games: list[Game]) -> None:
    assert find_xskat() == stand_in
    assert reference_games(deals) == games
    assert reference_games([]) == []


def test_no_program(no_xskat: None, deals: list[Deal], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SkatError, match="apt-get install xskat"):
        reference_games(deals)
    assert main(["rule", "--deals", "5"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("xskat_lines: no program xskat on PATH") and error.count("\n") == 1


def test_program_that_fails(tmp_path: Path, deals: list[Deal]) -> None:
    script = tmp_path / "broken"
    script.write_text("#!/bin/sh\necho no such option >&2\nexit 3\n", encoding="utf-8")
    script.chmod(0o755)
    with pytest.raises(SkatError, match="ended with code 3 and no log; it said: no such option"):
        run_xskat(deals, program=script)
    with pytest.raises(SkatError, match="cannot be started"):
        run_xskat(deals, program=tmp_path / "nothing")


# -- comparison ---------------------------------------------------------------------------------------------------------


def test_records_round_trip(tmp_path: Path, games: list[Game]) -> None:
    assert read_games(write_games(tmp_path / "games.sgf", games)) == games
    bidder = RecordedBidder.read(tmp_path / "games.sgf")
    assert set(bidder.games) == {game.deal for game in games if game.contract is not None}


def test_records_are_those_of_a_program(tmp_path: Path, games: list[Game]) -> None:
    for outcome in read_records(write_games(tmp_path / "games.sgf", games)):
        assert isinstance(outcome, GameOutcome)
        assert outcome.record.bots == (True, True, True)
        assert list(recorded_decisions(outcome)) == []


def test_help_says_what_cannot_be_continued(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    assert "with --games an earlier run" in " ".join(capsys.readouterr().out.replace("│", " ").split())


def test_xskat_against_itself(games: list[Game]) -> None:
    found = compare(games, lines_bidder(games))
    assert (found.points.mean, found.declarer.mean, found.declared.mean) == (0.0, 0.0, 0.0)
    assert found.xskat == found.own
    assert (found.same_declarer.hits, found.same_declarer.n) == (10, 10)
    assert (found.same_contract.hits, found.same_contract.n) == (9, 9)
    assert found.calls is None  # it sees all cards
    assert (found.own.declared.hits, found.own.won.hits, found.own.won.n) == (9, 7, 9)
    # by hand from the results: declarers 86 - 98 + 122 + 122 + 0 + 85 + 109 + 110 + 109 - 120; defenders twice 2·40
    assert found.own.declarer.mean == pytest.approx(525 / 10)
    assert found.own.points.mean == pytest.approx((525 + 160) / 30)


def test_calls_of_the_rule_agent(games: list[Game]) -> None:
    found = compare(games, "rule", seed=3)
    agent, same, n = RuleAgent(), 0, 0
    for game in games:
        twin = Game(game.deal)
        for action in game.actions:
            if twin.phase != "auction":
                break
            if len(twin.legal_actions) > 1:
                assert twin.to_move is not None
                n += 1
                same += (agent.act(twin.view(twin.to_move), Rng(0)) == PASS) == (action == PASS)
            twin.play(action)
    assert found.calls is not None
    assert (found.calls.hits, found.calls.n) == (same, n)
    assert found.points.mean == pytest.approx(found.own.points.mean - found.xskat.points.mean)


def test_contracts_only(games: list[Game]) -> None:
    found = compare(games, "rule", mode="cards")
    assert (found.same_contract.hits, found.declared.mean, found.calls) == (9, 0.0, None)
    assert found.agent == "rule"


def test_a_deal_counts_once(games: list[Game]) -> None:
    assert compare([*games, *games], lines_bidder(games)).points.n == 10


def test_command(stand_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = str(tmp_path / "saved.sgf")
    assert main(["rule", "--deals", str(DATA / "deals.txt"), "--save", saved]) == 0
    first = capsys.readouterr().out
    assert main(["rule", "--games", saved, "--out", str(tmp_path / "out")]) == 0
    again = capsys.readouterr().out
    assert "XSkat and rule on 10 deals" in first
    assert first.split("\n", 1)[1] == again
    assert len((tmp_path / "out" / "1" / "games.jsonl").read_text(encoding="utf-8").splitlines()) == 21


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        ([], "nothing to do"),
        (["rule", "--deals", "0"], "--deals 0: expected at least 1"),
        (["rule", "--deals=-1"], "--deals -1: expected at least 1"),
        (["rule", "--deals", "²"], "²: cannot read deals"),
        (["rule", "--mode", "bidding"], "--mode bidding: expected one of full, cards"),
        (["rule", "--games", "nothing.sgf"], "nothing.sgf"),
        (["rule", "--games", "nothing.sgf", "--deals", "5"], "--deals 5 beside --games"),
        (["rule", "--workers", "x"], "--workers"),
        (["rule", "--workers", "0"], "--workers 0: expected at least 1"),
        (["rule", "--save", "nowhere/games.sgf"], "nowhere/games.sgf: cannot be written"),
    ],
)
def test_bad_arguments(argv: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert complaint in error and error.count("\n") == 1
