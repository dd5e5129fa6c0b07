"""Duplicate matches and tournaments of agents, their statistics and reports."""

from skatai.arena.breakdown import breakdown
from skatai.arena.calibration import Calibration, CalibrationBin, calibration
from skatai.arena.deals import deals_where
from skatai.arena.designs import DESIGNS, PAIR_SIX, SeatDesign
from skatai.arena.export import write_columns, write_iss
from skatai.arena.intervals import Interval, mean_interval
from skatai.arena.lists import ListSeries, score_lists, series_standings
from skatai.arena.parquet import read_parquet, write_parquet
from skatai.arena.phases import PhaseAgent, RecordedBidder, crossed, splits
from skatai.arena.ratings import rate
from skatai.arena.records import GameRecord
from skatai.arena.resampling import bootstrap_interval, cluster_interval
from skatai.arena.sequential import SPRT, Until
from skatai.arena.stats import Summary, summarise
from skatai.arena.store import read_log
from skatai.arena.table import play_game
from skatai.arena.tournament import Tournament, TournamentResult, play_match

__all__ = [
    "DESIGNS",
    "PAIR_SIX",
    "SPRT",
    "Calibration",
    "CalibrationBin",
    "GameRecord",
    "Interval",
    "ListSeries",
    "PhaseAgent",
    "RecordedBidder",
    "SeatDesign",
    "Summary",
    "Tournament",
    "TournamentResult",
    "Until",
    "bootstrap_interval",
    "breakdown",
    "calibration",
    "cluster_interval",
    "crossed",
    "deals_where",
    "mean_interval",
    "play_game",
    "play_match",
    "rate",
    "read_log",
    "read_parquet",
    "score_lists",
    "series_standings",
    "splits",
    "summarise",
    "write_columns",
    "write_iss",
    "write_parquet",
]
