# SPDX-License-Identifier: Apache-2.0
"""The pictures of one object as its methods, for example `result.draw.latencies()`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from matplotlib.figure import Figure

from nandscape import pictures

Given = ParamSpec("Given")


def _method(picture: Callable[Concatenate[Any, Given], Figure]) -> Callable[Concatenate[Any, Given], Figure]:
    """Turns a function that draws a picture into a method. The drawn object becomes the first argument of the
    function."""

    @functools.wraps(picture)
    def method(self: _Pictures, *given: Given.args, **named: Given.kwargs) -> Figure:
        return picture(self._drawn, *given, **named)

    return method


class _Pictures:
    def __init__(self, drawn: Any) -> None:
        self._drawn = drawn


class ResultPictures(_Pictures):
    """Pictures of one run. For pictures with several runs, see `nandscape.pictures`."""

    latencies = _method(pictures.latencies)
    latency_over_time = _method(pictures.latency_over_time)
    utilisation = _method(pictures.utilisation)
    busy_units = _method(pictures.busy_units)
    waterfall = _method(pictures.waterfall)


class SweepPictures(_Pictures):
    """Pictures of a sweep."""

    heat_map = _method(pictures.heat_map)
    lines = _method(pictures.lines)


class ExplorationPictures(_Pictures):
    """Pictures of a search."""

    front = _method(pictures.front)


class CellPictures(_Pictures):
    """Pictures of cells."""

    threshold_voltages = _method(pictures.threshold_voltages)
    error_rates = _method(pictures.error_rates)
    retry_steps = _method(pictures.retry_steps)
