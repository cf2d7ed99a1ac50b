# SPDX-License-Identifier: Apache-2.0
"""Tests of the presets of whole drives: their parts are compatible, and ECC and read recovery can read the data of worn
cells.
"""

import sys
from pathlib import Path

import pytest

import nandscape as ns

sys.path.insert(0, str(Path(__file__).parents[2] / "scenarios" / "validation"))

from compared.drives import DRIVES, ENTERPRISE, QUARTER
from compared.keeping import HARD, SOFT, UBER, Keeping

EACH = pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.preset)


def test_all_presets_of_drives_are_compared():
    folder = Path(__file__).parents[2] / "platform" / "presets"
    assert {drive.preset for drive in DRIVES} == {file.stem for file in folder.glob("drive_*.yaml")}


@EACH
def test_it_runs_and_loses_nothing(drive):
    host = ns.run(drive.config, workload=ns.synthetic(read_percent=50, queue_depth=16, requests=500)).stats["host"]
    assert host["all"]["count"] == 500
    assert host["read"]["unrecovered"] == 0


@EACH
def test_cells_and_coding_have_the_same_bits(drive):
    assert ns.Cells(drive.config).pages == drive.bits


@EACH
def test_spare_bytes_hold_the_parity(drive):
    ecc, geometry = drive.config["ecc"], drive.config["nand.geometry"]
    strength = ecc["correctable_bits"] if ecc["codec"] == "bch" else ecc["ldpc_parity_bytes"]
    code = ns.Code(f"{ecc['codec']}_{ecc['codeword_bytes']}_{strength}")
    assert geometry["page_bytes"] // code.payload_bytes * code.parity_bytes <= geometry["spare_bytes"]


@EACH
def test_worn_cells_keep_data_for_three_months(drive):
    keeping = Keeping(drive)
    assert keeping.rber(drive.worn_cycles, keeping.months(QUARTER)) <= keeping.limit


@EACH
def test_worn_drives_read_data_of_three_months(drive):
    worn = {"nand.condition.pe_cycles": drive.worn_cycles, "nand.condition.retention_days": QUARTER.days}
    stats = ns.run(drive.config.override(worn), workload=ns.synthetic(read_percent=100, requests=2000)).stats
    assert stats["host"]["read"]["unrecovered"] == 0


@EACH
def test_limits_are_those_of_the_code(drive):
    limits = Keeping(drive).limits
    assert limits[HARD] == min(limits.values())
    ecc = drive.config["ecc"]
    if ecc["codec"] == "bch":
        assert set(limits) == {HARD}
        bits = {"codeword_bits": 8 * ecc["codeword_bytes"] + 14 * ecc["correctable_bits"], "user_bits": 8192}
        uber = ns.uber(limits[HARD], correctable=ecc["correctable_bits"], **bits)
    else:
        table = ns.code_table(f"ldpc_{ecc['codeword_bytes']}_{ecc['ldpc_parity_bytes']}")
        assert table.uber(limits[SOFT], SOFT) == pytest.approx(UBER, rel=0.01)
        uber = table.uber(limits[HARD])
    assert uber == pytest.approx(UBER, rel=0.01)


def test_three_months_at_40_degrees_are_about_a_year_at_30():
    tlc = next(drive for drive in DRIVES if drive.name == "tlc_3d")
    assert Keeping(tlc).months(ENTERPRISE) == pytest.approx(11.5, abs=0.1)  # at 1.1 eV, data age 3.84 times as fast
    assert Keeping(tlc).months(QUARTER) == pytest.approx(3)


def test_cycles_are_the_last_ones_that_can_be_borne():
    keeping = Keeping(next(drive for drive in DRIVES if drive.name == "tlc_3d"))
    cycles, months = keeping.cycles(ENTERPRISE), keeping.months(ENTERPRISE)
    assert keeping.rber(cycles, months) <= keeping.limit < keeping.rber(1.01 * cycles, months)
    age = keeping.longest_months(cycles)
    assert age == pytest.approx(months, rel=0.02)
