"""Many tables in one compiled step: the core of every environment.

A table is a state record and a ``TABLE`` record with what the game itself does not hold:

=============  =======  ================================================================================================
field          type     meaning
=============  =======  ================================================================================================
``words``      i8 × 3   legal actions of the seat to move (:mod:`skatai.kernels.action_ids`); 0 when the deal is over
``sampler``    u8 × 1   generator of :func:`skatai.kernels.batch_views.sample_actions`
``decisions``  i4       actions taken in this deal, those of the preparation included
``seat``       u1       whose observation, mask and reward it is: the seat to move (all seats exposed), or the learner
``learner``    u1       seat of the learner; ``NOBODY`` when all seats are exposed
``fresh``      u1       1: dealt, but not yet prepared by :mod:`skatai.kernels.batch_policies`
``illegal``    u1       1: the last action was not legal and ended the deal
``seen``       i8 × 3   what cards played show of each seat (:func:`skatai.kernels.encodings.look_back`), kept from step to step
``counted``    u1       how many cards are in ``seen``
``stream``     u8       ``derive_seed(seed, table)``: where the table's deals come from
``episode``    i8       number of the deal, from 0
``attempt``    i4       how many deals were drawn in vain before this one (restricted deals)
``table``      i4       number of the table
=============  =======  ================================================================================================

Deal ``attempt`` of ``episode`` at a table has the seed ``derive_seed(seed, table, episode)``, with ``attempt`` as a fourth key from
the second attempt on. So nothing depends on how many tables there are or on what happens at the others.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skatai._jit import JIT_ENABLED, kernel
from skatai.kernels.action_ids import N_ACTIONS, WORD_BITS
from skatai.kernels.events import apply
from skatai.kernels.moves import end_without_score, legal_words
from skatai.kernels.rng import RngState, mix64, next_bits
from skatai.kernels.rollouts import deal_cards
from skatai.kernels.state import END_ABORTED, NOBODY, OVER, StateRecord, set_deal
from skatai.kernels.tables import NULL

__all__ = [
    "ALL_SEATS",
    "AS_DECLARER",
    "AS_DEFENDER",
    "FROM_POOL",
    "FROM_STREAM",
    "GIVEN",
    "ILLEGAL_REWARDS",
    "N_OPTIONS",
    "RAISE",
    "REWARDS",
    "ROTATE",
    "TABLE",
    "TERMINATE",
    "deal_table",
    "derive",
    "is_over",
    "refresh",
    "reward_of",
    "start_tables",
    "take_actions",
    "write_rewards",
]

#: in annotations: one record of dtype ``TABLE``
TableRecord: TypeAlias = Any

TABLE = np.dtype(
    [
        ("words", "<i8", (3,)),
        ("sampler", "<u8", (1,)),
        ("decisions", "<i4"),
        ("seat", "u1"),
        ("learner", "u1"),
        ("fresh", "u1"),
        ("illegal", "u1"),
        ("seen", "<i8", (3,)),
        ("counted", "u1"),
        ("stream", "<u8"),
        ("episode", "<i8"),
        ("attempt", "<i4"),
        ("table", "<i4"),
    ]
)

# Options of a batch: an int64 array, indexed by these.
(
    OPTION_RULES,  # packed rules
    OPTION_PHASE,  # WHOLE_DEAL, BIDDING or CARD_PLAY
    OPTION_LEARNER,  # seat 0-2, ROTATE, AS_DECLARER, AS_DEFENDER, ALL_SEATS
    OPTION_LEFT,  # policy of the seat after the learner
    OPTION_RIGHT,  # policy of the seat before the learner
    OPTION_CONTRACTS,  # bit set over DECLARATIONS: the contracts wanted
    OPTION_FORCED,  # 1: declarer and contract are drawn, not bid
    OPTION_DEALS,  # FROM_STREAM, FROM_POOL or GIVEN
    OPTION_REWARD,  # index into REWARDS
    OPTION_ILLEGAL,  # TERMINATE or RAISE
) = range(10)
N_OPTIONS = 10

WHOLE_DEAL, BIDDING, CARD_PLAY = range(3)
ROTATE, AS_DECLARER, AS_DEFENDER, ALL_SEATS = range(3, 7)
FROM_STREAM, FROM_POOL, GIVEN = range(3)
#: an action that is not legal ends the deal, or nothing happens at any table
TERMINATE, RAISE = range(2)
REWARD_SCORE, REWARD_LIST, REWARD_WIN, REWARD_POINTS = range(4)
REWARDS = ("score", "list_points", "win", "points")
#: what an illegal action costs the seat that takes it, by kind of reward
ILLEGAL_REWARDS: NDArray[np.float64] = np.array([-200.0, -200.0, -1.0, -60.0])


def _derive_python(seed: Any, key: Any) -> Any:
    return mix64((int(seed) + 0x9E3779B97F4A7C15 + int(key)) & 0xFFFFFFFFFFFFFFFF)


def _derive_compiled(seed: Any, key: Any) -> Any:
    return mix64(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) + np.uint64(key))


#: one link of :func:`skatai.rng.derive_seed`, for a key from 0 to 2**63 - 1: ``derive(derive_seed(a), b) == derive_seed(a, b)``
derive = kernel(_derive_compiled) if JIT_ENABLED else _derive_python


@kernel
def deal_table(
    state: StateRecord,
    table: TableRecord,
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    deck: NDArray[np.int64],
    rng: RngState,
) -> None:
    """Deal ``attempt`` of the table's episode into ``state``.

    ``pool``: int64 (m, 4), hands and skat to choose from; where deals are ``GIVEN``, row ``table % m`` is the deal. ``deck``:
    int64[36] and ``rng``: uint64[1] are work space.
    """
    cards = deck[32:]
    source = options[OPTION_DEALS]
    if source == GIVEN:
        cards[:] = pool[np.int64(table["table"]) % len(pool)]
    else:
        seed = derive(table["stream"], table["episode"])
        if table["attempt"] > 0:
            seed = derive(seed, table["attempt"])
        rng[0] = seed
        if source == FROM_POOL:
            cards[:] = pool[next_bits(rng) % len(pool)]
        else:
            deal_cards(rng, deck[:32], cards)
    set_deal(state, cards[0], cards[1], cards[2], cards[3], options[OPTION_RULES])
    table["decisions"] = 0
    table["illegal"] = 0
    table["counted"] = 0
    table["seen"][0] = 0
    table["seen"][1] = 0
    table["seen"][2] = 0


@kernel(inline=True)
def refresh(state: StateRecord, table: TableRecord) -> None:
    """Bring ``words`` and ``seat`` up to date."""
    word0, word1, word2 = legal_words(state)
    table["words"][0] = word0
    table["words"][1] = word1
    table["words"][2] = word2
    if table["learner"] == NOBODY and state["to_move"] != NOBODY:
        table["seat"] = state["to_move"]


@kernel
def _has_action(table: TableRecord, action: int) -> bool:
    if action < 0 or action >= N_ACTIONS:
        return False
    return np.int64(table["words"][action // WORD_BITS]) >> (action % WORD_BITS) & 1 == 1


@kernel
def is_over(table: TableRecord) -> bool:
    """Whether the deal is over: nobody may do anything."""
    return table["words"][0] | table["words"][1] | table["words"][2] == 0


@kernel
def _first_refused(tables: NDArray[np.void], actions: NDArray[np.int64], mode: int) -> int:
    """The first table at which the action is no id or, in mode ``RAISE``, not legal; -1 if there is none."""
    for i in range(len(tables)):
        action = actions[i]
        if not _has_action(tables[i], action) and not is_over(tables[i]):
            if mode == RAISE or action < 0 or action >= N_ACTIONS:
                return i
    return -1


@kernel
def reward_of(state: StateRecord, seat: int, kind: int) -> float:
    """Reward of ``seat`` for a finished deal (kinds: ``REWARDS``; the table is in the environments' docstrings)."""
    declarer = state["declarer"]
    if declarer == NOBODY or state["end"] == END_ABORTED:
        return 0.0
    score = np.float64(state["score"])
    declares = seat == declarer
    won = state["won"] != 0
    if kind == REWARD_SCORE:
        return score if declares else -0.5 * score
    if kind == REWARD_LIST:
        if declares:
            return score + 50.0 if won else score - 50.0
        return 0.0 if won else 40.0
    if kind == REWARD_WIN:
        return 1.0 if declares == won else -1.0
    points = np.float64(state["awarded"]) - 60.0
    if state["game"] == NULL:
        points = 60.0 if won else -60.0
    return points if declares else -points


@kernel
def write_rewards(state: StateRecord, kind: int, out: NDArray[np.float32]) -> None:
    """Rewards of the three seats of a finished deal: float32[3]."""
    for seat in range(3):
        out[seat] = reward_of(state, seat, kind)


@kernel
def _redeal(
    state: StateRecord,
    table: TableRecord,
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    deck: NDArray[np.int64],
    rng: RngState,
) -> None:
    table["attempt"] = 0
    deal_table(state, table, options, pool, deck, rng)
    table["fresh"] = 1
    refresh(state, table)


@kernel
def start_tables(
    states: NDArray[np.void],
    tables: NDArray[np.void],
    which: NDArray[np.bool_],
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
) -> None:
    """Deal anew at the tables chosen by ``which`` (bool[n])."""
    deck, rng = np.empty(36, dtype=np.int64), np.empty(1, dtype=np.uint64)
    for i in range(len(tables)):
        if which[i]:
            _redeal(states[i], tables[i], options, pool, deck, rng)


@kernel
def take_actions(
    states: NDArray[np.void],
    tables: NDArray[np.void],
    actions: NDArray[np.int64],
    options: NDArray[np.int64],
    pool: NDArray[np.int64],
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
    seats: NDArray[np.int64],
) -> int:
    """One action at every table; a table whose deal is over gets the next deal instead and its action is ignored.

    Args:
        states: (n,), dtype ``STATE``.
        tables: (n,), dtype ``TABLE``.
        actions: int64 (n,); one that is not legal ends the deal, at the cost of ``ILLEGAL_REWARDS``.
        options: int64 (N_OPTIONS,).
        pool: see :func:`deal_table`.
        rewards: float32 (n, 3), written: per seat.
        ended: bool (2, n), written: the deal is over; an action that was not legal has ended it.
        seats: int64 (n,), written: whose observation, mask and reward is next.

    Returns:
        -1; or the first table whose action is refused, being no id or (``OPTION_ILLEGAL`` is ``RAISE``) not legal: nothing is
        done then.
    """
    mode, kind = options[OPTION_ILLEGAL], options[OPTION_REWARD]
    refused = _first_refused(tables, actions, mode)
    if refused >= 0:
        return refused
    deck, rng = np.empty(36, dtype=np.int64), np.empty(1, dtype=np.uint64)
    rewards[:] = 0.0
    ended[:] = False
    for i in range(len(tables)):
        state, table, action = states[i], tables[i], actions[i]
        if state["phase"] == OVER:
            table["episode"] += 1
            _redeal(state, table, options, pool, deck, rng)
        elif mode == RAISE or _has_action(table, action):
            apply(state, action)
            table["decisions"] += 1
            refresh(state, table)
            if state["phase"] == OVER:
                ended[0, i] = True
                write_rewards(state, kind, rewards[i])
        else:
            rewards[i, state["to_move"]] = ILLEGAL_REWARDS[kind]
            end_without_score(state, END_ABORTED, np.int64(state["to_move"]))
            table["illegal"] = 1
            refresh(state, table)
            ended[0, i] = ended[1, i] = True
        seats[i] = table["seat"]
    return -1
