"""The traps of the rule text (section 8) that belong to the core: input, right answer. One test each, in their order."""

import random
from typing import Any

import pytest

from skatai.auction import is_legal_bid
from skatai.cards import Card, CardSet, parse_card
from skatai.contract import Contract
from skatai.deal import Deal
from skatai.errors import IllegalActionError, NotationError
from skatai.game import Game
from skatai.kernels.moves import legal_cards, trick_winner
from skatai.rules import Rules
from skatai.scoring import SeegerFabianList, list_points, matadors, score_game
from skatai.seats import next_dealer, sitting_out, table_seats

D, H, S, C, G, N = range(6)


def wins(game: int, trick: str) -> str:
    cards = [Card.parse(word) for word in trick.split()]
    return str(cards[trick_winner(game, *cards)])


def playable(game: int, hand: str, led: str) -> str:
    return str(CardSet(int(legal_cards(CardSet.parse(hand).mask, game, Card.parse(led)))))


def score(contract: str, n: int, points: int, own_tricks: int, bid: int = 18, **rules: Any) -> int:
    return score_game(Contract.parse(contract), n, points, own_tricks, 10 - own_tricks, bid, Rules(**rules)).score


def deal(hands: list[str], skat: str = "") -> Deal:
    """A deal that begins with these cards; the rest lie anywhere."""
    sets = [CardSet.parse(text) for text in (*hands, *[""] * (3 - len(hands)), skat)]
    free = [card for card in range(32) if not any(card in cards for cards in sets)]
    random.Random(1).shuffle(free)
    for i, size in enumerate((10, 10, 10, 2)):
        while len(sets[i]) < size:
            sets[i] |= CardSet.of([free.pop()])
    return Deal((sets[0], sets[1], sets[2]), sets[3])


def game_of(contract: str, hands: list[str], skat: str = "", **rules: Any) -> Game:
    """Forehand plays ``contract`` at 18; after a pick-up he puts the skat away again."""
    game = Game(deal(hands, skat), rules=Rules(**rules)).play("p").play("p").play("18")
    if not Contract.parse(contract).hand:
        game.play("pick up")
        for card in list(game.deal.skat):
            game.play(card)
    return game.play(f"declare {contract}")


def test_01_ten_and_king() -> None:
    for game in (D, H, S, C, G):
        assert wins(game, "ST SK H7") == ("ST" if game != H else "H7")
    assert wins(G, "SK ST D9") == "ST"
    assert wins(N, "ST SK H7") == "SK"


def test_02_following_in_hearts() -> None:
    hand = "CJ SA S7 H9 D8"
    assert playable(H, hand, "S8") == "SA S7"
    assert playable(H, hand, "C8") == str(CardSet.parse(hand))


def test_03_the_jack_of_clubs_is_forced() -> None:
    assert playable(C, "CJ SA H9", "C8") == "CJ"


def test_04_jacks_in_grand() -> None:
    assert playable(G, "HA HT DJ C7", "HJ") == "DJ"
    assert playable(G, "HA HT DJ C7", "H9") == "HA HT"


def test_05_a_jack_is_a_heart_in_null() -> None:
    assert playable(N, "HJ C7 S8", "HA") == "HJ"


def test_06_trumps_and_discards() -> None:
    assert wins(H, "SA H7 ST") == "H7"
    assert wins(N, "D7 CA SA") == "D7"


def test_07_forehand_leads() -> None:
    game = Game(Deal.random(1)).play("p").play("18").play("p").play("declare GH")
    assert game.declarer == 2 and game.to_move == 0


def test_08_a_jack_put_away_still_counts() -> None:
    game = (
        Game(deal(["CJ D7"], "C8 S8")).play("p").play("p").play("18").play("s").play("CJ").play("D7").play("declare G")
    )
    while not game.is_over:
        game.play(game.legal_actions[0])
    assert game.result.matadors > 0


