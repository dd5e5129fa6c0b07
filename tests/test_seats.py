import pytest

from skatai.errors import SkatError
from skatai.seats import SEAT_LETTERS, SEAT_NAMES, next_dealer, sitting_out, table_seats


@pytest.mark.parametrize("players", [3, 4])
def test_seats_follow_the_dealer_clockwise(players: int) -> None:
    """Forehand sits to the dealer's left; at four the dealer sits out, at three he is rearhand (rules 1.3)."""
    for dealer in range(players):
        seats = table_seats(players, dealer)
        assert seats == tuple((dealer + step) % players for step in (1, 2, 3))
        out = sitting_out(players, dealer)
        assert out == (dealer if players == 4 else None)
        assert len({*seats} | ({out} if out is not None else set())) == players
        if players == 3:
            assert seats[2] == dealer
        assert next_dealer(players, dealer) == (dealer + 1) % players != dealer


def test_everybody_deals_in_turn() -> None:
    dealer, dealt = 0, []
    for _ in range(8):
        dealt.append(dealer)
        dealer = next_dealer(4, dealer)
    assert dealt == [0, 1, 2, 3] * 2


@pytest.mark.parametrize(
    ("players", "dealer", "words"),
    [
        (2, 0, "table of 2 players: expected 3 or 4"),
        (3, 3, "dealer 3: expected 0 … 2"),
        (4, -1, "dealer -1: expected 0 … 3"),
    ],
)
def test_tables_that_do_not_exist(players: int, dealer: int, words: str) -> None:
    for function in (table_seats, sitting_out, next_dealer):
        with pytest.raises(SkatError, match=words):
            function(players, dealer)


def test_names() -> None:
    assert SEAT_NAMES == ("forehand", "middlehand", "rearhand") and SEAT_LETTERS == "FMR"
