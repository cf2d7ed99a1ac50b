// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_encoding.h"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "controller/content/state_mapping.h"
#include "controller/mapping/page_tag.h"
#include "unit/controller/writing_bench.h"

namespace nandscape::controller {
namespace {

using Lpns = std::vector<std::uint64_t>;
using Page = std::vector<std::byte>;

// A write mode policy that maps the states of each wordline, each with the next of the 24 mappings.
struct MapsAll final : WriteModePolicy {
  std::uint16_t step_mv(const PlacedPage& placed) override {
    others_known += placed.type == 0 && placed.other_of_wordline != nullptr;
    return 0;
  }
  bool goes_by_wordline() const override { return true; }
  bool maps_states() const override { return true; }
  std::uint8_t state_map(std::span<const std::byte>, std::span<const std::byte>) const override {
    return static_cast<std::uint8_t>(next++ % StateMapping::mappings);
  }

  int others_known = 0;
  mutable int next = 1;
};

// Stores the data of each program when it is sent to the flash.
struct PairBench final : WritingBench {
  struct Stored {
    Page bytes;
    std::uint8_t map = 0;
  };

  explicit PairBench(MapsAll& mode, std::uint32_t blocks_per_plane = 6)
      : WritingBench(1, 0, blocks_per_plane, &mode, 2, PageContent::data) {
    flash.begins = [this](ChannelId, const NandCommand& command) {
      Stored& page = stored[{command.block, command.page}];
      page = {{command.data, command.data + command.bytes}, state_map_in(command.tag)};
      out_of_order += command.page != pages_programmed[command.block]++;
    };
  }

  static Page content(std::uint64_t lpn, std::size_t bytes) {
    std::mt19937_64 draw(lpn);
    Page page(bytes);
    for (std::byte& byte : page) byte = static_cast<std::byte>(draw());
    return page;
  }

  UnitWrite& write(std::uint64_t lpn, std::uint8_t stream = host_stream, Ppa from = Ppa()) {
    return WritingBench::write(lpn, stream, from, content(lpn, geometry.page_bytes));
  }

  // Checks that the data of the program have not changed since it was sent to the flash.
  void program_ended(const PageProgram& page, Tick) override {
    const Stored& sent = stored[{page.command.block, page.command.page}];
    changed_on_the_way += !std::equal(sent.bytes.begin(), sent.bytes.end(), page.command.data);
  }

  bool holds(const UnitWrite& unit) {
    const Place place = layout.find(unit.place);
    const Stored& own = stored[{place.block_of_plane, place.page_of_block}];
    const Stored& other = stored[{place.block_of_plane, place.page_of_block ^ 1u}];
    Page bytes = own.bytes;
    if (own.map != 0) {
      if (other.map != own.map) return false;
      StateMapping(own.map).undo(static_cast<PairedPage>(place.page_of_block % 2), bytes, other.bytes);
    }
    return bytes == content(unit.lpn.value, bytes.size());
  }

