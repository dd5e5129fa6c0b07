from pathlib import Path

import pytest

from skatai import actions
from skatai.actions import ACTION_NAMES, ACTION_SPACE_VERSION, N_ACTIONS, action_name, parse_action
from skatai.contract import Contract
from skatai.errors import IllegalActionError, NotationError
from tests import naive

GOLDEN = Path(__file__).parent / "golden" / "actions.txt"


def test_ids_and_names_are_frozen() -> None:
    """A change of this table is a new version of the action space."""
    head, *lines = GOLDEN.read_text().splitlines()
    assert head == f"# action space, version {ACTION_SPACE_VERSION}"
    assert [f"{i} {name}" for i, name in enumerate(ACTION_NAMES)] == lines
    assert len(ACTION_NAMES) == N_ACTIONS == 136
    assert list(ACTION_NAMES) == naive.ACTIONS


def test_names_round_trip() -> None:
    assert [parse_action(action_name(i)) for i in range(N_ACTIONS)] == list(range(N_ACTIONS))
    assert [parse_action(f"  {name.upper()}") for name in ACTION_NAMES] == list(range(N_ACTIONS))
    for i in range(N_ACTIONS):
        contract, bid = actions.contract_of(i), actions.bid_of(i)
        assert (contract is not None) + (bid is not None) + (i < 35 or i >= 132) == 1
        if contract is not None:
            assert actions.declare_action(contract) == i
        if bid is not None:
            assert actions.bid_action(bid) == i


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("18", "bid 18"),
        ("y", "hold"),
        ("yes", "hold"),
        ("P", "pass"),
        ("s", "pick up"),
        ("GH", "declare GH"),
        ("declare GHO", "declare GO"),
        ("declare S", "declare S"),
        ("CJ", "play CJ"),
        ("put away CJ", "play CJ"),
        ("discard h10", "play HT"),
        ("pick  up", "pick up"),
        ("NHO", "declare NOH"),
    ],
)
def test_short_forms(text: str, name: str) -> None:
    assert parse_action(text) == parse_action(name)
    assert action_name(parse_action(text)) == ACTION_NAMES[parse_action(name)]


@pytest.mark.parametrize(
    "text", ["", "bid", "bid 19", "19", "declare", "declare GS", "play", "play XX", "put away", "sing", "?"]
)
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(NotationError, match="is not an action"):
        parse_action(text)


@pytest.mark.parametrize("number", [-1, 136])
def test_numbers_out_of_range(number: int) -> None:
    with pytest.raises(IllegalActionError, match="expected 0 … 135"):
        action_name(number)


def test_values_of_no_ladder() -> None:
    with pytest.raises(IllegalActionError, match="19 is not a bid of any ladder"):
        actions.bid_action(19)
    assert actions.declare_action(Contract.parse("GO")) in range(35, 64)
