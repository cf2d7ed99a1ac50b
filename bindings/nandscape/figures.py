# SPDX-License-Identifier: Apache-2.0
"""Figures of a result by their dotted names, for what prints and draws them.

A saved result may be damaged, or of another version: what it lacks is an error that names the file and the figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nandscape.errors import InputError
from nandscape.result import Result


def number(result: Result, name: str, missing: float | None = None) -> float:
    """A figure of the statistics; `missing`, where that is given, if they do not have it. Raises `InputError` where
    they do not have it otherwise, or have something else there."""
    found = _at(result, name)
    if found is None and missing is not None:
        return missing
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise _error(result, name, "a number", found)
    return found


def count(result: Result, name: str, missing: int | None = None) -> int:
    """The same of a figure that counts something."""
    found = number(result, name, missing)
    if not isinstance(found, int) or found < 0:
        raise _error(result, name, "a whole number", found)
    return found


def group(result: Result, name: str) -> dict[str, float]:
    """A group of figures by their names in it; empty where the statistics do not have it. Raises `InputError` where
    something else stands there."""
    found = _at(result, name)
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise _error(result, name, "a group of figures", found)
    return {key: number(result, f"{name}.{key}") for key in found}


def _at(result: Result, name: str) -> Any:
    """What stands there, None for nothing. Raises `InputError` where a group on the way is something else."""
    found: Any = result.stats
    walked: list[str] = []
    for part in name.split("."):
        if not isinstance(found, Mapping):
            raise _error(result, ".".join(walked), "a group of figures", found)
        walked.append(part)
        found = found.get(part)
        if found is None:
            return None
    return found


def _error(result: Result, name: str, wanted: str, found: Any) -> InputError:
    text = "nothing" if found is None else repr(found)
    shown = text if len(text) <= 60 else f"{text[:60]}..."
    return InputError(
        f"{result.config.name}: statistics.{name}: expected {wanted}, and there is {shown}; the result is damaged, or "
        "of another version of nandscape"
    )
