"""Solve positions as the rest of the library holds them: hands by seat, cards 8 * suit + rank.

Every kernel takes the same description of a position:

``hands``     int64 (3): card masks by seat, *without* the cards on the table
``game``      0…5 = D H S C G N
``declarer``  seat 0…2
``leader``    seat that led (or will lead) the trick under way
``table``     int64 (>= ``n_table``): the cards on the table in the order of play
``n_table``   0…2
``work``      a work area of ``make_workspace``

Values count the declarer's points from here on, with the trick on the table, without the skat and the tricks before; in null 1
means that the declarer loses every trick that is left, 0 that he cannot.

Every top-level kernel starts with an empty table, unless it is shared (``workspace.share_table``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.bits import highest, lowest
from skatai.kernels.search.layout import INNER, INNER_CLASS, INNER_POINTS, OUTER, points_of, to_inner
from skatai.kernels.search.null import distinct_null, null_search
from skatai.kernels.search.order import distinct, neighbours
from skatai.kernels.search.points import exact, search
from skatai.kernels.search.workspace import LIMIT, NODES, SHARED, STOPPED, begin, share_table

__all__ = ["best_by_worlds", "moves_reach", "reaches", "solve_bounds", "solve_moves", "solve_value", "solve_worlds"]

Ints = NDArray[np.int64]
_NULL = 5


@kernel
def enter(hands: Ints, game: int, leader: int, table: Ints, n_table: int, own: Ints) -> int:
    """Fill ``own`` (3) with the hands in the order of play, the table's cards put back; returns them as forced cards."""
    forced = hands[0] & 0
    for i in range(3):
        own[i] = to_inner(hands[(leader + i) % 3], game)
        if i < n_table:
            card = INNER[game, table[i]]
            own[i] |= 1 << card
            forced |= (card + 1) << 6 * i
    return forced


@kernel
def value_of(own: Ints, game: int, seat: int, forced: int, bounds: Ints, work: Ints) -> int:
    """Exact value of a position in search terms, by narrowing ``bounds`` (2)."""
    if game == _NULL:
        value = null_search(own[0], own[1], own[2], seat, forced, work)
        if not work[STOPPED]:
            bounds[0] = value
            bounds[1] = value
        return bounds[0]
    return exact(own, seat, forced, bounds, work)


@kernel
def most(own: Ints, game: int) -> int:
    """The highest value a position can have."""
    return 1 if game == _NULL else points_of(own[0] | own[1] | own[2])


@kernel
def solve_bounds(
    hands: Ints, game: int, declarer: int, leader: int, table: Ints, n_table: int, bounds: Ints, work: Ints
) -> int:
    """Bounds of the value, within a node limit. Returns the lower one; the nodes visited are in ``work[NODES]``.

    ``bounds`` (4): lower and upper bound come out in [0:2]; [2] is the node limit (0: none); [3] is the target that
    matters (-1: none, the search goes on until the bounds meet). When the limit stops the search, the bounds are wide
    but true.
    """
    own = np.zeros(3, dtype=np.int64)
    forced = enter(hands, game, leader, table, n_table, own)
    seat = (declarer - leader + 3) % 3
    begin(game, work)
    if bounds[2] > 0:
        work[LIMIT] = bounds[2]
    bounds[0] = 0
    bounds[1] = most(own, game)
    target = bounds[3]
    if target < 0 or game == _NULL:
        return value_of(own, game, seat, forced, bounds, work)
    value = search(own[0], own[1], own[2], seat, target, bounds[1], forced, work)
    if not work[STOPPED]:
        bounds[0 if value >= target else 1] = value
    return bounds[0]


@kernel
def solve_value(hands: Ints, game: int, declarer: int, leader: int, table: Ints, n_table: int, work: Ints) -> int:
    """The exact value of a position."""
    bounds = np.zeros(4, dtype=np.int64)
    bounds[3] = -1
    return solve_bounds(hands, game, declarer, leader, table, n_table, bounds, work)


@kernel
def reaches(
    hands: Ints, game: int, declarer: int, leader: int, table: Ints, n_table: int, target: int, work: Ints
) -> int:
    """1 if the declarer's value is at least ``target`` (in null: 1), else 0."""
    own = np.zeros(3, dtype=np.int64)
    forced = enter(hands, game, leader, table, n_table, own)
    begin(game, work)
    seat = (declarer - leader + 3) % 3
    if game == _NULL:
        return 1 if null_search(own[0], own[1], own[2], seat, forced, work) >= target else 0
    left = points_of(own[0] | own[1] | own[2])
    return 1 if search(own[0], own[1], own[2], seat, target, left, forced, work) >= target else 0


@kernel
def legal_moves(own: Ints, game: int, forced: int, n_table: int) -> tuple[int, int]:
    """Legal cards of the seat to move in the search's numbering, and those of them that are no equals of a higher one."""
    moves = own[n_table]
    if n_table:
        suit = INNER_CLASS[game, (forced & 63) - 1]
        if moves & suit:
            moves &= suit
    everything = own[0] | own[1] | own[2]
    return moves, distinct_null(moves, everything) if game == _NULL else distinct(moves, everything)


