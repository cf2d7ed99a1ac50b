# SPDX-License-Identifier: Apache-2.0
"""Files that describe a sweep."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nandscape.errors import InputError
from nandscape.exploration.requirements import required

# What each key takes; the rest are the arguments of `sweep`.
_KINDS: dict[str, tuple[type, ...]] = {
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
_WORDS = {str: "text", dict: "a mapping", list: "a list", int: "a whole number", bool: "true or false"}


def read_study(file: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of a study with their values, checked as far as their kinds go.

    `base` (default: the preset `default`): a preset, a configuration file, relative to the study's folder, or a
    configuration. `grid` or `points`: what is swept. The others are optional.

    Raises `InputError`, which names file and key, or line, and OSError for a file that cannot be read.
    """
    name = os.fspath(file)
    study = _parsed(name, Path(name).read_text(encoding="utf-8"))
    if not isinstance(study, dict):
        raise InputError(f"{name}: a study is a mapping with the keys {', '.join(_KINDS)}")
    for key, value in study.items():
        if key not in _KINDS:
            near = difflib.get_close_matches(str(key), _KINDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(_KINDS)}"
            raise InputError(f"{name}: {key}: unknown key; {hint}")
        kinds = _KINDS[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InputError(f"{name}: {key}: expected {' or '.join(_WORDS[kind] for kind in kinds)}, got {value!r}")
    if ("grid" in study) == ("points" in study):
        raise InputError(f"{name}: give either grid, values of each key, or points, a list of mappings")
    if isinstance(study.get("metrics"), dict):
        for column, statistic in study["metrics"].items():
            if not isinstance(statistic, str):
                raise InputError(f"{name}: metrics.{column}: expected the name of a statistic, got {statistic!r}")
    study.setdefault("base", "default")
    if isinstance(study["base"], str) and _is_path(study["base"]):
        study["base"] = str(Path(name).parent / study["base"])
    return study


def _is_path(text: str) -> bool:
    """Whether text is the path of a file and no name, as in configurations."""
    return "/" in text or text.endswith((".yaml", ".yml", ".json"))


def _parsed(name: str, text: str) -> Any:
    yaml = required("yaml", "sweep", "a study")
    try:
        return yaml.load(text, _loader(yaml))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{name}:{line}: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{name}: is no YAML: {error}") from None


def _loader(yaml: Any) -> Any:
    """A loader of YAML's core schema, as configurations are read: 1e6 is a number there, and `no` is text."""

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys: set[Any] = set()
            for key, _ in node.value:
                if key.value in keys:
                    raise yaml.constructor.ConstructorError(None, None, f"{key.value}: is there twice", key.start_mark)
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
    """Base, grid and named arguments that `sweep` takes."""
    named = {
        key: study[key] for key in ("workload", "repeat", "seeds", "metrics", "warm_start", "store") if key in study
    }
    return study["base"], study.get("grid", study.get("points")), named
