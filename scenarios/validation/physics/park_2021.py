# SPDX-License-Identifier: Apache-2.0
"""J. Park, M. Kim, M. Chun, L. Orosa, J. Kim, O. Mutlu, "Reducing Solid-State Drive Read Latency by Optimizing
Read-Retry" (ASPLOS 2021).

Conditions are (program/erase cycles, months at 30 °C). M is the most errors of a codeword of 1 KiB in the final retry
step among the pages of 160 chips; the ECC corrects 72.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from math import exp, lgamma, log

import numpy as np

import nandscape as ns
from nandscape.cells import Population
from physics.rows import Deviation, Row, Study, at_least, at_most, exactly, fitted, inside, near

PAGES = 11_059_200
CORRECTABLE = 72
CODEWORD_BITS = 9216
CODEWORDS_OF_PAGE = 16
MARGIN = 14  # errors, of Figure 11
CYCLES = (0, 1000, 2000)
MONTHS = (0, 3, 6, 9, 12)
CONDITIONS = [(cycles, months) for cycles in CYCLES for months in MONTHS]
WORST = (2000, 12)
T_PRE_US, T_EVAL_US, T_DISCH_US = 24.0, 5.0, 10.0
PUBLISHED_M = {(0, 3): 15, (1000, 12): 30, (2000, 12): 35}
STEPS_FITTED = "drift and its growth with cycles are fitted to the retry steps of section 3.1"
ERRORS_FITTED = "tails, and what cold and wear add to misreads, are fitted to the final step's errors of section 5.1"
SENSES_FITTED = "medians and spreads of the phases are fitted to how errors grow in section 5.2"
TIMES = {"nand.timing.t_pre_us": T_PRE_US, "nand.timing.t_eval_us": T_EVAL_US, "nand.timing.t_disch_us": T_DISCH_US}


@cache
def cells(tracking: bool = True) -> ns.Cells:
    overrides = {"nand.cells.set": "tlc_3d_48", "nand.coding": "tlc_232", "nand.cells.read_levels.tracking": tracking}
    return ns.Cells("bare", overrides | TIMES)


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
    """M with times as shares of the device's own."""
    pages = population(*condition, temperature_c, tracking)
    return pages.most_errors(t_pre * T_PRE_US, t_eval * T_EVAL_US, t_disch * T_DISCH_US, PAGES)


def fewest_steps(pages: Population) -> int:
    """The least retry steps of a read of that many pages: the median of it."""
    return int(np.searchsorted(np.cumsum(pages.retry_steps), np.log(2) / PAGES))


def label(condition: tuple[float, float]) -> str:
    cycles, months = condition
    return f"({cycles / 1000:g}K, {months:g})" if cycles else f"(0, {months:g})"


def key(condition: tuple[float, float]) -> str:
    return f"{condition[0]}_cycles_{condition[1]}_months"