@kernel
def solve_moves(
    hands: Ints, game: int, declarer: int, leader: int, table: Ints, n_table: int, work: Ints, out: Ints
) -> int:
    """Fill ``out`` (32) with the exact value of every legal card of the seat to move, -1 elsewhere; returns the best value.

    The best one is the highest for the declarer and the lowest for a defender. The search for a card starts from what is known
    of its neighbour in the hand: their values differ by no more than their points do.
    """
    own = np.zeros(3, dtype=np.int64)
    bounds = np.zeros(2, dtype=np.int64)
    forced = enter(hands, game, leader, table, n_table, own)
    begin(game, work)
    out[:] = -1
    seat = (declarer - leader + 3) % 3
    everything = own[0] | own[1] | own[2]
    moves, unlike = legal_moves(own, game, forced, n_table)
    value = -1
    best = -1
    before = -1  # the card solved last
    while moves:
        card = highest(moves)
        moves ^= 1 << card
        if unlike >> card & 1:  # else it is equal to the card before it
            bounds[0] = 0
            bounds[1] = most(own, game)
            if (
                before >= 0
                and game != _NULL
                and neighbours(before, own[n_table], everything, 11, 0, work)[0] >> card & 1
            ):
                gap = abs(INNER_POINTS[card] - INNER_POINTS[before])
                bounds[0] = max(bounds[0], value - gap)
                bounds[1] = min(bounds[1], value + gap)
            value = value_of(own, game, seat, forced | (card + 1) << 6 * n_table, bounds, work)
            before = card
        out[OUTER[game, card]] = value
        if best < 0 or ((value > best) == (seat == n_table) and value != best):
            best = value
    return best


@kernel
def moves_reach(
    hands: Ints, game: int, declarer: int, leader: int, table: Ints, n_table: int, work: Ints, out: Ints
) -> int:
    """Fill ``out`` (32) with 1 or 0 for every legal card: does the declarer get ``out[0]`` points after it? -1 elsewhere.

    On entry ``out[0]`` holds the target (null: 1), and ``out[1]`` the cards that are asked about, 0 for all. Returns the value of
    the best of them, 1 or 0.
    """
    target = out[0]
    own = np.zeros(3, dtype=np.int64)
    forced = enter(hands, game, leader, table, n_table, own)
    begin(game, work)
    seat = (declarer - leader + 3) % 3
    left = most(own, game)
    moves, unlike = legal_moves(own, game, forced, n_table)
    if out[1]:
        moves &= to_inner(out[1], game)
    out[:] = -1
    solved = -1  # the highest of the equal cards that were solved last
    value = -1
    best = -1
    while moves:
        card = highest(moves)
        moves ^= 1 << card
        head = lowest(unlike & -(1 << card))
        if head != solved:
            solved = head
            here = forced | (card + 1) << 6 * n_table
            if game == _NULL:
                found = null_search(own[0], own[1], own[2], seat, here, work)
            else:
                found = search(own[0], own[1], own[2], seat, target, left, here, work)
            value = 1 if found >= target else 0
        out[OUTER[game, card]] = value
        if best < 0 or value == (seat == n_table):
            best = value
    return best


@kernel
def solve_worlds(hands: Ints, spot: Ints, table: Ints, targets: Ints, work: Ints, out: Ints) -> int:
    """Every legal card in many worlds of one decision, with one table for all of them; returns the nodes.

    ``hands``: (n, 3), the worlds; ``spot``: game, declarer, leader, number of cards on the table; ``targets``: (n,), points that
    the declarer needs in each world, or -1 for exact values; ``out``: (n, 32), filled as by ``moves_reach`` or ``solve_moves``.
    """
    nodes = work[NODES] & 0
    shared = work[SHARED]
    share_table(1, work)
    for i in range(len(hands)):
        if targets[i] < 0:
            solve_moves(hands[i], spot[0], spot[1], spot[2], table, spot[3], work, out[i])
        else:
            out[i, 0] = targets[i]
            out[i, 1] = 0
            moves_reach(hands[i], spot[0], spot[1], spot[2], table, spot[3], work, out[i])
        nodes += work[NODES]
    share_table(shared, work)
    return nodes


@kernel
def best_by_worlds(hands: Ints, spot: Ints, table: Ints, targets: Ints, work: Ints, wins: Ints) -> int:
    """The card that reaches the side's goal in most worlds, without searching what can no longer change that; returns the nodes.

    Arguments as in ``solve_worlds``, all targets at least 0; ``wins`` (32): in how many worlds a card wins for the seat to move,
    -1 for a card that is not legal and -2 for one that was given up, because it could no longer catch up with the best one.
    The cards with the most wins are the ones that all worlds would give.
    """
    n = len(hands)
    out = np.zeros(32, dtype=np.int64)
    for_declarer = 1 if (spot[2] + spot[3]) % 3 == spot[1] else 0
    shared = work[SHARED]
    share_table(1, work)
    nodes = work[NODES] & 0
    asked = nodes
    for i in range(n):
        out[0] = targets[i]
        out[1] = asked
        moves_reach(hands[i], spot[0], spot[1], spot[2], table, spot[3], work, out)
        nodes += work[NODES]
        if i == 0:
            for card in range(32):
                wins[card] = 0 if out[card] >= 0 else -1
        most_wins = 0
        for card in range(32):
            if out[card] == for_declarer:
                wins[card] += 1
            most_wins = max(most_wins, wins[card])
        asked &= 0
        for card in range(32):
            if wins[card] >= 0:
                if wins[card] + n - 1 - i >= most_wins:
                    asked |= 1 << card
                else:
                    wins[card] = -2
        if asked & (asked - 1) == 0:
            break  # one is left
    share_table(shared, work)
    return nodes
