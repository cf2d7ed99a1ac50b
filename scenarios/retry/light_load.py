# SPDX-License-Identifier: Apache-2.0
"""Response times without queues, in closed form: what the causes named in rows.py predict.

A retry of N steps takes N (tR + tDMA + tECC); what the techniques leave of that is said by the equations of sections
6.1 and 6.2 of the study. Everything else takes as long as where no page is retried, so a response time is that of NoRR
and a share of the distance from there to Baseline's.
"""

from __future__ import annotations

from physics.park_2021 import population

import nandscape as ns
from retry.runs import Condition, preset

T_DMA_US_PER_BYTE = 1e-3  # one byte in a nanosecond
PUBLISHED_CUT = 0.25  # of tR, section 5.2.1


def share_left(scheme: str, condition: Condition, page_bytes: float, cut: float | None = None) -> float:
    """Of the time that Baseline retries; `page_bytes` of each page are moved out. `cut`: of tR, instead of the one that
    the table of read times has for the condition."""
    steps = population(*condition).mean_retry_steps
    t_r = _mean_t_r_us()
    t_rest = page_bytes * T_DMA_US_PER_BYTE + preset()["ecc.t_decode_us"]
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
    timing = preset()["nand.timing"]
    sense_us = timing["t_pre_us"] + timing["t_eval_us"] + timing["t_disch_us"]
    table = ns.read_timing_table(preset()["controller.read_retry.timing_table"])
    return table.precharge_reduction(pe_cycles=cycles, retention_months=months) / 255 * timing["t_pre_us"] / sense_us


def _mean_t_r_us() -> float:
    """Over the pages of a wordline."""
    timing = preset()["nand.timing"]
    senses = ns.Cells(preset()).senses()
    return sum(senses) / len(senses) * (timing["t_pre_us"] + timing["t_eval_us"] + timing["t_disch_us"])
