# SPDX-License-Identifier: Apache-2.0
"""`nandscape import`."""

import nandscape as ns
from mqsim_files import write_device, write_workload
from nandscape.cli.main import main


def test_mqsim_becomes_a_file_that_runs(tmp_path, capsys):
    device = write_device(tmp_path / "ssdconfig.xml")
    workload = write_workload(tmp_path / "workload.xml", [{}], [{"Total_Requests_To_Generate": 30}])
    output = tmp_path / "my.yaml"
    assert main(["import", str(device), str(workload), "--scenario", "2", "-o", str(output)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "nandscape: ssdconfig.xml:13: Queue_Fetch_Size: no counterpart" in captured.err
    assert "# - ssdconfig.xml:13: Queue_Fetch_Size: no counterpart" in output.read_text()
    assert ns.run(ns.load(output)).stats["host"]["all"]["count"] == 30


def test_a_job_of_fio_goes_to_stdout(tmp_path, capsys):
    (tmp_path / "job.fio").write_text("[a]\ndirect=1\nsize=1m\nrw=write\n")
    assert main(["import", str(tmp_path / "job.fio"), "--on", "bare"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("# Imported from job.fio.\n\nextends: bare\n")
    assert captured.err == ""


def test_the_drive_of_a_job_may_be_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drive.yaml").write_text("extends: bare\nsimulation: {seed: 77}\n")
    (tmp_path / "job.fio").write_text("[a]\ndirect=1\nsize=1m\nrw=write\n")
    (tmp_path / "results").mkdir()
    assert main(["import", "job.fio", "--on", "drive.yaml", "-o", "results/my.yaml"]) == 0
    assert capsys.readouterr().err == ""
    assert ns.load("results/my.yaml")["simulation.seed"] == 77


def test_errors_tell_file_and_line_and_leave_no_file(tmp_path, capsys):
    (tmp_path / "job.fio").write_text("[a]\nsize=1m\nfsync=1\n")
    output = tmp_path / "my.yaml"
    assert main(["import", str(tmp_path / "job.fio"), "-o", str(output)]) == 2
    assert "job.fio:3: fsync=1: workloads make no flushes" in capsys.readouterr().err
    assert not output.exists()
    assert main(["import", str(tmp_path / "trace.csv")]) == 2
    assert "expected a file that ends in .xml (MQSim) or .fio (fio)" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "job.fio"), "other.fio"]) == 2
    assert "one job file of fio is imported at a time" in capsys.readouterr().err
