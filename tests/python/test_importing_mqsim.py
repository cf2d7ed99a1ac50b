# SPDX-License-Identifier: Apache-2.0
"""Tests of the import of MQSim's files as configurations: supported elements, remarks on others, and refused files."""

import contextlib
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nandscape as ns
from mqsim_files import DEVICE, FLASH, HOST, SYNTHETIC, write_device, write_workload


@pytest.fixture
def files(tmp_path):
    """Returns a function that imports a drive with the given elements changed and, if flows are given, a scenario of
    these flows.
    """

    def imported(*flows, **changes):
        device = write_device(tmp_path / "ssdconfig.xml", **changes)
        return ns.import_mqsim(device, write_workload(tmp_path / "workload.xml", list(flows)) if flows else None)

    return imported


def test_the_drive_has_the_shape_and_the_times_of_the_file(files):
    config = files().config()
    assert (
        config["channel"] | {"count": 2, "rate_mt_s": 500, "width_bits": 8, "interface": "nv_ddr2"} == config["channel"]
    )
    geometry = {"chips_per_channel": 2, "dies_per_chip": 1, "planes_per_die": 2, "blocks_per_plane": 128}
    geometry |= {"pages_per_block": 64, "page_bytes": 8192, "spare_bytes": 448}
    assert config["nand.geometry"] | geometry == config["nand.geometry"]
    assert config["nand.timing.t_read_us"] == [50, 60, 70]
    assert config["nand.timing.t_prog_us"] == 600
    assert config["nand.timing.t_bers_us"] == 3800
    assert config["nand.timing.t_suspend_us"] == 70
    assert config["nand.coding"] == "tlc_124"
    assert config["controller.mapping.allocation"] == "CDWP"
    # MQSim never uses less than 10; 0.05 of 128 blocks would be 6
    assert config["controller.garbage_collection.start_free_blocks"] == 10
    assert config["controller.scheduler.policy"] == "priority"
    assert config["simulation.seed"] == 42


def test_a_share_of_the_flash_is_spare_there_and_of_the_capacity_here(files):
    assert files(Overprovisioning_Ratio=0.2).config()["controller.mapping.over_provisioning"] == 0.25


@pytest.mark.parametrize(
    ("technology", "coding", "times"),
    [("SLC", "slc", [50]), ("MLC", "mlc_12", [50, 70]), ("TLC", "tlc_124", [50, 60, 70])],
)
def test_pages_are_read_in_the_times_of_their_types(files, technology, coding, times):
    config = files(Flash_Technology=technology).config()
    assert (config["nand.coding"], config["nand.timing.t_read_us"]) == (coding, times)


def test_the_memory_of_the_cache_is_as_fast_as_it_is_there(files):
    imported = files()
    dram = {"rate_mt_s": 1600, "bus_bits": 32, "row_bytes": 8192, "t_rcd_ns": 13, "t_cl_ns": 14, "t_rp_ns": 15}
    assert imported.config()["controller.dram"] | dram == imported.config()["controller.dram"]
    assert any("Data_Cache_DRAM_Data_Rate: used as 1600 MT/s" in remark for remark in imported.remarks)


def test_a_drive_without_flows_is_full_and_keeps_writes(files):
    config = files(Enabled_Preconditioning="true").config()
    assert (
        config["controller.precondition"] | {"occupancy": 1, "distribution": "steady_state"}
        == config["controller.precondition"]
    )
    assert (
        config["controller.cache"] | {"policy": "write_back", "capacity_bytes": 1 << 24} == config["controller.cache"]
    )
    assert files(Enabled_Preconditioning="false").config()["controller.precondition.occupancy"] == 0


def test_wear_levelling_is_that_of_the_file_where_mqsim_has_its_own(files):
    imported = files(Dynamic_Wearleveling_Enabled="false", Static_Wearleveling_Threshold=50)
    levelling = imported.config()["controller.wear_levelling"]
    assert (levelling["free_block"], levelling["static_threshold"]) == ("fifo", 50)
    assert any("MQSim itself always levels with true, true and 100" in remark for remark in imported.remarks)
    assert files(Static_Wearleveling_Enabled="false").config()["controller.wear_levelling.static_threshold"] == 0


@pytest.mark.parametrize(
    ("flow", "changes"),
    [
        ({}, {"Enabled_Preconditioning": "false"}),
        ({}, {"GC_Block_Selection_Policy": "RANDOM_PP", "CMD_Suspension_Support": "NONE"}),
        ({"Device_Level_Data_Caching_Mode": "TURNED_OFF", "Address_Distribution": "RANDOM_UNIFORM"}, {}),
        ({"Synthetic_Generator_Type": "BANDWIDTH", "Bandwidth": 8_192_000}, {"Ideal_Mapping_Table": "true"}),
    ],
)
def test_every_key_that_is_set_does_something(files, flow, changes):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ns.ConfigWarning)
        warnings.filterwarnings("ignore", ".* acts as ", ns.ConfigWarning)  # the key has an effect
        files(flow, **changes).config().warn()


