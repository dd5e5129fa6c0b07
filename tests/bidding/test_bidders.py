"""Bidders: limits of agents, functions and claims; bidders at the table; what is refused."""

from __future__ import annotations

import pickle
import sys
from collections import Counter

import numpy as np
import pytest

from skatai.agent import BaseAgent, make_agent
from skatai.arena import Tournament
from skatai.auction import ladder
from skatai.bidding import (
    AgentBidder,
    BiddingAgent,
    FunctionBidder,
    RuleBidder,
    ThresholdBidder,
    make_bidder,
    makes_claims,
)
from skatai.bidding.outcomes import all_hands
from skatai.bidding.protocol import bid_indices, check_hands
from skatai.bidding.sources import source_digest
from skatai.cards import CardSet
from skatai.deal import Deal, deals_from_seed
from skatai.errors import AgentError, SkatError
from skatai.game import Game
from skatai.kernels.action_ids import BID_VALUES, FIRST_BID, HOLD, PASS
from skatai.rng import Rng
from skatai.rules import Rules

HANDS, SEATS = all_hands(deals_from_seed(2, 20))


class UpTo(BaseAgent):
    """Calls up to a value in single steps, or names it at once; then acts at random."""

    def __init__(self, value, jump=False, by_seat=(0, 0, 0)):
        self.name = f"up-to-{value}"
        self.value, self.jump, self.by_seat, self.seen = value, jump, by_seat, []

    def act(self, view, rng):
        limit = self.value + self.by_seat[view.seat]
        self.seen.append((view.seat, tuple(view.calls)))
        if HOLD in view.legal_actions:
            return HOLD if view.bid <= limit else PASS
        bids = [a for a in view.legal_actions if a >= FIRST_BID and BID_VALUES[a - FIRST_BID] <= limit]
        return PASS if not bids else bids[-1] if self.jump else bids[0]

    def win_chance(self, view, rng):
        return (view.dealt.mask % 97) / 200 + 0.5 - view.bid / 1000  # depends on hand and bid alone


def some(n):
    return HANDS[:n], SEATS[:n]


@pytest.mark.parametrize("jump", [False, True])
@pytest.mark.parametrize(("value", "limit"), [(0, 0), (17, 0), (18, 18), (19, 18), (24, 24), (264, 264), (999, 264)])
def test_the_limit_of_an_agent_is_the_last_value_it_goes_along_with(value, limit, jump):
    bidder = AgentBidder(UpTo(value, jump))
    assert bidder.limits(*some(6), Rules()).tolist() == [limit] * 6


def test_the_auction_in_which_an_agent_is_asked():
    agent = UpTo(20)
    AgentBidder(agent).limits(HANDS[:3], np.array([0, 1, 2]), Rules())
    assert agent.seen == [
        (0, ((1, "18"),)),
        (1, ()),
        (2, ((1, "pass"),)),
        (0, ((1, "18"), (0, "hold"), (1, "20"))),
        (1, ((1, "18"), (0, "hold"))),
        (2, ((1, "pass"), (2, "18"), (0, "hold"))),
        (0, ((1, "18"), (0, "hold"), (1, "20"), (0, "hold"), (1, "22"))),
        (1, ((1, "18"), (0, "hold"), (1, "20"), (0, "hold"))),
        (2, ((1, "pass"), (2, "18"), (0, "hold"), (2, "20"), (0, "hold"))),
    ]


def test_the_rule_player_asked_like_any_agent_has_its_compiled_limits():
    expected = RuleBidder().limits(HANDS, SEATS, Rules())
    assert AgentBidder("rule").limits(HANDS, SEATS, Rules()).tolist() == expected.tolist()
    assert {0, 18} < set(expected.tolist()) <= {0, *ladder()}
    assert make_bidder("rule:margin=-40").limits(HANDS, SEATS, Rules()).sum() > expected.sum()


