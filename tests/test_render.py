"""Pictures: well-formed, complete, and without what the seat must not see."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from skatai.cards import PACKS, CardSet, format_card
from skatai.deal import Deal
from skatai.errors import NotationError
from skatai.game import Game
from skatai.render import card_svg, hand_svg, sort_hand, table_html, table_svg, table_text, tricks_text

SVG = "{http://www.w3.org/2000/svg}"


def titles(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]


def started(seed: int = 11, plays: int = 8) -> Game:
    game = Game(Deal.random(seed))
    for action in ("18", "pass", "pass", "pick up"):
        game.play(action)
    game.play(game.legal_actions[0]).play(game.legal_actions[0]).play("declare G")
    for _ in range(plays):
        game.play(game.legal_actions[0])
    return game


@pytest.mark.parametrize("pack", PACKS)
def test_every_card_of_every_pack_is_drawn_with_its_letters(pack: str) -> None:
    for card in range(32):
        svg = card_svg(card, pack)
        assert titles(svg) == [format_card(card)]
        suit_letters = format_card(card & ~7, pack)[:-1]
        rank = format_card(card, pack).removeprefix(suit_letters).replace("T", "10")
        assert "".join(ElementTree.fromstring(svg).itertext()) == format_card(card) + rank


def test_hand_is_sorted_for_the_game_and_marked() -> None:
    hand = CardSet.parse("H7 CJ SA HT D9")
    assert [str(card) for card in sort_hand(hand, game=1)] == ["CJ", "HT", "H7", "SA", "D9"]
    assert [str(card) for card in sort_hand(hand, game=5)] == ["CJ", "SA", "HT", "H7", "D9"]
    svg = hand_svg(hand, 1, marks={31: "#00ff00"}, notes={31: "+12"})
    assert titles(svg) == ["CJ", "HT", "H7", "SA", "D9"]
    assert "#00ff00" in svg and "+12" in svg


def test_table_shows_all_cards_of_a_game_and_only_known_ones_of_a_view() -> None:
    game = started(plays=8)
    held = {str(card) for hand in game.hands for card in hand}
    assert set(titles(table_svg(game))) == held | {str(c) for c in game.discards} | {str(c) for _, c in game.trick}
    for seat in range(3):
        view = game.view(seat)
        known = {str(c) for c in view.hand} | {str(c) for c in view.discards} | {str(c) for _, c in game.trick}
        assert set(titles(table_svg(view))) == known
        for card in held - known:
            assert card not in table_text(view)


def test_others_see_twelve_cards_while_the_declarer_puts_away() -> None:
    game = Game(Deal.random(3))
    for action in ("18", "pass", "pass", "pick up"):
        game.play(action)
    assert table_text(game.view(0)).count("??") == 12 + 10
    game.play(game.legal_actions[0])
    assert table_text(game.view(0)).count("??") == 12 + 10
    game.play(game.legal_actions[0])
    assert table_text(game.view(0)).count("??") == 10 + 10


def test_tricks_are_listed_with_their_winners() -> None:
    game = started(plays=30)
    lines = tricks_text(game)
    assert len(lines) == 10
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == 120 - game.discards.points
    assert str(game.result).split(":")[0] in "".join(ElementTree.fromstring(table_svg(game)).itertext())


def test_html_is_the_notebook_form() -> None:
    game = started()
    assert game._repr_html_() == table_html(game)
    assert "<svg" in table_html(game)


def test_an_unknown_pack_is_refused() -> None:
    with pytest.raises(NotationError, match="no pack 'tarot'"):
        card_svg(0, "tarot")
