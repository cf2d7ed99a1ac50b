# SPDX-License-Identifier: Apache-2.0
"""`nandscape import`."""

import itertools
import time

import pytest

import nandscape as ns
from mqsim_files import DEVICE, FLASH, HOST, SYNTHETIC, write_device, write_workload
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


def entities(body):
    """Returns an XML document whose entities expand to 10^10 words."""
    names = "abcdefghijk"
    later = (f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in itertools.pairwise(names))
    return f'<!DOCTYPE x [<!ENTITY a "lol">{"".join(later)}]>{body}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (entities("<Execution_Parameter_Set>&k;</Execution_Parameter_Set>"), ":1: has a document type"),
        ('<!DOCTYPE x SYSTEM "secret"><Execution_Parameter_Set/>', ":1: has a document type"),
        (
            '<!DOCTYPE x [<!ENTITY a SYSTEM "secret">]><Execution_Parameter_Set>&a;</Execution_Parameter_Set>',
            "document type",
        ),
        ('<?xml version="1.0" encoding="none-such"?><Execution_Parameter_Set/>', "not XML"),
        ('<?xml version="1.0" encoding="utf-7"?><Execution_Parameter_Set/>', "not XML"),
        ("\0", "not XML"),
        ("", "not XML"),
    ],
)
def test_xml_that_no_tool_writes_is_refused_at_once(tmp_path, capsys, text, message):
    (tmp_path / "secret").write_text("xyzzy")
    (tmp_path / "ssd.xml").write_text(text)
    begun = time.monotonic()
    assert main(["import", str(tmp_path / "ssd.xml")]) == 2
    assert time.monotonic() - begun < 1
    told = capsys.readouterr().err
    assert told.startswith(f"nandscape: {tmp_path / 'ssd.xml'}:")
    assert message in told
    assert "xyzzy" not in told


ODD = [
    "9" * 5000,
    "-" + "9" * 5000,
    "0." + "1" * 5000,
    "1e308",
    "1e-999999999",
    "nan",
    "inf",
    "\u0663",
    "0",
    "x" * 5000,
    "",
]


def drawn_odd(names):
    """Returns each name with an odd string, so that all odd strings are used."""
    return [(name, ODD[k % len(ODD)]) for k, name in enumerate(names)]


@pytest.mark.parametrize(("name", "odd"), drawn_odd([*HOST, *DEVICE, *FLASH, *SYNTHETIC]))
def test_odd_texts_of_mqsims_elements_are_taken_or_refused(tmp_path, name, odd):
    device = write_device(tmp_path / "ssd.xml", **({} if name in SYNTHETIC else {name: odd}))
    flow = {name: odd} if name in SYNTHETIC else {}
    assert len(refusal(lambda: ns.import_mqsim(device, write_workload(tmp_path / "flows.xml", [flow])))) < 1000


FIO = {"size": "1m", "bs": "4k", "iodepth": "4", "runtime": "1", "rate": "1m", "numjobs": "1", "thinktime": "0",
       "rwmixread": "50", "random_distribution": "zipf:1.1", "bssplit": "4k/100", "offset": "0", "loops": "1",
       "number_ios": "10", "io_size": "1m", "kb_base": "1024", "ba": "4k", "rw": "randrw"}  # fmt: skip


@pytest.mark.parametrize(("name", "odd"), drawn_odd([*FIO, *FIO, *FIO, "size"]))
def test_odd_values_of_fios_options_are_taken_or_refused(tmp_path, name, odd):
    lines = (f"{key}={odd if key == name else value}" for key, value in FIO.items())
    (tmp_path / "job.fio").write_text("\n".join(["[a]", *lines]))
    assert len(refusal(lambda: ns.import_fio(tmp_path / "job.fio", "bare"))) < 1000


def refusal(imported):
    """Returns the message if the import is refused, or an empty string. Errors of other kinds are not caught."""
    try:
        imported().to_yaml()
    except ns.Error as error:
        return str(error)
    return ""


def test_errors_tell_file_and_line_and_leave_no_file(tmp_path, capsys):
    (tmp_path / "job.fio").write_text("[a]\nsize=1m\nfsync=1\n")
    output = tmp_path / "my.yaml"
    assert main(["import", str(tmp_path / "job.fio"), "-o", str(output)]) == 2
    assert "job.fio:3: fsync=1: workloads issue no flushes" in capsys.readouterr().err
    assert not output.exists()
    assert main(["import", str(tmp_path / "trace.csv")]) == 2
    assert "expected a file that ends in .xml (MQSim) or .fio (fio)" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "job.fio"), "other.fio"]) == 2
    assert "only one fio job file can be imported at a time" in capsys.readouterr().err
