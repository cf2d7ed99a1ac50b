# SPDX-License-Identifier: Apache-2.0
"""`nandscape show`: what is built from a configuration, without running it."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console
from rich.tree import Tree

from nandscape.cli import configuration
from nandscape.simulation import Simulation


def add_commands(commands: Any) -> None:
    """Adds the command to the parser."""
    parser = commands.add_parser("show", help="print the wired hierarchy and the resolved configuration")
    configuration.add_arguments(parser)
    parser.set_defaults(command=show)


def show(options: argparse.Namespace) -> None:
    """Runs the command."""
    config = configuration.chosen(options)
    console = Console(highlight=False)
    console.print(_tree(Simulation(config).hierarchy()))
    console.print()
    console.print(config.to_yaml(), markup=False, soft_wrap=True, end="")


def _tree(node: dict[str, Any], parent: str = "") -> Tree:
    """Names are shown without the path of the parent, which the tree shows."""
    name = node["name"].removeprefix(f"{parent}.")
    tree = Tree(f"{name} [dim]{node['kind']}[/dim]")
    for child in node["children"]:
        tree.children.append(_tree(child, node["name"]))
    return tree
