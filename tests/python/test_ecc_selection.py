# SPDX-License-Identifier: Apache-2.0
"""Tests of drives with several codes: each page must be encoded with the right code, and its data must be read back
correctly.
"""

import random

import numpy as np
import pytest

import nandscape as ns

PAGE = 4096

DRIVE = {
    "simulation.data": "stored",
    "channel.count": 2,
    "nand.geometry.chips_per_channel": 1,
    "nand.geometry.planes_per_die": 2,
    "nand.geometry.blocks_per_plane": 12,
    "nand.geometry.pages_per_block": 12,
    "nand.geometry.page_bytes": PAGE,
    "nand.geometry.spare_bytes": 544,
    "controller.mapping.over_provisioning": 1.1,
    "controller.precondition.occupancy": 0,
    "ecc.selection": "by_source",
    "ecc.codeword_bytes": 1024,
    "ecc.correctable_bits": 16,
}
# Most pages have errors on these cells, but both codes can correct them.
WORN = {"nand.cells.set": "tlc_3d_48", "nand.condition.pe_cycles": 200}

DECODERS = [
    ("threshold", "ideal"),
    ("threshold", "statistical"),
    ("table", "statistical"),
    ("table", "per_cell"),
    ("bit_true", "statistical"),
    ("bit_true", "per_cell"),
]


