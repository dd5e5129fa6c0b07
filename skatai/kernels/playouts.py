"""Play-outs: what an action is worth, from worlds played on by the rule player and finished by the exact open-card search.

A play-out takes a full state, lets the compiled rule player (:mod:`skatai.kernels.policies`) play all three seats, each of
which knows only what it may know, until every hand is down to ``endgame`` cards, and gives the rest to the exact search. The
rule player keeps the early play honest – a search of the open cards would let everybody play to cards nobody can see –, the
search makes the ending sharp, where little is hidden any more (Long et al., AAAI 2010).

*Utility.* What counts is list points (rules 5.4), not card points: a game won is worth its value and 50 to the declarer, a game
lost costs twice the value and 50, and gives 40 to each defender. The utility is the declarer's gain over a defender, so that
the defenders want it small:

    won: value + 50        lost: -2 value - 50 - 40

A small weight on the card points (``POINT_WEIGHT``) decides between cards that win and lose the same worlds.

All candidates are tried in the same worlds: the differences are what is wanted. A decision allocates its work area once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import (
    DECLARATION_FLAGS,
    DECLARATION_GAME,
    FIRST_BID,
    FIRST_DECLARATION,
    FIRST_HAND_DECLARATION,
    PICK_UP,
    SCHWARZ,
    WORD_BITS,
)
from skatai.kernels.bits import lowest
from skatai.kernels.events import apply
from skatai.kernels.moves import award_counted, declaration_words, legal_words
from skatai.kernels.observe import copy_state
from skatai.kernels.policies import best_discard_and_contract, rule_card, rule_skat
from skatai.kernels.policies.discards import contract_merit
from skatai.kernels.search.solve import solve_moves, solve_value
from skatai.kernels.search.workspace import make_workspace
from skatai.kernels.settle import finish
from skatai.kernels.state import (
    DECLARE,
    DISCARD,
    END_PLAYED,
    NOBODY,
    PLAY,
    SKAT,
    StateRecord,
    bid_value,
    card_points,
)
from skatai.kernels.tables import NULL

__all__ = [
    "MAX_PLANS",
    "POINT_WEIGHT",
    "as_declarer",
    "card_values",
    "carry_out",
    "finish_with",
    "list_plans",
    "open_card_values",
    "open_plan_values",
    "plan_values",
    "search_area",
    "play_out",
    "utility",
]

#: utility of one card point of the declarer
POINT_WEIGHT = 0.05
#: utility that a lost game costs besides twice its value: the declarer's 50 and each defender's 40
LOSS = 90.0
#: rows that ``list_plans`` needs
MAX_PLANS = 32


@kernel
def search_area(endgame: int) -> NDArray[np.int64]:
    """A work area of the search that fits endings of so many cards a hand."""
    return make_workspace(13 if endgame <= 7 else 16)


@kernel
def utility(state: StateRecord) -> float:
    """The declarer's gain of a finished state over each defender, in list points; 0 when passed in."""
    score = np.int64(state["score"])
    if score == 0:
        return 0.0
    points = POINT_WEIGHT * np.int64(state["awarded"])
    if score > 0:
        return score + 50.0 + points
    return score - LOSS + points


@kernel
def finish_with(state: StateRecord, value: int) -> None:
    """End a state in play as if the declarer got ``value`` of the points still to come (null: 1 if he takes no trick, else 0).

    A side that gets all of these points is taken to win all the tricks that are left: right but for tricks without a point.
    """
    award_counted(state)
    if state["game"] == NULL:
        state["awarded_tricks"][0] = 1 - value
        finish(state, END_PLAYED, NOBODY)
        return
    rest = np.int64(0)
    for seat in range(3):
        rest += card_points(np.int64(state["hands"][seat]))
    n = np.int64(state["n_plays"])
    for i in range(n - n % 3, n):
        rest += card_points(np.int64(1) << np.int64(state["plays"][i]))
    state["awarded"] = np.int64(state["awarded"]) + value
    left = 10 - n // 3
    if value > 0 or rest == 0:
        state["awarded_tricks"][0] = np.int64(state["awarded_tricks"][0]) + left
    if value < rest:
        state["awarded_tricks"][1] = np.int64(state["awarded_tricks"][1]) + left
    finish(state, END_PLAYED, NOBODY)


