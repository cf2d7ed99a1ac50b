// SPDX-License-Identifier: Apache-2.0
// Tests the table of settings that exclude each other. For each row of the table, a drive with both settings must be
// refused with both keys, their values and the reason.
#include "platform/config/compatibility.h"

#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"

using namespace nandscape;

namespace {

using Given = std::vector<std::string>;

std::string refusal(const Given& settings) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) overrides.push_back(parse_override(setting));
  try {
    load_configuration("bare", overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

const Given fullpages = {"controller.mapping.unit_bytes=4096",
                         "controller.mapping.over_provisioning=1.2",
                         "controller.fullpages.allocation=fpa",
                         "controller.subpages.reads=srs",
                         "controller.precondition.order=sequential",
                         "controller.precondition.invalid_page_ratio=0",
                         "controller.fullpages.precondition_percent=100",
                         "ecc.codec=ldpc",
                         "ecc.decoder=table",
                         "ecc.codeword_bytes=4096",
                         "nand.geometry.first_layer=by_block",
                         "nand.geometry.blocks_per_plane=64",
                         "nand.geometry.pages_per_block=48"};
const Given ida = {"controller.refresh.policy=ida", "controller.power_loss.protection=capacitor"};
const Given two_bits = {"nand.coding=mlc_13", "nand.cells.set=mlc_planar_15k"};
const Given segments = {"nand.coding=mlc_13",       "nand.cells.set=mlc_planar_15k", "ecc.selection=cdber",
                        "ecc.codeword_bytes=16384", "ecc.correctable_bits=55",       "ecc.scrambler=false"};
const Given background = {"ecc.selection=by_source"};
const Given by_content = {"controller.write_mode.by_content=true", "controller.content.bound=exact"};
const Given kept = {"controller.write_mode.kept_weeks=2", "controller.write_mode.step_ratio=2"};

Given with(Given settings, const Given& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

struct Sample {
  const char* first;
  const char* second;
  Given given;
};

// Returns a drive for each pair of keys in the table that is refused because of this pair.
std::vector<Sample> samples() {
  constexpr const char* copyback = "controller.garbage_collection.copyback";
  const Given moves = {"controller.garbage_collection.copyback=true"};
  const Given stripes = {"controller.parity.stripe_dies=4"};
  const Given superpages = {"controller.mapping.layout=superpage"};
  const Given maps = with(segments, {"ecc.state_mapping=best", "simulation.data=stored"});
  const Given written_maps =
      with(with(two_bits, by_content), {"controller.content.state_mapping=true", "simulation.data=stored"});
  constexpr const char* cache = "controller.slc_cache";
  const Given cached = {"controller.slc_cache.dynamic_percent=50"};
  constexpr const char* passes = "nand.timing.program_passes";
  const Given two_passes = {"nand.timing.program_passes=2", "nand.timing.program_unit=wordline"};
  constexpr const char* fold_by = "controller.slc_cache.fold_by";
  const Given direct_folds = with(cached, {"controller.slc_cache.fold_by=copyback"});
  std::vector<Sample> all = {
      {"controller.mapping.unit_bytes", "nand.geometry.page_bytes", {"controller.mapping.unit_bytes=2048"}},
      {"controller.parity.stripe_dies", "channel.count", {"controller.parity.stripe_dies=3"}},
      {"controller.parity.stripe_dies", "channel.count", {"controller.parity.stripe_dies=1"}},
      {"controller.mapping.superblock_dies", "channel.count",
       with(superpages, {"controller.mapping.superblock_dies=3"})},
      {"controller.mapping.superblock_dies", "controller.parity.stripe_dies",
       with(with(superpages, stripes), {"controller.mapping.superblock_dies=2"})},
      {copyback, "controller.mapping.layout", with(superpages, moves)},
      {"controller.fullpages.allocation", "controller.mapping.layout", with(fullpages, superpages)},
      {cache, "nand.coding", with(cached, {"nand.coding=slc", "nand.cells.set=slc_3d"})},
      {cache, "controller.fullpages.allocation", with(fullpages, cached)},
      {cache, copyback, with(cached, moves)},
      {fold_by, "controller.mapping.layout", with(direct_folds, superpages)},
      {fold_by, "controller.parity.stripe_dies", with(direct_folds, stripes)},
      {cache, "controller.write_mode", with(cached, kept)},
      {cache, "ecc.selection", with(cached, background)},
      {cache, "controller.subpages.reads",
       with(cached, {"controller.mapping.unit_bytes=4096", "controller.subpages.reads=srs"})},
      {cache, "controller.refresh.policy", with(cached, ida)},
      {cache, "simulation.blocks.die.kind",
       with(cached, {"simulation.blocks.die.kind=onfi_pins", "simulation.data=stored"})},
      {passes, "nand.timing.program_unit", {"nand.timing.program_passes=2"}},
      {passes, "nand.coding", with(two_passes, {"nand.coding=slc", "nand.cells.set=slc_3d"})},
      {passes, "controller.parity.stripe_dies", with(two_passes, stripes)},
      {passes, copyback, with(two_passes, moves)},
      {passes, fold_by, with(direct_folds, two_passes)},
      {passes, "controller.refresh.policy", with(two_passes, ida)},
      {passes, "controller.fullpages.allocation", with(fullpages, two_passes)},
      {passes, "controller.scheduler.cache_program", with(two_passes, {"controller.scheduler.cache_program=true"})},
      {passes, "controller.write_mode", with(two_passes, kept)},
      {passes, "ecc.selection", with(segments, two_passes)},
      {passes, "simulation.blocks.die.kind",
       with(two_passes, {"simulation.blocks.die.kind=onfi_pins", "simulation.data=stored"})},
      {copyback, "controller.parity.stripe_dies", with(moves, stripes)},
      {"nand.independent_plane_reads",
       "controller.scheduler.cache_read",
       {"nand.independent_plane_reads=true", "controller.scheduler.cache_read=true"}},
      {"nand.independent_plane_reads",
       "controller.subpages.reads",
       {"nand.independent_plane_reads=true", "controller.subpages.reads=srs"}},
      {"controller.fullpages.allocation", "nand.geometry.blocks_per_plane",
       with(fullpages, {"nand.geometry.blocks_per_plane=62"})},
      {"controller.fullpages.allocation", "controller.parity.stripe_dies", with(fullpages, stripes)},
      {copyback, "controller.fullpages.allocation", with(fullpages, moves)},
      {"controller.fullpages.allocation", "controller.subpages.reads",
       with(fullpages, {"controller.subpages.reads=none"})},
      {"controller.fullpages.allocation", "controller.mapping.unit_bytes",
       with(fullpages, {"controller.mapping.unit_bytes=8192"})},
      {"controller.fullpages.allocation", "nand.geometry.first_layer",
       with(fullpages, {"nand.geometry.first_layer=lowest"})},
      {"controller.fullpages.allocation", "nand.geometry.pages_per_block",
       with(fullpages, {"nand.geometry.pages_per_block=51"})},
      {"controller.fullpages.allocation", "ecc.codec", with(fullpages, {"ecc.codec=bch"})},
      {"controller.fullpages.allocation", "ecc.decoder", with(fullpages, {"ecc.decoder=threshold"})},
      {"controller.fullpages.borrowed_parity_bytes", "ecc.ldpc_parity_bytes",
       with(fullpages, {"controller.fullpages.borrowed_parity_bytes=512"})},
      {"controller.fullpages.precondition_percent", "controller.precondition.distribution",
       with(fullpages, {"controller.precondition.distribution=steady_state"})},
      {"controller.fullpages.precondition_percent", "controller.precondition.order",
       with(fullpages, {"controller.precondition.order=random"})},
      {"controller.fullpages.precondition_percent", "controller.precondition.invalid_page_ratio",
       with(fullpages, {"controller.precondition.invalid_page_ratio=0.1"})},
      {"controller.mapping.unit_bytes",
       "ecc.codeword_bytes",
       {"controller.mapping.unit_bytes=4096", "ecc.codeword_bytes=8192"}},
      {"controller.mapping.unit_bytes", "ecc.background.codeword_bytes",
       with(background, {"controller.mapping.unit_bytes=4096", "ecc.background.codeword_bytes=8192"})},
      {"controller.subpages.reads", "ecc.codeword_bytes", {"controller.subpages.reads=srs", "ecc.codeword_bytes=8192"}},
      {"controller.mapping.cache_bytes", "controller.mapping.unit_bytes", {"controller.mapping.cache_bytes=16383"}},
      {"controller.mapping.memory", "controller.mapping.cache_bytes", {"controller.mapping.memory=host"}},
      {"controller.mapping.host_buffer_bytes",
       "controller.mapping.cache_bytes",
       {"controller.mapping.memory=host", "controller.mapping.cache_bytes=32768",
        "controller.mapping.host_buffer_bytes=16384"}},
      {"controller.garbage_collection.reserved_blocks",
       "controller.garbage_collection.start_free_blocks",
       {"controller.garbage_collection.reserved_blocks=3", "controller.garbage_collection.start_free_blocks=3"}},
      {"controller.cache.dirty_low_percent",
       "controller.cache.dirty_high_percent",
       {"controller.cache.policy=write_back", "controller.cache.dirty_low_percent=50",
        "controller.cache.dirty_high_percent=49"}},
      {"nand.geometry.pages_per_block",
       "nand.coding",
       {"simulation.cells=statistical", "nand.geometry.pages_per_block=100"}},
      {"channel.rate_mt_s", "channel.interface", {"channel.interface=nv_ddr2", "channel.rate_mt_s=534"}},
      {"controller.power_loss.cut_off_v", "controller.power_loss.capacitor_v", {"controller.power_loss.cut_off_v=12"}},
      {"controller.dram.row_bytes", "controller.dram.bus_bits", {"controller.dram.row_bytes=1000"}},
      {"controller.dram.t_rfc_ns",
       "controller.dram.t_refi_ns",
       {"controller.dram.t_rfc_ns=7800", "controller.dram.t_refi_ns=7800"}},
      {"ecc.decoder", "simulation.data", {"ecc.decoder=bit_true"}},
      {"controller.read_retry.policy", "ecc.decoder", {"controller.read_retry.policy=soft"}},
      {"controller.read_retry.policy",
       "ecc.codec",
       {"controller.read_retry.policy=soft", "ecc.decoder=table", "ecc.codec=bch"}},
      {"ecc.decode_time", "ecc.decoder", {"ecc.decode_time=iterations"}},
      {"ecc.background.decode_time", "ecc.decoder", with(background, {"ecc.background.decode_time=iterations"})},
      {"ecc.soft_engines", "controller.read_retry.policy", {"ecc.soft_engines=2"}},
      {"ecc.background.soft_engines", "controller.read_retry.policy",
       with(background, {"ecc.background.soft_engines=2"})},
      {"ecc.stop_at_failure", "ecc.codeword_bytes", {"ecc.stop_at_failure=true", "ecc.codeword_bytes=16384"}},
      {"ecc.selection", "controller.parity.stripe_dies", with(background, stripes)},
      {"ecc.selection", "controller.fullpages.allocation", with(fullpages, background)},
      {"ecc.background.codeword_bytes", "ecc.codeword_bytes",
       with(background,
            {"nand.geometry.page_bytes=12288", "ecc.codeword_bytes=3072", "ecc.background.codeword_bytes=4096"})},
      {"ecc.segments.correctable_bits", "ecc.segments.t_codeword_us",
       with(segments, {"ecc.segments.correctable_bits=[29, 16]"})},
      {"ecc.segments.correctable_bits", "ecc.segments.t_codeword_us",
       with(segments, {"ecc.segments.correctable_bits=[]", "ecc.segments.t_codeword_us=[]"})},
      {"ecc.codeword_bytes", "ecc.selection", with(segments, {"ecc.codeword_bytes=1024"})},
      {"ecc.codec", "ecc.selection", with(segments, {"ecc.decoder=table", "ecc.codec=ldpc"})},
      {"nand.coding", "ecc.selection", with(segments, {"nand.coding=tlc_232", "nand.cells.set=tlc_3d_48"})},
      {"controller.mapping.unit_bytes", "ecc.selection", with(segments, {"controller.mapping.unit_bytes=8192"})},
      {copyback, "ecc.selection", with(segments, moves)},
      {"controller.write_mode.step_ratio", "simulation.cells", {"controller.write_mode.kept_weeks=2"}},
      {"controller.write_mode.step_ratio",
       "nand.coding",
       {"controller.write_mode.kept_weeks=2", "simulation.cells=statistical", "nand.coding=slc",
        "nand.cells.set=slc_3d", "nand.timing.t_read_us=[30]"}},
      {"controller.write_mode.step_ratio",
       "nand.cells.placement.step_mv",
       {"controller.write_mode.kept_weeks=2", "controller.write_mode.step_ratio=9", "simulation.cells=statistical"}},
      {"controller.write_mode.kept_weeks", copyback, with(kept, moves)},
      {"controller.write_mode.by_content", "ecc.selection", with(segments, by_content)},
      {"controller.content.steps_mv", "nand.cells.placement.step_mv",
       with(with(two_bits, by_content), {"controller.content.steps_mv=[400, 350]"})},
      {"controller.content.steps_mv", "nand.cells.placement.step_mv",
       with(with(two_bits, by_content), {"controller.content.steps_mv=[1]"})},
      {"controller.content.step_rule", "simulation.cells",
       with(with(two_bits, by_content), {"controller.content.step_rule=page", "simulation.cells=statistical"})},
      {"simulation.data", "nand.coding", with(by_content, {"simulation.data=stored"})},
      {"controller.content.state_mapping", "nand.coding", with(by_content, {"controller.content.state_mapping=true"})},
      {"controller.content.faster_pages", "nand.coding", with(by_content, {"controller.content.faster_pages=lsb"})},
      {"controller.content.step_rule", "nand.coding", with(by_content, {"controller.content.step_rule=page"})},
      {"controller.content.bound", "nand.coding", {"controller.write_mode.by_content=true"}},
      {"controller.refresh.policy", "controller.power_loss.protection",
       with(ida, {"controller.power_loss.protection=none"})},
      {"controller.refresh.policy", "controller.parity.stripe_dies", with(ida, stripes)},
      {"controller.refresh.policy", copyback, with(ida, moves)},
      {"controller.refresh.policy", "nand.coding", with(ida, {"nand.coding=slc", "nand.cells.set=slc_3d"})},
      {"controller.refresh.wordlines", "controller.read_disturb.limit_reads",
       with(ida, {"controller.refresh.wordlines=repaying"})},
      {"controller.refresh.policy", "controller.power_loss.hold_up_ms",
       with(ida, {"controller.power_loss.hold_up_ms=1"})},
      {"nand.condition.pe_cycles",
       "nand.condition.retention_days",
       {"simulation.cells=statistical", "nand.condition.pe_cycles=2000000", "nand.condition.retention_days=365"}},
      {"controller.read_retry.timing_table",
       "nand.cells.set",
       {"controller.read_retry.policy=regular", "controller.read_retry.adaptive=true", "nand.cells.set=qlc_3d",
        "nand.coding=qlc_4434", "nand.geometry.pages_per_block=96"}},
      {"host.nvme.io_queues", "host.workload", {"host.nvme.io_queues=1"}},
      {"simulation.waves.end_us",
       "simulation.waves.begin_us",
       {"simulation.waves.file=run.vcd", "simulation.waves.begin_us=2", "simulation.waves.end_us=1"}},
      {"simulation.timeline.end_us",
       "simulation.timeline.begin_us",
       {"simulation.timeline.file=run", "simulation.timeline.begin_us=2", "simulation.timeline.end_us=1"}},
  };
  for (const auto& [key, drive] :
       {std::pair{"ecc.state_mapping", maps}, {"controller.content.state_mapping", written_maps}}) {
    all.insert(all.end(),
               {{key, "controller.refresh.policy", with(drive, ida)},
                {key, "ecc.scrambler", with(drive, {"ecc.scrambler=true", "ecc.decoder=bit_true"})},
                {key, "controller.garbage_collection.copyback", with(drive, moves)},
                {key, "controller.parity.stripe_dies", with(drive, stripes)},
                {key, "controller.mapping.layout", with(drive, superpages)},
                {key, "controller.fullpages.allocation", with(drive, {"controller.fullpages.allocation=fpa"})}});
  }
  return all;
}

std::string pair_of(std::string_view first, std::string_view second) {
  return std::string(first) + " and " + std::string(second);
}

}  // namespace

TEST_CASE("settings that exclude each other are refused with both keys and their values") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.first, sample.second, sample.given);
    const std::string message = refusal(sample.given);
    CHECK_THAT(message, ContainsSubstring(std::string(sample.first) + ": "));
    CHECK_THAT(message, ContainsSubstring(", but " + std::string(sample.second) + " "));
  }
}

