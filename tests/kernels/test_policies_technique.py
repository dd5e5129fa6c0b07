"""What every Skat player knows, in single positions: the rule player knows it, too."""

from __future__ import annotations

import pytest

from skatai.cards import CardSet, parse_card
from skatai.contract import Contract
from skatai.deal import Deal
from skatai.game import Game
from skatai.kernels.action_ids import BID_VALUES, DECLARATION_FLAGS, DECLARATION_GAME, FIRST_DECLARATION, PICK_UP
from skatai.kernels.bits import ALL_CARDS
from skatai.kernels.moves import trick_winner
from skatai.kernels.policies import (
    best_discard,
    best_discard_and_contract,
    hand_strength,
    limit,
    rule_card,
    rule_discard,
    rule_skat,
)
from skatai.kernels.policies.bidding import sweeps
from skatai.rules import Rules

RULES = Rules().to_int()
CLUBS, GRAND, NULL = 3, 4, 5


def _mask(cards: str) -> int:
    return CardSet.parse(cards).mask


def _game(declarer: int, contract: str, seat: int, hand: str, plays: str, discards: str = "") -> Game:
    """A position with ``seat`` to move: its ten cards, the cards played; the cards nobody has seen are dealt in order."""
    played = [int(parse_card(text)) for text in plays.split()]
    hands = [0, 0, 0]
    hands[seat] = _mask(hand)
    away = _mask(discards) if discards else 0
    game_type = Contract.parse(contract).game
    leader, owner = 0, []
    for start in range(0, len(played), 3):
        trick = played[start : start + 3]
        owner += [(leader + i) % 3 for i in range(len(trick))]
        if len(trick) == 3:
            leader = (leader + int(trick_winner(game_type, *trick))) % 3
    for card, who in zip(played, owner, strict=True):
        hands[who] |= 1 << card
    rest = ALL_CARDS ^ hands[0] ^ hands[1] ^ hands[2] ^ away
    for who in range(3):
        while hands[who].bit_count() < 10:
            low = rest & -rest
            hands[who] |= low
            rest ^= low
    skat = away | rest
    game = Game(Deal.from_masks([*hands, skat]))
    bids = {0: ("bid 18", "hold", "pass", "pass"), 1: ("bid 18", "pass", "pass"), 2: ("pass", "bid 18", "pass")}[
        declarer
    ]
    for action in bids:
        game.play(action)
    if Contract.parse(contract).hand:
        game.play(f"declare {contract}")
    else:
        game.play("pick up")
        for card in CardSet(skat):
            game.play(f"put away {card}")
        game.play(f"declare {contract}")
    for card in played:
        game.play(f"play {CardSet(1 << card)}")
    assert game.to_move == seat
    return game


def _card(game: Game) -> str:
    assert game.to_move is not None
    return str(CardSet(1 << int(rule_card(game.state, game.to_move))))


CASES = [
    # declarer, contract, seat, his ten cards, plays, his discards, accepted cards
    pytest.param(0, "C", 0, "CJ SJ HJ CA CT C9 C8 DA H8 S7", "", "HQ S8", "CJ SJ HJ", id="declarer draws trumps"),
    pytest.param(
        0, "C", 2, "CJ SJ HJ DA DT D9 HA H9 S8 S7", "C7 CQ", "", "CJ SJ HJ", id="defender takes the last card"
    ),
    pytest.param(
        0, "C", 2, "DT DA D9 D8 HA H9 H8 SA S8 S7", "C7 CJ", "", "DT DA HA SA", id="smear on the partner's trick"
    ),
    pytest.param(
        0, "C", 2, "DT DA D9 D8 HT H9 H8 S9 S8 S7", "CJ C7", "", "D8 D9 H8 H9 S7 S8 S9", id="no gift to the declarer"
    ),
    pytest.param(
        2, "C", 2, "CJ SJ HJ CA CT C9 C8 H9 H8 S7", "DA DT", "D8 D9", "CA CT", id="trump a full trick with points"
    ),
    pytest.param(
        2, "C", 2, "CJ SJ HJ CA CT C9 C8 HA H8 S7", "D8 D7", "SA ST", "H8 S7", id="throw a loser on an empty trick"
    ),
    pytest.param(2, "C", 2, "CJ SJ HJ CA CT C9 C8 HA H8 S7", "SA ST", "D8 D9", "S7", id="follow with the only card"),
    pytest.param(
        0,
        "G",
        0,
        "CJ SJ HJ DJ CA CT CK HA HT H7",
        "",
        "D8 S7",
        "CJ SJ HJ DJ CA CT CK HA HT",
        id="grand opens with a sure trick",
    ),
    pytest.param(0, "N", 0, "D7 D9 DJ H7 H8 H9 S7 S8 C7 C8", "", "DA CA", "D7 H7 H8 S7 S8 C7 C8", id="null leads low"),
    pytest.param(2, "N", 2, "D7 D9 DJ H7 H8 H9 S7 S8 C7 C8", "DT D8", "SA CA", "D9", id="null ducks as high as it can"),
    pytest.param(
        1, "N", 2, "D7 DA H7 HA S7 SA C7 CA CK CQ", "D8 D9", "", "D7", id="null defender stays below the declarer"
    ),
    pytest.param(
        0, "N", 1, "D7 DA H7 HA S7 SA C7 CA CK CQ", "D9", "", "D7", id="null defender stays below, partner to come"
    ),
]


@pytest.mark.parametrize(("declarer", "contract", "seat", "hand", "plays", "discards", "accepted"), CASES)
def test_card(declarer: int, contract: str, seat: int, hand: str, plays: str, discards: str, accepted: str) -> None:
    assert _card(_game(declarer, contract, seat, hand, plays, discards)) in accepted.split()


