"""What happens at a table without the learner: preparation of a deal, compiled opponents, card play after a bidding task."""

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
    PASS,
    PICK_UP,
)
from skatai.kernels.batches import (
    ALL_SEATS,
    AS_DECLARER,
    AS_DEFENDER,
    BIDDING,
    CARD_PLAY,
    GIVEN,
    OPTION_CONTRACTS,
    OPTION_DEALS,
    OPTION_FORCED,
    OPTION_LEARNER,
    OPTION_LEFT,
    OPTION_PHASE,
    OPTION_REWARD,
    ROTATE,
    TableRecord,
    deal_table,
    derive,
    refresh,
    write_rewards,
)
from skatai.kernels.bits import lowest, nth_bit, popcount
from skatai.kernels.events import apply
from skatai.kernels.observe import copy_state
from skatai.kernels.policies import best_discard, rule_action
from skatai.kernels.rng import RngState
from skatai.kernels.rollouts import random_action
from skatai.kernels.state import AUCTION, NO_GAME, NOBODY, OVER, PLAY, StateRecord

__all__ = [
    "ANY_CONTRACT",
    "EXTERNAL",
    "MAX_ATTEMPTS",
    "POLICIES",
    "RANDOM",
    "RULE",
    "is_wanted",
    "play_on",
    "run_policies",
]

#: policies of the seats beside the learner; EXTERNAL: Python decides, the compiled step stops there
EXTERNAL, RANDOM, RULE = range(3)
POLICIES = ("", "random", "rule")
ANY_CONTRACT = (1 << 29) - 1
#: deals drawn in search of one that the restrictions allow, before giving up
MAX_ATTEMPTS = 20_000


@kernel
def _rule_auction(state: StateRecord, table: TableRecord, rng: RngState) -> None:
    """Bidding, discards and declaration by the rule player; the deal is over when it is passed in."""
    while state["phase"] < PLAY:
        apply(state, rule_action(state, np.int64(state["to_move"]), rng))
        table["decisions"] += 1


@kernel
def _contract_bit(state: StateRecord) -> int:
    """The declaration made, as a bit; 0 before or when passed in."""
    if state["game"] != NO_GAME:
        for i in range(len(DECLARATION_GAME)):
            if DECLARATION_GAME[i] == state["game"] and DECLARATION_FLAGS[i] == state["flags"]:
                return np.int64(1) << i
    return np.int64(0)


@kernel
def _act(state: StateRecord, table: TableRecord, action: int) -> None:
    apply(state, action)
    table["decisions"] += 1


@kernel
def _force_contract(state: StateRecord, table: TableRecord, options: NDArray[np.int64]) -> None:
    """A declarer and a wanted contract drawn at random: he bids 18, the others pass, the best discard for the contract."""
    draw = derive(derive(table["stream"], table["episode"]), 1 << 40)
    seat = np.int64(draw >> np.uint64(40)) % 3
    wanted = np.int64(options[OPTION_CONTRACTS])
    index = nth_bit(wanted, np.int64(draw >> np.uint64(8) & np.uint64(0xFFFFFF)) % popcount(wanted))
    while state["phase"] == AUCTION:
        _act(state, table, FIRST_BID if state["to_move"] == seat else PASS)
    if FIRST_DECLARATION + index < FIRST_HAND_DECLARATION:
        _act(state, table, PICK_UP)
        game, flags = DECLARATION_GAME[index], DECLARATION_FLAGS[index]
        away, _ = best_discard(np.int64(state["hands"][seat]), game, flags, seat, np.int64(0))
        while away:
            _act(state, table, lowest(away))
            away &= away - 1
    _act(state, table, FIRST_DECLARATION + index)


@kernel
def _prepare(
    state: StateRecord, table: TableRecord, options: NDArray[np.int64], scratch: StateRecord, rng: RngState
) -> bool:
    """Bring a fresh deal to the learner's first task; whether the deal is one that is wanted."""
    wanted = np.int64(options[OPTION_CONTRACTS])
    if options[OPTION_PHASE] == CARD_PLAY:
        if options[OPTION_FORCED]:
            _force_contract(state, table, options)
            return True
        _rule_auction(state, table, rng)
        return _contract_bit(state) & wanted != 0
    if wanted == ANY_CONTRACT:
        return True
    copy_state(state, scratch)
    _rule_auction(scratch, table, rng)
    table["decisions"] = 0
    return _contract_bit(scratch) & wanted != 0


