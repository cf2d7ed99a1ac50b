# SPDX-License-Identifier: Apache-2.0
"""What the commands of scenarios have in common: their arguments, and how they begin and end."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from physics.report import keep, verdict
from physics.rows import Row
from rich.console import Console


def parser(description: str, quick: str) -> ArgumentParser:
    """`description` is the scenario's docstring, of which the first line is shown; `quick` says what is quick."""
    arguments = ArgumentParser(description=description.splitlines()[0])
    arguments.add_argument("--json", metavar="FILE", type=Path, required=True, help="write all figures to FILE")
    arguments.add_argument("--quick", action="store_true", help=quick)
    arguments.add_argument("--plot-folder", metavar="DIR", type=Path, help="write pictures to DIR, not beside the JSON")
    return arguments


class Report:
    """Where a scenario writes to, from its beginning to its end."""

    def __init__(self, options: Namespace) -> None:
        self.console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
        self.folder: Path = options.plot_folder or options.json.parent
        self._json: Path = options.json
        self._begin = time.monotonic()
        for needed in (self.folder, self._json.parent):
            needed.mkdir(parents=True, exist_ok=True)

    def finish(self, rows: Sequence[Row], pictures: Sequence[Path]) -> int:
        """Writes the rows, says what was written and which figures fail, and returns the exit status."""
        keep(rows, self._json)
        failed = verdict(rows, time.monotonic() - self._begin, self.console)
        self.console.print(f"written: {', '.join(str(path) for path in (self._json, *pictures))}", soft_wrap=True)
        for name in failed:
            print(f"outside its tolerance or band: {name}", file=sys.stderr)
        return 1 if failed else 0


def leave(main: Callable[[], int]) -> NoReturn:
    """Ends the process with the status of `main`, or with 130 when it is interrupted."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
