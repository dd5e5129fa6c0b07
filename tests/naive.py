"""The rules a second time: slow, obvious, written from the rule text with sets and strings, and independent of the kernels.

Cards are strings (``"CJ"``), games letters (``D H S C G N``), announcements words. Nothing here imports from the package, so that
an error would have to be made twice to go unseen.
"""

from __future__ import annotations

from functools import cache
from typing import Any

SUITS = "DHSC"
RANKS = "789QKTAJ"
CARDS = [suit + rank for suit in SUITS for rank in RANKS]
PACK = frozenset(CARDS)
RANK_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
BASES = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24, "N": 23}
NULL_VALUES = {(): 23, ("hand",): 35, ("ouvert",): 46, ("hand", "ouvert"): 59}

AFTER_PICK_UP = ["D", "H", "S", "C", "G", "N", "NO"]
BY_HAND = [game + flags for game in "DHSCG" for flags in ("H", "HS", "HZ", "O")] + ["NH", "NOH"]
ANNOUNCED = {
    "": set(),
    "H": {"hand"},
    "HS": {"hand", "schneider"},
    "HZ": {"hand", "schneider", "schwarz"},
    "O": {"hand", "schneider", "schwarz", "ouvert"},
}

OFFICIAL = [
    18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46, 48, 50, 54, 55, 59, 60, 63, 66, 70, 72, 77, 80, 81, 84, 88, 90, 96,
    99, 100, 108, 110, 117, 120, 121, 126, 130, 132, 135, 140, 143, 144, 150, 153, 154, 156, 160, 162, 165, 168, 170, 176, 180,
    187, 192, 198, 204, 216, 240, 264,
]  # fmt: skip
GRAND_20 = sorted(set(OFFICIAL) - {240, 264} | {200, 220})
ISS = sorted(set(OFFICIAL) | {171, 189, 190})
ALL_VALUES = sorted(set(OFFICIAL) | set(GRAND_20) | set(ISS))

#: the numbers of the action space, from its description
ACTIONS = (
    [f"play {card}" for card in CARDS]
    + ["pass", "hold", "pick up"]
    + [f"declare {contract}" for contract in AFTER_PICK_UP + BY_HAND]
    + [f"bid {value}" for value in ALL_VALUES]
    + ["concede", "claim", "accept", "play on"]
)

DEFAULT_RULES: dict[str, Any] = {
    "ladder": "official",
    "grand_base": 24,
    "lost_hand_counts_once": False,
    "null_overbid": "reject",
    "declaration_check": "none",
    "early_end": "null_only",
    "concede_policy": "off",
    "claims": "off",
}


# -- cards (1.1, 1.2) ---------------------------------------------------------------------------------------------------


def points(cards: Any) -> int:
    return sum(RANK_POINTS[card[1]] for card in cards)


def trumps(game: str) -> list[str]:
    """From the strongest down."""
    if game == "N":
        return []
    jacks = ["CJ", "SJ", "HJ", "DJ"]
    return jacks if game == "G" else jacks + [game + rank for rank in "ATKQ987"]


def suit_class(card: str, game: str) -> str:
    return "trump" if card in trumps(game) else card[0]


def order(game: str, of_class: str) -> list[str]:
    """The cards of a suit class from the strongest down."""
    if of_class == "trump":
        return trumps(game)
    return [of_class + rank for rank in ("AKQJT987" if game == "N" else "ATKQ987")]


def classes(game: str) -> list[str]:
    if game == "N":
        return list(SUITS)
    return ["trump"] + [suit for suit in SUITS if suit != game]


# -- tricks (4.1) -------------------------------------------------------------------------------------------------------


def may_play(hand: Any, led: str | None, game: str) -> set[str]:
    if led is None:
        return set(hand)
    same = {card for card in hand if suit_class(card, game) == suit_class(led, game)}
    return same or set(hand)


def winner(trick: list[str], game: str) -> int:
    """Place (0, 1, 2) of the card that takes the trick."""
    in_trumps = [card for card in trick if suit_class(card, game) == "trump"]
    candidates = in_trumps or [card for card in trick if suit_class(card, game) == suit_class(trick[0], game)]
    ranking = order(game, suit_class(candidates[0], game))
    return trick.index(min(candidates, key=ranking.index))


