# SPDX-License-Identifier: Apache-2.0
"""The result of an import: the values of a configuration, and remarks on the settings that have no counterpart."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import Any

from nandscape.config import Config, load

_WIDTH = 120


class Imported:
    """Keys of a configuration that extends a preset, taken from files of another tool.

    `values`: values by dotted path. `remarks`: lines of text such as "job.fio:7: ...". `sources`: names of the files.
    """

    def __init__(self, preset: str, sources: list[str]) -> None:
        self.preset = preset
        self.sources = sources
        self.values: dict[str, Any] = {}
        self.remarks: list[str] = []

    def config(self) -> Config:
        """Returns the checked configuration. Raises `ConfigError` for values that are invalid or contradict each
        other."""
        return load(self.preset, self.values)

    def to_yaml(self) -> str:
        """Returns the text of a configuration file, with the remarks as comments at its top."""
        lines = [f"# Imported from {' and '.join(self.sources)}."]
        if self.remarks:
            lines += ["#", "# Settings without a counterpart, or with another meaning here:"]
        for remark in self.remarks:
            lines += textwrap.wrap(remark, _WIDTH, initial_indent="# - ", subsequent_indent="#   ")
        lines += ["", f"extends: {self.preset}"]
        return "\n".join(lines + _lines_of(_nested(self.values), "")) + "\n"

    def __repr__(self) -> str:
        return f"<Imported from {', '.join(self.sources)}: {len(self.values)} keys, {len(self.remarks)} remarks>"


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *groups, key = path.split(".")
        group = tree
        for name in groups:
            group = group.setdefault(name, {})
        group[key] = value
    return tree


def _lines_of(tree: Mapping[str, Any], indent: str) -> list[str]:
    lines = []
    for key, value in tree.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{key}:", *_lines_of(value, indent + "  ")]
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            lines.append(f"{indent}{key}:")
            for item in value:
                lines += _item_lines(item, indent + "  ")
        else:
            lines.append(f"{indent}{key}: {_scalar(value)}")
    return lines


def _item_lines(item: Mapping[str, Any], indent: str) -> list[str]:
    first, *others = _lines_of(item, indent + "  ")
    return [f"{indent}- {first.lstrip()}", *others]


def _scalar(value: Any) -> str:
    """Returns a value as YAML. Names are written without quotes, and all other values as JSON, which is valid YAML."""
    if isinstance(value, str) and value.replace("_", "").isalnum() and not value[0].isdigit():
        return value
    return json.dumps(value)
