"""One line about the machine, for the head of a table."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine_line() -> str:
    """Processor, cores seen, Python, numba and numpy."""
    import numba
    import numpy as np

    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return (
        f"{model}, {os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}, "
        f"numba {numba.__version__}, numpy {np.__version__}"
    )
