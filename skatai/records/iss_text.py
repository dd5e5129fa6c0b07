"""The text of ISS records: properties, moves, results; reading and writing them without looking at the play."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from skatai.contract import Contract
from skatai.deal import Deal
from skatai.errors import NotationError, RecordError
from skatai.records.framing import CLOSE, MAX_RECORD, to_bytes

__all__ = [
    "BOT_NAMES",
    "IssRecord",
    "IssResult",
    "canonical_moves",
    "format_record",
    "format_result",
    "match_canonical",
    "move_pairs",
    "parse_cards",
    "parse_contract",
    "parse_deal",
    "parse_record",
    "parse_result",
    "record_of_match",
]


#: players of the server known to be programs
BOT_NAMES: Final = frozenset({"bernie", "kermit", "theCount", "xskat", "zoot"})


@dataclass(frozen=True, slots=True)
class IssResult:
    """The field ``R[…]``, token by token.

    Attributes:
        kind: ``"game"``, ``"passed"``, ``"penalty"`` (broken off before a contract) or ``"unknown"`` (not ended).
        declarer: ``d``, -1 for none.
        won: ``win``.
        score: ``v``, the signed value, twice the value if lost. In aborted games not to be trusted.
        matadors: ``m``, signed, 0 in null.
        overbid: ``overbid`` instead of ``bidok``.
        points: ``p``, the declarer's card points with the skat, as they were scored.
        tricks: ``t``, his tricks, as they were scored.
        schneider, schwarz: ``s`` and ``z``.
        penalties: ``p0 p1 p2``.
        left, timed_out: ``l`` and ``to``, the seat or -1.
        resigned: ``r``, 0 or 1; ``None`` where the token is absent (some records of 2007 and 2008).
    """

    kind: str
    declarer: int = -1
    won: bool = False
    score: int = 0
    matadors: int = 0
    overbid: bool = False
    points: int = 0
    tricks: int = 0
    schneider: bool = False
    schwarz: bool = False
    penalties: tuple[int, int, int] = (0, 0, 0)
    left: int = -1
    timed_out: int = -1
    resigned: int | None = 0

    def __str__(self) -> str:
        return format_result(self)


@dataclass(frozen=True, slots=True)
class IssRecord:
    """One record as it stands in the file; tags that are absent are ``None``.

    Attributes:
        moves_text: ``MV``, as recorded.
        result: ``R``.
        players: ``P0 P1 P2``, forehand, middlehand and rearhand.
        ratings_text: ``R0 R1 R2``, as recorded.
        place, comment, series, game_id, date: ``PC CO SE ID DT``.
        viewer: ``OW``, whose view it is: 0, 1, 2 or 3 (the public); ``None`` for the world's.
        others: tags that the format does not know, in order.
    """

    moves_text: str
    result: IssResult
    players: tuple[str | None, str | None, str | None] = (None, None, None)
    ratings_text: tuple[str | None, str | None, str | None] = (None, None, None)
    place: str | None = None
    comment: str | None = None
    series: str | None = None
    game_id: str | None = None
    date: str | None = None
    viewer: str | None = None
    others: tuple[tuple[str, str], ...] = ()

    @property
    def moves(self) -> list[tuple[str, str]]:
        """Pairs of who (``w``, ``0``, ``1``, ``2``) and action, as recorded.

        Raises:
            RecordError: a pair without its action.
        """
        return move_pairs(self.moves_text)

    @property
    def key(self) -> tuple[str | None, str | None]:
        """(PC, ID): game numbers are unique per place only."""
        return self.place, self.game_id

    @property
    def ratings(self) -> tuple[float | None, float | None, float | None]:
        """Ratings as numbers, ``None`` where empty, ``null`` or no number."""
        r0, r1, r2 = (_rating(text) for text in self.ratings_text)
        return r0, r1, r2

    @property
    def bots(self) -> tuple[bool, bool, bool]:
        """Which players are known programs (:data:`BOT_NAMES`, also as ``name:2``): keep their games apart from people's."""
        b0, b1, b2 = (name is not None and name.partition(":")[0] in BOT_NAMES for name in self.players)
        return b0, b1, b2

    @property
    def time(self) -> datetime | None:
        """``DT`` as a time, ``None`` if absent or malformed."""
        match = _DATE.fullmatch(self.date or "")
        if match is None:
            return None
        try:
            return datetime(*map(int, match.groups()), tzinfo=UTC)  # type: ignore[misc, arg-type]
        except ValueError:
            return None

    @property
    def is_view(self) -> bool:
        """Whether cards are hidden: a record of what one seat or the public saw."""
        if self.viewer is not None and self.viewer != "4":
            return True
        return "??." in self.moves_text or ".??" in self.moves_text

    @property
    def deal(self) -> Deal:
        """The cards dealt.

        Raises:
            RecordError: a view, or no valid deal.
        """
        return Deal.from_cards(parse_deal(self.moves[0][1] if self.moves else ""))