  std::map<std::pair<BlockInPlane, std::uint32_t>, Stored> stored;
  std::map<BlockInPlane, std::uint32_t> pages_programmed;  // by block
  int out_of_order = 0;
  int changed_on_the_way = 0;
};

TEST_CASE("wordline pairs: a page waits for the other of its wordline, then both are encoded") {
  MapsAll mode;
  PairBench b(mode);
  b.write(1);
  b.calendar.run_until(WritingBench::wordline_wait / 2);
  CHECK(b.ecc.jobs.empty());
  b.write(2);
  CHECK(b.ecc.jobs.size() == 2);
  b.run();
  CHECK(b.durable == Lpns{2, 1});
  CHECK(mode.others_known == 1);
  for (const UnitWrite& unit : b.units) CHECK(b.holds(unit));
  CHECK(b.stored[{BlockInPlane(0), 0}].map == 1);
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("wordline pairs: after the wait a page goes alone, and the next completes its wordline at once") {
  MapsAll mode;
  PairBench b(mode);
  b.write(1);
  b.calendar.run_until(WritingBench::wordline_wait);
  CHECK(b.ecc.jobs.size() == 1);
  b.run();
  CHECK(b.programmed == Lpns{1});
  b.write(2);
  CHECK(b.ecc.jobs.size() == 1);
  b.run();
  CHECK(b.durable.size() == 2);
  CHECK(b.stored[{BlockInPlane(0), 0}].map == 0);
  CHECK(b.stored[{BlockInPlane(0), 1}].map == 0);
  for (const UnitWrite& unit : b.units) CHECK(b.holds(unit));
}

TEST_CASE("wordline pairs: the last page of a block may be alone in its wordline") {
  const std::vector<std::uint64_t> of_two_blocks_of_5 = {0, 2, 5, 7}, of_two_blocks_of_6 = {0, 2, 4, 6, 8, 10};
  std::vector<std::uint64_t> found_odd, found_even;
  for (std::uint64_t page = 0; page < 10; ++page) {
    if (WordlinePairs::begins_wordline(page, {.rows = 5, .pages_per_wordline = 2})) found_odd.push_back(page);
  }
  for (std::uint64_t page = 0; page < 12; ++page) {
    if (WordlinePairs::begins_wordline(page, {.rows = 6, .pages_per_wordline = 2})) found_even.push_back(page);
  }
  CHECK(found_odd == of_two_blocks_of_5);
  CHECK(found_even == of_two_blocks_of_6);
}

TEST_CASE("wordline pairs: pages that must become durable do not wait") {
  MapsAll mode;
  PairBench b(mode);
  b.write(1);
  b.writer->ledger().complete_wordlines();
  CHECK(b.ecc.jobs.size() == 1);
  b.lose_power(Unanswered::written);
  b.write(2);
  b.run();
  b.write(3);
  CHECK(b.ecc.jobs.size() == 1);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 3);
}

TEST_CASE("wordline pairs: new and moved pages never form a pair, but share a block") {
  MapsAll mode;
  PairBench b(mode);
  b.write(1, WritingBench::moved_stream);
  b.write(2, WritingBench::moved_stream, Ppa(30));
  b.write(3, WritingBench::moved_stream);
  b.write(4, WritingBench::moved_stream);
  b.run();
  CHECK(b.durable.size() == 4);
  for (const UnitWrite& unit : b.units) CHECK(b.holds(unit));
}

TEST_CASE("wordline pairs: when either program fails, both pages are written elsewhere unchanged") {
  MapsAll mode;
  PairBench b(mode);
  b.failing_program = GENERATE(1, 2);
  b.write(1);
  b.write(2);
  b.run();
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == 2);
  CHECK(b.writer->counters().changed_codes == 2);
  for (const UnitWrite& unit : b.units) {
    CHECK(b.holds(unit));
    CHECK_FALSE(b.blocks.failing(b.layout.block_of(unit.place)));
  }
  CHECK(b.io->in_use() == 0);
}

TEST_CASE("wordline pairs: data read back as written, whatever happens between and whatever fails") {
  const auto seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  std::mt19937 draw(seed);
  const auto one_in = [&](unsigned n) { return draw() % n == 0; };
  MapsAll mode;
  PairBench b(mode, 60);
  std::uint64_t lpn = 0;
  for (int k = 0; k < 300; ++k) {
    switch (draw() % 8) {
      case 0:
      case 1: b.write(++lpn, one_in(4) ? 1 : 0); break;
      case 2: b.write(++lpn, one_in(4) ? 0 : 1, Ppa(300)); break;
      case 3:
      case 4: b.encode(); break;
      case 5:
      case 6: b.send(); break;
      case 7:
        if (one_in(3)) b.writer->ledger().complete_wordlines();
        b.calendar.run_until(b.calendar.now() + draw() % (2 * WritingBench::wordline_wait));
        break;
    }
    if (one_in(20) && b.failing_program < b.programs())
      b.failing_program = b.programs() + 1 + static_cast<int>(draw() % 4);
  }
  b.failing_program = 0;
  b.run();
  b.lose_power(Unanswered::written);  // so that moved pages become durable too
  b.writer->ledger().complete_wordlines();
  b.run();
  CHECK(b.durable.size() == lpn);
  CHECK(b.changed_on_the_way == 0);
  CHECK(b.out_of_order == 0);
  CHECK(mode.others_known >= 3);
  for (const UnitWrite& unit : b.units) {
    CAPTURE(unit.lpn.value);
    CHECK(b.holds(unit));
  }
  CHECK(b.io->in_use() == 0);
}

}  // namespace
}  // namespace nandscape::controller
