# SPDX-License-Identifier: Apache-2.0
"""Closed forms for response times relative to those of Baseline. They predict the figures for which our model deviates
from the study for a known reason.

They use the response times of Baseline and NoRR, the times of retries and the numbers of retry steps, but not the
response times that they predict. They leave out queues.

A retry of N steps takes N (tR + tDMA + tECC). The equations of sections 6.1 and 6.2 of the study give the time of a
retry with each technique. All other work takes as long as without retries. A predicted response time is therefore that
of NoRR plus a share of the difference between Baseline and NoRR.
"""

from __future__ import annotations

import nandscape as ns
from physics.park_2021 import population
from retry.runs import SENSE_US, Condition, Point, Results, preset

DMA_BYTES_PER_US = 1000


class Expected:
    def __init__(self, results: Results) -> None:
        self._results = results

    def response(self, scheme: str, point: Point, steps_left: float = 1) -> float:
        """Returns the response time relative to Baseline. `steps_left` is the share of the retry steps that remain."""
        page_bytes = self._results.of("Baseline", point).page_bytes
        ideal = self._results.ratio("NoRR", "Baseline", point)
        return ideal + (1 - ideal) * share_left(scheme, point.condition, page_bytes, steps_left)

    def with_pso(self, scheme: str, point: Point) -> float:
        """Returns the relative response time with PSO. The share of steps that remain is taken from runs with PSO
        alone.
        """
        left = self._results.of("PSO", point).steps / self._results.of("Baseline", point).steps
        return self.response(scheme, point, left)


def share_left(scheme: str, condition: Condition, page_bytes: float, steps_left: float = 1) -> float:
    """Returns the time of a retry as a share of the time with Baseline. `page_bytes` is the number of bytes transferred
    for a page.
    """
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
    """Returns the share by which the drive's read-timing table reduces tR."""
    cycles, months = condition
    table = ns.read_timing_table(preset()["nand.cells.set"])
    reduction = table.precharge_reduction(pe_cycles=cycles, retention_months=months) / 255
    return reduction * preset()["nand.timing.t_pre_us"] / SENSE_US


def _mean_t_r_us() -> float:
    """Returns the mean tR in µs over the pages of a wordline."""
    senses = ns.Cells(preset()).senses()
    return sum(senses) / len(senses) * SENSE_US