_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})/([0-9]{2}):([0-9]{2}):([0-9]{2})/UTC")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,15})?([eE]-?[0-9]{1,2})?")


def _rating(text: str | None) -> float | None:
    return float(text) if text is not None and _NUMBER.fullmatch(text) else None


def _shorten(text: str, size: int = 40) -> str:
    """For messages: the beginning of a text, unprintable characters escaped."""
    return repr(text if len(text) <= size else text[:size] + "…")


# ---------------------------------------------------------------------------------------------------------- moves

_BLANKS: Final = re.compile(r"[ \t\r\n]+")


def move_pairs(text: str) -> list[tuple[str, str]]:
    """Split ``MV`` into pairs of who and action.

    Raises:
        RecordError: an odd number of words.
    """
    words = _BLANKS.split(text.strip(" \t\r\n"))
    if words == [""]:
        return []
    if len(words) % 2:
        raise RecordError(f"MV: {len(words)} words, the last one {_shorten(words[-1])} lacks its action")
    return list(zip(words[::2], words[1::2], strict=True))


_CARDS: Final = {s + r: 8 * i + j for i, s in enumerate("DHSC") for j, r in enumerate("789QKTAJ")}


def parse_cards(words: list[str]) -> list[int]:
    """Cards by their ISS names, case-sensitive.

    Raises:
        RecordError: something that is no card.
    """
    try:
        return [_CARDS[word] for word in words]
    except KeyError as error:
        raise RecordError(f"{_shorten(str(error.args[0]))} is not a card") from None


def parse_deal(text: str) -> list[int]:
    """The 32 cards of a deal, with 31 dots or with ``|`` between the groups.

    Raises:
        RecordError: not 32 different cards in groups of 10, 10, 10 and 2.
    """
    if "|" in text:
        groups = [group.split(".") for group in text.split("|")]
        if [len(group) for group in groups] != [10, 10, 10, 2]:
            raise RecordError("deal: expected 10|10|10|2 cards")
        words = [word for group in groups for word in group]
    else:
        words = text.split(".")
    if len(words) != 32:
        raise RecordError(f"deal: {len(words)} cards, expected 32")
    cards = parse_cards(words)
    if len(set(cards)) < 32:
        twice = next(card for card in words if words.count(card) > 1)
        raise RecordError(f"deal: {twice} occurs twice")
    return cards


_CONTRACT: Final = re.compile(r"[DHSCGN][HOSZ]{0,4}")


def parse_contract(text: str) -> Contract:
    """A contract token: a game letter, then flags in any order.

    Raises:
        RecordError: not a contract.
    """
    if not _CONTRACT.fullmatch(text):
        raise RecordError(f"{_shorten(text)} is not a contract")
    try:
        return Contract.parse(text)
    except NotationError as error:
        raise RecordError(str(error)) from None


def canonical_moves(text: str) -> str:
    """``MV`` as the writer puts it: flags in the order O, H, Z or S without what is implied, no shown cards, dots in the deal.

    Raises:
        RecordError: an odd number of words.
    """
    words = []
    declarer_declares = False  # the next contract is made after a pick-up and carries two discards
    for number, (who, action) in enumerate(move_pairs(text)):
        head, _, rest = action.partition(".")
        if number == 0:
            action = action.replace("|", ".")
        elif who == "w":
            pass
        elif action == "s":
            declarer_declares = True
        elif head == "SC":
            action = head
        elif head in _CARDS and rest:  # discards of a split pick-up
            action = ".".join(action.split(".")[:2])
        elif _CONTRACT.fullmatch(head):
            discards = rest.split(".")[:2] if declarer_declares and rest else []
            action = ".".join([str(parse_contract(head)), *discards])
        words += [who, action]
    return " ".join(words) + " " if words else ""


