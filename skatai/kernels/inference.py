"""How well a world explains what the other seats did: weights for sampled worlds.

Worlds drawn by :mod:`skatai.kernels.worlds` fit the rules, but not every deal makes the calls, the contract and the cards seen
equally likely. The weight of a world is the likelihood of the others' decisions if they act like the rule player
(:mod:`skatai.kernels.policies`) most of the time and otherwise at random:

* *calls*: the rule player's limit for the ten cards dealt is compared with the highest value a seat named or held, and with the
  value at which it passed; a contradiction costs a factor;
* *contract*: the chance of winning it that the declarer saw with the cards he kept, to the power ``CONTRACT_POWER``;
* *cards*: a card other than the rule player's, unless it is its equal, costs a factor that depends on how many were legal.

The seat's own decisions say nothing about the hidden cards and do not count. Where the likelihoods were learnt from many games
of the very players, inference of this kind was worth several list points a deal (Buro et al., IJCAI 2009; Rebstock et al., CoG
2019); this rough measure tells more likely worlds from less likely ones, but has not made the PIMC agent stronger.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import BID_VALUES, HAND, N_BIDS, OUVERT
from skatai.kernels.bits import highest, popcount
from skatai.kernels.events import apply
from skatai.kernels.moves import legal_cards
from skatai.kernels.observe import copy_state
from skatai.kernels.policies import limit, rule_card
from skatai.kernels.policies.strength import (
    BY_HAND,
    KEPT,
    NULL_BY_HAND,
    NULL_HAND_OUVERT,
    NULL_KEPT,
    NULL_OUVERT,
    null_chance,
    trump_chance,
)
from skatai.kernels.rng import RngState, rand_float
from skatai.kernels.state import AUCTION, NO_GAME, OVER, PLAY, StateRecord, card_points, put_away
from skatai.kernels.tables import FOLLOW, NULL, POINTS
from skatai.kernels.worlds import played_by, sample_world

__all__ = ["choose_worlds", "log_weight", "log_weights"]

#: log of the factor of a call the rule player would not have made
CALL_MISS = math.log(0.2)
#: share of the cards that are taken to be the rule player's
RULE_SHARE = 0.5
CONTRACT_POWER = 2.0


@kernel
def _passed_at(state: StateRecord, seat: int) -> int:
    """Index of the value at which ``seat`` has passed in the auction; ``N_BIDS`` if it has not.

    It is the next one above what it named or held and, for rearhand, above what was named before it came in. (Where somebody jumped
    the value was higher; the limit inferred is then on the low side.)
    """
    stage = np.int64(state["stage"])
    out = seat != 2 and stage >= 2 and seat != state["survivor"]
    if state["phase"] != AUCTION:
        out = seat != state["declarer"]
    elif stage == 3:
        out = seat != 0
    if not out:
        return np.int64(N_BIDS)
    index = np.int64(state["limits"][seat])
    if seat == 2:
        for word in range(3):
            named = np.int64(state["bids"][0, word])
            if named:
                index = max(index, 32 * word + highest(named) + 1)
    return min(index, np.int64(N_BIDS))


@kernel
def _calls(world: StateRecord, seat: int) -> float:
    """Log likelihood of the calls of ``seat``."""
    named = np.int64(world["limits"][seat])
    passed = _passed_at(world, seat)
    if named == 0 and passed == N_BIDS:
        return 0.0
    value = limit(np.int64(world["dealt"][seat]), seat, np.int64(world["rules"]))
    if named > 0 and value < BID_VALUES[named - 1]:
        return CALL_MISS
    if passed < N_BIDS and value >= BID_VALUES[passed]:
        return CALL_MISS
    return 0.0


@kernel
def _contract(world: StateRecord) -> float:
    """Log likelihood of the contract, from the declarer's chance with the cards he kept."""
    declarer = np.int64(world["declarer"])
    game, flags = np.int64(world["game"]), np.int64(world["flags"])
    by_hand = flags & HAND != 0
    kept = np.int64(world["hands"][declarer]) | played_by(world, declarer)
    if game == NULL:
        model = NULL_BY_HAND if by_hand else NULL_KEPT
        if flags & OUVERT:
            model = NULL_HAND_OUVERT if by_hand else NULL_OUVERT
        win = null_chance(model, kept, declarer)
    elif by_hand:
        win = trump_chance(BY_HAND, kept, game, declarer, 0)
    else:
        win = trump_chance(KEPT, kept, game, declarer, card_points(put_away(world)))
    return CONTRACT_POWER * math.log(win + 0.01)


