# SPDX-License-Identifier: Apache-2.0
"""What the causes that rows.py names predict, in closed form.

Response times are over Baseline's. They are made of those of NoRR, of what the retries of a page take, and of counts of
retry steps: not of the response times that are to be predicted, and without queues.

A retry of N steps takes N (tR + tDMA + tECC); what the techniques leave of that is said by the equations of sections
6.1 and 6.2 of the study. Everything else takes as long as where no page is retried, so a response time is that of NoRR
and a share of the distance from there to Baseline's.
"""

from __future__ import annotations

from physics.park_2021 import population

import nandscape as ns
from retry.results import Point, Results
from retry.runs import Condition, preset

DMA_BYTES_PER_US = 1000


class Expected:
    def __init__(self, results: Results) -> None:
        self._results = results

    def response(self, scheme: str, point: Point, steps_left: float = 1) -> float:
        """`steps_left`: of those that a retry takes."""
        page_bytes = self._results.of("Baseline", point).page_bytes
        ideal = self._results.ratio("NoRR", "Baseline", point)
        return ideal + (1 - ideal) * share_left(scheme, point.condition, page_bytes, steps_left)

    def with_pso(self, scheme: str, point: Point) -> float:
        """Of the steps, as many are left as in the runs with PSO alone."""
        left = self._results.of("PSO", point).steps / self._results.of("Baseline", point).steps
        return self.response(scheme, point, left)


def share_left(scheme: str, condition: Condition, page_bytes: float, steps_left: float = 1) -> float:
    """Of the time that Baseline retries a page of which so many bytes are moved."""
    steps = population(*condition).mean_retry_steps
    t_r = _mean_t_r_us()
    t_rest = page_bytes / DMA_BYTES_PER_US + preset()["ecc.t_decode_us"]
    left_of_t_r = 1 - table_cut(condition)
    t_set = preset()["nand.timing.t_feat_us"]
    taken = steps_left * steps
    time = {
        "Baseline": taken * (t_r + t_rest),
        "PR2": taken * t_r + t_rest,
        "AR2": t_set + taken * (left_of_t_r * t_r + t_rest),
        "PnAR2": t_set + taken * left_of_t_r * t_r + t_rest,
    }[scheme]
    return time / (steps * (t_r + t_rest))


def table_cut(condition: Condition) -> float:
    """Of tR, by the table of read times that the drive uses."""
    cycles, months = condition
    table = ns.read_timing_table(preset()["nand.cells.set"])
    reduction = table.precharge_reduction(pe_cycles=cycles, retention_months=months) / 255
    return reduction * preset()["nand.timing.t_pre_us"] / _sense_us()


def _sense_us() -> float:
    return sum(preset()[f"nand.timing.t_{phase}_us"] for phase in ("pre", "eval", "disch"))


def _mean_t_r_us() -> float:
    """Over the pages of a wordline."""
    senses = ns.Cells(preset()).senses()
    return sum(senses) / len(senses) * _sense_us()
