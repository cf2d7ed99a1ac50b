# SPDX-License-Identifier: Apache-2.0
"""Tests that showing a file does not load a library that the file names, and that running a saved result or a
checkpoint with such a library needs permission.
"""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from option_files import plugin

KEYS = {
    "ecc.plugin": {},
    "ecc.background.plugin": {},
    "controller.content.plugin": {"controller.write_mode.by_content": True},
}
WANTED = r"names the plug-in .*allow_plugins=True"


@pytest.fixture
def mark(tmp_path, monkeypatch) -> Path:
    """The path of a file that the library creates when it is loaded."""
    monkeypatch.setenv("NANDSCAPE_TEST_MARK", str(tmp_path / "ran"))
    return tmp_path / "ran"


@pytest.fixture
def hamming(tmp_path) -> str:
    """The path of a plug-in, in the same folder as the files that name it."""
    return str(shutil.copy(plugin("hamming"), tmp_path / "mine.so"))


def small(**keys) -> ns.Config:
    workload = {"host.workload": [ns.synthetic(requests=20)]}
    return ns.load("bare", SMALL_DEVICE | workload | {"simulation.data": "stored"} | keys)


def with_plugin(path: str) -> ns.Config:
    return small(**{"ecc.plugin": path, "ecc.decoder": "bit_true", "ecc.codeword_bytes": 64})


def sent(folder: Path, name: str, key: str, library: str, **keys) -> Path:
    """Writes a saved result whose configuration names a library, and returns its path."""
    file = folder / name
    ns.run(small(**keys)).save(file)
    if file.suffix == ".json":
        document = json.loads(file.read_text())
        group = document["configuration"]
        *groups, last = key.split(".")
        for part in groups:
            group = group[part]
        group[last] = library
        file.write_text(json.dumps(document))
    return file


@pytest.mark.parametrize("key", KEYS)
def test_a_result_is_looked_at_without_the_library_that_it_names(tmp_path, mark, command, key):
    shutil.copy(plugin("leaves_a_mark"), tmp_path / "evil.so")
    good = tmp_path / "good.json"
    ns.run(small()).save(good)
    bad = sent(tmp_path, "bad.json", key, "./evil.so")
    result = ns.Result.load(bad)
    assert result.config[key] == str(tmp_path / "evil.so"), "the path counts from the file that names it"
    assert result.config.foreign_plugins() == {key: str(bad)}
    assert pickle.loads(pickle.dumps(result.config)).foreign_plugins() == {key: str(bad)}
    result.draw.latencies()
    for arguments in (["compare", good, bad], ["report", good, bad], ["config", bad]):
        done = command(*arguments)
        assert done.returncode == 0, done.stderr
    assert not mark.exists()

    for run in (
        lambda: ns.run(result.config),
        lambda: ns.run(bad),
        lambda: ns.Simulation(result.config.override({"simulation.seed": 3})),
        lambda: ns.Simulation(pickle.loads(pickle.dumps(result.config))),
        lambda: ns.Cells(bad),
        lambda: ns.sweep(bad, {"simulation.quantum_us": [1, 2]}, metrics=["host.iops"]),
    ):
        with pytest.raises(ns.ConfigError, match=WANTED) as refused:
            run()
        assert refused.value.path == key
        assert str(bad) in str(refused.value)
    (tmp_path / "on.yaml").write_text("extends: bad.json\n")
    for arguments in (["run", bad], ["run", "on.yaml"], ["profile-rpt", bad]):
        done = command(*arguments)
        assert done.returncode == 2
        assert "--allow-plugins" in done.stderr
    assert not mark.exists()


def test_what_a_result_extends_has_no_more_rights_than_it(tmp_path, mark):
    shutil.copy(plugin("leaves_a_mark"), tmp_path / "evil.so")
    (tmp_path / "evil.yaml").write_text("extends: bare\necc: {plugin: ./evil.so}\n")
    (tmp_path / "bad.json").write_text(
        json.dumps({"configuration": {"extends": "evil.yaml"}, "statistics": {"host": {}}})
    )
    with pytest.raises(ns.ConfigError, match=WANTED):
        ns.run(tmp_path / "bad.json")
    with pytest.raises(ns.ConfigError):
        ns.Simulation(ns.Result.load(tmp_path / "bad.json").config)
    assert not mark.exists()


def test_with_a_permission_the_library_is_loaded(tmp_path, hamming, command):
    original = ns.run(with_plugin(hamming))
    for name in ("result.json", "result.npz"):
        original.save(tmp_path / name)
        for config in (ns.load(tmp_path / name, allow_plugins=True),
                       ns.load(ns.Result.load(tmp_path / name).config, allow_plugins=True),
                       ns.Result.load(tmp_path / name).config.override({"ecc.plugin": hamming})):  # fmt: skip
            assert config.foreign_plugins() == {}
            assert ns.run(config).stats["host"] == original.stats["host"]
        assert ns.run(tmp_path / name, allow_plugins=True).stats["host"] == original.stats["host"]
        with pytest.raises(ns.ConfigError, match=WANTED):
            ns.steady_state(tmp_path / name)
        assert (
            "steady"
            in ns.steady_state(tmp_path / name, workload=ns.synthetic(read_percent=100), allow_plugins=True).verdict
        )
    assert command("run", "result.npz", "--no-progress").returncode == 2
    assert command("run", "result.npz", "--no-progress", "--allow-plugins").returncode == 0
    given = command("run", "result.npz", "--no-progress", f"--set=ecc.plugin={hamming}")
    assert given.returncode == 0, given.stderr