@kernel
def _rewind(world: StateRecord, out: StateRecord) -> None:
    """The moment before the first card of a world in play."""
    copy_state(world, out)
    for seat in range(3):
        out["hands"][seat] = np.int64(world["hands"][seat]) | played_by(world, seat)
        out["points"][seat] = 0
        out["tricks"][seat] = 0
    out["n_plays"] = 0
    out["phase"] = PLAY
    out["to_move"] = 0


@kernel
def _cards(world: StateRecord, seat: int, scratch: StateRecord) -> float:
    """Log likelihood of the cards played by the two others."""
    game = np.int64(world["game"])
    total = 0.0
    _rewind(world, scratch)
    for i in range(np.int64(world["n_plays"])):
        player = np.int64(scratch["to_move"])
        card = np.int64(world["plays"][i])
        if player != seat:
            led = np.int64(scratch["plays"][i - i % 3]) if i % 3 else np.int64(-1)
            n = popcount(legal_cards(np.int64(scratch["hands"][player]), game, led))
            if n > 1:
                choice = rule_card(scratch, player)
                same = choice == card or (
                    FOLLOW[game, choice] == FOLLOW[game, card] and POINTS[choice] == POINTS[card] and game != NULL
                )
                total += math.log((1.0 - RULE_SHARE) / n + (RULE_SHARE if same else 0.0))
        apply(scratch, card)
    return total


@kernel
def log_weight(world: StateRecord, seat: int, scratch: StateRecord) -> float:
    """Log likelihood, up to a constant, of what the others did in a full state, as ``seat`` may judge it."""
    total = _calls(world, (seat + 1) % 3) + _calls(world, (seat + 2) % 3)
    if world["game"] != NO_GAME and world["phase"] != OVER:
        if seat != world["declarer"]:
            total += _contract(world)
        total += _cards(world, seat, scratch)
    return total


@kernel
def log_weights(worlds: NDArray[np.void], seat: int, scratch: StateRecord, out: NDArray[np.float64]) -> None:
    """:func:`log_weight` of every world into ``out`` (float64[n])."""
    for i in range(len(worlds)):
        out[i] = log_weight(worlds[i], seat, scratch)


@kernel
def _resample(rng: RngState, weights: NDArray[np.float64], n: int, counts: NDArray[np.int64]) -> None:
    """Systematic resampling: ``counts[i]`` has the mean ``n`` times the share of ``exp(weights[i])``, and adds up to ``n``."""
    top = weights.max()
    total = 0.0
    for i in range(len(weights)):
        total += math.exp(weights[i] - top)
    point = rand_float(rng)
    reached = 0.0
    taken = np.int64(0)
    for i in range(len(weights)):
        reached += math.exp(weights[i] - top) / total * n
        counts[i] = 0
        while taken < n and (point + taken < reached or i == len(weights) - 1):
            counts[i] += 1
            taken += 1


@kernel
def choose_worlds(
    view: StateRecord, seat: int, rng: RngState, n: int, pool: NDArray[np.void], counts: NDArray[np.int64]
) -> None:
    """Draw ``n`` worlds: ``pool[i]`` stands for ``counts[i]`` (int64[len(pool) - 1]) of them.

    ``pool`` takes uniform worlds and, in its last record, workings. With ``n`` of them each counts once; with more, they are
    resampled in proportion to their weights.
    """
    size = len(counts)
    for i in range(size):
        sample_world(view, seat, rng, pool[i])
        counts[i] = 1
    if size > n:
        weights = np.empty(size, dtype=np.float64)
        log_weights(pool[:size], seat, pool[size], weights)
        _resample(rng, weights, n, counts)
