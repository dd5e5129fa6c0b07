"""Bidders in ONNX files: whatever framework a network was trained in.

===========  ==================  =========================================================================================
input        float32             meaning
===========  ==================  =========================================================================================
``hand``     (n, 32)             1 for each of the ten cards, by card number (:mod:`skatai.cards`: D7 … CJ), else 0
``seat``     (n, 3)              one-hot: forehand, middlehand, rearhand; may be left out by a model that does not use it
===========  ==================  =========================================================================================

===============  ================  ======================================================================================
output           any real type     meaning
===============  ================  ======================================================================================
``limit``        (n,) or (n, 1)    the highest value the hand would bid; taken down to a value of the ladder, below 18 to 0
``win_chance``   (n, 68)           chance of winning as declarer at ``BID_VALUES[i]`` (:mod:`skatai.kernels.action_ids`)
===============  ================  ======================================================================================

One of the two outputs must be there. With ``limit`` it decides. With ``win_chance`` alone the bidder goes up the ladder as long as
the chance is at least the threshold; where both are there, ``win_chance`` gives the claims. The model is run one hand at a time, so
that rounding in a batch does not change a bid; the first dimension may be fixed to 1.

``pip install 'skatai[onnx]'`` brings what reads these files.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skatai.auction import ladder
from skatai.bidding.protocol import Chances, Hands, Seats, Values, bid_indices, check_hands
from skatai.errors import SkatError
from skatai.kernels.action_ids import BID_VALUES, N_BIDS
from skatai.rules import Rules

__all__ = ["DEFAULT_THRESHOLD", "OnnxBidder", "onnx_inputs"]

#: list points break even near this chance: at value 22, p·72 = (1-p)·(44 + 50 + 40)
DEFAULT_THRESHOLD: Final = 0.65
_WIDTHS: Final = {"hand": 32, "seat": 3}
_NUMBERS: Final = re.compile(r"tensor\((float|float16|double|u?int\d+)\)")


def onnx_inputs(hands: Hands, seats: Seats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The inputs ``hand`` (n, 32) and ``seat`` (n, 3) as such a model takes them, float32.

    Raises:
        SkatError: not hands of ten cards and seats.
    """
    cards, places = check_hands(hands, seats)
    bits = (cards[:, None] >> np.arange(32, dtype=np.uint32)) & np.uint32(1)
    return bits.astype(np.float32), np.eye(3, dtype=np.float32)[places]


@cache
def _session(path: Path, modified: int) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise SkatError("bidder: ONNX files need onnxruntime: pip install 'skatai[onnx]'") from None
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
    except Exception as error:  # its classes of errors have no common base
        raise SkatError(f"bidder {path}: not an ONNX model: {str(error).splitlines()[0]}") from None


