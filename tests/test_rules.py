import pickle

import pytest

from skatai.errors import NotationError, RulesError
from skatai.rules import Rules
from tests import naive
from tests.driver import ALL_RULES


def test_every_set_of_rules_round_trips() -> None:
    packed = set()
    assert len(ALL_RULES) == 3 * 2 * 2 * 2 * 3 * 3 * 3
    for values in ALL_RULES:
        rules = Rules(**values)
        packed.add(rules.to_int())
        assert Rules.from_int(rules.to_int()) == rules == Rules.parse(str(rules))
        assert pickle.loads(pickle.dumps(rules)) == rules
        assert rules.to_int() < 1 << 11
    assert len(packed) == len(ALL_RULES)


def test_defaults_and_presets() -> None:
    assert {name: getattr(Rules(), name) for name in naive.DEFAULT_RULES} == naive.DEFAULT_RULES
    assert Rules().to_int() == 0 and str(Rules()) == "-" and Rules.parse("") == Rules.parse("-") == Rules()
    assert str(Rules.iss()) == "ladder=iss;early_end=iss;concede_policy=award_rest"
    assert str(Rules.table()) == "concede_policy=isko;claims=reject"


def test_only_packed_rules_unpack() -> None:
    good = {Rules(**values).to_int() for values in ALL_RULES}
    for number in range(1 << 12):
        if number in good:
            assert Rules.from_int(number).to_int() == number
        else:
            with pytest.raises(RulesError, match="is not a packed set of rules"):
                Rules.from_int(number)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"ladder": "xskat"}, "ladder='xskat' is not one of 'official', 'iss'"),
        ({"grand_base": 36}, "grand_base=36 is not one of 24, 20"),
        ({"lost_hand_counts_once": 1}, "lost_hand_counts_once=1 is not one of False, True"),
        ({"ladder": "iss", "grand_base": 20}, "the ISS ladder belongs to grand_base=24"),
    ],
)
def test_switches_that_do_not_exist(values: dict[str, object], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Rules(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kontra=yes", "no switch 'kontra'; there are ladder"),
        ("claims=maybe", "claims=maybe is not one of off, reject"),
    ],
)
def test_texts_that_do_not_parse(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        Rules.parse(text)
