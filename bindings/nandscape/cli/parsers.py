# SPDX-License-Identifier: Apache-2.0
"""Subcommands, each with a --help that describes it and has examples that work as printed."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

WIDTH = 80


def add_command(
    commands: Any, name: str, words: str, examples: str, *, description: str | None = None
) -> argparse.ArgumentParser:
    """Adds a subcommand. `words`: its line in the list of commands. `examples`: shell lines, printed below the
    arguments. `description`: text that is printed as it is; default: `words`."""
    sentence = f"{words[0].upper()}{words[1:]}."
    return commands.add_parser(
        name,
        help=words,
        description=description or textwrap.fill(sentence, WIDTH),
        epilog=f"examples:\n{textwrap.indent(textwrap.dedent(examples).strip(), '  ')}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