def test_09_the_jack_in_the_skat_of_a_hand_game() -> None:
    """Hoped for without 2 or more; CJ in the skat makes it with 1."""
    assert matadors(C, CardSet.parse("HJ DJ CA CT CK SA S7 H7 D7 D8")) == -2
    assert matadors(C, CardSet.parse("HJ DJ CA CT CK SA S7 H7 D7 D8 CJ D9")) == 1
    assert score("CH", 1, 74, 7, 46) == -96 and score("CH", 1, 95, 8, 46) == 48
    game = game_of("CH", ["HJ DJ CA CT CK SA S7 H7 D7 D8"], "CJ D9")
    while not game.is_over:
        game.play(game.legal_actions[0])
    assert game.result.matadors == 1


def test_10_without() -> None:
    assert matadors(H, CardSet.parse("HJ HA")) == -2
    assert matadors(H, CardSet.parse("HT HK")) == -5


def test_11_grand_has_four_matadors() -> None:
    assert matadors(G, CardSet.parse("CJ SJ HJ DJ CA SA HA DA CT ST HT DT")) == 4


def test_12_schneider() -> None:
    assert score("D", 1, 90, 8) == 27 and score("D", 1, 89, 8) == 18
    assert score("D", 1, 30, 3) == -54 and score("D", 1, 31, 3) == -36


def test_13_a_trick_without_points() -> None:
    assert score("D", 1, 120, 9) == 27
    assert score("DHZ", 1, 120, 9) == -2 * 9 * 7


def test_14_no_trick_but_a_fat_skat() -> None:
    assert score("D", 1, 22, 0) == -2 * 9 * 4


def test_15_to_17_announcements() -> None:
    assert score("GHS", 4, 89, 8) == -384
    assert score("GHS", 1, 20, 3) == -2 * 24 * 5 and score("GHS", 1, 20, 0) == -2 * 24 * 6
    assert score("GHS", 1, 120, 10) == 24 * 6


def test_18_ouvert() -> None:
    assert score("CO", 2, 120, 10) == 108
    game = Game(Deal.random(1)).play("p").play("p").play("18").play("s")
    game.play(game.legal_actions[0]).play(game.legal_actions[0])
    assert "declare NO" in game.legal_action_names
    with pytest.raises(IllegalActionError, match="'declare CO' is not legal"):
        game.play("declare CO")


@pytest.mark.parametrize(
    ("number", "contract", "n", "points", "tricks", "bid", "expected"),
    [
        (19, "H", 1, 61, 6, 20, 20),
        (20, "H", 3, 75, 7, 48, -100),
        (21, "C", 1, 75, 7, 30, -72),
        (21, "C", 1, 92, 8, 30, 36),
        (22, "D", 1, 15, 0, 20, -72),
        (23, "G", 1, 75, 7, 50, -144),
        (26, "DH", 1, 50, 5, 18, -54),
        (35, "D", 1, 60, 5, 18, -36),
    ],
)
def test_19_to_35_scores(number: int, contract: str, n: int, points: int, tricks: int, bid: int, expected: int) -> None:
    assert score(contract, n, points, tricks, bid) == expected


def test_24_null_after_24() -> None:
    for rules, legal in ((Rules(), False), (Rules(null_overbid="multiple"), True)):
        game = Game(Deal.random(1), rules=rules).play("24").play("p").play("p").play("s")
        game.play(game.legal_actions[0]).play(game.legal_actions[0])
        assert ("declare N" in game.legal_action_names) == legal
    assert score("N", 0, 0, 0, 24, null_overbid="multiple") == -92


def test_27_the_ladder() -> None:
    assert not any(is_legal_bid(value, 18) for value in (25, 26, 28, 171, 200, 220))
    assert all(is_legal_bid(value, 18) for value in (168, 187, 204))


def calls(text: str) -> Game:
    game = Game(Deal.random(1))
    for call in text.split():
        game.play(call)
    return game


