#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the cell sets behave like the NAND of the papers that they are fitted to?

Prints figures of the cell model beside published ones, study by study, writes them to a JSON file, and draws the
threshold voltages, error rates and programming of one set. Exit status: 0 when every figure is within its tolerance or
a labelled exception, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from physics import cai_2017, choi_2018, liu_2012, nie_2020, park_2021, sha
from physics.constants import fitted_constants
from physics.rows import Figure, Row, Study
from rich.console import Console
from rich.table import Table

from nandscape.files import replacing
from nandscape.progress import StepBar

STUDIES = [study for paper in (liu_2012, sha, park_2021, nie_2020, choi_2018, cai_2017) for study in paper.STUDIES]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    begin = time.monotonic()
    folder = options.plot_folder or options.json.parent
    for needed in (folder, options.json.parent):
        needed.mkdir(parents=True, exist_ok=True)
    results: list[tuple[Study, list[Row]]] = []
    with StepBar(len(STUDIES) + 1) as bar:
        for study in STUDIES:
            bar.step(study.name)
            results.append((study, study.run(options.quick)))
        bar.step("pictures")
        # Slow to import.
        from physics.pictures import draw_all

        pictures = draw_all(folder, options.quick)
    for study, of_study in results:
        _print(study, of_study, console)
    _print_constants(console)

    rows = [row for _, of_study in results for row in of_study]
    with replacing(options.json) as temporary:
        entries = {row.name: row.to_dict() for row in rows}
        temporary.write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = [row.name for row in rows if not row.within and not row.exception]
    exceptions = sum(not row.within and bool(row.exception) for row in rows)
    console.print(
        f"{len(rows)} figures: {len(rows) - len(missed) - exceptions} within tolerance, {exceptions} labelled "
        f"exceptions, {len(missed)} missed, in {time.monotonic() - begin:.1f} s"
    )
    console.print(f"written: {', '.join(str(path) for path in (options.json, *pictures))}", soft_wrap=True)
    for name in missed:
        print(f"not within its tolerance: {name}", file=sys.stderr)
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="write all figures to FILE")
    parser.add_argument("--quick", action="store_true", help="coarser pictures, in less time; the figures are the same")
    parser.add_argument("--plot-folder", metavar="DIR", type=Path, help="write pictures to DIR, not beside the JSON")
    return parser


def _print(study: Study, rows: list[Row], console: Console) -> None:
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
        table.add_row(row.figure, _text(row.ours), _text(row.paper), row.unit, row.tolerance, within, row.source)
    console.print(table)
    for why in dict.fromkeys(row.exception for row in rows if row.exception and not row.within):
        console.print(f"  Exception: {why}.")
    console.print()


def _print_constants(console: Console) -> None:
    console.print(
        "[bold]Constants[/bold] of the cell sets that were fitted, and to what; all others are taken or set by hand"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for name in ("set", "fitted to", "constants"):
        table.add_column(name, overflow="fold")
    for cell_set, targets in fitted_constants().items():
        for target, constants in targets.items():
            table.add_row(cell_set, target, ", ".join(constants))
            cell_set = ""
    console.print(table)
    console.print()


def _text(figure: Figure) -> str:
    if isinstance(figure, float):
        return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"
    if isinstance(figure, str | int):
        return str(figure)
    return " ".join(_text(item) for item in figure)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
