# SPDX-License-Identifier: Apache-2.0
"""The common parts of the studies: the command line, the runs, and the table, data file and picture of each study."""

from __future__ import annotations

import json
import sys
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from rich.console import Console
from rich.table import Table

import nandscape as ns
from nandscape.config import from_file
from nandscape.pictures.style import figure_of, plain_numbers, save, tidy
from nandscape.unknown import text_of


class Study:
    """One run of a study. `document` is its docstring, whose first line is the question. `file` is the script, which
    gives the output files their name. `drive` is the preset used without --drive, and then the drive in use.
    `quick` is whether --quick was given, and `seeds` are the seeds of all runs so far."""

    def __init__(self, document: str, file: str, drive: str, arguments: Sequence[str] | None = None) -> None:
        parser = ArgumentParser(description=document, formatter_class=RawDescriptionHelpFormatter)
        parser.add_argument("--drive", metavar="FILE", default=drive, help=f"a preset or a YAML file; default: {drive}")
        parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="change a key; repeatable")
        parser.add_argument("--quick", action="store_true", help="fewer points and shorter runs, in a few seconds")
        parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path(), help="where files go; default: .")
        options = parser.parse_args(arguments)
        self.quick: bool = options.quick
        self.seeds: set[int] = set()
        self._question, self._name = document.splitlines()[0], Path(file).stem
        self.drive: str = options.drive
        self._set, self._out = options.set, options.out

    def load(self, changes: Mapping[str, Any], *workloads: Any, drive: str | None = None) -> ns.Config:
        """Returns the drive, or another one, with the changes and workloads of the study. The changes of --set are
        applied last, so they win.
        """
        return from_file(drive or self.drive, [("host.workload", list(workloads)), *changes.items(), *self._set])

    def sweep(self, drive: ns.Config, grid: Any, metrics: Mapping[str, Any], runs: int) -> pd.DataFrame:
        """Runs each point with `runs` seeds. Returns a row for each point, with its parameters and, for each metric,
        the mean over the seeds. A column named after the metric plus `_pm` holds half of the 95 % confidence interval.
        Raises `ns.Error` if --set names a key that the study varies, or if a run fails."""
        varied = {key for point in (grid if isinstance(grid, list) else [grid]) for key in point}
        for key in varied & {text.partition("=")[0].strip() for text in self._set}:
            raise ns.Error(f"--set {key}: {self._name}.py varies this key; change its values in the script")
        # Quick runs use a thread, since starting processes takes longer.
        with ThreadPoolExecutor(1) if self.quick else nullcontext() as executor:
            table = ns.sweep(drive, grid, metrics=metrics, repeat=runs, executor=executor)
        for error in table["error"].dropna():
            raise ns.Error(error)
        self.seeds |= set(table["seed"])
        rows = table.intervals(next(iter(metrics)))[table.parameters]
        for metric in metrics:
            found = table.intervals(metric)
            rows[metric], rows[f"{metric}_pm"] = found["mean"], found["high"] - found["mean"]
        return rows

    def axes(self, *labels: tuple[str, str]) -> list[Axes]:
        """Returns the panels of a new figure, one for each pair of x and y labels."""
        size = (5.2 * len(labels) + 1, 4.2)
        panels = Figure(figsize=size, layout="constrained").subplots(1, len(labels), squeeze=False)
        for panel, (x, y) in zip(panels[0], labels, strict=True):
            panel.set(xlabel=x, ylabel=y)
            tidy(panel, "both")
        return list(panels[0])

    def write(self, rows: pd.DataFrame, columns: Mapping[str, tuple[str, str]], panel: Axes) -> None:
        """Prints the columns, given by title and number format, and writes all rows as JSON and the figure as PNG."""
        drive = " ".join([self.drive, *self._set])
        data = {"question": self._question, "drive": self.drive, "overrides": self._set, "quick": self.quick}
        data |= {"seeds": sorted(map(int, self.seeds)), "nandscape": ns.__version__}
        data["rows"] = json.loads(rows.to_json(orient="records"))
        console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
        console.print(f"{self._question}\ndrive: {drive}; seeds: {len(self.seeds) or '-'}", soft_wrap=True)
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        for key, (title, _) in columns.items():
            table.add_column(title, justify="left" if isinstance(rows[key].iloc[0], str) else "right")
        for row in rows.to_dict("records"):
            table.add_row(*(_cell(row, key, form) for key, (_, form) in columns.items()))
        console.print(table)
        self._out.mkdir(parents=True, exist_ok=True)
        files = [self._out / f"{self._name}{suffix}" for suffix in (".json", ".png")]
        files[0].write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        figure = figure_of(panel)
        title = textwrap.wrap(self._question, int(12 * figure.get_figwidth()))
        figure.suptitle("\n".join([*title, drive]), fontsize=9)
        for drawn in figure.axes:
            plain_numbers(drawn.yaxis)
            drawn.legend(frameon=False, fontsize=8)
        save(figure, files[1])
        # Plots have few colours; a palette of 64 reduces the file to a third of its size.
        Image.open(files[1]).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(files[1], optimize=True)
        console.print(f"written: {', '.join(map(str, files))}", soft_wrap=True)


def _cell(row: dict[str, Any], key: str, form: str) -> str:
    spread = row.get(f"{key}_pm")
    text = row[key] if isinstance(row[key], str) else text_of(row[key], form)
    return text if spread is None or spread != spread else f"{text} ±{spread:{form}}"


def leave(main: Callable[[], None]) -> None:
    """Runs a study. Errors of nandscape, for example an unknown key, end the process with their message."""
    try:
        main()
    except ns.Error as error:
        sys.exit(f"error: {error}")
