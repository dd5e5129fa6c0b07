"""The open-card search: what is a position worth when everybody sees all cards and plays perfectly?

How it works, in the order of reading:

``layout``     the search's own numbering of the cards (trumps on top), so that a trick's winner is one comparison; constant tables
``workspace``  the one array that a search needs: table, move rows, node counter; allocated once per thread
``order``      moves: equal cards collapse into one; the likely best move comes first
``bounds``     points that are sure without search: the run of top trumps, and what the leader can cash
``table``      positions at the start of a trick, keyed by the *order of the owners* of the cards that are left
``points``     suit games and grand: null-window alpha-beta over tricks, exact values by bisection
``null``       null: can the declarer lose every trick?
``claims``     is a claim valid? (a criterion, hardly a search)
``solve``      the face for other kernels and for :mod:`skatai.solver`: positions by seat and card, value of every move

**Values are points still to come.** The search asks "can the declarer still get ``target`` of the points that are
left?" and never looks at points already taken, so that one entry of the table serves all histories that lead to the
same cards.

**Why each shortcut is exact.**

* *Equal cards*: two cards of one hand that are neighbours among the cards still out and count the same can be
  exchanged in any line of play without changing a winner or a point; one of them is enough.
* *Bounds* before a node is searched hold for every continuation (argued in ``bounds``), so cutting on them changes no
  answer. A bound that does not cut still narrows what goes into the table.
* *The table* hands bounds from one position to another with the same owner sequence. Such positions have the same tree of
  play; only the points of the cards differ, and the bounds are widened by at most those differences (argued in ``table``).
* *Fail-soft values* are bounds on the correct side by the usual alpha-beta argument: a maximum over all moves of
  upper bounds is an upper bound, and one move's lower bound is a lower bound for the maximum.
* *Null*: the declarer's forced choices and safe suits are dominance arguments (``null``).
* *The node limit* makes the search unwind without storing anything, so every bound that is reported was proved.
"""
