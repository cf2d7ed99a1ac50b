# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep: the values that each point sets, and the resulting configuration."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nandscape import arguments
from nandscape.config import Config
from nandscape.errors import ConfigError
from nandscape.policies import Policy

SEED = "simulation.seed"
SEED_LIMIT = 1 << 64

Grid = Mapping[str, Iterable[Any]] | Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class Point:
    """A point of a sweep with one seed. If its values contradict each other, `config` is None and `error` says how."""

    parameters: dict[str, Any]
    seed: int
    config: Config | None
    error: ConfigError | None


def settings_of(grid: Grid) -> list[dict[str, Any]]:
    """Returns the values that each point sets, by key. If the grid is a mapping, the points are all combinations of its
    values, and the first key varies slowest. If it is a list, its mappings are the points.

    Raises TypeError for a key that is not a string, ValueError for a grid without points, and `ConfigError` for a grid
    that sets the seed.
    """
    if isinstance(grid, Mapping):
        values = [_values(key, given) for key, given in grid.items()]
        settings = [dict(zip(grid, chosen, strict=True)) for chosen in itertools.product(*values)]
    else:
        settings = [_setting(given) for given in grid]
    if not settings:
        raise ValueError("the sweep has no point: a key has no values, or the list is empty")
    for key in {key for setting in settings for key in setting}:
        if not isinstance(key, str):
            raise TypeError(f"a key of the grid is a dotted path such as 'nand.timing.t_prog_us', not {key!r}")
        if key == SEED:
            raise ConfigError("give the seeds of a sweep as seeds=[...] or repeat=n, not in its grid", SEED)
    return settings


def seeds_of(base: Config, repeat: int, seeds: Iterable[int] | None) -> list[int]:
    """Returns the seeds with which each point runs: `seeds`, or `repeat` consecutive seeds beginning with the seed of
    `base`.

    Raises TypeError for a seed that is not an integer, and ValueError for a seed out of range, a duplicate, an empty
    `seeds`, a `repeat` of 0, and if both arguments are given.
    """
    count = arguments.index("repeat", repeat)
    if count == 0:
        raise ValueError("repeat is 0; a point runs once or more")
    if seeds is None:
        first = base[SEED]
        return [arguments.index("a seed", first + k, SEED_LIMIT) for k in range(count)]
    if count != 1:
        raise ValueError("give either repeat or seeds, not both")
    given = [arguments.index("a seed", seed, SEED_LIMIT) for seed in seeds]
    if not given or len(set(given)) < len(given):
        raise ValueError("seeds is empty, or names a seed twice; each run of a point has a seed of its own")
    return given


def resolve(base: Config, settings: Sequence[dict[str, Any]], seeds: Sequence[int]) -> list[Point]:
    """Returns the points in the order of the settings, with one point for each setting and seed.

    Raises `ConfigError` for an unknown key and for a value that is invalid in every point.
    """
    names = list(dict.fromkeys(key for setting in settings for key in setting))
    standard = {name: base[name] for name in names if name in base}
    points = []
    for setting in settings:
        for seed in seeds:
            config, error = None, None
            try:
                config = base.override({**setting, SEED: seed})
            except ConfigError as failure:
                error = failure
            points.append(Point({name: setting.get(name, standard.get(name)) for name in names}, seed, config, error))
    _reject_invalid_values(points)
    return points


def hashable(value: Any) -> Any:
    """Converts the value of a parameter to a form that can be a label. Policies become their repr, and lists and dicts
    become JSON."""
    if isinstance(value, Policy):
        return repr(value)
    return json.dumps(value, sort_keys=True) if isinstance(value, (list, dict)) else value


def covering(points: Iterable[Point]) -> list[Point]:
    """Selects a few of the points that can be run. Each value that occurs in any of these points occurs in at least one
    selected point."""
    covered: set[tuple[str, str]] = set()
    chosen = []
    for point in points:
        values = {(name, repr(value)) for name, value in point.parameters.items()}
        if point.config is not None and (not chosen or values - covered):
            covered |= values
            chosen.append(point)
    return chosen


def _reject_invalid_values(points: Sequence[Point]) -> None:
    working = {
        (name, repr(value)) for point in points if point.error is None for name, value in point.parameters.items()
    }
    for point in points:
        if point.error is None:
            continue
        key = point.error.path
        for name, value in point.parameters.items():
            if (key == name or key.startswith(f"{name}.")) and (name, repr(value)) not in working:
                raise point.error


def _values(key: Any, given: Any) -> list[Any]:
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"the grid takes a list of values for each key; {key!r} has {given!r}")
    return [_plain(value) for value in given]


def _setting(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise TypeError(f"a point is a mapping of dotted paths to values, not {given!r}")
    return {key: _plain(value) for key, value in given.items()}


def _plain(value: Any) -> Any:
    """Converts a NumPy scalar to a Python number; returns other values unchanged."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value
