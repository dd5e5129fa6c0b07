"""Is a claim valid? (rules 4.4: the claimant plays best, all others try to break it)

A claim says that one player *alone* takes all the tricks that are left, so he is on lead from the first trick on,
and then it needs no search. Let the claimant be on lead with as many cards as each of the others. The claim holds if
and only if for both others

1. *no guard*: he does not hold, in a suit class where the claimant has cards under his highest one, more cards than the
   claimant has above it; and
2. *trumps*: he does not have more trumps than the claimant.

Necessary: (1) Playing his lowest cards to the claimant's leads in that class, he still holds his highest one when the
claimant leads a card under it. He never has to part with these cards before: elsewhere he follows suit or discards
something else, and apart from the guard he holds no fewer cards than the claimant holds outside the class. (2) Trumps
leave his hand only when trumps are led. If he has more of them than the claimant, then, the hands being equally large,
the claimant has a plain suit in which he is longer than this opponent, who ruffs it in the end.

Sufficient: the claimant first draws trumps and then plays his other suits from the top. Nobody can ruff, and without a
guard nobody beats a card: what others hold in a suit only shrinks.

The trick under way, or led by another, is played out in all ways first: at most 1,000.

In null the declarer claims none of the rest, which is the question of the null search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest, popcount
from skatai.kernels.search.layout import INNER, INNER_CLASS, INNER_TRUMPS, to_inner
from skatai.kernels.search.null import null_search
from skatai.kernels.search.workspace import begin, make_workspace

__all__ = ["claim_holds", "takes_rest"]

_NULL = 5


@kernel
def guards(mine: int, theirs: int, suit: int) -> int:
    """1 if ``theirs`` holds a guard against ``mine`` in this suit class."""
    mine &= suit
    theirs &= suit
    if mine == 0 or theirs == 0:
        return 0
    higher = popcount(mine & -(1 << highest(theirs)))
    return 1 if higher < popcount(mine) and popcount(theirs) > higher else 0


@kernel
def takes_rest(mine: int, first: int, second: int, trumps: int) -> int:
    """1 if the player on lead with the cards ``mine`` takes every trick (suit games and grand, search numbering)."""
    n = popcount(mine & trumps)
    if popcount(first & trumps) > n or popcount(second & trumps) > n:
        return 0
    if guards(mine, first, trumps) or guards(mine, second, trumps):
        return 0
    rest = mine & ~trumps
    while rest:
        low = lowest(rest)
        suit = 0x7F << (low - low % 7)
        rest &= ~suit
        if guards(mine, first, suit) or guards(mine, second, suit):
            return 0
    return 1


@kernel
def takes_trick(hands: NDArray[np.int64], cards: NDArray[np.int64], player: int, place: int, game: int) -> int:
    """1 if ``player`` (a place in the trick) takes this trick and the rest; ``cards[:place]`` are played, the others choose.

    ``hands``: int64 (3), in the order of play, without the cards played; restored on return.
    """
    suit = INNER_CLASS[game, cards[0]] if place else INNER_CLASS[game, 0] & 0
    if place == 3:
        best = highest((1 << cards[0] | 1 << cards[1] | 1 << cards[2]) & (suit | INNER_TRUMPS[game]))
        if best != cards[player]:
            return 0
        return takes_rest(hands[player], hands[(player + 1) % 3], hands[(player + 2) % 3], INNER_TRUMPS[game])
    moves = hands[place]
    if moves & suit:
        moves &= suit
    while moves:
        card = lowest(moves)
        moves &= moves - 1
        cards[place] = card
        hands[place] ^= 1 << card
        holds = takes_trick(hands, cards, player, place + 1, game)
        hands[place] ^= 1 << card
        if holds == (place == player):
            return holds
    return 0 if place == player else 1


@kernel
def declarer_takes_none(hands: NDArray[np.int64], cards: NDArray[np.int64], seat: int, n_cards: int) -> int:
    """1 if the null declarer takes no more trick; arguments as in ``takes_trick``."""
    work = make_workspace(12)
    begin(_NULL, work)
    forced = hands[0] & 0
    a, b, c = hands[0], hands[1], hands[2]
    for i in range(n_cards):
        forced |= (cards[i] + 1) << 6 * i
    if n_cards > 0:
        a |= 1 << cards[0]
    if n_cards > 1:
        b |= 1 << cards[1]
    return null_search(a, b, c, seat, forced, work)


@kernel
def claim_holds(
    hands: NDArray[np.int64],
    game: int,
    declarer: int,
    claimant: int,
    leader: int,
    table: NDArray[np.int64],
    n_table: int,
) -> int:
    """1 if the claimant takes all the tricks that are left, including the one on the table (null: the declarer none), else 0.

    ``hands``: int64 (3), by seat, without the cards on the table; ``table[:n_table]``: cards played to this trick in
    order, the first by ``leader``. A defender's claim in null, which does not exist, is 0. Without cards left the
    claim holds.
    """
    if game == _NULL and claimant != declarer:
        return 0
    own = np.zeros(3, dtype=np.int64)
    cards = np.zeros(3, dtype=np.int64)
    for i in range(3):
        own[i] = to_inner(hands[(leader + i) % 3], game)
    for i in range(n_table):
        cards[i] = INNER[game, table[i]]
    if own[0] | own[1] | own[2] == 0 and n_table == 0:
        return 1
    place = (claimant - leader + 3) % 3
    if game == _NULL:
        return declarer_takes_none(own, cards, place, n_table)
    if n_table == 0 and place == 0:
        return takes_rest(own[0], own[1], own[2], INNER_TRUMPS[game])
    return takes_trick(own, cards, place, n_table, game)
