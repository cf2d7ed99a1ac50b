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
PUBLISHED_CUT = 0.25  # of tR, section 5.2.1


class Expected:
    """`cut` is that of tR, where it is not the one of the table of read times."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def share_left(self, scheme: str, point: Point, cut: float | None = None) -> float:
        """Of the time that Baseline retries."""
        page_bytes = self._results.of("Baseline", point).page_bytes
        return share_left(scheme, point.condition, page_bytes, cut)

    def response(self, scheme: str, point: Point, cut: float | None = None) -> float:
        ideal = self._results.ratio("NoRR", "Baseline", point)
        return ideal + (1 - ideal) * self.share_left(scheme, point, cut)

    def with_pso(self, scheme: str, point: Point) -> float:
        """Of the steps of `scheme`, PSO leaves a share: reads that take as many as without it. The response time of the
        scheme itself is that of its runs."""
        with_pso = "PSO" if scheme == "Baseline" else f"PSO+{scheme}"
        left = self._results.of(with_pso, point).steps / self._results.of(scheme, point).steps
        ideal = self._results.ratio("NoRR", "Baseline", point)
        return ideal + left * (self._results.ratio(scheme, "Baseline", point) - ideal)


def share_left(scheme: str, condition: Condition, page_bytes: float, cut: float | None = None) -> float:
    """Of the time that Baseline retries a page of which so many bytes are moved."""
    steps = population(*condition).mean_retry_steps
    t_r = _mean_t_r_us()
    t_rest = page_bytes / DMA_BYTES_PER_US + preset()["ecc.t_decode_us"]
    left = 1 - (table_cut(condition) if cut is None else cut)
    t_set = preset()["nand.timing.t_feat_us"]
    taken = {
        "PR2": steps * t_r + t_rest,
        "AR2": t_set + steps * (left * t_r + t_rest),
        "PnAR2": t_set + steps * left * t_r + t_rest,
    }[scheme]
    return taken / (steps * (t_r + t_rest))


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