@kernel
def is_wanted(
    state: StateRecord, table: TableRecord, options: NDArray[np.int64], scratch: StateRecord, rng: RngState
) -> bool:
    """Whether a deal passes the restriction of contracts; ``state`` is a fresh deal and is used up."""
    wanted = _prepare(state, table, options, scratch, rng)
    table["decisions"] = 0
    return wanted


@kernel
def _seat_learner(state: StateRecord, table: TableRecord, mode: int) -> None:
    turn = (np.int64(table["table"]) + np.int64(table["episode"])) % 6
    if mode < ROTATE:
        learner = mode
    elif mode == AS_DECLARER:
        learner = np.int64(state["declarer"])
    elif mode == AS_DEFENDER:
        learner = (np.int64(state["declarer"]) + 1 + turn % 2) % 3
    elif mode == ALL_SEATS:
        learner = np.int64(NOBODY)
    else:
        learner = turn % 3
    table["learner"] = learner
    if mode != ALL_SEATS:
        table["seat"] = learner


@kernel
def _begin(
    state: StateRecord,
    table: TableRecord,
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    scratch: StateRecord,
    deck: NDArray[np.int64],
    rng: RngState,
) -> bool:
    """Prepare the table's fresh deal, drawing others until one is wanted; False when none was found."""
    while not _prepare(state, table, options, scratch, rng):
        if options[OPTION_DEALS] == GIVEN or table["attempt"] >= MAX_ATTEMPTS:
            return False
        table["attempt"] += 1
        deal_table(state, table, options, pool, deck, rng)
    table["fresh"] = 0
    _seat_learner(state, table, options[OPTION_LEARNER])
    return True


@kernel
def _policy_action(state: StateRecord, table: TableRecord, policy: int, rng: RngState) -> int:
    """The action of a compiled policy for the seat to move.

    The random player draws from ``decision_rng(derive_seed(seed, table, episode), 0, seat, decision)``.
    """
    seat = np.int64(state["to_move"])
    if policy == RANDOM:
        seed = derive(derive(derive(np.uint64(0), derive(table["stream"], table["episode"])), 0), seat)
        rng[0] = derive(seed, table["decisions"])
        return random_action(state, rng)
    return rule_action(state, seat, rng)


@kernel
def play_on(state: StateRecord, table: TableRecord, options: NDArray[np.int64], rng: RngState) -> None:
    """Let the compiled policies act until the learner, a policy outside or nobody is to move."""
    phase = options[OPTION_PHASE]
    while state["phase"] != OVER:
        policy = np.int64(RULE)
        if phase != BIDDING or state["phase"] < PLAY:
            learner = np.int64(table["learner"])
            place = (np.int64(state["to_move"]) - learner + 3) % 3
            if learner == NOBODY or place == 0:
                return
            policy = options[OPTION_LEFT + place - 1]
        if policy == EXTERNAL:
            return
        _act(state, table, _policy_action(state, table, policy, rng))


@kernel
def run_policies(
    states: NDArray[np.void],
    tables: NDArray[np.void],
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    scratch: NDArray[np.void],
) -> int:
    """After :func:`skatai.kernels.batches.take_actions`: prepare fresh deals and play on to the learners' next decisions.

    Args: as there; ``scratch``: one state, overwritten.

    Returns:
        -1, or the index of a table for which no wanted deal was found.
    """
    deck, rng = np.empty(36, dtype=np.int64), np.empty(1, dtype=np.uint64)
    for i in range(len(tables)):
        state, table = states[i], tables[i]
        if state["phase"] == OVER:
            continue
        if table["fresh"] and not _begin(state, table, options, pool, scratch[0], deck, rng):
            return i
        play_on(state, table, options, rng)
        refresh(state, table)
        if state["phase"] == OVER:
            terminated[i] = True
            write_rewards(state, options[OPTION_REWARD], rewards[i])
    return -1
