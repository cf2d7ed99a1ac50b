# SPDX-License-Identifier: Apache-2.0
"""Pictures, ready for print: each call returns a Matplotlib figure, which can be changed before it is saved.

>>> figure = ns.pictures.latencies({"regular": one, "pipelined": other})
>>> figure.axes[0].set_xlim(100, 5000)
>>> ns.pictures.save(figure, "latencies.pdf")

A call with `axes` draws into these axes and leaves the legend to the caller, so that one figure can contain several
pictures. `result.draw`, `sweep.draw`, `exploration.draw` and `cells.draw` draw the pictures of one result, table,
search or set of cells.
"""

from nandscape.pictures.bars import bars
from nandscape.pictures.cells import error_rates, retry_steps, threshold_voltages
from nandscape.pictures.codes import frame_error_rates
from nandscape.pictures.content import state_shares
from nandscape.pictures.latency import latencies, latency_over_time
from nandscape.pictures.requirements import retention_requirements
from nandscape.pictures.runs import breakdown, busy_units, utilisation, waterfall
from nandscape.pictures.style import save, tidy
from nandscape.pictures.sweeps import front, heat_map, lines

__all__ = [
    "bars",
    "breakdown",
    "busy_units",
    "error_rates",
    "frame_error_rates",
    "front",
    "heat_map",
    "latencies",
    "latency_over_time",
    "lines",
    "retention_requirements",
    "retry_steps",
    "save",
    "state_shares",
    "threshold_voltages",
    "tidy",
    "utilisation",
    "waterfall",
]
