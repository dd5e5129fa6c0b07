"""Drawing for reports: one chart as a ``data:`` URI. Needs matplotlib (``pip install 'skatai[plot]'``)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any, Final

__all__ = ["COLOURS", "KIND_COLOURS", "draw_declared", "figure", "matplotlib_missing"]

#: colours that the colour-blind can tell apart (Okabe and Ito)
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
KIND_COLOURS: Final = {"suit": "#0072b2", "grand": "#d55e00", "null": "#999999"}


def matplotlib_missing() -> str | None:
    """Why there can be no charts, or ``None``."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return "charts need matplotlib: pip install 'skatai[plot]'"
    return None


def figure(
    height: float, draw: Callable[..., None], width: float = 7.0, columns: int = 1, *, share: bool = False
) -> str:
    """A picture of one or several sets of axes side by side, as a ``data:`` URI.

    Args:
        height: in inches.
        draw: is given the axes, one argument for each column.
        width: in inches.
        columns: how many.
        share: the columns have one vertical axis.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "skatai", "font.size": 9, "axes.axisbelow": True}):
        canvas = Figure(figsize=(width, height), layout="constrained")
        found = canvas.subplots(1, columns, sharey=share, squeeze=False)[0]
        for axes in found:
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        draw(*found)
        buffer = BytesIO()
        canvas.savefig(buffer, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def draw_declared(axes: Any, rows: Sequence[tuple[str, Mapping[str, int], int, int]]) -> None:
    """Games declared by kind as bars and games won as marks, in % of the hands held.

    Args:
        axes: matplotlib's.
        rows: name, games of each kind of ``KIND_COLOURS``, games won, hands held; the first row comes on top.
    """
    rows = rows[::-1]
    left = [0.0] * len(rows)
    for kind, colour in KIND_COLOURS.items():
        widths = [100 * kinds[kind] / max(1, hands) for _, kinds, _, hands in rows]
        axes.barh(range(len(rows)), widths, left=left, color=colour, label=kind, height=0.6)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    won = [100 * wins / max(1, hands) for _, _, wins, hands in rows]
    axes.plot(won, range(len(rows)), "D", color="white", markeredgecolor="black", label="of these won")
    axes.set_yticks(range(len(rows)), [name for name, _, _, _ in rows])
    axes.set_xlabel("games declared, % of the hands held")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
