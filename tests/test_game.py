import json
import pickle
import random
from typing import Any

import pytest

from skatai.cards import Card
from skatai.deal import Deal
from skatai.errors import IllegalActionError, InvalidDealError, NotationError, SkatError
from skatai.game import END_REASONS, Game, Result
from skatai.kernels.events import EVENTS
from skatai.rules import Rules
from skatai.scoring import list_points
from tests.driver import ALL_RULES, END_CODES, choose_action, choose_event, play_both, result_of, scaled
from tests.naive import NaiveGame


def random_game(rng: random.Random, odds: float = 0.05) -> tuple[Game, list[bytes]]:
    """A random game with events, and the bytes of its state after every step."""
    rules = rng.choice(ALL_RULES)
    game = Game(Deal.random(rng.getrandbits(50)), rng.randrange(3), Rules(**rules))
    twin = NaiveGame([set(map(str, hand)) for hand in game.deal.hands], set(map(str, game.deal.skat)), rules)
    states = [game.state.tobytes()]
    while not game.is_over:
        event = choose_event(twin, rng, odds)
        if event:
            game.event(*event)
            twin.event(*event)
        else:
            name = choose_action(twin, rng)
            game.play(name)
            twin.act(name)
        states.append(game.state.tobytes())
    assert result_of(game.state) == twin.result
    return game, states


def test_undo_returns_the_very_state() -> None:
    rng = random.Random(51)
    for _ in range(scaled(60)):
        game, states = random_game(rng)
        assert len(game.history) == len(states) - 1
        for expected in reversed(states):
            assert game.state.tobytes() == expected
            if game.history:
                game.undo()
        with pytest.raises(IllegalActionError, match="nothing to take back"):
            game.undo()
        assert game.phase == "auction" and game.history == []


def test_undo_and_play_again() -> None:
    rng = random.Random(52)
    game, states = random_game(rng, 0.0)
    actions = game.actions
    for _ in range(10):
        game.undo()
    for action in actions[-10:]:
        game.play(action)
    assert game.state.tobytes() == states[-1] and game.actions == actions


def test_copies_are_independent() -> None:
    """Taking back and playing on in one copy leaves the others, and what they take back to, as they were."""
    rng = random.Random(57)
    game, states = random_game(rng, 0.0)
    for _ in range(12):
        game.undo()
    copy = game.copy()
    for _ in range(5):
        game.undo()
    while not game.is_over:
        game.play(rng.choice(game.legal_actions))
    for expected in reversed(states[:-12]):
        assert copy.state.tobytes() == expected
        if copy.history:
            copy.undo()


def test_positions_round_trip_everywhere() -> None:
    """Text, JSON, pickle and copy of games cut off at any moment, events included."""
    rng = random.Random(53)
    for _ in range(scaled(60)):
        game, _ = random_game(rng)
        back = rng.randint(0, len(game.history))
        for _ in range(back if rng.random() < 0.7 else 0):
            game.undo()
        line = str(game)
        assert "\n" not in line and len(line.split(" ")) == 7
        for twin in (Game.parse(line), Game.from_json(game.to_json()), pickle.loads(pickle.dumps(game)), game.copy()):
            assert str(twin) == line and twin == game
            assert twin.state.tobytes() == game.state.tobytes()
            assert twin.history == game.history or {n for _, n in game.history} & {
                "concede",
                "claim",
                "accept",
                "play on",
            }
            assert twin.result == game.result
            while twin.history:
                twin.undo()
        assert str(game) == line


def test_events_in_the_line() -> None:
    """Concessions, answers and claims stand among the cards, whether they came in turn or not."""
    game = Game(Deal.random(7), rules=Rules.table()).play("18").play("p").play("p").play("declare GH")
    game.event("concede", 2).play("play on").play(game.legal_actions[0]).play("claim").event("leave", 0)
    fields = str(game).split(" ")
    card = next(name for _, name in game.history if name.startswith("play ") and name != "play on")[5:]
    assert fields[5] == f"concede@2,play_on@1,{card},claim@1,leave@0"
    assert Game.parse(str(game)).state.tobytes() == game.state.tobytes()
    assert game.result.end_reason == "left" and game.result.won


def test_json_has_the_main_figures() -> None:
    game, _ = random_game(random.Random(54))
    data = json.loads(game.to_json())
    assert data["game"] == str(game) and data["end_reason"] == game.result.end_reason
    assert data["score"] == game.result.score and tuple(data["list_points"]) == game.result.list_points
    assert "score" not in json.loads(Game(Deal.random(1)).to_json())


def test_results_agree_with_the_record() -> None:
    rng = random.Random(55)
    for _ in range(scaled(150)):
        game, _ = random_game(rng)
        result, raw = game.result, result_of(game.state)
        assert isinstance(result, Result) and result.end_reason == raw["end"]
        assert result.passed_in == (raw["end"] == "passed_in")
        if "score" not in raw:
            assert result.contract is None and result.score == 0 and result.list_points == (0, 0, 0)
            assert result.reckoning == "" and str(result) == raw["end"].replace("_", " ")
            continue
        assert (result.won, result.overbid, result.value, result.score) == tuple(
            raw[name] for name in ("won", "overbid", "value", "score")
        )
        assert (result.points, result.tricks, result.matadors) == (raw["points"], raw["tricks"], raw["matadors"])
        assert (result.schneider, result.schwarz) == (raw["schneider"], raw["schwarz"])
        assert result.list_points == list_points(result.score, result.declarer)
        assert ("won" in str(result)) == result.won and f"score {result.score:+d}" in str(result)
        if result.contract.game != 5 and not result.overbid:
            assert result.reckoning.endswith(f"= {result.value}")
        if result.overbid:
            assert result.reckoning.endswith(f"overbid at {result.bid}: {result.value}")


