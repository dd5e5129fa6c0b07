"""``python -m skatai``."""

import sys

from skatai.cli import main

sys.exit(main())
