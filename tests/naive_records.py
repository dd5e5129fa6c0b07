"""The slow obvious twin of the ISS replay: plain Python on card names, written from the description of the format alone.

``naive_result`` gives the text of ``R[…]`` for the text of ``MV[…]``, or raises ``ValueError``. It knows the forms that the writer
writes (no shown cards, no damage).
"""

from __future__ import annotations

import re

SUITS, RANKS = "CSHD", "AKQJT987"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
BASE = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24}
NULL_VALUE = {"N": 23, "NH": 35, "NO": 46, "NOH": 59}
BIDS = {base * n for base in (9, 10, 11, 12) for n in range(2, 19)}
BIDS |= {24 * n for n in range(2, 12)} | {23, 35, 46, 59, 171, 189, 190}


def trumps(game: str) -> list[str]:
    """Trumps from the top."""
    if game == "N":
        return []
    jacks = [suit + "J" for suit in SUITS]
    return jacks if game == "G" else jacks + [game + rank for rank in "ATKQ987"]


def suit_class(card: str, game: str) -> str:
    return "T" if card in trumps(game) else card[0]


def strength(card: str, game: str) -> int:
    if card in trumps(game):
        return 100 - trumps(game).index(card)
    return -("AKQJT987" if game == "N" else "ATKQ987").index(card[1])


def trick_winner(cards: list[str], game: str) -> int:
    led = suit_class(cards[0], game)
    best = 0
    for i in (1, 2):
        same = suit_class(cards[i], game) == suit_class(cards[best], game)
        if (same and strength(cards[i], game) > strength(cards[best], game)) or (
            not same and suit_class(cards[i], game) == "T" and led != "T"
        ):
            best = i
    return best


def count_matadors(game: str, cards: set[str]) -> int:
    order = trumps(game)
    with_top = order[0] in cards
    n = 0
    while n < len(order) and (order[n] in cards) == with_top:
        n += 1
    return n if with_top else -n


def points(cards: list[str]) -> int:
    return sum(POINTS[card[1]] for card in cards)


