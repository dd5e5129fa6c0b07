"""The open-card search: what is a position worth when everybody sees all cards and plays perfectly?

How it works, in the order of reading:

``layout``     the search's own numbering of the cards (trumps on top), so that a trick's winner is one comparison; constant tables
``switches``   the ideas that can be taken out, for measurements
``weights``    the tuned weights of the move order
``workspace``  the one array that a search needs: table, move rows, node counter; allocated once per thread
``order``      moves: equal cards collapse into one; the likely best move comes first
``bounds``     points that are sure without search: the run of top trumps, and what the leader can cash
``table``      positions at the start of a trick, keyed by the *order of the owners* of the cards that are left
``points``     suit games and grand: null-window alpha-beta over tricks, exact values by a few windows
``null``       null: can the declarer lose every trick?
``claims``     is a claim valid? (a criterion, hardly a search)
``solve``      the face for other kernels and for :mod:`skatai.solver`: positions by seat and card, value of every move, many worlds

**The algorithm.** One function searches a trick: three nested loops over the cards of the leader, the second and the third player,
and a recursive call for the position behind the trick. It answers "can the declarer still get ``target`` of the points that
are left?" (a null window, [1]) and never looks at points already taken, so that one entry of the table serves all histories that
lead to the same cards. Exact values take about six such questions: from the middle in growing steps until the value lies between
two answers, then by bisection; all questions share the table. A *node* is one card tried.

**The table.** Only the order of the owners of the remaining cards matters for who may play what and who wins which trick. So the
key is, suit by suit, that order (as a number in base 3), the jacks apart, and the declarer's place behind the leader; suits that
are no trumps are sorted, since they may change places. The entry keeps which cards they were, and bounds for the declarer's
points. A position with the same key and other cards takes over the bounds, widened by the points in which the cards differ. A
bucket of eight entries may hold several with the same key.

**Why each shortcut is exact.**

* *Equal cards*: two cards of one hand that are neighbours among the cards still out and count the same can be
  exchanged in any line of play without changing a winner or a point; one of them is enough [2].
* *Neighbours*: exchanging neighbours of one hand with different points changes no winner either, and the declarer's points by at
  most their difference d: one of the two cards falls to one side and the other to the same or the other side. So the
  values of the two moves differ by d at most, and a move that fails by d or more takes its neighbour with it ([2] for d = 1).
* *Bounds* before a node is searched hold for every continuation (argued in ``bounds``), so cutting on them changes no
  answer. A bound that does not cut still narrows what goes into the table.
* *The table* hands bounds from one position to another with the same owner sequence. Such positions have the same tree of
  play; only the points of the cards differ, and the bounds are widened by at most those differences (argued in ``table``).
* *A shared table* (the worlds of one decision, the put-aways of one hand): an entry is a statement about a position, wherever
  it came from, and the key holds all that the statement depends on but the game, which must be the same.
* *Fail-soft values* are bounds on the correct side by the usual alpha-beta argument [3]: a maximum over all moves of
  upper bounds is an upper bound, and one move's lower bound is a lower bound for the maximum.
* *Null*: the declarer's forced choices and safe suits are dominance arguments (``null``).
* *The node limit* makes the search unwind without storing anything, so every bound that is reported was proved.
* *Many worlds* (``solve.best_by_worlds``): a card is given up when it could not catch up even if it won all worlds to come.

**What the order of moves does**: nothing to the answer. Its weights come from hill-climbing (``benchmarks/tune_order.py``).

Factors of each idea, also of those that did not pay, are in ``benchmarks/SOLVER.md``.

Sources
    [1] Pearl, "Asymptotic properties of minimax trees and game-searching procedures", Artificial Intelligence 14 (1980);
    Plaat, Schaeffer, Pijls, de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87 (1996).
    [2] Kupferschmid, Helmert, "A Skat player based on Monte-Carlo simulation", Computers and Games (2006): equal and nearly
    equal cards in a Skat search.
    [3] Fishburn, "Another optimization of alpha-beta search", SIGART Newsletter 84 (1983): fail-soft.
    Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14 (2001): one table entry for many
    positions, the idea behind owner sequences.
"""