# --------------------------------------------------------------------------------------------------------- result

_RESULT: Final = re.compile(
    r"d:(-1|[0-2]) (win|loss|penalty) v:(-?[0-9]{1,5}) m:(-?[0-9]{1,2}) (bidok|overbid) p:([0-9]{1,3}) t:([0-9]{1,2})"
    r" s:([01]) z:([01]) p0:([01]) p1:([01]) p2:([01]) l:(-1|[0-2]) to:(-1|[0-2])(?: r:([01]))?"
)


def parse_result(text: str) -> IssResult:
    """Read the value of ``R[…]``.

    Raises:
        RecordError: not a result.

    >>> parse_result("passed").kind
    'passed'
    """
    words = " ".join(_BLANKS.split(text.strip(" \t\r\n")))
    if words in ("passed", "unknown"):
        return IssResult(words)
    match = _RESULT.fullmatch(words)
    if match is None:
        raise RecordError(f"R: {_shorten(text)} is not a result")
    d, word, v, m, bid, p, t, s, z, p0, p1, p2, left, timed_out, r = match.groups()
    return IssResult(
        "penalty" if word == "penalty" else "game",
        int(d),
        word == "win",
        int(v),
        int(m),
        bid == "overbid",
        int(p),
        int(t),
        s == "1",
        z == "1",
        (int(p0), int(p1), int(p2)),
        int(left),
        int(timed_out),
        None if r is None else int(r),
    )


def format_result(result: IssResult) -> str:
    """The value of ``R[…]``; the inverse of :func:`parse_result`.

    >>> format_result(parse_result("passed"))
    'passed'
    """
    if result.kind in ("passed", "unknown"):
        return result.kind
    word = "penalty" if result.kind == "penalty" else "win" if result.won else "loss"
    p0, p1, p2 = result.penalties
    text = (
        f"d:{result.declarer} {word} v:{result.score} m:{result.matadors} {'overbid' if result.overbid else 'bidok'} "
        f"p:{result.points} t:{result.tricks} s:{result.schneider:d} z:{result.schwarz:d} "
        f"p0:{p0} p1:{p1} p2:{p2} l:{result.left} to:{result.timed_out}"
    )
    return text if result.resigned is None else f"{text} r:{result.resigned}"


# --------------------------------------------------------------------------------------------------------- record

#: The form of one-line archives. Atomic groups: names may hold anything but the tag that follows, and nothing is tried twice.
_CANONICAL: Final = re.compile(
    r"\(;GM\[Skat\]PC\[(?>(.*?)\](?=CO\[|SE\[))(?:CO\[(?>(.*?)\]SE\[)|SE\[)(?>(.*?)\]ID\[)(?>(.*?)\]DT\[)"
    r"(?>(.*?)\](?=P0\[|OW\[))(?:OW\[([^\]]*)\])?P0\[(?>(.*?)\]P1\[)(?>(.*?)\]P2\[)(?>(.*?)\]R0\[)"
    r"(?>(.*?)\]R1\[)(?>(.*?)\]R2\[)(?>(.*?)\]MV\[)([^\]]*)\]R\[([^\]]*)\] ?;\)\r?"
)
_TAG: Final = re.compile(rb"(?>\s++|#[^\n]*+(?:\n|\Z))*+(?:([A-Z][A-Z0-9]?)\[|(;\)))")
_PLAIN_TAGS: Final = ("GM", "MV", "R")
_KNOWN: Final = frozenset({"GM", "PC", "CO", "SE", "ID", "DT", "OW", "P0", "P1", "P2", "R0", "R1", "R2", "MV", "R"})


