# SPDX-License-Identifier: Apache-2.0
"""Compares the cell model with Park 2021: retry steps, errors in the final retry step, and senses with shorter phases.

A condition is a pair of program/erase cycles and months at 30 °C. M is the largest number of errors in a codeword of 1
KiB in the final retry step, over the pages of 160 chips. The ECC corrects 72 errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import exp, lgamma, log

import numpy as np

import nandscape as ns
from comparison.published import Published
from comparison.rows import Row
from nandscape.cells import Population

PUBLISHED = Published(__file__)
PAGES = 11_059_200
CORRECTABLE = 72
CODEWORD_BITS = 9216
CODEWORDS_OF_PAGE = 16
MARGIN = 14  # number of errors that the table keeps as a margin, from Figure 11
CYCLES = (0, 1000, 2000)
MONTHS = (0, 3, 6, 9, 12)
CONDITIONS = [(cycles, months) for cycles in CYCLES for months in MONTHS]
WORST = (2000, 12)
T_PRE_US, T_EVAL_US, T_DISCH_US = 24.0, 5.0, 10.0
PUBLISHED_M = {(0, 3): 15, (1000, 12): 30, (2000, 12): 35}
CELLS = {
    "nand.cells.set": "tlc_3d_48",
    "nand.coding": "tlc_232",
    "nand.timing.t_pre_us": T_PRE_US,
    "nand.timing.t_eval_us": T_EVAL_US,
    "nand.timing.t_disch_us": T_DISCH_US,
}


@cache
def cells(tracking: bool = True) -> ns.Cells:
    return ns.Cells("bare", CELLS | {"nand.cells.read_levels.tracking": tracking})


@cache
def population(cycles: float, months: float, temperature_c: float = 85, tracking: bool = True) -> Population:
    return cells(tracking).population(cycles, months, temperature_c)


@cache
def most_errors(
    condition: tuple[float, float],
    t_pre: float = 1,
    t_eval: float = 1,
    t_disch: float = 1,
    temperature_c: float = 85,
    tracking: bool = True,
) -> float:
    """Returns M at a condition. The times of the phases of a sense are given relative to the device's default times."""
    pages = population(*condition, temperature_c, tracking)
    return pages.most_errors(t_pre * T_PRE_US, t_eval * T_EVAL_US, t_disch * T_DISCH_US, PAGES)


def fewest_steps(pages: Population) -> int:
    """Returns the smallest number of retry steps among PAGES pages. This number varies between samples of pages; the
    result is its median.
    """
    return int(np.searchsorted(np.cumsum(pages.retry_steps), np.log(2) / PAGES))


def label(condition: tuple[float, float]) -> str:
    cycles, months = condition
    return f"({cycles / 1000:g}K, {months:g})" if cycles else f"(0, {months:g})"


