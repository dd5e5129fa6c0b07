"""What makes the search small. Each switch takes one idea out, for the ablation of ``benchmarks/ablation.py``.

They are constants when the kernels are compiled, so a switch costs nothing. No combination changes an answer.
"""

from __future__ import annotations

__all__ = [
    "CASH",
    "EQUAL_CARDS",
    "GALLOP",
    "MANY_ENTRIES",
    "NEIGHBOURS",
    "OTHER_CARDS",
    "PARTNER_GIVES",
    "SUIT_SYMMETRY",
    "TRUMP_RUN",
    "TUNED_ORDER",
]

#: equal cards of a hand are one move
EQUAL_CARDS = True
#: the value of a card bounds that of its neighbours in the hand by the difference of their points
NEIGHBOURS = True
#: bound by the run of top trumps
TRUMP_RUN = True
#: bound by cashing the leader's winners …
CASH = True
#: … where followers must follow suit and a partner throws his best cards
PARTNER_GIVES = True
#: an entry of the table serves positions with other cards in the same order of owners
OTHER_CARDS = True
#: side suits may change places in the table's key
SUIT_SYMMETRY = True
#: several entries for the same order of owners, with different cards
MANY_ENTRIES = True
#: moves ordered by weights found by hill-climbing; otherwise by the few that they started from
TUNED_ORDER = True
#: exact values: feel the way from the middle in growing steps, then bisect; otherwise bisect at once
GALLOP = True
