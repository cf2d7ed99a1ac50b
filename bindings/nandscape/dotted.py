# SPDX-License-Identifier: Apache-2.0
"""Dotted paths in trees of dicts, such as configurations and statistics."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any


def value_of(tree: Mapping[str, Any], path: str, kind: str) -> Any:
    """Returns the value, or the group of values, with that path. The KeyError for an unknown path names the nearest
    one; `kind` is what a path names in this tree, such as "key"."""
    value: Any = tree
    walked: list[str] = []
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            near = difflib.get_close_matches(part, value, n=1) if isinstance(value, Mapping) else []
            hint = f"; the nearest is '{'.'.join([*walked, near[0]])}'" if near else ""
            raise KeyError(f"no {kind} '{'.'.join([*walked, part])}'{hint}")
        value = value[part]
        walked.append(part)
    return value


def paths_of(tree: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Yields the path of each value; a list is one value."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from paths_of(value, f"{prefix}{key}.")
        else:
            yield prefix + key
