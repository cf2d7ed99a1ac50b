#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does content-aware writing make writes and reads as much faster as Sha et al. have published?

Draws pages of their eight kinds of files, looks up their write speeds and codes, and writes and reads them on their
drive. Plots figures 1, 3 and 10 to 15.
"""

from __future__ import annotations

from comparison.command import Comparison, Run, command
from content import gains, rows, system
from content.device import Assumptions, Device
from nandscape.progress import StepBar


def compare(run: Run) -> Comparison:
    pages, seeds = (20_000, 1) if run.quick else (80_000, 3)
    of_seeds, by_segments = [], []
    with StepBar(2 * seeds + 3) as bar:
        for seed in range(1, seeds + 1):
            device = Device(pages, seed)
            bar.step(f"pages, seed {seed}")
            of_seeds.append(gains.gains(device))
            bar.step(f"segments, seed {seed}")
            by_segments.append(gains.by_segments(device))
        bar.step("experiments")
        first = Device(pages, seed=1)
        results = rows.Results(of_seeds, by_segments, gains.experiments(pages, seed=1), first.mean_cdber)
        bar.step("drives")
        drives = system.system(pages // 5)
        bar.step("files")
        files = gains.of_files(pages, seed=1)
    assumed = Assumptions()
    words = {
        "spread": 100 * assumed.of_pages,
        "spread_of_segments": 100 * assumed.of_segments,
        "byte_ns": assumed.byte_ns,
    }
    by_study = {
        "tables": rows.tables(),
        "gains": rows.rows(results),
        "drives": system.rows(drives, first),
        "experiments": rows.experiment_rows(results),
    }
    studies = [rows.PUBLISHED.study(of_study, "bare", system.DRIVE, key, **words) for key, of_study in by_study.items()]
    from content.pictures import draw_all  # slow to import

    return Comparison(studies, range(1, seeds + 1), draw_all(results, files, drives))


if __name__ == "__main__":
    command(__doc__, "a quarter of the pages, one seed", compare)
