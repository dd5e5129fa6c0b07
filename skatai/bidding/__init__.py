"""Evaluation of bidding: how good limits, claims and contracts are, with the card play held fixed.

* :mod:`skatai.bidding.bidders`, :mod:`~skatai.bidding.agents`, :mod:`~skatai.bidding.onnx`: what bids
* :mod:`skatai.bidding.outcomes`: every hand made declarer; :mod:`~skatai.bidding.claims`: whether claims come true
* :mod:`skatai.bidding.regret`: what passes and declarations cost; :mod:`~skatai.bidding.sweep`: bolder and shyer bidders
* :mod:`skatai.bidding.metrics`: what bidders do in the games of a tournament
* :mod:`skatai.bidding.agreement`: comparison with recorded people
* :mod:`skatai.bidding.evaluate`: all of it at once, resumable, for ``skatai bidding``; :mod:`~skatai.bidding.report`: as HTML
"""

from skatai.bidding.agents import AgentBidder, BiddingAgent
from skatai.bidding.agreement import Agreement, agreement
from skatai.bidding.bidders import FunctionBidder, OnnxBidder, RuleBidder, ThresholdBidder, make_bidder
from skatai.bidding.claims import Claims, claims_on_all_hands
from skatai.bidding.evaluate import Evaluation, evaluate_bidders
from skatai.bidding.hands import hands_of
from skatai.bidding.metrics import BiddingMetrics, bidding_metrics
from skatai.bidding.outcomes import Outcomes, Ventures, outcomes
from skatai.bidding.protocol import Bidder, makes_claims
from skatai.bidding.regret import Regret, hindsight_regret, rollout_regret
from skatai.bidding.report import write_report
from skatai.bidding.results import BiddingReport
from skatai.bidding.sweep import Sweep, sweep

__all__ = [
    "AgentBidder",
    "Agreement",
    "Bidder",
    "BiddingAgent",
    "BiddingMetrics",
    "BiddingReport",
    "Claims",
    "Evaluation",
    "FunctionBidder",
    "OnnxBidder",
    "Outcomes",
    "Regret",
    "RuleBidder",
    "Sweep",
    "ThresholdBidder",
    "Ventures",
    "agreement",
    "bidding_metrics",
    "claims_on_all_hands",
    "evaluate_bidders",
    "hands_of",
    "hindsight_regret",
    "make_bidder",
    "makes_claims",
    "outcomes",
    "rollout_regret",
    "sweep",
    "write_report",
]
