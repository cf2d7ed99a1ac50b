// SPDX-License-Identifier: Apache-2.0
// Tests ECC engines in the device: back-pressure from full FIFOs, one engine shared by several channels, and
// uncorrectable pages.
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "small_device.h"

namespace nandscape {
namespace {

// Returns a device with two channels of eight dies. The dies can program faster than a slow encoder can encode.
FlashDeviceParameters writing_device(double encode_mb_s) {
  FlashDeviceParameters p = small_device();
  p.channel.count = 2;
  p.nand.geometry.chips_per_channel = 8;
  p.nand.timing.t_prog_us = 100;
  p.ecc.encode_mb_s = encode_mb_s;
  p.controller.precondition.occupancy = 0;
  p.controller.mapping.allocation = "CWDP";
  return p;
}

// Returns a device that is read without retries, and whose cells have stored their data for a year after `pe_cycles`
// P/E cycles.
Configuration worn_device(int pe_cycles, const std::string& more) {
  return resolve_configuration(read_yaml(more + R"(
controller: {mapping: {over_provisioning: 0.5}}
channel: {count: 1}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 20, pages_per_block: 12,
             page_bytes: 8192, spare_bytes: 512}
  cells: {set: tlc_3d_48, read_levels: {retry_steps: 0}}
  condition: {retention_days: 365, pe_cycles: )" +
                                             std::to_string(pe_cycles) + "}\n",
                                         {"worn", 1}));
}

// Submits all writes at the same time, and returns their throughput in bytes per microsecond.
double write_mb_s(FlashBench& bench, std::uint64_t pages) {
  Tick last = 0;
  bench.on_completed = [&](const FlashBench::Request& request) { last = std::max(last, request.completed); };
  for (std::uint64_t k = 0; k < pages; ++k) bench.at(0, AccessKind::write, Lpn(k));
  bench.run();
  return static_cast<double>(pages) * 8192 / us_from_ticks(last);
}

TEST_CASE("writes are as fast as the encoders, however deep their FIFOs are") {
  for (const std::uint32_t fifo : {0u, 1u, 4u}) {
    CAPTURE(fifo);
    FlashDeviceParameters p = writing_device(20);
    p.ecc.encode_fifo_pages = fifo;
    FlashBench bench(p);
    CHECK(write_mb_s(bench, 400) == Approx(2 * 20).epsilon(0.02));
    CHECK((bench.device.back_end().ecc_counters().waits > 0) == (fifo != 0));
    CHECK(bench.idle());
  }
}

TEST_CASE("a shared engine serves all channels at the speed of one") {
  FlashDeviceParameters p = writing_device(20);
  p.ecc.engines = ecc::EngineSharing::shared;
  p.ecc.encode_fifo_pages = 2;
  FlashBench bench(p);
  CHECK(write_mb_s(bench, 400) == Approx(20).epsilon(0.02));
  CHECK(bench.idle());
}

TEST_CASE("with one shared encoder each channel keeps its decoder") {
  FlashDeviceParameters p = writing_device(20);
  p.ecc.engines = ecc::EngineSharing::shared_encoder;
  p.ecc.encode_fifo_pages = 2;
  p.ecc.decode_mb_s = 10;
  p.ecc.decode_fifo_pages = 1;
  FlashBench bench(p);
  CHECK(write_mb_s(bench, 400) == Approx(20).epsilon(0.02));
  const Tick begin = bench.calendar.now();
  Tick last = begin;
  bench.on_completed = [&](const FlashBench::Request& request) { last = std::max(last, request.completed); };
  for (std::uint64_t k = 0; k < 400; ++k) bench.at(begin, AccessKind::read, Lpn(k));
  bench.run();
  CHECK(400 * 8192 / us_from_ticks(last - begin) == Approx(2 * 10).epsilon(0.02));
  CHECK(bench.idle());
}

TEST_CASE("a pool serves all channels at the speed of its engines") {
  const std::uint32_t engines = GENERATE(1U, 2U, 3U, 5U);
  for (const std::uint32_t fifo : {0U, 1U}) {
    CAPTURE(engines, fifo);
    FlashDeviceParameters p = writing_device(10);
    p.ecc.engines = ecc::EngineSharing::pool;
    p.ecc.pool_engines = engines;
    p.ecc.encode_fifo_pages = fifo;
    p.ecc.decode_mb_s = 5;
    p.ecc.decode_fifo_pages = fifo;
    FlashBench bench(p);
    CHECK(write_mb_s(bench, 400) == Approx(engines * 10).epsilon(0.03));
    CHECK((bench.device.back_end().ecc_counters().waits > 0) == (fifo != 0));
    const Tick begin = bench.calendar.now();
    Tick last = begin;
    bench.on_completed = [&](const FlashBench::Request& request) { last = std::max(last, request.completed); };
    for (std::uint64_t k = 0; k < 400; ++k) bench.at(begin, AccessKind::read, Lpn(k));
    bench.run();
    CHECK(400 * 8192 / us_from_ticks(last - begin) == Approx(engines * 5).epsilon(0.03));
    CHECK(bench.idle());
  }
}

// Uncorrectable pages are read without retries. Their first codeword fails at once, so each takes the time of one of
// its eight codewords.
TEST_CASE("pages that stop at their first failed codeword leave the decoder to others") {
  const bool stops = GENERATE(false, true);
  Configuration worn = worn_device(2000,
                                   "ecc: {codeword_bytes: 1024, correctable_bits: 0, decode_time: codewords, "
                                   "t_codeword_us: 500}\n");
  worn.parameters.ecc.stop_at_failure = stops;
  FlashBench bench(worn.parameters, false, millisecond, "statistical");
  Tick last = 0;
  bench.on_completed = [&](const FlashBench::Request& request) { last = std::max(last, request.completed); };
  for (std::uint64_t k = 0; k < 100; ++k) bench.at(0, AccessKind::read, Lpn(k));
  bench.run();
  CHECK(bench.device.back_end().ecc_counters().failed_decodes == 100);
  CHECK(bench.device.back_end().ecc_counters().decoded_bytes == (stops ? 100 * 1024 : 100 * 8192));
  CHECK(us_from_ticks(last) == Approx(100 * (stops ? 500 : 4000)).epsilon(0.01));
}

TEST_CASE("background writes have their own engines, whose FIFOs delay no host write") {
  FlashDeviceParameters p = small_device();
  p.ecc.selection.name = "by_source";
  p.ecc.encode_fifo_pages = 8;
  p.ecc.background.codeword_bytes = 2048;
  p.ecc.background.encode_mb_s = 20;
  p.ecc.background.encode_fifo_pages = 1;
  FlashBench bench(p);
  RandomStream random(3, "pages");
  const std::uint64_t pages = bench.device.ftl().logical_pages();
  for (std::uint64_t k = 0; k < 400; ++k) bench.at(k * 2 * millisecond, AccessKind::write, Lpn(random.below(pages)));
  bench.run();
  const ecc::EccCounters host = bench.device.back_end().ecc_counters(0),
                         background = bench.device.back_end().ecc_counters(1);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(host.encoded_pages == counters.writer.host_pages + counters.writer.padding_pages);
  CHECK(background.encoded_pages == counters.collection.moved_units);
  CHECK(background.encoded_pages > 100);
  CHECK(background.waits > 20);
  CHECK(host.waits == 0);
  CHECK(bench.device.back_end().ecc_counters().encoded_pages == host.encoded_pages + background.encoded_pages);
  CHECK(bench.idle());
}

// Writes wait in front of the encoder. A read overtakes them, since it needs only the decoder.
TEST_CASE("a full encoder delays no read") {
  using namespace small_times;
  FlashDeviceParameters p = small_device();
  p.ecc.encode_mb_s = 5;
  p.ecc.encode_fifo_pages = 1;
  p.controller.precondition.occupancy = 0.5;
  FlashBench bench(p);
  const controller::InitialFill& fill = bench.device.ftl().initial_fill();
  std::uint64_t held = 0;
  while (!fill.find(Lpn(held)).valid()) ++held;
  for (std::uint64_t k = 0; k < 20; ++k) bench.at(0, AccessKind::write, Lpn(held + 1 + k));
  const auto& read = bench.at(us, AccessKind::read, Lpn(held));
  bench.run();
  const Tick t = t_read[fill.find(Lpn(held)).value % 12 % 3];
  CHECK(read.latency() == read_command + t + page_out + decode);
}

TEST_CASE("decoders with a FIFO of one page take pages one after another") {
  FlashDeviceParameters p = small_device();
  p.channel.count = 4;
  p.ecc.engines = ecc::EngineSharing::shared;
  p.ecc.decode_mb_s = 10;
  p.ecc.decode_fifo_pages = 1;
  FlashBench bench(p);
  Tick last = 0;
  bench.on_completed = [&](const FlashBench::Request& request) { last = std::max(last, request.completed); };
  for (std::uint64_t k = 0; k < 100; ++k) bench.at(0, AccessKind::read, Lpn(k));
  bench.run();
  CHECK(100 * 8192 / us_from_ticks(last) == Approx(10).epsilon(0.02));
  CHECK(bench.device.back_end().ecc_counters().waits > 50);
  CHECK(bench.idle());
}

TEST_CASE("an uncorrectable page fails its read, and its bytes are marked") {
  // The code corrects far too few bits for cells with this wear.
  const Configuration worn = worn_device(2000,
                                         "simulation: {data: stored}\n"
                                         "ecc: {decoder: bit_true, codec: bch, codeword_bytes: 1024, "
                                         "correctable_bits: 3}\n");
  FlashBench bench(worn.parameters, true, millisecond, "statistical");
  std::vector<std::byte> data(8192, std::byte{0xa5});
  PageAccess access;
  access.kind = AccessKind::read;
  access.lpn = Lpn(3);
  access.sector_count = 16;
  access.data = data.data();
  const auto& read = bench.at(0, access);
  bench.run();
  CHECK(read.access.status == AccessStatus::unrecovered_read_error);
  CHECK(std::memcmp(data.data(), unrecovered_mark.data(), unrecovered_mark.size()) == 0);
  CHECK(std::memcmp(data.data() + 8192 - unrecovered_mark.size(), unrecovered_mark.data(), unrecovered_mark.size()) ==
        0);
}

// A page may be written while garbage collection reads its old data. If the old data are then uncorrectable, the new
// data must not be marked as lost.
TEST_CASE("newly written data are not lost with the data that they replace") {
  const Configuration worn =
      worn_device(1000, "ecc: {codeword_bytes: 1024, correctable_bits: 40, t_decode_us: 5000}\n");
  FlashBench bench(worn.parameters, false, millisecond, "statistical");
  const std::uint64_t pages = bench.device.ftl().logical_pages();
  RandomStream random(5, "pages");
  int left = 4000;
  int unreadable = 0;
  // Reads each page back after it has been written, and then writes another page.
  bench.on_completed = [&](FlashBench::Request& request) {
    PageAccess& access = request.access;
    if (access.kind == AccessKind::write) {
      access.kind = AccessKind::read;
    } else {
      unreadable += access.status != AccessStatus::ok;
      if (--left <= 0) return;
      access.kind = AccessKind::write;
      access.status = AccessStatus::ok;
      access.lpn = Lpn(random.below(pages));
    }
    bench.submit_now(request);
  };
  for (std::uint64_t k = 0; k < 64; ++k) bench.at(0, AccessKind::write, Lpn(k));
  bench.run();
  CHECK(bench.device.ftl().counters().read_retry.failed_reads > 100);
  const controller::GarbageCollectionCounters collection = bench.device.ftl().counters().collection;
  CHECK(collection.overtaken_pages + collection.skipped_pages > 50);
  CHECK(collection.overtaken_pages > 0);
  CHECK(unreadable == 0);
}

}  // namespace
}  // namespace nandscape
