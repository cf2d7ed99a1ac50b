# SPDX-License-Identifier: Apache-2.0
"""Subcommands whose --help teaches: what they do, and examples that work as they stand."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

WIDTH = 80


def add_command(
    commands: Any, name: str, words: str, examples: str, *, description: str | None = None
) -> argparse.ArgumentParser:
    """A subcommand. `words`: what the list of commands says of it. `examples`: lines of a shell, below the arguments.
    `description`: text that is printed as it is; without it, `words`."""
    sentence = f"{words[0].upper()}{words[1:]}."
    return commands.add_parser(
        name,
        help=words,
        description=description or textwrap.fill(sentence, WIDTH),
        epilog=f"examples:\n{textwrap.indent(textwrap.dedent(examples).strip(), '  ')}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