def _prepare(conditions: Iterable[tuple[float, float]], tracking: bool = True) -> None:
    """Computes the populations on all processors."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda condition: most_errors(condition, tracking=tracking), conditions))


def _retry_steps(_quick: bool) -> list[Row]:
    _prepare([(0, 0), (0, 3), (0, 6), (1000, 3), WORST])
    source = "section 3.1, Figure 5"
    name = "park_2021.retry_steps"
    fresh = exactly(
        f"{name}_fresh", "mean retry steps, fresh", round(population(0, 0).mean_retry_steps, 6), 0, "section 3.1"
    )
    aged = [
        at_least(f"{name}_0_3", "fewest retry steps, (0, 3)", fewest_steps(population(0, 3)), 4, source),
        near(
            f"{name}_0_6",
            "reads of 7 or more retry steps, (0, 6)",
            100 * population(0, 6).at_least(7),
            54.4,
            source,
            unit="%",
            absolute=3,
        ),
        at_least(f"{name}_1k_3", "fewest retry steps, (1K, 3)", fewest_steps(population(1000, 3)), 8, source),
        near(
            f"{name}_2k_12",
            "mean retry steps, (2K, 12)",
            population(*WORST).mean_retry_steps,
            19.9,
            source,
            absolute=0.5,
        ),
    ]
    return [fresh, *fitted(aged, STEPS_FITTED)]


def _final_step(_quick: bool) -> list[Row]:
    _prepare(PUBLISHED_M)
    rows = []
    for condition, published in PUBLISHED_M.items():
        for temperature_c, more in ((85, 0), (55, 3), (30, 5)):
            rows.append(
                near(
                    f"park_2021.most_errors_{key(condition)}_{temperature_c}_c",
                    f"M, {label(condition)}, read at {temperature_c} °C",
                    most_errors(condition, temperature_c=temperature_c),
                    published + more,
                    "section 5.1, Figure 7",
                    unit="errors/KiB",
                    absolute=2,
                    fitted=ERRORS_FITTED,
                )
            )
    return rows


def safe_cut(condition: tuple[float, float], phase: str, parts: int, most: float) -> float:
    """The largest cut of a phase in steps of one of so many parts with which M is at most `most`, in percent."""
    cut = 0
    while cut + 1 < parts and most_errors(condition, **{phase: 1 - (cut + 1) / parts}) <= most:
        cut += 1
    return 100 * cut / parts


def _shorter_senses(_quick: bool) -> list[Row]:
    _prepare(CONDITIONS)
    source, name, unit = "section 5.2.1, Figure 8", "park_2021", "errors/KiB"
    rows = [
        near(
            f"{name}.safe_{phase}",
            f"largest safe cut of {words}, (2K, 12)",
            safe_cut(WORST, phase, parts, CORRECTABLE),
            published,
            source,
            unit="%",
            absolute=3,
        )
        for phase, words, parts, published in (
            ("t_pre", "tPRE", 15, 47),
            ("t_eval", "tEVAL", 10, 10),
            ("t_disch", "tDISCH", 15, 27),
        )
    ]

    def added(condition: tuple[float, float], **times: float) -> float:
        return most_errors(condition, **times) - most_errors(condition)

    more = partial(near, unit=unit, absolute=3)
    least = max(added(condition, t_disch=1 - 0.07) for condition in CONDITIONS)
    short_pre, short_disch = 1 - 0.54, 1 - 0.2
    rows += [
        more(f"{name}.t_eval_20", "added to M by tEVAL -20 %, fresh", added((0, 0), t_eval=0.8), 30, source),
        at_most(f"{name}.t_disch_7", "added to M by tDISCH -7 %, all conditions", least, 4, "section 5.2.2", unit),
        more(f"{name}.t_pre_54", "added to M by tPRE -54 %, (1K, 0)", added((1000, 0), t_pre=short_pre), 35, source),
        more(
            f"{name}.t_disch_20",
            "added to M by tDISCH -20 %, (1K, 0)",
            added((1000, 0), t_disch=short_disch),
            8,
            source,
        ),
        at_least(
            f"{name}.both_cuts",
            "M with both cuts, (1K, 0): far beyond the ECC",
            most_errors((1000, 0), t_pre=short_pre, t_disch=short_disch),
            CORRECTABLE,
            "section 5.2.2, Figure 9",
            unit,
        ),
    ]
    return fitted(rows, SENSES_FITTED)


def _read_timing(_quick: bool) -> list[Row]:
    _prepare(CONDITIONS)
    with ThreadPoolExecutor() as pool:
        cuts = list(pool.map(lambda c: safe_cut(c, "t_pre", 15, CORRECTABLE - MARGIN), CONDITIONS))
    rows, at = [], f"{'/'.join(map(str, MONTHS))} months"
    for cycles in CYCLES:
        of_cycles = [cut for cut, condition in zip(cuts, CONDITIONS, strict=True) if condition[0] == cycles]
        listed = "/".join(f"{cut:.0f}" for cut in of_cycles)
        rows.append(
            inside(
                f"park_2021.read_timing_{cycles}_cycles",
                f"cut of tPRE with a margin of {MARGIN} errors, {cycles} cycles: {listed} at {at}",
                of_cycles,
                (40, 54),
                "section 5.2.3, Figure 11",
                "%",
            )
        )
    return rows


def _steps_of_median_wordline(condition: tuple[float, float]) -> float:
    """Without tracking: the first step at which the worst of a page's codewords is more likely read than not, the mean
    over the pages of a wordline."""
    plain = cells(tracking=False)
    steps = []
    for page in range(len(plain.senses())):
        step = 0
        while _chance_to_be_read(CODEWORD_BITS * plain.rber(page, *condition, retry_step=step)) < 0.5:
            step += 1
        steps.append(step)
    return sum(steps) / len(steps)


def _chance_to_be_read(mean_errors: float) -> float:
    """Of a page, all of whose codewords have to be correctable: errors are Poisson counts."""
    correctable = sum(exp(k * log(mean_errors) - mean_errors - lgamma(k + 1)) for k in range(CORRECTABLE + 1))
    return correctable**CODEWORDS_OF_PAGE


# What the closed form gives at all conditions. Where it stands depends on the ECC and the number of pages, hardly on
# the cells: among pages whose mean errors lie anywhere, some end at a step that leaves them no margin.
WORST_REDRAWN = 102.3


def _plain_table(_quick: bool) -> list[Row]:
    conditions = list(PUBLISHED_M)
    _prepare(conditions, tracking=False)
    why = (
        "a plain table ends a read at the first step that leaves 72 errors or fewer, so pages just inside of a step "
        "have no margin, whatever the constants"
    )
    capture = Deviation(
        f"{why}; and a step reads a page only once its levels are nearer to the page's than the capture range",
        _steps_of_median_wordline(WORST),
        0.5,
        "the median wordline",
    )
    redrawn = Deviation(
        f"{why}. The closed form draws the errors of that step anew and so comes to more than 72, which no read that "
        "ends there has: what follows is that nothing may be shortened",
        WORST_REDRAWN,
        2,
        "earlier runs; nothing is random, and all conditions give the same",
    )
    rows = [
        near(
            "park_2021.plain_table_retry_steps_2k_12",
            "mean retry steps, (2K, 12), without tracking",
            population(*WORST, tracking=False).mean_retry_steps,
            19.9,
            "section 3.1, Figure 5",
            absolute=0.5,
            exception=capture,
        )
    ]
    rows += [
        near(
            f"park_2021.plain_table_most_errors_{key(condition)}",
            f"M, {label(condition)}, without tracking, drawn anew in the step that reads the page",
            most_errors(condition, tracking=False),
            PUBLISHED_M[condition],
            "section 5.1, Figure 7",
            unit="errors/KiB",
            absolute=2,
            exception=redrawn,
        )
        for condition in conditions
    ]
    return rows


INPUTS = "cell set tlc_3d_48, coding tlc_232; levels tracked in the final step"
STUDIES = [
    Study(
        "Read-retry: steps",
        "How many retry steps does a read take after cycles and months?",
        INPUTS,
        "none when fresh, 19.9 on average after 2000 cycles and a year",
        _retry_steps,
    ),
    Study(
        "Read-retry: errors of the final step",
        "How many errors are left in the worst codeword of 11 million pages in the step that reads it?",
        INPUTS,
        "far fewer than the 72 that the ECC corrects; some more at lower temperatures",
        _final_step,
    ),
    Study(
        "Read-retry: shorter senses",
        "By how much can the phases of a sense be cut before that margin is used up?",
        f"{INPUTS}; tPRE {T_PRE_US:g} µs, tEVAL {T_EVAL_US:g} µs, tDISCH {T_DISCH_US:g} µs; read at 85 °C",
        "tPRE by nearly half, tEVAL hardly, tDISCH by a quarter; tPRE and tDISCH not together",
        _shorter_senses,
    ),
    Study(
        "Read-retry: table of read times",
        "Which tPRE is safe at each condition, with a margin of 14 errors?",
        f"{INPUTS}; cuts in steps of 1/15 of tPRE; read at 85 °C",
        "cuts of 40 to 54 %",
        _read_timing,
    ),
    Study(
        "Read-retry: a plain table",
        "Would a retry table alone, without tracking in the final step, show the same?",
        "the same cells with nand.cells.read_levels.tracking: false",
        "no: no margin in the final step at any condition",
        _plain_table,
    ),
]