# -- value and score (3.2 - 3.4, 4.3, 5.1, 5.2) ---------------------------------------------------------------------------


def contract_of(text: str) -> tuple[str, set[str]]:
    """Game letter and words of one of the 29 declarations."""
    game, flags = text[0], text[1:]
    if game == "N":
        return game, {word for letter, word in (("H", "hand"), ("O", "ouvert")) if letter in flags}
    return game, set(ANNOUNCED[flags])


def matadors(game: str, twelve: Any) -> int:
    """Signed: with n is n, without n is -n; 0 in null."""
    ranking = trumps(game)
    if not ranking:
        return 0
    has_old_one = "CJ" in twelve
    n = 0
    for card in ranking:
        if (card in twelve) != has_old_one:
            break
        n += 1
    return n if has_old_one else -n


def multiplier(n: int, words: set[str], schneider: bool, schwarz: bool) -> int:
    """The table of outcomes of 3.3; ``n`` matadors without sign, ``schneider`` and ``schwarz`` as they turned out."""
    if "ouvert" in words:
        return n + 7
    if "schwarz" in words:
        return n + 6
    if "schneider" in words:
        return n + 5 if schwarz else n + 4
    if "hand" in words:
        return n + 4 if schwarz else n + 3 if schneider else n + 2
    return n + 3 if schwarz else n + 2 if schneider else n + 1


def base_value(game: str, rules: dict[str, Any]) -> int:
    return int(rules["grand_base"]) if game == "G" else BASES[game]


def value_of(game: str, words: set[str], n: int, schneider: bool, schwarz: bool, rules: dict[str, Any]) -> int:
    if game == "N":
        return NULL_VALUES[tuple(sorted(words))]
    return base_value(game, rules) * multiplier(n, words, schneider, schwarz)


def reached(game: str, words: set[str], declarer_points: int, own_tricks: int, lost_tricks: int) -> bool:
    """Whether the declarer, the game played out, has done what he undertook (4.2)."""
    if game == "N":
        return own_tricks == 0
    if "schwarz" in words:
        return lost_tricks == 0
    return declarer_points >= (90 if "schneider" in words else 61)


def settle(
    game: str,
    words: set[str],
    n: int,
    schneider: bool,
    schwarz: bool,
    goal: bool,
    bid: int,
    rules: dict[str, Any],
) -> tuple[bool, bool, int, int]:
    """Won, overbid, value, score (5.1, 5.2)."""
    value = value_of(game, words, n, schneider, schwarz, rules)
    overbid = value < bid
    if overbid:
        base = base_value(game, rules)
        value = base
        while value < bid:
            value += base
    if goal and not overbid:
        return True, False, value, value
    once = rules["lost_hand_counts_once"] and "hand" in words
    return False, overbid, value, -value if once else -value * 2


# -- auction (2.1, 2.2) ---------------------------------------------------------------------------------------------------


def ladder(rules: dict[str, Any]) -> list[int]:
    if rules["ladder"] == "iss":
        return ISS
    return GRAND_20 if rules["grand_base"] == 20 else OFFICIAL


def auction(calls: list[str]) -> dict[str, Any]:
    """Runs the machine of 2.2 over calls (``"18"``, ``"hold"``, ``"pass"``): who is to move as what, and how it ended."""
    current, phase, caller, responder, turn = 0, 1, 1, 0, "caller"
    limits = [0, 0, 0]
    seats: list[int] = []
    for call in calls:
        seats.append(caller if turn == "caller" else responder)
        if phase == 3:
            if call != "pass":
                limits[0] = int(call)
                return {"declarer": 0, "bid": int(call), "limits": limits, "seats": seats}
            return {"declarer": None, "bid": 0, "limits": limits, "seats": seats}
        if call == "pass":
            survivor = responder if turn == "caller" else caller
            if phase == 1:
                phase, caller, responder, turn = 2, 2, survivor, "caller"
            elif current == 0:
                phase, caller, turn = 3, 0, "caller"
            else:
                return {"declarer": survivor, "bid": current, "limits": limits, "seats": seats}
        elif call == "hold":
            limits[responder] = current
            turn = "caller"
        else:
            current = int(call)
            limits[caller] = current
            turn = "responder"
    seat = caller if turn == "caller" else responder
    return {"to_move": seat, "turn": turn, "phase": phase, "bid": current, "limits": limits, "seats": seats}


