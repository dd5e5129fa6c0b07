"""When to stop: at a wanted width, or when a question is decided.

Both rules look at the differences of the deals in their order, at a fixed ladder of numbers of deals, so that where a tournament
stops depends on its seed alone, not on workers or on how often it was interrupted. Error rates by simulation:
``benchmarks/bench_intervals.py``.

Neither rule stops before thirty deals on which the two agents differ: where they nearly always act alike, the scatter of the few
deals that tell them apart is not known yet, and the interval is too narrow (after 100 deals without any difference it is ± 0). Two
agents that always act alike therefore play all deals of the tournament.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from skatai.arena.intervals import mean_interval
from skatai.errors import SkatError

__all__ = ["MIN_DEALS", "MIN_DIFFERENT", "SPRT", "StopRule", "Until", "looks", "stopping_deal"]

#: no rule stops before: the scatter must be known well enough
MIN_DEALS: Final = 100
#: nor before so many deals of a pair have a difference other than 0
MIN_DIFFERENT: Final = 30


def looks(start: int = MIN_DEALS) -> Iterator[int]:
    """The numbers of deals at which a rule is asked: from 100 on, each a twentieth larger.

    >>> from itertools import islice
    >>> list(islice(looks(), 5))
    [100, 105, 110, 115, 120]
    """
    n = start
    while True:
        yield n
        n += max(1, n // 20)


def _tells(differences: Sequence[float]) -> bool:
    """Whether enough deals tell the two agents apart."""
    return sum(d != 0.0 for d in differences) >= MIN_DIFFERENT


class StopRule(Protocol):
    """Whether the deals so far are enough."""

    def verdict(self, *pairs: Sequence[float]) -> str | None:
        """Why to stop, or ``None`` to play on; ``pairs``: for each pair of agents the differences of the deals so far."""
        ...


@dataclass(frozen=True, slots=True)
class Until:
    """Stop when the 95 % interval of every difference is at most ``half`` wide to either side (Chow and Robbins 1965).

    Every pair must differ on thirty deals (:data:`MIN_DIFFERENT`); one that never does keeps the others playing to the end.

    Raises:
        SkatError: not positive.
    """

    half: float

    def __post_init__(self) -> None:
        if not 0.0 < self.half < math.inf:
            raise SkatError(f"until {self.half}: expected a half-width above 0")

    def verdict(self, *pairs: Sequence[float]) -> str | None:
        """See :class:`StopRule`."""
        if not all(map(_tells, pairs)):
            return None
        widest = max(mean_interval(differences).half for differences in pairs)
        return f"half-width {widest:.3f} is at most {self.half:g}" if widest <= self.half else None


@dataclass(frozen=True, slots=True)
class SPRT:
    """Is A better than B by ``margin``? Wald's sequential test of a mean of 0 against one of ``margin``, for the first pair.

    The scatter is estimated from the deals so far. Of tournaments between equals at most about ``alpha`` end with "better"; of
    those with a true difference of ``margin`` at most about ``beta`` end with "not better". It decides nothing before the two
    differ on thirty deals (:data:`MIN_DIFFERENT`).

    Attributes:
        margin: list points per deal and seat; negative asks whether A is worse.

    Raises:
        SkatError: a margin of 0, or error rates outside 0 … 1/2.
    """

    margin: float
    alpha: float = 0.05
    beta: float = 0.05
    #: what must be said of the figures of a tournament that it ended (``benchmarks/INTERVALS.md``)
    caution: ClassVar[str] = (
        "A test ended the run where the difference looked large or small: the mean lies 0.5 to 1.2 points too far to that side "
        "(with a margin of 4), and Student's 95 % interval holds the truth in 91 to 94 % of such runs only"
    )

    def __post_init__(self) -> None:
        if self.margin == 0.0 or not math.isfinite(self.margin):
            raise SkatError(
                f"sprt {self.margin:g}: expected the difference that matters, in list points a deal and seat, not 0"
            )
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise SkatError(f"sprt: error rates {self.alpha} and {self.beta}, expected above 0 and below 1/2")

    def log_ratio(self, differences: Sequence[float]) -> float:
        """Log likelihood ratio of ``margin`` against 0; 0 where nothing is known, infinite where nothing scatters."""
        n = len(differences)
        mean = math.fsum(differences) / n
        variance = math.fsum((d - mean) ** 2 for d in differences) / (n - 1) if n > 1 else 0.0
        lead = n * self.margin * (mean - self.margin / 2.0)
        return lead / variance if variance > 0.0 else math.copysign(math.inf, lead) if n > 1 else 0.0

    def verdict(self, *pairs: Sequence[float]) -> str | None:
        """See :class:`StopRule`."""
        if not _tells(pairs[0]):
            return None
        ratio = self.log_ratio(pairs[0])
        if ratio >= math.log((1.0 - self.beta) / self.alpha):
            return f"the difference is nearer {self.margin:+g} than 0 (log ratio {ratio:+.2f})"
        if ratio <= math.log(self.beta / (1.0 - self.alpha)):
            return f"the difference is nearer 0 than {self.margin:+g} (log ratio {ratio:+.2f})"
        return None


def stopping_deal(
    rule: StopRule, *pairs: Sequence[float], after: int = 0, most: Sequence[int] | None = None
) -> tuple[int, str] | None:
    """The first look at which ``rule`` stops, and why; ``None`` where these deals are not enough.

    Args:
        rule: the rule.
        pairs: the differences of the deals, one sequence for each pair.
        after: looks up to here were in vain already.
        most: for each pair, how many deals it plays in all; a pair that has played them does not keep the others waiting.
    """
    for n in looks():
        live = [pair for i, pair in enumerate(pairs) if most is None or n <= most[i]]
        if n > min(map(len, live), default=0):
            return None
        why = rule.verdict(*(differences[:n] for differences in live)) if n > after else None
        if why is not None:
            return n, why
    raise AssertionError("unreachable")
