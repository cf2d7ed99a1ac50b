# SPDX-License-Identifier: Apache-2.0
"""Loads the saved results that are named on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nandscape import Error
from nandscape.result import Result


def loaded(files: Sequence[str]) -> dict[str, Result]:
    """Loads saved results and returns them by name. The names are the stems of the file names if all stems differ, and
    otherwise the file names as given. Raises `Error` for a file that is named twice, and the errors of `Result.load`.
    """
    twice = {file for file in files if files.count(file) > 1}
    if twice:
        raise Error(f"{min(twice)}: named twice")
    stems = [Path(file).stem for file in files]
    names = stems if len(set(stems)) == len(stems) else files
    return {name: Result.load(file) for name, file in zip(names, files, strict=True)}
