# SPDX-License-Identifier: Apache-2.0
"""Loading, overriding and refusing configurations."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from nandscape import _core
from nandscape.config import raw_bytes


@pytest.mark.parametrize("preset", [name for name, _ in _core.list_presets()])
def test_every_preset_loads_and_says_what_it_is(preset):
    assert ns.load(preset)["simulation.seed"] >= 0
    assert dict(_core.list_presets())[preset]


def test_overrides_and_keyword_groups_say_the_same():
    by_path = ns.load("default", {"nand.timing.t_prog_us": 650, "channel.rate_mt_s": 800})
    by_group = ns.load("default", nand={"timing": {"t_prog_us": 650}}, channel={"rate_mt_s": 800})
    assert by_path == by_group
    assert by_path["channel.rate_mt_s"] == 800
    assert by_path["nand.timing"]["t_prog_us"] == 650


def test_override_leaves_the_original_alone():
    original = ns.load("default")
    changed = original.override({"simulation.seed": 7})
    assert (original["simulation.seed"], changed["simulation.seed"]) == (1, 7)
    assert changed.override({"simulation.seed": 1}) == original


def test_what_a_config_gives_out_is_a_copy():
    config = ns.load("default")
    config.to_dict()["simulation"]["seed"] = 99
    config["simulation"]["seed"] = 99
    assert config["simulation.seed"] == 1


@pytest.mark.parametrize("preset", [name for name, _ in _core.list_presets()])
def test_the_resolved_configuration_loads_to_itself(preset, tmp_path):
    config = ns.load(preset)
    file = tmp_path / "resolved.yaml"
    file.write_text(config.to_yaml())
    assert ns.load(file) == config
    assert ns.load(config.to_dict()) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_a_file_extends_a_preset(tmp_path):
    file = tmp_path / "worn.yaml"
    file.write_text("extends: default\nnand:\n  timing: {t_prog_us: 1500}\n")
    assert ns.load(file) == ns.load("default", {"nand.timing.t_prog_us": 1500})


@pytest.mark.parametrize("name", [name for name, _ in _core.list_cell_sets()])
def test_every_cell_set_loads_to_itself(name, tmp_path):
    config = ns.load("cached", {"nand.cells.set": name})
    file = tmp_path / "resolved.yaml"
    file.write_text(config.to_yaml())
    assert ns.load(file) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_a_cell_set_is_chosen_and_changed():
    mlc = ns.load("cached", {"nand.cells.set": "mlc_planar_15k", "nand.coding": "mlc_13"})
    assert mlc["nand.cells.placement.verify_mv"] == [4044, 6080, 8291]
    changed = mlc.override({"nand.cells.retention.wear_exponent": 0.6})
    assert changed["nand.cells.retention"] == {**mlc["nand.cells.retention"], "wear_exponent": 0.6}
    assert changed.override({"nand.cells.set": "tlc_3d_48", "nand.coding": "tlc_232"}) == ns.load("cached")


def test_a_cell_set_that_is_not_there_names_the_nearest():
    with pytest.raises(ns.ConfigError, match="did you mean mlc_planar_15k") as caught:
        ns.load("default", {"nand.cells.set": "mlc_planar_15"})
    assert caught.value.path == "nand.cells.set"


def test_numpy_scalars_are_numbers():
    plain = ns.load("default", {"nand.timing.t_prog_us": 650.0, "channel.count": 2})
    numpy = ns.load("default", {"nand.timing.t_prog_us": np.float64(650), "channel.count": np.int64(2)})
    assert plain == numpy


def test_raw_bytes_multiplies_the_topology(small):
    assert raw_bytes(small) == 2 * 1 * 2 * 2 * 64 * 96 * 16384


def test_repr_tells_configurations_apart(small):
    assert "2 channels x 1 chips x 2 dies" in repr(small)


def test_an_unknown_key_names_the_nearest_one():
    with pytest.raises(ns.ConfigError, match="t_prog_us") as caught:
        ns.load("default", {"nand.timing.t_porg_us": 650})
    assert "nand.timing.t_porg_us" in str(caught.value)
    assert caught.value.path == "nand.timing.t_porg_us"


def test_a_key_of_a_format_names_the_kind_that_has_formats():
    says = "columns belongs to format csv, and format belongs to kind trace, but kind is synthetic"
    with pytest.raises(ns.ConfigError, match=says):
        ns.load("bare", {"host.workload.kind": "synthetic", "host.workload.columns": ["time_us"]})


def test_an_unknown_key_in_a_file_is_found_by_line(tmp_path):
    file = tmp_path / "typo.yaml"
    file.write_text("extends: default\nnand:\n  timing:\n    t_porg_us: 650\n")
    with pytest.raises(ns.ConfigError, match=r"typo\.yaml:4.*nand\.timing\.t_porg_us.*t_prog_us"):
        ns.load(file)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("nand.timing.t_prog_us", -1),
        ("channel.count", "many"),
        ("simulation.cells", "perfect"),
        ("controller.mapping.over_provisioning", 0.0),
        ("simulation.seed", 1 << 70),
    ],
)
def test_values_that_cannot_be_are_refused_by_key(path, value):
    with pytest.raises(ns.ConfigError):
        ns.load("default", {path: value})


def test_a_preset_that_is_not_there_is_refused():
    with pytest.raises(ns.ConfigError, match="defualt"):
        ns.load("defualt")


@pytest.mark.parametrize("tree", [{1: 2}, {"simulation": {"seed": object()}}])
def test_objects_that_no_configuration_holds_are_type_errors(tree):
    with pytest.raises(TypeError):
        ns.load(tree)


def test_a_missing_key_names_the_nearest_one():
    config = ns.load("default")
    with pytest.raises(KeyError, match=r"nand\.timing\.t_prog_us"):
        config["nand.timing.t_porg_us"]
    assert "nand.timing.t_prog_us" in config
    assert "nand.timing.t_porg_us" not in config


def test_errors_are_value_errors_of_one_family():
    for error in (ns.ConfigError, ns.InputError, ns.RequestError):
        assert issubclass(error, ns.Error)
    assert issubclass(ns.Error, ValueError)
    assert pickle.loads(pickle.dumps(ns.ConfigError("wrong", path="a.b"))).path == "a.b"


def test_workloads_are_plain_descriptions():
    assert ns.synthetic(read_percent=30) == {"kind": "synthetic", "read_percent": 30}
    assert ns.trace(Path("web.csv")) == {"kind": "trace", "path": "web.csv"}


def test_a_configuration_is_a_mapping_of_its_values(tmp_path):
    config = ns.load("bare")
    values = dict(config)
    assert len(values) == len(config)
    assert values["nand.timing.t_prog_us"] == config["nand.timing.t_prog_us"]
    assert all(config[path] == value for path, value in values.items())
    assert "nand.timing" in config
    assert config.get("nand.timing.t_prog", "none") == "none"
    again = ns.load(config.to_dict())
    assert hash(again) == hash(config)
    assert {config: "drive"}[again] == "drive"
    other = config.override({"nand.timing.t_prog_us": 900, "host.workload": [ns.synthetic(), ns.synthetic()]})
    changed = config.diff(other)
    assert changed["nand.timing.t_prog_us"] == (config["nand.timing.t_prog_us"], 900)
    assert changed["host.workload.1.kind"] == (None, "synthetic")
    assert config.diff(again) == {}


def test_a_configuration_is_saved(tmp_path):
    config = ns.load("bare", {"nand.timing.t_prog_us": 900})
    config.save(tmp_path / "drive.yaml")
    assert ns.load(tmp_path / "drive.yaml") == config
    with pytest.raises(ValueError, match=r"drive\.json: a configuration is written as \.yaml or \.yml"):
        config.save(tmp_path / "drive.json")


def test_what_can_be_named_is_listed():
    assert "bare" in ns.presets()
    (row,) = ns.parameters("nand.timing.t_prog_us")
    assert (row.unit, row.type) == ("us", "real")
    assert {row.key for row in ns.parameters()} > {"channel.count", "host.workload.queue_depth"}
    names = [row.name for row in ns.statistics("uber", "bare")]
    assert "host.uber_low" in names
