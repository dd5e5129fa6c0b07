"""Rule cases: the sample, the numbers of the rule text, and that wrong expectations are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skatai.conformance.fields import CaseError
from skatai.conformance.rule_cases import KINDS, check_rule_case
from skatai.errors import SkatError

SAMPLE = [
    json.loads(line) for line in (Path(__file__).parent.parent / "data/rule_cases.jsonl").read_text().splitlines()
]
#: (kind, first letters of the contract or an option) of the sample's cases that are not supported
VARIANT_KINDS = {
    "ramsch", "ramsch_skat", "schieberamsch_discard", "pinke", "revolution", "reverse", "tournee", "tournee_schneider",
    "tournee_ramsch", "officers", "raeuberskat", "pack36", "kontra_legal",
}  # fmt: skip


def is_variant(case: dict[str, Any]) -> bool:
    return (
        case["kind"] in VARIANT_KINDS
        or case["in"].get("contract") in ("R10", "X")
        or "kontra" in case["in"].get("options", {})
    )


CORE = [case for case in SAMPLE if not is_variant(case)]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case["id"])
def test_sample(case: dict[str, Any]) -> None:
    verdict = check_rule_case(case)
    assert verdict.status == ("unsupported" if is_variant(case) else "right"), verdict.what


def test_sample_has_every_kind() -> None:
    assert {case["kind"] for case in CORE} == set(KINDS)
    assert len(CORE) == 164


def corrupted(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return {"F": "M", "M": "R", "R": "F"}.get(value, "D7" if value != "D7" else "D8")
    if isinstance(value, list):
        return value[:-1]
    return 7


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_wrong_expectation_is_found(kind: str) -> None:
    found = 0
    for case in (case for case in CORE if case["kind"] == kind):
        for name, value in case["expect"].items():
            bad = dict(case, expect=dict(case["expect"], **{name: corrupted(value)}))
            verdict = check_rule_case(bad)
            assert verdict.status == "wrong", (case["id"], name)
            assert name in verdict.what and "came" in verdict.what
            found += 1
    assert found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_unknown_keys_are_wrong(kind: str) -> None:
    case = next(case for case in CORE if case["kind"] == kind)
    strange: list[dict[str, Any]] = [
        dict(case, **{"in": {**case["in"], "surprise": 1}}),
        dict(case, expect=dict(case["expect"], surprise=1)),
        dict(case, **{"in": {**case["in"], "options": {"surprise": True}}}),
        dict(case, expect={}),
        dict(case, surprise=1),
    ]
    for bad in strange:
        with pytest.raises(CaseError):
            check_rule_case(bad)


def run(kind: str, question: dict[str, Any], expect: dict[str, Any]) -> tuple[str, str]:
    verdict = check_rule_case({"id": "test", "kind": kind, "in": question, "expect": expect})
    return verdict.status, verdict.what


def declared(contract: str, matadors: int, announce: str, bid: int, **more: Any) -> dict[str, Any]:
    """A contract with its bid; ``announce`` begins with ``hand`` where the skat was left."""
    hand, _, announced = announce.partition(" ")
    return {
        "contract": contract,
        "matadors": matadors,
        "hand": hand == "hand",
        "announce": announced,
        "bid": bid,
        **more,
    }


def game(contract: str, matadors: int, announce: str, points: int, won: int, lost: int, **more: Any) -> dict[str, Any]:
    """A game played, by figures."""
    figures = declared(contract, matadors, announce, 0, points=points, declarer_tricks=won, defender_tricks=lost)
    figures.pop("bid")
    return figures | more


SCORES = [  # rules 5.2, 5.3, 5.5 and 8
    (game("G", 4, "hand schneider", 89, 9, 1, bid=50), {"won": False, "overbid": False, "value": 192, "score": -384}),
    (game("N", 0, "", 0, 1, 8, bid=23), {"won": False, "overbid": False, "value": 23, "score": -46}),
    (game("C", 1, "", 92, 8, 2, bid=30), {"won": True, "value": 36, "score": 36}),
    (game("H", 1, "", 20, 3, 7, bid=30), {"won": False, "overbid": False, "value": 30, "score": -60}),
    (game("H", 3, "", 75, 7, 3, bid=48), {"won": False, "overbid": True, "value": 50, "score": -100}),
    (game("C", 1, "hand", 74, 7, 3, bid=46), {"overbid": True, "value": 48, "score": -96}),
    (game("D", 1, "", 60, 5, 5, bid=18), {"won": False, "score": -36}),
    (game("D", 2, "", 80, 7, 3, bid=198), {"overbid": True, "value": 198, "score": -396}),
    (game("H", 1, "", 80, 7, 3, bid=20), {"won": True, "score": 20}),
    (game("S", 2, "", 55, 5, 5, bid=33, options={"lost_hand_counts_once": True}), {"score": -66}),
    (game("S", 2, "hand", 75, 5, 5, bid=33, options={"lost_hand_counts_once": True}), {"score": 44}),
    (game("N", 0, "hand", 0, 1, 3, bid=35, options={"lost_hand_counts_once": True}), {"score": -35}),
    (
        game("N", 0, "", 0, 0, 10, bid=24, options={"null_overbid": "multiple"}),
        {"won": False, "overbid": True, "score": -92},
    ),
    (game("G", 2, "", 50, 5, 5, bid=18, options={"grand_base": 20}), {"value": 60, "score": -120}),
    (game("G", 1, "", 80, 7, 3, bid=46, options={"grand_base": 20}), {"overbid": True, "value": 60, "score": -120}),
    (game("D", 1, "", 85, 7, 3, bid=18, options={"kontra": 0}), {"score": 18}),
]
VALUES = [  # rules 3.3 and 8
    (game("H", 4, "hand schneider", 20, 2, 8), {"multiplier": 8, "value": 80}),
    (game("H", 4, "hand schneider", 20, 0, 10), {"multiplier": 9}),
    (game("H", 4, "hand schneider", 120, 10, 0), {"multiplier": 9}),
    (game("C", 2, "hand ouvert", 120, 10, 0), {"multiplier": 9, "value": 108}),
    (game("G", 4, "hand ouvert", 120, 10, 0, options={"grand_base": 20}), {"multiplier": 11, "value": 220}),
    (game("N", 0, "hand ouvert", 0, 0, 10), {"multiplier": None, "value": 59}),
    (game("D", 1, "", 120, 9, 1), {"multiplier": 3}),
]
DEFENDERS_CONCEDE = [  # rules 4.4
    (declared("H", 1, "", 30, defender_points=10, defender_tricks=1), {"won": True, "value": 30, "score": 30}),
    (declared("H", 1, "", 30, defender_points=40, defender_tricks=3), {"won": False, "overbid": True, "score": -60}),
    (declared("H", 1, "", 40, defender_points=0, defender_tricks=0), {"won": True, "value": 40}),
    (declared("H", 2, "hand schwarz", 20, defender_points=0, defender_tricks=0), {"won": True, "value": 80}),
    (declared("H", 2, "hand schneider", 20, defender_points=31, defender_tricks=2), {"won": False, "score": -120}),
    (declared("H", 2, "", 20, points=92, defender_points=20, defender_tricks=2), {"won": True, "value": 40}),
    (declared("N", 0, "", 20, defender_points=31, defender_tricks=2), {"won": True, "score": 23}),
]


CONCEDE = [  # rules 4.4
    (declared("H", 1, "", 30, defender_points=10, defender_tricks=1), {"won": True, "value": 30, "score": 30}),
    (declared("H", 1, "", 30, defender_points=40, defender_tricks=3), {"won": False, "overbid": True, "score": -60}),
    (declared("H", 1, "", 40, defender_points=0, defender_tricks=0), {"won": True, "value": 40}),
    (declared("H", 2, "hand schwarz", 20, defender_points=0, defender_tricks=0), {"won": True, "value": 80}),
    (declared("H", 2, "hand schneider", 20, defender_points=31, defender_tricks=2), {"won": False, "score": -120}),
    (declared("H", 2, "", 20, points=92, defender_points=20, defender_tricks=2), {"won": True, "value": 40}),
    (declared("N", 0, "", 20, defender_points=31, defender_tricks=2), {"won": True, "score": 23}),
]


CONCEDE = [  # rules 4.4
    (declared("H", 1, "", 50, cards_in_hand=9), {"allowed": True, "value": 50, "score": -100}),
    (declared("C", 1, "", 50, cards_in_hand=9), {"allowed": True, "value": 60, "score": -120}),
    (declared("C", 1, "", 18, cards_in_hand=8), {"allowed": False}),
    (declared("C", 1, "", 18, cards_in_hand=8), {"allowed": False, "value": None, "score": None}),
    (declared("C", 1, "", 18, cards_in_hand=8, consent=True), {"allowed": True, "needs_consent": True, "score": -48}),
    (declared("C", 1, "", 18, cards_in_hand=1, consent=True, defender_points=90), {"score": -72}),
    (declared("C", 1, "hand schneider", 18, cards_in_hand=10), {"allowed": True, "value": 60, "score": -120}),
    (declared("N", 0, "hand ouvert", 59, cards_in_hand=10), {"value": 59, "score": -118}),
    (
        declared("S", 2, "hand", 18, cards_in_hand=10, options={"lost_hand_counts_once": True}),
        {"value": 44, "score": -44},
    ),
]


def calls(text: str) -> dict[str, Any]:
    """Calls such as ``M18 Fyes Rpass``."""
    return {"actions": [[word[0], int(word[1:]) if word[1:].isdigit() else word[1:]] for word in text.split()]}


def claim(contract: str, claimant: str, hands: dict[str, str]) -> dict[str, Any]:
    """Forehand is the declarer, the claimant leads."""
    return {"contract": contract, "declarer": "F", "claimant": claimant, "to_lead": claimant, "hands": hands}


OTHERS = [
    ("bid_values", {"below": 1000}, {"n": 63}),
    ("bid_legal", {"current": 0, "value": 171}, {"legal": False}),
    ("bid_legal", {"current": 0, "value": 171, "options": {"ladder": "iss"}}, {"legal": True}),
    ("bid_legal", {"current": 0, "value": 200, "options": {"grand_base": 20}}, {"legal": True}),
    ("bid_legal", {"current": 0, "value": 240, "grand_base": 20}, {"legal": False}),
    ("bid_legal", {"current": 24, "value": 24}, {"legal": False}),
    ("bid_shorthand", {"calls": ["18", "zwo", "null"]}, {"values": [18, 22, 23]}),
    ("bid_shorthand", {"calls": ["18", "20", "18"]}, {"illegal_at": 2}),
    ("declare_count", {"picked_up": False}, {"n": 22}),
    ("declare_count", {}, {"n": 29}),
    ("declare_count", {"picked_up": True, "bid": 24}, {"n": 6}),
    ("declare_legal", {"picked_up": True, "contract": "C", "announce": "ouvert"}, {"legal": False}),
    ("declare_legal", {"picked_up": False, "contract": "N", "announce": "schneider"}, {"legal": False}),
    ("declare_legal", {"picked_up": True, "contract": "N", "announce": "", "bid": 24}, {"legal": False}),
    ("announce_closure", {"announce": ""}, {"levels": []}),
    ("null_overbid", {"hand": False, "ouvert": False, "bid": 24, "policy": "multiple"}, {"legal": True, "score": -92}),
    ("matadors", {"contract": "G", "cards": "HJ"}, {"with": False, "n": 2}),
    ("auction", calls("Mpass Rpass F20"), {"illegal_at": 2}),
    ("auction", calls("Mpass Rpass F18"), {"declarer": "F", "bid": 18}),
    ("auction", calls("M18"), {"to_act": "F", "options": ["pass", "yes"]}),
    ("auction", calls("Mpass Rpass Fpass M18"), {"illegal_at": 3}),
    ("auction", calls("M24 Fyes Mpass R27 Fyes R46 Fpass"), {"declarer": "R", "bid": 46}),
    ("auction", calls("M24 Fyes Mpass Rpass"), {"declarer": "F", "bid": 24}),
    ("early_end", {"contract": "N", "announce": "", "event": "defender_trick"}, {"over": False}),
    ("early_end", {"contract": "H", "announce": "", "event": "defenders_60"}, {"over": False}),
    ("early_end", {"contract": "H", "announce": "schneider", "event": "defenders_31"}, {"over": True}),
    ("early_end", {"contract": "H", "announce": "schneider", "event": "defenders_30"}, {"over": False}),
    ("early_end", {"contract": "H", "announce": "schneider", "event": "declarer_no_trick_defenders_31"}, {"over": False}),
    ("early_end", {"contract": "H", "announce": "schneider", "event": "declarer_90"}, {"over": False}),
    ("early_end", {"contract": "H", "announce": "", "event": "declarer_61_defenders_31"}, {"over": True}),
    ("early_end", {"contract": "H", "announce": "", "event": "declarer_61_defenders_31", "policy": "iss"}, {"over": False}),
    ("early_end", {"contract": "G", "announce": "ouvert", "event": "declarer_trick"}, {"over": False}),
    ("claim", claim("H", "F", {"F": "CJ HA", "M": "HJ H7", "R": "SA ST"}), {"valid": False}),  # the jack of hearts stays
    ("claim", claim("N", "M", {"F": "S7 H8", "M": "S8 H7", "R": "S9 H9"}), {"valid": False}),  # no defender's claim in null
    ("seeger", {"table": 3, "deals": [{"declarer": 0, "score": -48}]}, {"totals": [-98, 40, 40], "ranks": [3, 1, 1]}),
    ("seeger", {"table": 4, "deals": [{"declarer": None}, {"passed_in": True}]}, {"totals": [0, 0, 0, 0]}),
    (
        "bierlachs",
        {"target": 501, "deals": [{"declarer": 0, "score": 264}, {"declarer": 0, "score": 264}]},
        {"tallies": [0, -528, -528], "loser": [1, 2], "over": True},
    ),
    ("bierlachs", {"target": 100, "deals": [{"declarer": 0, "score": -120}]}, {"tallies": [-120, 0, 0], "loser": 0}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "question", "expect"),
    [
        *(("score", *case) for case in SCORES),
        *(("value", *case) for case in VALUES),
        *(("defenders_concede", *case) for case in DEFENDERS_CONCEDE),
        *(("concede", *case) for case in CONCEDE),
        *OTHERS,
    ],
)
def test_rule_text(kind: str, question: dict[str, Any], expect: dict[str, Any]) -> None:
    assert run(kind, question, expect) == ("right", "")


def test_deal_of_a_deck() -> None:
    deck = [suit + rank for suit in "CSHD" for rank in "AKQJT987"]
    places = next(case for case in SAMPLE if case["kind"] == "deal")["expect"]
    expect = {name: " ".join(deck[i] for i in places[name]) for name in places}
    assert run("deal", {"pattern": [3, "skat", 4, 3], "deck": " ".join(deck)}, expect) == ("right", "")


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("ramsch", {}),
        ("tournee_anything", {}),
        ("trick", {"contract": "REV", "cards": "CJ"}),
        ("score", game("D", 1, "", 70, 6, 4, bid=18, kontra=2)),
        ("bid_legal", {"current": 0, "value": 92, "options": {"revolution": True}}),
        ("deal", {"pattern": [3, 2, 3, 2, "skat"]}),
    ],
)
def test_variants_are_not_supported(kind: str, question: dict[str, Any]) -> None:
    assert run(kind, question, {"anything": 1})[0] == "unsupported"


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("nonsense", {}),
        ("score", game("Z", 1, "", 70, 6, 4, bid=18)),
        ("score", game("D", 0, "", 70, 6, 4, bid=18)),
        ("score", game("G", 5, "", 70, 6, 4, bid=18)),
        ("score", game("D", 1, "", 121, 6, 4, bid=18)),
        ("score", game("D", 1, "", True, 6, 4, bid=18)),
        ("score", game("D", 1, "", 70, 6, 4, bid=18, options={"grand_base": 36})),
        ("score", game("D", 1, "", 70, 6, 4, bid=18, options=[])),
        ("score", dict(game("D", 1, "", 70, 6, 4, bid=18), announce="schneider")),
        ("score", dict(game("D", 1, "", 70, 6, 4, bid=18), announce="ouvert")),
        ("trick", {"contract": "H", "cards": "CJ CJ HT"}),
        ("trick", {"contract": "H", "cards": "CJ HT"}),
        ("trick", {"contract": "H", "cards": "CJ HT X9"}),
        ("trick", {"contract": ["H"], "cards": "CJ HT H9"}),
        ("legal", {"contract": "H", "hand": "CJ HT", "led": "CJ"}),
        ("matadors", {"contract": "H", "cards": ""}),
        ("claim", claim("H", "F", {"F": "CJ", "M": "SJ", "R": "HA HT"})),
        ("claim", claim("H", "F", {"F": "CJ", "M": "CJ", "R": "HA"})),
        ("claim", claim("H", "F", {"F": "CJ", "M": "SJ"})),
        ("concede", declared("H", 1, "", 19, cards_in_hand=9)),
        ("early_end", {"contract": "H", "announce": "", "event": "declarer_sneezes"}),
        ("early_end", {"contract": "H", "announce": "", "event": "declarer_no_trick"}),
        ("defenders_concede", declared("H", 1, "", 18, points=60, declarer_tricks=9, defender_points=10, defender_tricks=9)),
        ("seats", {"players": 5, "dealer": 0}),
        ("seats", {"players": 3, "dealer": 3}),
        ("auction", {"actions": [["Q", 18]]}),
        ("auction", {"actions": [["M", None]]}),
        ("seeger", {"table": 3, "deals": [{"declarer": 3, "score": 18}]}),
        ("seeger", {"table": 3, "deals": [{"declarer": 0, "score": 0}]}),
        ("seeger", {"table": 3, "deals": [{"declarer": 0}]}),
    ],
)  # fmt: skip
def test_malformed_cases_raise(kind: str, question: dict[str, Any]) -> None:
    with pytest.raises(SkatError):
        run(kind, question, {"won": True})


def test_full_games_that_contradict_the_rules() -> None:
    case = next(case for case in CORE if case["id"] == "full_game-001")
    asked = case["in"]
    first, second, *rest = asked["plays"]
    broken: list[dict[str, Any]] = [
        dict(asked, plays=[first, second]),
        dict(asked, plays=[" ".join(reversed(first.split())), second, *rest]),
        dict(asked, plays=[first, first, *rest]),
        dict(asked, plays=[*asked["plays"], "CJ SJ HJ"]),
        dict(asked, discard=None),
        dict(asked, discard="SJ"),
        dict(asked, discard="CJ HJ"),
        dict(asked, hand=True),
        dict(asked, bid=19),
        dict(asked, deck=" ".join(reversed(asked["deck"].split()))),
        dict(asked, hands=dict(asked["hands"], F=asked["hands"]["M"])),
    ]
    for question in broken:
        with pytest.raises(SkatError):
            check_rule_case(dict(case, **{"in": question}))