def test_a_limit_depends_on_hand_seat_and_seed_only():
    one, two = AgentBidder("random", seed=1), AgentBidder("random", seed=2)
    limits = one.limits(HANDS, SEATS, Rules())
    back = one.limits(HANDS[::-1].copy(), SEATS[::-1].copy(), Rules())[::-1]
    alone = [int(one.limits(HANDS[i : i + 1], SEATS[i : i + 1], Rules())[0]) for i in range(len(HANDS))]
    assert limits.tolist() == back.tolist() == alone
    assert limits.tolist() != two.limits(HANDS, SEATS, Rules()).tolist()


def test_no_hands():
    nothing = np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.int64)
    for bidder in (RuleBidder(), AgentBidder("rule"), FunctionBidder(lambda hand: 18), ThresholdBidder("rule", 0.6)):
        assert bidder.limits(*nothing, Rules()).shape == (0,)


def test_claims_of_an_agent_are_asked_before_the_pick_up():
    bidder = AgentBidder(UpTo(18))
    bids = np.array([18, 24, 48])
    expected = [(int(hand) % 97) / 200 + 0.5 - bid / 1000 for hand, bid in zip(HANDS, bids, strict=False)]
    assert bidder.win_chances(HANDS[:3], SEATS[:3], bids, Rules()).tolist() == pytest.approx(expected)
    assert makes_claims(bidder) and makes_claims(RuleBidder())
    assert not makes_claims(AgentBidder("random")) and not makes_claims(FunctionBidder(lambda hand: 0))
    with pytest.raises(AgentError, match="'random': it makes no claims"):
        AgentBidder("random").win_chances(HANDS[:1], SEATS[:1], bids[:1], Rules())


@pytest.mark.jit
def test_compiled_claims_are_the_rule_agents():
    bids = np.array(ladder())[np.arange(12) % 20]
    compiled = RuleBidder().win_chances(*some(12), bids, Rules())
    assert compiled.tolist() == AgentBidder("rule").win_chances(*some(12), bids, Rules()).tolist()
    assert ((compiled >= 0) & (compiled <= 1)).all()


def test_a_threshold_goes_up_while_the_claim_is_high_enough():
    bidder = ThresholdBidder(UpTo(0), 0.7)
    limits = bidder.limits(*some(30), Rules())
    for hand, limit in zip(HANDS.tolist(), limits.tolist(), strict=False):
        claims = {value: (hand % 97) / 200 + 0.5 - value / 1000 for value in ladder()}
        assert limit == max((value for value in ladder() if claims[value] >= 0.7), default=0)
    assert bidder.name == "up-to-0@0.7"


def test_functions():
    assert FunctionBidder(lambda hand: 18 if len(hand) == 10 else 0).limits(*some(3), Rules()).tolist() == [18] * 3
    with_seat = FunctionBidder(lambda hand, seat: (0, 18, 20)[seat])
    assert with_seat.limits(*some(6), Rules()).tolist() == [0, 18, 20] * 2
    jacks = make_bidder(lambda hand: BID_VALUES[sum(card.rank == 7 for card in hand)])  # NumPy's integers will do
    expected = [int(BID_VALUES[sum(c.rank == 7 for c in CardSet(int(h)))]) for h in HANDS[:9]]
    assert jacks.limits(*some(9), Rules()).tolist() == expected


@pytest.mark.parametrize("answer", [19, -18, 300, 18.0, "18", None, True])
def test_answers_that_are_no_limit(answer):
    with pytest.raises(SkatError, match=r"hand .*expected 0 or a value of the ladder"):
        FunctionBidder(lambda hand: answer, "mine").limits(*some(1), Rules())


def test_what_a_function_raises_is_named():
    def broken(hand):
        raise KeyError("jack")

    with pytest.raises(SkatError, match=r"bidder 'broken', hand .* KeyError: 'jack'"):
        FunctionBidder(broken).limits(*some(1), Rules())
    with pytest.raises(SkatError, match="a function of 3 arguments"):
        FunctionBidder(lambda a, b, c: 0)
    with pytest.raises(SkatError, match="a function of 0 arguments"):
        FunctionBidder(lambda: 0)


