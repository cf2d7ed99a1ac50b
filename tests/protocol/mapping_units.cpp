// SPDX-License-Identifier: Apache-2.0
// Tests mapping units that are smaller than a flash page.
#include "random_accesses.h"
#include "small_device.h"

namespace nandscape {
namespace {

using namespace small_times;

// Returns a device without data whose pages of 8 KiB are divided into four mapping units of 2 KiB.
FlashDeviceParameters quarters() {
  FlashDeviceParameters p = small_device();
  p.controller.mapping.unit_bytes = 2048;
  p.controller.mapping.over_provisioning = 0.9;
  p.controller.precondition.occupancy = 0;
  return p;
}

constexpr Tick whole_page_read = read_command + page_out + decode;

TEST_CASE("units written together take one program and one read") {
  FlashBench bench(quarters());
  for (std::uint64_t k = 0; k < 4; ++k) bench.at(0, AccessKind::write, Lpn(k));
  std::vector<FlashBench::Request*> reads;
  for (std::uint64_t k = 0; k < 4; ++k) reads.push_back(&bench.at(10 * millisecond, AccessKind::read, Lpn(k)));
  // Reads only units 1 and 2 of the page, so only their codewords are transferred.
  FlashBench::Request& part = bench.at(20 * millisecond, AccessKind::read, Lpn(1));
  bench.at(20 * millisecond, AccessKind::read, Lpn(2));
  bench.run();
  CHECK(bench.device.back_end().nand_counters().page_programs == 1);
  CHECK(bench.device.back_end().nand_counters().page_reads == 2);
  for (const FlashBench::Request* read : reads) CHECK(read->latency() == t_read[0] + whole_page_read);
  CHECK(part.latency() == t_read[0] + read_command + 21 * ns + burst + 4 * codeword_data + decode);
  CHECK(bench.idle());
}

TEST_CASE("units that arrive too late are written without the others") {
  FlashDeviceParameters p = quarters();
  p.controller.mapping.write_coalescing_us = 50;
  FlashBench bench(p);
  FlashBench::Request& first = bench.at(0, AccessKind::write, Lpn(0));
  FlashBench::Request& in_time = bench.at(49 * us, AccessKind::write, Lpn(1));
  FlashBench::Request& late = bench.at(51 * us, AccessKind::write, Lpn(2));
  bench.run();
  CHECK(bench.device.back_end().nand_counters().page_programs == 2);
  CHECK(first.latency() == 50 * us + encode + program_command + t_prog + status);
  CHECK(in_time.completed == first.completed);
  CHECK(late.completed > first.completed);
}

TEST_CASE("a read of units in two pages takes two reads") {
  FlashBench bench(quarters());
  for (std::uint64_t k = 0; k < 4; ++k) bench.at(0, AccessKind::write, Lpn(k));
  bench.at(5 * millisecond, AccessKind::write, Lpn(2));
  for (std::uint64_t k = 0; k < 4; ++k) bench.at(10 * millisecond, AccessKind::read, Lpn(k));
  bench.run();
  CHECK(bench.device.back_end().nand_counters().page_reads == 2);
}

TEST_CASE("collection of units frees blocks, page by page or many at a time") {
  FlashDeviceParameters p = tiny_device({1, 1, 1, 2, 16, 12});
  p.controller.mapping.unit_bytes = GENERATE(512u, 1024u);
  p.ecc.codeword_bytes = 512;
  p.controller.mapping.over_provisioning = p.controller.mapping.unit_bytes == 512 ? 1.0 : 0.6;
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  if (p.controller.power_loss.protection == controller::PowerLossProtection::none)
    p.controller.mapping.over_provisioning += 0.5;
  p.controller.garbage_collection.pages_in_flight = GENERATE(1u, 3u, 8u);
  p.controller.streams.policy.name = GENERATE("single", "by_source", "hot_cold");
  CAPTURE(p.controller.mapping.unit_bytes, p.controller.garbage_collection.pages_in_flight,
          p.controller.streams.policy.name, static_cast<int>(p.controller.power_loss.protection));
  check_integrity(p, 6, 10'000, 32);
}

TEST_CASE("units of scrambled pages are read with the key of their page") {
  FlashDeviceParameters p = tiny_device({1, 1, 1, 2, 12, 6});
  p.controller.mapping.unit_bytes = 1024;
  p.controller.mapping.over_provisioning = 1.0;
  p.ecc.decoder.name = "bit_true";
  p.ecc.correctable_bits = 20;
  p.ecc.scrambler = true;
  p.controller.precondition.occupancy = GENERATE(0.0, 1.0);
  check_integrity(p, 7, 1500, 16);
}

}  // namespace
}  // namespace nandscape
