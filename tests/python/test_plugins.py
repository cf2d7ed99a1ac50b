# SPDX-License-Identifier: Apache-2.0
"""Tests of plug-ins in a whole drive: codecs and content engines, which are compiled as their authors would compile
them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nandscape as ns
from conftest import SMALL_DEVICE
from option_files import plugin
from test_content_writes import Drive

PAGE = 16384


@pytest.fixture(scope="module")
def hamming() -> str:
    return plugin("hamming")


@pytest.fixture
def drive(hamming) -> ns.Config:
    """A drive whose codewords of 64 bytes have at most one error each."""
    return ns.load(
        "bare",
        SMALL_DEVICE
        | {
            "simulation.data": "stored",
            "simulation.cells": "per_cell",
            "nand.geometry.blocks_per_plane": 16,
            "nand.geometry.pages_per_block": 24,
            "controller.mapping.over_provisioning": 0.7,
            "controller.precondition.occupancy": 0,
            "nand.cells.set": "slc_3d",
            "nand.coding": "slc",
            "nand.condition.pe_cycles": 11_000,
            "ecc.decoder": "bit_true",
            "ecc.codeword_bytes": 64,
            "ecc.plugin": hamming,
        },
    )


def test_a_codec_corrects_what_ages_in_the_drive(drive):
    simulation = ns.Simulation(drive)
    random = np.random.default_rng(1)
    pages = [random.bytes(PAGE) for _ in range(16)]
    for k, page in enumerate(pages):
        simulation.write(32 * k, page, fua=True)
    simulation.advance("2w")
    assert [simulation.read(32 * k, PAGE) for k in range(len(pages))] == pages
    ecc = simulation.stats()["ecc"]
    assert ecc["corrected_bits"] > 0
    assert ecc["failed_decodes"] == ecc["miscorrected"] == 0


def test_a_checkpoint_names_the_library(drive, tmp_path):
    library = tmp_path / "mine.so"
    library.write_bytes(Path(drive["ecc.plugin"]).read_bytes())
    simulation = ns.Simulation(drive.override({"ecc.plugin": str(library)}))
    simulation.write(0, bytes(PAGE), fua=True)
    simulation.checkpoint(tmp_path / "state")
    assert ns.Simulation.restore(tmp_path / "state", allow_plugins=True).read(0, PAGE) == bytes(PAGE)
    library.unlink()
    with pytest.raises(ns.ConfigError, match=r"there is no file.*mine\.so"):
        ns.Simulation.restore(tmp_path / "state", allow_plugins=True)


def test_a_path_counts_from_the_file_that_names_it(hamming, tmp_path):
    (tmp_path / "mine.so").write_bytes(Path(hamming).read_bytes())
    file = tmp_path / "drive.yaml"
    file.write_text("extends: bare\nsimulation: {data: stored}\necc: {decoder: bit_true, plugin: ./mine.so}\n")
    assert ns.load(str(file))["ecc.plugin"] == str(tmp_path / "mine.so")


def test_what_does_not_count_is_told(hamming):
    with pytest.warns(ns.ConfigWarning, match="ecc.codec does nothing, since ecc.plugin is given"):
        ns.Simulation(ns.load("bare", {"ecc.plugin": hamming, "ecc.codec": "ldpc"}))


def test_a_code_is_called_by_its_path(hamming):
    code = ns.Code(f"plugin_64:{hamming}")
    assert (code.payload_bytes, code.codeword_bits, code.correctable_bits) == (64, 522, 1)
    payload = np.random.default_rng(2).bytes(64)
    parity = code.encode(payload)
    wrong = bytes([payload[0] ^ 4]) + payload[1:]
    assert code.decode(wrong, parity).payload == payload


def test_a_code_is_measured_and_its_table_decodes(hamming, command, tmp_path):
    code = f"plugin_512:{hamming}"
    arguments = ["--output", "mine.yaml", "--quick", "--levels=1", "--threads=1", "--no-progress"]
    measured = command("characterize-ecc", code, *arguments)
    assert measured.returncode == 0, measured.stderr
    table = ns.code_table(tmp_path / "mine.yaml")
    assert table.code == code
    assert table.failure_probability(1) == 0
    assert table.failure_probability(2) > 0.5
    config = ns.load(
        "bare",
        SMALL_DEVICE
        | {
            "simulation.cells": "statistical",
            "ecc.decoder": "table",
            "ecc.codeword_bytes": 512,
            "ecc.plugin": hamming,
            "ecc.table": str(tmp_path / "mine.yaml"),
            "host.workload": [ns.synthetic(requests=50)],
        },
    )
    assert ns.run(config).stats["host"]["all"]["count"] == 50
    with pytest.raises(ns.ConfigError, match=r"holds measurements of plugin_512:.*and the code is plugin_1024:"):
        config.override({"ecc.codeword_bytes": 1024})
    text = (tmp_path / "mine.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("guaranteed_errors: 1\n", ""))
    with pytest.raises(ns.ConfigError, match=r"mine\.yaml: guaranteed_errors: is missing"):
        ns.code_table(tmp_path / "mine.yaml")


def test_an_exception_of_a_plugin_ends_the_call_that_it_was_thrown_in(drive):
    options = {"ecc.plugin": plugin("misbehaving"), "ecc.plugin_options": "throw in encode"}
    simulation = ns.Simulation(drive.override(options))
    with pytest.raises(ns.InputError, match=r"misbehaving\.so: the plug-in threw an exception in encode"):
        simulation.write(0, bytes(PAGE), fua=True)


def test_a_content_engine_says_how_fast_pages_are_programmed():
    def steps(**changes) -> list:
        drive = Drive(**changes)
        drive.fill(32)
        return [drive.simulation.stats()["nand"], drive.simulation.now_us]

    engine = {"controller.content.plugin": plugin("content")}
    assert steps(**engine) == steps(**{"controller.content.bound": "exact"})
    assert steps(**engine) != steps(**engine | {"controller.content.plugin_options": "slow"})
