"""Concessions, claims, answers, time-outs and leaving (rules 4.4)."""

import random
from typing import Any

import numpy as np
import pytest

from skatai.kernels.events import EVENTS, apply, apply_event, is_legal_event
from skatai.kernels.search.claims import claim_holds
from skatai.kernels.state import ANSWER, OVER, PLAY
from skatai.rules import Rules
from tests import naive
from tests.driver import ALL_RULES, mask_of, play_both, result_of, same_events, scaled, start

# Forehand 10 clubs-heavy cards with all jacks: grand or clubs cannot be lost; middlehand holds spades, rearhand the rest.
STRONG = {"CJ", "SJ", "HJ", "DJ", "CA", "CT", "CK", "CQ", "C9", "C8"}
SPADES = {"SA", "ST", "SK", "SQ", "S9", "S8", "S7", "HA", "HT", "HK"}
REDS = {"HQ", "H9", "H8", "H7", "DA", "DT", "DK", "DQ", "D9", "D8"}
SKAT = {"C7", "D7"}


class Table:
    """Both sides in step, driven by names."""

    def __init__(
        self, rules: dict[str, Any], calls: str, hands: Any = (STRONG, SPADES, REDS), skat: Any = SKAT
    ) -> None:
        self.state, self.twin = start([set(hand) for hand in hands], set(skat), rules)
        for name in calls.split(", "):
            self.act(name)

    def act(self, name: str) -> None:
        apply(self.state, naive.ACTIONS.index(name))
        self.twin.act(name)
        self.compare()

    def play(self, *cards: str) -> None:
        for card in cards:
            self.act(f"play {card}")

    def event(self, kind: str, seat: int, holds: bool | None = None) -> None:
        """``holds``: the answer to a claim that is too early for the twin's search."""
        self.twin.verdict = holds
        assert is_legal_event(self.state, EVENTS.index(kind), seat)
        apply_event(self.state, EVENTS.index(kind), seat)
        self.twin.event(kind, seat)
        self.compare()

    def compare(self) -> None:
        same_events(self.state, self.twin)
        if self.twin.result is not None:
            assert result_of(self.state) == self.twin.result

    @property
    def result(self) -> dict[str, Any]:
        assert self.state["phase"] == OVER
        return result_of(self.state)


F18 = "pass, pass, bid 18"
CLUBS = f"{F18}, pick up, play C7, play D7, declare C"
TRICK_1 = ("CJ", "S7", "HQ")
TRICK_2 = ("SJ", "S8", "H7")


# -- the declarer concedes --------------------------------------------------------------------------------------------------


def test_declarer_concedes_alone_while_he_holds_nine_cards() -> None:
    table = Table({"concede_policy": "isko"}, CLUBS)
    table.play("CJ")
    assert bin(int(table.state["hands"][0])).count("1") == 9
    table.event("concede", 0)
    # With 11 trumps but one: with 11 would be 12 × 12; the discards count as matadors.
    assert table.result["end"] == "conceded" and not table.result["won"]
    assert table.result["value"] == 12 * (11 + 1) and table.result["score"] == -2 * 144


def test_with_eight_cards_he_needs_consent() -> None:
    table = Table({"concede_policy": "isko"}, CLUBS)
    table.play(*TRICK_1, "SJ")
    table.event("concede", 0)
    assert table.state["phase"] == ANSWER and table.state["to_move"] == 1


@pytest.mark.parametrize("willing", [1, 2])
def test_either_defender_may_consent(willing: int) -> None:
    table = Table({"concede_policy": "isko"}, CLUBS)
    table.play(*TRICK_1, "SJ")
    table.event("concede", 0)
    table.event("accept", willing)
    assert table.result["end"] == "conceded" and not table.result["won"]


def test_the_second_defender_is_asked_and_the_first_may_think_again() -> None:
    table = Table({"concede_policy": "isko"}, CLUBS)
    table.play(*TRICK_1, "SJ")
    table.event("concede", 0)
    table.act("play on")
    assert table.state["phase"] == ANSWER and table.state["to_move"] == 2
    assert not is_legal_event(table.state, EVENTS.index("play_on"), 1)
    table.event("accept", 1)
    assert table.result["end"] == "conceded"