TEST_CASE("each pair of keys of the table has a drive that is refused for it") {
  std::set<std::string> sampled;
  for (const Sample& sample : samples()) sampled.insert(pair_of(sample.first, sample.second));
  // These rows need a plug-in library, which these tests do not build.
  const std::set<std::string> libraries = {"ecc.plugin and ecc.selection", "controller.content.plugin and nand.coding"};
  for (const Incompatibility& row : incompatibilities()) {
    if (row.when == Incompatibility::When::built)
      continue;  // tests/protocol/onfi_drives.cpp, tests/cosim/whole_drive.cpp
    const std::string pair = pair_of(row.first.key, row.second.key);
    CAPTURE(pair);
    CHECK((sampled.contains(pair) || libraries.contains(pair)));
  }
}

TEST_CASE("the table names keys and groups of the schema") {
  std::set<std::string> known;
  for (const ParameterRow& row : list_parameters()) {
    for (std::size_t end = row.path.find('.'); end != std::string::npos; end = row.path.find('.', end + 1)) {
      known.insert(row.path.substr(0, end));
    }
    known.insert(row.path);
  }
  for (const Incompatibility& row : incompatibilities()) {
    CAPTURE(row.first.key, row.second.key);
    CHECK(known.contains(std::string(row.first.key)));
    CHECK(known.contains(std::string(row.second.key)));
    CHECK(row.first.key != row.second.key);
    CHECK_FALSE(row.first.words.empty());
    CHECK_FALSE(row.second.words.empty());
    CHECK_FALSE(row.reason.empty());
  }
}

TEST_CASE("several contradictions are reported together, each with its reason") {
  const std::string message = refusal({"controller.refresh.policy=ida", "controller.power_loss.protection=none",
                                       "controller.garbage_collection.copyback=true", "ecc.decoder=bit_true"});
  CHECK_THAT(message, ContainsSubstring("--set: ecc.decoder: is 'bit_true', but simulation.data is 'none': the decoder "
                                        "decodes bytes, and the simulation keeps none; set simulation.data to stored"));
  CHECK_THAT(message, ContainsSubstring("controller.refresh.policy: is 'ida', but "
                                        "controller.garbage_collection.copyback is true: ida does not support"));
  CHECK_THAT(message, ContainsSubstring("controller.refresh.policy: is 'ida', but controller.power_loss.protection is "
                                        "'none': ida keeps data only in memory"));
}
