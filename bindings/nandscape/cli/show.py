# SPDX-License-Identifier: Apache-2.0
"""`nandscape show` and `config`: print the parts of a drive, its limits and its configuration, without running it."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from rich.console import Console
from rich.tree import Tree

from nandscape.ceilings import Capacity, ceilings
from nandscape.cli import configuration
from nandscape.cli.parsers import add_command
from nandscape.files import check_folders
from nandscape.simulation import Simulation

EXAMPLES = """
nandscape show default
nandscape show default --hierarchy
nandscape show drive.yaml --set simulation.cells=statistical
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommands `show` and `config` with their arguments to the parser."""
    parser = add_command(commands, "show", "print the capacity, spare and rate ceilings of a drive", EXAMPLES)
    configuration.add_arguments(parser)
    parser.add_argument("--hierarchy", action="store_true", help="print the wired blocks instead")
    parser.set_defaults(command=show)
    resolved = add_command(
        commands,
        "config",
        "print a configuration with the value of every key",
        "nandscape config default\nnandscape config bare --set nand.timing.t_prog_us=900 -o drive.yaml",
    )
    configuration.add_arguments(resolved)
    resolved.add_argument("-o", "--output", metavar="FILE", help="write it to FILE, .yaml, instead")
    resolved.set_defaults(command=print_configuration)


def show(options: argparse.Namespace) -> None:
    """Runs `nandscape show` with the parsed arguments. Raises `ConfigError` for the hierarchy of a drive whose plug-in
    is not allowed."""
    config = configuration.looked_at(options)
    if not options.hierarchy:
        print(f"{config.name}: {Capacity.of(config)}", ceilings(config), sep="\n\n")
        return
    config.require_allowed_plugins()
    tree = Tree(config.name)
    _grow(tree, Simulation(config).hierarchy())
    Console(highlight=False).print(tree)


def print_configuration(options: argparse.Namespace) -> None:
    """Runs `nandscape config` with the parsed arguments."""
    check_folders(options.output)
    config = configuration.looked_at(options)
    if options.output:
        config.save(options.output)
    else:
        sys.stdout.write(config.to_yaml())


def _grow(tree: Tree, nodes: list[dict[str, Any]]) -> None:
    for node in nodes:
        _grow(tree.add(f"{node['name']} [dim]{node['kind']}[/dim]"), node["children"])
