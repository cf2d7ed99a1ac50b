# SPDX-License-Identifier: Apache-2.0
"""`nandscape params`, `schema`, `presets`, `cells` and `profiles`: what can be written in a configuration."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nandscape import Error, _core

# Wide enough for a row in one line where lines do not wrap: in a file or a pipe.
PIPE_WIDTH = 400


def add_commands(commands: Any) -> None:
    """Adds the commands to the parser."""
    params = commands.add_parser("params", help="list parameters with unit, default, range and meaning")
    params.add_argument("filter", metavar="FILTER", nargs="?", default="", help="only keys that contain this text")
    params.set_defaults(command=print_parameters)
    schema = commands.add_parser("schema", help="print the JSON Schema of a configuration file, for editors")
    schema.set_defaults(command=print_schema)
    presets = commands.add_parser("presets", help="list the presets that come with nandscape")
    presets.set_defaults(command=print_presets)
    cells = commands.add_parser("cells", help="list the cell sets, which `nand.cells.set` names")
    cells.set_defaults(command=print_cell_sets)
    profiles = commands.add_parser("profiles", help="list the workload profiles, which `host.workload.profile` names")
    profiles.set_defaults(command=print_profiles)


def print_parameters(options: argparse.Namespace) -> None:
    """Prints the schema's parameters. Raises `Error` when no key contains the filter."""
    rows = [row for row in _core.list_parameters() if options.filter in row.path]
    if not rows:
        raise Error(f"no parameter's key contains '{options.filter}'")
    print_table(
        ("key", "type", "unit", "default", "range", "meaning"),
        [
            (
                f"{row.path} ({row.variant})" if row.variant else row.path,
                row.type,
                row.unit,
                row.standard,
                row.range,
                row.meaning,
            )
            for row in rows
        ],
    )


def print_schema(_: argparse.Namespace) -> None:
    """Prints the JSON Schema."""
    print(_core.to_json(_core.configuration_json_schema()))


def print_presets(_: argparse.Namespace) -> None:
    """Prints the names of the presets and what each is."""
    print_table(("preset", "what it is"), sorted(_core.list_presets()))


def print_cell_sets(_: argparse.Namespace) -> None:
    """Prints the names of the cell sets and what each is."""
    print_table(("cell set", "what it is"), sorted(_core.list_cell_sets()))


def print_profiles(_: argparse.Namespace) -> None:
    """Prints the names of the workload profiles and what each is."""
    print_table(("profile", "what it is"), sorted(_core.list_workload_profiles()))


def print_table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Prints rows of text below the columns' names."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)
