# SPDX-License-Identifier: Apache-2.0
"""Tests `nandscape characterize-ecc` and `nandscape codes` as complete commands."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import nandscape as ns

QUICK = ("--quick", "--levels", "1")


def rows_of(path):
    return ns.code_table(path).rows()


def test_a_quick_run_then_nothing_is_left_to_do(command, tmp_path):
    done = command("characterize-ecc", "ldpc_2048_256", *QUICK, "--plot", "rates.png")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in ("ldpc_2048_256.yaml written", "1e-02", "1e-05", "iterations", "decode"):
        assert part in done.stdout
    assert (tmp_path / "rates.png").read_bytes().startswith(b"\x89PNG")
    file = tmp_path / "ldpc_2048_256.yaml"
    before = file.read_text()
    rber = float(ns.code_table(file).rber_at(1e-2))
    assert abs(rber / float(ns.code_table("ldpc_2048_256").rber_at(1e-2)) - 1) < 0.05
    done = command("characterize-ecc", "ldpc_2048_256", *QUICK)
    assert "is complete already" in done.stdout
    assert file.read_text() == before


def test_threads_play_no_role_and_more_confidence_goes_on(command, tmp_path):
    for threads in (1, 2):
        command("characterize-ecc", "ldpc_2048_256", *QUICK, "--threads", threads, "--output", f"{threads}.yaml")
    one, two = (tmp_path / f"{threads}.yaml" for threads in (1, 2))
    assert one.read_text() == two.read_text()
    command("characterize-ecc", "ldpc_2048_256", *QUICK, "--frames", "200", "--output", "2.yaml")
    assert rows_of(one)["frames"].min() < 200 <= rows_of(two)["frames"].min()


def test_algebraic_codes_stand_beside_their_closed_form(command):
    done = command("characterize-ecc", "bch_512_3", "--output", "mine.yaml")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.count("e-0") == 4 and "." in line]
    assert rows[0][0] == "1"
    assert rows[0][1:5] == rows[1][-4:]


def test_an_interrupted_run_goes_on_to_the_same_end(tmp_path):
    arguments = [sys.executable, "-m", "nandscape", "characterize-ecc", "ldpc_2048_256", "--levels", "1,3"]
    arguments += ["--frame-error-rate", "1e-3", "--confidence", "0.2", "--threads", "1"]
    whole = subprocess.run([*arguments, "--output", "whole.yaml"], cwd=tmp_path, check=False, capture_output=True)
    assert whole.returncode == 0, whole.stderr
    # Tries several delays, since the start-up time of the command depends on the load of the machine.
    for delay in (0.5, 1, 1.5, 2, 3, 5):
        child = subprocess.Popen(
            arguments,
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # A child process of a shell's background job ignores SIGINT by default.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(delay)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=30)
        assert child.returncode in (0, 130, -signal.SIGINT)
        if "goes on from them" in errors:
            break
    assert "goes on from them" in errors
    assert "Traceback" not in errors
    assert ns.code_table(tmp_path / "ldpc_2048_256.yaml").levels
    assert subprocess.run(arguments, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    assert (tmp_path / "ldpc_2048_256.yaml").read_text() == (tmp_path / "whole.yaml").read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"ldpc_2048_256.yaml", "whole.yaml"}


def test_wrong_input_is_one_message(command, tmp_path):
    done = command("characterize-ecc", "ldpc_4096_521_")
    assert done.returncode == 2
    assert "did you mean ldpc_4096_512" in done.stderr
    (tmp_path / "other.yaml").write_text(
        "code: bch_512_3\nseed: 1\npayload_bytes: 512\ncodeword_bits: 4135\nrows: []\n"
    )
    done = command("characterize-ecc", "bch_1024_72", "--output", "other.yaml")
    assert done.returncode == 2
    assert "holds a measurement of bch_512_3" in done.stderr
    for arguments in (["--levels", "1,8"], ["--confidence", "0"], ["--frames", "0"], ["--output", "no/such/x.yaml"]):
        done = command("characterize-ecc", "bch_512_3", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["other.yaml"]


def test_codes_lists_tolerable_error_rates(command):
    done = command("codes")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines()}
    assert set(ns.codes()) <= rows.keys()
    assert rows["bch_1024_72"][1:5] == ["0.891", "9193", "8192", "72"]
