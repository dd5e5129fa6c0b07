import itertools
import pickle

import numpy as np
import pytest

from skatai.contract import GAME_NAMES, Contract
from skatai.errors import NotationError, RulesError
from tests import naive

ALL = naive.AFTER_PICK_UP + naive.BY_HAND


def valid(game: int, hand: bool, ouvert: bool, schneider: bool, schwarz: bool) -> bool:
    """Straight from rules 3.1, after filling in what is implied."""
    if game == 5:
        return not schneider and not schwarz
    return hand or ouvert or not (schneider or schwarz)


def test_there_are_29() -> None:
    made = set()
    for game in range(6):
        for flags in itertools.product((False, True), repeat=4):
            if valid(game, *flags):
                made.add(Contract(game, *flags))
            else:
                with pytest.raises(RulesError, match="contract"):
                    Contract(game, *flags)
    assert len(made) == 29 and made == {Contract.parse(text) for text in ALL}
    assert sum(contract.hand for contract in made) == 22


@pytest.mark.parametrize("text", ALL)
def test_contracts_round_trip(text: str) -> None:
    contract = Contract.parse(text)
    assert str(Contract.parse(str(contract))) == str(contract)
    assert Contract.parse(str(contract)) == contract == Contract.from_flags(contract.game, contract.flags)
    assert pickle.loads(pickle.dumps(contract)) == contract
    letters = "NO NOH" if text[0] == "N" and "O" in text else text
    assert str(contract) in letters.split() or str(contract) == text
    game, words = naive.contract_of(text)
    assert "DHSCGN"[contract.game] == game
    assert {w for w in ("hand", "ouvert", "schneider", "schwarz") if getattr(contract, w)} == words
    assert contract.name.startswith(GAME_NAMES[contract.game])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("NHO", "NOH"),
        ("GHO", "GO"),
        ("GHOSZ", "GO"),
        ("CHZS", "CHZ"),
        ("dhs", "DHS"),
        (" HH ", "HH"),
        ("SH", "SH"),
        ("GO", "GO"),
    ],
)
def test_any_order_and_what_is_implied(text: str, canonical: str) -> None:
    assert str(Contract.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GO", "grand ouvert"),
        ("NOH", "null ouvert hand"),
        ("N", "null"),
        ("CHS", "clubs hand, schneider announced"),
        ("DHZ", "diamonds hand, schwarz announced"),
        ("H", "hearts"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert Contract.parse(text).name == name


@pytest.mark.parametrize("text", ["", "X", "GG", "GHH", "G H", "GS", "GZ", "NS", "NZ", "NHS", "grand", "?"])
def test_what_is_no_contract(text: str) -> None:
    with pytest.raises(NotationError, match="is not a contract"):
        Contract.parse(text)


def test_no_such_game() -> None:
    for game in (-1, 6):
        with pytest.raises(RulesError, match=f"game {game}: expected 0 … 5"):
            Contract(game)


def test_flags_are_read_strictly() -> None:
    assert Contract.from_flags(np.uint8(4), np.uint8(1)) == Contract.parse("GH")
    for game in ("4", "G", 4.7, 6):
        with pytest.raises(RulesError, match="contract: game"):
            Contract.from_flags(game, 0)  # type: ignore[arg-type]
    for flags in ("H", 1.0, 16, -1):
        with pytest.raises(RulesError, match="contract: flags"):
            Contract.from_flags(4, flags)  # type: ignore[arg-type]
