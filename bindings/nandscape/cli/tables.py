# SPDX-License-Identifier: Apache-2.0
"""Tables that commands print: tables of figures, which are never cut, and rows of text."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

GAP = "   "


def print_figures(
    columns: Sequence[str], rows: Sequence[Sequence[str]], file: TextIO | None = None, keys: int = 1
) -> None:
    """Prints a table of figures (see `figures`) to a file, stdout by default, at the width of its terminal."""
    print(figures(columns, rows, width_of(file or sys.stdout), keys), file=file)


def width_of(file: TextIO) -> int | None:
    """Returns the number of characters per line if the file is a terminal, and None if it is not."""
    return shutil.get_terminal_size().columns if file.isatty() else None


def figures(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None, keys: int = 1) -> str:
    """Returns a table of figures as a string. The first column is left-aligned, and the other columns are
    right-aligned.

    The table is as wide as its figures and names need. If this exceeds `width`, the names of columns are folded at
    their dots and blanks, into as few lines as possible. If that is not enough, the table continues below, in parts
    that repeat the first `keys` columns. No figure is ever cut: a figure wider than `width` exceeds it.
    """
    widest = [max((len(row[column]) for row in rows), default=0) for column in range(len(columns))]
    most_lines = max(len(_pieces(name)) for name in columns)
    for lines in range(1, most_lines + 1):
        heads = [_folded(name, lines, cells) for name, cells in zip(columns, widest, strict=True)]
        widths = [max(cells, *map(len, head)) for head, cells in zip(heads, widest, strict=True)]
        if width is None or _total(widths) <= width:
            break
    parts = _parts(widths, width, keys)
    return "\n\n".join(_part(heads, rows, widths, part) for part in parts)


def _pieces(name: str) -> list[str]:
    """Splits a name into pieces. The name may be folded between any two of them."""
    return re.findall(r"[^. ]*[. ]+|[^. ]+", name) or [""]


def _folded(name: str, lines: int, least: int) -> list[str]:
    """Folds a name into at most `lines` lines, at the smallest line width that is not below `least`. `least` is the
    width of the figures below the name."""
    pieces = _pieces(name)
    for width in range(max(least, 1), len(name) + 1):
        found = [""]
        for piece in pieces:
            if len((found[-1] + piece).rstrip()) <= width or not found[-1]:
                found[-1] += piece
            else:
                found.append(piece)
        found = [line.rstrip() for line in found]
        if len(found) <= lines and max(map(len, found)) <= width:
            return found
    return [name]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _parts(widths: Sequence[int], width: int | None, keys: int) -> list[list[int]]:
    """Divides the columns of a table into parts that fit into `width`. Each part has the key columns and as many other
    columns as fit, at least one."""
    first = list(range(min(keys, len(widths))))
    parts = [first.copy()]
    for column in range(len(first), len(widths)):
        wanted = [*parts[-1], column]
        if width is not None and len(parts[-1]) > len(first) and _total([widths[c] for c in wanted]) > width:
            parts.append([*first, column])
        else:
            parts[-1] = wanted
    return parts


def _part(heads: Sequence[list[str]], rows: Sequence[Sequence[str]], widths: Sequence[int], part: list[int]) -> str:
    lines = max(len(heads[column]) for column in part)
    above = [[*[""] * (lines - len(heads[column])), *heads[column]] for column in range(len(heads))]
    names = [[above[column][line] if column in part else "" for column in range(len(heads))] for line in range(lines)]
    text = []
    for row in [*names, *rows]:
        texts = [row[part[0]].ljust(widths[part[0]]), *(row[column].rjust(widths[column]) for column in part[1:])]
        text.append(GAP.join(texts).rstrip())
    return "\n".join(text)


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints rows of text below the names of the columns. On a terminal, long texts are folded to its width. Elsewhere
    each row is one line with tab-separated columns, for grep, cut and awk."""
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
