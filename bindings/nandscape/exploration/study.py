# SPDX-License-Identifier: Apache-2.0
"""Reads files that describe a sweep or a search."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nandscape.errors import InputError
from nandscape.exploration.requirements import required
from nandscape.exploration.running import text_of

# The keys of a file that describes a sweep, and the types of their values. `base`, `grid` or `points`, and the keys
# from `workload` to `store` become arguments of `sweep`.
_SWEEP: dict[str, tuple[type, ...]] = {
    "base": (str, dict),
    "grid": (dict,),
    "points": (list,),
    "workload": (dict, list),
    "repeat": (int,),
    "seeds": (list,),
    "metrics": (str, list, dict),
    "warm_start": (bool, str),
    "store": (str,),
    "out": (str,),
}
# The keys of a file that describes a search, and the types of their values. All keys but `out` become arguments of
# `explore`.
_SEARCH: dict[str, tuple[type, ...]] = {
    "base": (str, dict),
    "space": (dict,),
    "objectives": (dict,),
    "trials": (int,),
    "constraint": (str, list),
    "storage": (str,),
    "workload": (dict, list),
    "workers": (int,),
    "sampler_seed": (int,),
    "out": (str,),
}
_WORDS = {str: "text", dict: "a mapping", list: "a list", int: "a whole number", bool: "true or false"}
_MOST_VALUES = 100_000
_LONGEST_SHOWN = 200  # characters of a PyYAML message that an error shows
_RANGE = ("from", "to", "step", "log")


def read_study(file: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads a study and returns its keys with their values. Checks only the types of the values.

    `base` (default: the preset `default`): a preset, a configuration file relative to the study's folder, or a
    configuration. Exactly one of `grid` and `points` must be given. The other keys are optional.

    Raises `InputError`, which names the file and the key or line, and OSError for a file that cannot be read.
    """
    name = os.fspath(file)
    study = _checked(name, _SWEEP)
    if ("grid" in study) == ("points" in study):
        raise InputError(f"{name}: give either grid (values of each key) or points (a list of mappings)")
    if isinstance(study.get("metrics"), dict):
        for column, statistic in study["metrics"].items():
            if not isinstance(statistic, str):
                raise InputError(f"{name}: metrics.{column}: expected the name of a statistic, got {statistic!r}")
    return study


def read_search(file: str | os.PathLike[str]) -> dict[str, Any]:
    """Reads the file of a search and returns its keys with their values: the arguments of `explore` by name, and `out`.

    In `space`, a list holds choices; `{from: 1, to: 64}` is a range, optionally with `log: true` for a logarithmic
    scale or with a `step`. `trials` is 100 by default.

    Raises the same errors as `read_study`.
    """
    name = os.fspath(file)
    search = _checked(name, _SEARCH)
    for needed in ("space", "objectives"):
        if needed not in search:
            raise InputError(f"{name}: {needed} is missing; a search needs space and objectives")
    search["space"] = {key: _choices(f"{name}: space.{key}", given) for key, given in search["space"].items()}
    search.setdefault("trials", 100)
    return search


def _choices(where: str, given: Any) -> Any:
    """Returns the possible values of a key in the form that `explore` accepts."""
    if isinstance(given, list):
        return given
    if not isinstance(given, dict):
        raise InputError(f"{where}: expected a list of choices, or {{from: 1, to: 64}}, got {given!r}")
    for key in given:
        if key not in _RANGE:
            raise InputError(f"{where}.{key}: unknown key; a range has {', '.join(_RANGE)}")
    if "from" not in given or "to" not in given or ("step" in given and given.get("log")):
        raise InputError(f"{where}: a range has from and to, and optionally one of step and log: true")
    ends = (given["from"], given["to"])
    if "step" not in given:
        return (*ends, "log") if given.get("log") else ends
    numbers = (*ends, given["step"])
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers) or given["step"] < 1:
        raise InputError(f"{where}: a range with a step takes whole numbers and a step of at least 1, got {given!r}")
    return range(ends[0], ends[1] + 1, given["step"])


def _checked(name: str, keys: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    """Reads a study and checks its keys and the types of their values. A path in `base` becomes relative to the current
    folder."""
    try:
        text = Path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: is not UTF-8 text: {error}") from None
    study = _parsed(name, text)
    if not isinstance(study, dict):
        raise InputError(f"{name}: a study is a mapping with the keys {', '.join(keys)}")
    for key, value in study.items():
        if key not in keys:
            near = difflib.get_close_matches(str(key), keys, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(keys)}"
            raise InputError(f"{name}: {key}: unknown key; {hint}")
        kinds = keys[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InputError(f"{name}: {key}: expected {' or '.join(_WORDS[kind] for kind in kinds)}, got {value!r}")
    study.setdefault("base", "default")
    if isinstance(study["base"], str) and _is_path(study["base"]):
        study["base"] = str(Path(name).parent / study["base"])
    return study


def _is_path(text: str) -> bool:
    """Returns whether a string is the path of a file and not a name. The same rule applies to configurations."""
    return "/" in text or text.endswith((".yaml", ".yml", ".json"))


def _parsed(name: str, text: str) -> Any:
    yaml = required("yaml", "sweep", "a study")
    try:
        study = yaml.load(text, _loader(yaml))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{name}:{line}: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{name}: is not YAML: {error}") from None
    except RecursionError:
        raise InputError(f"{name}: is nested too deeply") from None
    except Exception as error:  # PyYAML passes on exceptions that occur in tagged values and numbers
        raise InputError(f"{name}: has an invalid value: {text_of(error)[:_LONGEST_SHOWN]}") from None
    _check_size(name, study)
    return study


def _check_size(name: str, study: Any) -> None:
    """Raises `InputError` for a study that has more than `_MOST_VALUES` values after its aliases are expanded, or that
    contains itself."""
    left = [study]
    values = 0
    while left:
        value = left.pop()
        values += 1
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        if values + len(left) > _MOST_VALUES:
            raise InputError(f"{name}: expands to more than {_MOST_VALUES} values")


def _loader(yaml: Any) -> Any:
    """Returns a loader for YAML's core schema, which configurations use too: 1e6 is a number, and `no` is a string."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys: set[Any] = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise yaml.constructor.ConstructorError(None, None, "a key must be text", key.start_mark)
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(None, None, f"{key.value}: is given twice", key.start_mark)
                keys.add(key.value)
            return super().construct_mapping(node, deep)

    for kind, pattern, first in (
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
        ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(f"^(?:{pattern})$"), first)
    return Loader


def arguments_of(study: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Returns the base, the grid and the named arguments for `sweep`."""
    named = {
        key: study[key] for key in ("workload", "repeat", "seeds", "metrics", "warm_start", "store") if key in study
    }
    return study["base"], study.get("grid", study.get("points")), named
