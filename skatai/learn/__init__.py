"""Neural networks for Skat: the only part of the library that imports PyTorch.

* :mod:`skatai.learn.network`: the network of all phases, and masked log-probabilities
* :mod:`skatai.learn.weights`: small, self-describing weight files
* :mod:`skatai.learn.checkpoints`: training that can be stopped and resumed at any time
* :mod:`skatai.learn.demonstrations`: decisions of the compiled rule player as training data
* :mod:`skatai.learn.imitation`: the loss of imitation and the accuracy on data held out
* :mod:`skatai.learn.bidder_export`: a network's bidding as an ONNX file
"""

from __future__ import annotations

from skatai.learn.bidder_export import export_bidder
from skatai.learn.checkpoints import load_checkpoint, save_checkpoint
from skatai.learn.network import (
    NetworkConfig,
    Outputs,
    Prediction,
    SkatNetwork,
    masked_log_probs,
    masked_probs,
    predict,
)
from skatai.learn.weights import load_network, read_metadata, save_network

__all__ = [
    "NetworkConfig",
    "Outputs",
    "Prediction",
    "SkatNetwork",
    "export_bidder",
    "load_checkpoint",
    "load_network",
    "masked_log_probs",
    "masked_probs",
    "predict",
    "read_metadata",
    "save_checkpoint",
    "save_network",
]
