"""``skatai play``: a person at the terminal against two agents."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from skatai.cli.args import parse
from skatai.errors import AgentError, IllegalActionError, SkatError
from skatai.seats import SEAT_NAMES

if TYPE_CHECKING:
    from skatai.game import Game

HELP = "play at the terminal against agents"

__all__ = ["Args", "run", "split_specs"]

_HELP: Final = """\
auction    18, 20, 22, … or the last digit (2 for 22); y holds, p passes
skat       s picks the skat up; a hand game is declared at once: GH, DHS, NOH, …
put away   one card or two: H7 DT
declare    D H S C G N, with the skat picked up also NO
play       a card: CJ (suits C S H D, ranks A T K Q J 9 8 7)
at any time: help, hand, quit"""


@dataclass
class Args:
    """Play Skat at the terminal against two agents. Seats move on from deal to deal, the score is kept by Seeger and Fabian."""

    seat: str = "forehand"
    """where you sit in the first deal: forehand, middlehand or rearhand"""
    agents: str = "rule,rule"
    """your left and your right neighbour"""
    deals: str = "1"
    """how many deals, or a file of deals"""
    seed: int = 1
    """of the deals and of the agents"""
    rules: str = "-"
    """switches other than the official rules, such as: concede_policy=isko;claims=reject"""


def split_specs(text: str) -> list[str]:
    """Agents separated by commas; options keep theirs.

    >>> split_specs("pimc:worlds=20,bid=rule,random")
    ['pimc:worlds=20,bid=rule', 'random']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return [spec.strip() for spec in specs]


class _Quit(Exception):
    """The person has had enough."""