@pytest.mark.parametrize(
    ("there", "here"),
    [("GREEDY", "greedy"), ("RGA", "d_choices"), ("RANDOM", "random"), ("RANDOM_P", "random_p"), ("FIFO", "fifo")],
)
def test_policies_of_collection_have_names_of_their_own(files, there, here):
    assert files(GC_Block_Selection_Policy=there).config()["controller.garbage_collection.policy"] == here


def test_flows_are_workloads_on_parts_of_their_own(files):
    imported = files({}, {"Read_Percentage": 0, "Address_Distribution": "STREAMING", "Priority_Class": "Low"})
    first, second = imported.config()["host.workload"]
    assert (first["priority"], second["priority"]) == ("high", "low")
    assert first["read_percent"] == 60
    assert (first["hot_space_percent"], first["hot_access_percent"]) == (20, 80)
    assert first["block_bytes"] == 16 * 512
    assert (first["queue_depth"], first["requests"], first["pacing"]) == (8, 400, "closed")
    assert second["pattern"] == "sequential"
    # half of the exported bytes: 8 planes of 128 blocks of 64 pages of 8192 bytes, of which 8/10 are exported
    half = 8 * 128 * 64 * 8192 * 8 // 10 // 2
    assert first["footprint_start_bytes"] == 0
    assert second["footprint_start_bytes"] == half // 8192 * 8192
    assert first["footprint_bytes"] == half // 2 // 8192 * 8192
    assert imported.config()["controller.precondition.occupancy"] == 0.7
    assert imported.config()["controller.cache.policy"] == "write_back"


def test_imported_flows_run(files):
    stats = ns.run(files({}, {"Read_Percentage": 0}).config()).stats
    assert stats["host"]["all"]["count"] == 800
    assert stats["host"]["all"]["errors"] == 0


def test_a_bandwidth_is_a_rate_of_an_open_loop(files):
    flow = {"Synthetic_Generator_Type": "BANDWIDTH", "Bandwidth": 81_920_000, "Stop_Time": 50_000_000}
    imported = files(flow)
    workload = imported.config()["host.workload"]
    assert (workload["pacing"], workload["arrival"], workload["rate_iops"]) == ("open", "poisson", 10_000)
    assert workload["requests"] == 500
    assert any("Stop_Time" in remark and "500 requests" in remark for remark in imported.remarks)


def test_a_time_ends_a_flow(files):
    workload = files({"Stop_Time": 2_000_000, "Total_Requests_To_Generate": 0}).config()["host.workload"]
    assert workload["duration_ms"] == 2


def test_a_trace_is_replayed(files, tmp_path):
    (tmp_path / "a.trace").write_text("1000 0 16 8 1\n3000 0 999999999 8 0\n")
    flow = {"File_Path": "a.trace", "Percentage_To_Be_Executed": 100, "Relay_Count": 2, "Time_Unit": "MICROSECOND"}
    imported = files(flow)
    workload = imported.config()["host.workload"]
    assert (workload["format"], workload["repeat"], workload["speed"]) == ("ascii", 2, 1e-3)
    log = ns.run(imported.config()).stats["host"]["all"]
    assert log["count"] == 4


def test_settings_without_counterpart_are_remarked_with_their_line(files):
    imported = files({}, Queue_Fetch_Size=512, Something_New=7)
    assert any(remark.startswith("ssdconfig.xml:13: Queue_Fetch_Size: no counterpart") for remark in imported.remarks)
    assert any("Something_New" in remark for remark in imported.remarks)
    for remark in imported.remarks:
        assert remark.split()[0] in imported.to_yaml()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"HostInterface_Type": "SATA"}, "there is no SATA drive here"),
        ({"Address_Mapping": "HYBRID"}, "only PAGE_LEVEL can be imported"),
        ({"GC_Block_Selection_Policy": "BEST"}, "'BEST' is not one of GREEDY, RGA"),
        ({"Page_Capacity": None}, "it has no <Page_Capacity>"),
        ({"Page_Capacity": "8k"}, "expected a whole number, got '8k'"),
        ({"Overprovisioning_Ratio": 1.5}, "expected a share of the flash below 1"),
        ({"Channel_Transfer_Rate": 0}, "expected a rate in MT/s that is not 0"),
    ],
)
def test_settings_that_would_change_the_drive_are_refused(files, changes, message):
    with pytest.raises(ns.InputError, match=r"ssdconfig\.xml:\d+: ") as error:
        files(**changes)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"Channel_IDs": "0"}, "flows cannot be confined to a part of the flash here; the drive has 2"),
        ({"Request_Size_Distribution": "NORMAL"}, "sizes of a normal distribution have no counterpart"),
        ({"Average_Request_Size": 0}, "expected a size in sectors that is not 0"),
        ({"Synthetic_Generator_Type": "BANDWIDTH"}, "at least one request per second"),
        ({"File_Path": "a", "Percentage_To_Be_Executed": 50}, "a share of a trace has no counterpart"),
    ],
)
def test_settings_that_would_change_the_workload_are_refused(files, changes, message):
    with pytest.raises(ns.InputError, match=r"workload\.xml:\d+: ") as error:
        files(changes)
    assert message in str(error.value)


