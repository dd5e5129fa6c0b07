"""The open-card solver: the exact value of a position when all cards are seen ("double dummy").

>>> from skatai.solver import Position, solve, solve_moves
>>> position = Position.of(["CJ HT", "HA H7", "SJ D7"], game="H", declarer="F", leader="F")
>>> solve(position).value  # he draws both trumps, 2 + 2 + 0 points, and loses his ten to the ace
4
>>> {str(card): value for card, value in solve_moves(position).moves.items()}
{'CJ': 4, 'HT': 2}

Values count the declarer's card points **from here on**: with the trick that lies on the table, without the skat and without
the tricks before. In null the value is 1 if the declarer can lose every trick that is left, else 0. Goals
(``solve(position, "win")``) count the points that he has taken before, too.

==========================  =====================================================================================
:func:`solve`               value of a position: exact, against a goal, or within a node limit
:func:`solve_moves`         value of every legal card
:func:`best_line`           a line of perfect play
:func:`solve_batch`         many positions over threads
:func:`solve_game`          every card of a game with its open-card loss
:func:`solve_discards`      all 66 put-aways
:func:`solve_contracts`     all six games
:func:`position_svg`        a picture, the value under each card
==========================  =====================================================================================

A thread's work area takes 1 MiB and never grows. The compiled search and the reasons why it is exact are in
:mod:`skatai.kernels.search`.
"""

from __future__ import annotations

from skatai.solver.contracts import solve_contracts, solve_discards
from skatai.solver.picture import position_html, position_svg
from skatai.solver.position import Position, positions_of
from skatai.solver.solution import ContractValue, Decision, Line, PutAway, Solution
from skatai.solver.solving import best_line, solve, solve_batch, solve_game, solve_moves

__all__ = [
    "ContractValue",
    "Decision",
    "Line",
    "Position",
    "PutAway",
    "Solution",
    "best_line",
    "position_html",
    "position_svg",
    "positions_of",
    "solve",
    "solve_batch",
    "solve_contracts",
    "solve_discards",
    "solve_game",
    "solve_moves",
]
