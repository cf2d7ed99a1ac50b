# SPDX-License-Identifier: Apache-2.0
"""The output of studies: tables, a summary of passed and failed figures, and the JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import nandscape as ns
from comparison.rows import Figure, Row, Study
from nandscape.files import replacing


def table(columns: Iterable[str], left: int) -> Table:
    """Returns an empty table without lines. The first `left` columns are left-aligned, the rest right-aligned."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for number, name in enumerate(columns):
        made.add_column(name, justify="left" if number < left else "right", overflow="fold")
    return made


def show_table(
    console: Console, title: str, columns: Iterable[str], lines: Iterable[Iterable[str]], left: int = 1
) -> None:
    """Prints a table with a title above it. The first `left` columns are left-aligned."""
    shown = table(columns, left)
    for line in lines:
        shown.add_row(*line)
    console.print(title)
    console.print(shown)
    console.print()


def show(study: Study, console: Console) -> None:
    """Prints the question, inputs, expectation and rows of a study, followed by explanations of deviations and fitted
    values.
    """
    console.print(f"[bold]{study.name}[/bold]. {study.question}")
    console.print(f"  Inputs: {study.inputs}.\n  Expected: {study.expects}.")
    shown = table(("figure", "ours", "paper", "unit", "tolerance", "standing", "source"), left=7)
    for column in shown.columns[1:3]:
        column.justify = "right"
    for row in study.rows:
        shown.add_row(row.figure, text(row.ours), text(row.paper), row.unit, row.tolerance, _standing(row), row.source)
    console.print(shown)
    for words in dict.fromkeys(words for row in study.rows if (words := _explained(row))):
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


def keep(studies: Iterable[Study], path: Path, *, quick: bool, seeds: Sequence[int]) -> None:
    """Writes the JSON file with the version, the kind of run, the studies, and all figures by name."""
    done = list(studies)
    kept = {
        "nandscape": ns.__version__,
        "quick": quick,
        "seeds": list(seeds),
        "studies": [study.to_dict() for study in done],
        "figures": {row.name: row.to_dict() for study in done for row in study.rows},
    }
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def verdict(rows: Sequence[Row], seconds: float, console: Console) -> list[str]:
    """Prints how many rows are within tolerance, predicted, fitted, by construction and outside. Returns the names of
    the failed rows.
    """
    names = [row.standing for row in rows]
    console.print(
        f"{len(rows)} figures: {names.count('within')} within tolerance, {names.count('predicted')} exceptions inside "
        f"their predicted bands, {names.count('fitted')} fitted, {names.count('by construction')} by construction, "
        f"{names.count('outside')} outside, in {seconds:.1f} s"
    )
    return [row.name for row in rows if row.standing == "outside"]


def text(figure: Figure) -> str:
    """Formats a figure with three significant digits, or a sequence of figures."""
    if isinstance(figure, float):
        return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    if isinstance(figure, str | int):
        return str(figure)
    return " ".join(text(item) for item in figure)
