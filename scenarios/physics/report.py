# SPDX-License-Identifier: Apache-2.0
"""How the rows of studies are shown and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from nandscape.files import replacing
from physics.rows import Figure, Row, Study


def show(study: Study, rows: Sequence[Row], console: Console) -> None:
    console.print(f"[bold]{study.name}[/bold]. {study.question}")
    console.print(f"  Inputs: {study.inputs}.\n  Expected: {study.expects}.")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    table.add_column("figure", overflow="fold")
    for name in ("ours", "paper"):
        table.add_column(name, justify="right", overflow="fold")
    for name in ("unit", "tolerance", "within", "source"):
        table.add_column(name, overflow="fold")
    for row in rows:
        within = "yes" if row.within else "exception" if row.exception else "NO"
        table.add_row(row.figure, text(row.ours), text(row.paper), row.unit, row.tolerance, within, row.source)
    console.print(table)
    for why in dict.fromkeys(row.exception for row in rows if row.exception and not row.within):
        console.print(f"  Exception: {why}.")
    console.print()


def keep(rows: Sequence[Row], path: Path) -> None:
    """Writes them as JSON, by name."""
    with replacing(path) as temporary:
        entries = {row.name: row.to_dict() for row in rows}
        temporary.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def verdict(rows: Sequence[Row], seconds: float, console: Console) -> list[str]:
    """Says how many are within their tolerance, and returns the names of those that are not and should be."""
    missed = [row.name for row in rows if not row.within and not row.exception]
    exceptions = sum(not row.within and bool(row.exception) for row in rows)
    console.print(
        f"{len(rows)} figures: {len(rows) - len(missed) - exceptions} within tolerance, {exceptions} labelled "
        f"exceptions, {len(missed)} missed, in {seconds:.1f} s"
    )
    return missed


def text(figure: Figure) -> str:
    if isinstance(figure, float):
        return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    if isinstance(figure, str | int):
        return str(figure)
    return " ".join(text(item) for item in figure)
