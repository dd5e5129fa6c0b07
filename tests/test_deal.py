import gzip
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.cards import PACKS, CardSet
from skatai.deal import Deal, deals_from_seed, iter_deals, read_deals, write_deals
from skatai.errors import InvalidDealError, NotationError
from tests import naive

PACK_ORDERS = st.permutations(range(32))


@given(PACK_ORDERS, st.sampled_from(PACKS))
def test_deals_round_trip(deck: list[int], pack: str) -> None:
    deal = Deal.from_deck(deck)
    assert Deal.parse(str(deal)) == deal == Deal.from_cards(deal.cards) == Deal.from_masks(deal.masks)
    assert Deal.parse(deal.text(pack), pack) == deal
    assert Deal.parse(".".join(map(str, deal.cards))) == deal
    assert Deal.parse(" ".join(map(str, deal.cards))) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert repr(deal) == f"Deal.parse('{deal}')"
    assert len({*deal.cards}) == 32 and "\n" not in str(deal)


@given(PACK_ORDERS)
def test_three_skat_four_three(deck: list[int]) -> None:
    hands, skat = naive.deal_from_deck(deck)
    deal = Deal.from_deck(deck)
    assert [set(map(int, hand)) for hand in deal.hands] == [set(hand) for hand in hands]
    assert set(map(int, deal.skat)) == set(skat)


def test_seeds() -> None:
    assert Deal.random(1) == Deal.random(1) != Deal.random(2)
    assert deals_from_seed(5, 3) == deals_from_seed(5, 6)[:3]
    assert len(set(deals_from_seed(5, 50))) == 50
    # Pinned: a seed gives the same deal for ever.
    assert str(Deal.random(2026)) == PINNED


PINNED = "SJ.CT.C7.ST.S7.HT.HK.H7.DK.D7|CJ.CA.CK.C8.SA.SQ.HQ.H8.DQ.D9|HJ.DJ.CQ.SK.S9.HA.H9.DA.DT.D8|C9.S8"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("", InvalidDealError, "deal of 0 cards, expected 32"),
        ("CJ", InvalidDealError, "deal of 1 cards, expected 32"),
        ("CJ|HJ", InvalidDealError, "2 groups between '|', expected 4"),
        ("CJ.CX|||", NotationError, "'CX' is not a card"),
        ("CJ|SJ|HJ|DJ", InvalidDealError, "forehand has 1 cards, expected 10"),
    ],
)
def test_what_is_no_deal(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words.replace("|", r"\|")):
        Deal.parse(text)


def test_duplicates_are_named() -> None:
    cards = list(Deal.random(1).cards)
    cards[31] = cards[0]
    with pytest.raises(InvalidDealError, match=f"{cards[0]} of skat occurs twice"):
        Deal.from_cards(cards)
    cards[1] = cards[0]
    with pytest.raises(InvalidDealError, match=f"{cards[0]} occurs twice"):
        Deal.from_cards(cards)
    with pytest.raises(InvalidDealError, match="deck of 31 cards, expected 32"):
        Deal.from_deck(range(31))
    with pytest.raises(InvalidDealError, match="expected three CardSets and one of the skat, got 2 hands"):
        Deal((CardSet(), CardSet()), CardSet())  # type: ignore[arg-type]


def test_files_of_deals(tmp_path: Path) -> None:
    deals = deals_from_seed(3, 4)
    path = tmp_path / "deals.txt"
    write_deals(path, deals, "four deals\nfor a test")
    assert path.read_text().startswith("# four deals\n# for a test\n")
    assert read_deals(path) == deals == read_deals(str(path))
    assert list(iter_deals([f"{deals[0]}  # the first", "", "  # nothing"])) == deals[:1]


def test_texts_are_written_as_deals_or_not_at_all(tmp_path: Path) -> None:
    path, deals = tmp_path / "deals.txt", deals_from_seed(3, 2)
    write_deals(path, [deals[0], " ".join(map(str, deals[1].cards))])
    assert read_deals(path) == deals
    for texts in (["CJ|HJ"], ["hello"], str(deals[0])):
        with pytest.raises((NotationError, InvalidDealError)):
            write_deals(path, texts)
    assert read_deals(path) == deals


def test_bad_files_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{Deal.random(1)}\nCJ|SJ\n")
    with pytest.raises(InvalidDealError, match=r"deals\.txt, line 2: .* expected 4"):
        read_deals(path)
    path.write_text("# nothing\n")
    with pytest.raises(InvalidDealError, match="no deals in it; expected one a line"):
        read_deals(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidDealError, match="cannot read deals"):
        read_deals(path)
    with pytest.raises(InvalidDealError, match="cannot read deals: No such file"):
        read_deals(tmp_path / "missing")


def test_a_random_order_of_the_words_is_the_same_deal() -> None:
    deal = Deal.random(4)
    rng = random.Random(1)
    groups = []
    for group in str(deal).split("|"):
        cards = group.split(".")
        rng.shuffle(cards)
        groups.append(" ".join(cards))
    assert Deal.parse("|".join(groups)) == deal


def test_deals_of_records(tmp_path: Path) -> None:
    records = Path(__file__).parent / "data" / "iss_records.sgf"
    deals = read_deals(records)
    assert len(deals) > 10
    packed = tmp_path / "records.sgf.gz"
    packed.write_bytes(gzip.compress(records.read_bytes()))
    assert read_deals(packed) == deals
