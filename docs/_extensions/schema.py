# SPDX-License-Identifier: Apache-2.0
"""Reads parameters and statistics from the built package, for the reference pages and their tests.

Parameters come from the commands `nandscape params` and `nandscape schema`, statistics from a drive that has every
stage.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> str:
    """Runs `nandscape` with these arguments and returns its output."""
    command = [sys.executable, "-m", "nandscape", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# ---- Parameters


@dataclass
class Parameter:
    """A row of the schema. `variant`: the choice to which the parameter belongs. `condition`: the setting that selects
    it."""

    key: str
    variant: str
    type: str
    unit: str
    default: str
    range: str
    meaning: str
    choices: dict[str, str] = field(default_factory=dict)
    condition: str = ""


def _descriptions(node: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yields the key and description of every node of the JSON Schema."""
    if "description" in node:
        yield ".".join(path), node["description"]
    for name, child in node.get("properties", {}).items():
        yield from _descriptions(child, (*path, name))
    for child in node.get("anyOf", []):
        yield from _descriptions(child, path)
    if isinstance(node.get("items"), dict):
        yield from _descriptions(node["items"], path)


@cache
def parameters() -> list[Parameter]:
    """All parameters, in the order of the schema."""
    described: dict[str, list[str]] = {}
    for key, text in _descriptions(json.loads(run("schema"))):
        described.setdefault(key, []).append(text)
    rows = [Parameter(**row) for row in json.loads(run("params", "--json"))]
    for row in rows:
        texts = [text for text in described.get(row.key, []) if text.startswith(row.meaning)]
        of_variant = [text for text in texts if re.search(rf"^Only with .*\b{row.variant}$", text, re.MULTILINE)]
        for line in (of_variant or texts or [""])[0].splitlines()[1:]:
            if line.startswith("Only with "):
                row.condition = line.removeprefix("Only with ")
            elif row.type == "choice":
                name, _, meaning = line.partition(": ")
                row.choices[name] = meaning
    return rows


@cache
def groups() -> dict[str, str]:
    """The meaning of each group of parameters, by name."""
    parents = {key.rsplit(".", n)[0] for key in by_key() for n in range(1, key.count(".") + 1)}
    meanings = {key: text.splitlines()[0] for key, text in _descriptions(json.loads(run("schema")))}
    return {group: meanings.get(group, "") for group in sorted(parents)}


@cache
def by_key() -> dict[str, Parameter]:
    """The parameters by key; the first one if several share a key."""
    found: dict[str, Parameter] = {}
    for row in parameters():
        found.setdefault(row.key, row)
    return found


# ---- Statistics


@dataclass
class Statistic:
    """A group of figures, or a figure."""

    path: str
    meaning: str
    unit: str = ""
    figures: list[Statistic] = field(default_factory=list)
    groups: list[Statistic] = field(default_factory=list)


# A drive with every stage, so that its statistics have every group.
_EVERYTHING = """
import json, nandscape
drive = {
    "host.workload": [{"name": "a", "requests": 20}, {"name": "b", "requests": 20}],
    "controller.firmware.read_cycles": 1000,
    "ecc.selection": "by_source",
    "ecc.decoder": "table",
    "ecc.codec": "ldpc",
    "ecc.codeword_bytes": 4096,
    "ecc.decode_time": "iterations",
    "simulation.breakdown": True,
}
simulation = nandscape.Simulation(nandscape.load("cached", drive))
print(json.dumps(simulation.statistics_reference()))
"""


@cache
def statistics() -> list[Statistic]:
    """The top-level groups of a result's statistics."""
    done = subprocess.run([sys.executable, "-c", _EVERYTHING], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    parents = {row["name"].rpartition(".")[0] for row in rows}
    root = Statistic("", "")
    groups = {"": root}
    for row in rows:
        member = Statistic(row["name"], row["meaning"], row["unit"])
        parent = groups.get(member.path.rpartition(".")[0])
        if parent is None:
            continue  # a member of a group that is left out
        if member.path == "host.workloads":
            member.meaning += ", with the figures of `host`"
            parent.groups.append(member)
        elif member.path in ("busy.channel", "busy.die", "busy.ecc", "busy.ecc_fifo", "busy.page_buffers"):
            parent.groups.append(member)  # the group's members are numbered units
        elif member.path in parents:
            groups[member.path] = member
            parent.groups.append(member)
        else:
            parent.figures.append(member)
    return root.groups


def all_statistics(members: list[Statistic] | None = None) -> Iterator[Statistic]:
    """Yields groups and figures, each before its members."""
    for member in statistics() if members is None else members:
        yield member
        yield from all_statistics([*member.figures, *member.groups])


# ---- Names in prose

TOP_LEVEL = ("simulation", "host", "controller", "ecc", "channel", "nand")
_NAME = re.compile(rf"(?P<name>(?:{'|'.join((*TOP_LEVEL, 'utilisation', 'busy', 'energy'))})(?:\.[a-z0-9_]+)+)")
_QUOTED = re.compile(rf"{_NAME.pattern}(?:(?::\s+|=)(?P<value>\S+))?")
_LATENCY_PARTS = ("count", "mean", "p50", "p90", "p99", "p999", "p9999", "max")


def named(text: str) -> str | None:
    """The key or statistic that a piece of code names; None if it looks like neither."""
    found = _QUOTED.fullmatch(text)
    return found["name"] if found and not text.endswith((".h", ".cpp", ".py", ".yaml", ".md")) else None


@cache
def _statistic_paths() -> frozenset[str]:
    return frozenset(statistic.path for statistic in all_statistics())


def is_statistic(name: str) -> bool:
    """Whether a result has such a figure or group."""
    group, _, part = name.rpartition(".")
    return name in _statistic_paths() or (part in _LATENCY_PARTS and group in _statistic_paths())


def fault_of(text: str) -> str | None:
    """The fault of a piece of code that names a key or a statistic, as a message; None if there is none."""
    name = named(text)
    if name is None:
        return None
    if name not in by_key() and name not in groups() and not is_statistic(name):
        return f"`{name}` is neither a parameter nor a statistic"
    value = _QUOTED.fullmatch(text)["value"]
    row = by_key().get(name)
    if value and row and row.type == "choice" and value not in row.choices:
        return f"`{name}` cannot be `{value}`, only {row.range}"
    return None
