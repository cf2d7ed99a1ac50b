# SPDX-License-Identifier: Apache-2.0
"""Tests of the CRC that is stored in addition to the parity: data that a weak code miscorrects must not reach the host
as good data.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import nandscape as ns

SMALL = {
    "channel.count": 1,
    "nand.geometry.blocks_per_plane": 32,
    "nand.geometry.pages_per_block": 48,
    "controller.mapping.over_provisioning": 0.5,
    "controller.precondition.occupancy": 0,
    "simulation.data": "stored",
    "simulation.cells": "statistical",
    "ecc.decoder": "bit_true",
}
# A weak code, which corrects 3 errors in 512 bytes. The cells have about as many errors.
WEAK = {
    "controller.read_retry.policy": "none", "ecc.codec": "bch", "ecc.codeword_bytes": 512, "ecc.correctable_bits": 3,
}  # fmt: skip
PAGE_BYTES = 16384
SECTORS = PAGE_BYTES // 512


def written(overrides, pages=400):
    """Returns a drive and the data that were written to its first pages."""
    drive = ns.Simulation(ns.load("bare", SMALL | overrides))
    random = np.random.default_rng(3)
    data = [random.bytes(PAGE_BYTES) for _ in range(pages)]
    for k, page in enumerate(data):
        drive.write(lba=SECTORS * k, data=page)
    drive.flush()
    return drive, data


def outcomes(drive, data, nbytes=PAGE_BYTES):
    """Reads all pages, or the first `nbytes` of each. Returns how many reads were correct, failed, and returned wrong
    data.
    """
    right = failed = wrong = 0
    for k, page in enumerate(data):
        try:
            got = drive.read(lba=SECTORS * k, nbytes=nbytes)
        except ns.RequestError:
            failed += 1
            continue
        right += got == page[:nbytes]
        wrong += got != page[:nbytes]
    return right, failed, wrong


def test_without_a_crc_wrong_data_reach_the_host_and_with_one_they_fail():
    right, failed, wrong = outcomes(*written(WEAK | {"ecc.crc_bits": 0}, pages=1000))
    assert wrong > 0
    drive, data = written(WEAK, pages=1000)
    assert outcomes(drive, data) == (right, failed + wrong, 0)
    ecc = drive.stats()["ecc"]
    assert ecc["miscorrected"] == ecc["crc_detected"] >= wrong
    assert ecc["escaped"] == 0
    assert ecc["expected_escapes"] == pytest.approx(ecc["miscorrected"] * 2**-32)


@pytest.mark.parametrize("crc_bits", [16, 32, 64])
def test_no_width_takes_good_data_for_wrong(crc_bits):
    drive, data = written({"ecc.codec": "bch", "ecc.crc_bits": crc_bits}, pages=100)
    assert outcomes(drive, data) == (100, 0, 0)
    assert outcomes(drive, data, nbytes=4096) == (100, 0, 0), "a part of a page is checked by itself"
    assert drive.stats()["ecc"]["crc_detected"] == 0


def test_a_miscorrection_goes_the_way_of_a_failed_decode():
    retries = WEAK | {"controller.read_retry.policy": "regular"}
    drive, data = written(retries, pages=1000)
    right, _, wrong = outcomes(drive, data)
    assert wrong == 0
    stats = drive.stats()
    assert stats["ecc"]["crc_detected"] > 0
    assert right > 500, "another step of the retry table reads it"
    assert stats["controller"]["read_retry"]["retried_reads"] > 0


@pytest.mark.parametrize(
    "overrides",
    [
        {"simulation.cells": "per_cell", "nand.geometry.pages_per_block": 24},
        {"ecc.selection": "by_source", "ecc.background.codec": "bch", "ecc.background.codeword_bytes": 4096,
         "ecc.background.correctable_bits": 60},
        {"ecc.codec": "ldpc", "ecc.codeword_bytes": 4096, "controller.read_retry.policy": "recovery_flow",
         "nand.condition.pe_cycles": 2000, "nand.condition.retention_days": 200},
        {"ecc.codec": "bch", "ecc.scrambler": False},
    ],
    ids=["cells one by one", "two codes", "soft reads", "not scrambled"],
)  # fmt: skip
def test_data_come_back_over_every_way_of_reading(overrides):
    drive, data = written(overrides, pages=60)
    assert outcomes(drive, data) == (60, 0, 0)
    assert drive.stats()["ecc"]["crc_detected"] == 0


def test_a_page_of_parity_has_the_sum_of_the_crcs():
    # The code corrects one error more than WEAK, so that some of the failed pages can be rebuilt from the other pages
    # of their stripe.
    weak = WEAK | {"ecc.correctable_bits": 4, "controller.parity.stripe_dies": 4}
    drive, data = written(weak, pages=1000)
    _, failed, wrong = outcomes(drive, data)
    assert wrong == 0
    stats = drive.stats()
    assert stats["controller"]["parity"]["rebuilds"] > failed / 4
    assert stats["ecc"]["crc_detected"] > 0


def test_crcs_outlast_a_power_cut_and_a_checkpoint(tmp_path):
    drive, data = written({"ecc.codec": "bch"}, pages=80)
    drive.power_cut()
    drive.power_on()
    assert outcomes(drive, data) == (80, 0, 0)
    drive.checkpoint(tmp_path / "drive")
    assert outcomes(ns.Simulation.restore(tmp_path / "drive"), data) == (80, 0, 0)


def test_tables_count_what_escapes():
    # The code corrects 3 errors in 128 bytes, and the cells have more. Data are not stored here, so the table's error
    # rates determine whether a codeword is miscorrected.
    table = {
        "simulation.data": "none", "ecc.decoder": "table", "ecc.codec": "bch", "ecc.codeword_bytes": 128,
        "ecc.correctable_bits": 3, "nand.geometry.spare_bytes": 2208, "controller.read_retry.policy": "none",
        "nand.condition.pe_cycles": 2000, "nand.condition.retention_days": 60, "host.workload.requests": 300,
        "host.workload.read_percent": 100, "controller.precondition.occupancy": 1,
    }  # fmt: skip
    found = {}
    for crc_bits in (0, 32):
        ecc = ns.run(ns.load("bare", SMALL | table | {"ecc.crc_bits": crc_bits})).stats["ecc"]
        found[crc_bits] = ecc
    # The expected share of miscorrected codewords among those that fail is 2.3 %: (1 + C(1057, 1) + C(1057, 2) +
    # C(1057, 3)) / 2^33.
    share = (1 + 1057 + math.comb(1057, 2) + math.comb(1057, 3)) / 2**33
    assert found[0]["miscorrected"] == found[0]["escaped"] > 0
    assert found[0]["escaped"] == pytest.approx(
        found[0]["expected_escapes"], abs=5 * math.sqrt(found[0]["expected_escapes"])
    )
    assert found[32]["expected_escapes"] / 2**-32 == pytest.approx(
        found[32]["miscorrected"], abs=5 * math.sqrt(found[32]["miscorrected"])
    )
    assert found[0]["expected_escapes"] >= share * found[0]["failed_decodes"], "several codewords of a page fail"
    assert found[32]["miscorrected"] == found[32]["crc_detected"] > 0
    assert found[32]["escaped"] == 0
    assert found[32]["failed_decodes"] >= found[0]["failed_decodes"]


def test_a_threshold_expects_escapes_in_closed_form_and_nothing_else_changes():
    weak = {
        "simulation.cells": "statistical", "ecc.correctable_bits": 10, "nand.condition.pe_cycles": 1500,
        "nand.condition.retention_days": 30, "host.workload.requests": 300, "host.workload.read_percent": 100,
        "controller.precondition.occupancy": 1,
    }  # fmt: skip
    stats = {}
    for crc_bits in (0, 16):
        stats[crc_bits] = ns.run(ns.load("bare", weak | {"ecc.crc_bits": crc_bits})).stats
        ecc = stats[crc_bits]["ecc"]
        assert ecc["failed_decodes"] > 0
        assert ecc["expected_escapes"] == pytest.approx(
            ecc["failed_decodes"] / math.factorial(10) * 2.0**-crc_bits, rel=1e-9
        )
        assert ecc["miscorrected"] == ecc["escaped"] == 0
    assert stats[0]["host"] == stats[16]["host"]


def test_errors_say_what_would_be_right():
    with pytest.raises(ns.ConfigError, match=r"ecc\.crc_bits: is 24; it must be 16, 32 or 64, or 0 for none"):
        ns.Simulation(ns.load("bare", SMALL | {"ecc.crc_bits": 24}))
    with pytest.raises(ns.ConfigError, match=r"for parity and 64 for CRCs \(ecc\.crc_bits\).* is 2016"):
        ns.Simulation(ns.load("bare", SMALL | {"nand.geometry.spare_bytes": 2016}))
    with pytest.warns(ns.ConfigWarning, match=r"ecc\.crc_bits does nothing, since ecc\.decoder is steps"):
        ns.Simulation(ns.load("bare", {"ecc.crc_bits": 16, "ecc.decoder": "steps"}))
