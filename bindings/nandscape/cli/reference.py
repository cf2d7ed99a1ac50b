# SPDX-License-Identifier: Apache-2.0
"""`nandscape params`, `schema`, `presets`, `cells` and `profiles`: list the keys and names of configurations."""

from __future__ import annotations

import argparse
from typing import Any

from nandscape import Error, _core
from nandscape.cli.parsers import add_command
from nandscape.cli.tables import print_rows


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
    params.add_argument("--json", action="store_true", help="print them as JSON, a list of objects")
    params.set_defaults(command=print_parameters)
    schema = add_command(
        commands,
        "schema",
        "print the JSON Schema of a configuration file, for editors",
        "nandscape schema > nandscape.schema.json",
    )
    schema.set_defaults(command=print_schema)
    presets = add_command(commands, "presets", "list the presets that come with nandscape", "nandscape presets")
    presets.set_defaults(command=print_presets)
    cells = add_command(
        commands,
        "cells",
        "list the cell sets, which `nand.cells.set` names",
        ("nandscape cells\nnandscape show bare --set nand.cells.set=tlc_planar_cai\n"),
    )
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
    profiles.set_defaults(command=print_profiles)


def print_parameters(options: argparse.Namespace) -> None:
    """Prints the parameters of the schema whose keys contain the filter. Raises `Error` if no key contains it."""
    rows = [row for row in _core.list_parameters() if options.filter in row.path]
    if not rows:
        raise Error(f"no parameter's key contains '{options.filter}'")
    if options.json:
        print(_core.to_json([_as_dict(row) for row in rows]))
        return
    print_rows(
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


def _as_dict(row: _core.ParameterRow) -> dict[str, str]:
    return {
        "key": row.path,
        "variant": row.variant,
        "type": row.type,
        "unit": row.unit,
        "default": row.standard,
        "range": row.range,
        "meaning": row.meaning,
    }


def print_schema(_: argparse.Namespace) -> None:
    """Prints the JSON Schema of configuration files."""
    print(_core.to_json(_core.configuration_json_schema()))


def print_presets(_: argparse.Namespace) -> None:
    """Prints the names of the presets and their descriptions."""
    print_rows(("preset", "description"), sorted(_core.list_presets()))


def print_cell_sets(_: argparse.Namespace) -> None:
    """Prints the names of the cell sets and their descriptions."""
    print_rows(("cell set", "description"), sorted(_core.list_cell_sets()))


def print_profiles(_: argparse.Namespace) -> None:
    """Prints the workload profiles: the kind of workload that uses each profile, its name and its description."""
    print_rows(("kind", "profile", "description"), _core.list_workload_profiles())