def test_28_to_30_the_auction() -> None:
    assert calls("18 p p").declarer == 1
    assert calls("p p").to_move == 0 and calls("p p").legal_action_names == ["pass", "bid 18"]
    with pytest.raises(IllegalActionError):
        calls("18 y p 18")
    with pytest.raises(IllegalActionError):
        calls("18 p 18")
    assert calls("24 y p p").bid == 24 and calls("24 y p p").declarer == 0


def test_31_passed_in() -> None:
    assert calls("p p p").result.passed_in and calls("p p p").result.list_points == (0, 0, 0)
    assert [next_dealer(3, dealer) for dealer in range(3)] == [1, 2, 0]


def test_32_and_33_lists() -> None:
    assert list_points(-48, 0, 4) == (-98, 30, 30, 30) and list_points(-48, 0) == (-98, 40, 40)
    assert list_points(-92, 0)[0] == -142
    sheet = SeegerFabianList(4)
    sheet.add(0, -92)
    assert sheet.totals == [-142, 30, 30, 30]
    assert table_seats(4, 3) == (0, 1, 2) and sitting_out(4, 3) == 3


STRONG = "CJ SJ HJ DJ CA CT CK CQ C9 C8"


def test_34_play_on_with_61() -> None:
    game = game_of("G", [STRONG, "SA ST SK SQ S9 S8 S7 HA HT HK"], "DA DT")
    while int(game.points[0]) + 21 < 61:
        game.play(game.legal_actions[-1])
    assert not game.is_over and game.phase == "play"


def test_36_null_ends_with_the_first_trick() -> None:
    game = game_of("NH", ["D7 D8 D9 H7 H8 H9 S7 S8 S9 CA"])
    low = ("D7", "D8", "D9", "H7", "H8", "H9", "S7", "S8")
    for _ in range(100):
        if game.is_over:
            break
        mine = [card for card in low if f"play {card}" in game.legal_action_names]
        game.play(mine[0] if game.to_move == 0 and mine else game.legal_actions[-1])
    assert game.is_over and not game.result.won and game.result.tricks[0] == 1
    assert game.result.end_reason in ("decided", "played")


def test_39_and_40_claims() -> None:
    """A defender must take all tricks alone; CJ HA do not hold against HJ H7 in hearts."""
    game = game_of("C", ["CJ SJ HJ CA CT CK CQ C9 C8 C7", "SA ST SK SQ S9 S8 S7 HA HT HK"], claims="reject")
    game.event("claim", 1)
    assert not game.is_over and not game.result
    trumps = "CJ HA HT HK HQ H9 H8 SA ST SK"
    game = game_of("HH", [trumps, "HJ H7 S9 S8 S7 C7 C8 C9 D7 D8"], claims="reject")
    game.event("claim", 0)
    assert not game.is_over


def test_41_eight_cards_need_consent() -> None:
    game = game_of("C", [STRONG], concede_policy="isko")
    while len(game.hands[0]) > 8:
        game.play(next(name for name in game.legal_action_names if name.startswith("play ")))
    game.event("concede", 0)
    assert game.phase == "answer" and not game.is_over


def test_42_the_suit_comes_first() -> None:
    with pytest.raises(NotationError):
        parse_card("CD")
    assert str(parse_card("DQ")) == "DQ" and str(parse_card("KrD", "french_de")) == "CQ"
    assert str(parse_card("KaD", "french_de")) == "DQ"


def test_43_secrets() -> None:
    game = game_of("C", [STRONG], "S7 H7")
    for seat in (1, 2):
        view = game.view(seat)
        assert view.skat is None and not view.discards and not view.state["dealt"][0] and not view.state["hands"][0]
    assert game.view(0).skat == game.skat and game.view(0).discards == game.skat
    game = game_of("CH", [STRONG], "S7 H7")
    assert game.view(0).skat is None
