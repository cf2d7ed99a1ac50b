# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape content` as a complete command."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from nandscape import content
from nandscape.content.files import MOST_KEPT, FileContent

ZEROES = b"\0" * 8192
ONES = b"\xff" * 8192


@pytest.fixture
def files(tmp_path):
    (tmp_path / "zeroes").write_bytes(ZEROES)
    (tmp_path / "ones").write_bytes(ONES + b"left over")
    return tmp_path


def test_files_are_counted_printed_and_written(command, files):
    done = command("content", "zeroes", "ones", "--json", "content.json", "--plot", "content.png")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "100.0 ± 0.0" in done.stdout
    assert "680 mV" in done.stdout
    assert (files / "content.png").read_bytes().startswith(b"\x89PNG")
    document = json.loads((files / "content.json").read_text())
    assert document["page_bytes"] == 4096
    assert document["cells"] == "neighbouring bits"
    zeroes, ones = (document["files"][name] for name in ("zeroes", "ones"))
    assert zeroes["pages"] == ones["pages"] == 2
    assert (zeroes["bytes_left_over"], ones["bytes_left_over"]) == (0, 9)
    assert zeroes["states"]["00"] == ones["states"]["11"] == {"mean": 1, "deviation": 0, "within_pages": 0}
    # Cells in state 00 cause errors only in LSB pages. Pages whose cells are all in state 11 allow the fastest writes.
    assert zeroes["plain"]["pages_by_step_mv"] == {"300": 0.5, "380": 0, "460": 0, "540": 0, "600": 0, "680": 0.5}
    assert zeroes["plain"]["pages_by_segments"] == {"1": 0.5, "2": 0, "4": 0, "8": 0.5}
    for fastest in (ones["plain"], ones["mapped"], zeroes["mapped"]):
        assert fastest["pages_by_step_mv"]["680"] == fastest["pages_by_segments"]["8"] == 1
        assert fastest["program_us"] == pytest.approx(88.2, rel=0.01)
        assert fastest["decode_us"] == 5.78


def test_pages_and_their_pairing_are_as_asked_for(command, files):
    (files / "both").write_bytes(ZEROES[:4096] + ONES[:4096])

    def document(*arguments):
        assert command("content", "both", "--json", "c.json", *arguments).returncode == 0
        return json.loads((files / "c.json").read_text())["files"]["both"]

    apart = document()
    assert apart["states"]["11"] == {"mean": 0.5, "deviation": 0.5, "within_pages": 0}
    larger = document("--page-bytes", "8192")
    assert (larger["pages"], larger["states"]["00"]) == (1, {"mean": 0.5, "deviation": 0, "within_pages": 0.5})
    assert list(larger["plain"]["pages_by_segments"]) == ["2", "4", "8", "16"]
    # With --wordlines, the first page of a pair is the LSB page.
    paired = document("--wordlines")
    assert (paired["pages"], paired["states"]["10"]["mean"]) == (2, 1)
    young = document("--pe", "1000", "--months", "1")
    assert young["plain"]["program_us"] < apart["plain"]["program_us"]


def test_names_of_files_may_be_anything(command, files):
    odd = os.fsdecode(b"line\nbreak \xff")
    (files / odd).write_bytes(ZEROES)
    done = command("content", odd, "--json", "c.json", "--plot", "c.png")
    assert done.returncode == 0, done.stderr
    assert "line\N{REPLACEMENT CHARACTER}break \N{REPLACEMENT CHARACTER}" in done.stdout
    assert list(json.loads((files / "c.json").read_text())["files"]) == [odd]


def test_the_standard_input_is_a_file(files):
    done = subprocess.run(
        [sys.executable, "-m", "nandscape", "content", "-", "--json", "c.json"],
        input=ZEROES * 3,
        cwd=files,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((files / "c.json").read_text())["files"]["-"]["pages"] == 6


def test_streams_are_counted_whole_however_they_come():
    class Dribble(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 5000))

    data = np.random.default_rng(1).integers(0, 256, 100_000, dtype=np.uint8).tobytes()
    tables = content.write_speeds(), content.segment_codes()
    by_way = []
    for stream in (io.BytesIO(data), Dribble(data)):
        counted = FileContent(4096, *tables, paired=False)
        counted.read(stream)
        by_way.append(counted)
    entries = [counted.to_dict() for counted in by_way]
    # The sums are compared with a tolerance, since the two ways add the values in a different order.
    whole, dribbled = (
        [moment for state in entry.pop("states").values() for moment in state.values()] for entry in entries
    )
    assert whole == pytest.approx(dribbled, abs=1e-9)
    assert entries[0] == entries[1]
    assert entries[0]["pages"] == 24
    assert by_way[0].bytes_left_over == 100_000 - 24 * 4096
    assert (by_way[0].shares_by_page == by_way[1].shares_by_page).all()


def test_long_files_keep_evenly_spaced_pages():
    counted = FileContent(4096, content.write_speeds(), content.segment_codes(), paired=False)
    page = np.zeros(4096, np.uint8)

    class Rising(io.RawIOBase):
        """A stream of pages. Page n has n ones in each 3072 symbols, so that the share of ones identifies the page."""

        at = 0

        def read(self, size=-1):
            number = min(size // 4096, 2 * MOST_KEPT + 1000 - self.at)
            made = np.tile(page, (number, 1))
            for row in range(number):
                made[row, : (self.at + row) // 4] = 0xFF
            self.at += number
            return made.tobytes()

    counted.read(Rising())
    assert counted.wordlines == 2 * MOST_KEPT + 1000
    shares = counted.shares_by_page
    assert len(shares) <= MOST_KEPT
    assert np.diff(shares[:, 0]) == pytest.approx(1 / 4096, abs=1e-9)


def test_wrong_input_is_one_message(command, files):
    (files / "short").write_bytes(b"a few bytes")
    for arguments, message in (
        (["short"], "short: 11 bytes are less than 4096, a page"),
        (["ones", "--wordlines", "--page-bytes", "8192"], "the two pages of a wordline"),
        (["no_such_file"], "no_such_file: there is no such file"),
        (["."], "is a folder"),
        (["ones", "ones"], "ones: named twice"),
        (["ones", "--page-bytes", "5000"], "multiple of 4096"),
        (["ones", "--page-bytes", "-4096"], "multiple of 4096"),
        (["ones", "--pe", "nan"], "not a number from 0 to 1,000,000"),
        (["ones", "--months", "-1"], "not a number from 0 to 1,200"),
        (["ones", "--json", "no/such/c.json"], "no folder"),
        (["ones", "--plot", "c.xyz"], "unknown picture format"),
        ([], "FILE"),
    ):
        done = command("content", *arguments)
        assert done.returncode == 2, arguments
        assert message in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    assert {path.name for path in files.iterdir()} == {"zeroes", "ones", "short"}


def test_python_counts_files_as_the_command_does(command, files):
    command("content", "zeroes", "--json", "c.json", "--page-bytes", 8192, "--pe", 3000)
    counted = content.of_file(files / "zeroes", 8192, pe_cycles=3000)
    assert counted.to_dict() == json.loads((files / "c.json").read_text())["files"]["zeroes"]
