"""Conformance: run case files on the engine and say where they disagree.

>>> from skatai.conformance import check_file
>>> report = check_file("tests/data/play_puzzles.jsonl")
>>> report.cases, report.wrong
(13, 0)

The formats are described in ``FORMATS.md`` beside this module, for authors of other engines who want to run the same cases.
"""

from __future__ import annotations

from skatai.conformance.check import check_file
from skatai.conformance.fields import CaseError
from skatai.conformance.reading import FORMATS, FileError, detect
from skatai.conformance.report import Difference, Report, Verdict

__all__ = ["FORMATS", "CaseError", "Difference", "FileError", "Report", "Verdict", "check_file", "detect"]
