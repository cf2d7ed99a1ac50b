// SPDX-License-Identifier: Apache-2.0
#include "draw_settings.h"

#include <algorithm>
#include <initializer_list>

namespace nandscape::soak {

namespace {

class Drawer {
 public:
  explicit Drawer(RandomStream& random) : random_(random) {}

  bool chance(unsigned percent) { return random_.below(100) < percent; }
  const char* one_of(std::initializer_list<const char*> values) { return values.begin()[random_.below(values.size())]; }
  unsigned one_of(std::initializer_list<unsigned> values) { return values.begin()[random_.below(values.size())]; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + random_.below(most - least + 1); }

  void set(const std::string& key, const std::string& value) { drive.settings.push_back(key + "=" + value); }
  void set(const std::string& key, std::uint64_t value) { set(key, std::to_string(value)); }
  // Sets the key to one of the values with a probability of `percent`, and returns this value. Otherwise the key keeps
  // its default, and the result is an empty string.
  const char* choose(unsigned percent, const std::string& key, std::initializer_list<const char*> values) {
    if (!chance(percent)) return "";
    const char* value = one_of(values);
    set(key, value);
    return value;
  }
  void choose(unsigned percent, const std::string& key, std::initializer_list<unsigned> values) {
    if (chance(percent)) set(key, one_of(values));
  }

  bool has(const std::string& key) const {
    return std::ranges::any_of(drive.settings, [&](const std::string& s) { return s.starts_with(key + "="); });
  }

  DrawnDrive drive;

