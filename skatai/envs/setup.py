"""What the environments have in common: their keyword arguments, checked and put into the form that the kernels take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from skatai.contract import Contract
from skatai.deal import Deal, read_deals
from skatai.errors import InvalidDealError, SkatError
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
    OPTION_LEARNER,
    OPTION_LEFT,
    OPTION_PHASE,
    OPTION_REWARD,
    OPTION_RIGHT,
    OPTION_RULES,
    REWARDS,
    ROTATE,
    TABLE,
    WHOLE_DEAL,
)
from skatai.kernels.encodings import ENCODING_SCALE, ENCODING_SIZE, encode_batch
from skatai.kernels.encodings_history import (
    HISTORY_LENGTH,
    N_TOKENS,
    PERFECT_SIZE,
    encode_history_batch,
    encode_perfect_batch,
)
from skatai.kernels.rng import new_rng
from skatai.kernels.state import new_states, set_deal
from skatai.rng import derive_seed
from skatai.rules import Rules

__all__ = [
    "OBSERVATIONS",
    "DealPredicate",
    "Setup",
    "deal_masks",
    "integer",
    "observation_form",
    "observation_space",
    "write_observations",
]

DealPredicate = Callable[[Deal], bool]

_PHASES: Final = {"full": WHOLE_DEAL, "bidding": BIDDING, "play": CARD_PLAY}
_SEATS: Final = {0: 0, 1: 1, 2: 2, "rotate": ROTATE, "declarer": AS_DECLARER, "defender": AS_DEFENDER}
_BIDDERS: Final = ("rule", "forced")
_BLOCK: Final = 256
#: names of the observations: dtype and shape of one
OBSERVATIONS: Final[dict[str, tuple[type[np.generic], tuple[int, ...]]]] = {
    "int8": (np.int8, (ENCODING_SIZE,)),
    "float32": (np.float32, (ENCODING_SIZE,)),
    "history": (np.int16, (HISTORY_LENGTH, 2)),
    "perfect": (np.int8, (PERFECT_SIZE,)),
    "none": (np.int8, (0,)),
}


def _choice(what: str, value: Any, choices: Iterable[Any]) -> Any:
    choices = tuple(choices)
    if isinstance(value, bool) or value not in choices:
        raise SkatError(f"{what}={value!r}: expected one of {', '.join(map(repr, choices))}")
    return value


def integer(what: str, value: Any, least: int) -> int:
    """Check a whole number given by the user."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise SkatError(f"{what}={value!r}: expected a whole number from {least} on")
    return int(value)


def observation_form(observation: str) -> tuple[type[np.generic], tuple[int, ...]]:
    """Type and shape of one observation.

    Raises:
        SkatError: no such observation.
    """
    return OBSERVATIONS[_choice("observation", observation, OBSERVATIONS)]


def observation_space(observation: str) -> spaces.Box:
    """The space of one observation."""
    _, shape = observation_form(observation)
    if observation == "int8":
        return spaces.Box(0, np.rint(1 / ENCODING_SCALE).astype(np.int8), dtype=np.int8)
    if observation == "history":
        high = np.full(shape, 3, dtype=np.int16)
        high[:, 0] = N_TOKENS - 1
        return spaces.Box(np.int16(0), high, dtype=np.int16)
    if observation == "perfect":
        own = np.rint(1 / ENCODING_SCALE).astype(np.int8)
        return spaces.Box(0, np.concatenate([own, np.ones(PERFECT_SIZE - ENCODING_SIZE, dtype=np.int8)]), dtype=np.int8)
    return spaces.Box(0, 1, shape, np.float32 if observation == "float32" else np.int8)


def write_observations(observation: str, states: NDArray[np.void], seats: NDArray[np.int64], out: NDArray[Any]) -> None:
    """Write what ``seats`` (int64, (n,)) know into ``out`` (n, …), in the form named ``observation``."""
    if observation == "int8":
        encode_batch(states, seats, out)
    elif observation == "float32":
        for first in range(0, len(out), _BLOCK):  # block by block, so that scaling finds the rows in the cache
            rows = out[first : first + _BLOCK]
            encode_batch(states[first : first + _BLOCK], seats[first : first + _BLOCK], rows)
            rows *= ENCODING_SCALE
    elif observation == "history":
        encode_history_batch(states, seats, out)
    elif observation == "perfect":
        encode_perfect_batch(states, seats, out)


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


