# SPDX-License-Identifier: Apache-2.0
"""Figures of a result by their dotted names, for tables and pictures.

A saved result may be damaged, or another version may have written it. The error for a missing figure therefore names
the file and the figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nandscape.errors import InputError
from nandscape.result import Result


def number(result: Result, name: str, missing: float | None = None) -> float:
    """Returns a figure of the statistics, or `missing` if the statistics do not have it. Raises `InputError` if the
    figure is not a number, and if it is missing and `missing` is None."""
    found = _at(result, name)
    if found is None and missing is not None:
        return missing
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise _error(result, name, "a number", found)
    return found


def count(result: Result, name: str, missing: int | None = None) -> int:
    """Like `number`, for a figure that counts something. Also raises `InputError` unless the figure is an integer of at
    least 0."""
    found = number(result, name, missing)
    if not isinstance(found, int) or found < 0:
        raise _error(result, name, "a whole number", found)
    return found


def group(result: Result, name: str) -> dict[str, float]:
    """Returns a group of figures by their names in the group. The dict is empty if the statistics do not have the
    group. Raises `InputError` if the value is not a group."""
    found = _at(result, name)
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise _error(result, name, "a group of figures", found)
    return {key: number(result, f"{name}.{key}") for key in found}


def _at(result: Result, name: str) -> Any:
    """Returns the value with that dotted name, or None if there is none. Raises `InputError` if the value of a prefix
    of the name is not a group."""
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
        f"{result.config.name}: statistics.{name}: expected {wanted}, found {shown}; the result is damaged, or of "
        "another version of nandscape"
    )
