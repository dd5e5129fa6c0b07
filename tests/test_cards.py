import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.cards import ALL_CARDS, PACKS, Card, CardSet, format_card, parse_card, parse_cards
from skatai.errors import InvalidDealError, NotationError
from tests import naive

MASKS = st.integers(min_value=0, max_value=2**32 - 1)


def test_the_pack() -> None:
    assert [str(Card(i)) for i in range(32)] == naive.CARDS
    assert [Card(i).points for i in range(32)] == [naive.points([card]) for card in naive.CARDS]
    assert [(Card(i).suit, Card(i).rank) for i in range(32)] == [(i // 8, i % 8) for i in range(32)]
    assert ALL_CARDS.points == 120 and len(ALL_CARDS) == 32
    assert repr(Card(31)) == "Card('CJ')"


@pytest.mark.parametrize("pack", PACKS)
def test_every_card_of_every_pack_round_trips(pack: str) -> None:
    texts = [format_card(card, pack) for card in range(32)]
    assert len(set(texts)) == 32
    assert [parse_card(text, pack) for text in texts] == list(range(32))
    assert [parse_card(f" {text.lower()} ", pack) for text in texts] == list(range(32))
    assert parse_cards(" ".join(texts), pack) == list(range(32))
    assert CardSet.parse(ALL_CARDS.text(pack, "."), pack) == ALL_CARDS


@pytest.mark.parametrize(
    ("text", "pack", "card"),
    [
        ("CD", "iss", None),  # D is no rank in ISS letters: the suit comes first, always
        ("DD", "iss", None),
        ("DQ", "iss", "DQ"),
        ("H10", "iss", "HT"),
        ("♣J", "iss", "CJ"),
        ("KaD", "french_de", "DQ"),
        ("KrD", "french_de", "CQ"),
        ("KrB", "french_de", "CJ"),
        ("Pik 10", "french_de", "ST"),
        ("Herz Ass", "french_de", "HA"),
        ("♦-Dame", "french_de", "DQ"),
        ("PB", "tournament", "SJ"),
        ("SD", "german", "DA"),  # Schellen-Daus
        ("SO", "german", "DQ"),
        ("EU", "german", "CJ"),
        ("GrünKönig", "german", "SK"),
        ("GU", "german", "SJ"),
        ("Rot-Ass", "german", "HA"),
        ("BU", "german", "SJ"),
        ("LO", "german", "SQ"),
        ("SJ", "german", None),
        ("CJ", "german", None),
    ],
)
def test_letters_of_the_packs(text: str, pack: str, card: str | None) -> None:
    if card is None:
        with pytest.raises(NotationError, match=f"'{text}' is not a card of the {pack} pack"):
            parse_card(text, pack)
    else:
        assert str(parse_card(text, pack)) == card


@pytest.mark.parametrize("text", ["", "C", "J", "CJJ", "XX", "C1", "10", "??"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(NotationError, match="suit, then rank, such as CJ or HT"):
        Card.parse(text)


def test_numbers_out_of_range() -> None:
    for value in (-1, 32):
        with pytest.raises(NotationError, match=f"card {value}: expected 0 … 31"):
            Card(value)
        with pytest.raises(NotationError, match=f"card {value}: expected 0 … 31"):
            format_card(value)
    with pytest.raises(NotationError, match="no pack 'tarot'; there are iss"):
        parse_card("CJ", "tarot")
    for mask in (-1, 2**32):
        with pytest.raises(NotationError, match=f"mask of a card set {mask}: expected 0"):
            CardSet(mask)
    with pytest.raises(InvalidDealError, match="CJ occurs twice"):
        CardSet.parse("CJ HT CJ")


@given(MASKS, MASKS)
def test_card_sets_behave_as_sets(a: int, b: int) -> None:
    first, second = CardSet(a), CardSet(b)
    left, right = set(map(int, first)), set(map(int, second))
    assert set(map(int, first | second)) == left | right
    assert set(map(int, first & second)) == left & right
    assert set(map(int, first - second)) == left - right
    assert set(map(int, first ^ second)) == left ^ right
    assert (first <= second) == (left <= right)
    assert (first == second) == (left == right)
    assert len(first) == len(left) and list(map(int, first)) == sorted(left)
    assert [card in first for card in range(32)] == [card in left for card in range(32)]
    assert first.points == naive.points(naive.CARDS[card] for card in left)
    assert hash(first) == hash(CardSet(a))


@given(MASKS, st.sampled_from(PACKS))
def test_card_sets_round_trip(mask: int, pack: str) -> None:
    cards = CardSet(mask)
    assert CardSet.parse(cards.text(pack), pack) == cards
    assert CardSet.parse(str(cards)) == cards == CardSet.of(cards)
    assert pickle.loads(pickle.dumps(cards)) == cards
    assert eval(repr(cards), {"CardSet": CardSet.parse}) == cards
    assert sorted(cards.printed_order()) == list(cards)


def test_card_sets_are_immutable_and_strict() -> None:
    cards = CardSet.parse("CJ.HT,D7")
    with pytest.raises(AttributeError):
        cards.mask = 0
    assert cards != 7
    assert pickle.loads(pickle.dumps(Card(5))) == 5
    assert str(CardSet()) == "" and CardSet.parse(" ") == CardSet()


@given(MASKS, st.integers(0, 31))
def test_a_card_its_number_and_its_text_are_found_alike(mask: int, number: int) -> None:
    cards, card = CardSet(mask), Card(number)
    held = naive.CARDS[number] in {naive.CARDS[i] for i in range(32) if mask >> i & 1}
    for form in (card, number, np.int64(number), np.uint8(number), str(card), str(card).lower(), f" {card} "):
        assert (form in cards) == held


def test_what_is_found_in_no_set() -> None:
    for other in (-1, 32, 40, 2.0, None, ("CJ",), b"CJ", CardSet(1)):
        assert other not in CardSet(0xFFFFFFFF)
    for text in ("", "XX", "J", "CJ HT", "31", "KrB"):
        with pytest.raises(NotationError, match="is not a card of the iss pack"):
            text in CardSet(0xFFFFFFFF)  # noqa: B015
