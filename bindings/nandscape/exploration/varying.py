# SPDX-License-Identifier: Apache-2.0
"""The parameters of a sweep that vary, alone or together with others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nandscape.exploration.points import hashable

if TYPE_CHECKING:
    import pandas as pd

    from nandscape.exploration.frame import Sweep


def varied(table: Sweep) -> list[str]:
    """Returns the parameters that have several values in the table."""
    return [name for name in table.parameters if name in table.columns and table[name].map(hashable).nunique() > 1]


def independent(table: Sweep, chosen: Sequence[str] = ()) -> list[str]:
    """Returns the parameters that vary, without those that vary together with one of `chosen` or with an earlier
    one."""
    found = list(chosen)
    for name in varied(table):
        if not any(follows(table, name, (other,)) for other in found):
            found.append(name)
    return [name for name in varied(table) if name in found]


def follows(table: Sweep, name: str, others: Sequence[str]) -> bool:
    """Returns whether the values of `others` determine the value of a parameter."""
    values: dict[tuple[Any, ...], Any] = {}
    for *place, value in zip(*(table[key].map(hashable) for key in (*others, name)), strict=True):
        if values.setdefault(tuple(place), value) != value:
            return False
    return True


def together(table: Sweep, name: str, but: str | None = None) -> list[str]:
    """Returns a parameter and those that vary together with it, without `but`."""
    follow = [other for other in varied(table) if other not in (name, but) and follows(table, other, (name,))]
    return [name, *follow]


def values_beside(table: Sweep, names: Sequence[str]) -> dict[Any, tuple[Any, ...]]:
    """Returns, for each value of the first parameter, the values that all of these parameters have there."""
    return {row[0]: row for row in zip(*(table[key].map(hashable) for key in names), strict=True)}


def values_of(points: pd.DataFrame, name: str) -> list[Any]:
    """Returns the values of a parameter. Numbers are in ascending order, and other values in the order of the table."""
    values = list(dict.fromkeys(map(hashable, points[name])))
    return sorted(values) if numeric(values) else values


def numeric(values: Sequence[Any]) -> bool:
    """Returns whether all values of a parameter are numbers."""
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
