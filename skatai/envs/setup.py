"""The keyword arguments that all environments share: checked once, and put into the form that the kernels take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.contract import Contract
from skatai.deal import Deal, read_deals
from skatai.envs.observations import choice, observation_form
from skatai.envs.opponents import parse_opponents
from skatai.errors import InvalidDealError, NotationError, SkatError
from skatai.kernels.action_ids import DECLARATIONS
from skatai.kernels.batch_policies import ANY_CONTRACT, MAX_ATTEMPTS, POLICIES, is_wanted
from skatai.kernels.batches import (
    ALL_SEATS,
    AS_DECLARER,
    AS_DEFENDER,
    BIDDING,
    CARD_PLAY,
    FROM_POOL,
    FROM_STREAM,
    GIVEN,
    N_OPTIONS,
    OPTION_CONTRACTS,
    OPTION_DEALS,
    OPTION_FORCED,
    OPTION_ILLEGAL,
    OPTION_LEARNER,
    OPTION_LEFT,
    OPTION_PHASE,
    OPTION_REWARD,
    OPTION_RIGHT,
    OPTION_RULES,
    RAISE,
    REWARDS,
    ROTATE,
    TABLE,
    TERMINATE,
    WHOLE_DEAL,
)
from skatai.kernels.rng import new_rng
from skatai.kernels.state import new_states, set_deal
from skatai.rng import derive_seed
from skatai.rules import Rules

__all__ = [
    "NO_DEAL",
    "RENDER_MODES",
    "DealPredicate",
    "Setup",
    "deal_masks",
    "one_action_each",
    "one_deal_each",
    "reset_options",
    "which_tables",
]

DealPredicate = Callable[[Deal], bool]

#: said when the restrictions allow no deal
NO_DEAL: Final = (
    "no deal found: the contract is too rare for this bidder, or the deal given is passed in (bidder='forced' gives a "
    "contract to any deal)"
)
#: what the environments of one table can draw
RENDER_MODES: Final = ("ansi", "human", "rgb_array")
_PHASES: Final = {"full": WHOLE_DEAL, "bidding": BIDDING, "play": CARD_PLAY}
_SEATS: Final = {0: 0, 1: 1, 2: 2, "rotate": ROTATE, "declarer": AS_DECLARER, "defender": AS_DEFENDER}
_GAMES: Final[dict[str, Sequence[int]]] = {"suit": range(4), "grand": (4,), "null": (5,)}
_BIDDERS: Final = ("rule", "forced")
_MASKS: Final = ("info", "observation")
_ILLEGAL: Final = {"terminate": TERMINATE, "raise": RAISE}


def deal_masks(deal: Any) -> tuple[int, int, int, int]:
    """Hands and skat of a :class:`Deal` or its text.

    Raises:
        SkatError: neither, or the text does not parse.
    """
    if isinstance(deal, str):
        deal = Deal.parse(deal)
    if not isinstance(deal, Deal):
        raise InvalidDealError(f"deal of type {type(deal).__name__}: expected a Deal or its text")
    return deal.masks


def reset_options(options: Any, *names: str) -> list[Any]:
    """What ``reset(options=…)`` holds under ``names``, in their order; ``None`` for what is not there.

    Raises:
        SkatError: no dict, or another name in it.
    """
    if options is not None and not isinstance(options, Mapping):
        raise SkatError(f"reset: options of type {type(options).__name__}, expected a dict")
    given = dict(options or {})
    found = [given.pop(name, None) for name in names]
    if given:
        raise SkatError(f"reset: no option {next(iter(given))!r}; possible: {', '.join(map(repr, names))}")
    return found


def which_tables(mask: Any, n: int) -> NDArray[np.bool_]:
    """``options["reset_mask"]`` of ``n`` tables as an array; all where it is ``None``.

    Raises:
        SkatError: another type or shape.
    """
    which = np.ones(n, dtype=np.bool_) if mask is None else np.asarray(mask)
    if which.shape != (n,) or which.dtype != np.bool_:
        raise SkatError(f"reset_mask: {which.dtype} {which.shape}, expected bool ({n},)")
    return which


def one_action_each(actions: Any, n: int) -> NDArray[np.int64]:
    """The actions of ``n`` tables: int64 (n,).

    Raises:
        SkatError: another shape or type.
    """
    try:
        given = np.asarray(actions)
    except ValueError:  # rows of several lengths
        given = np.array(None)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise SkatError(f"actions: {given.dtype} {given.shape}, expected integers of shape ({n},)")
    return np.ascontiguousarray(given, dtype=np.int64)


def one_deal_each(deals: Any, n: int) -> NDArray[np.int64]:
    """``options["deals"]`` of ``n`` tables: int64 (n, 4), hands and skat.

    Raises:
        SkatError: no list, or another number of deals.
    """
    if not isinstance(deals, Sequence) or len(deals) != n:
        given = f"{len(deals)} deals" if isinstance(deals, Sequence) else f"deals of type {type(deals).__name__}"
        raise SkatError(f"reset: {given}, expected one for each of the {n} tables")
    return np.array([deal_masks(deal) for deal in deals], dtype=np.int64)


def _contract_bits(contract: Any) -> int:
    """Bit set over the 29 declarations."""
    if contract is None:
        return ANY_CONTRACT
    words = contract.split("|") if isinstance(contract, str) else contract
    if not isinstance(words, Iterable):
        words = (words,)
    bits = 0
    for word in words:
        text = str(word).strip()
        if text in _GAMES:
            bits |= sum(1 << i for i, (game, _) in enumerate(DECLARATIONS) if game in _GAMES[text])
            continue
        try:
            wanted = word if isinstance(word, Contract) else Contract.parse(text)
        except NotationError as error:
            raise NotationError(f"contract={contract!r}: {error}; or one of 'suit', 'grand', 'null'") from error
        bits |= 1 << DECLARATIONS.index((wanted.game, wanted.flags))
    if not bits:
        raise SkatError(f"contract={contract!r}: expected contracts such as 'G', 'CH|SH', 'suit', 'grand' or 'null'")
    return bits


def _pool(deals: Any) -> NDArray[np.int64]:
    """The deals to choose from: int64 (m, 4), hands and skat."""
    if isinstance(deals, (str, Path)):
        deals = read_deals(deals)
    if not isinstance(deals, Sequence) or not deals:
        raise SkatError(
            f"deals={str(deals)[:40]!r}: expected a list of deals, the path of a deal file or a function of a Deal"
        )
    return np.array([deal_masks(deal) for deal in deals], dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Setup:
    """The keyword arguments of an environment as they were given (their meaning: :class:`skatai.envs.SkatEnv`).

    ``opponents="self"`` exposes all seats, and ``seat`` says nothing then.

    Attributes:
        agents: the players to the left and to the right of the learner; ``None`` for a compiled one.
        options: int64 (N_OPTIONS,), what the kernels read.
        pool: int64 (m, 4), the deals to choose from; empty where they come from the stream.
        predicate: which random deals are wanted, or ``None``.

    Raises:
        SkatError: an argument that does not fit; the message names it.
    """

    opponents: Any = "self"
    seat: int | str = "rotate"
    phase: str = "full"
    contract: Any = None
    bidder: str = "rule"
    deals: Any = None
    reward: str = "list_points"
    observation: str = "int8"
    mask: str = "info"
    illegal_action: str = "raise"
    rules: Rules | None = None
    render_mode: str | None = None
    agents: tuple[Any, Any] = field(init=False, repr=False)
    options: NDArray[np.int64] = field(init=False, repr=False)
    pool: NDArray[np.int64] = field(init=False, repr=False)
    predicate: DealPredicate | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        choice("mask", self.mask, _MASKS)
        if self.render_mode is not None:
            choice("render_mode", self.render_mode, RENDER_MODES)
        observation_form(self.observation)
        agents, policies = ((None, None), ("", "")) if self.self_play else parse_opponents(self.opponents)
        listed = self.deals is not None and not callable(self.deals)
        derived = {
            "agents": agents,
            "options": self._options(policies, FROM_POOL if listed else FROM_STREAM),
            "pool": _pool(self.deals) if listed else np.zeros((0, 4), dtype=np.int64),
            "predicate": self.deals if callable(self.deals) else None,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def _options(self, policies: tuple[str, str], source: int) -> NDArray[np.int64]:
        rules = Rules() if self.rules is None else self.rules
        if not isinstance(rules, Rules):
            raise SkatError(f"rules={rules!r}: expected skatai.rules.Rules")
        phase = _PHASES[choice("phase", self.phase, _PHASES)]
        seat = _SEATS[choice("seat", self.seat, _SEATS)]
        if seat in (AS_DECLARER, AS_DEFENDER) and phase != CARD_PLAY:
            raise SkatError(f"seat={self.seat!r} is known beforehand only in phase='play', not in phase={self.phase!r}")
        forced = _BIDDERS.index(choice("bidder", self.bidder, _BIDDERS))
        if forced and phase != CARD_PLAY:
            raise SkatError(f"bidder='forced' gives the contract, so it needs phase='play', not phase={self.phase!r}")
        options = np.zeros(N_OPTIONS, dtype=np.int64)
        options[OPTION_RULES] = rules.to_int()
        options[OPTION_PHASE] = phase
        options[OPTION_LEARNER] = ALL_SEATS if self.self_play else seat
        options[OPTION_LEFT], options[OPTION_RIGHT] = (POLICIES.index(name) for name in policies)
        options[OPTION_CONTRACTS] = _contract_bits(self.contract)
        options[OPTION_FORCED] = forced
        options[OPTION_DEALS] = source
        options[OPTION_REWARD] = REWARDS.index(choice("reward", self.reward, REWARDS))
        options[OPTION_ILLEGAL] = _ILLEGAL[choice("illegal_action", self.illegal_action, _ILLEGAL)]
        return options

    @cached_property
    def self_play(self) -> bool:
        """All seats are exposed."""
        return isinstance(self.opponents, str) and self.opponents == "self"

    @cached_property
    def needs_policies(self) -> bool:
        """Whether compiled policies take part: in the whole deal with all seats exposed they do not."""
        options = self.options
        restricted = options[OPTION_PHASE] != WHOLE_DEAL or options[OPTION_CONTRACTS] != ANY_CONTRACT
        return bool(options[OPTION_LEARNER] != ALL_SEATS or restricted)

    def given(self, any_contract: bool) -> NDArray[np.int64]:
        """The options for a step in which the pool holds the deal of each table."""
        options = self.options.copy()
        options[OPTION_DEALS] = GIVEN
        if any_contract and not options[OPTION_FORCED]:
            options[OPTION_CONTRACTS] = ANY_CONTRACT
        return options

    def _allows(self, deal: Deal) -> bool:
        """What the user's function says of a deal."""
        assert self.predicate is not None
        try:
            return bool(self.predicate(deal))
        except Exception as error:
            raise SkatError(f"deals: the function raised {type(error).__name__}: {error}; deal: {deal}") from error

    def find_deal(self, seed: int, table: int, episode: int) -> tuple[int, int, int, int]:
        """Masks of the first deal of an episode that the predicate and the contracts allow.

        Raises:
            SkatError: none found, or the function failed.
        """
        states, tables = new_states(2), np.zeros(1, dtype=TABLE)
        for attempt in range(MAX_ATTEMPTS):
            deal = Deal.random(derive_seed(seed, table, episode, *([attempt] if attempt else [])))
            if not self._allows(deal):
                continue
            set_deal(states[0], *deal.masks, self.options[OPTION_RULES])
            if not self.needs_policies or is_wanted(states[0], tables[0], self.options, states[1], new_rng(0)):
                return deal.masks
        raise SkatError(f"deals/contract: none of {MAX_ATTEMPTS} random deals is one that is wanted")