def test_end_reasons_are_those_of_the_record() -> None:
    assert END_REASONS[: len(END_CODES)] == END_CODES


def test_reading_a_game() -> None:
    rng = random.Random(56)

    def check(state: Any, twin: NaiveGame) -> None:
        game.state = state
        assert [(seat, str(card)) for seat, card in game.plays] == twin.plays
        assert [[str(card) for _, card in trick] for trick in game.tricks] == [cards for _, cards in twin.tricks]
        if twin.phase in ("play", "answer"):
            assert [str(card) for _, card in game.trick] == twin.table
        assert game.points == tuple(twin.points_of(seat) for seat in range(3))
        assert [set(map(str, hand)) for hand in game.hands] == twin.hands
        assert set(map(str, game.discards)) == twin.away
        assert (game.phase, game.to_move, game.declarer) == (twin.phase, twin.to_move, twin.declarer)
        assert game.bid == twin.bid and (None if game.contract is None else str(game.contract)) == twin.contract
        assert set(game.legal_action_names) == twin.legal()
        assert game.legal_mask().sum() == len(twin.legal())
        assert game.rules == Rules(**twin.rules)

    for _ in range(scaled(40)):
        game = Game(Deal.random(1))
        play_both(rng, rng.choice(ALL_RULES), 0.05, check)


def test_dealer_and_players() -> None:
    assert Game(Deal.random(1)).players == (0, 1, 2)
    assert Game(Deal.random(1), dealer=0).players == (1, 2, 0)
    assert Game(Deal.random(1)).skat == Deal.random(1).skat
    with pytest.raises(SkatError, match="dealer 3: expected 0 … 2"):
        Game(Deal.random(1), dealer=3)


def test_actions_by_id_name_and_card() -> None:
    game = Game(Deal.random(7)).play(64).play("p").play("pass").play("s")
    first = game.deal.hands[1].printed_order()[0]
    game.play(Card(first)).play(str(game.deal.skat.printed_order()[0]))
    assert game.phase == "declare"
    assert "phase=declare to_move=1 bid=18" in repr(game)
    assert game.copy() == game and game != 3


def illegal(game: Game, action: Any) -> str:
    with pytest.raises(IllegalActionError) as caught:
        game.play(action)
    return str(caught.value)


def test_illegal_actions_say_what_is_legal() -> None:
    game = Game(Deal.random(7))
    assert illegal(game, "hold") == (
        "'hold' is not legal for middlehand in auction; legal: pass, bid 18, bid 20, bid 22, bid 23, bid 24, bid 27, "
        "bid 30, bid 33, bid 35, bid 36, bid 40, bid 44, bid 45, …"
    )
    assert illegal(game, 200) == illegal(game, 200) and "action 200 is not legal" in illegal(game, 200)
    for action in (-1, 136):
        assert f"action {action} is not legal" in illegal(game, action)
    game.play("pass").play("pass").play("pass")
    assert game.result.passed_in
    assert illegal(game, "bid 18") == "'bid 18': the deal is over"
    with pytest.raises(IllegalActionError, match="view of seat 3: expected 0 … 2"):
        game.view(3)


def test_impossible_events() -> None:
    game = Game(Deal.random(7))
    with pytest.raises(IllegalActionError, match=f"no event 'sleep'; there are {', '.join(EVENTS)}"):
        game.event("sleep", 0)
    with pytest.raises(IllegalActionError, match="claim by seat 1 is not possible in auction under rules -"):
        game.event("claim", 1)
    with pytest.raises(IllegalActionError, match="leave by seat 7: expected 0 … 2"):
        game.event("leave", 7)
    assert game.history == []


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda f: f[:-1], NotationError, "6 fields, expected 7"),
        (lambda f: [f[0], "4", *f[2:]], NotationError, "dealer '4', expected 0, 1 or 2"),
        (lambda f: [f[0], "x", *f[2:]], NotationError, "dealer 'x'"),
        (lambda f: [f[0][:-3], *f[1:]], InvalidDealError, "skat has 1 cards, expected 2"),
        (lambda f: [*f[:2], "17", *f[3:]], NotationError, "17 is not a bid"),
        (lambda f: [*f[:2], "y", *f[3:]], IllegalActionError, "'hold' is not legal for middlehand"),
        (lambda f: [*f[:3], "XX", *f[4:]], NotationError, "'XX' is not a card"),
        (lambda f: [*f[:4], "GS", *f[5:]], NotationError, "'GS' is not a contract"),
        (lambda f: [*f[:5], "claim@9", f[6]], NotationError, "'claim@9' is not event@seat"),
        (lambda f: [*f[:5], "sleep@1", f[6]], IllegalActionError, "no event 'sleep'"),
        (lambda f: [*f[:6], "x=1"], NotationError, "no switch 'x'"),
    ],
)
def test_bad_positions(change: Any, error: type[Exception], words: str) -> None:
    game = Game(Deal.random(7)).play("p").play("p").play("18")
    game.play("s").play(game.legal_actions[0]).play(game.legal_actions[0]).play("declare G")
    with pytest.raises(error, match=words):
        Game.parse(" ".join(change(str(game).split(" "))))


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", "null", '{"game": 3}', '{"game": null}', "nonsense"])
def test_bad_json(text: str) -> None:
    with pytest.raises(NotationError):
        Game.from_json(text)


def test_notebooks_get_a_picture() -> None:
    assert Game(Deal.random(1))._repr_html_().lstrip().startswith("<")
