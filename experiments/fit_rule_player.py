"""Fit the numbers of the rule player, and measure it.

One file tells the whole experiment:

1. ``positions``: the rule player plays random deals against itself (4 % of its cards replaced by random ones); at some of the
   decisions the open-card solver gives the value of every legal card. For null, doubtful hands play null and null ouvert, and only
   defenders' decisions count in which not all cards are equally good.
2. ``cards``: for each role, game and place in the trick, the weights of the terms are fitted so that the card chosen (softmax)
   loses as little as possible of a utility: 0.3 a card point, and 30 for the game along a logistic curve around 60.5 points.
   Four strengths of regularisation are tried; a fifth of the positions decides.
3. ``chances``: hands on the verge of being bid play out by the rule player; logistic regressions tell from the cards who wins.
4. ``bands``: fresh deals, bid and played by the player as it is installed: how often it passes in, wins, plays grand …

    python experiments/fit_rule_player.py                     # everything, into runs/fit_rule_player
    python experiments/fit_rule_player.py --stages bands      # measure the installed player

Steps 2 and 3 write ``weights.npz`` and ``chances.npz``; ``--install`` writes the numbers into the package's modules. Fitting the
chances to new weights takes a second run after the installation. Positions that are there are not made again.
"""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from tqdm import tqdm

import skatai.kernels.policies as package
from skatai._jit import kernel
from skatai.kernels.bits import lowest, nth_bit
from skatai.kernels.events import apply
from skatai.kernels.moves import apply_move, legal_cards
from skatai.kernels.observe import copy_state
from skatai.kernels.policies import best_discard, features, null, rule_action, rule_card, strength
from skatai.kernels.policies.declarer import declarer_card
from skatai.kernels.policies.defenders import defender_card
from skatai.kernels.policies.null import null_defender_card
from skatai.kernels.policies.strength import null_logit, trump_logit, trump_terms
from skatai.kernels.rng import RngState, new_rng, rand_below, rand_float
from skatai.kernels.rollouts import deal_cards, random_action
from skatai.kernels.search.solve import solve_moves
from skatai.kernels.search.workspace import make_workspace
from skatai.kernels.state import OVER, PLAY, STATE, StateRecord, card_points, new_states, put_away, set_deal
from skatai.rng import derive_seed

GRAND, NULL = 4, 5
N_TERMS, N_NULL_TERMS = features.N_WEIGHTS, null.N_TERMS
CARDS = 10  # most legal cards at a decision
NO_CARD = -1e9


@dataclass
class Args:
    """Fit the numbers of the rule player, and measure it."""

    stages: tuple[str, ...] = ("positions", "cards", "chances", "bands")
    """what to do"""
    seed: int = 1
    """seed of all deals"""
    positions: int = 140_000
    """decisions in suit games and grand; half as many in null"""
    games: int = 200_000
    """games for each regression of step 3; a third of it in null"""
    deals: int = 40_000
    """deals of step 4"""
    run: Path = Path("runs/fit_rule_player")
    """folder of the results"""
    install: bool = False
    """write the fitted numbers into the package"""


# ---- 1. positions ------------------------------------------------------------------------------------------------------


@kernel
def legal_now(state: StateRecord) -> int:
    """Mask of the legal cards of the seat to move."""
    n = np.int64(state["n_plays"])
    led = np.int64(state["plays"][n - n % 3]) if n % 3 else np.int64(-1)
    return legal_cards(np.int64(state["hands"][state["to_move"]]), np.int64(state["game"]), led)


