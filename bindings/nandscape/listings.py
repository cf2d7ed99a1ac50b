# SPDX-License-Identifier: Apache-2.0
"""Lists of what a configuration can name and what a run yields: presets, parameters and statistics."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nandscape import _core
from nandscape.config import Config
from nandscape.simulation import Simulation, resolved_for


@dataclass(frozen=True)
class Parameter:
    """A key of a configuration.

    `key`: its dotted path. `variant`: the variant to which it belongs, such as "greedy"; empty if every drive has it.
    `type`, `unit`, `default`, `range`, `meaning`: text; the default is written as in a configuration file.
    """

    key: str
    variant: str
    type: str
    unit: str
    default: str
    range: str
    meaning: str


@dataclass(frozen=True)
class Statistic:
    """A figure, or a group of figures, in the statistics of a run. `name`: its dotted name."""

    name: str
    unit: str
    meaning: str


def presets() -> dict[str, str]:
    """Returns the presets by name, each with its description."""
    return dict(sorted(_core.list_presets()))


def parameters(containing: str = "") -> list[Parameter]:
    """Returns the parameters whose keys contain this text, in the order of the schema."""
    return [
        Parameter(row.path, row.variant, row.type, row.unit, row.standard, row.range, row.meaning)
        for row in _core.list_parameters()
        if containing in row.path
    ]


def statistics(
    containing: str = "", config: Config | str | os.PathLike[str] | Mapping[str, Any] = "default"
) -> list[Statistic]:
    """Returns the statistics of a drive whose names contain this text, in the order of `Result.stats`. `config`: a
    configuration, or the first argument of `load`; blocks and policies have statistics of their own.

    Raises the errors of `load` and `Simulation`.
    """
    rows = Simulation(resolved_for(config, None, None)).statistics_reference()
    return [Statistic(row["name"], row["unit"], row["meaning"]) for row in rows if containing in row["name"]]
