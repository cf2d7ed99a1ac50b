# SPDX-License-Identifier: Apache-2.0
"""`nandscape import`: makes a configuration from another tool's files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from nandscape.cli.number_types import whole
from nandscape.cli.parsers import add_command
from nandscape.errors import InputError
from nandscape.files import check_folders, replacing
from nandscape.importing import Imported, import_fio, import_mqsim

EXAMPLES = """
nandscape import ssdconfig.xml workload.xml -o theirs.yaml
nandscape import job.fio --on default -o job.yaml
nandscape run job.yaml
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `import` with its arguments to the parser."""
    parser = add_command(commands, "import", "make a configuration from MQSim files or a fio job file", EXAMPLES)
    parser.add_argument("files", metavar="FILE", nargs="+", help="ssdconfig.xml [workload.xml], or job.fio")
    parser.add_argument(
        "--scenario",
        metavar="N",
        type=whole(1),
        help="which scenario of the workload.xml, counted from 1 (default: the only one)",
    )
    parser.add_argument(
        "--on",
        metavar="CONFIG",
        default="default",
        help="the preset or file that a fio job runs on (default: default)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="-", help="write the configuration to FILE (default: stdout)"
    )
    parser.set_defaults(command=import_files)


def import_files(options: argparse.Namespace) -> None:
    """Runs `nandscape import` with the parsed arguments."""
    check_folders(options.output)
    imported = _imported(options)
    for remark in imported.remarks:
        print(f"nandscape: {remark}", file=sys.stderr)
    if options.output == "-":
        print(imported.to_yaml(), end="")
        return
    with replacing(options.output) as file:
        file.write_text(imported.to_yaml(), encoding="utf-8")


def _imported(options: argparse.Namespace) -> Imported:
    first, *others = options.files
    if Path(first).suffix == ".xml":
        if len(others) > 1:
            raise InputError(f"{others[1]}: expected one workload.xml beside the ssdconfig.xml")
        return import_mqsim(first, others[0] if others else None, scenario=options.scenario)
    if Path(first).suffix != ".fio":
        raise InputError(f"{first}: expected a file that ends in .xml (MQSim) or .fio (fio)")
    if others:
        raise InputError(f"{others[0]}: only one fio job file can be imported at a time")
    return import_fio(first, options.on)