def test_both_refuse_and_play_goes_on_with_one_refusal_a_trick() -> None:
    table = Table({"concede_policy": "isko"}, CLUBS)
    table.play(*TRICK_1, "SJ")
    table.event("concede", 0)
    table.act("play on")
    table.act("play on")
    assert table.state["phase"] == PLAY and table.state["to_move"] == 1  # whose card was due
    assert not is_legal_event(table.state, EVENTS.index("concede"), 0)
    table.play("S8", "H7")
    assert is_legal_event(table.state, EVENTS.index("concede"), 0)  # the next trick


def test_a_secured_win_cannot_be_conceded_away() -> None:
    """61 points are in (rules 4.2); the same with schneider announced and 90 points."""
    rules = {"concede_policy": "isko"}
    table = Table(rules, f"{F18}, pick up, play CA, play CT, declare G")  # 21 put away
    table.play("CJ", "HA", "DA", "SJ", "HT", "DT")  # 24 + 22
    table.play("HJ", "HK", "DK")
    assert table.twin.own_points >= 61
    table.event("concede", 0)
    table.event("accept", 1)
    assert table.result["won"] and not table.result["schneider"]

    table = Table(rules, f"{F18}, declare GHS")
    table.play("CJ", "HA", "DA", "SJ", "HT", "DT", "HJ", "HK", "DK", "DJ", "SA", "DQ", "CA", "ST", "D9")
    assert table.twin.own_points >= 90
    table.event("concede", 0)
    table.event("accept", 1)
    assert table.result["won"] and table.result["value"] == 24 * (4 + 1 + 1 + 2)


def test_announced_schwarz_is_not_secured_before_the_last_trick() -> None:
    for rules in ({"concede_policy": "isko"}, {"concede_policy": "award_rest"}):
        table = Table(rules, f"{F18}, declare GO")
        table.event("concede", 0)
        assert not table.result["won"] and table.result["score"] == -2 * 24 * 11


def test_conceded_with_defenders_at_ninety_counts_their_schneider() -> None:
    """Forehand plays diamonds with low cards; his opponents have taken 90 points when he gives up by consent."""
    low = {"D7", "D8", "D9", "H7", "H8", "H9", "S7", "S8", "C7", "C8"}
    fat = {"CJ", "HJ", "DA", "DT", "HA", "HT", "SA", "ST", "CA", "CT"}
    other = naive.PACK - low - fat - {"C9", "S9"}
    table = Table(
        {"concede_policy": "isko"}, f"{F18}, pick up, play C9, play S9, declare D", (low, fat, set(other)), {"C9", "S9"}
    )
    while table.twin.lost_points < 90:
        legal = sorted(table.twin.legal() - {"concede", "claim"})
        table.act((min if table.state["to_move"] == 0 else max)(legal, key=lambda name: naive.RANK_POINTS[name[-1]]))
    table.event("concede", 0)
    table.event("accept", 1)
    assert not table.result["won"] and table.result["schneider"] and table.result["value"] == 9 * (8 + 1 + 1)


def test_null_conceded_is_lost() -> None:
    table = Table({"concede_policy": "isko"}, f"{F18}, declare NH")
    table.event("concede", 0)
    assert (table.result["value"], table.result["score"]) == (35, -70)


@pytest.mark.parametrize(("bid", "value"), [("D", 54), ("H", 50), ("S", 55), ("C", 60), ("G", 72)])
def test_conceding_after_a_bid_of_fifty_costs_the_bid(bid: str, value: int) -> None:
    """The seeds' figures: hands with one matador, conceded at 50 (rules 4.4)."""
    middlehand = {"CJ", "HJ", "DA", "HA", "SA", "CA", "DK", "HK", "SK", "CK"}
    rest = sorted(naive.PACK - middlehand - {"D7", "H7", "SJ"})
    # Forehand's last chance is 18 only: middlehand bids 50 and forehand passes.
    table = Table(
        {"concede_policy": "isko"},
        f"bid 50, pass, pass, pick up, play D7, play H7, declare {bid}",
        (set(rest[:9]) | {"SJ"}, middlehand, set(rest[9:])),
        {"D7", "H7"},
    )
    table.event("concede", 1)
    assert (table.result["value"], table.result["score"], table.result["overbid"]) == (value, -2 * value, True)


