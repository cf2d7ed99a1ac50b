# SPDX-License-Identifier: Apache-2.0
"""The command of a study: its arguments, its run with progress bars and worker processes, and its exit status."""

from __future__ import annotations

import multiprocessing
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self, TypeVar

from rich.console import Console

from comparison.report import keep, show, verdict
from comparison.rows import Study
from nandscape.exploration.processes import deaf_to_interrupts, end_pool
from nandscape.progress import StepBar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Comparison:
    """The result of a run. `pictures`: by file name."""

    studies: list[Study]
    seeds: Sequence[int] = (1,)
    pictures: dict[str, Figure] = field(default_factory=dict)


class Run:
    """One run of a study. As a context manager, it ends its worker processes on exit."""

    def __init__(self, *, quick: bool, json: Path, folder: Path | None = None) -> None:
        self.quick = quick
        self.json = json
        self.folder = folder or json.parent
        self.console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
        self._pool: ProcessPoolExecutor | None = None
        self._begin = time.monotonic()
        for needed in (self.folder, json.parent):
            needed.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            end_pool(self._pool)  # at once, even if a worker is in the middle of a task

    def outcomes(
        self,
        function: Callable[[Task], Outcome],
        tasks: Sequence[Task],
        label: Callable[[Task], str] = str,
        at_once: int = 1,
    ) -> list[tuple[Task, Outcome]]:
        """Runs the function on each task in worker processes. Returns pairs of task and value, in the order of the
        tasks.

        `label` names a task in the progress bar. A process takes `at_once` tasks at a time.
        """
        if not self._pool:
            # A forked process would inherit the locks of threads that it does not have.
            self._pool = ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))
        with deaf_to_interrupts():
            results = self._pool.map(function, tasks, chunksize=at_once)
        done = []
        with StepBar(len(tasks)) as bar:
            for task, outcome in zip(tasks, results, strict=True):
                bar.step(label(task))
                done.append((task, outcome))
        return done

    def finish(self, done: Comparison) -> int:
        """Prints the studies, writes JSON and pictures, prints which figures fail, and returns the exit status."""
        for study in done.studies:
            show(study, self.console)
        keep(done.studies, self.json, quick=self.quick, seeds=done.seeds)
        if done.pictures:
            from nandscape.pictures import save  # slow to import

            for name, figure in done.pictures.items():
                save(figure, self.folder / name)
        rows = [row for study in done.studies for row in study.rows]
        failed = verdict(rows, time.monotonic() - self._begin, self.console)
        written = ", ".join(str(path) for path in (self.json, *(self.folder / name for name in done.pictures)))
        self.console.print(f"written: {written}", soft_wrap=True)
        for name in failed:
            print(f"outside its tolerance or band: {name}", file=sys.stderr)
        return 1 if failed else 0


def command(description: str, quick: str, compare: Callable[[Run], Comparison]) -> NoReturn:
    """Runs a study and ends the process: with 0 if no figure fails, 1 if one fails, 130 after Ctrl-C.

    `description`: the docstring of the script, whose first line is the question. `quick`: how quick runs differ.
    """
    parser = ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="write all figures to FILE")
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--plot-folder", metavar="DIR", type=Path, help="write pictures to DIR, not beside the JSON")
    options = parser.parse_args()
    try:
        with Run(quick=options.quick, json=options.json, folder=options.plot_folder) as run:
            sys.exit(run.finish(compare(run)))
    except KeyboardInterrupt:
        sys.exit(130)
