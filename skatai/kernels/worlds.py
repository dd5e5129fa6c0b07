"""Worlds: full states that a seat cannot tell apart, counted exactly and sampled uniformly.

A view (:func:`skatai.kernels.observe.observe`) hides where some cards are. Each hidden card lies in the hand of the seat to the
left, in the hand of the seat to the right, or in the *pile*: the two cards put away, which are the skat before the pick-up and
in hand games, else the declarer's discards. What the play has shown restricts the hands only: a seat that did not follow has no
card of that suit class (rules 4.1). So there are four groups of hidden cards, by the hands that may hold them, and the pile
takes any card:

====================  ======================================
group                 may lie in
====================  ======================================
``none``, *n0* cards  the pile only
``left``, *n1*        the left hand or the pile
``right``, *n2*       the right hand or the pile
``both``, *n3*        the left hand, the right hand or the pile
====================  ======================================

Let the left hand have *a* cards, the right hand *b* and the pile *p* of them, *a + b + p = n0 + n1 + n2 + n3*. Say how many
cards of each group go into the pile: *n0*, *i*, *j* and *k = p - n0 - i - j*. Then the rest of ``left`` is in the left hand,
the rest of ``right`` in the right hand, and the left hand lacks *m = a - (n1 - i)* cards, which come from the *n3 - k* of
``both`` that are left. So

    worlds(i, j) = C(n1, i) · C(n2, j) · C(n3, k) · C(n3 - k, m)

and the sum over *i + j <= p - n0 <= 2*, at most six terms, counts all placings. A term is drawn with a probability in
proportion to its count, then the subsets uniformly: every placing is equally likely, nothing is rejected.

*The skat of a declarer who picked up.* For the other seats any two of his twelve cards may have been the skat he was dealt.
Each placing stands for C(12, 2) = 66 full states; the sampler draws one of them uniformly. While he is putting away, the others
see nothing of it: the worlds then are those in which he still holds all twelve cards.

Bids are no evidence here, nor is the choice among legal cards, nor the strict check of declarations (``declaration_check``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND
from skatai.kernels.bits import ALL_CARDS, nth_bit, popcount
from skatai.kernels.observe import copy_state, void_in
from skatai.kernels.rng import RngState, next_bits, rand_below
from skatai.kernels.state import DECLARE, DISCARD, OVER, StateRecord

__all__ = [
    "count_placings",
    "dealt_skats",
    "draw_cards",
    "has_picked_up",
    "hidden_groups",
    "played_by",
    "sample_world",
    "sample_worlds_into",
]

_MAX_PILE = 2


def _binomials() -> NDArray[np.int64]:
    table = np.zeros((33, 33), dtype=np.int64)
    table[:, 0] = 1
    for n in range(1, 33):
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


#: (33, 33): C(n, k)
BINOMIAL = _binomials()


@kernel
def played_by(state: StateRecord, seat: int) -> int:
    """Mask of the cards that ``seat`` has played."""
    cards = np.int64(0)
    for i in range(np.int64(state["n_plays"])):
        if (np.int64(state["leaders"][i // 3]) + i % 3) % 3 == seat:
            cards |= np.int64(1) << np.int64(state["plays"][i])
    return cards


@kernel
def has_picked_up(state: StateRecord) -> bool:
    """Whether the declarer of this game took the skat up (not to be asked of a game passed in)."""
    return state["phase"] >= DISCARD and np.int64(state["flags"]) & HAND == 0


@kernel
def _hand_size(state: StateRecord, seat: int) -> int:
    """Number of cards that ``seat`` holds, as far as others can know: twelve for a declarer who is putting away."""
    if seat == state["declarer"] and state["phase"] == DISCARD:
        return np.int64(12)
    return 10 - popcount(played_by(state, seat))


@kernel
def hidden_groups(view: StateRecord, seat: int) -> tuple[int, int, int, int, int, int, int]:
    """The hidden cards of a view, by where they may lie: masks ``none, left, right, both`` and the sizes ``a, b, p`` (see above).

    ``left`` is the hand of seat + 1, ``right`` that of seat + 2; a hand that is shown counts as size 0. Not for finished games.
    """
    left_seat, right_seat = (seat + 1) % 3, (seat + 2) % 3
    hidden = ALL_CARDS ^ np.int64(view["hands"][seat])
    for other in range(3):
        hidden &= ~(played_by(view, other) | np.int64(view["hands"][other]))
    a = np.int64(0)
    b = np.int64(0)
    if view["hands"][left_seat] == 0:
        a = _hand_size(view, left_seat)
    if view["hands"][right_seat] == 0:
        b = _hand_size(view, right_seat)
    p = np.int64(_MAX_PILE)
    if has_picked_up(view):
        if seat == view["declarer"]:
            p = np.int64(0)
            hidden &= ~np.int64(view["discards"])
        elif view["phase"] == DISCARD:
            p = np.int64(0)
    not_left = void_in(view, left_seat) if a else hidden
    not_right = void_in(view, right_seat) if b else hidden
    none = hidden & not_left & not_right
    right = hidden & not_left & ~not_right
    left = hidden & not_right & ~not_left
    return none, left, right, hidden & ~not_left & ~not_right, a, b, p


@kernel
def _term(n1: int, n2: int, n3: int, i: int, j: int, k: int, a: int) -> int:
    """Number of placings with ``i``, ``j``, ``k`` cards of the groups left, right and both in the pile."""
    m = a - (n1 - i)
    if k < 0 or i > n1 or j > n2 or k > n3 or m < 0 or m > n3 - k:
        return np.int64(0)
    return BINOMIAL[n1, i] * BINOMIAL[n2, j] * BINOMIAL[n3, k] * BINOMIAL[n3 - k, m]


@kernel
def count_placings(view: StateRecord, seat: int) -> int:
    """Number of ways in which the hidden cards can lie; 0 for a view that cannot be. At most 42,678,636."""
    if view["phase"] == OVER:
        return np.int64(1)
    none, left, right, both, a, b, p = hidden_groups(view, seat)
    n1, n2, n3 = popcount(left), popcount(right), popcount(both)
    free = p - popcount(none)
    if a + b + p != popcount(none) + n1 + n2 + n3:
        return np.int64(0)
    total = np.int64(0)
    for i in range(free + 1):
        for j in range(free - i + 1):
            total += _term(n1, n2, n3, i, j, free - i - j, a)
    return total


@kernel
def dealt_skats(view: StateRecord, seat: int) -> int:
    """Number of pairs that may have been the dealt skat in one placing: 66 of another's pick-up, else 1."""
    if view["phase"] == OVER or seat == view["declarer"] or not has_picked_up(view):
        return np.int64(1)
    return BINOMIAL[12, 2]


