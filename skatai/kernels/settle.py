"""Scoring: matadors, levels, value, overbid (rules 3.2-3.4, 5.1, 5.2), written once.

Every kernel takes plain numbers, so that tables of cases can be run without a state; ``finish`` applies them to a state.
"""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND, LADDER_GRAND20, OUVERT, SCHNEIDER, SCHWARZ
from skatai.kernels.state import (
    END_CONCEDED,
    END_DEFENDERS_CONCEDED,
    END_LEFT,
    END_TIMED_OUT,
    NOBODY,
    OVER,
    StateRecord,
    bid_value,
    card_points,
    defender_points,
    defender_tricks,
    put_away,
)
from skatai.kernels.tables import BASE, GRAND, MATADORS, NULL, NULL_VALUE
from skatai.rules import CONCEDE_ISKO, CONCEDE_SHIFT, LADDER_MASK, LOST_HAND_ONCE_BIT

__all__ = [
    "base_value",
    "count_matadors",
    "finish",
    "game_value",
    "goal_reached",
    "is_schneider",
    "is_schwarz",
    "settle",
]


@kernel
def count_matadors(game: int, cards: int) -> int:
    """Signed matadors of a set of twelve cards: +n "with n", -n "without n", 0 in null (rules 3.2)."""
    if game == NULL:
        return np.int64(0)
    with_top = cards >> MATADORS[game, 0] & 1
    n = 0
    for i in range(11):
        card = MATADORS[game, i]
        if card < 0 or cards >> card & 1 != with_top:
            break
        n += 1
    return n if with_top else -n


@kernel
def base_value(game: int, rules: int) -> int:
    """Base value of a game type: 9-12, 24 (or 20 by the old rule), 23 for null."""
    if game == GRAND and rules & LADDER_MASK == LADDER_GRAND20:
        return np.int64(20)
    return BASE[game]


@kernel
def is_schneider(points: int) -> bool:
    """One side has 30 card points or fewer (rules 4.3); ``points`` are the declarer's, skat included, at the end of play."""
    return points >= 90 or points <= 30


@kernel
def is_schwarz(declarer_tricks: int, defender_tricks: int) -> bool:
    """One side has no trick (rules 4.3)."""
    return declarer_tricks == 0 or defender_tricks == 0


@kernel
def game_value(game: int, flags: int, matadors: int, schneider: int, schwarz: int, rules: int) -> int:
    """Value by the level table (rules 3.3, 3.4) before the bid is looked at; announced levels count as reached."""
    if game == NULL:
        return NULL_VALUE[flags & (HAND | OUVERT)]
    levels = abs(matadors) + 1
    levels += flags & HAND
    # Not sums of comparisons: without the compiler they are NumPy bools, and two of those add up to one.
    if flags & SCHNEIDER:
        levels += 2
    elif schneider:
        levels += 1
    if flags & SCHWARZ:
        levels += 2
    elif schwarz:
        levels += 1
    if flags & OUVERT:
        levels += 1
    return base_value(game, rules) * levels


@kernel
def goal_reached(game: int, flags: int, points: int, declarer_tricks: int, defender_tricks: int) -> bool:
    """Whether the declarer did what he undertook (rules 4.2); the bid is another matter."""
    if game == NULL:
        return declarer_tricks == 0
    if flags & SCHWARZ:
        return defender_tricks == 0
    if flags & SCHNEIDER:
        return points >= 90
    return points >= 61


