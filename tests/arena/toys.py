"""Small agents for tests; they can be pickled for worker processes."""

from __future__ import annotations

from collections.abc import Sequence

from skatai.agent import BaseAgent
from skatai.game import Game
from skatai.kernels.rollouts import random_action
from skatai.rng import Rng
from skatai.view import PlayerView


class Uniform(BaseAgent):
    """Next bid or hold with p = 1/2, all else uniform."""

    name = "uniform"

    def act(self, view: PlayerView, rng: Rng) -> int:
        return int(random_action(view.state, rng.state))


class Lowest(BaseAgent):
    """The first legal action; bids 18 on two jacks."""

    name = "lowest"

    def act(self, view: PlayerView, rng: Rng) -> int:
        jacks = (view.hand.mask & 0x80808080).bit_count()
        if view.phase == "auction" and view.bid < 18 and jacks >= 2:
            return view.legal_actions[-1] if 33 in view.legal_actions else view.legal_actions[1]
        return view.legal_actions[0]


class Batching(Uniform):
    """Like ``Uniform``, counting how large its batches were."""

    name = "batching"

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def act_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[int]:
        self.sizes.append(len(views))
        return super().act_batch(views, rngs)


class OpenUniform(BaseAgent):
    """Sees everything and acts like ``Uniform``."""

    name = "open-uniform"
    sees_all = True

    def act_open(self, game: Game, rng: Rng) -> int:
        return int(random_action(game.state, rng.state))


class Illegal(Uniform):
    """Plays an illegal card in the third trick."""

    name = "illegal"

    def act(self, view: PlayerView, rng: Rng) -> int:
        if len(view.plays) >= 6:
            return next(card for card in range(32) if card not in view.legal_actions)
        return super().act(view, rng)


class Failing(Uniform):
    """Raises when it sees a trick."""

    name = "failing"

    def act(self, view: PlayerView, rng: Rng) -> int:
        if view.trick:
            raise RuntimeError("no idea\nat all")
        return super().act(view, rng)


class Claiming(Uniform):
    """Like ``Uniform``; claims to win with the share of trumps-to-be among its cards, shifted by its random stream."""

    name = "claiming"

    def win_chance(self, view: PlayerView, rng: Rng) -> float:
        assert view.declarer == view.seat and view.phase == "play" and not view.plays
        return (view.hand.mask & 0x80808080).bit_count() / 5 + 0.2 * rng.random()


class BatchClaiming(Claiming):
    """Likewise, many at once."""

    def win_chance_batch(self, views: Sequence[PlayerView], rngs: Sequence[Rng]) -> list[float]:
        return [self.win_chance(view, rng) for view, rng in zip(views, rngs, strict=True)]