# -- a defender concedes ----------------------------------------------------------------------------------------------------


def test_one_defender_ends_it_and_only_the_plain_level_counts() -> None:
    table = Table({"concede_policy": "isko"}, f"{F18}, pick up, play C7, play D7, declare G")
    table.play(*TRICK_1)
    table.event("concede", 2)
    assert table.state["to_move"] == 0
    table.act("accept")
    assert table.result["end"] == "defenders_conceded" and table.result["won"]
    assert table.result["value"] == 24 * 5 and not table.result["schneider"]


def test_the_declarer_may_play_on_and_cannot_lose_the_plain_game() -> None:
    """He demands to play on for schneider, then gives the rest away: still won at the plain level."""
    weak = {"DJ", "HJ", "S7", "S8", "C7", "C8", "D7", "D8", "H7", "H8"}
    rest = sorted(naive.PACK - weak - {"C9", "D9"})
    table = Table(
        {"concede_policy": "isko"},
        f"{F18}, pick up, play C9, play D9, declare G",
        (weak, set(rest[:10]), set(rest[10:])),
        {"C9", "D9"},
    )
    table.event("concede", 1)
    table.act("play on")
    assert not is_legal_event(table.state, EVENTS.index("concede"), 1)  # once a trick
    while table.state["phase"] != OVER:
        table.act(min(table.twin.legal() - {"concede", "claim"}))
    assert table.result["points"] < 61 and table.result["won"]
    assert table.result["value"] == 24 * (2 + 1) and not table.result["schneider"]


@pytest.mark.parametrize(("points", "credited"), [(True, True), (False, False)])
def test_a_level_he_needs_is_credited_if_still_possible(points: bool, credited: bool) -> None:
    """Hearts without 2 at a bid of 40 need schneider; credited while the defenders have 30 or fewer."""
    forehand = {"HJ", "DJ", "HA", "HT", "HK", "HQ", "H9", "H8", "D7", "S7"}
    other = {"CJ", "SJ", "DA", "DT", "DK", "SA", "ST", "SK", "CA", "CT"}
    third = naive.PACK - forehand - other - {"C7", "C8"}
    table = Table(
        {"concede_policy": "isko"},
        "pass, bid 40, hold, pass, pick up, play C7, play C8, declare H",
        (forehand, set(third), other),
        {"C7", "C8"},
    )
    if not points:
        table.play("D7", "DQ", "DA")
        table.play("DT", "DJ", "D9")
        table.play("S7", "SQ", "SA")
        table.play("SK", "HJ", "S9")
        while table.twin.lost_points <= 30:
            legal = table.twin.legal() - {"concede", "claim"}
            own = table.state["to_move"] == 0
            table.act((min if own else max)(legal, key=lambda name: naive.RANK_POINTS[name[-1]]))
    table.event("concede", 1)
    table.act("accept")
    assert table.result["won"] == credited and table.result["overbid"] != credited
    assert table.result["score"] == (40 if credited else -80)


def test_announced_schneider_credited_or_lost() -> None:
    table = Table({"concede_policy": "isko"}, f"{F18}, declare GHS")
    table.event("concede", 1)
    table.act("accept")
    assert table.result["won"] and table.result["value"] == 24 * 8


def test_defenders_concede_null() -> None:
    table = Table({"concede_policy": "isko"}, f"{F18}, declare NH")
    table.event("concede", 2)
    table.act("accept")
    assert table.result["won"] and table.result["score"] == 35


# -- award_rest -----------------------------------------------------------------------------------------------------------------