@kernel
def settle(
    game: int, flags: int, matadors: int, schneider: int, schwarz: int, goal: int, bid: int, rules: int
) -> tuple[bool, bool, int, int]:
    """Won, overbid, value and score (rules 5.1, 5.2).

    ``schneider`` and ``schwarz`` say whether the levels were reached, ``goal`` whether the declarer did what he undertook.
    """
    value = game_value(game, flags, matadors, schneider, schwarz, rules)
    overbid = value < bid
    if overbid:
        base = base_value(game, rules)
        value = base * ((bid + base - 1) // base)
    won = goal != 0 and not overbid
    if won:
        return won, overbid, value, value
    if rules & LOST_HAND_ONCE_BIT and flags & HAND:
        return won, overbid, value, -value
    return won, overbid, value, -2 * value


@kernel
def _defenders_conceded(state: StateRecord, matadors: int) -> tuple[bool, bool, bool]:
    """Levels and goal when a defender gives up under ISkO (rules 4.4; ISkO 4.1.4, 4.1.5, 4.3.3).

    The plain game is won. Levels already reached count; a level the declarer needs, to keep an announcement or to cover his
    bid, is credited if the points and tricks so far leave it possible.
    """
    game, flags, rules = np.int64(state["game"]), np.int64(state["flags"]), np.int64(state["rules"])
    schneider_possible = defender_points(state) <= 30
    schwarz_possible = defender_tricks(state) == 0
    schneider = np.int64(state["points"][state["declarer"]]) + card_points(put_away(state)) >= 90
    schwarz = False
    bid = bid_value(state)
    if schneider_possible and game_value(game, flags, matadors, schneider, schwarz, rules) < bid:
        schneider = True
    if schwarz_possible and game_value(game, flags, matadors, schneider, schwarz, rules) < bid:
        schwarz = True
    goal = True
    if flags & SCHWARZ:
        goal = schwarz_possible
    elif flags & SCHNEIDER:
        goal = schneider_possible
    return schneider, schwarz, goal


@kernel
def finish(state: StateRecord, end: int, end_seat: int) -> None:
    """End the game for reason ``end`` (``END_…``) and write the result.

    ``awarded`` and ``awarded_tricks`` must hold the declarer's points and both sides' tricks as they are to be scored.
    """
    game, flags, rules = np.int64(state["game"]), np.int64(state["flags"]), np.int64(state["rules"])
    declarer = state["declarer"]
    matadors = count_matadors(game, np.int64(state["dealt"][declarer]) | np.int64(state["skat"]))
    points = np.int64(state["awarded"])
    won_tricks, lost_tricks = np.int64(state["awarded_tricks"][0]), np.int64(state["awarded_tricks"][1])
    goal = goal_reached(game, flags, points, won_tricks, lost_tricks)
    schneider = is_schneider(points)
    schwarz = is_schwarz(won_tricks, lost_tricks)
    isko = rules >> CONCEDE_SHIFT & 3 == CONCEDE_ISKO
    # A win that nothing can take away any more (rules 4.2), though all ten tricks may still be undertaken.
    secured = goal and game != NULL and flags & SCHWARZ == 0
    # The defenders had given the game up, the declarer played on for more (rules 4.4).
    given_up = state["resigned"] >> 4 & 1 != 0 and game != NULL and flags & SCHNEIDER == 0
    if end == END_DEFENDERS_CONCEDED and isko:
        schneider, schwarz, goal = _defenders_conceded(state, matadors)
    elif end == END_CONCEDED and isko:
        # Lost at the plain level; only what the defenders have already reached is added (rules 4.4).
        goal = secured or given_up
        schneider = points >= 90 if goal else defender_points(state) >= 90
        schwarz = False
    elif end == END_CONCEDED or ((end == END_TIMED_OUT or end == END_LEFT) and end_seat == declarer):
        # What the complete tricks show: own schneider and schwarz count only once a trick is complete, and the defenders'
        # schwarz cannot be known. A time-out or leaving loses even a game with 61 points.
        goal = secured and end == END_CONCEDED
        schneider = points >= 90 if goal else points <= 30 and won_tricks + lost_tricks > 0
        schwarz = not goal and won_tricks == 0 and lost_tricks > 0
    elif given_up:
        goal = True
        schneider = points >= 90  # his own schneider must not raise a game he wins
        schwarz = lost_tricks == 0
    if game == NULL:
        schneider = schwarz = False
    won, overbid, value, score = settle(game, flags, matadors, schneider, schwarz, goal, bid_value(state), rules)
    state["won"] = won
    state["overbid"] = overbid
    state["value"] = value
    state["score"] = score
    state["matadors"] = matadors
    state["schneider"] = schneider or flags & SCHNEIDER != 0
    state["schwarz"] = schwarz or flags & SCHWARZ != 0
    state["phase"] = OVER
    state["to_move"] = NOBODY
    state["pending"] = NOBODY
    state["end"] = end
    state["end_seat"] = end_seat