def test_functions_by_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def bold(hand):\n    return 264\n\nnumber = 3\n")
    bidder = make_bidder(f"{file}:bold")
    assert bidder.limits(*some(2), Rules()).tolist() == [264, 264]
    assert pickle.loads(pickle.dumps(bidder)).limits(*some(1), Rules()).tolist() == [264]
    for text, words in (
        (f"{file}:shy", "has no function 'shy'"),
        (f"{file}:number", "has no function 'number'"),
        (f"{tmp_path}/none.py:bold", "cannot be loaded"),
        ("no_such_module:bold", "no_such_module cannot be loaded: ModuleNotFoundError"),
    ):
        with pytest.raises(SkatError, match=words):
            make_bidder(text)
    for text, words in (
        ("1 / 0\n", "ZeroDivisionError"),
        ("import sys\nsys.exit(5)\n", "cannot be loaded: SystemExit: 5"),
    ):
        file.write_text(text)
        with pytest.raises(SkatError, match=words):
            make_bidder(f"{file}:bold")
    file.write_text("class Bold:\n    def __call__(self, hand):\n        return 18\n\nbold = Bold()\n")
    assert make_bidder(f"{file}:bold").limits(*some(2), Rules()).tolist() == [18, 18]
    for text, words in (
        (f"{file}:Bold", "Bold is a class"),
        (str(file), f"which function of the file. Expected {file}:NAME"),
        (f"{file}:", "which function of the file"),
    ):
        with pytest.raises(SkatError, match=words):
            make_bidder(text)


OBJECT = """
import numpy as np

class Steady:
    def __init__(self, limit):
        self.limit = limit

    def limits(self, hands, seats, rules):
        return np.full(len(hands), self.limit)

class Sure(Steady):
    def win_chances(self, hands, seats, bids, rules):
        return np.full(len(hands), 0.7)

steady, other, sure = Steady(18), Steady(20), Sure(22)
"""


def test_objects_that_have_limits_by_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(OBJECT)
    bidder = make_bidder(f"{file}:steady")
    assert bidder.name == f"{file}:steady" and not makes_claims(bidder)
    assert bidder.limits(*some(2), Rules()).tolist() == [18, 18]
    assert pickle.loads(pickle.dumps(bidder)).limits(*some(1), Rules()).tolist() == [18]
    sure = make_bidder(f"{file}:sure")
    assert makes_claims(sure) and make_bidder(f"{file}:sure@0.6").limits(*some(1), Rules()).tolist() == [264]
    digests = [source_digest(f"{file}:{name}", make_bidder(f"{file}:{name}")) for name in ("steady", "steady", "other")]
    assert digests[0] == digests[1] != digests[2]
    with pytest.raises(SkatError, match="Steady is a class"):
        make_bidder(f"{file}:Steady")