class Drive:
    """A drive and the data that it must contain."""

    def __init__(self, changes, units=None, content=None):
        self.config = ns.load("bare", changes)
        self.simulation = ns.Simulation(self.config)
        self.random = random.Random(11)
        self.content = content or self.random.randbytes
        self.units = units or self.simulation.capacity_bytes // PAGE
        self.data = {}
        for unit in range(self.units):
            self.write(unit)

    def write(self, unit):
        self.data[unit] = self.content(PAGE)
        self.simulation.write(unit * PAGE // 512, self.data[unit])

    def overwrite(self, count):
        for _ in range(count):
            self.write(self.random.randrange(self.units))

    def come_to_rest(self):
        self.simulation.run_until(int(self.simulation.now_us * 1e6) + 10**12)

    def wrong(self):
        read = self.simulation.read
        return [unit for unit, data in self.data.items() if read(unit * PAGE // 512, PAGE) != data]

    def ecc(self):
        return self.simulation.stats()["ecc"]


# --- by source of the write


@pytest.mark.parametrize(("decoder", "cells"), DECODERS)
def test_moved_pages_come_back_by_the_code_of_background(decoder, cells):
    drive = Drive(DRIVE | WORN | {"ecc.decoder": decoder, "simulation.cells": cells})
    drive.overwrite(300)
    drive.come_to_rest()
    ecc = drive.ecc()
    controller = drive.simulation.stats()["controller"]
    assert controller["gc"]["moved_units"] > 50
    written = controller["host_pages"] + controller["padding_pages"]
    assert ecc["ordinary"]["encoded_pages"] == written
    assert ecc["background"]["encoded_pages"] == controller["programmed_pages"] - written
    assert drive.wrong() == []
    ecc = drive.ecc()
    assert ecc["ordinary"]["decoded_pages"] > 0
    assert ecc["background"]["decoded_pages"] > 50
    if cells != "ideal":
        assert ecc["ordinary"]["corrected_bits"] > 0
        assert ecc["background"]["corrected_bits"] > 0


def test_parts_of_pages_and_mapping_units_come_back():
    for unit_bytes in (0, 8192):
        changes = {
            "nand.geometry.page_bytes": 16384,
            "nand.geometry.spare_bytes": 2208,
            "controller.mapping.unit_bytes": unit_bytes,
            "ecc.decoder": "bit_true",
            "simulation.cells": "statistical",
        }
        drive = Drive(DRIVE | WORN | changes)
        drive.overwrite(400)
        assert drive.ecc()["background"]["encoded_pages"] > 0
        assert drive.wrong() == []
        for _ in range(100):
            unit, sector = drive.random.randrange(drive.units), drive.random.randrange(8)
            part = drive.simulation.read(unit * 8 + sector, 512)
            assert part == drive.data[unit][512 * sector :][:512]


@pytest.mark.parametrize("seed", range(4))
def test_codes_are_known_after_power_cuts(seed):
    """The power fails at random times during writes and the garbage collection that they cause."""
    drive = Drive(DRIVE | WORN | {"ecc.decoder": "bit_true", "simulation.cells": "statistical"})
    cut_at_random_instants(drive, random.Random(seed))
    assert drive.ecc()["background"]["decoded_pages"] > 0


def cut_at_random_instants(drive, when):
    for _ in range(6):
        drive.overwrite(20)
        unanswered = {}
        for _ in range(10):
            unit = drive.random.randrange(drive.units)
            if unit in unanswered:
                continue
            unanswered[unit] = drive.content(PAGE)
            drive.simulation.start_write(unit * PAGE // 512, unanswered[unit])
        drive.simulation.run_until(int(drive.simulation.now_us * 1000 + when.uniform(0, 5e6)) * 1000)
        drive.simulation.power_cut()
        drive.simulation.power_on()
        for unit, data in unanswered.items():
            read = drive.simulation.read(unit * PAGE // 512, PAGE)
            assert read in (data, drive.data[unit])
            drive.data[unit] = read
        assert drive.wrong() == []


def test_checkpoints_know_codes(tmp_path):
    drive = Drive(DRIVE | WORN | {"ecc.decoder": "bit_true", "simulation.cells": "statistical"})
    drive.overwrite(200)
    drive.simulation.checkpoint(tmp_path / "drive")
    drive.simulation = ns.Simulation.restore(tmp_path / "drive")
    assert drive.wrong() == []
    drive.overwrite(100)
    assert drive.wrong() == []
    with pytest.raises(ns.ConfigError, match=r"ecc\.background\.ldpc_parity_bytes"):
        ns.Simulation.restore(tmp_path / "drive", {"ecc.background.ldpc_parity_bytes": 480})


def test_copyback_keeps_the_code():
    drive = Drive(
        DRIVE
        | WORN
        | {
            "ecc.decoder": "bit_true",
            "simulation.cells": "statistical",
            "controller.garbage_collection.copyback": True,
            "controller.garbage_collection.copyback_limit": 2,
            "nand.condition.pe_cycles": 50,
        }
    )
    drive.overwrite(400)
    assert drive.simulation.stats()["controller"]["scheduler"]["copybacks"] > 20
    assert drive.wrong() == []


def write_mb_s(changes):
    """Returns the rate of random writes to a full drive in 1e6 bytes per second, and the statistics."""
    config = ns.load(
        "bare",
        DRIVE
        | {
            "simulation.data": "none",
            "nand.timing.t_prog_us": 200,
            "controller.precondition.occupancy": 1,
            "controller.precondition.distribution": "steady_state",
            "nand.geometry.blocks_per_plane": 32,
            "nand.geometry.pages_per_block": 48,
            "host.workload": [{"requests": 4000, "read_percent": 0, "block_bytes": 4096, "queue_depth": 32}],
        }
        | changes,
    )
    stats = ns.run(config).stats
    return stats["host"]["write"]["bytes"] / stats["host"]["window_s"] / 1e6, stats


def test_an_encoder_for_all_writes_limits_them_and_one_for_background_writes_only_those():
    """Checks the write rate that one LDPC encoder allows, as in Figures 11 and 12 of the paper on retention relaxation
    (Liu et al.).
    """
    encoder = {"engines": "shared_encoder", "encode_mb_s": 4, "encode_fifo_pages": 4}
    for_all, all_stats = write_mb_s(
        {"ecc.selection": "uniform"} | {f"ecc.{key}": value for key, value in encoder.items()}
    )
    written = all_stats["controller"]["programmed_pages"] * PAGE
    assert written / all_stats["host"]["window_s"] / 1e6 == pytest.approx(4, rel=0.05)
    background, stats = write_mb_s({f"ecc.background.{key}": value for key, value in encoder.items()})
    moved = stats["ecc"]["background"]["encoded_pages"] * PAGE
    assert moved / stats["host"]["window_s"] / 1e6 == pytest.approx(4, rel=0.05)
    # On average, garbage collection moves `amplification - 1` pages for each page of the host.
    amplification = stats["controller"]["write_amplification"]
    assert background == pytest.approx(4 / (amplification - 1), rel=0.1)
    assert background > 1.5 * for_all
    unlimited, _ = write_mb_s({f"ecc.background.{key}": value for key, value in (encoder | {"encode_mb_s": 0}).items()})
    assert unlimited > background


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"controller.parity.stripe_dies": 2}, "stripe_dies"),
        ({"ecc.background.codeword_bytes": 1536}, "whole number"),
        (
            {"nand.geometry.page_bytes": 12288, "ecc.codeword_bytes": 3072, "ecc.background.codeword_bytes": 4096},
            "do not align",
        ),
        ({"ecc.decoder": "bit_true", "nand.geometry.spare_bytes": 511}, "ecc.background.codec"),
        (
            {"ecc.decoder": "table", "ecc.background.codec": "bch", "ecc.background.correctable_bits": 30},
            "ecc.background.table",
        ),
        (
            {
                "nand.geometry.page_bytes": 16384,
                "controller.mapping.unit_bytes": 4096,
                "ecc.background.codeword_bytes": 8192,
            },
            "unit_bytes",
        ),
    ],
)
def test_settings_that_contradict_two_codes_are_refused(changes, message):
    with pytest.raises(ns.ConfigError, match=message):
        ns.Simulation(ns.load("bare", DRIVE | changes))


# --- by content

SEGMENTS = {
    "nand.coding": "mlc_13",
    "nand.cells.set": "mlc_planar_15k",
    "nand.condition.pe_cycles": 8000,
    "nand.geometry.spare_bytes": 544,
    "ecc.selection": "cdber",
    "ecc.codeword_bytes": PAGE,
    "ecc.correctable_bits": 55,
    "ecc.decode_time": "codewords",
    "ecc.t_codeword_us": 41.2,
    "ecc.scrambler": False,
}
ALL_SEGMENTS = {
    "ecc.segments.correctable_bits": [29, 16, 9, 5, 3],
    "ecc.segments.t_codeword_us": [21.71, 11.25, 5.78, 3, 1.5],
}


def pages_with(zeroes):
    """Returns a function that generates pages. In each part of a page, the share `zeroes` of the bits is 0."""
    draws = random.Random(5)
    period = 16
    count = round(zeroes * period)

    def page(size):
        part = [0] * count + [255] * (period - count)
        pages = []
        for _ in range(size // period):
            draws.shuffle(part)
            pages += part
        return bytes(pages)

    return page


def encoded(drive):
    return {
        int(name.removeprefix("segments_")): of["encoded_pages"] for name, of in drive.ecc().items() if "segm" in name
    }


@pytest.mark.parametrize("decoder", ["threshold", "table", "bit_true"])
@pytest.mark.parametrize(("zeroes", "segments"), [(1, 1), (0.75, 2), (0.5, 4), (0.1875, 8)])
def test_pages_are_divided_as_their_zeroes_allow(zeroes, segments, decoder):
    """By Table III of Sha et al., the number of segments depends on the cells in weak states. An MSB page has at most
    as many cells in 01 as it has zeroes. All cells of an LSB page may be in the states 01 and 00."""
    cells = "statistical" if decoder == "table" else "per_cell"
    changes = {"ecc.decoder": decoder, "simulation.cells": cells}
    drive = Drive(DRIVE | SEGMENTS | changes, units=512, content=pages_with(zeroes))
    pages = encoded(drive)
    if segments == 1:
        assert set(pages) == {1, 2, 4, 8}
        assert pages[1] >= 512
    else:
        assert pages[segments] == 256
        assert sum(pages.values()) == 256 + pages[1]
    drive.simulation.advance("30d")
    assert drive.wrong() == []
    assert drive.ecc()["corrected_bits"] > 0
    drive.overwrite(700)
    assert drive.simulation.stats()["controller"]["gc"]["moved_units"] > 0
    assert drive.wrong() == []


@pytest.mark.parametrize("decoder", ["threshold", "table", "bit_true"])
@pytest.mark.parametrize("segments", [2, 4, 8, 16, 32])
def test_bytes_come_back_at_each_number_of_segments(segments, decoder):
    limits = {"ecc.weak_msb": [0.9] * (segments.bit_length() - 1)}
    changes = {"ecc.decoder": decoder, "simulation.cells": "statistical", "nand.condition.pe_cycles": 20}
    drive = Drive(DRIVE | SEGMENTS | ALL_SEGMENTS | limits | changes)
    drive.overwrite(200)
    pages = encoded(drive)
    assert pages[segments] > drive.units // 3
    assert sum(pages.values()) == pages[1] + pages[segments]
    assert drive.wrong() == []


@pytest.mark.parametrize("seed", range(3))
def test_segments_are_known_after_power_cuts(seed):
    changes = {"ecc.decoder": "bit_true", "simulation.cells": "statistical"}
    drive = Drive(DRIVE | SEGMENTS | changes, content=pages_with(0.5))
    cut_at_random_instants(drive, random.Random(seed))
    assert encoded(drive)[4] > 50


def test_checkpoints_know_segments(tmp_path):
    changes = {"ecc.decoder": "bit_true", "simulation.cells": "per_cell"}
    drive = Drive(DRIVE | SEGMENTS | changes, content=pages_with(0.5))
    drive.overwrite(50)
    drive.simulation.checkpoint(tmp_path / "drive")
    drive.simulation = ns.Simulation.restore(tmp_path / "drive")
    assert drive.wrong() == []


def test_scrambled_pages_are_counted_as_they_go_to_flash():
    """In scrambled pages, half of the bits are 0, whatever data the host has written."""
    changes = {"ecc.decoder": "bit_true", "simulation.cells": "statistical", "ecc.scrambler": True}
    drive = Drive(DRIVE | SEGMENTS | changes, units=128, content=bytes)
    pages = encoded(drive)
    assert pages[4] == 64
    assert drive.wrong() == []


@pytest.mark.parametrize(("zeroes", "decode_us"), [(0.75, 21.71), (0.5, 11.25), (0.1875, 5.78)])
def test_only_the_last_segment_adds_decoding_time(zeroes, decode_us):
    """If a page is transferred more slowly than it is decoded, each segment except the last is decoded during the
    transfer, so it adds no time."""
    slow_bus = {"channel.rate_mt_s": 40, "channel.interface": "nv_ddr2"}
    times = {}
    for selection in ("uniform", "cdber"):
        drive = Drive(DRIVE | SEGMENTS | slow_bus | {"ecc.selection": selection}, units=64, content=pages_with(zeroes))
        times[selection] = []
        for unit in range(64):
            before = drive.simulation.now_us
            drive.simulation.read(unit * 8, PAGE)
            times[selection].append(drive.simulation.now_us - before)
    gains = [whole - parts for whole, parts in zip(times["uniform"], times["cdber"], strict=True)]
    for gain in gains:
        assert gain == pytest.approx(0, abs=1e-6) or gain == pytest.approx(41.2 - decode_us, abs=1e-6)
    assert sum(gain > 1 for gain in gains) == 32


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ecc.codeword_bytes": 1024}, "ecc.codeword_bytes"),
        ({"nand.coding": "tlc_232", "nand.cells.set": "tlc_3d_48"}, "mlc_13"),
        ({"ecc.segments.t_codeword_us": [20.0, 10.0]}, "a time for each"),
        ({"ecc.segments.correctable_bits": [29, 16.5, 9]}, "whole numbers"),
        ({"ecc.decoder": "bit_true", "ecc.segments.correctable_bits": [29, 16, 60]}, "correctable_bits"),
        ({"ecc.decoder": "table", "ecc.codec": "ldpc", "ecc.ldpc_parity_bytes": 512}, "bch"),
        ({"controller.garbage_collection.copyback": True}, "copyback"),
        ({"controller.parity.stripe_dies": 2}, "stripe_dies"),
        ({"nand.geometry.page_bytes": 8192, "ecc.codeword_bytes": 8192, "controller.mapping.unit_bytes": 4096}, "unit"),
    ],
)
def test_settings_that_contradict_segments_are_refused(changes, message):
    with pytest.raises(ns.ConfigError, match=message):
        ns.Simulation(ns.load("bare", DRIVE | SEGMENTS | changes))


