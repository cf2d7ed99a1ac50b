# SPDX-License-Identifier: Apache-2.0
"""Finds the keys in which configurations differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nandscape.config import Config

Table = dict[str, tuple[Any, ...]]


def values_by_key(configs: Sequence[Config]) -> Table:
    """Returns the values of each key in the configurations, in the schema's order; None where a configuration lacks the
    key.

    If a configuration has several workloads, their keys contain a number from 0, for example `host.workload.1.kind`.
    """
    return values_in_trees([config.described() for config in configs])


def values_in_trees(trees: Iterable[Mapping[str, Any]]) -> Table:
    """Does the same for nested dicts, in the order of the first one that has the key."""
    flat = [dict(_leaves(tree, "")) for tree in trees]
    keys = dict.fromkeys(key for tree in flat for key in tree)
    return {key: tuple(tree.get(key) for tree in flat) for key in keys}


def differing(table: Table) -> Table:
    """Returns the keys that do not have the same value in all configurations."""
    return {key: values for key, values in table.items() if any(value != values[0] for value in values)}


def shown(value: Any) -> str:
    """Returns a value as it is written in a configuration file, or a dash for None."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _leaves(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{name}.")
        elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
            for number, entry in enumerate(value):
                yield from _leaves(entry, f"{name}." if len(value) == 1 else f"{name}.{number}.")
        else:
            yield name, value