class Naive:
    """One record."""

    def __init__(self, text: str) -> None:
        words = text.split()
        self.pairs = list(zip(words[::2], words[1::2], strict=True))
        who, deal = self.pairs.pop(0)
        cards = deal.split(".")
        if who != "w" or sorted(cards) != sorted(s + r for s in SUITS for r in RANKS):
            raise ValueError("deal")
        self.hands = [cards[:10], cards[10:20], cards[20:30]]
        self.dealt = [set(hand) for hand in self.hands]
        self.skat = cards[30:]
        self.away: list[str] = list(self.skat)
        self.tricks: list[list[list[str]]] = [[], [], []]
        self.resigned: set[int] = set()

    def next(self) -> tuple[str, str] | None:
        return self.pairs[0] if self.pairs else None

    def stop(self) -> tuple[str, int] | None:
        """A time-out or leaving, if that comes next."""
        if self.pairs and self.pairs[0][0] == "w" and (m := re.fullmatch(r"(TI|LE)\.([012])", self.pairs[0][1])):
            self.pairs.pop(0)
            if self.pairs:
                raise ValueError("goes on after the end")
            return m[1], int(m[2])
        return None

    def take(self, seat: int) -> str:
        who, action = self.pairs.pop(0)
        if who != str(seat):
            raise ValueError(f"not {who}'s turn")
        return action

    def run(self) -> str:
        return self.auction()

    def auction(self) -> str:
        bid, caller, responder, answering = 0, 1, 0, False
        while True:
            if (stop := self.stop()) is not None:
                return self.penalty(-1, stop)
            action = self.take(responder if answering else caller)
            if answering and action == "y":
                answering = False
            elif not answering and re.fullmatch("[1-9][0-9]+", action) and int(action) in BIDS and int(action) > bid:
                bid = int(action)
                if responder < 0:
                    return self.contract(0, bid)
                answering = True
            elif action == "p":
                survivor = caller if answering else responder
                answering = False
                if caller == 1:
                    caller, responder = 2, survivor
                elif caller == 2 and bid:
                    return self.contract(survivor, bid)
                elif caller == 2:
                    caller, responder = 0, -1
                elif self.pairs:
                    raise ValueError("goes on after the end")
                else:
                    return "passed"
            else:
                raise ValueError(f"call {action}")

    def penalty(self, declarer: int, stop: tuple[str, int]) -> str:
        guilty = {stop[1]} if declarer in (-1, stop[1]) else {0, 1, 2} - {declarer}
        p0, p1, p2 = (int(seat in guilty) for seat in range(3))
        left, timed_out = (stop[1], -1) if stop[0] == "LE" else (-1, stop[1])
        return f"d:{declarer} penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:{p0} p1:{p1} p2:{p2} l:{left} to:{timed_out} r:0"

    def contract(self, declarer: int, bid: int) -> str:
        self.declarer, self.bid = declarer, bid
        if (stop := self.stop()) is not None:
            return self.penalty(declarer, stop)
        action = self.take(declarer)
        self.hand = action != "s"
        if not self.hand:
            if (stop := self.stop()) is not None:
                return self.penalty(declarer, stop)
            who, shown = self.pairs.pop(0)
            if who != "w" or sorted(shown.split(".")) != sorted(self.skat):
                raise ValueError("skat")
            if (stop := self.stop()) is not None:
                return self.penalty(declarer, stop)
            action = self.take(declarer)
        name, *discards = action.split(".")
        if not re.fullmatch("[DHSCGN][HOSZ]*", name) or len(set(name[1:])) != len(name[1:]):
            raise ValueError("contract")
        self.game, flags = name[0], set(name[1:])
        if self.game != "N" and "O" in flags:
            flags = set("HOSZ")
        if "Z" in flags:
            flags.add("S")
        self.flags = flags
        if ("H" in flags) != self.hand or ("S" in flags and (self.game == "N" or not self.hand)):
            raise ValueError("contract")
        if self.game == "N" and self.null_value() < bid:
            raise ValueError("null overbid")
        if not self.hand:
            if not discards:
                discards = self.take(declarer).split(".")
            mine = self.hands[declarer] + self.skat
            if len(set(discards)) != 2 or not set(discards) <= set(mine):
                raise ValueError("discards")
            self.hands[declarer] = [card for card in mine if card not in discards]
            self.away = discards
        elif discards:
            raise ValueError("shown cards")
        return self.play()

    def null_value(self) -> int:
        return NULL_VALUE["N" + "O" * ("O" in self.flags) + "H" * ("H" in self.flags)]

    def play(self) -> str:
        leader, table = 0, []
        while True:
            if (stop := self.stop()) is not None:
                return self.score(stop=stop)
            if self.next() is None:
                raise ValueError("not ended")
            who, action = self.pairs.pop(0)
            seat = int(who)
            if action == "RE":
                if seat in self.resigned:
                    raise ValueError("resigned twice")
                self.resigned.add(seat)
                if self.declarer in self.resigned or len(self.resigned) == 2:
                    return self.score()
                continue
            if action == "SC":
                if seat != self.declarer:
                    raise ValueError("shows")
                continue
            hand = self.hands[seat]
            if seat != (leader + len(table)) % 3 or action not in hand:
                raise ValueError("card")
            if table:
                led = suit_class(table[0], self.game)
                if suit_class(action, self.game) != led and any(suit_class(c, self.game) == led for c in hand):
                    raise ValueError("revoke")
            hand.remove(action)
            table.append(action)
            if len(table) == 3:
                leader = (leader + trick_winner(table, self.game)) % 3
                self.tricks[leader].append(table)
                table = []
                if self.over(leader):
                    return self.score()

    def taken(self, seats: set[int]) -> tuple[int, int]:
        """Card points and number of tricks of some seats."""
        tricks = [trick for seat in seats for trick in self.tricks[seat]]
        return sum(points(trick) for trick in tricks), len(tricks)

    def over(self, winner: int) -> bool:
        lost_points, lost_tricks = self.taken({0, 1, 2} - {self.declarer})
        if sum(map(len, self.tricks)) == 10:
            return True
        if self.game == "N":
            return winner == self.declarer
        if "Z" in self.flags:
            return lost_tricks > 0
        return "S" in self.flags and lost_points > 30

    def score(self, stop: tuple[str, int] | None = None) -> str:
        if self.pairs:
            raise ValueError("goes on after the end")
        defenders = {0, 1, 2} - {self.declarer}
        lost_points, lost_tricks = self.taken(defenders)
        p, t = self.taken({self.declarer})
        complete = t + lost_tricks
        p += points(self.away)
        gone = stop is not None and stop[1] == self.declarer
        gift = (stop is not None and not gone) or defenders <= self.resigned
        if gift and self.game != "N":
            p, t = 120 - lost_points, 10 - lost_tricks
        resigned = int(self.declarer in self.resigned or defenders <= self.resigned)
        left, timed_out = -1, -1
        if stop is not None:
            left, timed_out = (stop[1], -1) if stop[0] == "LE" else (-1, stop[1])
        s = z = m = 0
        overbid = False
        if self.game == "N":
            value = self.null_value()
            won = t == 0 and not gone and self.declarer not in self.resigned
        else:
            m = count_matadors(self.game, self.dealt[self.declarer] | set(self.skat))
            won = p >= 61
            if "Z" in self.flags:
                won = lost_tricks == 0 and t == 10
            elif "S" in self.flags:
                won = p >= 90
            won = won and not gone
            announced = "S" in self.flags
            if won:
                s, z = int(p >= 90), int(t == 10)
            elif complete:
                s, z = int(p <= 30), int(t == 0)
            levels = abs(m) + 1 + len(self.flags)
            levels += (s or announced) + (z or "Z" in self.flags)
            if announced and not won:
                s = z = 0
            base = BASE[self.game]
            value = base * levels
            if value < self.bid:
                overbid, won = True, False
                value = base * -(-self.bid // base)
        v = value if won else -2 * value
        return (
            f"d:{self.declarer} {'win' if won else 'loss'} v:{v} m:{m} {'overbid' if overbid else 'bidok'} p:{p} t:{t} "
            f"s:{s} z:{z} p0:0 p1:0 p2:0 l:{left} to:{timed_out} r:{resigned}"
        )


def naive_result(text: str) -> str:
    """``R[…]`` for the text of ``MV[…]``."""
    return Naive(text).run()
