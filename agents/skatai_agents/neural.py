"""The neural agent: one network for all phases, one forward pass for any number of tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skatai.agent import BaseAgent
from skatai.errors import AgentError
from skatai.kernels.encodings import ENCODING_SIZE, encode_batch
from skatai.rng import Rng
from skatai.view import PlayerView, stack_views
from skatai_agents.claims import check_claim

if TYPE_CHECKING:
    from skatai.learn import Prediction, SkatNetwork

__all__ = ["DEFAULT_WEIGHTS", "NeuralAgent"]

#: the weights that come with the package (see ``weights/README.md``)
DEFAULT_WEIGHTS = Path(__file__).with_name("weights") / "neural.safetensors"


@cache
def _network(path: Path, modified: int) -> SkatNetwork:
    """The network of a weight file in float64; one copy for all agents (``modified``: the file's time, in ns)."""
    from skatai.learn import load_network

    return load_network(path)[0].double()


class NeuralAgent(BaseAgent):
    """Plays the legal action with the highest merit: the network's logit plus ``trust`` times the advantage it expects.

    The logits imitate the rule player; the advantages are what an action is expected to gain over the rule player's, in list
    points. ``trust=0`` is imitation alone.

    It knows only its view, and its decisions do not depend on what else is in a batch: the network computes in float64, its
    outputs are rounded, and equal ones are settled by the lower id.

    Args:
        weights: a weight file of :mod:`skatai.learn.weights`; by default the packaged one.
        temperature: 0 for the best action; otherwise actions are drawn with probabilities ∝ exp(merit / temperature).
        trust: weight of the advantages, per list point.

    Raises:
        AgentError: a temperature or trust that is negative or not finite.
        SkatError: no such weights, or not for this version.
    """

    name = "neural"

    def __init__(self, weights: str = "", temperature: float = 0.0, trust: float = 0.1) -> None:
        for option, value in (("temperature", temperature), ("trust", trust)):
            if not 0 <= value < float("inf"):
                raise AgentError(f"neural: {option} {value}, expected a number from 0")
        self.temperature = float(temperature)
        self.trust = float(trust)
        self.weights = Path(weights) if weights else DEFAULT_WEIGHTS
        try:
            self._modified = self.weights.stat().st_mtime_ns
        except OSError:
            self._modified = 0  # load_network says what is wrong
        self.network()  # a bad file should fail here, not at the first decision

    def network(self) -> SkatNetwork:
        """The network, shared by all agents with these weights; not an attribute, so that agents pickle small."""
        return _network(self.weights.absolute(), self._modified)

    def act(self, view: PlayerView, rng: Rng) -> int:
        """The id of a legal action."""
        return self.act_batch([view], [rng])[0]

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        """One action for each view, by one forward pass."""
        legal = [view.legal_actions for view in views]
        actions = [ids[0] if len(ids) == 1 else -1 for ids in legal]
        rows = [row for row, action in enumerate(actions) if action < 0]  # choices that are not forced
        if rows:
            for row, merits in zip(rows, self._merits([views[row] for row in rows]), strict=True):
                actions[row] = self._pick(legal[row], merits[legal[row]], rngs[row])
        return actions

    def win_chance(self, view: PlayerView, rng: Rng) -> float:
        """The chance of winning as declarer, by the network's head for it; ``rng`` is not used.

        Raises:
            AgentError: not the declarer's view in ``skat``, or in ``play`` before the first card.
        """
        return self.win_chance_batch([view], [rng])[0]

    def win_chance_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[float]:
        """One chance for each view, by one forward pass."""
        for view in views:
            check_claim(self.name, view)
        return [float(chance) for chance in self._predict(views).win_probability] if views else []

    def _merits(self, views: Sequence[PlayerView]) -> NDArray[np.float64]:
        prediction = self._predict(views)
        return prediction.logits + self.trust * prediction.advantages

    def _predict(self, views: Sequence[PlayerView]) -> Prediction:
        from skatai.learn import predict

        states, seats = stack_views(views)
        encodings = np.empty((len(views), ENCODING_SIZE), dtype=np.int8)
        encode_batch(states, seats, encodings)
        return predict(self.network(), encodings)

    def _pick(self, legal: Sequence[int], merits: NDArray[np.float64], rng: Rng) -> int:
        if self.temperature == 0:
            return legal[int(merits.argmax())]  # the first of equals
        weights = np.exp((merits - merits.max()) / self.temperature)
        cumulated = np.cumsum(weights)
        return legal[
            int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right").clip(max=len(legal) - 1))
        ]
