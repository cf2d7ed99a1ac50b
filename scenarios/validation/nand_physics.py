#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the cell sets behave like the NAND of the papers that they are fitted to?

Prints figures of the cell model beside published ones, study by study, writes them to a JSON file, and draws the
threshold voltages, error rates and programming of one set. Exit status: 0 when every figure is within its tolerance or,
where it is an exception, within the band that its cause predicts, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

from physics import cai_2017, choi_2018, liu_2012, nie_2020, park_2021, sha, trends
from physics.constants import fitted_constants
from physics.report import show
from physics.rows import Row, Study
from rich.console import Console
from rich.table import Table
from shared.command import Report, leave, parser

from nandscape.progress import StepBar

MODULES = (liu_2012, sha, park_2021, nie_2020, choi_2018, cai_2017, trends)
STUDIES = [study for module in MODULES for study in module.STUDIES]


def main(arguments: Sequence[str] | None = None) -> int:
    quick = "coarser pictures, in less time; the figures are the same"
    options = parser(__doc__, quick).parse_args(arguments)
    report = Report(options)
    results: list[tuple[Study, list[Row]]] = []
    with StepBar(len(STUDIES) + 1) as bar:
        for study in STUDIES:
            bar.step(study.name)
            results.append((study, study.run(options.quick)))
        bar.step("pictures")
        # Slow to import.
        from physics.pictures import draw_all

        pictures = draw_all(report.folder, options.quick)
    for study, of_study in results:
        show(study, of_study, report.console)
    _print_constants(report.console)
    return report.finish([row for _, of_study in results for row in of_study], pictures)


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


if __name__ == "__main__":
    leave(main)
