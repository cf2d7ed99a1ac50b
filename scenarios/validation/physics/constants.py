# SPDX-License-Identifier: Apache-2.0
"""Collects the fitted constants of the cell sets, and the targets of the fits, from the comments in the files of the
cell sets.
"""

from __future__ import annotations

import re
from pathlib import Path

CELL_SETS = Path(__file__).parents[3] / "platform" / "cells"
_GROUP = re.compile(r"(\w+):\s*$")
_KEY = re.compile(r"  (\w+): [^#]*(?:#\s*(.*))?$")
_FITTED = re.compile(r"fitted\b(.*)", re.IGNORECASE)


def fitted_constants() -> dict[str, dict[str, list[str]]]:
    """Returns the names of the fitted constants, by cell set and then by the target of the fit."""
    return {path.stem: found for path in sorted(CELL_SETS.glob("*.yaml")) if (found := _of_file(path))}


def _of_file(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    group, comment, of_group = "", "", ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comment = f"{comment} {line.lstrip('# ')}" if comment else line.lstrip("# ")
        elif match := _GROUP.match(line):
            group, of_group = match[1], comment
        elif match := _KEY.match(line):
            name, own = match.groups()
            if target := _target(own, of_group):
                found.setdefault(target, []).append(f"{group}.{name}")
        if not line.startswith("#"):
            comment = ""
    return found


def _target(own: str | None, of_group: str) -> str | None:
    whole = _FITTED.match(of_group)
    match = _FITTED.match(own) if own else whole
    if not match:
        return None
    words = match[1].strip() or (whole[1].strip() if whole else "")
    if not words.startswith("to "):
        return "the paper's tables"
    return re.split(r"[,;:.] |[,;:.]$| but ", words.removeprefix("to "))[0]