# -- claims (4.4) -----------------------------------------------------------------------------------------------------------


@cache
def takes_all(
    hands: tuple[frozenset[str], frozenset[str], frozenset[str]],
    game: str,
    claimant: int,
    leader: int,
    table: tuple[str, ...],
) -> bool:
    """Whether the claimant gets every trick from here on (null: none of them) though all the others conspire against him."""
    if len(table) == 3:
        seat = (leader + winner(list(table), game)) % 3
        if (seat == claimant) == (game == "N"):
            return False
        return takes_all(hands, game, claimant, seat, ())
    if not table and not hands[leader]:
        return True
    seat = (leader + len(table)) % 3
    outcomes = (
        takes_all(
            tuple(hand - {card} if i == seat else hand for i, hand in enumerate(hands)),  # type: ignore[arg-type]
            game,
            claimant,
            leader,
            (*table, card),
        )
        for card in sorted(may_play(hands[seat], table[0] if table else None, game))
    )
    return any(outcomes) if seat == claimant else all(outcomes)


# -- a whole deal -----------------------------------------------------------------------------------------------------------


class NaiveGame:
    """One deal from the auction to the score. Actions and events by name, as in ``ACTIONS`` and ``EVENTS``."""

    EVENTS = ("concede", "claim", "accept", "play_on", "time_out", "leave")

    def __init__(self, hands: list[set[str]], skat: set[str], rules: dict[str, Any] | None = None) -> None:
        assert [len(hand) for hand in hands] == [10, 10, 10] and set().union(*hands, skat) == PACK
        self.dealt = [frozenset(hand) for hand in hands]
        self.hands = [set(hand) for hand in hands]
        self.skat = frozenset(skat)
        self.rules = {**DEFAULT_RULES, **(rules or {})}
        self.calls: list[str] = []
        self.picked_up = False
        self.away: set[str] = set()
        self.contract: str | None = None
        self.plays: list[tuple[int, str]] = []
        self.tricks: list[tuple[int, list[str]]] = []  # winner, cards
        self.leader = 0
        self.table: list[str] = []
        self.claim_refused: set[int] = set()
        self.concession_refused: set[int] = set()
        self.resigned: set[int] = set()
        self.conceding: int | None = None
        self.asked: int | None = None
        self.win_is_safe = False
        self.verdict: bool | None = None  # on the next claim, where a test knows it and the search would take too long
        self.result: dict[str, Any] | None = None

    # what is public knowledge follows from the above

    @property
    def declarer(self) -> int | None:
        return auction(self.calls).get("declarer")

    @property
    def bid(self) -> int:
        return int(auction(self.calls)["bid"])

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        if "to_move" in auction(self.calls):
            return "auction"
        if self.contract is not None:
            return "play" if self.conceding is None else "answer"
        if not self.picked_up:
            return "skat"
        return "declare" if len(self.away) == 2 else "discard"

    @property
    def to_move(self) -> int | None:
        phase = self.phase
        if phase == "over":
            return None
        if phase == "auction":
            return int(auction(self.calls)["to_move"])
        if phase == "play":
            return (self.leader + len(self.table)) % 3
        return self.asked if phase == "answer" else self.declarer

    def points_of(self, seat: int) -> int:
        return sum(points(cards) for who, cards in self.tricks if who == seat)

    def tricks_of(self, seat: int) -> int:
        return sum(1 for who, _ in self.tricks if who == seat)

    @property
    def defenders(self) -> list[int]:
        return [seat for seat in range(3) if seat != self.declarer]

    @property
    def lost_points(self) -> int:
        return sum(self.points_of(seat) for seat in self.defenders)

    @property
    def lost_tricks(self) -> int:
        return sum(self.tricks_of(seat) for seat in self.defenders)

    @property
    def own_points(self) -> int:
        """The declarer's, with the skat or what he put away."""
        assert self.declarer is not None
        return self.points_of(self.declarer) + points(self.away or self.skat)

    @property
    def own_tricks(self) -> int:
        assert self.declarer is not None
        return self.tricks_of(self.declarer)

    # legal actions

    def declarations(self) -> set[str]:
        names = AFTER_PICK_UP if self.picked_up else BY_HAND
        bid = self.bid

        def null_covers(name: str) -> bool:
            game, words = contract_of(name)
            return value_of(game, words, 0, False, False, self.rules) >= bid

        def can_cover(name: str) -> bool:
            assert self.declarer is not None
            n = abs(matadors(name, self.dealt[self.declarer] | self.skat))
            return base_value(name, self.rules) * multiplier(n, set(), True, True) >= bid

        nulls = {name for name in names if name[0] == "N"}
        good = {name for name in nulls if null_covers(name)}
        if self.rules["null_overbid"] == "reject":
            nulls = good
        others = {name for name in names if name[0] != "N"}
        if self.picked_up and self.rules["declaration_check"] == "strict":
            able = {name for name in others if can_cover(name)}
            if able or good:
                others = able
        return nulls | others

    def legal(self) -> set[str]:
        phase = self.phase
        if phase == "auction":
            return self.legal_calls()
        if phase == "skat":
            return {"pick up"} | {f"declare {name}" for name in self.declarations()}
        if phase == "discard":
            assert self.declarer is not None
            return {f"play {card}" for card in self.hands[self.declarer]}
        if phase == "declare":
            return {f"declare {name}" for name in self.declarations()}
        if phase == "answer":
            return {"accept", "play on"}
        if phase == "over":
            return set()
        seat = self.to_move
        assert seat is not None and self.contract is not None
        led = self.table[0] if self.table else None
        cards = {f"play {card}" for card in may_play(self.hands[seat], led, self.contract[0])}
        return cards | {kind for kind in ("concede", "claim") if self.legal_event(kind, seat)}

    def legal_calls(self) -> set[str]:
        now = auction(self.calls)
        if now["turn"] == "responder":
            return {"hold", "pass"}
        if now["phase"] == 3 and self.rules["ladder"] != "iss":
            return {"pass", "bid 18"}
        return {"pass"} | {f"bid {value}" for value in ladder(self.rules) if value > now["bid"]}

    def legal_event(self, kind: str, seat: int) -> bool:
        phase = self.phase
        if phase == "over":
            return False
        if kind in ("time_out", "leave"):
            return True
        if kind in ("accept", "play_on"):
            if phase != "answer":
                return False
            if self.conceding != self.declarer:
                return seat == self.declarer
            return seat != self.declarer and (kind == "accept" or seat == self.asked)
        if phase != "play":
            return False
        assert self.contract is not None
        if kind == "claim":
            if self.contract[0] == "N" and seat != self.declarer:
                return False
            return self.rules["claims"] != "off" and seat not in self.claim_refused
        return (
            self.rules["concede_policy"] != "off" and seat not in self.concession_refused and seat not in self.resigned
        )

    # moving

    def act(self, name: str) -> None:
        assert name in self.legal(), (name, self.legal())
        seat = self.to_move
        assert seat is not None
        if name in ("concede", "claim", "accept", "play on"):
            self.event(name.replace(" ", "_"), seat)
        elif self.phase == "auction":
            self.calls.append(name.removeprefix("bid "))
            if auction(self.calls).get("declarer", 0) is None:
                self.result = {"end": "passed_in"}
        elif name == "pick up":
            self.picked_up = True
            self.hands[seat] |= self.skat
        elif name.startswith("declare "):
            self.contract = name.removeprefix("declare ")
        elif self.phase == "discard":
            self.away.add(name[5:])
            self.hands[seat] -= self.away
        else:
            self.play(seat, name[5:])

    def play(self, seat: int, card: str) -> None:
        assert self.contract is not None
        self.plays.append((seat, card))
        self.hands[seat].remove(card)
        self.table.append(card)
        if len(self.table) < 3:
            return
        self.leader = (self.leader + winner(self.table, self.contract[0])) % 3
        self.tricks.append((self.leader, self.table))
        self.table = []
        self.claim_refused, self.concession_refused = set(), set()
        if len(self.tricks) == 10:
            self.finish("played")
        elif self.is_decided():
            self.finish("decided")

    def is_decided(self) -> bool:
        """4.2: null ends with the declarer's first trick; the rest by ``early_end``."""
        assert self.contract is not None
        game, words = contract_of(self.contract)
        if game == "N":
            return self.own_tricks > 0
        policy = self.rules["early_end"]
        if policy == "null_only":
            return False
        if "schwarz" in words:
            return self.lost_tricks > 0
        if "schneider" in words:
            return self.lost_points > 30 and (policy == "iss" or self.own_tricks > 0)
        return policy == "decided" and self.own_points >= 61 and self.lost_points >= 31

    def event(self, kind: str, seat: int) -> None:
        assert self.legal_event(kind, seat)
        if kind == "concede":
            self.concede(seat)
        elif kind == "claim":
            self.claim(seat)
        elif kind == "accept":
            assert self.conceding is not None
            self.finish("conceded" if self.conceding == self.declarer else "defenders_conceded", self.conceding)
        elif kind == "play_on":
            self.refuse(seat)
        elif self.contract is None:
            self.result = {"end": "timed_out" if kind == "time_out" else "left", "seat": seat}
        else:
            self.finish("timed_out" if kind == "time_out" else "left", seat)

    def concede(self, seat: int) -> None:
        assert self.declarer is not None
        isko = self.rules["concede_policy"] == "isko"
        if seat == self.declarer and (not isko or len(self.hands[seat]) >= 9):
            self.finish("conceded", seat)
        elif isko:
            self.conceding = seat
            self.asked = (self.declarer + 1) % 3 if seat == self.declarer else self.declarer
        else:
            self.resigned.add(seat)
            if len(self.resigned) == 2:
                self.finish("defenders_conceded", seat)

    def refuse(self, seat: int) -> None:
        assert self.conceding is not None and self.declarer is not None
        if self.conceding == self.declarer and seat == (self.declarer + 1) % 3:
            self.asked = (self.declarer + 2) % 3
            return
        if self.conceding != self.declarer:
            self.win_is_safe = True
        self.concession_refused.add(self.conceding)
        self.conceding = self.asked = None

    def claim(self, seat: int) -> None:
        assert self.contract is not None
        holds = self.verdict
        if holds is None:
            hands = (frozenset(self.hands[0]), frozenset(self.hands[1]), frozenset(self.hands[2]))
            holds = takes_all(hands, self.contract[0], seat, self.leader, tuple(self.table))
        if holds:
            self.finish("claim", seat)
        elif self.rules["claims"] == "penalise":
            self.finish("refused_claim", seat)
        else:
            self.claim_refused.add(seat)

    # scoring

    def finish(self, end: str, seat: int | None = None) -> None:
        """What is counted, what an ending gives to whom, then levels, goal and score."""
        assert self.contract is not None and self.declarer is not None
        game, words = contract_of(self.contract)
        signed = matadors(game, self.dealt[self.declarer] | self.skat)
        own, lost, awarded = self.own_tricks, self.lost_tricks, self.own_points
        isko = self.rules["concede_policy"] == "isko"
        by_declarer = seat == self.declarer
        rest = 10 - len(self.tricks)

        if game == "N":
            if end == "refused_claim":
                own = 1
        elif (
            (end == "claim" and by_declarer)
            or (end == "refused_claim" and not by_declarer)
            or (end == "defenders_conceded" and not isko)
            or (end in ("timed_out", "left") and not by_declarer)
        ):
            awarded, own = 120 - self.lost_points, own + rest
        elif end in ("claim", "refused_claim"):
            lost += rest

        schneider = awarded >= 90 or awarded <= 30
        schwarz = own == 0 or lost == 0
        goal = reached(game, words, awarded, own, lost)
        gives_up = by_declarer and end in ("conceded", "timed_out", "left")
        safe = self.win_is_safe and "schneider" not in words and game != "N"
        if end == "defenders_conceded" and isko:
            schneider, schwarz, goal = self.levels_when_defenders_concede(game, words, abs(signed))
        elif gives_up:
            secured = game != "N" and "schwarz" not in words and goal
            goal = end == "conceded" and (secured or safe)
            if goal:
                schneider, schwarz = awarded >= 90, False
            elif end == "conceded" and isko:
                schneider, schwarz = self.lost_points >= 90, False
            else:
                schneider = awarded <= 30 and len(self.tricks) > 0
                schwarz = own == 0 and lost > 0
        elif safe:
            goal, schneider, schwarz = True, awarded >= 90, lost == 0
        if game == "N":
            schneider = schwarz = False
        won, overbid, value, score = settle(game, words, abs(signed), schneider, schwarz, goal, self.bid, self.rules)
        self.conceding = self.asked = None
        self.result = {
            "end": end,
            "seat": seat,
            "matadors": signed,
            "won": won,
            "overbid": overbid,
            "value": value,
            "score": score,
            "points": awarded,
            "tricks": (own, lost),
            "schneider": schneider or "schneider" in words,
            "schwarz": schwarz or "schwarz" in words,
        }

    def levels_when_defenders_concede(self, game: str, words: set[str], n: int) -> tuple[bool, bool, bool]:
        """ISkO 4.1.4, 4.1.5, 4.3.3: plain, and what is reached, and what he needs where points and tricks still allow it."""
        schneider, schwarz = self.own_points >= 90, False
        may_schneider, may_schwarz = self.lost_points <= 30, self.lost_tricks == 0
        if "schwarz" in words:
            return schneider, schwarz, may_schwarz
        if "schneider" in words:
            goal = may_schneider
        else:
            goal = True
        if value_of(game, words, n, schneider, schwarz, self.rules) < self.bid and may_schneider:
            schneider = True
        if value_of(game, words, n, schneider, schwarz, self.rules) < self.bid and may_schwarz:
            schwarz = True
        return schneider, schwarz, goal

    # knowledge (1.4)

    def knows(self, seat: int) -> dict[str, Any]:
        """The cards that ``seat`` may know besides its own hand and the plays."""
        mine = seat == self.declarer
        open_hand = self.contract is not None and "ouvert" in contract_of(self.contract)[1]
        over = self.result is not None
        hands = {s: set(self.hands[s]) for s in range(3) if s == seat or over or (open_hand and s == self.declarer)}
        return {
            "hands": hands,
            "skat": set(self.skat) if over or (mine and self.picked_up) else set(),
            "discards": set(self.away) if over or mine else set(),
        }


