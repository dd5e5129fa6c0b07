"""Drawing for reports: one chart as a ``data:`` URI. Needs matplotlib (``pip install 'skatai[plot]'``)."""

from __future__ import annotations

import base64
from collections.abc import Callable
from io import BytesIO
from typing import Final

__all__ = ["COLOURS", "KIND_COLOURS", "figure", "matplotlib_missing"]

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
