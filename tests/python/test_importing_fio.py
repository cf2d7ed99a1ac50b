# SPDX-License-Identifier: Apache-2.0
"""Tests for importing fio job files as workloads: supported options, remarks on unsupported ones, rejected files."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns

MIB = 1 << 20


@pytest.fixture
def job(tmp_path):
    """Returns a function that imports a job file with the given text. A text without a section is taken as the options
    of one job on the whole drive."""

    def imported(text, on="default"):
        if "[" not in text:
            text = f"[job]\nfilename=/dev/nvme0n1\ndirect=1\nioengine=libaio\n{text}"
        (tmp_path / "job.fio").write_text(text)
        return ns.import_fio(tmp_path / "job.fio", on)

    return imported


def workload_of(imported):
    (workload,) = imported.values["host.workload"]
    return workload


def test_options_of_global_are_those_of_the_jobs_after_it(job):
    imported = job(
        "; a comment\n[global]\ndirect=1\nioengine=libaio\nbs=8k\nsize=64m\n\n[first]\nrw=randread\niodepth=4\n"
        "norandommap\n# another\n[global]\nbs=16k  ; from here on\n[second]\nrw=write\nnumjobs=2\n"
    )
    first, *clones = imported.config()["host.workload"]
    assert (first["name"], first["pattern"], first["read_percent"]) == ("first", "uniform", 100)
    assert (first["block_bytes"], first["queue_depth"], first["requests"]) == (8192, 4, 64 * MIB // 8192)
    assert [clone["name"] for clone in clones] == ["second.0", "second.1"]
    assert [clone["block_bytes"] for clone in clones] == [16384, 16384]
    # The clones of a job have their own files, which are placed one after another.
    assert [w["footprint_start_bytes"] for w in (first, *clones)] == [0, 64 * MIB, 128 * MIB]
    assert imported.remarks == []


@pytest.mark.parametrize(
    ("rw", "pattern", "reads", "trims"),
    [
        ("read", "sequential", 100, 0),
        ("write", "sequential", 0, 0),
        ("randwrite", "uniform", 0, 0),
        ("randtrim", "uniform", 0, 100),
        ("readwrite\nrwmixread=70", "sequential", 70, 0),
        ("randrw\nrwmixwrite=70", "uniform", 30, 0),
        ("randrw", "uniform", 50, 0),
    ],
)
def test_directions(job, rw, pattern, reads, trims):
    workload = job(f"rw={rw}\nsize=16m\n").config()["host.workload"]
    assert (workload["pattern"], workload["read_percent"], workload["trim_percent"]) == (pattern, reads, trims)


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096", 4096), ("4k", 4096), ("8KB", 8192), ("1M", MIB), ("8ki\nkb_base=1000", 8192), ("512ki", 512_000)],
)
def test_sizes_have_the_suffixes_of_fio(job, text, size):
    assert workload_of(job(f"bs={text}\nsize=64m\n"))["block_bytes"] == size


def test_a_split_of_sizes_is_a_mix(job):
    workload = workload_of(job("rw=randwrite\nbssplit=4k/50:8k/:16k/\nsize=60m\n"))
    assert workload["block_mix"] == [
        {"block_bytes": 4096, "weight": 50},
        {"block_bytes": 8192, "weight": 25},
        {"block_bytes": 16384, "weight": 25},
    ]
    assert workload["requests"] == 60 * MIB // 8192  # the mean size


def test_a_size_of_each_direction(job):
    assert workload_of(job("rw=randread\nbs=4k,64k\nsize=1m\n"))["block_bytes"] == 4096
    assert workload_of(job("rw=randwrite\nbs=4k,64k\nsize=1m\n"))["block_bytes"] == 65536
    assert workload_of(job("rw=randtrim\nbs=4k,64k\nsize=1m\n"))["block_bytes"] == 65536
    with pytest.raises(ns.InputError, match="reads and writes of one workload have the same sizes here"):
        job("rw=randrw\nbs=4k,64k\nsize=1m\n")


def test_regions_and_amounts(job):
    workload = workload_of(job("offset=8m\nsize=32m\nio_size=128m\nbs=1m\nloops=2\n"))
    assert (workload["footprint_start_bytes"], workload["footprint_bytes"]) == (8 * MIB, 32 * MIB)
    assert workload["requests"] == 256
    whole = workload_of(job("bs=1m\nnumber_ios=7\n"))
    assert whole["requests"] == 7
    half = workload_of(job("bs=1m\nsize=50%\nnumber_ios=7\n"))
    assert half["footprint_bytes"] == whole["footprint_bytes"] // 2
    steps = job("[a]\nfilename=/dev/sda\nsize=8m\noffset_increment=16m\nnumjobs=3\n").values["host.workload"]
    assert [step["footprint_start_bytes"] for step in steps] == [0, 16 * MIB, 32 * MIB]


def test_the_whole_drive_is_its_capacity(job):
    workload = workload_of(job("rw=randread\nbs=4k\nnumber_ios=50\niodepth=4\n", on="bare"))
    config = job("rw=randread\nbs=4k\nnumber_ios=50\niodepth=4\n", on="bare").config()
    result = ns.run(config)
    assert result.stats["host"]["read"]["count"] == 50
    with pytest.raises(ns.ConfigError):
        ns.run(config.override({"host.workload.footprint_bytes": workload["footprint_bytes"] + (1 << 20)}))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("zipf:1.2", {"pattern": "zipf", "zipf_theta": 1.2}),
        ("random", {"pattern": "uniform"}),
        ("zoned:80/20:20/80", {"pattern": "hot_cold", "hot_space_percent": 20, "hot_access_percent": 80}),
    ],
)
def test_distributions_of_places(job, text, keys):
    workload = workload_of(job(f"rw=randread\nrandom_distribution={text}\nsize=1m\n"))
    assert workload | keys == workload


def test_a_rate_is_an_open_loop(job):
    workload = workload_of(job("rw=randread\nrate_iops=2k\niodepth=32\nruntime=3\ntime_based\n"))
    assert (workload["pacing"], workload["arrival"], workload["rate_iops"]) == ("open", "constant", 2048)
    assert workload["requests"] == 6144
    # At 75 % reads, the limit of 300 reads per second allows 100 writes per second, less than the limit of 200 writes.
    mixed = workload_of(job("rw=randrw\nrwmixread=75\nrate_iops=300,200\nrate_process=poisson\nsize=1m\n"))
    assert (mixed["arrival"], mixed["rate_iops"]) == ("poisson", 400)
    assert workload_of(job("rw=write\nbs=64k\nrate=64m\nsize=1m\n"))["rate_iops"] == 1024


def test_a_time_ends_a_job_before_its_requests_do(job):
    workload = workload_of(job("rw=randread\nsize=1m\nruntime=5\n"))
    assert (workload["requests"], workload["duration_ms"]) == (256, 5000)
    only_time = job("rw=randread\nsize=1m\nruntime=2ms\ntime_based\n")
    assert workload_of(only_time)["duration_ms"] == 2
    result = ns.run(only_time.config())
    assert 2e-3 <= result.stats["simulation"]["simulated_s"] < 4e-3


def test_time_to_think(job):
    workload = workload_of(job("rw=randread\nsize=1m\nthinktime=2ms\n"))
    assert (workload["pacing"], workload["think_time_us"]) == ("closed", 2000)
    with pytest.raises(ns.InputError, match="it stalls the whole job in fio"):
        job("rw=randread\nsize=1m\nthinktime=200\niodepth=2\n")


def test_an_engine_that_waits_has_one_request_in_flight(job):
    imported = job("[a]\nsize=1m\niodepth=8\n")
    assert workload_of(imported)["queue_depth"] == 1
    assert any("the engine psync keeps one request in flight" in remark for remark in imported.remarks)
    assert any("there is no page cache here" in remark for remark in imported.remarks)


def test_imported_jobs_run_with_as_many_queues(job):
    imported = job("[a]\ndirect=1\nrw=randwrite\nsize=1m\nio_size=32k\nnumjobs=20\n")
    stats = ns.run(imported.config()).stats["host"]["all"]
    assert stats["count"] == 160
    assert stats["errors"] == 0


def test_settings_without_counterpart_are_remarked_with_their_line(job):
    imported = job("rw=randread\nsize=1m\nclocksource=cpu\n")
    assert "job.fio:7: clocksource=cpu: no counterpart" in imported.remarks
    assert "# - job.fio:7: clocksource=cpu: no counterpart" in imported.to_yaml()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rw=randread:8", "offsets between requests have no counterpart"),
        ("rw=trimwrite", "trims before writes have no counterpart"),
        ("rw=best", "expected one of read, write"),
        ("bs=4q", "expected a size, such as 4096, 4k or 1g"),
        ("bs=700", "expected whole sectors of 512 bytes"),
        ("bsrange=4k-64k", "sizes drawn from a range"),
        ("bssplit=4k/60:8k/60", "expected shares that add up to 100 percent"),
        ("rw=randread\nrandom_distribution=pareto:0.9", "expected random, zipf"),
        ("rw=randread\npercentage_random=50", "a workload is random or sequential here"),
        ("rw=write\nfsync=1", "workloads issue no flushes"),
        ("rw=write\nverify=crc32c", "reading data again to verify them"),
        ("read_iolog=a.log", "a log is a trace"),
        ("rw=write\nzonemode=zbd", "zones have no counterpart"),
        ("size=$SIZE", "variables are not expanded"),
        ("size=900g", "take a larger drive or a smaller size"),
        ("numjobs=0", "expected 1 to 254 jobs"),
        ("rate=1m\nrate_iops=5", "expected one of rate and rate_iops"),
        ("runtime=5x", "expected a time"),
    ],
)
def test_settings_that_would_change_the_workload_are_refused(job, text, message):
    with pytest.raises(ns.InputError, match=r"job\.fio:\d+: ") as error:
        job(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bs=4k\n[a]\n", "job.fio:1: expected a section, such as [global], before the first option"),
        ("[a\n", "job.fio:1: expected a section, such as [job]"),
        ("[a]\nhow are you\n", "job.fio:2: expected an option, such as bs=4k"),
        ("[global]\nbs=4k\n", "it has no job"),
        ("[a]\nsize=1m\n[b]\nsize=1m\nstonewall\n", "jobs that follow one another have no counterpart"),
        ("[a]\nbs=4k\n", "the job has a file of its own and no size"),
        ("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\n", "only one drive is simulated, and another job has /dev/a"),
        ("[a]\nioengine=net\nsize=1m\n", "this engine sends no requests to a drive"),
    ],
)
def test_unusable_job_files_are_refused(job, text, message):
    with pytest.raises(ns.InputError) as error:
        job(text)
    assert message in str(error.value)


@settings(max_examples=30, deadline=None)
@given(
    rw=st.sampled_from(["read", "write", "randread", "randwrite", "randrw"]),
    sectors=st.integers(1, 256),
    blocks=st.integers(1, 500),
    depth=st.integers(1, 128),
    offset_mib=st.integers(0, 64),
    mix=st.integers(0, 100),
)
def test_the_written_file_is_the_same_configuration(tmp_path_factory, rw, sectors, blocks, depth, offset_mib, mix):
    folder = tmp_path_factory.mktemp("fio")
    size = sectors * 512
    (folder / "job.fio").write_text(
        f"[global]\ndirect=1\nioengine=io_uring\nfilename=/dev/nvme0n1\n[a job]\nrw={rw}\nrwmixread={mix}\nbs={size}\n"
        f"size={size * blocks}\niodepth={depth}\noffset={offset_mib}m\n"
    )
    imported = ns.import_fio(folder / "job.fio", "bare")
    (folder / "imported.yaml").write_text(imported.to_yaml())
    config = ns.load(folder / "imported.yaml")
    assert config == imported.config()
    workload = config["host.workload"]
    assert (workload["name"], workload["block_bytes"], workload["requests"]) == ("a job", size, blocks)
    assert (workload["queue_depth"], workload["footprint_start_bytes"]) == (depth, offset_mib * MIB)
    assert workload["read_percent"] == {"rea": 100, "wri": 0}.get(rw.removeprefix("rand")[:3], mix)


OPTIONS = (
    "rw rwmixread bs bssplit ba size filesize io_size offset offset_increment iodepth ioengine numjobs runtime loops "
    "time_based rate_iops rate rate_process random_distribution thinktime number_ios filename kb_base fsync other"
)


@settings(max_examples=100, deadline=None)
@given(
    lines=st.lists(
        st.tuples(
            st.sampled_from(OPTIONS.split()),
            st.one_of(
                st.sampled_from(
                    ["randrw", "randread", "zipf:1.1", "zoned:80/20:20/80", "libaio", "poisson", "/dev/sda"]
                ),
                st.text("0123456789kmgi%:/,.- a", max_size=8),
            ),
        ),
        max_size=6,
    )
)
def test_any_options_are_taken_or_refused(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("fio") / "job.fio"
    path.write_text("[a]\nsize=1m\n" + "".join(f"{name}={value}\n" for name, value in lines))
    with contextlib.suppress(ns.InputError, ns.ConfigError):
        ns.import_fio(path)