def _tags(raw: bytes) -> dict[str, str]:
    """Properties of a record in any order and layout (section 7: never by position)."""
    if not raw.startswith(b"(;"):
        raise RecordError(f"record: begins with {_shorten(_text(raw[:20]))}, expected '(;'")
    found: dict[str, str] = {}
    position = 2
    while True:
        match = _TAG.match(raw, position)
        if match is None:
            raise RecordError(
                f"record: {_shorten(_text(raw[position : position + 20]))} where a tag or ';)' was expected"
            )
        tag = _text(match[1] or b"")
        if not tag:
            break
        if tag in found:
            raise RecordError(f"record: tag {tag} occurs twice")
        if tag in _PLAIN_TAGS:
            end = raw.find(b"]", match.end())
            after = end + 1
        else:
            close = CLOSE.search(raw, match.end())
            end, after = (close.start(), close.end()) if close else (-1, -1)
        if end < 0:
            raise RecordError(f"record: tag {tag} has no end")
        found[tag] = _text(raw[match.end() : end])
        position = after
    if raw[match.end() :].strip():
        raise RecordError("record: text after its end")
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _from_tags(tags: dict[str, str]) -> IssRecord:
    for tag in ("GM", "P0", "P1", "P2", "MV", "R"):
        if tag not in tags:
            raise RecordError(f"record: tag {tag} is missing")
    if tags["GM"] != "Skat":
        raise RecordError(f"record: GM is {_shorten(tags['GM'])}, expected Skat")
    get = tags.get
    return IssRecord(
        tags["MV"],
        parse_result(tags["R"]),
        (tags["P0"], tags["P1"], tags["P2"]),
        (get("R0"), get("R1"), get("R2")),
        get("PC"),
        get("CO"),
        get("SE"),
        get("ID"),
        get("DT"),
        get("OW"),
        tuple((tag, value) for tag, value in tags.items() if tag not in _KNOWN),
    )


_EMBEDDED: Final = re.compile(r"\]([A-Z][A-Z0-9]?)\[")


def match_canonical(text: str) -> re.Match[str] | None:
    """Match a one-line record in the archives' layout: 14 groups, ``PC CO SE ID DT OW P0 P1 P2 R0 R1 R2 MV R``."""
    match = _CANONICAL.fullmatch(text)
    if match is None or text.count("[") == 13 + (match[2] is not None) + (match[6] is not None):
        return match
    # Some value holds a bracket: part of a name, unless it opens a tag, a foreign one or one for the second time.
    for value in match.groups()[:12]:
        if value and any(tag != "R" for tag in _EMBEDDED.findall(value)):
            return None
    return match


def record_of_match(match: re.Match[str], result: IssResult) -> IssRecord:
    """The record of a :func:`match_canonical`, given what its result was parsed to."""
    place, comment, series, game_id, date, viewer, p0, p1, p2, r0, r1, r2, moves, _ = match.groups()
    return IssRecord(moves, result, (p0, p1, p2), (r0, r1, r2), place, comment, series, game_id, date, viewer)


def parse_record(text: str | bytes) -> IssRecord:
    """Read the properties of one record; the moves are not looked at (see :func:`skatai.records.iss.replay`).

    Raises:
        RecordError: not a record: a missing or doubled tag, an unreadable result, no end, or more than 1 MB.
    """
    if not isinstance(text, (str, bytes)):
        raise RecordError(f"record: expected text, not {type(text).__name__}")
    raw = text if isinstance(text, bytes) else to_bytes(text)
    raw = raw.strip(b" \t\r\n")
    if len(raw) > MAX_RECORD:
        raise RecordError(f"record: {len(raw)} bytes, expected at most {MAX_RECORD}")
    match = match_canonical(_text(raw))
    if match is not None:
        return record_of_match(match, parse_result(match[14]))
    return _from_tags(_tags(raw))


def format_record(record: IssRecord) -> str:
    """The record as one canonical line, without a line end: absent tags left out, contracts without implied flags, no shown cards.

    Writing, reading and writing again gives the same text. Nothing is escaped, as in the archives.

    Raises:
        RecordError: the moves are no pairs.
    """
    names = ("PC", "CO", "SE", "ID", "DT", "OW", "P0", "P1", "P2", "R0", "R1", "R2")
    values = (
        record.place,
        record.comment,
        record.series,
        record.game_id,
        record.date,
        record.viewer,
        *record.players,
        *record.ratings_text,
    )
    tags = [(name, value) for name, value in zip(names, values, strict=True) if value is not None]
    moves = record.moves_text if record.is_view else canonical_moves(record.moves_text)
    tags = [("GM", "Skat"), *tags, *record.others, ("MV", moves), ("R", format_result(record.result))]
    return "(;" + "".join(f"{name}[{value}]" for name, value in tags) + " ;)"