def test_a_file_of_functions_finds_its_neighbours_and_its_own_dataclasses(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", list(sys.path))
    (tmp_path / "values_beside.py").write_text("LIMIT = 20\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from values_beside import LIMIT\n"
        "@dataclass\n"
        "class Settings:\n"
        "    limit: int = LIMIT\n"
        "def bold(hand):\n"
        "    return Settings().limit\n"
    )
    assert make_bidder(f"{file}:bold").limits(*some(2), Rules()).tolist() == [20, 20]


def test_a_function_that_leaves_the_program_is_named():
    def leaves(hand):
        sys.exit(3)

    with pytest.raises(SkatError, match=r"bidder 'leaves', hand .* SystemExit: 3"):
        FunctionBidder(leaves).limits(*some(1), Rules())


def test_any_arguments_are_one():
    def anything(*arguments):
        return 18 if len(arguments) == 1 else 0

    assert FunctionBidder(anything).limits(*some(2), Rules()).tolist() == [18, 18]


def test_making_bidders():
    assert isinstance(make_bidder("rule"), RuleBidder) and make_bidder("rule").name == "rule"
    assert isinstance(make_bidder("pimc:worlds=5"), AgentBidder)
    assert make_bidder("rule+random").name == "rule+random"
    assert isinstance(make_bidder(make_agent("random")), AgentBidder)
    assert isinstance(make_bidder("rule@0.6"), ThresholdBidder)
    bidder = RuleBidder()
    assert make_bidder(bidder) is bidder
    for spec, words in (
        ("nobody", "no agent 'nobody'"),
        ("open", "sees all cards"),
        ("rule:worlds=3", "rule has the option margin"),
        ("rule:margin=x", "rule has the option margin"),
        ("random@0.5", "'random' makes no claims"),
        ("rule:margin=nan", "margin nan"),
        ("rule@1.5", "threshold 1.5"),
        ("rule@-1", "threshold -1.0"),
        ("rule@0.5.5", "threshold '0.5.5'"),
        ("rule@", "threshold ''"),
        ("pimc:worlds", "'worlds' is not option=value"),
        (3, "neither a text, a bidder, an agent nor a function"),
        (RuleBidder, "RuleBidder is a class"),
    ):
        with pytest.raises(SkatError, match=words):
            make_bidder(spec)


def test_arrays_are_checked():
    for hands, seats, words in (
        ([1023, 511], [0, 1], "a hand of 9 cards"),
        ([1023], [3], "seats from 3 to 3"),
        ([1023], [0, 1], "expected .n,. both"),
    ):
        with pytest.raises(SkatError, match=words):
            check_hands(hands, seats)
    with pytest.raises(SkatError, match="19 is not a value"):
        bid_indices([18, 19])
    assert BID_VALUES[bid_indices(ladder())].tolist() == list(ladder())


# -- at the table -----------------------------------------------------------------------------------------------------


def test_an_agent_calls_by_the_limit():
    shy, bold = BiddingAgent(FunctionBidder(lambda hand: 20)), BiddingAgent(FunctionBidder(lambda hand: 24))
    game = Game(Deal.random(1))
    agents = [shy, bold, BiddingAgent(FunctionBidder(lambda hand: 0))]
    while game.phase == "auction":
        game.play(agents[game.to_move].act(game.view(game.to_move), Rng(0)))
    assert game.calls == [(1, "18"), (0, "hold"), (1, "20"), (0, "hold"), (1, "22"), (0, "pass"), (2, "pass")]
    rule = make_agent("rule")
    while not game.is_over:
        view = game.view(game.to_move)
        action = agents[game.to_move].act(view, Rng(0))
        assert action == rule.act(view, Rng(0))
        game.play(action)


@pytest.mark.parametrize(("limit", "declarer"), [(0, None), (18, 0)])
def test_forehands_last_chance_follows_the_limit(limit, declarer):
    agent, game = BiddingAgent(FunctionBidder(lambda hand, seat: limit if seat == 0 else 0)), Game(Deal.random(1))
    while game.phase == "auction":
        game.play(agent.act(game.view(game.to_move), Rng(0)))
    assert game.declarer == declarer


def test_a_hand_is_asked_for_once():
    asked = Counter()

    def counting(hand):
        asked[hand] += 1
        return 264

    agent, game = BiddingAgent(FunctionBidder(counting)), Game(Deal.random(1))
    while game.phase == "auction":
        game.play(agent.act(game.view(game.to_move), Rng(0)))
    assert set(asked.values()) == {1} and len(asked) == 3


@pytest.mark.jit
def test_a_tournament_of_bidders_is_the_same_in_processes(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def bold(hand):\n    return 24 if sum(c.rank == 7 for c in hand) > 1 else 0\n")
    agents = [BiddingAgent(make_bidder(f"{file}:bold")), BiddingAgent(RuleBidder(-20.0))]
    tournament = Tournament(agents, deals_from_seed(5, 4), seed=1, mode="bidding")
    alone = tournament.run().records
    shared = tournament.run(workers=2, backend="processes").records
    assert [record.same_game for record in alone] == [record.same_game for record in shared]
    assert {record.contract for record in alone} != {None}


def test_an_agent_from_a_text():
    agent, same = BiddingAgent("rule:margin=-20"), BiddingAgent(RuleBidder(-20.0))
    assert agent.name == "rule:margin=-20"
    for seed in range(20):
        view = Game(Deal.random(seed)).view(1)
        assert agent.act(view, Rng(0)) == same.act(view, Rng(0))
    with pytest.raises(SkatError, match="no agent 'nobody'"):
        BiddingAgent("nobody")


def test_what_plays_on_must_be_honest():
    with pytest.raises(AgentError, match="sees all cards"):
        BiddingAgent(RuleBidder(), rest="open")
