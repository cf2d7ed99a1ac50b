# SPDX-License-Identifier: Apache-2.0
"""How error rates of the cell sets go on with cycles, age and reads, where nothing was fitted, beside the trends that
others have measured on other chips: whether they rise, by which order of magnitude, and in which shape."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

import nandscape as ns
from physics.rows import Row, Study, at_least, fitted, limited, near

HOUR = 1 / 730  # months
DAY = 24 * HOUR
CODINGS = {
    "mlc_planar_72nm": "mlc_12",
    "mlc_planar_15k": "mlc_13",
    "tlc_planar_cai": "tlc_232",
    "tlc_3d_48": "tlc_232",
    "qlc_3d": "qlc_1248",
}
# Cai 2015, Figure 3: errors that a read adds, by thousands of cycles; planar MLC of 2Y nm.
DISTURB_SLOPES = {2: 1.00e-9, 3: 1.63e-9, 4: 2.37e-9, 5: 3.74e-9, 8: 7.50e-9, 10: 9.10e-9, 15: 1.90e-8}
CAI_2015 = "Cai 2015, Figure 3"
LUO_2018 = "Luo 2018, section 4"
PLANAR_TO_3D = 0.033  # Luo 2018: 96.7 % less than in planar NAND
PUBLISHED_READS = 100_000
ORDER = 2.5  # how far off a figure of a decade may be
SLOPES_FITTED = "the share of lifted cells, and its growth with cycles, are fitted to these slopes"
# Steps in mV, each a quarter longer than the one before, from the default one up.
UNEVEN_STEPS = [round(25 * 1.25**k, 1) for k in range(12)]


@cache
def cells(name: str) -> ns.Cells:
    return ns.Cells("bare", {"nand.cells.set": name, "nand.coding": CODINGS[name]})


def rber(name: str, pe_cycles: float = 0, months: float = 0, reads: float = 0, retry_step: int = 0) -> float:
    """Of the median wordline, over its pages."""
    of_set = cells(name)
    return float(
        np.mean(
            [
                of_set.rber(page, pe_cycles, months, retry_step=retry_step, block_reads=reads)
                for page in range(of_set.pages)
            ]
        )
    )


def disturbed(name: str, pe_cycles: float, months: float) -> float:
    """By how much the published number of reads multiplies errors, at the retry step that has fewest without them. In
    a plain read of data that have drifted far, cells that are lifted come back to where they are read right."""
    steps = range(cells(name).config["nand.cells.read_levels.retry_steps"] + 1)
    best = min(steps, key=lambda step: rber(name, pe_cycles, months, retry_step=step))
    return rber(name, pe_cycles, months, PUBLISHED_READS, best) / rber(name, pe_cycles, months, retry_step=best)


def disturb_slope(name: str, pe_cycles: float, months: float = 0, reads: float = PUBLISHED_READS) -> float:
    """Errors that a read of the block adds."""
    return (rber(name, pe_cycles, months, reads) - rber(name, pe_cycles, months)) / reads


def cycles_exponent(name: str, months: float, low: float, high: float) -> float:
    """The power of the cycles with which errors grow between two numbers of them."""
    return float(np.log(rber(name, high, months) / rber(name, low, months)) / np.log(high / low))


def _read_disturb(_quick: bool) -> list[Row]:
    rows = []
    for name in CODINGS:
        if name == "qlc_3d":
            continue
        share = PLANAR_TO_3D if name == "tlc_3d_48" else 1
        source = f"{CAI_2015}; {PLANAR_TO_3D:g} of it: Luo 2018" if share < 1 else CAI_2015
        ratios = [disturb_slope(name, 1000 * k) / (share * slope) for k, slope in DISTURB_SLOPES.items()]
        furthest = max(ratios, key=lambda ratio: abs(np.log(ratio)))
        words = "slope over reads, that of 2K to 15K cycles furthest from the published one"
        row = near(f"trends.disturb_{name}", f"{name}: {words}", furthest, 1, source, unit="x", relative=0.25)
        rows += fitted([row], SLOPES_FITTED)
    for name in CODINGS:
        # So many reads that one in a hundred of the cells most prone is lifted.
        most = 0.01 / disturb_slope(name, 8000) / 10
        ratio = disturb_slope(name, 8000, reads=most) / disturb_slope(name, 8000, reads=most / 100)
        rows.append(
            limited(
                f"trends.disturb_is_linear_{name}",
                f"{name}, 8K cycles: slope after a hundred times the reads over that before",
                ratio,
                "errors grow linearly with reads",
                (0.9, 1.1),
                "a tenth off a straight line",
                CAI_2015,
                unit="x",
            )
        )
        ages = [0, 3 * HOUR, DAY, 1, 3, 12]
        least = min(disturbed(name, 3000, age) for age in ages)
        rows.append(
            limited(
                f"trends.disturb_at_every_age_{name}",
                f"{name}, 3K cycles: errors after 100K reads over those before, best retry step, least of six ages",
                least,
                "errors grow with reads",
                (1.0, None),
                "no fall",
                CAI_2015,
                unit="x",
            )
        )
    return rows


def _cycles(_quick: bool) -> list[Row]:
    rows = []
    ages = {"fresh": 0, "3_hours": 3 * HOUR, "day": DAY, "month": 1, "year": 12}
    for name, low, high in (("tlc_planar_cai", 1000, 10_000), ("mlc_planar_72nm", 1000, 10_000)):
        exponents = {words: cycles_exponent(name, age, low, high) for words, age in ages.items()}
        for words in ("fresh", "3_hours", "year"):
            rows.append(
                limited(
                    f"trends.cycles_{name}_{words}",
                    f"{name}, {words.replace('_', ' ')}: power of the cycles with which errors grow, 1K to 10K",
                    exponents[words],
                    "errors grow with a power of the cycles",
                    (0.5, 2.5),
                    "about linearly to about with the square",
                    "Cai 2017, sections III and IV",
                )
            )
    for name in CODINGS:
        steps = [0, 500, 1000, 2000, 3000, 5000, 10_000]
        growth = [
            rber(name, more, age) / rber(name, less, age) for age in ages.values() for less, more in pairwise(steps)
        ]
        rows.append(
            limited(
                f"trends.cycles_never_help_{name}",
                f"{name}: errors at the next of seven numbers of cycles, least of five ages",
                min(growth),
                "errors grow with cycles",
                (1.0, None),
                "no fall",
                "Cai 2017, section III",
                unit="x",
            )
        )
    return rows


def _age(_quick: bool) -> list[Row]:
    fresh, hours, days = (rber("tlc_3d_48", 10_000, age) for age in (0, 3 * HOUR, 11 * DAY))
    early = limited(
        "trends.early_loss",
        "tlc_3d_48, 10K cycles: errors after 3 hours over those of fresh data",
        hours / fresh,
        10,
        (10 / ORDER, 10 * ORDER),
        "the order of magnitude",
        LUO_2018,
        unit="x",
    )
    later = limited(
        "trends.later_loss",
        "tlc_3d_48, 10K cycles: errors after 11 days over those after 3 hours",
        days / hours,
        10,
        (10 / ORDER, 10 * ORDER),
        "the order of magnitude",
        LUO_2018,
        unit="x",
    )
    slower = limited(
        "trends.loss_slows",
        "tlc_3d_48, 10K cycles: growth of errors from a month to a year over that from 3 hours to 3 days",
        np.log(rber("tlc_3d_48", 10_000, 12) / rber("tlc_3d_48", 10_000, 1))
        / np.log(rber("tlc_3d_48", 10_000, 3 * DAY) / hours),
        "fast first, then slow",
        (0, 0.5),
        "half as fast, in logarithms",
        LUO_2018,
        unit="x",
    )
    sudden = limited(
        "trends.no_sudden_loss",
        "tlc_planar_cai, no cycles: errors after 3 hours over those after a day",
        rber("tlc_planar_cai", 0, 3 * HOUR) / rber("tlc_planar_cai", 0, DAY),
        "errors grow with time",
        (None, 0.2),
        "less than three hours' share of a logarithm's way",
        "Cai 2017, section III",
        unit="x",
    )
    year = at_least(
        "trends.year_mlc_planar_15k",
        "mlc_planar_15k, 10K cycles: errors after a year over those of fresh data",
        rber("mlc_planar_15k", 10_000, 12) / rber("mlc_planar_15k", 10_000),
        10,
        "Cai 2012",
        "x",
    )
    qlc = limited(
        "trends.qlc_after_11_days",
        "qlc_3d, no cycles: error rate after 11 days",
        rber("qlc_3d", 0, 11 * DAY),
        "what a code of 3D QLC corrects",
        (1e-5, 8e-3),
        "below the limit of 72 errors in 9216 bits",
        "set by hand",
    )
    return [
        *fitted([early], "the time constant of the drift was chosen for it"),
        later,
        slower,
        sudden,
        *fitted([year], "the growth of telegraph noise with age was chosen for it"),
        qlc,
    ]


def retry_steps(months: float, table: list[float] | None = None) -> float:
    """Mean steps of worn pages of tlc_3d_48 at its own steps, or at those of a table, all levels alike."""
    changes = {"nand.cells.set": "tlc_3d_48", "nand.coding": "tlc_232"}
    if table is not None:
        depths = np.cumsum(table)
        changes |= {
            "nand.cells.read_levels.retry_steps": len(table),
            "nand.cells.read_levels.retry_table_mv": [float(depth) for depth in depths for _level in range(7)],
        }
    return ns.Cells("bare", changes).population(3000, months).mean_retry_steps


def _retry_table(_quick: bool) -> list[Row]:
    ages = (3, 12)
    uniform = np.diff([retry_steps(age) for age in ages])[0]
    uneven = np.diff([retry_steps(age, UNEVEN_STEPS) for age in ages])[0]
    return [
        limited(
            "trends.steps_saturate",
            "tlc_3d_48, 3K cycles: steps that 3 to 12 months add by a table of growing steps, over those by its own",
            float(uneven / uniform),
            "steps saturate with age where those of a table grow",
            (0, 0.5),
            "half as many",
            "tables of vendors, see nand.cells.read_levels.retry_table_mv",
            unit="x",
        )
    ]


STUDIES = [
    Study(
        "Trends: reads",
        "Do errors grow with the reads of a block, linearly, and steeper with wear?",
        "median wordlines, plain reads, at 30 °C",
        "slopes of planar MLC, and a thirtieth of them in 3D NAND; no set gets better by reads at any age",
        _read_disturb,
    ),
    Study(
        "Trends: cycles",
        "Do errors grow with program/erase cycles at every age?",
        "median wordlines, plain reads, cycles of up to 10K, some beyond what sets were fitted to",
        "with a power of the cycles; no set gets better by wear",
        _cycles,
    ),
    Study(
        "Trends: age",
        "How do errors grow with the age of data?",
        "median wordlines, plain reads, at 30 °C",
        "3D NAND of charge traps loses fast within hours, then with the logarithm of time, then slowly",
        _age,
    ),
    Study(
        "Trends: retry tables",
        "Do retry steps saturate with age where the steps of the table grow?",
        f"cell set tlc_3d_48, 3K cycles, steps of 25 mV, or of {UNEVEN_STEPS[0]:g} to {UNEVEN_STEPS[-1]:g} mV",
        "steps add up to more and more drift, so that fewer are added",
        _retry_table,
    ),
]
