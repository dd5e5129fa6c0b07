"""The search kernels against the obvious twins of ``tests/naive_search.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from skatai._jit import JIT_ENABLED
from skatai.kernels.search.bounds import cash, cheapest, trump_run
from skatai.kernels.search.claims import claim_holds
from skatai.kernels.search.layout import INNER, INNER_TRUMPS, OUTER, points_of, to_inner, to_outer
from skatai.kernels.search.null import distinct_null, null_key
from skatai.kernels.search.order import distinct
from skatai.kernels.search.points import search
from skatai.kernels.search.solve import (
    best_by_worlds,
    moves_reach,
    reaches,
    solve_bounds,
    solve_moves,
    solve_value,
    solve_worlds,
)
from skatai.kernels.search.table import bucket_of, difference, position_key, probe, store
from skatai.kernels.search.workspace import BITS, GENERATION, NODES, OLDEST, begin, make_workspace, share_table
from tests import naive_search as naive

Ints = NDArray[np.int64]
Ending = tuple[naive.Hands, int, int, int, naive.Table]

GAMES = range(6)
# as plain Python: fewer and smaller cases
SIZE = 1 if JIT_ENABLED else 5
MOST = 4 if JIT_ENABLED else 3


def random_ending(rng: random.Random, most: int, game: int) -> Ending:
    """Hands, game, declarer, leader and cards on the table of a random ending, often with few suits (more interesting)."""
    n = rng.randint(1, most)
    suits = rng.choice((4, 4, 3, 2))
    deck = [card for card in range(32) if card // 8 < suits or card % 8 == 7]
    cards = rng.sample(deck, 3 * n)
    declarer, leader = rng.randrange(3), rng.randrange(3)
    hands: naive.Hands = (frozenset(cards[:n]), frozenset(cards[n : 2 * n]), frozenset(cards[2 * n :]))
    table: naive.Table = ()
    for i in range(rng.randrange(3)):
        seat = (leader + i) % 3
        card = rng.choice(naive.legal(hands[seat], table, game))
        hands, table = naive.without(hands, seat, card), (*table, card)
    return hands, game, declarer, leader, table


def as_arrays(hands: naive.Hands, table: naive.Table) -> tuple[Ints, Ints]:
    masks = np.array([sum(1 << card for card in hand) for hand in hands], dtype=np.int64)
    return masks, np.array([*table, *[0] * (3 - len(table))], dtype=np.int64)


def endings(seed: int, count: int, most: int, games: range = GAMES) -> Iterator[Ending]:
    rng = random.Random(seed)
    for i in range(max(6, count // SIZE)):
        yield random_ending(rng, min(most, MOST), games[i % len(games)])
        if i % 100 == 0:
            naive.value.cache_clear()
            naive.claim_holds.cache_clear()


def inner_hands(hands: naive.Hands, game: int, leader: int) -> list[int]:
    """Masks in the search's numbering, in the order of play."""
    masks, _ = as_arrays(hands, ())
    return [int(to_inner(masks[(leader + i) % 3], game)) for i in range(3)]


@pytest.fixture(scope="module")
def work() -> Ints:
    return make_workspace(12)


# ------------------------------------------------------------------------------------------------------------- layout


@pytest.mark.parametrize("game", GAMES)
def test_numbering_keeps_classes_order_and_points(game: int) -> None:
    for card in range(32):
        bit = int(INNER[game, card])
        assert OUTER[game, bit] == card
        assert bool(INNER_TRUMPS[game] >> bit & 1) == naive.is_trump(card, game)
        if game != naive.NULL:
            assert points_of(1 << bit) == naive.RANK_POINTS[card % 8]
        for other in range(32):
            if card != other and naive.suit_class(card, game) == naive.suit_class(other, game):
                assert (bit > INNER[game, other]) == naive.beats(card, other, game)
    rng = random.Random(game)
    for _ in range(50):
        mask = rng.getrandbits(32)
        assert to_outer(to_inner(mask, game), game) == mask


