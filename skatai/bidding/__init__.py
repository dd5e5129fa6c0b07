"""Evaluation of bidding: how good limits, claims and contracts are, with the card play held fixed."""

from skatai.bidding.agents import AgentBidder, BiddingAgent
from skatai.bidding.bidders import FunctionBidder, OnnxBidder, RuleBidder, ThresholdBidder, make_bidder
from skatai.bidding.protocol import Bidder, makes_claims

__all__ = [
    "AgentBidder",
    "Bidder",
    "BiddingAgent",
    "FunctionBidder",
    "OnnxBidder",
    "RuleBidder",
    "ThresholdBidder",
    "make_bidder",
    "makes_claims",
]