# If the data are not stored, a content profile determines the content of pages.
PROFILE = SEGMENTS | {"simulation.data": "none"}


def segments_of_writes(changes):
    """Returns the number of encoded pages by their number of segments, and the number of pages that were encoded
    again.
    """
    config = ns.load(
        "bare",
        DRIVE
        | PROFILE
        | {
            "nand.geometry.blocks_per_plane": 64,
            "controller.mapping.over_provisioning": 0.3,
            "host.workload": [{"requests": 3000, "read_percent": 0, "block_bytes": 4096, "pattern": "sequential"}],
        }
        | changes,
    )
    ecc = ns.run(config).stats["ecc"]
    counts = {int(name[9:]): of["encoded_pages"] for name, of in ecc.items() if name.startswith("segments_")}
    return counts, ecc["encoded_again"]


def test_pages_hold_what_the_profile_says():
    """The shares of the codes must be those that follow from the profile for pages of which half are LSB pages."""
    counts, again = segments_of_writes({"ecc.content": "db_data"})
    kinds = [name for name, _ in ns._core.list_content_kinds()]
    profile = ns._core.ContentProfile(kinds.index("db_data"), 0.18, 0.04)
    shares = profile.segments(np.arange(20_000, dtype=np.uint64), 8)
    lsb, msb = shares[:, :, 2] + shares[:, :, 3], shares[:, :, 2]
    limits = {"lsb": (16221, 9143, 2704), "msb": (16384, 11846, 4031)}
    expected = dict.fromkeys((1, 2, 4, 8), 0.0)
    for weak, limit in ((lsb, limits["lsb"]), (msb, limits["msb"])):
        code = (weak.max(axis=1)[:, None] < np.array(limit) / 16384).sum(axis=1)
        for number, segments in enumerate(expected):
            expected[segments] += np.mean(code == number) / 2
    total = sum(counts.values())
    assert again < total // 20
    for segments, share in expected.items():
        error = 4 * (share * (1 - share) / total) ** 0.5 + 0.01
        assert counts[segments] / total == pytest.approx(share, abs=error)