@kernel
def values_now(state: StateRecord, work: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Open-card value of every legal card into ``out`` (int64[32], -1 elsewhere)."""
    hands = np.zeros(3, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    n = np.int64(state["n_plays"])
    size = n % 3
    for seat in range(3):
        hands[seat] = state["hands"][seat]
    for i in range(size):
        table[i] = state["plays"][n - size + i]
    leader = np.int64(state["leaders"][n // 3])
    solve_moves(hands, np.int64(state["game"]), np.int64(state["declarer"]), leader, table, size, work, out)


@kernel
def start_null(state: StateRecord, cards: NDArray[np.int64], rng: RngState) -> bool:
    """Make ``state`` a null or null ouvert of a random seat after the discard; False if its hand is not doubtful."""
    seat = rand_below(rng, 3)
    if null_logit(strength.NULL_DEALT, cards[seat], seat) < -0.5:
        return False
    set_deal(state, cards[0], cards[1], cards[2], cards[3], 0)
    start_game(state, seat, NULL, 2 * rand_below(rng, 2), 0.0, rng)
    return True


@kernel
def start_game(state: StateRecord, seat: int, game: int, flags: int, explore: float, rng: RngState) -> bool:
    """Begin the play of a contract; with chance ``explore`` one of the two discards is random. Whether both are the player's."""
    state["declarer"] = seat
    state["bid"] = 1
    state["game"] = game
    state["flags"] = flags
    state["phase"] = PLAY
    state["to_move"] = 0
    if flags & 1:
        return True
    twelve = np.int64(state["hands"][seat]) | np.int64(state["skat"])
    away, _ = best_discard(twelve, game, flags, seat, 0)
    own = True
    if rand_float(rng) < explore:
        out = np.int64(1) << nth_bit(twelve & ~away, rand_below(rng, 10))
        away = away & (away - 1) | out
        own = False
    state["hands"][seat] = twelve & ~away
    state["discards"] = away
    return own


@kernel
def make_positions(
    rng: RngState,
    work: NDArray[np.int64],
    states: NDArray[np.void],
    values: NDArray[np.int64],
    nulls: bool,
    state: StateRecord,
) -> None:
    """Fill ``states`` (STATE[n]) with decisions and ``values`` (int64[n, 32]) with what each card is worth."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    k = 0
    while k < len(states):
        deal_cards(rng, deck, cards)
        if nulls:
            if not start_null(state, cards, rng):
                continue
        else:
            set_deal(state, cards[0], cards[1], cards[2], cards[3], 0)
        while state["phase"] != OVER:
            seat = np.int64(state["to_move"])
            if state["phase"] == PLAY and k < len(states):
                if (state["game"] == NULL) != nulls:
                    break
                legal = legal_now(state)
                wanted = seat != state["declarer"] if nulls else rand_below(rng, 1000) < 150
                if wanted and legal & (legal - 1):
                    values_now(state, work, values[k])
                    copy_state(state, states[k])
                    k += not nulls or undecided(values[k])
            if state["phase"] == PLAY and rand_below(rng, 1000) < 40:
                apply(state, random_action(state, rng))
            else:
                apply(state, rule_action(state, seat, rng))


@kernel
def undecided(values: NDArray[np.int64]) -> bool:
    """Whether not all legal cards have the same value."""
    least = np.int64(999)
    for value in values:
        if value >= 0:
            least = min(least, value)
    return values.max() > least


# ---- 2. cards ----------------------------------------------------------------------------------------------------------


@kernel
def describe(
    states: NDArray[np.void], values: NDArray[np.int64], terms: Any, utility: Any, block: NDArray[np.int64]
) -> None:
    """Terms (float32[n, CARDS, N_TERMS]) and utility (float64[n, CARDS]) of each legal card; ``block`` (int64[n, 3]).

    A score is linear in the weights, so that the terms are the scores under unit weights.
    """
    w = np.zeros((features.N_PLACES, N_TERMS))
    for i in range(len(states)):
        state = states[i]
        seat = np.int64(state["to_move"])
        mine = seat == state["declarer"]
        size = np.int64(state["n_plays"]) % 3
        block[i, 0] = 0 if mine else 1
        block[i, 1] = 1 if state["game"] == GRAND else 0
        partner_last = not mine and (seat + 1) % 3 != state["declarer"]
        block[i, 2] = (features.LEAD, features.SECOND_PARTNER if partner_last else features.SECOND_FOE, features.LAST)[
            size
        ]
        so_far = np.int64(state["points"][state["declarer"]]) + card_points(put_away(state))
        legal = legal_now(state)
        k = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            points = so_far + values[i, lowest(bit)]
            gain = 0.3 * points + 30.0 / (1.0 + np.exp(-(points - 60.5) / 8.0))
            utility[i, k] = gain if mine else -gain
            for term in range(N_TERMS):
                w[:, term] = 1.0
                terms[i, k, term] = (
                    declarer_card(state, seat, bit, w)[1] if mine else defender_card(state, seat, bit, w)[1]
                )
                w[:, term] = 0.0
            k += 1


@kernel
def describe_null(
    states: NDArray[np.void], values: NDArray[np.int64], terms: Any, utility: Any, block: NDArray[np.int64]
) -> None:
    """As :func:`describe`, for defenders in null."""
    w = np.zeros((2, features.N_PLACES, N_NULL_TERMS))
    for i in range(len(states)):
        state = states[i]
        seat = np.int64(state["to_move"])
        size = np.int64(state["n_plays"]) % 3
        partner_last = (seat + 1) % 3 != state["declarer"]
        block[i, 0] = 1 if state["flags"] & 2 else 0
        block[i, 1] = (features.LEAD, features.SECOND_PARTNER if partner_last else features.SECOND_FOE, features.LAST)[
            size
        ]
        legal = legal_now(state)
        k = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            utility[i, k] = -10.0 * values[i, lowest(bit)]
            for term in range(N_NULL_TERMS):
                w[:, :, term] = 1.0
                terms[i, k, term] = null_defender_card(state, seat, bit, w)[1]
                w[:, :, term] = 0.0
            k += 1


def fit_block(
    terms: NDArray[np.float32], utility: NDArray[np.float64], strength_of_prior: float
) -> NDArray[np.float64]:
    """Weights that lose the least expected utility under a softmax; begun from the cross-entropy to good cards."""
    present = torch.from_numpy(utility > NO_CARD)
    x = torch.from_numpy(terms)
    values = torch.from_numpy(np.where(utility > NO_CARD, utility, 0.0)).float()
    loss = (values.masked_fill(~present, NO_CARD).max(1, keepdim=True).values - values) * present
    spread = x[present].std(0)
    scale = torch.where(spread > 1e-6, 1 / (spread + 1e-3), torch.zeros_like(spread))
    x = x * scale
    w = torch.zeros(terms.shape[2], requires_grad=True)
    target = torch.softmax((-loss / 2).masked_fill(~present, NO_CARD), 1)
    importance = loss.max(1).values + 0.3
    for imitate in (True, False):
        optimizer = torch.optim.LBFGS(
            [w], max_iter=60 if imitate else 150, history_size=20, line_search_fn="strong_wolfe"
        )

        def objective(optimizer: Any = optimizer, imitate: bool = imitate) -> Any:
            optimizer.zero_grad()
            scores = (x @ w).masked_fill(~present, NO_CARD)
            if imitate:
                entropy = -(target * torch.log_softmax(scores, 1).masked_fill(~present, 0)).sum(1)
                total = (entropy * importance).sum() / importance.sum()
            else:
                total = (torch.softmax(scores, 1) * loss).sum(1).mean()
            total = total + (1.0 if imitate else 0.2) * strength_of_prior * (w * w).sum() / len(loss)
            total.backward()
            return total

        optimizer.step(objective)
    return np.asarray((w.detach() * scale).numpy(), dtype=np.float64)


def lost(terms: NDArray[np.float32], utility: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Mean utility that the card with the highest score loses."""
    scores = np.where(utility > NO_CARD, terms @ weights.astype(np.float32), NO_CARD)
    chosen = utility[np.arange(len(utility)), scores.argmax(1)]
    return float((utility.max(1) - chosen).mean())


def fit_all(name: str, shape: tuple[int, ...], data: tuple[Any, Any, Any]) -> NDArray[np.float64]:
    """Fit every block (role, game, place); the weights in ``shape``."""
    terms, utility, block = data
    weights = np.zeros(shape)
    held_out = np.random.default_rng(0).random(len(utility)) < 0.2
    for index in np.ndindex(*shape[:-1]):
        chosen = (block[:, : len(index)] == index).all(1)
        if chosen.sum() < 100:
            continue
        train, test = chosen & ~held_out, chosen & held_out
        fitted = [5 * fit_block(terms[train], utility[train], prior) for prior in (5.0, 30.0, 100.0, 300.0)]
        losses = [lost(terms[test], utility[test], w) for w in fitted]
        weights[index] = fitted[int(np.argmin(losses))]
        print(f"{name} {index}: {chosen.sum()} decisions, utility lost {min(losses):.3f}")
    return weights


# ---- 3. chances --------------------------------------------------------------------------------------------------------


@kernel
def play_trump_games(
    rng: RngState,
    grand: bool,
    by_hand: bool,
    dealt: NDArray[np.int64],
    kept: NDArray[np.int64],
    facts: NDArray[np.int64],
    state: StateRecord,
) -> None:
    """Games of doubtful hands: terms as dealt and as kept (int64[n, 7]); seat, points put away, own discards, points made."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    model = strength.BY_HAND if by_hand else strength.DEALT
    i = 0
    while i < len(facts):
        deal_cards(rng, deck, cards)
        seat = rand_below(rng, 3)
        best, game = -1.5 - 0.5 * by_hand, -1
        for candidate in range(4 if grand else 0, 5 if grand else 4):
            logit = trump_logit(model, cards[seat], candidate, seat, 0) + 1.5 * rand_float(rng)
            if logit > best:
                best, game = logit, candidate
        if game < 0:
            continue
        set_deal(state, cards[0], cards[1], cards[2], cards[3], 0)
        own = start_game(state, seat, game, 1 if by_hand else 0, 0.3, rng)
        trump_terms(cards[seat], game, dealt[i])
        trump_terms(np.int64(state["hands"][seat]), game, kept[i])
        while state["phase"] != OVER:
            apply_move(state, rule_card(state, np.int64(state["to_move"])))
        facts[i, 0] = seat
        facts[i, 1] = 0 if by_hand else card_points(np.int64(state["discards"]))
        facts[i, 2] = own
        facts[i, 3] = state["awarded"]
        i += 1


@kernel
def play_null_games(
    rng: RngState,
    flags: int,
    model: int,
    dealt: NDArray[np.int64],
    kept: NDArray[np.int64],
    facts: NDArray[np.int64],
    state: StateRecord,
) -> None:
    """As :func:`play_trump_games`: hands (int64[n]) instead of terms, won instead of points."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    i = 0
    while i < len(facts):
        deal_cards(rng, deck, cards)
        seat = rand_below(rng, 3)
        if null_logit(model, cards[seat], seat) < -1.5:
            continue
        set_deal(state, cards[0], cards[1], cards[2], cards[3], 0)
        facts[i, 2] = start_game(state, seat, NULL, flags, 0.3, rng)
        dealt[i], kept[i] = cards[seat], np.int64(state["hands"][seat])
        while state["phase"] != OVER:
            apply_move(state, rule_card(state, np.int64(state["to_move"])))
        facts[i, 0] = seat
        facts[i, 3] = state["won"]
        i += 1


def regression(
    columns: list[tuple[NDArray[np.int64], Any]], won: NDArray[np.bool_], size: int, prior: Any
) -> NDArray[np.float64]:
    """Logistic regression by damped Newton steps; ``columns``: (term of each game or -1, its value)."""
    x = torch.zeros(len(won), size)
    rows = torch.arange(len(won))
    for term, value in columns:
        used = torch.from_numpy(term >= 0)
        x.index_put_(
            (rows[used], torch.from_numpy(term)[used]),
            torch.as_tensor(value, dtype=torch.float32).expand(len(won))[used],
            accumulate=True,
        )
    y = torch.from_numpy(won).float()
    centre = torch.as_tensor(prior, dtype=torch.float32).expand(size)
    w = centre.clone()

    def loss(w: Any) -> float:
        z = x @ w
        return float((torch.nn.functional.softplus(z) - y * z).double().sum() + 2.0 * ((w - centre) ** 2).sum())

    current = loss(w)
    for _ in range(12):
        p = torch.sigmoid(x @ w)
        gradient = x.T @ (y - p) - 4.0 * (w - centre)
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 4.0 * torch.eye(size)
        direction, step = torch.linalg.solve(hessian.double(), gradient.double()).float(), 1.0
        while loss(w + step * direction) > current and step > 1e-3:
            step /= 2
        w = w + step * direction
        previous, current = current, loss(w)
        if previous - current < 1e-3:
            break
    print(f"{len(won)} games, won {won.mean():.3f}, log loss {current / len(won):.4f}")
    return np.asarray(w.numpy(), dtype=np.float64)


def fit_chances(args: Args) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two tables of ``strength_weights``."""
    state = new_states(1)[0]
    rng = new_rng(derive_seed(args.seed, 3))
    trumps = np.zeros((2, 4, strength.N_TERMS))
    for grand in (False, True):
        for by_hand in (False, True):
            dealt, kept = (np.zeros((args.games, 7), dtype=np.int64) for _ in range(2))
            facts = np.zeros((args.games, 4), dtype=np.int64)
            play_trump_games(rng, grand, by_hand, dealt, kept, facts, state)
            seat = [(strength.SEAT + facts[:, 0], 1.0)]
            won, own = facts[:, 3] >= 61, facts[:, 2] == 1
            if by_hand:
                columns = [(column, 1.0) for column in dealt.T] + seat
                trumps[int(grand), strength.BY_HAND] = regression(columns, won, strength.N_TERMS, 0.0)
                trumps[int(grand), strength.BY_HAND_SCHNEIDER] = regression(
                    columns, facts[:, 3] >= 90, strength.N_TERMS, 0.0
                )
            else:
                points = [(np.full(args.games, strength.POINTS_AWAY), facts[:, 1].astype(np.float32))]
                columns = [(column, 1.0) for column in kept.T] + seat + points
                trumps[int(grand), strength.KEPT] = regression(columns, won, strength.N_TERMS, 0.0)
                columns = [(column[own], 1.0) for column in [*dealt.T, seat[0][0]]]
                trumps[int(grand), strength.DEALT] = regression(columns, won[own], strength.N_TERMS, 0.0)
    nulls = np.zeros((5, 259))
    n = args.games // 3
    for flags, model in (
        (0, strength.NULL_KEPT),
        (1, strength.NULL_BY_HAND),
        (2, strength.NULL_OUVERT),
        (3, strength.NULL_HAND_OUVERT),
    ):
        hands, keep = (np.zeros(n, dtype=np.int64) for _ in range(2))
        facts = np.zeros((n, 4), dtype=np.int64)
        play_null_games(rng, flags, strength.NULL_DEALT if flags == 0 else model, hands, keep, facts, state)
        for target, cards, chosen in ((model, keep, facts[:, 2] >= 0), (strength.NULL_DEALT, hands, facts[:, 2] == 1)):
            if target == model or flags == 0:
                columns = [(cards[chosen] >> 8 * suit & 255, 1.0) for suit in range(4)] + [
                    (256 + facts[chosen, 0], 1.0)
                ]
                nulls[target] = regression(columns, facts[chosen, 3] == 1, 259, null_prior(flags >= 2))
    return trumps, nulls


def null_prior(ouvert: bool) -> NDArray[np.float64]:
    """Where the regression of null begins: the danger of each holding of a suit; holdings too rare to be seen stay there."""
    prior = np.zeros(259)
    for holding in range(256):
        danger = null.suit_danger(255, holding, 255 ^ holding)
        prior[holding] = 0.8 - (0.9 if ouvert else 0.6) * danger
    return prior


# ---- 4. bands, and the whole -------------------------------------------------------------------------------------------


@kernel
def play_deals(rng: RngState, states: NDArray[np.void]) -> int:
    """Deal and play ``states`` to the end; the number of decisions."""
    deck = np.empty(32, dtype=np.int64)
    cards = np.empty(4, dtype=np.int64)
    n = 0
    for i in range(len(states)):
        deal_cards(rng, deck, cards)
        set_deal(states[i], cards[0], cards[1], cards[2], cards[3], 0)
        while states[i]["phase"] != OVER:
            apply(states[i], rule_action(states[i], np.int64(states[i]["to_move"]), rng))
            n += 1
    return n


def print_bands(args: Args) -> None:
    """Measure the installed player."""
    states = new_states(args.deals)
    rng = new_rng(derive_seed(args.seed, 4))
    play_deals(rng, states[:1])
    begin = time.perf_counter()
    decisions = play_deals(rng, states)
    seconds = time.perf_counter() - begin
    played = states[states["declarer"] < 3]
    won = played["won"] == 1
    score = played["score"].astype(np.int64)
    list_points = np.where(won, score + 50, score + 30).sum() / 3 / args.deals
    print(f"{args.deals} deals, {decisions / seconds:,.0f} decisions/s; passed in {1 - len(played) / args.deals:.1%}")
    for name, of in (
        ("suit", played["game"] < GRAND),
        ("grand", played["game"] == GRAND),
        ("null", played["game"] == NULL),
        ("by hand", played["flags"] & 1 == 1),
    ):
        print(f"{name}: {of.mean():.1%} of games, won {won[of].mean():.1%}")
    print(
        f"won {won.mean():.1%}, overbid {(played['overbid'] == 1).mean():.2%}, list points per seat and deal {list_points:.2f}"
    )


def install(module: str, tables: dict[str, NDArray[np.float64]]) -> None:
    """Replace the numbers of ``tables`` in a module of the package; everything else stays."""
    path = Path(next(iter(package.__path__))) / f"{module}.py"
    text = path.read_text(encoding="utf-8")
    for name, table in tables.items():
        lines = []
        for row in table.reshape(-1, table.shape[-1]):
            words = [f"{value:.2f}".rstrip("0").rstrip(".") + "," for value in row]
            lines.append("    " + " ".join("0," if word == "-0," else word for word in words))
        body = re.sub(r"(.{1,116},)(?: |$)", r"\1\n    ", "\n".join(lines)).replace("\n    \n", "\n").rstrip()
        text = re.sub(rf"({name}: .* = np\.array\(\[\n)[^\]]*(\n\])", rf"\g<1>{body}\g<2>", text)
    path.write_text(text, encoding="utf-8")


def positions_of(args: Args, nulls: bool) -> tuple[Any, Any, Any]:
    """Terms, utilities and blocks of the decisions of step 1, made or read."""
    path = args.run / ("nulls.npz" if nulls else "positions.npz")
    n = args.positions // 2 if nulls else args.positions
    if not path.exists():
        work, state, rng = make_workspace(18), new_states(1)[0], new_rng(derive_seed(args.seed, 1, nulls))
        states, values = np.zeros(n, dtype=STATE), np.zeros((n, 32), dtype=np.int64)
        for first in tqdm(range(0, n, 1000), desc=path.stem, disable=None):
            make_positions(rng, work, states[first : first + 1000], values[first : first + 1000], nulls, state)
        np.savez_compressed(path, states=states, values=values)
    held = np.load(path)
    n = len(held["states"])
    terms = np.zeros((n, CARDS, N_NULL_TERMS if nulls else N_TERMS), dtype=np.float32)
    utility = np.full((n, CARDS), NO_CARD)
    block = np.zeros((n, 3), dtype=np.int64)
    (describe_null if nulls else describe)(held["states"], held["values"], terms, utility, block)
    return terms, utility, block


def main(args: Args) -> None:
    """Run the stages asked for."""
    args.run.mkdir(parents=True, exist_ok=True)
    if "positions" in args.stages or "cards" in args.stages:
        data, null_data = positions_of(args, False), positions_of(args, True)
        if "cards" in args.stages:
            weights = fit_all("cards", (2, 2, features.N_PLACES, N_TERMS), data)
            defenders = fit_all("null", (2, features.N_PLACES, N_NULL_TERMS), null_data)
            np.savez(args.run / "weights.npz", weights=weights, null=defenders)
            if args.install:
                install("weights", {"WEIGHTS": weights, "NULL_DEFENDER": defenders})
    if "chances" in args.stages:
        trumps, nulls = fit_chances(args)
        np.savez(args.run / "chances.npz", trumps=trumps, nulls=nulls)
        if args.install:
            install("strength_weights", {"TRUMP_WEIGHTS": trumps, "NULL_WEIGHTS": nulls})
    if "bands" in args.stages:
        print_bands(args)
    print(f"results: {args.run}", file=sys.stderr)


if __name__ == "__main__":
    main(tyro.cli(Args))