@kernel
def _search_terms(state: StateRecord, hands: NDArray[np.int64], table: NDArray[np.int64]) -> tuple[int, int, int, int]:
    """The position as the search takes it: fills ``hands`` and ``table`` (int64[3]); game, declarer, leader, size of the trick."""
    n = np.int64(state["n_plays"])
    for seat in range(3):
        hands[seat] = np.int64(state["hands"][seat])
    for i in range(n % 3):
        table[i] = np.int64(state["plays"][n - n % 3 + i])
    return np.int64(state["game"]), np.int64(state["declarer"]), np.int64(state["leaders"][n // 3]), n % 3


@kernel
def play_out(state: StateRecord, endgame: int, work: NDArray[np.int64]) -> float:
    """Play a full state (phase ``PLAY`` or ``OVER``) to its end; its utility.

    ``endgame``: cards a hand from which on the exact search takes over (0: never); ``work``: a work area of the search.
    """
    while state["phase"] == PLAY and (endgame == 0 or np.int64(state["n_plays"]) < 30 - 3 * endgame):
        apply(state, rule_card(state, np.int64(state["to_move"])))
    if state["phase"] == PLAY:
        hands = np.zeros(3, dtype=np.int64)
        table = np.zeros(3, dtype=np.int64)
        game, declarer, leader, n_table = _search_terms(state, hands, table)
        finish_with(state, solve_value(hands, game, declarer, leader, table, n_table, work))
    return utility(state)


@kernel
def _add_solved(world: StateRecord, scratch: StateRecord, work: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    """Add the utility of every legal card by the exact search to ``values`` (float64[32])."""
    hands = np.zeros(3, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    found = np.zeros(32, dtype=np.int64)
    game, declarer, leader, n_table = _search_terms(world, hands, table)
    solve_moves(hands, game, declarer, leader, table, n_table, work, found)
    for card in range(32):
        if found[card] >= 0:
            copy_state(world, scratch)
            finish_with(scratch, found[card])
            values[card] += utility(scratch)


@kernel
def _add_played(
    world: StateRecord, endgame: int, scratch: StateRecord, work: NDArray[np.int64], values: NDArray[np.float64]
) -> None:
    """Add the utility of every legal card by a play-out to ``values`` (float64[32])."""
    cards = legal_words(world)[0]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        copy_state(world, scratch)
        apply(scratch, card)
        values[card] += play_out(scratch, endgame, work)


@kernel
def open_card_values(
    state: StateRecord, endgame: int, scratch: StateRecord, work: NDArray[np.int64], values: NDArray[np.float64]
) -> None:
    """Add to ``values`` (float64[32]) the utility of every legal card of a full state in phase ``PLAY``."""
    if np.int64(state["n_plays"]) >= 30 - 3 * endgame:
        _add_solved(state, scratch, work, values)
    else:
        _add_played(state, endgame, scratch, work, values)


@kernel
def card_values(
    pool: NDArray[np.void],
    counts: NDArray[np.int64],
    endgame: int,
    values: NDArray[np.float64],
) -> None:
    """Mean utility of every legal card over worlds into ``values`` (float64[32]); other cards get 0.

    ``pool[i]`` (a full state in phase ``PLAY``) stands for ``counts[i]`` worlds (int64[n]); one more record of ``pool`` is scratch.
    """
    work = search_area(endgame)
    found = np.empty(32, dtype=np.float64)
    values[:] = 0.0
    for i in range(len(counts)):
        if counts[i]:
            found[:] = 0.0
            open_card_values(pool[i], endgame, pool[len(counts)], work, found)
            for card in range(32):
                values[card] += counts[i] * found[card]
    values /= counts.sum()


@kernel
def carry_out(state: StateRecord, seat: int, action: int, away: int) -> None:
    """Take a full state of the declarer ``seat`` in ``SKAT``, ``DISCARD`` or ``DECLARE`` to the first lead.

    ``action``: a declaration, with the cards ``away`` (mask) put away first; or ``PICK_UP``: the rule player decides the rest.
    """
    if action == PICK_UP:
        apply(state, action)
        hand, rules = np.int64(state["hands"][seat]), np.int64(state["rules"])
        action, away = best_discard_and_contract(hand, seat, bid_value(state), rules, np.int64(0))
    while state["phase"] == DISCARD:
        apply(state, lowest(away & np.int64(state["hands"][seat])))
    apply(state, action)


@kernel
def _keep(plans: NDArray[np.int64], merits: NDArray[np.float64], n: int, action: int, away: int, merit: float) -> int:
    """Insert a plan into the ``n`` best so far, best first, if it is new and good enough; the new number."""
    for i in range(n):
        if plans[i, 0] == action and plans[i, 1] == away:
            return n
    place = n
    while place > 0 and merits[place - 1] < merit:
        place -= 1
    if place == len(merits):
        return n
    last = min(n, len(merits) - 1)
    for i in range(last, place, -1):
        merits[i] = merits[i - 1]
        plans[i, 0] = plans[i - 1, 0]
        plans[i, 1] = plans[i - 1, 1]
    merits[place] = merit
    plans[place, 0] = action
    plans[place, 1] = away
    return min(n + 1, len(merits))


@kernel
def _list_discards(view: StateRecord, seat: int, merits: NDArray[np.float64], plans: NDArray[np.int64]) -> int:
    """The best pairs of declaration and put-away by the rule player's estimate, as many as ``merits`` has room for."""
    rules, bid = np.int64(view["rules"]), bid_value(view)
    gone = np.int64(view["discards"])
    cards = np.int64(view["hands"][seat])
    words = declaration_words(bid, rules, cards | gone)
    n = np.int64(0)
    for action in range(FIRST_DECLARATION, FIRST_HAND_DECLARATION):
        if words[0] >> action & 1 == 0:
            continue
        game, flags = DECLARATION_GAME[action - FIRST_DECLARATION], DECLARATION_FLAGS[action - FIRST_DECLARATION]
        if view["phase"] == DECLARE:
            merit, away = contract_merit(cards | gone, game, flags, seat, bid, rules, gone)
            n = _keep(plans, merits, n, action, away, merit)
            continue
        rest = cards
        while rest:  # the best partner of each card: more than one put-away for each contract
            bit = rest & -rest
            rest &= rest - 1
            merit, away = contract_merit(cards | gone, game, flags, seat, bid, rules, gone | bit)
            n = _keep(plans, merits, n, action, away, merit)
    return n


@kernel
def _list_hand_games(view: StateRecord, seat: int, plans: NDArray[np.int64]) -> int:
    """The pick-up and the declarations by hand worth a look: no schwarz announced but where the rule player does so."""
    words = legal_words(view)
    favourite = rule_skat(view, seat)
    n = np.int64(0)
    for action in range(PICK_UP, FIRST_BID):
        legal = words[0] >> action & 1 if action < WORD_BITS else words[1] >> (action - WORD_BITS) & 1
        if legal and (
            action == PICK_UP or action == favourite or DECLARATION_FLAGS[action - FIRST_DECLARATION] & SCHWARZ == 0
        ):
            plans[n, 0] = action
            plans[n, 1] = 0
            n += 1
    return n


@kernel
def list_plans(view: StateRecord, seat: int, width: int, plans: NDArray[np.int64]) -> int:
    """The candidates of the declarer ``seat`` in ``SKAT``, ``DISCARD`` or ``DECLARE``; their number.

    ``plans`` (int64[MAX_PLANS, 2]) takes rows of declaration (or ``PICK_UP``) and cards put away (mask). In ``SKAT`` these are the
    pick-up and the games by hand; later the ``width`` (at most ``MAX_PLANS``) best pairs by the rule player's estimate.
    """
    if view["phase"] == SKAT:
        return _list_hand_games(view, seat, plans)
    merits = np.empty(min(width, MAX_PLANS), dtype=np.float64)
    return _list_discards(view, seat, merits, plans)


@kernel
def plan_values(
    pool: NDArray[np.void],
    counts: NDArray[np.int64],
    seat: int,
    endgame: int,
    plans: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Mean utility over worlds of every plan (int64[n, 2], see :func:`carry_out`) of the declarer ``seat`` into ``values``.

    ``pool`` and ``counts`` as in :func:`card_values`, the worlds in ``SKAT``, ``DISCARD`` or ``DECLARE``.
    """
    work = search_area(endgame)
    found = np.empty(len(plans), dtype=np.float64)
    values[:] = 0.0
    for i in range(len(counts)):
        if counts[i]:
            found[:] = 0.0
            open_plan_values(pool[i], seat, endgame, plans, pool[len(counts)], work, found)
            for plan in range(len(plans)):
                values[plan] += counts[i] * found[plan]
    values /= counts.sum()


@kernel
def open_plan_values(
    state: StateRecord,
    seat: int,
    endgame: int,
    plans: NDArray[np.int64],
    scratch: StateRecord,
    work: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Add to ``values`` (float64[n]) the utility of each plan (int64[n, 2]) in a full state."""
    for i in range(len(plans)):
        copy_state(state, scratch)
        carry_out(scratch, seat, plans[i, 0], plans[i, 1])
        values[i] += play_out(scratch, endgame, work)


@kernel
def as_declarer(view: StateRecord, seat: int, bid: int, out: StateRecord) -> None:
    """The view that ``seat`` would have if it now got the game at bid index ``bid`` (0 is the lowest value)."""
    copy_state(view, out)
    out["bid"] = bid + 1
    out["limits"][seat] = bid + 1
    out["declarer"] = seat
    out["to_move"] = seat
    out["phase"] = SKAT