@pytest.mark.parametrize("game", GAMES)
def test_distinct_keeps_one_of_each_run_of_equal_cards(game: int) -> None:
    rng = random.Random(game)
    for _ in range(1000 // SIZE):
        owners = [rng.choice((0, 0, 1, 2)) for _ in range(32)]  # 0 = ours, 1 = others', 2 = gone
        hand = sum(1 << bit for bit in range(32) if owners[bit] == 0)
        out = sum(1 << bit for bit in range(32) if owners[bit] < 2)
        kept = distinct_null(hand, out) if game == naive.NULL else distinct(hand, out)
        expected = 0
        for bit in range(32):
            card = int(OUTER[game, bit])
            if owners[bit]:
                continue
            higher = [
                int(INNER[game, c]) for c in range(32)
                if naive.suit_class(c, game) == naive.suit_class(card, game)
                and naive.strength(c, game) > naive.strength(card, game)
                and owners[int(INNER[game, c])] < 2
            ]  # fmt: skip
            above = min(higher, default=-1)
            equal_points = game == naive.NULL or (above >= 0 and points_of(1 << above) == points_of(1 << bit))
            if above < 0 or owners[above] or not equal_points:
                expected |= 1 << bit
        assert kept == expected


# ------------------------------------------------------------------------------------------------------------- search


@pytest.mark.parametrize("seed", range(3))
def test_values_moves_targets_and_limits_of_random_endings(seed: int, work: Ints) -> None:
    rng = random.Random(100 + seed)
    out = np.empty(32, dtype=np.int64)
    for hands, game, declarer, leader, table in endings(seed, 700, 4):
        masks, cards = as_arrays(hands, table)
        n = len(table)
        expected = naive.value(hands, game, declarer, leader, table)
        assert solve_value(masks, game, declarer, leader, cards, n, work) == expected
        assert solve_moves(masks, game, declarer, leader, cards, n, work, out) == expected
        moves = {card: int(out[card]) for card in range(32) if out[card] >= 0}
        assert moves == naive.move_values(hands, game, declarer, leader, table)
        target = 1 if game == naive.NULL else rng.randint(0, 70)
        assert reaches(masks, game, declarer, leader, cards, n, target, work) == (expected >= target)
        bounds = np.array([0, 0, rng.randint(1, 20), rng.choice((-1, target))], dtype=np.int64)
        lower = solve_bounds(masks, game, declarer, leader, cards, n, bounds, work)
        assert lower == bounds[0] <= expected <= bounds[1]


@pytest.mark.jit
def test_the_twins_agree() -> None:
    for ending in endings(20, 600, 3):
        assert naive.brute_force(*ending) == naive.value(*ending)


def compare_with_brute_force(seed: int, count: int, most: int, work: Ints) -> int:
    """Solve ``count`` endings of 1 … ``most`` cards a hand both ways; the number compared."""
    rng = random.Random(seed)
    out = np.empty(32, dtype=np.int64)
    for i in range(count):
        hands, game, declarer, leader, table = random_ending(rng, most, i % 6)
        masks, cards = as_arrays(hands, table)
        expected = naive.brute_force(hands, game, declarer, leader, table)
        assert solve_value(masks, game, declarer, leader, cards, len(table), work) == expected
        assert solve_moves(masks, game, declarer, leader, cards, len(table), work, out) == expected
    return count


@pytest.mark.jit
def test_endings_against_brute_force(work: Ints) -> None:
    assert compare_with_brute_force(30, 6000, 4, work) == 6000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_tens_of_thousands_of_endings_against_brute_force(seed: int, work: Ints) -> None:
    assert compare_with_brute_force(40 + seed, 5000, 5, work) == 5000


@pytest.mark.jit
def test_values_depend_neither_on_the_size_of_the_table_nor_on_what_it_holds() -> None:
    areas = [make_workspace(bits) for bits in (3, 8, 16)]
    shared = make_workspace(8)
    share_table(1, shared)
    found = list(endings(50, 600, 8))
    expected = {}
    for area in areas:
        for number, (hands, game, declarer, leader, table) in enumerate(found):
            masks, cards = as_arrays(hands, table)
            value = int(solve_value(masks, game, declarer, leader, cards, len(table), area))
            assert expected.setdefault(number, value) == value
    order = sorted(
        range(len(found)), key=lambda number: (found[number][1], -number)
    )  # game by game, the other way round
    for number in order:
        hands, game, declarer, leader, table = found[number]
        masks, cards = as_arrays(hands, table)
        assert solve_value(masks, game, declarer, leader, cards, len(table), shared) == expected[number]


@pytest.mark.parametrize("game", GAMES)
def test_worlds_that_share_a_table(game: int, work: Ints) -> None:
    rng = random.Random(game)
    n = 6 if JIT_ENABLED else 2
    mine = rng.sample(range(32), n)
    rest = [card for card in range(32) if card not in mine]
    worlds = []
    for _ in range(12 // SIZE):
        rng.shuffle(rest)
        worlds.append([sum(1 << card for card in cards) for cards in (mine, rest[:n], rest[n : 2 * n])])
    hands = np.array(worlds, dtype=np.int64)
    table = np.zeros(3, dtype=np.int64)
    spot = np.array([game, 1, 0, 0], dtype=np.int64)
    exact_values = np.empty((len(hands), 32), dtype=np.int64)
    reached = np.empty((len(hands), 32), dtype=np.int64)
    none, target = np.full(len(hands), -1), 1 if game == naive.NULL else 20
    assert solve_worlds(hands, spot, table, none, work, exact_values) >= 0
    assert solve_worlds(hands, spot, table, np.full(len(hands), target), work, reached) >= 0
    alone = np.empty(32, dtype=np.int64)
    for i in range(len(hands)):
        solve_moves(hands[i], game, 1, 0, table, 0, work, alone)
        assert (alone == exact_values[i]).all()
        assert ((alone >= target) == (reached[i] == 1)).all()
        alone[:2] = target, 0
        best = moves_reach(hands[i], game, 1, 0, table, 0, work, alone)
        assert (alone == reached[i]).all()
        assert best == min(reached[i][reached[i] >= 0])  # a defender leads
        alone[:2] = target, 1 << mine[0] | 1 << mine[1]
        moves_reach(hands[i], game, 1, 0, table, 0, work, alone)
        assert [card for card in range(32) if alone[card] >= 0] == sorted(mine[:2])
        assert alone[mine[0]] == reached[i][mine[0]]
    wins = np.empty(32, dtype=np.int64)
    best_by_worlds(hands, spot, table, np.full(len(hands), target), work, wins)
    all_wins = {card: int((reached[:, card] == 0).sum()) for card in mine}  # a defender wants 0
    top = max(all_wins.values())
    for card in range(32):
        if card not in all_wins:
            assert wins[card] == -1
        elif all_wins[card] == top:
            assert wins[card] >= 0
        else:
            assert wins[card] in (-2, all_wins[card])


def test_a_position_without_cards_is_worth_nothing(work: Ints) -> None:
    hands, table = as_arrays((frozenset(), frozenset(), frozenset()), ())
    for game in GAMES:
        assert solve_value(hands, game, 0, 1, table, 0, work) == (1 if game == naive.NULL else 0)


def test_equal_runs_visit_equal_nodes_and_the_limit_stops_them(work: Ints) -> None:
    hands, table = as_arrays((frozenset(range(0, 32, 4)), frozenset(range(1, 32, 4)), frozenset(range(2, 32, 4))), ())
    bounds = np.array([0, 0, 0, -1], dtype=np.int64)
    nodes = []
    for _ in range(2):
        if JIT_ENABLED:
            solve_bounds(hands, 4, 0, 0, table, 0, bounds, work)
            assert bounds[0] == bounds[1]
            nodes.append(int(work[NODES]))
    assert len(set(nodes)) <= 1
    bounds[2] = 10
    solve_bounds(hands, 4, 0, 0, table, 0, bounds, work)
    assert 10 <= work[NODES] <= 12  # the limit is looked at where a trick starts
    assert 0 <= bounds[0] < bounds[1] <= 120


def test_a_new_generation_forgets_the_old_one_also_when_numbers_run_out() -> None:
    work = make_workspace(4)
    begin(0, work)
    bucket = bucket_of(5, work)
    store(5, 1, 3, 4, bucket, work)
    assert probe(5, 1, bucket, work) == (3, 4)
    begin(0, work)
    assert probe(5, 1, bucket, work) == (0, 127)
    work[GENERATION] = work[OLDEST] = (1 << 20) - 1
    store(5, 1, 3, 4, bucket, work)
    begin(0, work)
    assert work[GENERATION] == 1
    assert probe(5, 1, bucket, work) == (0, 127)
    assert work[BITS] == 4


# ------------------------------------------------------------------------------------------- what makes the search small


def test_bounds_are_sound(work: Ints) -> None:
    for hands, game, declarer, leader, table in endings(7, 2000, 4, range(5)):
        if table:
            continue
        a, b, c = inner_hands(hands, game, leader)
        seat = (declarer - leader) % 3
        value = naive.value(hands, game, declarer, leader, ())
        left = points_of(a | b | c)
        trumps = int(INNER_TRUMPS[game])
        three = (a, b, c)
        sure, lost = trump_run(three[seat], three[(seat + 1) % 3], three[(seat + 2) % 3], trumps)
        assert sure <= value <= left - lost
        begin(game, work)
        cashed = cash(a, b, c, seat, work)
        assert cashed <= value if seat == 0 else value <= left - cashed


def test_cheapest_cards() -> None:
    rng = random.Random(3)
    for _ in range(200):
        hand = sum(1 << bit for bit in rng.sample(range(32), rng.randint(0, 10)))
        points = sorted(int(points_of(1 << bit)) for bit in range(32) if hand >> bit & 1)
        n = rng.randint(-1, 11)
        assert cheapest(hand, n) == sum(points[: max(0, n)])


def owners(hands: list[int], group: int) -> list[int]:
    """Owners of the cards of a mask from the lowest up."""
    return [i for bit in range(32) if group >> bit & 1 for i in range(3) if hands[i] >> bit & 1]


@pytest.mark.parametrize("game", [1, 4])
def test_key_is_the_owner_sequence_of_every_group(game: int) -> None:
    rng = random.Random(4)
    trumps = int(INNER_TRUMPS[game])
    free = 4 if game == naive.GRAND else 3  # groups that may change places
    seen: dict[int, object] = {}
    by_sequence: dict[str, int] = {}
    for _ in range(4000 // SIZE):
        cards = rng.sample(range(32), 3 * rng.randint(1, 3))
        hands = [sum(1 << bit for bit in cards[i::3]) for i in range(3)]
        seat = rng.randrange(3)
        groups = [owners(hands, 127 << 7 * i) for i in range(4)]
        sequence = (seat, sorted(groups[:free]), groups[free:], owners(hands, 15 << 28))
        key, left = (int(word) for word in position_key(*hands, seat, trumps))
        assert 0 <= key < 1 << 62
        assert sorted(left >> 7 * i & 127 for i in range(4)) == sorted(sum(hands) >> 7 * i & 127 for i in range(4))
        assert seen.setdefault(key, sequence) == sequence
        assert by_sequence.setdefault(str(sequence), key) == key
        suits = (seat, sorted(owners(hands, 255 << 8 * i) for i in range(4)))
        null = int(null_key(*hands, seat))
        assert 0 <= null < 1 << 62
        assert seen.setdefault(-null - 1, suits) == suits
        assert by_sequence.setdefault(str(suits), null) == null


def test_bounds_carry_over_to_other_cards_of_the_same_owners() -> None:
    rng = random.Random(5)
    for _ in range(300 // SIZE):
        game, declarer, leader = rng.randrange(5), rng.randrange(3), rng.randrange(3)
        here, there = [0, 0, 0], [0, 0, 0]
        sizes = rng.sample(range(8), 4)
        for group in range(4):
            places = [sorted(rng.sample(range(7), min(3, sizes[group]))) for _ in range(2)]
            for x, y in zip(*places, strict=True):
                who = rng.randrange(3)
                here[who] |= 1 << 7 * group + x
                there[who] |= 1 << 7 * group + y
        n = min(mask.bit_count() for mask in here)
        if n == 0:
            continue
        values = []
        for hands in (here, there):
            trimmed = trim(hands, n)
            cards = tuple(frozenset(int(OUTER[game, bit]) for bit in range(32) if mask >> bit & 1) for mask in trimmed)
            values.append((trimmed, naive.value(cards, game, declarer, leader, ())))  # type: ignore[arg-type]
        (stored, v), (mine, w) = values
        key, cards = position_key(*stored, 0, int(INNER_TRUMPS[game]))
        other_key, other_cards = position_key(*mine, 0, int(INNER_TRUMPS[game]))
        assert key == other_key
        down, up = difference(int(cards), int(other_cards))
        assert v - down <= w <= v + up
    naive.value.cache_clear()


def trim(hands: list[int], n: int) -> list[int]:
    """Each hand without all but its ``n`` lowest cards."""
    return [sum(sorted(1 << bit for bit in range(32) if mask >> bit & 1)[:n]) for mask in hands]


def test_search_answers_on_the_side_of_the_target(work: Ints) -> None:
    for hands, game, declarer, leader, table in endings(8, 300, 4, range(5)):
        if table:
            continue
        a, b, c = inner_hands(hands, game, leader)
        value = naive.value(hands, game, declarer, leader, ())
        left = points_of(a | b | c)
        begin(game, work)
        for target in (0, value, value + 1, left + 1):
            answer = search(a, b, c, (declarer - leader) % 3, target, left, np.int64(0), work)
            assert target <= answer <= value if value >= target else value <= answer < target


# ------------------------------------------------------------------------------------------------------------- claims


def claim_endings(seed: int, count: int) -> Iterator[tuple[naive.Hands, int, int, int, int, naive.Table]]:
    """Endings in which the claimant holds strong cards (null: low ones)."""
    rng = random.Random(seed)
    for i in range(max(6, count // SIZE)):
        n = rng.randint(1, MOST)
        game = i % 6
        deck = list(range(32))
        noise = rng.choice((3, 8))
        sign = 1 if game == naive.NULL else -1
        keys = {
            c: 5 * naive.is_trump(c, game) + naive.strength(c, game) % 10 + sign * rng.random() * noise for c in deck
        }
        deck.sort(key=lambda card: sign * keys[card])
        others = rng.sample(deck[n:], 2 * n)
        claimant, leader = rng.randrange(3), rng.randrange(3)
        declarer = claimant if game == naive.NULL else rng.randrange(3)
        three = [frozenset(deck[:n]), frozenset(others[:n]), frozenset(others[n:])]
        hands: naive.Hands = (three[-claimant % 3], three[(1 - claimant) % 3], three[(2 - claimant) % 3])
        table: naive.Table = ()
        for k in range(rng.randrange(3)):
            seat = (leader + k) % 3
            card = rng.choice(naive.legal(hands[seat], table, game))
            hands, table = naive.without(hands, seat, card), (*table, card)
        yield hands, game, declarer, claimant, leader, table


def test_claims_agree_with_the_definition() -> None:
    valid = 0
    count = 0
    for hands, game, declarer, claimant, leader, table in claim_endings(11, 1800):
        masks, cards = as_arrays(hands, table)
        before = masks.copy()
        expected = naive.claim_holds(hands, game, claimant, leader, table)
        assert claim_holds(masks, game, declarer, claimant, leader, cards, len(table)) == expected
        assert (masks == before).all()
        valid += expected
        count += 1
    naive.claim_holds.cache_clear()
    assert 0.2 * count < valid < 0.8 * count


@pytest.mark.parametrize(
    ("game", "claimant", "leader", "hands", "expected"),
    [
        (1, 0, 0, ("CJ SJ", "HJ H7", "SA ST"), 1),  # claim-001: two top trumps
        (1, 1, 1, ("HJ HA", "CJ SJ", "SA ST"), 1),  # claim-003: a defender alone
        (4, 1, 1, ("S7 D9", "SA C7", "CA C8"), 0),  # claim-005: his partner would take the last trick
        (5, 0, 1, ("S7 H8", "S8 H7", "S9 H9"), 1),  # claim-006: null, none of the rest
        (5, 1, 1, ("S7 H8", "S8 H7", "S9 H9"), 0),  # a defender has no claim in null
    ],
)
def test_claims_of_the_rule_cases(
    game: int, claimant: int, leader: int, hands: tuple[str, str, str], expected: int
) -> None:
    card = {suit + rank: 8 * s + r for s, suit in enumerate("DHSC") for r, rank in enumerate("789QKTAJ")}
    masks = np.array([sum(1 << card[word] for word in hand.split()) for hand in hands], dtype=np.int64)
    assert claim_holds(masks, game, 0, claimant, leader, np.zeros(3, dtype=np.int64), 0) == expected


def deal_masks(rng: random.Random, first: str = "") -> NDArray[np.int64]:
    """Three hands of ten cards; ``first`` gives those of seat 0."""
    card = {suit + rank: 8 * s + r for s, suit in enumerate("DHSC") for r, rank in enumerate("789QKTAJ")}
    own = [card[word] for word in first.split()] or rng.sample(range(32), 10)
    rest = rng.sample([c for c in range(32) if c not in own], 20)
    return np.array([sum(1 << c for c in hand) for hand in (own, rest[:10], rest[10:])], dtype=np.int64)


def test_claims_at_ten_cards_each() -> None:
    """Whoever takes every trick takes every point; in null the claim to take nothing is the won game itself."""
    rng = random.Random(12)
    table, work = np.zeros(3, dtype=np.int64), make_workspace()
    for i in range(300 // SIZE):
        masks, leader = deal_masks(rng), i % 3
        assert claim_holds(deal_masks(rng, "CJ SJ HJ DJ CA SA HA DA CT ST"), naive.GRAND, 0, 0, leader, table, 0)
        assert claim_holds(deal_masks(rng, "C7 C8 C9 S7 S8 S9 H7 H8 H9 D7"), naive.NULL, 0, 0, leader, table, 0)
        assert claim_holds(masks, naive.NULL, 0, 0, leader, table, 0) == solve_value(
            masks, naive.NULL, 0, leader, table, 0, work
        )
        if JIT_ENABLED and claim_holds(masks, i % 5, 0, 0, leader, table, 0):
            points = sum(naive.RANK_POINTS[c % 8] for c in range(32) if (masks[0] | masks[1] | masks[2]) >> c & 1)
            assert solve_value(masks, i % 5, 0, leader, table, 0, work) == points