 private:
  RandomStream& random_;
};

struct Shape {
  unsigned dies, planes, page_bytes, unit_bytes;
};

Shape draw_geometry(Drawer& d) {
  const unsigned channels = d.one_of({1, 2, 2, 4}), chips = d.one_of({1, 1, 2}), dies = d.one_of({1, 1, 2});
  Shape shape{channels * chips * dies, d.one_of({1, 2, 2, 4}), d.one_of({2048, 4096, 4096, 16384}), 0};
  d.set("channel.count", channels);
  d.set("nand.geometry.chips_per_channel", chips);
  d.set("nand.geometry.dies_per_chip", dies);
  d.set("nand.geometry.planes_per_die", shape.planes);
  d.set("nand.geometry.blocks_per_plane", d.between(8, shape.dies * shape.planes > 4 ? 14 : 28));
  d.set("nand.geometry.pages_per_block", d.one_of({6, 12, 12, 24, 13}));
  d.set("nand.geometry.page_bytes", shape.page_bytes);
  // Sufficient for any code with its CRCs.
  d.set("nand.geometry.spare_bytes", shape.page_bytes / 8 + shape.page_bytes / 128);
  // The choices range from the smallest over-provisioning that is valid to a generous one.
  d.set("controller.mapping.over_provisioning", d.one_of({"0.6", "1", "1.5", "1.5", "2.5", "4"}));
  if (d.chance(40)) {
    shape.unit_bytes = shape.page_bytes / d.one_of({2, 4});
    d.set("controller.mapping.unit_bytes", shape.unit_bytes);
    d.choose(50, "controller.mapping.write_coalescing_us", {"0", "100"});
  }
  d.drive.page_sectors = shape.page_bytes / 512;
  return shape;
}

void draw_mapping(Drawer& d, const Shape& shape) {
  d.choose(30, "controller.mapping.allocation", {"CWDP", "PDWC", "WCPD"});
  d.choose(30, "controller.mapping.plane", {"least_busy"});
  if (d.chance(25)) {
    const unsigned unit = shape.unit_bytes == 0 ? shape.page_bytes : shape.unit_bytes;
    const unsigned cache = unit * d.one_of({1, 2, 4});
    d.set("controller.mapping.cache_bytes", cache);
    if (d.chance(50)) {
      d.set("controller.mapping.memory", "host");
      d.set("controller.mapping.host_buffer_bytes", std::max(4096u, cache * d.one_of({1, 3, 8})));
      d.choose(30, "host.driver.host_buffer_bytes", {"0", "16384"});
    }
  }
  if (!d.has("controller.mapping.memory")) d.choose(20, "controller.mapping.memory", {"dram"});
  d.choose(20, "controller.precondition.distribution", {"scattered"});
  d.choose(20, "controller.precondition.occupancy", {"0", "0.5"});
  if (shape.dies > 1 && d.chance(25)) d.set("controller.parity.stripe_dies", d.chance(50) ? shape.dies : 2);
  if (!d.chance(30)) return;
  d.set("controller.mapping.layout", "superpage");
  d.set("controller.mapping.over_provisioning", d.one_of({"1.5", "2.5"}));  // superblocks leave a plane few blocks
  d.choose(50, "controller.mapping.superpage_wait_us", {"0", "50"});
  if (!d.has("controller.parity.stripe_dies")) d.choose(40, "controller.mapping.superblock_dies", {"1"});
}

// Draws an SLC cache with a static part, a dynamic part, or both.
void draw_slc_cache(Drawer& d) {
  if (!d.chance(20)) return;
  const bool both = d.chance(30);
  const bool is_static = d.chance(50);
  const std::string group = "controller.slc_cache.";
  if (both || is_static) d.set(group + "static_percent", d.one_of({"5", "20"}));
  if (both || !is_static) d.set(group + "dynamic_percent", d.one_of({"30", "100"}));
  // Each plane needs some more blocks, since several are free or open at all times.
  d.set("nand.geometry.blocks_per_plane", d.between(20, 40));
  d.set("controller.mapping.over_provisioning", d.one_of({"2.5", "4"}));
  d.choose(50, group + "when_full", {"fold"});
  const bool by_pages = !d.has("controller.mapping.layout") && !d.has("controller.parity.stripe_dies");
  if (by_pages) d.choose(50, group + "fold_by", {"copyback"});
  d.set(group + "fold_idle_ms", d.one_of({"0", "0.3", "5"}));
}

void draw_collection(Drawer& d) {
  const std::string group = "controller.garbage_collection.";
  d.choose(60, group + "policy",
           {"d_choices", "random", "random_p", "random_pp", "fifo", "cost_benefit", "random:victims"});
  if (d.chance(35)) {
    const std::uint64_t start = d.between(3, 4);
    d.set(group + "start_free_blocks", start);
    d.set(group + "reserved_blocks", d.between(1, start - 1));
  }
  d.choose(20, group + "pages_in_flight", {1, 2, 64});
  d.choose(30, group + "pace", {"balanced"});
  d.choose(20, group + "preemptible", {"false"});
  const bool moves_freely = !d.has("controller.mapping.layout") && !d.has("controller.slc_cache.fold_idle_ms");
  if (moves_freely) d.choose(25, group + "copyback", {"true"});
  d.choose(20, group + "copyback_limit", {1});
  d.choose(50, "controller.streams.policy", {"single", "hot_cold", "by_address"});
  d.choose(20, "controller.wear_levelling.free_block", {"least_worn"});
  d.choose(20, "controller.wear_levelling.static_threshold", {"1", "3"});
  d.choose(20, "controller.wear_levelling.check_erases", {"1"});
}

void draw_scheduler(Drawer& d, const Shape& shape) {
  const std::string group = "controller.scheduler.";
  d.choose(50, group + "policy",
           {"fifo", "read_first", "priority", "flin", "random:scheduling", "random:accounting_scheduling"});
  d.choose(50, group + "suspend", {"none", "program", "erase"});
  d.choose(20, group + "max_suspends", {"1"});
  d.choose(15, group + "min_run_us", {"100"});
  d.choose(25, group + "multi_plane", {"false"});
  d.choose(30, group + "cache_read", {"true"});
  d.choose(30, group + "cache_program", {"true"});
  const bool quarters = shape.unit_bytes * 4 == shape.page_bytes && !d.has("controller.slc_cache.fold_idle_ms");
  if (quarters) d.choose(40, "controller.subpages.reads", {"soml", "srs"});
}

void draw_cache(Drawer& d, const Shape& shape) {
  const std::string policy =
      d.choose(60, "controller.cache.policy", {"read", "write_back", "write_back", "read_write"});
  if (policy.empty()) return;
  const std::string group = "controller.cache.";
  const unsigned unit = shape.unit_bytes == 0 ? shape.page_bytes : shape.unit_bytes;
  d.set(group + "capacity_bytes", std::uint64_t{unit} * d.one_of({1, 2, 4, 16, 64}));
  d.choose(40, group + "backup", {"capacitor"});
  d.choose(40, group + "replacement", {"fifo", "clock"});
  d.choose(40, group + "writes_in_flight", {1, 2, 4});
  d.choose(30, group + "dirty_high_percent", {"100", "50"});
  d.choose(50, group + "dirty_low_percent", {"0", "30"});
  if (policy != "write_back") d.choose(40, group + "prefetch_pages", {1, 4});
}

// Draws a cell model, and a code that can correct the errors of these cells.
void draw_cells(Drawer& d, const Shape& shape) {
  d.choose(30, "ecc.engines", {"shared", "pool"});
  d.choose(15, "ecc.stop_at_failure", {"true"});
  d.choose(20, "ecc.decode_fifo_pages", {1, 2});
  d.choose(20, "ecc.encode_fifo_pages", {1, 2});
  const std::string cells = d.choose(25, "simulation.cells", {"statistical", "statistical", "per_cell"});
  if (cells.empty()) {
    // These cells have no errors, but the codes are encoded and decoded nevertheless.
    if (d.chance(15)) {
      d.set("ecc.codeword_bytes", 512);
      d.set("ecc.correctable_bits", 8);
      d.set("ecc.decoder", "bit_true");
    }
    return;
  }
  d.drive.real_cells = true;
  d.choose(50, "nand.condition.pe_cycles", {"500", "1500"});
  d.choose(40, "nand.condition.retention_days", {"30"});
  const bool soft = shape.page_bytes >= 4096 && d.chance(20);
  if (!soft && d.chance(90)) {
    d.choose(20, "controller.read_retry.pipelined", {"true"});
    d.choose(20, "controller.read_retry.adaptive", {"true"});
  } else if (!soft) {
    const char* recovery = d.one_of({"none", "random:recovery", "random:locking_recovery"});
    d.set("controller.read_retry.policy", recovery);
  }
  d.choose(30, "controller.read_retry.start", {"last_of_block", "last_of_layer", "last_of_block_and_layer"});
  d.choose(30, "controller.refresh.policy", {"period", "predicted_rber"});
  d.choose(20, "controller.scrub.period_hours", {"24"});
  d.choose(20, "controller.read_disturb.limit_reads", {"100"});
  if (!soft && (shape.page_bytes < 4096 || !d.chance(40))) return;
  d.set("ecc.codec", "ldpc");
  d.set("ecc.codeword_bytes", 4096);
  d.set("ecc.decoder", soft || d.chance(70) ? "table" : "bit_true");
  if (soft) {
    const std::string by_stages = d.one_of({"recovery_flow", "soft"});
    const char* random = d.one_of({"random:soft_recovery", "random:locking_soft_recovery"});
    const std::string policy = d.chance(33) ? random : by_stages;
    d.set("controller.read_retry.policy", policy);
    if (policy == "recovery_flow") d.choose(50, "controller.read_retry.search_stride", {"4"});
    if (!policy.starts_with("random:")) d.choose(50, "controller.read_retry.keep_senses", {"true"});
  }
}

void draw_power(Drawer& d) {
  // This drive renews blocks continuously. If its cells are slow to simulate, it renews blocks only when simulated days
  // pass. Renewal requires a capacitor.
  if (d.chance(15) && !d.has("controller.slc_cache.fold_idle_ms")) {
    d.drive.adjusts = true;
    d.set("controller.refresh.policy", "ida");
    d.set("controller.refresh.period_days", d.drive.real_cells ? "5" : "1e-6");
    d.set("controller.refresh.check_hours", d.drive.real_cells ? "24" : "1e-5");
    d.choose(40, "controller.refresh.error_rate", {"0.2", "1"});
    if (d.chance(30)) {
      d.set("controller.refresh.wordlines", "repaying");
      d.set("controller.read_disturb.limit_reads", 1000);
    }
  } else {
    d.choose(50, "controller.power_loss.protection", {"none"});
  }
  d.choose(20, "controller.power_loss.hold_up_ms", {"1", "5", "5000"});
}

void draw_host(Drawer& d) {
  d.choose(20, "host.nvme.queue_entries", {"8", "64"});
  d.choose(15, "host.nvme.max_transfer_kib", {"8", "64"});
  d.choose(15, "host.nvme.command_slots", {"1", "4"});
  d.choose(15, "host.nvme.data_transfers", {"1"});
  d.choose(20, "host.link.lanes", {"1", "16"});
  if (d.chance(20)) {
    for (const char* what : {"read", "write", "trim", "flush", "completion", "move", "erase", "command"}) {
      d.choose(60, std::string("controller.firmware.") + what + "_cycles", {"500", "20000"});
    }
    d.choose(50, "controller.firmware.cores", {"2"});
    d.choose(30, "controller.firmware.command_latency_us", {"3", "40"});
    d.choose(30, "controller.firmware.read_latency_us", {"5"});
  }
}

// Draws a drive that uses a different code for background writes.
void code_by_source(Drawer& d, const Shape& shape) {
  const unsigned unit = shape.unit_bytes == 0 ? shape.page_bytes : shape.unit_bytes;
  const std::string group = "ecc.background.";
  d.set("ecc.selection", "by_source");
  d.set(group + "codec", "bch");
  d.set(group + "codeword_bytes", unit >= 2048 && d.chance(50) ? 2048 : 1024);
  d.set(group + "correctable_bits", 32);
  d.choose(30, group + "engines", {"per_channel", "shared"});
  // All of these encoders are fast enough for a drive that refreshes its data every tenth of a second.
  d.choose(60, group + "encode_mb_s", {"10", "40", "0"});
  d.choose(50, group + "encode_fifo_pages", {1, 2});
  d.choose(30, group + "decode_fifo_pages", {1});
}

// Draws a drive that divides each page into as many segments as the content of the page allows.
void code_by_content(Drawer& d, const Shape& shape) {
  d.set("ecc.selection", "cdber");
  d.set("nand.coding", "mlc_13");
  d.set("nand.cells.set", "mlc_planar_15k");
  d.set("ecc.codeword_bytes", shape.page_bytes);
  d.set("ecc.correctable_bits", 240);
  d.set("ecc.segments.correctable_bits", "[120, 60, 30]");
  d.choose(50, "ecc.decode_time", {"codewords"});
  d.choose(50, "ecc.weak_msb", {"[0.9, 0.9, 0.9]", "[0.6]"});
  if (d.chance(60) && !d.has("controller.refresh.policy") && !d.has("controller.parity.stripe_dies") &&
      !d.has("controller.mapping.layout")) {
    d.set("ecc.scrambler", "false");
    d.set("ecc.state_mapping", d.one_of({"by_share", "best"}));
    d.choose(50, "controller.mapping.wordline_wait_us", {"0", "300"});
  } else {
    d.choose(30, "ecc.scrambler", {"false"});
  }
}

// Draws a drive whose superblocks consist of four blocks, and whose mapping units are a quarter of a page.
void spread_over_layers(Drawer& d) {
  d.set("nand.geometry.page_bytes", 16384);
  d.set("nand.geometry.spare_bytes", 2208);
  d.set("nand.geometry.blocks_per_plane", 48);
  d.set("nand.geometry.pages_per_block", 12);
  d.set("nand.geometry.first_layer", "by_block");
  d.set("controller.mapping.unit_bytes", 4096);
  d.set("controller.fullpages.allocation", "fpa");
  d.set("controller.fullpages.wait_ms", d.one_of({"0", "0.3", "1"}));
  d.set("controller.mapping.over_provisioning", d.one_of({"1.5", "2.5"}));
  d.set("controller.subpages.reads", d.one_of({"soml", "srs"}));
  d.set("ecc.codec", "ldpc");
  d.set("ecc.codeword_bytes", 4096);
  d.set("ecc.decoder", "table");
  d.drive.page_sectors = 32;
}

// Draws a drive that uses a fast write mode and reprograms such pages after some time. If the cells have errors, the
// mode must not be much faster than normal, because the pages would be unreadable.
void draw_write_mode(Drawer& d) {
  if (!d.chance(25)) return;
  if (d.has("controller.garbage_collection.copyback") || d.has("controller.slc_cache.fold_idle_ms")) return;
  const bool longer = d.chance(30);
  d.set("controller.write_mode.kept_weeks", longer ? 10 : 2);
  d.set("controller.write_mode.step_ratio", d.drive.real_cells ? "1.2" : longer ? "1.86" : "2.33");
}

// Connects the dies at ONFI pins in some drives. The drive must have small pages, since the pins transfer data byte by
// byte, and must not use a feature that cannot be operated over the pins.
void draw_pins(Drawer& d) {
  if (!d.chance(12) || d.drive.real_cells || d.drive.adjusts || d.drive.page_sectors > 8) return;
  if (d.has("controller.subpages.reads") || d.has("controller.write_mode.kept_weeks")) return;
  if (d.has("controller.slc_cache.fold_idle_ms")) return;
  const std::string group = "simulation.blocks.die.";
  d.set(group + "kind", "onfi_pins");
  d.drive.at_pins = true;
  d.choose(30, group + "interface", {"sdr"});
  d.choose(30, group + "ready", {"status"});
  d.set("controller.scheduler.suspend", "none");
  if (d.chance(50)) d.set("controller.scheduler.multi_plane", "false");
  if (d.chance(40) && !d.has("ecc.codec") && d.drive.page_sectors == 8) {
    d.set("ecc.codec", "ldpc");
    d.set("ecc.codeword_bytes", 4096);
    d.set("ecc.decoder", "table");
    d.choose(60, "ecc.decode_time", {"iterations"});
  }
}

// Programs the wordlines of some drives in two passes.
void draw_two_passes(Drawer& d) {
  if (!d.chance(25) || d.drive.at_pins || d.drive.adjusts || d.has("controller.write_mode.kept_weeks")) return;
  for (const char* key : {"controller.garbage_collection.copyback", "controller.scheduler.cache_program",
                          "controller.parity.stripe_dies", "controller.fullpages.allocation", "nand.coding"}) {
    if (d.has(key)) return;
  }
  d.set("nand.timing.program_unit", "wordline");
  d.set("nand.timing.program_passes", 2);
  d.choose(30, "nand.timing.t_prog_first_us", {"100", "2000"});
}

// Lets each plane read on its own in some drives.
void draw_plane_reads(Drawer& d) {
  if (d.drive.at_pins || d.has("controller.subpages.reads") || d.has("controller.scheduler.cache_read")) return;
  d.choose(30, "nand.independent_plane_reads", {"true"});
}

}  // namespace

DrawnDrive draw_drive(RandomStream& random) {
  Drawer d(random);
  d.set("simulation.seed", d.between(1, 1'000'000));
  const Shape shape = draw_geometry(d);
  draw_mapping(d, shape);
  draw_slc_cache(d);
  draw_collection(d);
  draw_scheduler(d, shape);
  draw_cache(d, shape);
  draw_cells(d, shape);
  draw_power(d);
  draw_host(d);
  const bool one_code = d.has("controller.slc_cache.fold_idle_ms");
  if (!one_code && d.chance(15)) {
    code_by_source(d, shape);
  } else if (!one_code && shape.unit_bytes == 0 && d.chance(12)) {
    code_by_content(d, shape);
  }
  const bool plain_blocks = !one_code && !d.has("controller.mapping.layout");
  if (!d.drive.real_cells && plain_blocks && d.chance(8)) spread_over_layers(d);
  draw_write_mode(d);
  draw_pins(d);
  draw_plane_reads(d);
  draw_two_passes(d);
  return d.drive;
}

}  // namespace nandscape::soak
