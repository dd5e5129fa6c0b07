"""Evaluation of bidding: how good limits, claims and contracts are, with the card play held fixed.

* :mod:`skatai.bidding.protocol`, :mod:`~skatai.bidding.bidders`, :mod:`~skatai.bidding.agents`, :mod:`~skatai.bidding.onnx`: bidders
* :mod:`skatai.bidding.outcomes`: every hand made declarer; :mod:`~skatai.bidding.claims`: whether claims come true
* :mod:`skatai.bidding.regret`: what passes and declarations cost; :mod:`~skatai.bidding.sweep`: bolder and shyer bidders
* :mod:`skatai.bidding.agreement`: comparison with recorded people
* :mod:`skatai.bidding.evaluate`: all of it at once, for ``skatai bidding``
"""

from skatai.bidding.agents import AgentBidder, BiddingAgent
from skatai.bidding.bidders import FunctionBidder, OnnxBidder, RuleBidder, ThresholdBidder, make_bidder
from skatai.bidding.outcomes import Outcomes, Ventures, outcomes
from skatai.bidding.protocol import Bidder, makes_claims
from skatai.bidding.regret import Regret, hindsight_regret, rollout_regret
from skatai.bidding.sweep import Sweep, sweep

__all__ = [
    "AgentBidder",
    "Bidder",
    "BiddingAgent",
    "FunctionBidder",
    "OnnxBidder",
    "Outcomes",
    "Regret",
    "RuleBidder",
    "Sweep",
    "ThresholdBidder",
    "Ventures",
    "hindsight_regret",
    "make_bidder",
    "makes_claims",
    "outcomes",
    "rollout_regret",
    "sweep",
]
