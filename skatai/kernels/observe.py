"""What one seat may know (rules 1.4), as a state record with everything hidden blanked out."""

from __future__ import annotations

import numpy as np

from skatai._jit import kernel
from skatai.kernels.action_ids import HAND, OUVERT
from skatai.kernels.state import DISCARD, OVER, PLAY, StateRecord
from skatai.kernels.tables import FOLLOW

__all__ = ["copy_state", "observe", "void_in"]


@kernel
def copy_state(source: StateRecord, out: StateRecord) -> None:
    """Copy every field."""
    out["rules"] = source["rules"]
    out["skat"] = source["skat"]
    out["discards"] = source["discards"]
    for seat in range(3):
        out["dealt"][seat] = source["dealt"][seat]
        out["hands"][seat] = source["hands"][seat]
        out["points"][seat] = source["points"][seat]
        out["tricks"][seat] = source["tricks"][seat]
        out["limits"][seat] = source["limits"][seat]
        out["bids"][0, seat] = source["bids"][0, seat]
        out["bids"][1, seat] = source["bids"][1, seat]
    for i in range(10):
        out["leaders"][i] = source["leaders"][i]
    for i in range(30):
        out["plays"][i] = source["plays"][i]
    out["n_plays"] = source["n_plays"]
    out["phase"] = source["phase"]
    out["to_move"] = source["to_move"]
    out["bid"] = source["bid"]
    out["stage"] = source["stage"]
    out["caller"] = source["caller"]
    out["responder"] = source["responder"]
    out["survivor"] = source["survivor"]
    out["declarer"] = source["declarer"]
    out["game"] = source["game"]
    out["flags"] = source["flags"]
    out["refused"] = source["refused"]
    out["pending"] = source["pending"]
    out["resigned"] = source["resigned"]
    out["end"] = source["end"]
    out["end_seat"] = source["end_seat"]
    out["awarded"] = source["awarded"]
    out["awarded_tricks"][0] = source["awarded_tricks"][0]
    out["awarded_tricks"][1] = source["awarded_tricks"][1]
    out["schneider"] = source["schneider"]
    out["schwarz"] = source["schwarz"]
    out["won"] = source["won"]
    out["overbid"] = source["overbid"]
    out["matadors"] = source["matadors"]
    out["value"] = source["value"]
    out["score"] = source["score"]


@kernel
def observe(state: StateRecord, seat: int, out: StateRecord) -> None:
    """Write into ``out`` exactly what ``seat`` may know of ``state``.

    Hidden and therefore 0: the other hands and how they were dealt (an ouvert hand is shown from the declaration on, a finished
    game to everybody), the skat unless the seat picked it up, the discards unless the seat put them away.
    """
    copy_state(state, out)
    phase = np.int64(state["phase"])
    if phase == OVER:
        return
    declarer = np.int64(state["declarer"])
    declared = phase >= PLAY
    for other in range(3):
        if other == seat:
            continue
        shown = declared and other == declarer and np.int64(state["flags"]) & OUVERT != 0
        if not shown:
            out["hands"][other] = 0
        # The ten dealt cards of a declarer who picked up are not public even in ouvert: two of them may lie in the skat.
        if not (shown and np.int64(state["flags"]) & HAND != 0):
            out["dealt"][other] = 0
    picked_up = phase >= DISCARD and np.int64(state["flags"]) & HAND == 0
    if seat != declarer or not picked_up:
        out["skat"] = 0
    if seat != declarer:
        out["discards"] = 0


@kernel
def void_in(state: StateRecord, seat: int) -> int:
    """Mask of the cards that ``seat`` cannot hold, since it did not follow a suit class (rules 4.1); 0 before the declaration.

    Reads public things only, so that everybody may ask it of every seat.
    """
    game = np.int64(state["game"])
    n = np.int64(state["n_plays"])
    void = np.int64(0)
    for trick in range((n + 2) // 3):
        place = (seat - np.int64(state["leaders"][trick]) + 3) % 3
        index = 3 * trick + place
        if place == 0 or index >= n:
            continue
        follow = FOLLOW[game, state["plays"][3 * trick]]
        if follow >> np.int64(state["plays"][index]) & 1 == 0:
            void |= follow
    return void
