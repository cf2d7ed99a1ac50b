# SPDX-License-Identifier: Apache-2.0
"""What the built package says of its parameters and statistics, for the pages of the reference and their tests.

Parameters come from the commands `nandscape params` and `nandscape schema`. A result has the names of statistics; their
units and meanings stand beside the counters in C++, and are read from there.
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
    """The output of the command `nandscape`."""
    command = [sys.executable, "-m", "nandscape", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# ---- Parameters


@dataclass
class Parameter:
    """A row of the schema. `variant` is the choice that the parameter belongs to, `condition` how that is made."""

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
    """Key and description of every node of the JSON Schema."""
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
    """The groups of parameters, with what each is about."""
    parents = {key.rsplit(".", n)[0] for key in by_key() for n in range(1, key.count(".") + 1)}
    meanings = {key: text.splitlines()[0] for key, text in _descriptions(json.loads(run("schema")))}
    return {group: meanings.get(group, "") for group in sorted(parents)}


@cache
def by_key() -> dict[str, Parameter]:
    """The parameters by key, the first of those that share one."""
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


@dataclass
class _Call:
    name: str  # a regular expression where the source computes the name
    unit: str
    meaning: str


# A drive with every stage, so that every group is there.
_EVERYTHING = """
import json, nandscape
drive = {
    "host.workload": [{"name": "a", "requests": 20}, {"name": "b", "requests": 20}],
    "controller.firmware.read_cycles": 1000,
}
print(json.dumps(nandscape.run(nandscape.load("default", drive)).stats))
"""


def _arguments(text: str, start: int) -> list[str]:
    """The arguments of a C++ call whose opening parenthesis is before `start`."""
    depth, quoted, arguments, begin = 0, False, [], start
    for at in range(start, len(text)):
        letter = text[at]
        if letter == '"' and text[at - 1] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            if depth == 0:
                return [*arguments, text[begin:at].strip()]
            depth -= 1
        elif letter == "," and depth == 0:
            arguments.append(text[begin:at].strip())
            begin = at + 1
    raise ValueError("a call without an end")


def _literals(expression: str) -> list[str]:
    joined = re.sub(r'"\s*\n\s*"', "", expression)
    return re.findall(r'"((?:[^"\\]|\\.)*)"', joined)


def _call(arguments: list[str]) -> _Call | None:
    name, *rest = arguments
    literals = _literals(name)
    if not literals:
        return None
    pattern = re.escape(literals[0]) + ("" if name == f'"{literals[0]}"' else ".*")
    unit = "".join(_literals(rest[1])) if len(rest) == 3 else ""
    return _Call(pattern, unit, "; ".join(_literals(rest[-1])))


def _calls(text: str, functions: str) -> list[_Call]:
    found = (_call(_arguments(text, call.end())) for call in re.finditer(rf"\b(?:{functions})\(", text))
    return [call for call in found if call is not None]


_WHOLE = re.MULTILINE | re.DOTALL


@cache
def _descriptions_of_counters() -> list[list[_Call]]:
    """What each `describe` of counters says, and each place that puts groups or parts together."""
    described = []
    for source in sorted([*ROOT.glob("models/**/*.cpp"), *ROOT.glob("models/**/*.h"), *ROOT.glob("platform/**/*.cpp")]):
        text = source.read_text(encoding="utf-8")
        for function in re.finditer(
            r"^void describe\(const \w+& \w+, StatisticsVisitor& v\) \{\n(.*?)^\}", text, _WHOLE
        ):
            described.append(_calls(function[1], r"v\.(?:count|real|latency|group)"))
        for gathered in (r"snapshot\.group", r"account\.add"):
            if calls := _calls(text, gathered):
                described.append(calls)
    return described


def _find(names: list[str]) -> dict[str, _Call]:
    """The descriptions of these members of a group: of the one function that names most of them, then of others."""
    found: dict[str, _Call] = {}
    while left := [name for name in names if name not in found]:

        def named(calls: list[_Call], names: list[str] = left) -> dict[str, _Call]:
            return {name: call for name in names for call in calls if re.fullmatch(call.name, name)}

        best = max(_descriptions_of_counters(), key=lambda calls: (len(named(calls)), -len(calls)))
        if not named(best):
            break
        found |= named(best)
    return found


def _tree(group: Statistic, values: dict[str, Any], prefix: str) -> None:
    described = _find(list(values))
    for name, value in values.items():
        call = described.get(name, _Call(name, "", ""))
        if isinstance(value, dict) and "p50" in value:
            member = Statistic(f"{prefix}{name}", f"{call.meaning}: {', '.join(value)}", "us")
            group.figures.append(member)
        elif isinstance(value, dict):
            member = Statistic(f"{prefix}{name}", call.meaning)
            if f"{prefix}{name}" == "host.workloads":
                member.meaning += ", with the figures of `host`"
            else:
                _tree(member, value, f"{prefix}{name}.")
            group.groups.append(member)
        else:
            unit = "j" if name.endswith("_j") else call.unit
            group.figures.append(Statistic(f"{prefix}{name}", call.meaning, unit))


@cache
def statistics() -> list[Statistic]:
    """The groups of a result."""
    done = subprocess.run([sys.executable, "-c", _EVERYTHING], capture_output=True, text=True, check=True)
    root = Statistic("", "")
    _tree(root, json.loads(done.stdout), "")
    return root.groups


def all_statistics(members: list[Statistic] | None = None) -> Iterator[Statistic]:
    """Groups and figures, each before what it holds."""
    for member in statistics() if members is None else members:
        yield member
        yield from all_statistics([*member.figures, *member.groups])


# ---- Names in prose

TOP_LEVEL = ("simulation", "host", "controller", "ecc", "channel", "nand")
_NAME = re.compile(rf"(?P<name>(?:{'|'.join((*TOP_LEVEL, 'utilisation', 'energy'))})(?:\.[a-z0-9_]+)+)")
_QUOTED = re.compile(rf"{_NAME.pattern}(?:(?::\s+|=)(?P<value>\S+))?")
_LATENCY_PARTS = ("mean", "p50", "p90", "p99", "p999", "p9999", "max")


def named(text: str) -> str | None:
    """The key or statistic that a piece of code in the text names, if it looks like one."""
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
    """What is wrong with a piece of code that names a key or a statistic; none when nothing is."""
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
