# SPDX-License-Identifier: Apache-2.0
"""R.-S. Liu, C.-L. Yang, W. Wu, "Optimizing NAND Flash-Based SSDs via Retention Relaxation" (FAST 2012)."""

from __future__ import annotations

from itertools import product

import nandscape as ns
from nandscape import retention_relaxation
from physics.rows import Row, Study, near

PUBLISHED_SPEEDUPS = {10: 1.86, 2: 2.33}
CORRECTABLE_RBER = 4.5e-4
RATED_CYCLES = 10_000  # Figure 2(a)
CORNER_CASES = {"m": (1.08, 1.25, 1.33), "c_write": (150, 300, 450), "c_write_high": (0.62, 0.81, 0.99)}


def _speedup_of_device(cells: ns.Cells, weeks: float) -> float:
    """The largest ISPP step over the device's own whose misplaced cells the ECC corrects after that time."""
    own_step = cells.config["nand.cells.placement.step_mv"]
    low, high = 1.0, 5.0
    while high - low > 1e-4:
        ratio = (low + high) / 2
        errors = cells.state_errors(RATED_CYCLES, weeks * 7 / 365 * 12, step_mv=ratio * own_step)
        low, high = (ratio, high) if errors.sum() / cells.states <= CORRECTABLE_RBER else (low, ratio)
    return low


def _speedups(_quick: bool) -> list[Row]:
    device = ns.Cells("bare", {"nand.cells.set": "mlc_planar_72nm", "nand.coding": "mlc_12"})
    cases = [dict(zip(CORNER_CASES, case, strict=True)) for case in product(*CORNER_CASES.values())]
    rows = []
    for weeks, published in PUBLISHED_SPEEDUPS.items():
        source = "section 3.2.1, Figure 6"
        ours = retention_relaxation.write_speedup(weeks)
        name, figure = f"liu_2012.speedup_{weeks}_weeks", f"write speedup at {weeks} weeks"
        rows.append(near(name, f"{figure}, tails fitted as in the paper", ours, published, source, absolute=0.02))
        ours = _speedup_of_device(device, weeks)
        rows.append(near(f"{name}_of_set", f"{figure}, law of mlc_planar_72nm", ours, published, source, absolute=0.02))
        corners = [retention_relaxation.write_speedup(weeks, **case) for case in cases]
        band, reach = [min(corners), max(corners)], 0.15
        rows.append(
            Row(
                f"{name}_corners",
                f"{figure}, least and most of {len(cases)} corner cases",
                band,
                f"close to {published}",
                "",
                f"±{reach:g}",
                published - reach <= band[0] and band[1] <= published + reach,
                source,
            )
        )
    return rows


def _code_retention(_quick: bool) -> list[Row]:
    source = "section 3.2.2, Figure 7"
    rows = [
        near(
            "liu_2012.tolerable_rber",
            "error rate that BCH-24 per 1080 bytes tolerates at an UBER of 1e-16",
            retention_relaxation.tolerable_rber(),
            CORRECTABLE_RBER,
            "section 3.1.3",
            relative=0.01,
        )
    ]
    for rber, weeks in ((3.5e-3, 10), (2.2e-2, 2)):
        ours = retention_relaxation.bch_retention_weeks(rber) or 0.0
        figure = f"retention of BCH-24 at RBER(1 year) = {rber:g}"
        name = f"liu_2012.bch_weeks_at_{rber:g}"
        rows.append(near(name, figure, ours, weeks, source, unit="weeks", relative=0.05))
    return rows


STUDIES = [
    Study(
        "Retention relaxation: speedup",
        "How much faster is a page written whose data need to be kept for weeks only, not for a year?",
        "the paper's model, typical case and 27 corner cases; cell set mlc_planar_72nm with coding mlc_12",
        "1.86 and 2.33 times at 10 and 2 weeks; corner cases in a narrow band round them",
        _speedups,
    ),
    Study(
        "Retention relaxation: codes",
        "For how long does a plain BCH code retain data of cells worse than those it is made for?",
        "BCH of 24 bits per 1080 bytes, error rates after a year of 3.5e-3 and 2.2e-2",
        "10 and 2 weeks",
        _code_retention,
    ),
]
