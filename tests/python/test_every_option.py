# SPDX-License-Identifier: Apache-2.0
"""Tests that every variant in the schema runs, and that every parameter has an effect with the settings of
option_scenarios.py.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest

import nandscape as ns
import option_scenarios as scenarios
from nandscape import _core


def name_of(row: Any) -> str:
    return f"{row.path} ({row.variant})" if row.variant else row.path


def choices_of(row: Any) -> list[str]:
    return row.range.split(" | ")


# Parameters with a single choice are left out: only a C++ program that registers additional blocks gives them more
# choices.
ROWS = {
    name_of(row): row
    for row in _core.list_parameters()
    if (row.type != "choice" or " | " in row.range) and row.path not in scenarios.WITHOUT_WORKLOAD
}


def key_of(row: Any) -> str:
    """Returns the configuration key of a parameter. A parameter of a list is set in the first item of the list, that
    of a power state in the second, since the first is always operational."""
    key = row.path.replace("host.workload.", "host.workload.0.").replace("block_mix.", "block_mix.0.")
    return key.replace("power_states.", "power_states.1.")


def choice_of(row: Any) -> scenarios.Overrides:
    """Returns the settings that select the variant to which the parameter belongs."""
    if not row.variant:
        return {}
    group = row.path
    while group := group.rpartition(".")[0]:
        for other in ROWS.values():
            if other.path.startswith(f"{group}.") and other.type == "choice" and row.variant in choices_of(other):
                return {key_of(other): row.variant}
    raise AssertionError(f"nothing selects {row.variant}")


def needs_of(row: Any) -> scenarios.Overrides:
    parts = row.path.split(".")
    groups = [".".join(parts[:k]) for k in range(1, len(parts))]
    needs: scenarios.Overrides = {}
    for name in dict.fromkeys([*groups, f"({row.variant})", row.path, name_of(row)]):
        needs |= scenarios.NEEDS.get(name, {})
    return needs | choice_of(row)


def config_of(overrides: scenarios.Overrides) -> ns.Config:
    return ns.load("bare", scenarios.BASE | overrides)


def value_of(config: ns.Config, key: str) -> Any:
    value: Any = config.to_dict()
    for part in key.split("."):
        if not part.isdigit():
            value = value[part]
        elif isinstance(value, list):  # a single workload is not stored as a list
            value = value[int(part)]
    return value


def other_values(row: Any, now: Any) -> list[Any]:
    if name_of(row) in scenarios.VALUES:
        return scenarios.VALUES[name_of(row)]
    if row.type == "boolean":
        return [not now]
    if row.type == "choice":
        return [value for value in choices_of(row) if value != now]
    if row.type == "list of reals":
        return [[1.07 * value for value in now]]
    values = [now * 2, now / 2, now + 1, now * 10, 1, 0, now * 100, 16384]
    if row.type == "integer":
        values = [int(value) for value in values]
    return [value for value in dict.fromkeys(values) if value != now]


def with_value(config: ns.Config, row: Any, value: Any) -> ns.Config:
    companions = scenarios.COMPANIONS.get((row.path, value), {}) if row.type == "choice" else {}
    return config.override({key_of(row): value} | companions)


def matters(row: Any) -> bool:
    """Returns whether a change of the parameter to another allowed value changes the output."""
    output = scenarios.OUTPUTS.get(name_of(row), scenarios.run)
    config = config_of(needs_of(row))
    before = output(config)
    for value in other_values(row, value_of(config, key_of(row))):
        try:
            after = output(with_value(config, row, value))
        except ns.ConfigError:
            continue
        if after != before:
            return True
    return False


@pytest.mark.parametrize("name", [name for name in ROWS if name not in scenarios.WITHOUT_EFFECT])
def test_every_parameter_matters(name):
    assert matters(ROWS[name])


CHOICES = [(name, value) for name, row in ROWS.items() if row.type == "choice" for value in choices_of(row)]


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_variant_runs(name, value):
    row = ROWS[name]
    host = ns.run(with_value(config_of(needs_of(row)), row, value)).stats["host"]["all"]
    assert host["count"] > host["errors"]


def test_tables_name_parameters():
    paths = {row.path for row in ROWS.values()}
    groups = {path.rpartition(".")[0] for path in paths}
    assert scenarios.NEEDS.keys() <= ROWS.keys() | paths | groups | {f"({row.variant})" for row in ROWS.values()}
    assert scenarios.VALUES.keys() | scenarios.OUTPUTS.keys() | scenarios.WITHOUT_EFFECT.keys() <= ROWS.keys()
    assert {path for path, _ in scenarios.COMPANIONS} <= paths


def test_runs_are_alike_unless_something_is_changed():
    """Two runs of the same configuration must give the same output. Otherwise, every parameter would seem to have an
    effect.
    """
    for output in {scenarios.run, *scenarios.OUTPUTS.values()}:
        config = config_of({"simulation.data": "stored", "nand.cells.set": "tlc_3d_48"})
        assert output(config) == output(config)


VARIANTS = [(name, value) for name, row in ROWS.items() if row.type == "boolean" for value in (True, False)] + CHOICES


@functools.cache
def run_of_variant(name: str, value: Any) -> tuple[ns.Config, Any]:
    """Returns a configuration in which the variant is selected and has an effect, and the results of a run with it."""
    config = with_value(config_of(needs_of(ROWS[name])), ROWS[name], value)
    return config, scenarios.run(config)


def with_another_value(config: ns.Config, name: str) -> ns.Config:
    """Returns the configuration with another value of the parameter: the first that is allowed."""
    row = ROWS[name]
    for value in other_values(row, value_of(config, key_of(row))):
        try:
            return with_value(config, row, value)
        except ns.ConfigError:
            continue
    raise AssertionError(f"no other value of {name} is allowed")


@pytest.mark.parametrize(("name", "value"), VARIANTS)
def test_parameters_without_effect_have_none_with_any_variant(name, value):
    """Checks WITHOUT_EFFECT with each variant. A parameter that only some policies use would seem to have no effect
    with the other policies.
    """
    config, before = run_of_variant(name, value)
    without = [other for other in scenarios.WITHOUT_EFFECT if other != name]
    if scenarios.run(functools.reduce(with_another_value, without, config)) != before:
        wrong = [other for other in without if scenarios.run(with_another_value(config, other)) != before]
        pytest.fail(f"these have an effect: {', '.join(wrong) or 'some of them together'}")


def test_what_needs_a_unit_test_has_one():
    for why in scenarios.WITHOUT_EFFECT.values():
        for path in re.findall(r"tests/\S+", why):
            assert (Path(__file__).parents[2] / path).exists(), path
