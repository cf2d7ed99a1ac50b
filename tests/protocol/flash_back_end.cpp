// SPDX-License-Identifier: Apache-2.0
// Tests that the dies of a device can outlive it: another device with the same configuration takes them over.
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "small_device.h"

namespace nandscape {
namespace {

std::vector<std::byte> saved_media(FlashBench& bench) {
  Archive archive;
  bench.persist_media(archive);
  return archive.take();
}

void load_media(FlashBench& bench, std::span<const std::byte> bytes) {
  Archive archive(bytes);
  bench.persist_media(archive);
  archive.finish();
}

struct Cut {
  Calendar& calendar;
  void stop(std::uint64_t) { calendar.stop(); }
};

TEST_CASE("the dies of a device are taken over by another one") {
  const std::string cells = GENERATE(as<std::string>(), "ideal", "statistical");
  std::vector<std::byte> bytes;
  nand::DieCounters counters;
  {
    FlashBench bench(small_device(), true, millisecond, cells);
    std::vector<std::byte> data(8192, std::byte{0x5a});
    for (std::uint64_t lpn = 0; lpn < 40; ++lpn) {
      bench.at(0, AccessKind::write, Lpn(lpn)).access.data = data.data();
    }
    bench.run();
    REQUIRE(bench.device.back_end().idle());
    bytes = saved_media(bench);
    counters = bench.device.back_end().nand_counters();
    CHECK(counters.page_programs >= 40);
  }
  FlashBench after(small_device(), true, millisecond, cells);
  load_media(after, bytes);
  CHECK(after.device.back_end().nand_counters().page_programs == counters.page_programs);
  bytes = saved_media(after);
  FlashBench third(small_device(), true, millisecond, cells);
  CHECK((saved_media(third) != bytes));
  load_media(third, bytes);
  CHECK((saved_media(third) == bytes));
}

TEST_CASE("a device whose supply fails in the middle of its work leaves dies that can be taken over") {
  std::vector<std::byte> bytes;
  {
    FlashBench bench(small_device());
    for (std::uint64_t lpn = 0; lpn < 40; ++lpn) bench.at(0, AccessKind::write, Lpn(lpn));
    Cut cut{bench.calendar};
    bench.calendar.schedule<&Cut::stop>(400 * microsecond, cut, 0);  // in the middle of the first program
    bench.run();
    REQUIRE_FALSE(bench.device.back_end().idle());
    bench.device.back_end().power_cut(bench.calendar.now());
    CHECK(bench.device.back_end().idle());
    bytes = saved_media(bench);
  }
  FlashBench after(small_device());
  load_media(after, bytes);
  CHECK((saved_media(after) == bytes));
}

TEST_CASE("failures are injected by die and block of the device") {
  FlashBench bench(small_device());
  CHECK_THROWS_WITH(bench.device.back_end().kill_die(DieId(1)), ContainsSubstring("the device has 1, numbered from 0"));
  CHECK_THROWS_WITH(bench.device.back_end().fail_block(BlockId(40)),
                    ContainsSubstring("the device has 40, numbered from 0"));
  bench.device.back_end().kill_die(DieId(0));
  bench.at(0, AccessKind::read, Lpn(0));
  bench.at(0, AccessKind::read, Lpn(1));
  bench.run();
  CHECK(bench.device.back_end().ecc_counters().failed_decodes >= 2);
}

}  // namespace
}  // namespace nandscape