def _prepare(conditions: Iterable[tuple[float, float]], tracking: bool = True) -> None:
    """Computes the populations in advance, on all processors at once."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda condition: most_errors(condition, tracking=tracking), conditions))


def _retry_steps() -> list[Row]:
    _prepare([(0, 0), (0, 3), (0, 6), (1000, 3), WORST])
    return PUBLISHED.rows(
        {
            "retry_steps_fresh": round(population(0, 0).mean_retry_steps, 6),
            "retry_steps_0_3": fewest_steps(population(0, 3)),
            "retry_steps_0_6": 100 * population(0, 6).at_least(7),
            "retry_steps_1k_3": fewest_steps(population(1000, 3)),
            "retry_steps_2k_12": population(*WORST).mean_retry_steps,
        }
    )


def _final_step() -> list[Row]:
    _prepare(PUBLISHED_M)
    return [
        PUBLISHED.row(
            "most_errors_{cycles}_cycles_{months}_months_{celsius}_c",
            most_errors(condition, temperature_c=celsius),
            paper=published + more,
            celsius=celsius,
            **_named(condition),
        )
        for condition, published in PUBLISHED_M.items()
        for celsius, more in ((85, 0), (55, 3), (30, 5))
    ]


def _named(condition: tuple[float, float]) -> dict[str, object]:
    return {"cycles": condition[0], "months": condition[1], "label": label(condition)}


def safe_cut(condition: tuple[float, float], phase: str, parts: int, most: float) -> float:
    """Returns the largest reduction of a phase, in percent, for which M is at most `most`. The examined reductions are
    multiples of 1 / parts."""
    cut = 0
    while cut + 1 < parts and most_errors(condition, **{phase: 1 - (cut + 1) / parts}) <= most:
        cut += 1
    return 100 * cut / parts


def _shorter_senses() -> list[Row]:
    _prepare(CONDITIONS)
    short_pre, short_disch = 1 - 0.54, 1 - 0.2

    def added(condition: tuple[float, float], **times: float) -> float:
        return most_errors(condition, **times) - most_errors(condition)

    return PUBLISHED.rows(
        {
            "safe_t_pre": safe_cut(WORST, "t_pre", 15, CORRECTABLE),
            "safe_t_eval": safe_cut(WORST, "t_eval", 10, CORRECTABLE),
            "safe_t_disch": safe_cut(WORST, "t_disch", 15, CORRECTABLE),
            "t_eval_20": added((0, 0), t_eval=0.8),
            "t_disch_7": max(added(condition, t_disch=1 - 0.07) for condition in CONDITIONS),
            "t_pre_54": added((1000, 0), t_pre=short_pre),
            "t_disch_20": added((1000, 0), t_disch=short_disch),
            "both_cuts": most_errors((1000, 0), t_pre=short_pre, t_disch=short_disch),
        }
    )


def _read_timing() -> list[Row]:
    _prepare(CONDITIONS)
    with ThreadPoolExecutor() as pool:
        cuts = list(pool.map(lambda c: safe_cut(c, "t_pre", 15, CORRECTABLE - MARGIN), CONDITIONS))
    rows = []
    for cycles in CYCLES:
        of_cycles = [cut for cut, condition in zip(cuts, CONDITIONS, strict=True) if condition[0] == cycles]
        words = {"listed": "/".join(f"{cut:.0f}" for cut in of_cycles), "months": "/".join(map(str, MONTHS))}
        rows.append(PUBLISHED.row("read_timing_{cycles}_cycles", of_cycles, cycles=cycles, margin=MARGIN, **words))
    return rows


def _steps_of_median_wordline(condition: tuple[float, float]) -> float:
    """Returns the first retry step at which all codewords of a page of the median wordline are correctable with a
    probability of at least 0.5, averaged over the pages of the wordline. The read levels are those of the plain retry
    table, without tracking."""
    plain = cells(tracking=False)
    steps = []
    for page in range(len(plain.senses())):
        step = 0
        while _chance_to_be_read(CODEWORD_BITS * plain.rber(page, *condition, retry_step=step)) < 0.5:
            step += 1
        steps.append(step)
    return sum(steps) / len(steps)


def _chance_to_be_read(mean_errors: float) -> float:
    """Returns the probability that all codewords of a page are correctable, if the number of errors of a codeword has a
    Poisson distribution with the mean `mean_errors`.
    """
    correctable = sum(exp(k * log(mean_errors) - mean_errors - lgamma(k + 1)) for k in range(CORRECTABLE + 1))
    return correctable**CODEWORDS_OF_PAGE


def _plain_table() -> list[Row]:
    _prepare(PUBLISHED_M, tracking=False)
    return [
        PUBLISHED.row(
            "plain_table_retry_steps_2k_12",
            population(*WORST, tracking=False).mean_retry_steps,
            expected=_steps_of_median_wordline(WORST),
        ),
        *(
            PUBLISHED.row(
                "plain_table_most_errors_{cycles}_cycles_{months}_months",
                most_errors(condition, tracking=False),
                paper=published,
                **_named(condition),
            )
            for condition, published in PUBLISHED_M.items()
        ),
    ]


STUDIES = {
    "steps": _retry_steps,
    "final_step": _final_step,
    "shorter_senses": _shorter_senses,
    "read_timing": _read_timing,
    "plain_table": _plain_table,
}
