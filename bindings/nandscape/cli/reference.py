# SPDX-License-Identifier: Apache-2.0
"""`nandscape params`, `statistics`, `schema`, `presets`, `cells` and `profiles`: list keys, figures and names."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from nandscape import Error, _core
from nandscape.cli import configuration
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import print_rows
from nandscape.listings import parameters, presets, statistics


def add_commands(commands: Any) -> None:
    """Adds the subcommands that list keys and names to the parser."""
    params = add_command(
        commands,
        "params",
        "list parameters with unit, default, range and meaning",
        (
            "nandscape params nand.timing           # keys that contain this text\n"
            "nandscape params read_retry\n"
            "nandscape params --json\n"
        ),
    )
    params.add_argument("filter", metavar="FILTER", nargs="?", default="", help="only keys that contain this text")
    add_json(params)
    params.set_defaults(command=print_parameters)
    figures = add_command(
        commands,
        "statistics",
        "list the statistics of a run with unit and meaning",
        (
            "nandscape statistics write_amplification   # names that contain this text\n"
            "nandscape statistics gc --config drive.yaml\n"
            "nandscape statistics --json\n"
        ),
    )
    figures.add_argument("filter", metavar="FILTER", nargs="?", default="", help="only names that contain this text")
    figures.add_argument(
        "--config",
        metavar="CONFIG",
        default="default",
        help="the statistics of this drive (default: the preset default)",
    )
    configuration.add_overrides(figures)
    add_json(figures)
    figures.set_defaults(command=print_statistics)
    schema = add_command(
        commands,
        "schema",
        "print the JSON Schema of a configuration file, for editors",
        "nandscape schema > nandscape.schema.json",
    )
    schema.set_defaults(command=print_schema)
    drives = add_command(commands, "presets", "list the presets that come with nandscape", "nandscape presets")
    add_json(drives)
    drives.set_defaults(command=print_presets)
    cells = add_command(
        commands,
        "cells",
        "list the cell sets, which `nand.cells.set` names",
        ("nandscape cells\nnandscape config bare --set nand.cells.set=tlc_planar_cai\n"),
    )
    add_json(cells)
    cells.set_defaults(command=print_cell_sets)
    profiles = add_command(
        commands,
        "profiles",
        "list the workload profiles, which `host.workload.profile` names",
        (
            "nandscape profiles\n"
            "nandscape run default --set host.workload.kind=profile \\\n"
            "    --set host.workload.profile=ycsb_a\n"
        ),
    )
    add_json(profiles)
    profiles.set_defaults(command=print_profiles)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Adds the option --json to the parser of a command that prints a list."""
    parser.add_argument("--json", action="store_true", help="print them as JSON, a list of objects")


def print_list(columns: Sequence[str], rows: Sequence[Sequence[str]], as_json: bool) -> None:
    """Prints a list as a table, or as JSON with an object for each row."""
    if as_json:
        print(_core.to_json([dict(zip(columns, row, strict=True)) for row in rows]))
    else:
        print_rows(columns, rows)


def print_parameters(options: argparse.Namespace) -> None:
    """Prints the parameters of the schema whose keys contain the filter. Raises `Error` if no key contains it."""
    found = parameters(options.filter)
    if not found:
        raise Error(f"no parameter's key contains '{options.filter}'")
    if options.json:
        print(_core.to_json([asdict(row) for row in found]))
        return
    print_rows(
        ("key", "type", "unit", "default", "range", "meaning"),
        [
            (
                f"{row.key} ({row.variant})" if row.variant else row.key,
                row.type,
                row.unit,
                row.default,
                row.range,
                row.meaning,
            )
            for row in found
        ],
    )


def print_statistics(options: argparse.Namespace) -> None:
    """Prints the statistics of a drive whose names contain the filter. Raises `Error` if no name contains it."""
    config = configuration.chosen(options)
    found = statistics(options.filter, config)
    if not found:
        raise Error(f"no statistic's name contains '{options.filter}'")
    print_list(("name", "unit", "meaning"), [(row.name, row.unit, row.meaning) for row in found], options.json)


def print_schema(_: argparse.Namespace) -> None:
    """Prints the JSON Schema of configuration files."""
    print(_core.to_json(_core.configuration_json_schema()))


def print_presets(options: argparse.Namespace) -> None:
    """Prints the names of the presets and their descriptions."""
    print_list(("preset", "description"), list(presets().items()), options.json)


def print_cell_sets(options: argparse.Namespace) -> None:
    """Prints the names of the cell sets and their descriptions."""
    print_list(("cell set", "description"), sorted(_core.list_cell_sets()), options.json)


def print_profiles(options: argparse.Namespace) -> None:
    """Prints the workload profiles: the kind of workload that uses each profile, its name and its description."""
    print_list(("kind", "profile", "description"), _core.list_workload_profiles(), options.json)