class OnnxBidder:
    """A model with the inputs and outputs of this module.

    Args:
        path: the file.
        threshold: claimed chance down to which a model without ``limit`` goes up the ladder.

    Raises:
        SkatError: no such file, not a model, other inputs or outputs, or a threshold out of 0 … 1.
    """

    def __init__(self, path: str | Path, threshold: float = DEFAULT_THRESHOLD) -> None:
        self.path = Path(path)
        if not 0.0 <= threshold <= 1.0:
            raise SkatError(f"bidder {path}: threshold {threshold}, expected 0 … 1")
        self.threshold = float(threshold)
        if not self.path.is_file():
            raise SkatError(f"bidder {path}: no such file")
        self._modified = self.path.stat().st_mtime_ns
        self.inputs, self.outputs = _check_signature(self.path, self._session())
        self.name = f"onnx:{path}" + ("" if threshold == DEFAULT_THRESHOLD else f",threshold={self.threshold:g}")

    @classmethod
    def from_text(cls, text: str) -> OnnxBidder:
        """From ``"onnx:net.onnx,threshold=0.55"``; both parts around the path may be missing.

        Raises:
            SkatError: another option, or as above.
        """
        path, *options = text.removeprefix("onnx:").split(",")
        threshold = DEFAULT_THRESHOLD
        for option in options:
            key, _, value = option.partition("=")
            try:
                if key.strip() != "threshold":
                    raise ValueError
                threshold = float(value)
            except ValueError:
                raise SkatError(f"bidder {text!r}: {option!r}, expected threshold=0.55 or the like") from None
        return cls(path.strip(), threshold)

    def __reduce__(self) -> tuple[type[OnnxBidder], tuple[Path, float]]:
        return OnnxBidder, (self.path, self.threshold)

    @property
    def makes_claims(self) -> bool:
        """The model has ``win_chance``."""
        return "win_chance" in self.outputs

    def _session(self) -> Any:
        return _session(self.path.absolute(), self._modified)

    def _run(self, output: str, hands: Hands, seats: Seats) -> NDArray[np.float64]:
        """One output of every hand: (n, width)."""
        width = N_BIDS if output == "win_chance" else 1
        session = self._session()
        inputs = dict(zip(_WIDTHS, onnx_inputs(hands, seats), strict=True))
        rows = np.empty((len(hands), width), dtype=np.float64)
        for i in range(len(hands)):
            feed = {name: inputs[name][i : i + 1] for name in self.inputs}
            try:
                (row,) = session.run([output], feed)
            except Exception as error:
                raise SkatError(f"bidder {self.path}: {str(error).splitlines()[0]}") from None
            if row.size != width:
                raise SkatError(f"bidder {self.path}: {output} of shape {row.shape}, expected {_expected(output)}")
            rows[i] = row.reshape(width)
        if not np.isfinite(rows).all():
            raise SkatError(f"bidder {self.path}: {output} is infinite or not a number")
        return rows

    def limits(self, hands: Hands, seats: Seats, rules: Rules) -> Values:
        """The highest value that each hand would bid.

        Raises:
            SkatError: the model fails, or gives numbers that make no sense.
        """
        steps = np.array([0, *ladder(rules)], dtype=np.int64)
        if "limit" in self.outputs:
            asked = self._run("limit", hands, seats)[:, 0]
            return np.asarray(steps[np.searchsorted(steps, asked, side="right").clip(min=1) - 1])
        chances = self._chances(hands, seats)[:, np.searchsorted(BID_VALUES, steps[1:])]
        goes_on = np.logical_and.accumulate(chances >= self.threshold, axis=1)
        return np.asarray(steps[goes_on.sum(axis=1)])

    def _chances(self, hands: Hands, seats: Seats) -> Chances:
        chances = self._run("win_chance", hands, seats)
        if chances.size and not (chances.min() >= 0.0 and chances.max() <= 1.0):
            found = f"{chances.min():g} … {chances.max():g}"
            raise SkatError(f"bidder {self.path}: win_chance from {found}, expected 0 … 1")
        return chances

    def win_chances(self, hands: Hands, seats: Seats, bids: Values, rules: Rules) -> Chances:
        """The chance each hand gives itself to win if it becomes declarer at ``bids[i]``.

        Raises:
            SkatError: the model has no ``win_chance``, or as :meth:`limits`.
        """
        if not self.makes_claims:
            raise SkatError(f"bidder {self.path}: it makes no claims, the model has no output win_chance")
        places = bid_indices(bids)
        return np.asarray(self._chances(hands, seats)[np.arange(len(places)), places])


def _expected(output: str) -> str:
    return f"(n, {N_BIDS})" if output == "win_chance" else "(n,) or (n, 1)"


def _fits(shape: list[Any], *rests: tuple[int, ...]) -> bool:
    """Whether a shape is n and then one of ``rests``; texts and ``None`` are free dimensions, n may be fixed to 1."""
    sizes = [size if isinstance(size, int) else None for size in shape]
    return any(
        len(sizes) == 1 + len(rest)
        and sizes[0] in (None, 1)
        and all(size in (None, fixed) for size, fixed in zip(sizes[1:], rest, strict=True))
        for rest in rests
    )


def _check_signature(path: Path, session: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the inputs and of the outputs that are used.

    Raises:
        SkatError: naming what is missing, too much, or of another type or shape.
    """
    inputs, outputs = session.get_inputs(), session.get_outputs()
    names = [put.name for put in inputs]
    signature = "expected hand float32 (n, 32) and, if used, seat float32 (n, 3)"
    if "hand" not in names:
        raise SkatError(f"bidder {path}: no input 'hand' among {', '.join(names) or 'none'}; {signature}")
    for put in inputs:
        if put.name not in _WIDTHS:
            raise SkatError(f"bidder {path}: unknown input {put.name!r}; {signature}")
        if put.type != "tensor(float)" or not _fits(put.shape, (_WIDTHS[put.name],)):
            raise SkatError(f"bidder {path}: input {put.name} is {put.type} of shape {put.shape}; {signature}")
    used = [put for put in outputs if put.name in ("limit", "win_chance")]
    if not used:
        found = ", ".join(put.name for put in outputs)
        raise SkatError(
            f"bidder {path}: outputs {found}; expected limit {_expected('limit')} or win_chance {_expected('win_chance')}"
        )
    for put in used:
        if not _NUMBERS.fullmatch(put.type):
            raise SkatError(f"bidder {path}: output {put.name} is {put.type}, expected numbers, {_expected(put.name)}")
        rests = [(N_BIDS,)] if put.name == "win_chance" else [(), (1,)]
        if not _fits(put.shape, *rests):
            raise SkatError(f"bidder {path}: output {put.name} of shape {put.shape}, expected {_expected(put.name)}")
    return tuple(names), tuple(put.name for put in used)
