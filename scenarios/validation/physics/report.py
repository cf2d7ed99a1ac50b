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
    for name in ("unit", "tolerance", "standing", "source"):
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(row.figure, text(row.ours), text(row.paper), row.unit, row.tolerance, _standing(row), row.source)
    console.print(table)
    for words in dict.fromkeys(words for row in rows if (words := _explained(row))):
        console.print(f"  {words}.")
    console.print()


def _standing(row: Row) -> str:
    standing = "OUTSIDE" if row.standing == "outside" else row.standing
    if row.exception:
        low, high = row.exception.band
        return f"{standing} ({text(row.exception.expected)}; {text(low)} to {text(high)})"
    return standing


def _explained(row: Row) -> str:
    if row.exception:
        return f"Exception: {row.exception.cause}. Expected from {row.exception.basis}"
    if row.fitted:
        return f"Fitted: {row.fitted}"
    return f"By construction: {row.by_construction}" if row.by_construction else ""


def keep(rows: Sequence[Row], path: Path) -> None:
    """Writes them as JSON, by name."""
    with replacing(path) as temporary:
        entries = {row.name: row.to_dict() for row in rows}
        temporary.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def verdict(rows: Sequence[Row], seconds: float, console: Console) -> list[str]:
    """Says how many rows stand how, and returns the names of those that fail."""
    names = [row.standing for row in rows]
    console.print(
        f"{len(rows)} figures: {names.count('within')} within tolerance, {names.count('predicted')} exceptions inside "
        f"their predicted bands, {names.count('fitted')} fitted, {names.count('by construction')} by construction, "
        f"{names.count('outside')} outside, in {seconds:.1f} s"
    )
    return [row.name for row in rows if row.standing == "outside"]


def text(figure: Figure) -> str:
    if isinstance(figure, float):
        return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    if isinstance(figure, str | int):
        return str(figure)
    return " ".join(text(item) for item in figure)
