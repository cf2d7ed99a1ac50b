# SPDX-License-Identifier: Apache-2.0
"""The command line of a validation study: its options, its worker processes and progress bars, and its exit status."""

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
    """The result of a run. `pictures` maps file names to figures."""

    studies: list[Study]
    seeds: Sequence[int] = (1,)
    pictures: dict[str, Figure] = field(default_factory=dict)


class Run:
    """One run of a study. Used as a context manager, it ends its worker processes on exit."""

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
            end_pool(self._pool)  # does not wait, even if a worker is in the middle of a task

    def outcomes(
        self,
        function: Callable[[Task], Outcome],
        tasks: Sequence[Task],
        label: Callable[[Task], str] = str,
        at_once: int = 1,
    ) -> list[tuple[Task, Outcome]]:
        """Calls the function on each task in worker processes. Returns pairs of task and result, in the order of the
        tasks.

        `label` returns the name of a task for the progress bar. Each process fetches `at_once` tasks at a time.
        """
        if not self._pool:
            # Processes are spawned, because a forked process would inherit locks held by threads that it does not have.
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
        """Prints the studies and the names of the failed figures, and writes the JSON file and the pictures. Returns
        the exit status: 1 if a figure fails, otherwise 0.
        """
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
    """Runs a study and ends the process. The exit status is 0 if no figure fails, 1 if one fails, and 130 after Ctrl-C.

    `description` is the docstring of the script, whose first line is the question. `quick` is the help text of --quick.
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
