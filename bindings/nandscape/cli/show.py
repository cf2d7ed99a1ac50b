# SPDX-License-Identifier: Apache-2.0
"""`nandscape show`: prints the parts of a configuration and the rates that it allows, without running it."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from rich.console import Console
from rich.tree import Tree

from nandscape.ceilings import Capacity, ceilings
from nandscape.cli import configuration
from nandscape.cli.parsers import add_command
from nandscape.simulation import Simulation

EXAMPLES = """
nandscape show default
nandscape show default --summary
nandscape show drive.yaml --set simulation.cells=statistical
"""


def add_commands(commands: Any) -> None:
    """Adds the subcommand `show` with its arguments to the parser."""
    parser = add_command(commands, "show", "print the wired hierarchy and the resolved configuration", EXAMPLES)
    configuration.add_arguments(parser)
    parser.add_argument(
        "--summary", action="store_true", help="print capacity, effective spare and rate ceilings instead"
    )
    parser.set_defaults(command=show)


def show(options: argparse.Namespace) -> None:
    """Runs `nandscape show` with the parsed arguments."""
    config = configuration.looked_at(options)
    if options.summary:
        print(f"{config.name}: {Capacity.of(config)}", ceilings(config), sep="\n\n")
        return
    console = Console(highlight=False)
    if config.foreign_plugins():
        keys = " and ".join(config.foreign_plugins())
        print(
            f"nandscape: {keys}: the library is not loaded, so that the hierarchy is not shown; "
            "--allow-plugins shows it",
            file=sys.stderr,
        )
    else:
        tree = Tree(config.name)
        _grow(tree, Simulation(config).hierarchy())
        console.print(tree)
        console.print()
    console.print(config.to_yaml(), markup=False, soft_wrap=True, end="")


def _grow(tree: Tree, nodes: list[dict[str, Any]]) -> None:
    for node in nodes:
        _grow(tree.add(f"{node['name']} [dim]{node['kind']}[/dim]"), node["children"])