@kernel
def draw_cards(rng: RngState, cards: int, n: int) -> int:
    """A uniform subset of ``n`` cards of a mask that has at least so many."""
    size = popcount(cards)
    few = min(n, size - n)  # draw what is less work: the subset or the rest
    rest = cards
    for i in range(few):
        rest ^= np.int64(1) << nth_bit(rest, rand_below(rng, size - i))
    return cards ^ rest if few == n else rest


@kernel
def _place_hidden(view: StateRecord, seat: int, rng: RngState) -> tuple[int, int, int]:
    """Draw a placing: cards in the left hand, the right hand and the pile. The view must have one."""
    none, left, right, both, a, _, p = hidden_groups(view, seat)
    n1, n2, n3 = popcount(left), popcount(right), popcount(both)
    free = p - popcount(none)
    ticket = next_bits(rng) % count_placings(view, seat)
    for i in range(free + 1):
        for j in range(free - i + 1):
            k = free - i - j
            ticket -= _term(n1, n2, n3, i, j, k, a)
            if ticket < 0:
                piled = none | draw_cards(rng, left, i) | draw_cards(rng, right, j) | draw_cards(rng, both, k)
                more = draw_cards(rng, both & ~piled, a - (n1 - i))
                return (left & ~piled) | more, (right | both) & ~piled & ~more, piled
    return np.int64(0), np.int64(0), np.int64(0)  # never reached


@kernel
def _put_hand(view: StateRecord, other: int, cards: int, out: StateRecord) -> None:
    """Write another seat's hand, unless it is shown, and what it was dealt (not yet: the skat of a pick-up)."""
    if view["hands"][other] == 0:
        out["hands"][other] = cards
    out["dealt"][other] = np.int64(out["hands"][other]) | played_by(view, other)


@kernel
def sample_world(view: StateRecord, seat: int, rng: RngState, out: StateRecord) -> None:
    """Write into ``out`` a full state drawn uniformly from those that ``seat`` cannot tell apart. The view must be possible."""
    copy_state(view, out)
    if view["phase"] == OVER:
        return
    left, right, piled = _place_hidden(view, seat, rng)
    _put_hand(view, (seat + 1) % 3, left, out)
    _put_hand(view, (seat + 2) % 3, right, out)
    declarer = np.int64(view["declarer"])
    if not has_picked_up(view):
        out["skat"] = piled
    elif seat != declarer:
        twelve = np.int64(out["dealt"][declarer]) | piled
        if view["phase"] >= DECLARE:
            out["discards"] = piled
        skat = draw_cards(rng, twelve, 2)
        out["skat"] = skat
        out["dealt"][declarer] = twelve & ~skat


@kernel
def sample_worlds_into(view: StateRecord, seat: int, rng: RngState, out: NDArray[np.void]) -> None:
    """Fill ``out`` (n,) with independent worlds."""
    for i in range(len(out)):
        sample_world(view, seat, rng, out[i])