def test_without_its_plugin_a_result_runs_unasked(tmp_path, hamming):
    ns.run(with_plugin(hamming)).save(tmp_path / "result.json")
    without = {"ecc.plugin": "", "ecc.decoder": "threshold"}
    assert ns.run(ns.load(tmp_path / "result.json", without)).stats["host"]["all"]["count"] == 20


def test_a_configuration_of_the_users_own_needs_no_permission(tmp_path, hamming, mark, command):
    shutil.copy(plugin("leaves_a_mark"), tmp_path / "evil.so")
    file = tmp_path / "own.yaml"
    file.write_text("extends: bare\nsimulation: {data: stored}\necc: {decoder: bit_true, plugin: ./mine.so}\n")
    assert ns.load(file)["ecc.plugin"] == hamming
    assert command("run", file, "--no-progress", "--set=host.workload.requests=20").returncode == 0
    # Showing a configuration loads no library.
    file.write_text("extends: bare\nsimulation: {data: stored}\necc: {decoder: bit_true, plugin: ./evil.so}\n")
    printed = command("config", file)
    assert printed.returncode == 0, printed.stderr
    assert str(tmp_path / "evil.so") in printed.stdout
    refused = command("show", file, "--hierarchy")
    assert refused.returncode == 2
    assert "--allow-plugins" in refused.stderr
    assert not mark.exists()


def test_a_checkpoint_asks(tmp_path, hamming, command):
    simulation = ns.Simulation(with_plugin(hamming))
    simulation.write(0, bytes(16384), fua=True)
    simulation.checkpoint(tmp_path / "drive")
    with pytest.raises(ns.ConfigError, match=WANTED):
        ns.Simulation.restore(tmp_path / "drive")
    assert ns.Simulation.restore(tmp_path / "drive", allow_plugins=True).read(0, 16384) == bytes(16384)
    assert ns.Simulation.restore(tmp_path / "drive", {"ecc.plugin": hamming}).read(0, 16384) == bytes(16384)
    assert command("run", "--restore", "drive", "--no-progress").returncode == 2
    assert command("run", "--restore", "drive", "--no-progress", "--allow-plugins").returncode == 0
    grid = {"host.workload.queue_depth": [1, 2]}
    swept = ns.sweep(with_plugin(hamming), grid, warm_start=tmp_path / "drive", metrics=["host.iops"], progress=False)
    assert swept["error"].isna().all()
    with pytest.raises(ns.ConfigError, match=WANTED):
        ns.sweep(small(), grid, warm_start=tmp_path / "drive", metrics=["host.iops"], progress=False)


def test_a_table_of_measurements_is_read_without_the_plugin_that_it_is_of(tmp_path, mark, command):
    arguments = ["--output", "mine.yaml", "--quick", "--levels=1", "--threads=1", "--no-progress"]
    assert command("characterize-ecc", f"plugin_512:{plugin('hamming')}", *arguments).returncode == 0
    text = (tmp_path / "mine.yaml").read_text()
    (tmp_path / "evil.yaml").write_text(text.replace(plugin("hamming"), plugin("leaves_a_mark")))
    assert ns.code_table(tmp_path / "evil.yaml").failure_probability(1) == 0
    with pytest.raises(ns.ConfigError, match="holds measurements of plugin_512:"):
        small(**{"ecc.table": str(tmp_path / "evil.yaml"), "ecc.decoder": "table"})
    assert not mark.exists()


UNPICKLE: list[Callable[[Path], object]] = [ns.Result.load, ns.load, ns.Simulation.restore, ns.code_table]


@pytest.mark.parametrize("read", UNPICKLE)
def test_no_reader_of_files_unpickles(tmp_path, read):
    class Runs:
        def __reduce__(self):
            return Path(tmp_path / "ran").touch, ()

    import numpy as np

    archive = tmp_path / "requests.npz"
    ns.run(small()).save(archive)
    with np.load(archive) as kept:
        columns = {name: kept[name] for name in kept.files}
    columns["kind"] = np.array([Runs()], dtype=object)
    np.savez(archive, **columns)
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps(Runs()))
    for file in (archive, tmp_path / "pickle.npz"):
        with pytest.raises(ns.Error):
            read(file)
    assert not (tmp_path / "ran").exists()


def test_the_program_without_python_asks(tmp_path, hamming):
    program = Path(__file__).parents[2] / "build" / "release" / "platform" / "nandscape-sim"
    if not program.exists():
        pytest.skip("nandscape-sim is not built")
    ns.run(with_plugin(hamming)).save(tmp_path / "result.json")
    for permission, status in (([], 2), (["--allow-plugins"], 0)):
        done = subprocess.run([program, tmp_path / "result.json", *permission], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