def test_award_rest_needs_both_defenders() -> None:
    table = Table({"concede_policy": "award_rest"}, f"{F18}, pick up, play C7, play D7, declare G")
    table.event("concede", 1)
    assert table.state["phase"] == PLAY
    assert not is_legal_event(table.state, EVENTS.index("concede"), 1)
    table.play(*TRICK_1)
    assert not is_legal_event(table.state, EVENTS.index("concede"), 1)  # a resignation lasts
    table.event("concede", 2)
    assert table.result["won"] and table.result["points"] == 120 and table.result["tricks"] == (10, 0)
    assert table.result["value"] == 24 * 7


def test_award_rest_gives_no_levels_before_a_trick_is_complete() -> None:
    table = Table({"concede_policy": "award_rest"}, CLUBS)
    table.play("CJ", "S7")
    table.event("concede", 0)
    assert not table.result["won"] and not table.result["schneider"] and not table.result["schwarz"]


def test_award_rest_counts_the_complete_tricks() -> None:
    hands = (REDS, SPADES, STRONG)
    table = Table({"concede_policy": "award_rest"}, f"{F18}, pick up, play C7, play D7, declare D", hands)
    table.play("DA", "HA", "CJ")
    table.event("concede", 0)
    assert table.result["schneider"] and table.result["schwarz"] and table.result["tricks"] == (0, 1)


# -- claims -----------------------------------------------------------------------------------------------------------------------


def test_a_good_claim_takes_the_rest() -> None:
    table = Table({"claims": "reject"}, f"{F18}, pick up, play C7, play D7, declare G")
    table.event("claim", 0, holds=True)
    assert table.result["won"] and table.result["points"] == 120 and table.result["schwarz"]


def test_a_bad_claim_is_refused_once_a_trick() -> None:
    table = Table({"claims": "reject"}, f"{F18}, pick up, play C7, play D7, declare G")
    table.event("claim", 1, holds=False)
    assert table.state["phase"] == PLAY and not is_legal_event(table.state, EVENTS.index("claim"), 1)
    assert is_legal_event(table.state, EVENTS.index("claim"), 2)
    table.play(*TRICK_1)
    assert is_legal_event(table.state, EVENTS.index("claim"), 1)


def test_a_bad_claim_may_cost_the_rest() -> None:
    table = Table({"claims": "penalise"}, f"{F18}, pick up, play C7, play D7, declare G")
    table.event("claim", 2, holds=False)
    assert table.result["end"] == "refused_claim" and table.result["won"] and table.result["points"] == 120

    table = Table({"claims": "penalise"}, f"{F18}, pick up, play C7, play D7, declare D")
    table.event("claim", 0, holds=False)
    assert not table.result["won"] and table.result["tricks"] == (0, 10)


def test_a_bad_claim_does_not_lose_61_points() -> None:
    table = Table({"claims": "penalise"}, f"{F18}, pick up, play CA, play CT, declare D", (STRONG, SPADES, REDS))
    table.play("CJ", "HA", "D8", "SJ", "HT", "D9", "HJ", "HK", "DQ", "DJ", "SA", "DK")
    assert table.twin.own_points >= 61
    table.event("claim", 0)
    assert table.result["end"] == "refused_claim" and table.result["won"]


def test_claims_in_null() -> None:
    table = Table({"claims": "penalise"}, f"{F18}, declare NH")
    assert not is_legal_event(table.state, EVENTS.index("claim"), 1)
    table.event("claim", 0, holds=False)
    assert not table.result["won"] and table.result["score"] == -70