def naive_perft(game: NaiveGame, depth: int, replay: list[str] | None = None) -> int:
    """Legal action sequences of length ``depth``, shorter where the deal ends; every branch replayed from the deal."""
    done = replay or []
    current = NaiveGame([set(hand) for hand in game.dealt], set(game.skat), game.rules)
    for name in done:
        current.act(name)
    if depth == 0 or current.phase == "over":
        return 1
    legal = current.legal()
    return len(legal) if depth == 1 else sum(naive_perft(game, depth - 1, [*done, name]) for name in sorted(legal))


# -- tables and lists (1.3, 5.4) ----------------------------------------------------------------------------------------------


def deal_from_deck(deck: list[Any]) -> tuple[list[list[Any]], list[Any]]:
    """Three to each, two to the skat, four to each, three to each."""
    pile = list(deck)
    hands: list[list[Any]] = [[], [], []]
    skat: list[Any] = []
    for packet in (3, "skat", 4, 3):
        if packet == "skat":
            skat = [pile.pop(0), pile.pop(0)]
            continue
        for hand in hands:
            for _ in range(int(packet)):
                hand.append(pile.pop(0))
    return hands, skat


def seeger_fabian(deals: list[tuple[int | None, int]], table: int) -> list[int]:
    """Totals of the extended list, deal by deal."""
    totals = [0] * table
    for declarer, score in deals:
        if declarer is None:
            continue
        totals[declarer] += score + (50 if score > 0 else -50)
        if score < 0:
            for player in range(table):
                if player != declarer:
                    totals[player] += 40 if table == 3 else 30
    return totals
