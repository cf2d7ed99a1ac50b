# SPDX-License-Identifier: Apache-2.0
"""S. Nie, Y. Zhang, W. Wu, J. Yang, "Layer RBER Variation Aware Read Performance Optimization for 3D Flash Memories"
(DAC 2020)."""

from __future__ import annotations

from physics.park_2021 import WORST, population
from physics.rows import Row, Study, near


def _layers(_quick: bool) -> list[Row]:
    rates = population(*WORST).layer_error_rates
    return [
        near(
            "nie_2020.worst_over_best_layer",
            f"error rate of the worst over the best of {len(rates)} layers, (2K, 12)",
            float(rates.max() / rates.min()),
            2,
            "section II-B, Figure 2(a): about 2",
            relative=0.1,
            fitted="the spread of widths over layers is fitted to this figure",
        )
    ]


STUDIES = [
    Study(
        "Layers",
        "How much do the error rates of the layers of a 3D block differ?",
        "cell set tlc_3d_48, coding tlc_232, 2000 cycles, a year at 30 °C; in the step that reads each page",
        "about twice as many errors in the worst layer as in the best",
        _layers,
    )
]
