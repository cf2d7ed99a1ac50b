// SPDX-License-Identifier: Apache-2.0
// Tests garbage collection by copyback, which moves pages within their plane without transferring them to the
// controller.
#include "core/ticks.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "random_accesses.h"

namespace nandscape {
namespace {

FlashDeviceParameters copying_device(std::uint32_t limit = 255) {
  FlashDeviceParameters p = tiny_device({1, 1, 2, 2, 12, 12});
  p.controller.mapping.over_provisioning = 0.6;
  p.controller.garbage_collection.copyback = true;
  p.controller.garbage_collection.copyback_limit = limit;
  return p;
}

// Overwrites random pages. Eight writes are outstanding at a time.
struct Overwrites {
  Overwrites(FlashBench& b, int writes) : bench(b), left(writes) {
    bench.on_completed = [this](FlashBench::Request& request) {
      CHECK(request.access.status == AccessStatus::ok);
      if (left-- <= 0) return;
      request.access.lpn = Lpn(random.below(bench.device.ftl().logical_pages()));
      bench.submit_now(request);
    };
    for (std::uint64_t k = 0; k < 8; ++k) bench.at(bench.calendar.now(), AccessKind::write, Lpn(k));
    bench.run();
  }

  FlashBench& bench;
  int left;
  RandomStream random{3, "overwrites"};
};

TEST_CASE("pages copied by collection take no time on buses and in engines") {
  FlashBench bench(copying_device());
  Overwrites(bench, 4000);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(counters.collection.moved_units > 1000);
  CHECK(counters.scheduler.copybacks == counters.collection.moved_units);
  CHECK(bench.device.back_end().ecc_counters().decoded_pages == 0);
  CHECK(bench.device.back_end().ecc_counters().encoded_pages ==
        counters.writer.programmed_pages - counters.scheduler.copybacks);
  CHECK(bench.idle());
}

TEST_CASE("data are copied only a limited number of times before they pass the ECC engine") {
  FlashBench bench(copying_device(1));
  Overwrites(bench, 4000);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(counters.scheduler.copybacks > 200);
  CHECK(counters.scheduler.copybacks < counters.collection.moved_units);
  CHECK(bench.device.back_end().ecc_counters().decoded_pages >=
        counters.collection.moved_units - counters.scheduler.copybacks);
}

TEST_CASE("data survive being copied over and over") {
  FlashDeviceParameters p = copying_device();
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.controller.scheduler.cache_program = GENERATE(false, true);
  if (p.controller.mapping.unit_bytes != 0) p.controller.mapping.over_provisioning = 0.9;
  if (p.controller.power_loss.protection == controller::PowerLossProtection::none)
    p.controller.mapping.over_provisioning += 0.42;
  CAPTURE(static_cast<int>(p.controller.power_loss.protection), p.controller.mapping.unit_bytes,
          p.controller.scheduler.cache_program);
  check_integrity(p, 8, 10'000, 32);
}

// Makes programs fail repeatedly, alternately on the two dies.
struct Failures {
  explicit Failures(FlashBench& b) : bench(b) { next(0); }
  void next(std::uint64_t) {
    if (left-- == 0) return;
    bench.device.back_end().fail_next(DieId(left % 2), NandOperation::program, 1);
    bench.calendar.schedule<&Failures::next>(bench.calendar.now() + 40 * millisecond, *this);
  }

  FlashBench& bench;
  std::uint32_t left = 12;
};

TEST_CASE("data survive failed programs, also of copies") {
  FlashDeviceParameters p = copying_device();
  p.nand.geometry.blocks_per_plane = 28;
  // More reserved blocks than usual, because a failed program may waste the rest of the collector's open block.
  p.controller.garbage_collection.start_free_blocks = 5;
  p.controller.garbage_collection.reserved_blocks = 3;
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.garbage_collection.copyback = GENERATE(false, true);
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  CAPTURE(p.controller.garbage_collection.copyback, static_cast<int>(p.controller.power_loss.protection),
          p.controller.mapping.unit_bytes);
  FlashBench bench(p, true);
  RandomAccesses accesses(bench, 9, 12'000, 32);
  accesses.late_reads = true;
  accesses.flushes = p.controller.power_loss.protection == controller::PowerLossProtection::none;
  Failures failures(bench);
  bench.run();
  CHECK(accesses.completed_accesses() == 12'032);
  CHECK(bench.idle());
  CHECK(bench.device.ftl().counters().writer.failed_programs >= 10);
  CHECK(bench.device.ftl().counters().collection.retired_blocks > 0);
  accesses.verify();
}

TEST_CASE("moves and erases take firmware time") {
  FlashDeviceParameters p = copying_device();
  p.controller.garbage_collection.copyback = GENERATE(false, true);
  p.controller.firmware.move_cycles = 20'000;
  p.controller.firmware.erase_cycles = 50'000;
  FlashBench bench(p);
  Overwrites(bench, 2000);
  const controller::FirmwareCounters& firmware = bench.device.stages().firmware()->counters();
  const std::uint64_t erases = bench.device.back_end().nand_counters().block_erases;
  const std::uint64_t moves = firmware.jobs - erases;
  CHECK(moves >= bench.device.ftl().counters().collection.moved_units);
  CHECK(firmware.busy == moves * 20 * microsecond + erases * 50 * microsecond);
  CHECK(bench.idle());
}

TEST_CASE("bit errors of copied data add up") {
  const auto errors = [](bool copyback) {
    FlashDeviceParameters p =
        resolve_configuration(read_yaml("nand: {cells: {set: tlc_3d_48}}", {"cells", 1})).parameters;
    const FlashDeviceParameters shape = copying_device();
    p.channel = shape.channel;
    p.nand.geometry = shape.nand.geometry;
    p.controller = shape.controller;
    p.controller.garbage_collection.copyback = copyback;
    p.ecc.codeword_bytes = 1024;
    p.ecc.correctable_bits = 1000;
    p.nand.condition.pe_cycles = 100;
    FlashBench bench(p, false, millisecond, "statistical");
    for (int k = 0; k < 4; ++k) {
      Overwrites(bench, 400);
      bench.device.back_end().advance(10, 40);
    }
    const std::uint64_t before = bench.device.back_end().ecc_counters().corrected_bits;
    bench.on_completed = [](FlashBench::Request&) {};
    const std::uint64_t pages = bench.device.ftl().logical_pages();
    for (std::uint64_t k = 0; k < pages; ++k) {
      bench.at(bench.calendar.now() + k * millisecond, AccessKind::read, Lpn(k));
    }
    bench.run();
    CHECK(bench.device.back_end().ecc_counters().failed_decodes == 0);
    return static_cast<double>(bench.device.back_end().ecc_counters().corrected_bits - before);
  };
  CHECK(errors(true) > 1.15 * errors(false));
}

}  // namespace
}  // namespace nandscape
