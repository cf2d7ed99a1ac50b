# SPDX-License-Identifier: Apache-2.0
"""Tables of the commands: figures that are never cut, and rows of text."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

GAP = "   "


def figures(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of figures as text: the first column to the left, the others to the right.

    Its width is what the figures need. A terminal that is narrower wraps the lines; a figure that is cut is worse.
    """
    cells = [list(columns), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(columns))]
    lines = []
    for row in cells:
        texts = [row[0].ljust(widths[0])]
        texts += [text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)]
        lines.append(GAP.join(texts).rstrip())
    return "\n".join(lines)


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints rows of text below the columns' names: folded to the width of a terminal, and tab-separated elsewhere, one
    row in a line, for grep, cut and awk."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            print("\t".join(row))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
