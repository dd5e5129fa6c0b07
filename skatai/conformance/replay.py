"""What replaying recorded games needs."""

from __future__ import annotations

from skatai.game import Game

__all__ = ["auction_to", "trick_winners"]


def auction_to(declarer: int, bid: int) -> list[str]:
    """The shortest auction that makes a seat declarer at a value, as action names.

    >>> auction_to(0, 18), auction_to(0, 20)
    (['pass', 'pass', 'bid 18'], ['bid 20', 'hold', 'pass', 'pass'])
    """
    if declarer == 1:
        return [f"bid {bid}", "pass", "pass"]
    if declarer == 2:
        return ["pass", f"bid {bid}", "pass"]
    return ["pass", "pass", "bid 18"] if bid == 18 else [f"bid {bid}", "hold", "pass", "pass"]


def trick_winners(game: Game) -> list[int]:
    """The seats that took the complete tricks, as the engine counted them."""
    complete = int(game.state["n_plays"]) // 3
    winners = [int(game.state["leaders"][i]) for i in range(1, complete)]
    # The winner of the last trick leads no further one: he is who has more tricks than those.
    return winners + [seat for seat in range(3) if int(game.state["tricks"][seat]) > winners.count(seat)]
