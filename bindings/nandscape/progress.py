# SPDX-License-Identifier: Apache-2.0
"""Progress bars on stderr, shown only if that is a terminal."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from nandscape.units import TICKS_PER_UNIT


class _Bar:
    """A context that shows a progress bar with these columns."""

    def __init__(self, *columns: ProgressColumn, shown: bool = True) -> None:
        console = Console(stderr=True)
        self._bar = Progress(*columns, console=console, transient=True, disable=not shown or not console.is_terminal)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


class StepBar(_Bar):
    """A context that shows the progress of work in `steps` steps. Call `step` when a step begins."""

    def __init__(self, steps: int, shown: bool = True) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            shown=shown,
        )
        self._task = self._bar.add_task("", total=steps)
        self._begun = 0

    def step(self, name: str) -> None:
        """Shows the name of the step that begins. The step before it counts as complete."""
        self._bar.update(self._task, description=name, completed=self._begun)
        self._begun += 1


class BytesBar(_Bar):
    """A context that shows the progress of reading files. `total`: the size of all files in bytes, or None if it is
    unknown."""

    def __init__(self, total: int | None, shown: bool = True) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            DownloadColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            shown=shown,
        )
        self._task = self._bar.add_task("", total=total)

    def begin(self, name: str) -> None:
        """Shows the name of the file that is read next."""
        self._bar.update(self._task, description=name)

    def advance(self, read: int) -> None:
        """Adds `read` bytes to the bytes read so far."""
        self._bar.update(self._task, advance=read)


class ProgressBar(_Bar):
    """A context that shows how far a run has come; see `update`."""

    def __init__(self) -> None:
        super().__init__(
            TextColumn("simulating"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("requests, {task.fields[simulated_s]:.3f} s simulated"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._task = self._bar.add_task("", total=None, simulated_s=0.0)

    def update(self, completed: int, expected: int, now: int) -> None:
        """Updates the bar. The arguments are those of a progress callback; `now` is in ticks."""
        self._bar.update(self._task, completed=completed, total=expected or None, simulated_s=now / TICKS_PER_UNIT["s"])


class MeasurementBar(_Bar):
    """A context that shows how precise a measurement is; see `update`."""

    def __init__(self, shown: bool = True) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.fields[frames]:,} frames"),
            TimeElapsedColumn(),
            shown=shown,
        )
        self._task = self._bar.add_task("", total=1.0, frames=0)

    def update(self, name: str, known: float, frames: int) -> None:
        """Updates the bar. `name`: the measurement. `known`: its precision as a share of the goal. `frames`: frames
        measured so far."""
        self._bar.update(self._task, description=name, completed=known, frames=frames)


class PointsBar(_Bar):
    """A context that shows the progress of a sweep with `points` points, of which `done` were complete at the start."""

    def __init__(self, points: int, done: int, shown: bool = True) -> None:
        super().__init__(
            TextColumn("points"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            shown=shown,
        )
        self._task = self._bar.add_task("", total=points, completed=done)

    def advance(self, ended: int) -> None:
        """Adds `ended` points to the points that have ended."""
        self._bar.advance(self._task, ended)
