# SPDX-License-Identifier: Apache-2.0
"""Counters of a drive, read in equal steps of simulated time while its workloads run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import nandscape as ns
from nandscape.key_figures import value_at


def course_of(drive: ns.Config, counters: Sequence[str], step_ms: float) -> NDArray[np.float64]:
    """Runs the workloads of the drive. Returns a row of seconds since their start, and a row for each counter."""

    async def watch(host: Any, clock: Any, simulation: ns.Simulation) -> list[list[float]]:
        def read() -> list[float]:
            stats = simulation.stats()
            return [1e-6 * simulation.now_us, *(value_at(stats, path) for path in counters)]

        seen = [read()]
        writing = host.run_workloads()
        while simulation.workloads_under_way or len(seen) == 1:
            await clock.delay(ms=step_ms)
            seen.append(read())
        await writing
        return seen

    (seen,) = ns.Simulation(drive).play(watch)
    rows = np.array(seen).T
    rows[0] -= rows[0][0]
    return rows
