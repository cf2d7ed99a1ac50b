# SPDX-License-Identifier: Apache-2.0
"""Y. Cai, S. Ghose, E. F. Haratsch, Y. Luo, O. Mutlu, "Error Characterization, Mitigation, and Recovery in
Flash-Memory-Based Solid-State Drives", Proceedings of the IEEE 105(9), 2017."""

from __future__ import annotations

import numpy as np

import nandscape as ns
from physics.rows import Row, Study, exactly, fitted, limited

CYCLES = 2000
UNIT_MV = 10  # of the paper's normalised voltages, taken
DAY = 12 / 365.25  # months
# Table 5: threshold voltages of the states ER, P1 to P7, by months since programming.
MEANS = {
    DAY: [-92.7, 66.6, 128.1, 191.9, 254.9, 318.3, 384.3, 448.1],
    7 * DAY: [-86.7, 67.5, 128.1, 191.4, 253.8, 316.5, 381.8, 444.9],
    1: [-84.4, 68.6, 128.7, 191.6, 253.5, 315.8, 380.9, 443.6],
    3: [-75.6, 72.8, 131.6, 193.3, 254.3, 315.7, 380.2, 442.2],
    12: [-69.4, 76.6, 134.2, 195.2, 255.3, 316.0, 379.6, 440.8],
}
DEVIATIONS = {
    DAY: [48.2, 9.7, 9.7, 9.4, 9.3, 9.1, 9.5, 9.1],
    7 * DAY: [46.4, 10.7, 10.8, 10.5, 10.6, 10.3, 10.6, 10.6],
    1: [46.8, 11.3, 11.2, 11.0, 10.9, 10.8, 11.2, 11.1],
    3: [45.9, 12.0, 11.8, 11.5, 11.4, 11.4, 11.7, 11.7],
    12: [45.9, 12.8, 12.4, 12.0, 12.0, 11.9, 12.3, 12.4],
}


def _moments(cells: ns.Cells, state: int, months: float) -> tuple[float, float]:
    """Mean and standard deviation of a state, in the paper's unit."""
    edges = np.arange(-4000.0, 8000.0, 4.0)
    share = np.diff(cells.vth_below(state, edges, CYCLES, months))
    middle = edges[:-1] + 2
    mean = float(share @ middle)
    return mean / UNIT_MV, float(np.sqrt(share @ (middle - mean) ** 2)) / UNIT_MV


def _voltages(_quick: bool) -> list[Row]:
    cells = ns.Cells("bare", {"nand.cells.set": "tlc_planar_cai", "nand.coding": "tlc_124"})
    ours = np.array([[_moments(cells, state, months) for state in range(8)] for months in MEANS])
    means_off = np.abs(ours[:, :, 0] - np.array(list(MEANS.values())))
    deviations_off = np.abs(ours[:, :, 1] - np.array(list(DEVIATIONS.values())))
    source, unit = "Table 5", "normalised V"

    def distances(name: str, figure: str, off: np.ndarray, most: float, rms: float, reason: str) -> list[Row]:
        figure = f"distance to the table, {figure}"
        of_all = float(np.sqrt((off**2).mean()))
        return [
            limited(f"cai_2017.{name}_{kind}", f"{figure}: {kind}", ours, 0, (None, limit), reason, source, unit=unit)
            for kind, ours, limit in (("most", float(off.max()), most), ("rms", of_all, rms))
        ]

    of_programmed, of_erased = "a tenth of a state's deviation, rms half of that", "a twentieth of its deviation"
    # P4 hardly moves: 0.4 up in a year, by way of 1.4 down.
    moving = [0, 1, 2, 3, 5, 6, 7]
    drift = ours[-1, moving, 0] - ours[0, moving, 0]
    published = np.array(MEANS[12])[moving] - np.array(MEANS[DAY])[moving]
    arrows = [["down", "up"][int(change > 0)] for change in drift]
    rows = [
        *distances("means", "means of P1 to P7", means_off[:, 1:], 1, 0.5, of_programmed),
        *distances("deviations", "standard deviations of P1 to P7", deviations_off[:, 1:], 1, 0.5, of_programmed),
        *distances("erased_means", "means of ER", means_off[:, :1], 3, 2, of_erased),
        *distances("erased_deviations", "standard deviations of ER", deviations_off[:, :1], 1, 0.75, of_erased),
        exactly(
            "cai_2017.signs",
            "from a day to a year, ER P1 P2 P3 P5 P6 P7 drift",
            arrows,
            [["down", "up"][int(change > 0)] for change in published],
            source,
        ),
    ]
    return fitted(rows, "verify levels, the erased state, drift and tails are fitted to this table")


STUDIES = [
    Study(
        "Drift of TLC",
        "Where are the states of TLC from a day to a year after programming?",
        f"cell set tlc_planar_cai, {CYCLES} cycles; a unit is {UNIT_MV} mV",
        "low states drift up while high ones drift down, and all of them widen",
        _voltages,
    )
]
