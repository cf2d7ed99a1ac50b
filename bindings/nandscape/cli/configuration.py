# SPDX-License-Identifier: Apache-2.0
"""The arguments that choose a configuration."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from nandscape._core import PluginTrust
from nandscape.cli.plugins import add_permission
from nandscape.config import Config, Override, from_file, trust_of


def add_arguments(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """Adds the positional argument CONFIG, which may be optional, and the option --set to the parser."""
    parser.add_argument(
        "config",
        metavar="CONFIG",
        nargs="?" if optional else None,
        help="a preset (see `nandscape presets`) or a YAML file",
    )
    add_overrides(parser)


def add_overrides(parser: argparse.ArgumentParser) -> None:
    """Adds the options --set and --allow-plugins to the parser."""
    parser.add_argument(
        "--set",
        dest="overrides",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a key, such as nand.timing.t_prog_us=900; may be given several times",
    )
    add_permission(parser)


def chosen(options: argparse.Namespace, changes: Sequence[Override] = ()) -> Config:
    """Returns the configuration that these arguments select. `changes` are applied before those of --set."""
    return from_file(options.config, [*changes, *options.overrides], trust_of(options.allow_plugins))


def looked_at(options: argparse.Namespace) -> Config:
    """Returns the configuration for a command that only shows it. Without --allow-plugins, no plug-in that a file names
    is loaded, not even a plug-in that a configuration file names."""
    trust = PluginTrust.results if options.allow_plugins else PluginTrust.overrides
    return from_file(options.config, options.overrides, trust)
