"""Duplicate matches and tournaments of agents, their statistics and reports."""

from skatai.arena.designs import DESIGNS, PAIR_SIX, SeatDesign
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.records import GameRecord
from skatai.arena.stats import Summary, summarise
from skatai.arena.store import read_log
from skatai.arena.table import play_game
from skatai.arena.tournament import Tournament, TournamentResult, play_match

__all__ = [
    "DESIGNS",
    "PAIR_SIX",
    "GameRecord",
    "Interval",
    "SeatDesign",
    "Summary",
    "Tournament",
    "TournamentResult",
    "mean_interval",
    "play_game",
    "play_match",
    "read_log",
    "summarise",
]