def test_flows_have_one_mode_of_the_cache(files):
    with pytest.raises(ns.InputError, match="all flows must have the mode WRITE_CACHE of the first"):
        files({}, {"Device_Level_Data_Caching_Mode": "TURNED_OFF"})


def test_one_scenario_is_chosen(tmp_path):
    device = write_device(tmp_path / "ssdconfig.xml")
    workload = write_workload(tmp_path / "workload.xml", [{}], [{}, {}])
    with pytest.raises(ns.InputError, match="it has 2 scenarios, each a run of its own"):
        ns.import_mqsim(device, workload)
    with pytest.raises(ns.InputError, match="there is no scenario 3; it has 2"):
        ns.import_mqsim(device, workload, scenario=3)
    assert len(ns.import_mqsim(device, workload, scenario=2).config()["host.workload"]) == 2
    with pytest.raises(ns.InputError, match="a scenario is given without a workload file"):
        ns.import_mqsim(device, scenario=1)


def test_files_of_another_kind_are_told(tmp_path):
    broken = tmp_path / "broken.xml"
    broken.write_text("<Execution_Parameter_Set>\n<a>\n</Execution_Parameter_Set>\n")
    with pytest.raises(ns.InputError, match=r"broken\.xml:3: not XML: mismatched tag"):
        ns.import_mqsim(broken)
    with pytest.raises(ns.InputError, match="expected <Execution_Parameter_Set> as the root"):
        ns.import_mqsim(write_workload(tmp_path / "workload.xml", [{}]))


@settings(max_examples=20, deadline=None)
@given(
    channels=st.integers(1, 8),
    chips=st.integers(1, 4),
    planes=st.sampled_from([1, 2, 4]),
    blocks=st.integers(128, 300),
    read_ns=st.integers(1000, 200_000),
    spare=st.integers(20, 60),
    depth=st.integers(1, 64),
    share=st.integers(1, 100),
)
def test_the_written_file_is_the_same_configuration(
    tmp_path_factory, channels, chips, planes, blocks, read_ns, spare, depth, share
):
    folder = tmp_path_factory.mktemp("mqsim")
    shape = {"Flash_Channel_Count": channels, "Chip_No_Per_Channel": chips, "Plane_No_Per_Die": planes}
    device = write_device(
        folder / "ssdconfig.xml",
        **shape,
        Block_No_Per_Plane=blocks,
        Page_Read_Latency_CSB=read_ns,
        Overprovisioning_Ratio=spare / 100,
    )
    everywhere = dict.fromkeys(("Channel_IDs", "Chip_IDs", "Die_IDs", "Plane_IDs"))
    flow = everywhere | {"Average_No_of_Reqs_in_Queue": depth, "Working_Set_Percentage": share}
    imported = ns.import_mqsim(device, write_workload(folder / "workload.xml", [flow]))
    (folder / "imported.yaml").write_text(imported.to_yaml())
    config = ns.load(folder / "imported.yaml")
    assert config == imported.config()
    assert config["channel.count"] == channels
    assert config["nand.geometry.blocks_per_plane"] == blocks
    assert config["nand.timing.t_read_us"][1] == read_ns / 1000
    assert config["host.workload.queue_depth"] == depth


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from([*HOST, *DEVICE, *FLASH, *SYNTHETIC]),
    text=st.one_of(st.none(), st.text("0123456789.-eaTRUE_,", max_size=12)),
)
def test_any_value_is_taken_or_refused(tmp_path_factory, name, text):
    folder = tmp_path_factory.mktemp("mqsim")
    of_flow = name in SYNTHETIC and name != "Seed"
    device = write_device(folder / "ssdconfig.xml", **({} if of_flow else {name: text}))
    workload = write_workload(folder / "workload.xml", [{name: text} if of_flow else {}])
    with contextlib.suppress(ns.InputError, ns.ConfigError):
        ns.import_mqsim(device, workload)