def test_small_endings_by_brute_force() -> None:
    """Whether a claim holds, against a search that tries everything: every seat, every moment of the last four tricks."""
    rng = random.Random(11)
    tried = good = 0

    def check(state: Any, twin: naive.NaiveGame) -> None:
        nonlocal tried, good
        if twin.phase != "play" or len(twin.plays) < 18:
            return
        assert twin.contract is not None
        hands = (frozenset(twin.hands[0]), frozenset(twin.hands[1]), frozenset(twin.hands[2]))
        for seat in range(3):
            if not twin.legal_event("claim", seat):
                continue
            holds = naive.takes_all(hands, twin.contract[0], seat, twin.leader, tuple(twin.table))
            copy = state.copy()
            apply_event(copy, EVENTS.index("claim"), seat)
            assert (copy["phase"] == OVER) == holds
            tried += 1
            good += holds

    for _ in range(scaled(250)):
        play_both(rng, {"claims": "reject"}, 0.0, check)
    assert tried > scaled(1000) and 0 < good < tried


def test_the_claims_of_the_rule_text() -> None:
    """A defender whose partner would take one, and CJ HA against HJ H7 (traps 39, 40)."""
    cases = [
        # declarer has nothing left worth naming; middlehand's claim fails because rearhand's trump takes one
        (({"H7"}, {"HA"}, {"CJ"}), "G", 1, 1, False),
        (({"CJ", "HA"}, {"HJ", "H7"}, {"D7", "D8"}), "H", 0, 0, False),
        (({"CJ", "HA"}, {"HJ", "H7"}, {"D7", "D8"}), "G", 0, 0, True),
        (({"CJ", "HA"}, {"S7", "H7"}, {"D7", "D8"}), "G", 0, 0, True),
    ]
    for hands, game, claimant, leader, holds in cases:
        frozen = tuple(frozenset(hand) for hand in hands)
        assert naive.takes_all(frozen, game, claimant, leader, ()) == holds
        masks = np.array([mask_of(hand) for hand in hands], dtype=np.int64)
        table = np.zeros(3, dtype=np.int64)
        assert bool(claim_holds(masks, "DHSCGN".index(game), 0, claimant, leader, table, 0)) == holds


# -- time-outs, leaving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["time_out", "leave"])
def test_before_the_declaration_nobody_is_scored(kind: str) -> None:
    for calls in ("bid 18", F18, f"{F18}, pick up"):
        for seat in range(3):
            table = Table({}, calls)
            table.event(kind, seat)
            assert table.result == {"end": {"time_out": "timed_out", "leave": "left"}[kind], "seat": seat}


@pytest.mark.parametrize("kind", ["time_out", "leave"])
def test_in_play_the_declarer_loses_or_the_defenders_give_up(kind: str) -> None:
    table = Table({}, CLUBS)
    table.play(*TRICK_1)
    table.event(kind, 0)
    assert not table.result["won"]
    table = Table({}, CLUBS)
    table.event(kind, 2)
    assert table.result["won"] and table.result["points"] == 120
    table = Table({}, f"{F18}, declare NH")
    table.event(kind, 1)
    assert table.result["won"] and table.result["score"] == 35


def test_leaving_loses_even_with_61_points() -> None:
    table = Table({}, f"{F18}, pick up, play CA, play CT, declare G")
    table.play("CJ", "HA", "DA", "SJ", "HT", "DT", "HJ", "HK", "DK")
    assert table.twin.own_points >= 61
    table.event("leave", 0)
    assert not table.result["won"]


def test_nothing_is_possible_where_it_is_off_or_over() -> None:
    table = Table({}, CLUBS)
    for kind in ("concede", "claim", "accept", "play_on"):
        assert not any(is_legal_event(table.state, EVENTS.index(kind), seat) for seat in (-1, 0, 1, 2, 3))
    assert not is_legal_event(table.state, 17, 0)
    table.event("leave", 1)
    assert not any(is_legal_event(table.state, kind, seat) for kind in range(6) for seat in range(3))


@pytest.mark.parametrize("policy", ["isko", "award_rest"])
@pytest.mark.parametrize("claims", ["reject", "penalise"])
def test_games_full_of_events(policy: str, claims: str) -> None:
    rng = random.Random(policy + claims)
    rules = [r for r in ALL_RULES if r["concede_policy"] == policy and r["claims"] == claims]
    for _ in range(scaled(150)):
        play_both(rng, rng.choice(rules), 0.4)
    assert str(Rules(**rules[0])) != "-"