def mean_segments(changes):
    counts, _ = segments_of_writes(changes)
    return sum(segments * count for segments, count in counts.items()) / sum(counts.values())


def test_limits_follow_from_the_cells():
    cells = {"ecc.limits": "cells"}
    given = mean_segments({})
    # If the codes use all spare bytes, the limits calculated for these cells agree with Table III of Sha et al.
    assert mean_segments(cells | {"nand.geometry.spare_bytes": 216}) == pytest.approx(given, rel=0.1)
    assert mean_segments(cells | {"ecc.kept_pe_cycles": 1000.0}) > given
    assert mean_segments(cells | {"ecc.kept_days": 3650.0}) < given
    assert mean_segments(cells | {"ecc.page_failure": 1e-12}) < given


def test_mapped_states_allow_more_segments():
    none, by_share, best = (mean_segments({"ecc.state_mapping": mapping}) for mapping in ("none", "by_share", "best"))
    assert none < by_share < best


def test_preconditioned_data_have_the_codes_that_their_place_allows():
    config = ns.load(
        "bare",
        DRIVE
        | PROFILE
        | {
            "controller.precondition.occupancy": 1,
            "host.workload": [{"requests": 1000, "read_percent": 100, "block_bytes": 4096}],
        },
    )
    ecc = ns.run(config).stats["ecc"]
    for segments in (2, 4, 8):
        assert ecc[f"segments_{segments}"]["decoded_pages"] > 50