def _contract_bits(contract: Any) -> int:
    """Bit set over the 29 declarations."""
    if contract is None:
        return ANY_CONTRACT
    words = contract.split("|") if isinstance(contract, str) else contract
    if isinstance(words, Contract):
        words = (words,)
    bits = 0
    for word in words:
        text = str(word).strip()
        if text in ("suit", "grand", "null"):
            games = {"suit": range(4), "grand": (4,), "null": (5,)}[text]
            bits |= sum(1 << i for i, (game, _) in enumerate(DECLARATIONS) if game in games)
        else:
            wanted = word if isinstance(word, Contract) else Contract.parse(text)
            bits |= 1 << DECLARATIONS.index((wanted.game, wanted.flags))
    if not bits:
        raise SkatError(f"contract={contract!r}: expected contracts such as 'G', 'CH|SH', 'suit', 'grand' or 'null'")
    return bits


@dataclass(frozen=True)
class Setup:
    """Checked keyword arguments of an environment.

    Attributes:
        options: int64 (N_OPTIONS,), what the kernels read.
        pool: int64 (m, 4), the deals to choose from; empty where they come from the stream.
        predicate: which random deals are wanted, or ``None``.
        rules: the rules in force.
    """

    options: NDArray[np.int64]
    pool: NDArray[np.int64]
    predicate: DealPredicate | None
    rules: Rules

    @classmethod
    def make(
        cls,
        *,
        phase: str = "full",
        seat: int | str | None = "rotate",
        policies: tuple[str, str] = ("", ""),
        contract: Any = None,
        bidder: str = "rule",
        deals: Any = None,
        reward: str = "list_points",
        rules: Rules | None = None,
    ) -> Setup:
        """Check the arguments (their meaning: :class:`skatai.envs.SkatEnv`).

        ``seat=None``: all seats are exposed; ``policies``: names of the compiled players to the left and right of the
        learner, "" for one that Python asks.

        Raises:
            SkatError: naming the argument.
        """
        options = np.zeros(N_OPTIONS, dtype=np.int64)
        rules = rules or Rules()
        if not isinstance(rules, Rules):
            raise SkatError(f"rules={rules!r}: expected skatai.rules.Rules")
        options[OPTION_RULES] = rules.to_int()
        options[OPTION_PHASE] = _PHASES[_choice("phase", phase, _PHASES)]
        if seat is None:
            options[OPTION_LEARNER] = ALL_SEATS
        else:
            options[OPTION_LEARNER] = _SEATS[_choice("seat", seat, _SEATS)]
        if seat in ("declarer", "defender") and phase != "play":
            raise SkatError(f"seat={seat!r} is known beforehand only in phase='play', not in phase={phase!r}")
        options[OPTION_LEFT], options[OPTION_RIGHT] = (POLICIES.index(name) for name in policies)
        options[OPTION_CONTRACTS] = _contract_bits(contract)
        options[OPTION_FORCED] = _BIDDERS.index(_choice("bidder", bidder, _BIDDERS))
        if bidder == "forced" and phase != "play":
            raise SkatError(f"bidder='forced' gives the contract, so it needs phase='play', not phase={phase!r}")
        options[OPTION_REWARD] = REWARDS.index(_choice("reward", reward, REWARDS))
        pool, predicate = np.zeros((0, 4), dtype=np.int64), None
        options[OPTION_DEALS] = FROM_STREAM
        if callable(deals):
            predicate = deals
        elif deals is not None:
            pool = _pool(deals)
            options[OPTION_DEALS] = FROM_POOL
        return cls(options, pool, predicate, rules)

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

    def find_deal(self, seed: int, table: int, episode: int) -> tuple[tuple[int, int, int, int], int]:
        """Masks of the first deal of an episode that the predicate and the contracts allow, and its attempt.

        Raises:
            SkatError: none found.
        """
        assert self.predicate is not None
        states, tables = new_states(2), np.zeros(1, dtype=TABLE)
        for attempt in range(MAX_ATTEMPTS):
            deal = Deal.random(derive_seed(seed, table, episode, *([attempt] if attempt else [])))
            if not self.predicate(deal):
                continue
            set_deal(states[0], *deal.masks, self.options[OPTION_RULES])
            if not self.needs_policies or is_wanted(states[0], tables[0], self.options, states[1], new_rng(0)):
                return deal.masks, attempt
        raise SkatError(f"deals/contract: none of {MAX_ATTEMPTS} random deals is one that is wanted")


def _pool(deals: Any) -> NDArray[np.int64]:
    if isinstance(deals, (str, Path)):
        deals = read_deals(deals)
    if not isinstance(deals, Sequence) or not deals:
        raise SkatError(
            f"deals={str(deals)[:40]!r}: expected a list of deals, the path of a deal file or a function of a Deal"
        )
    return np.array([deal_masks(deal) for deal in deals], dtype=np.int64)