def test_strength_follows_the_cards() -> None:
    weak, strong = _mask("HJ DJ CA CT C9 C8 D9 H8 S8 SQ"), _mask("CJ SJ CA CT C9 C8 D9 H8 S8 SQ")
    assert 0 < hand_strength(weak, CLUBS) < hand_strength(strong, CLUBS) < 1
    assert hand_strength(_mask("CJ SJ HJ DJ CA DA HA SA CT DT"), GRAND) > 0.95
    assert hand_strength(_mask("D7 D8 D9 H7 H8 H9 S7 S8 S9 C7"), NULL) > 0.9
    assert hand_strength(_mask("DA DK DQ HA HK HQ SA SK SQ CA"), NULL) < 0.05


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_limits(seat: int) -> None:
    assert limit(_mask("DQ D9 D8 HQ H9 H8 SQ S9 CK CQ"), seat, RULES) == 0
    assert limit(_mask("CJ SJ HJ DJ CA CT CK DA HA SA"), seat, RULES) >= 120
    assert limit(_mask("D7 D8 D9 H7 H8 H9 S7 S8 S9 C7"), seat, RULES) == 59
    one = limit(_mask("CJ DJ CA CT CK C9 C8 DA H8 S8"), seat, RULES)
    assert 24 <= one <= 72
    assert one in BID_VALUES


def test_a_strong_hand_is_not_overbid_without_matadors() -> None:
    """Without four, the skat may hold a jack: the limit is below what the ten cards alone would be worth."""
    assert limit(_mask("CA CT CK CQ C9 C8 C7 DA DT D7"), 0, RULES) <= 72


def test_discard_of_a_ten_that_would_be_caught() -> None:
    """Clubs with two lone tens beside seven trumps: the tens go into the skat."""
    away, chance = best_discard(_mask("CJ SJ HJ CA CT C9 C8 DT HT SA S9 SK"), CLUBS, 0, 0, 0)
    assert away == _mask("DT HT")
    assert chance > 0.8


def test_null_discard_of_the_dangerous_cards() -> None:
    away, chance = best_discard(_mask("D7 DA H7 H8 H9 HT S7 S8 S9 ST C7 CA"), NULL, 0, 1, 0)
    assert away == _mask("CA DA")
    assert chance > 0.8


def test_contract_covers_the_bid() -> None:
    """At 45 a plain diamonds game with one is too cheap; the hand then plays something that covers the bid, if anything does."""
    twelve = _mask("CJ DJ DA DT DK D9 D8 HA SA CA CT C9")
    for bid in (18, 27, 36, 45, 48):
        action, away = best_discard_and_contract(twelve, 0, bid, RULES, 0)
        assert away.bit_count() == 2 and away & twelve == away
        index = action - FIRST_DECLARATION
        assert DECLARATION_FLAGS[index] in (0, 2)
        if bid > 36:
            assert DECLARATION_GAME[index] == GRAND


def test_discards_already_made_are_kept() -> None:
    game = Game(
        Deal.parse("CJ.SJ.HJ.CA.CT.C9.C8.DT.SA.S9|DA.DK.DQ.D9.D8.D7.SQ.S8.S7.C7|DJ.HA.HK.HQ.H9.H8.H7.ST.CK.CQ|HT.SK")
    )
    for action in ("bid 18", "hold", "pass", "pass", "pick up", "put away C8"):
        game.play(action)
    second = rule_discard(game.state, 0)
    assert game.state["hands"][0] >> second & 1
    game.play(second)
    assert game.phase == "declare"


def test_safe_null_is_played_open_by_hand() -> None:
    game = Game(
        Deal.parse("D7.D8.D9.H7.H8.H9.S7.S8.S9.C7|CJ.SJ.CA.CT.CK.DA.DT.DK.HA.HT|HJ.DJ.CQ.C9.C8.SA.ST.SK.HK.HQ|SQ.DQ")
    )
    for action in ("bid 18", "hold", "pass", "pass"):
        game.play(action)
    index = rule_skat(game.state, 0) - FIRST_DECLARATION
    assert (DECLARATION_GAME[index], DECLARATION_FLAGS[index]) == (NULL, 3)


def test_weak_hands_pick_up() -> None:
    game = Game(
        Deal.parse("CJ.DJ.CA.CK.C9.C8.DT.H8.H7.S9|SJ.HJ.CT.CQ.DA.DK.HA.HK.SA.SK|C7.DQ.D9.D8.D7.HT.HQ.H9.ST.SQ|S8.S7")
    )
    for action in ("bid 18", "hold", "pass", "pass"):
        game.play(action)
    assert rule_skat(game.state, 0) == PICK_UP


@pytest.mark.parametrize(
    ("hand", "game", "forehand", "expected"),
    [
        ("CJ SJ HJ DJ CA CT CK CQ DA HA", CLUBS, True, True),
        ("CJ SJ HJ DJ CA CT CK CQ DA HA", CLUBS, False, False),
        ("CJ SJ HJ DJ CA CT CK CQ DA HT", CLUBS, True, False),
        ("CJ SJ HJ DJ CA CT CK C7 DA DT", CLUBS, True, True),
        ("CJ SJ HJ DJ CA CT CK CQ C9 C8", GRAND, True, True),
        ("CJ SJ HJ CA CT CK CQ C9 C8 C7", GRAND, True, True),
        ("CJ SJ HJ CA CT CK CQ C9 C8 C7", GRAND, False, False),
        ("SJ HJ DJ CA CT CK CQ C9 C8 C7", GRAND, True, False),
    ],
)
def test_sweeps(hand: str, game: int, forehand: bool, expected: bool) -> None:
    assert sweeps(_mask(hand), game, forehand) is expected