class _Table:
    """One deal between the person and the agents: tells what happens and asks."""

    def __init__(self, game: Game, seat: int, agents: dict[int, Any], names: tuple[str, ...]) -> None:
        self.game = game
        self.seat = seat
        self.agents = agents
        self.names = names
        self.told = 0

    def who(self, seat: int) -> str:
        """The seat with who sits there."""
        return "you" if seat == self.seat else f"{self.names[seat]} ({SEAT_NAMES[seat]})"

    def tell(self) -> None:
        """Say what has happened since the last time."""
        history = self.game.history
        cards = 0
        declared = False
        for i, (seat, name) in enumerate(history):
            is_card = name.startswith("play ")
            away = is_card and not declared
            declared = declared or name.startswith("declare ")
            cards += is_card and not away
            if i < self.told:
                continue
            if seat != self.seat:
                print(f"  {self.who(seat)}: {'puts a card away' if away else name}")
            if is_card and not away and cards % 3 == 0:
                self._tell_trick(cards // 3)
        self.told = len(history)

    def _tell_trick(self, number: int) -> None:
        from skatai.render import tricks_text

        print(f"  trick {tricks_text(self.game)[number - 1].strip()}")

    def hand(self) -> str:
        """The person's cards, sorted."""
        from skatai.render import sort_hand

        contract = self.game.contract
        cards = self.game.hands[self.seat]
        return " ".join(str(card) for card in sort_hand(cards, contract.game if contract else None))

    def choices(self) -> list[str]:
        """What may be answered, for short; the cards as they are sorted in the hand."""
        legal = self.game.legal_action_names
        names = [card for card in self.hand().split() if f"play {card}" in legal]
        names += [name.removeprefix("declare ") for name in legal if not name.startswith("play ") or name == "play on"]
        return names if len(names) <= 16 else [*names[:14], "…"]

    def show(self) -> None:
        """What the person must know to decide."""
        view = self.game.view(self.seat)
        print(f"your hand: {self.hand()}")
        if view.open_hand is not None and view.declarer != self.seat:
            print(f"the declarer's open hand: {view.open_hand}")
        if view.trick:
            print("on the table: " + ", ".join(f"{self.who(seat)} {card}" for seat, card in view.trick))
        print(f"{view.phase.replace('discard', 'put away')}: {' | '.join(self.choices())}")

    def read(self, text: str) -> list[int]:
        """The actions that a line means."""
        from skatai.actions import bid_action, declare_action, parse_action
        from skatai.auction import parse_call
        from skatai.cards import parse_cards
        from skatai.contract import Contract

        view = self.game.view(self.seat)
        if view.phase == "auction" and len(text) == 1 and text.isdigit():
            return [bid_action(parse_call(text, view.bid, view.rules))]
        if view.phase == "declare":
            return [declare_action(Contract.parse(text.lower().removeprefix("declare ")))]
        if view.phase == "discard":
            return [int(card) for card in parse_cards(text.lower().removeprefix("put away ").upper())]
        return [parse_action(text)]

    def ask(self) -> None:
        """Let the person decide; repeats the question until the answer is legal."""
        self.show()
        while True:
            try:
                text = input("> ").strip()
            except EOFError:
                print()
                raise _Quit from None
            if not sys.stdin.isatty():
                print(text)  # a transcript shows what was answered
            word = text.lower()
            if word in ("quit", "q", "exit"):
                raise _Quit
            if word in ("help", "?", "h"):
                print(_HELP)
                continue
            if word in ("hand", ""):
                self.show()
                continue
            try:
                for action in self.read(text):
                    self.game.play(action)
                return
            except IllegalActionError:
                print(f"  not possible now; {' | '.join(self.choices())}")
            except SkatError as error:
                print(f"  {error}")

    def act(self, seat: int, seed: int, deal_index: int) -> None:
        """Let an agent decide."""
        from skatai.agent import choose, decision_rng

        agent = self.agents[seat]
        rng = decision_rng(seed, deal_index, seat, len(self.game.history))
        try:
            self.game.play(choose(agent, self.game, rng))
        except SkatError as error:
            raise AgentError(f"agent {agent.name!r} in {SEAT_NAMES[seat]}: {error}; position: {self.game}") from error

    def run(self, seed: int, deal_index: int) -> None:
        """Play the deal to its end."""
        while not self.game.is_over:
            seat = self.game.to_move
            assert seat is not None
            legal = self.game.legal_actions
            if len(legal) == 1:
                if seat == self.seat:
                    self.tell()
                    print(f"you: {self.game.legal_action_names[0]} (no choice)")
                self.game.play(legal[0])
            elif seat == self.seat:
                self.tell()
                self.ask()
            else:
                self.act(seat, seed, deal_index)
        self.tell()
        self._tell_end()

    def _tell_end(self) -> None:
        print(f"\n{self.game.result}")
        for seat in range(3):
            print(f"  {self.who(seat)} was dealt {self.game.deal.hands[seat]}")
        print(f"  skat {self.game.skat}" + (f", put away {self.game.discards}" if self.game.discards else ""))


def _seat(text: str) -> int:
    for seat, name in enumerate(SEAT_NAMES):
        if text.strip().lower() in (name, name[0], str(seat)):
            return seat
    raise SkatError(f"seat {text!r}: expected forehand, middlehand or rearhand")


def run(argv: list[str]) -> int:
    """The command."""
    args = parse(Args, argv, "skatai play")
    from skatai.agent import make_agent
    from skatai.arena.table import unique_names
    from skatai.cli.tournament import load_deals
    from skatai.game import Game
    from skatai.rules import Rules
    from skatai.scoring import SeegerFabianList
    from skatai.seats import table_seats

    first_seat = _seat(args.seat)
    specs = split_specs(args.agents)
    if len(specs) != 2:
        raise AgentError(f"agents {args.agents!r}: expected two, separated by a comma (rule,random)")
    rules = Rules.parse(args.rules)
    agents = [make_agent(spec) for spec in specs]
    players = ("you", *unique_names(specs))
    sheet = SeegerFabianList()
    deals = load_deals(args.deals, args.seed)
    print("Type help for what can be answered, quit to leave.")
    for i, deal in enumerate(deals):
        # Player 0 is the person; the deal passes on clockwise, so forehand becomes rearhand.
        dealer = (2 - first_seat + i) % 3
        seats = table_seats(3, dealer)
        seat = seats.index(0)
        print(f"\nDeal {i + 1} of {len(deals)}: you are {SEAT_NAMES[seat]}.")
        by_seat = {s: agents[player - 1] for s, player in enumerate(seats) if player}
        table = _Table(Game(deal, dealer, rules), seat, by_seat, tuple(players[player] for player in seats))
        try:
            table.run(args.seed, i)
        except _Quit:
            print("You left the game.")
            break
        result = table.game.result
        assert result is not None
        sheet.add(None if result.contract is None or result.declarer is None else seats[result.declarer], result.score)
        print("list: " + ", ".join(f"{name} {total}" for name, total in zip(players, sheet.totals, strict=True)))
    return 0
