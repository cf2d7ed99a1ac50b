#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are pages written and read faster for what they hold by as much as Sha et al. have published?

Draws pages of their eight kinds of files, looks up their write speeds and codes, writes and reads on their drive,
prints the figures beside the published ones, writes them to a JSON file, and draws figures 1, 3 and 10 to 15. Exit
status: 0 when every figure is within its tolerance or, where it is an exception, within the band that its cause
predicts, 1 otherwise, 130 when interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

from content import gains, rows, system_rows
from content.device import Assumptions, Device
from physics.report import show
from physics.rows import Study
from shared.command import Report, leave, parser

from nandscape.progress import StepBar


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser(__doc__, "a quarter of the pages, one seed").parse_args(arguments)
    report = Report(options)
    pages, seeds = (20_000, 1) if options.quick else (80_000, 3)
    with StepBar(2 * seeds + 4) as bar:
        of_seeds, by_segments = [], []
        for seed in range(1, seeds + 1):
            device = Device(pages, seed)
            bar.step(f"pages, seed {seed}")
            of_seeds.append(gains.gains(device))
            bar.step(f"segments, seed {seed}")
            by_segments.append(gains.by_segments(device))
        bar.step("experiments")
        results = rows.Results(
            of_seeds, by_segments, gains.experiments(pages, seed=1), gains.mean_cdber(Device(pages, seed=1))
        )
        tables, published, ours = rows.tables(), rows.rows(results), rows.experiment_rows(results)
        bar.step("drives")
        system = system_rows.system(pages // 5)
        of_drives = system_rows.rows(system, Device(pages, seed=1))
        bar.step("files")
        files = gains.of_files(pages, seed=1)
        bar.step("pictures")
        # Slow to import.
        from content.pictures import draw_all

        pictures = draw_all(report.folder, results, files, system)
    for study, of_study in (
        (_study("tables", "Which steps and codes do pages bear?", "counts of cells as published"), tables),
        (_study("gains", "How much faster are pages written and read?", "gains as published"), published),
        (_study("drives", "How much sooner are requests answered?", "gains that queues make larger"), of_drives),
        (_study("experiments", "What do the gains hang on?", "the spread of pages and the bus"), ours),
    ):
        show(study, of_study, report.console)
    return report.finish([*tables, *published, *of_drives, *ours], pictures)


def _study(name: str, question: str, expects: str) -> Study:
    assumed = Assumptions()
    inputs = (
        "cell set mlc_planar_15k, coding mlc_13, 15,000 cycles, a year at 30 °C; a page fails once in 1e7 times; pages "
        f"of eight kinds of files (Table I, 11 and 00 exchanged), states by {100 * assumed.of_pages:g} % from page to "
        f"page, {100 * assumed.of_segments:g} % between eighths of a page; {assumed.byte_ns:g} ns a byte on the bus"
    )
    return Study(f"Content-aware writes: {name}", question, inputs, expects, lambda _quick: [])


if __name__ == "__main__":
    leave(main)
