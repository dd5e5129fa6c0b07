"""Hostile input: whatever is done to records, every byte ends in an outcome, and no wrong game gets through."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatai.errors import RecordError
from skatai.records.framing import Frame, Source, frames
from skatai.records.iss import (
    GameOutcome,
    QuarantineOutcome,
    canonical_moves,
    format_record,
    format_result,
    generate_lines,
    parse_record,
    read_records,
    replay,
)
from skatai.records.iss_reader import outcomes_of
from tests.naive_records import naive_result

LINES = [line.encode().rstrip(b"\n") for line in generate_lines(5, 60)]
JUNK = [
    b"]",
    b"[",
    b"(;",
    b";)",
    b"#",
    b"\x00",
    b"\xff\xfe",
    b" ",
    b"w",
    b"??",
    b"|",
    b"RE",
    b"0",
    b"7",
    b"CJ",
    b"\xc3\xa4",
    b"] ;)",
]
JUNK += [
    b"(;GM[Skat]",
    b"]R[",
    b"]MV[",
    b" w TI.1",
    b" 1 p",
    b" 1 18",
    b" 1 SC",
    b"\n",
    b"\r",
    b".",
    b"-",
    b"999999999999",
    b"passed",
]


def mutate(rng: random.Random, line: bytes) -> bytes:
    """One to three changes: delete, double, swap, insert or cut."""
    for _ in range(rng.randint(1, 3)):
        a, b = sorted((rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)))
        b = min(b, a + rng.choice((1, 2, 5, 40)))
        change = rng.randrange(7)
        if change == 0:
            line = line[:a] + line[b:]
        elif change == 1:
            line = line[:b] + line[a:b] + line[b:]
        elif change == 2:
            line = line[:a] + rng.choice(JUNK) + line[a:]
        elif change == 3:
            line = line[:a] + rng.choice(JUNK) + line[b:]
        elif change == 4:
            line = line[:a] + bytes([rng.randrange(256)]) + line[a + 1 :]
        elif change == 5:  # swap two words
            words = line.split(b" ")
            i, j = rng.randrange(len(words)), rng.randrange(len(words))
            words[i], words[j] = words[j], words[i]
            line = b" ".join(words)
        else:
            line = line[: rng.randrange(len(line) + 1)] or b"x"
    return line


def check_game(outcome: GameOutcome) -> None:
    """What got through is right by the naive twin, or by a documented reading."""
    record = outcome.record
    assert parse_record(format_record(record)).result == record.result
    assert format_record(parse_record(format_record(record))) == format_record(record)
    if outcome.replay.convention or record.result.kind == "unknown" or "??" in record.moves_text:
        return
    naive = naive_result(canonical_moves(record.moves_text))
    assert format_result(record.result) in (naive, naive.removesuffix(" r:0").removesuffix(" r:1"))


def attack(seed: int, n: int) -> None:
    rng = random.Random(seed)
    mutated = [mutate(rng, rng.choice(LINES)) for _ in range(n)]
    games = 0
    for text in mutated:
        frame = Frame(1, text)
        (outcome,) = outcomes_of([frame])
        try:
            record = parse_record(text)
            if not record.is_view:
                careful = replay(record)
                assert isinstance(outcome, GameOutcome) and careful.state == outcome.replay.state
                assert careful.events == outcome.replay.events
        except RecordError as error:
            assert isinstance(outcome, QuarantineOutcome) and outcome.reason == str(error)
        if isinstance(outcome, GameOutcome):
            games += 1
            check_game(outcome)
    assert 0 < games < n
    # As a file: nothing is lost. Every line that is not blank or a comment belongs to one frame.
    data = b"\n".join(mutated)
    found = list(frames(Source(data + b"\n" if b"(;" in data else data)))
    kept = b" ".join(frame.raw for frame in found)
    lines = [line for line in data.split(b"\n") if not line.strip().startswith(b"#")]
    assert len(kept.split()) >= 0.995 * sum(len(line.split()) for line in lines)
    outcomes = list(read_records(data))
    assert len(outcomes) == len(found)
    assert [outcome.line for outcome in outcomes] == [frame.line for frame in found]


def test_mutated_records() -> None:
    attack(seed=1, n=1500)


@pytest.mark.slow
def test_mutated_records_for_long() -> None:
    for seed in range(2, 42):
        attack(seed, n=5000)


@given(st.binary(max_size=400) | st.lists(st.sampled_from([*JUNK, *LINES[:3]]), max_size=20).map(b"".join))
def test_arbitrary_bytes(data: bytes) -> None:
    outcomes = list(read_records(data))
    words = [line for line in data.split(b"\n") if line.strip() and not line.strip().startswith(b"#")]
    assert bool(outcomes) == bool(words)
    with pytest.raises(RecordError):
        record = parse_record(data)
        replay(record)
        raise RecordError("a game after all")


@pytest.mark.parametrize(
    "head", [b"", b"(;GM[Skat]CO[", b"(;GM[Skat]PC[a]SE[1]ID[2]DT[x]P0[a]P1[b]P2[c]R0[]R1[]R2[]MV[w "]
)
@pytest.mark.parametrize(
    "piece", [b"]", b"[", b"]#", b"(;", b"(;GM[", b";)", b"P0[", b"]P0[", b" ", b"\n#", b"\x00", b"1 18 ", b"??."]
)
def test_a_mass_of_anything_is_no_trouble(head: bytes, piece: bytes) -> None:
    outcomes = list(read_records(head + piece * (300_000 // len(piece))))
    assert all(isinstance(outcome, QuarantineOutcome) for outcome in outcomes)
    with pytest.raises(RecordError):
        parse_record(head + piece * (300_000 // len(piece)) + b"] ;)")
