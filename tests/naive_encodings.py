"""A slow, obvious twin of :func:`skatai.kernels.encodings.encode`: sets and dictionaries, block by block."""

from __future__ import annotations

from typing import Any

from skatai.kernels.action_ids import BID_VALUES
from skatai.kernels.state import NO_GAME, NOBODY, PHASES

SUITS = "DHSC"
GAMES = "DHSCGN"
BID_STEPS = [18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 46, 48, 50, 60]


def cards_of(mask: int) -> set[int]:
    return {card for card in range(32) if int(mask) >> card & 1}


def class_of(card: int, game: int) -> str:
    suit, is_jack = SUITS[card // 8], card % 8 == 7
    if GAMES[game] == "N":
        return suit
    return "trump" if is_jack or suit == GAMES[game] else suit


def one_hot(numbers: set[int], size: int) -> list[int]:
    return [int(i in numbers) for i in range(size)]


def tricks_of(state: Any) -> list[list[tuple[int, int]]]:
    """Per trick (seat, card) in the order played; the last one is the present, perhaps empty trick."""
    tricks: list[list[tuple[int, int]]] = [[]]
    for i in range(int(state["n_plays"])):
        tricks[-1].append(((int(state["leaders"][i // 3]) + i % 3) % 3, int(state["plays"][i])))
        if len(tricks[-1]) == 3:
            tricks.append([])
    return tricks


def voids_of(state: Any) -> list[set[int]]:
    """Per seat: the suit classes (D, H, S, C, trumps) that it did not follow."""
    voids: list[set[int]] = [set(), set(), set()]
    for trick in tricks_of(state):
        for seat, card in trick:
            led = class_of(trick[0][1], int(state["game"]))
            if class_of(card, int(state["game"])) != led:
                voids[seat].add([*SUITS, "trump"].index(led))
    return voids


def naive_seen(state: Any) -> list[int]:
    """Twin of :func:`skatai.kernels.encodings.look_back`: cards played by each seat and, from bit 32 on, its voids."""
    played = [{card for trick in tricks_of(state) for who, card in trick if who == seat} for seat in range(3)]
    bits = [
        cards | {32 + suit_class for suit_class in void} for cards, void in zip(played, voids_of(state), strict=True)
    ]
    return [sum(1 << i for i in places) for places in bits]


def passed_seats(state: Any) -> set[int]:
    if PHASES[state["phase"]] == "over" and state["end"] == 9:  # passed in
        return {0, 1, 2}
    if state["declarer"] != NOBODY:
        return {0, 1, 2} - {int(state["declarer"])}
    return {1: set(), 2: {0, 1} - {int(state["survivor"])}, 3: {1, 2}}[int(state["stage"])]


def naive_encoding(state: Any, seat: int) -> list[int]:
    """The encoding of ``state`` as a list of integers."""
    order = [seat, (seat + 1) % 3, (seat + 2) % 3]
    phase = PHASES[state["phase"]]
    game, declarer = int(state["game"]), int(state["declarer"])
    hand, ouvert, schneider, schwarz = (int(state["flags"]) >> bit & 1 for bit in range(4))
    tricks = tricks_of(state)
    bid = 0 if state["bid"] == 0 else int(BID_VALUES[state["bid"] - 1])

    put_away = picked_up = shown = set()
    if declarer == seat and phase not in ("auction", "skat") and not hand:
        put_away, picked_up = cards_of(state["discards"]), cards_of(state["skat"])
    if declarer != NOBODY and ouvert and phase in ("play", "answer", "over"):
        shown = cards_of(state["hands"][declarer])
    played = {who: {card for trick in tricks for player, card in trick if player == who} for who in order}
    on_table = {who: {card for player, card in tricks[-1] if player == who} for who in order}
    voids = voids_of(state)
    leader = {int(state["leaders"][len(tricks) - 1])} if phase in ("play", "answer") else set()

    def per_seat(who: set[int]) -> list[int]:
        return [int(other in who) for other in order]

    out = one_hot(cards_of(state["hands"][seat]), 32)
    out += one_hot(put_away, 32) + one_hot(picked_up, 32) + one_hot(shown, 32)
    out += [x for who in order for x in one_hot(played[who], 32)]
    out += [x for who in order for x in one_hot(on_table[who], 32)]
    out += [x for who in order for x in one_hot(voids[who], 5)]
    out += per_seat(leader) + per_seat({int(state["to_move"])}) + per_seat({declarer})
    out += one_hot({seat}, 3) + [int(phase == name) for name in PHASES]
    out += [*one_hot({game} if game != NO_GAME else set(), 6), hand, ouvert, schneider, schwarz]
    out += per_seat(passed_seats(state)) + [int(state["limits"][who]) for who in order]
    out += [int(bid >= step) for step in BID_STEPS]
    out += per_seat({int(state["caller"])} if phase == "auction" else set())
    out += [int(state["points"][who]) for who in order] + [int(state["tricks"][who]) for who in order]
    return [*out, *per_seat({int(state["pending"])}), int(state["n_plays"])]
