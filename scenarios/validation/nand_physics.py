#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the cell sets behave like the NAND of the papers to which they are fitted?

Prints values of the cell model together with published ones, in one table for each question, and the fitted constants.
Plots threshold voltages, error rates and programming of one cell set.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from comparison.report import show_table
from nandscape.progress import StepBar
from physics import cai_2017, choi_2018, liu_2012, nie_2020, park_2021, sha, trends
from physics.constants import fitted_constants

PAPERS = (liu_2012, sha, park_2021, nie_2020, choi_2018, cai_2017, trends)


def compare(run: Run) -> Comparison:
    studies = []
    with StepBar(sum(len(paper.STUDIES) for paper in PAPERS)) as bar:
        for paper in PAPERS:
            for key, rows in paper.STUDIES.items():
                bar.step(f"{paper.__name__}: {key}")
                studies.append(paper.PUBLISHED.study(rows(), "bare", paper.CELLS, key))
    _print_constants(run)
    from physics.pictures import draw_all  # slow to import

    return Comparison(studies, pictures=draw_all(run.quick))


def _print_constants(run: Run) -> None:
    lines = [
        ("" if number else cell_set, target, ", ".join(constants))
        for cell_set, targets in fitted_constants().items()
        for number, (target, constants) in enumerate(targets.items())
    ]
    title = "[bold]Fitted constants[/bold] of the cell sets. All other constants are published or set by hand"
    show_table(run.console, title, ("set", "fitted to", "constants"), lines, left=3)


if __name__ == "__main__":
    command(__doc__, "coarser pictures, in less time; the figures are the same", compare)
