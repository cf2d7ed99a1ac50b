// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "catch.h"
#include "controller/mapping/block_shape.h"
#include "controller/power_loss/recovery_scan.h"
#include "controller/power_loss/trim_journal.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

// Returns the version of each trimmed unit. The result does not depend on how the units are split into ranges.
std::map<std::uint64_t, std::uint64_t> versions_in(const TrimmedRanges& ranges) {
  std::map<std::uint64_t, std::uint64_t> versions;
  for (const TrimRecord& record : ranges.records()) {
    REQUIRE(record.count > 0);
    for (std::uint64_t u = 0; u < record.count; ++u) {
      REQUIRE(versions.emplace(record.first.value + u, record.version).second);  // ranges do not overlap
    }
  }
  return versions;
}

TEST_CASE("trimmed ranges are the set of their units, each with its version") {
  TrimmedRanges ranges;
  std::map<std::uint64_t, std::uint64_t> reference;
  std::uint64_t version = 0;
  RandomStream random(1, "ranges");
  for (int k = 0; k < 3000; ++k) {
    const std::uint64_t kind = random.below(12);
    if (kind < 4) {
      const std::uint64_t lpn = random.below(212);
      ranges.remove(Lpn(lpn));
      reference.erase(lpn);
    } else if (kind < 10) {
      const std::uint64_t first = random.below(200), count = 1 + random.below(12);
      ranges.add({Lpn(first), count, ++version});
      for (std::uint64_t u = first; u < first + count; ++u) reference[u] = version;
    } else if (kind == 10) {
      std::set<std::uint64_t> written;
      for (int n = 0; n < 30; ++n) written.insert(random.below(212));
      ranges.prune([&](Lpn from, Lpn end) {
        const auto next = written.lower_bound(from.value);
        return next == written.end() || *next >= end.value ? end : Lpn(*next);
      });
      std::erase_if(reference, [&](const auto& trimmed) { return written.contains(trimmed.first); });
    } else {
      std::vector<Lpn> but;
      for (std::uint64_t u = 0; u < 212; ++u) {
        if (random.below(8) == 0) but.push_back(Lpn(u));
      }
      ranges.renew(++version, but);
      for (auto& [lpn, trimmed] : reference) {
        if (std::find(but.begin(), but.end(), Lpn(lpn)) == but.end()) trimmed = version;
      }
    }
    REQUIRE(versions_in(ranges) == reference);
    REQUIRE(ranges.empty() == reference.empty());
  }
}

TEST_CASE("adjacent trimmed ranges merge") {
  TrimmedRanges ranges;
  for (std::uint64_t k = 0; k < 100; ++k) ranges.add({Lpn(10 + 3 * k), 3, k});
  CHECK(ranges.records().size() == 100);
  ranges.renew(200, std::vector{Lpn(40)});
  REQUIRE(ranges.records().size() == 3);
  CHECK(ranges.records()[1].version == 10);
}

TEST_CASE("records of trims survive a round trip through the words of a page") {
  std::vector<TrimRecord> records;
  for (std::uint64_t k = 0; k < most_trim_records(4096); ++k) records.push_back({Lpn(3 * k), k + 1, 1000 - k});
  const std::vector<std::uint64_t> words = journal_words(12, true, records);
  CHECK(words.front() == journal_mark);
  CHECK(words.size() * sizeof(std::uint64_t) <= 4096);
  const JournalPage page = journal_page(words);
  CHECK(page.snapshot == 12);
  CHECK(page.completes_snapshot);
  CHECK_FALSE(journal_page(journal_words(13, false, records)).completes_snapshot);
  const std::vector<TrimRecord>& read = page.records;
  REQUIRE(read.size() == records.size());
  for (std::size_t k = 0; k < records.size(); ++k) {
    REQUIRE(read[k].first == records[k].first);
    REQUIRE(read[k].count == records[k].count);
    REQUIRE(read[k].version == records[k].version);
  }
  // If a page is truncated, only its whole records are returned.
  CHECK(journal_page(std::span(words).first(3 + 3 * 5 + 1)).records.size() == 5);
}

// Fake flash that stores only the tags of pages, and answers each read of the scan at once.
struct Flash final : RecoveryScan::Client {
  using Known = std::map<std::uint32_t, RecoveryScan::KnownBlock>;

  explicit Flash(std::uint64_t logical_pages, std::uint32_t unit_bytes = 4096)
      : layout(geometry, unit_bytes), scan(layout, logical_pages, *this) {}
  // Starts a scan with a checkpoint of the given version, which knows the given blocks.
  Flash(std::uint64_t logical_pages, std::uint64_t version, Known by_block)
      : known(std::move(by_block)), layout(geometry, 4096), scan(layout, logical_pages, *this, version) {}

  void program(std::uint32_t block, std::vector<std::uint64_t> tag) { blocks[block].push_back(std::move(tag)); }

  void run() {
    for (bool any = true; any;) {
      any = false;
      for (std::uint32_t plane = 0; plane < geometry.planes(); ++plane) {
        const std::optional<FlashPage> page = scan.next(FlashPlane(plane));
        if (!page) continue;
        any = true;
        const FlashBlock block = geometry.block_of(*page);
        const auto& pages = blocks[block.value];
        const std::uint32_t row = geometry.page_in_block(*page);
        const bool erased = row >= pages.size();
        const std::vector<std::uint64_t> none(2 * layout.units_per_page(), no_unit);
        scan.scanned(FlashPlane(plane), {.erased = erased,
                                         .factory_bad = bad.contains(block.value),
                                         .slc = slc.contains(block.value),
                                         .tag = erased ? std::span(none) : std::span(pages[row])});
      }
    }
  }

  RecoveryScan::KnownBlock known_of(FlashBlock block) const override {
    const auto found = known.find(block.value);
    return found == known.end() ? RecoveryScan::KnownBlock{} : found->second;
  }
  std::uint32_t pages_of(FlashBlock block) const override {
    const auto mode = write_modes.find(block.value);
    return shapes.of(mode == write_modes.end() ? std::uint8_t{0} : mode->second).rows;
  }
  void block_changed(FlashBlock block) override { REQUIRE(changed.insert(block.value).second); }
  void stamp_found(FlashBlock block, std::uint32_t stamp) override {
    REQUIRE(found_stamps.emplace(block.value, stamp).second);
  }
  void found(Lpn lpn, Ppa place, bool lost) override { units[lpn.value] = {place, lost}; }
  void found_copy(Lpn lpn, Ppa place) override { copies.emplace_back(lpn, place); }
  void found_moved(Lpn lpn) override { moved.push_back(lpn); }
  void block_scanned(FlashBlock block, std::uint32_t pages) override {
    REQUIRE(programmed.emplace(block.value, pages).second);
  }
  void journal_page_found(FlashPage page) override { journal.push_back(page); }
  void frontier_mark_found(Superblock block) override { marked.insert(block.value); }
  void write_mode_found(Superblock block, std::uint8_t mode) override { write_modes[block.value] = mode; }
  void slc_block_found(FlashBlock block) override { write_modes[block.value] = slc_mode; }

  struct Unit {
    Ppa place;
    bool lost;
  };

  static constexpr std::uint8_t slc_mode = 1;

  Known known;
  Geometry geometry{.planes_per_die = 2, .blocks_per_plane = 3, .pages_per_block = 4, .page_bytes = 4096};
  BlockShapes shapes{BlockShape{.rows = geometry.pages_per_block}};
  FlashLayout layout;
  RecoveryScan scan;
  std::map<std::uint32_t, std::vector<std::vector<std::uint64_t>>> blocks;
  std::set<std::uint32_t> bad;
  std::set<std::uint32_t> slc;
  std::map<std::uint64_t, Unit> units;
  std::map<std::uint32_t, std::uint32_t> programmed;
  std::vector<std::pair<Lpn, Ppa>> copies;
  std::vector<Lpn> moved;
  std::vector<FlashPage> journal;
  std::set<std::uint32_t> marked;
  std::map<std::uint32_t, std::uint8_t> write_modes;
  std::set<std::uint32_t> changed;
  std::map<std::uint32_t, std::uint32_t> found_stamps;
};

TEST_CASE("copies of the newest version are reported, and older ones are not") {
  Flash f(10);
  f.program(0, {4, 7});
  f.program(0, {6, 9});
  f.program(1, {4, 7});
  f.program(1, {6, 8});
  f.run();
  CHECK(f.units[4].place == f.layout.first_unit(Superblock(0), 0, 0));
  REQUIRE(f.copies.size() == 1);
  CHECK(f.copies[0].first == Lpn(4));
  CHECK(f.layout.block_of(f.copies[0].second) == Superblock(1));
}

// Returns the second word of a tag, which contains a version and the stamp of the block.
std::uint64_t stamped(std::uint64_t version, std::uint32_t stamp) {
  return version | std::uint64_t{stamp} << stamp_shift;
}

TEST_CASE("a plane without a readable page is dead") {
  Flash f(10);
  const std::vector<std::uint64_t> torn{no_unit, no_unit};
  for (std::uint32_t block = 0; block < 6; ++block) {
    for (int page = 0; page < 4; ++page) f.program(block, torn);
  }
  SECTION("all pages are torn") {
    f.run();
    CHECK(f.scan.finds_dead_plane());
  }
  SECTION("a page of each plane is readable") {
    f.blocks[1][3] = {7, 5};
    f.blocks[5].clear();
    f.run();
    CHECK_FALSE(f.scan.finds_dead_plane());
  }
}

TEST_CASE("frontier marks of fullpage blocks are found, and leave the versions unchanged") {
  Flash f(10);
  f.program(0, {7, 5 | frontier_mark_bit});
  f.program(1, {7, 4});
  f.program(2, {no_unit, no_unit});
  f.run();
  CHECK(f.marked == std::set<std::uint32_t>{0});
  CHECK(f.units[7].place == Ppa(0));
  CHECK(f.scan.newest_version() == 5);
}

TEST_CASE("a block in SLC mode is scanned up to its own last page, even if none of its pages can be read") {
  Flash f(10);
  f.shapes.add(Flash::slc_mode, BlockShape{.rows = 2});
  f.slc = {1, 2};
  const std::vector<std::uint64_t> torn{no_unit, no_unit};
  for (int page = 0; page < 4; ++page) {
    f.program(0, torn);
    f.program(1, torn);
  }
  f.program(2, torn);
  f.run();
  CHECK(f.programmed == std::map<std::uint32_t, std::uint32_t>{{0, 4}, {1, 2}, {2, 1}, {3, 0}, {4, 0}, {5, 0}});
}

TEST_CASE("the write mode of a block is found in its pages with data") {
  Flash f(10);
  f.program(0, {no_unit, no_unit});
  f.program(0, {7, 5});
  set_write_mode(f.blocks[0][0], 3);  // the tag of a page without data does not contain a valid mode
  set_write_mode(f.blocks[0][1], 200);
  f.program(1, {8 | lost_bit, 6});
  set_write_mode(f.blocks[1][0], 255);
  f.program(2, {9, 7});
  f.run();
  CHECK(f.write_modes == std::map<std::uint32_t, std::uint8_t>{{0, 200}, {1, 255}});
  REQUIRE(f.units.size() == 3);
  CHECK(f.units[7].place == Ppa(1));
  CHECK(f.units[8].lost);
  set_write_mode(f.blocks[1][0], 1);
  CHECK(lpn_in(f.blocks[1][0][0]) == 8);
  CHECK(write_mode_in(f.blocks[1][0][0]) == 1);
  CHECK((f.blocks[1][0][0] & lost_bit) != 0);
}

TEST_CASE("the scan of a block ends with the last page of the shape that its first tag tells") {
  Flash f(10);
  f.shapes.add(3, {.rows = 2, .cells = ProgramMode::slc});
  f.program(0, {7, 5});
  f.program(0, {8, 6});
  for (auto& tag : f.blocks[0]) set_write_mode(tag, 3);
  for (std::uint64_t k = 0; k < 4; ++k) f.program(1, {k, 10 + k});
  f.run();
  // Block 0 is fully programmed after two pages, and block 1 after four. The scan must not read any further pages of
  // them.
  CHECK(f.scan.pages_read() == 2 + 4 + 1 + 3);
  CHECK(f.programmed == std::map<std::uint32_t, std::uint32_t>{{0, 2}, {1, 4}, {2, 0}, {3, 0}, {4, 0}, {5, 0}});
  CHECK(f.units[8].place == Ppa(1));
  CHECK(f.units[0].place == Ppa(4));  // page addresses are numbered as if all blocks had the ordinary shape
}

TEST_CASE("the newest version of a unit is found, wherever it is stored") {
  Flash f(10);
  f.program(0, {7, 5});
  f.program(0, {8, 6});
  f.program(0, {7, 9});
  f.program(3, {7, 8});  // on the other plane, and older
  f.program(3, {9 | lost_bit, 2});
  f.program(5, {no_unit, no_unit});  // torn
  f.program(5, {8, 6});              // a copy
  f.run();
  CHECK(f.scan.complete());
  CHECK(f.scan.newest_version() == 9);
  REQUIRE(f.units.size() == 3);
  CHECK(f.units[7].place == Ppa(2));
  CHECK((f.units[8].place == Ppa(1) || f.units[8].place == Ppa(21)));
  CHECK(f.units[9].lost);
  CHECK_FALSE(f.units[7].lost);
  CHECK(f.programmed == std::map<std::uint32_t, std::uint32_t>{{0, 3}, {1, 0}, {2, 0}, {3, 2}, {4, 0}, {5, 2}});
  CHECK(f.scan.pages_read() == 3 + 1 + 1 + 1 + 2 + 1 + 1 + 2 + 1);  // includes the first erased page of each block
}

TEST_CASE("units that share a page are distinguished, and other pages are reported or skipped") {
  Flash f(10, 2048);
  f.program(0, {3, 1, 4, 2});
  f.program(0, {no_unit, no_unit, 3, 5});
  f.program(1, {journal_mark, 1, 0, 4});
  f.program(2, {10, 7, 4, 1});  // there is no unit 10
  f.bad.insert(4);
  f.run();
  REQUIRE(f.units.size() == 2);
  CHECK(f.units[3].place == Ppa(3));
  CHECK(f.units[4].place == Ppa(1));
  CHECK(f.journal == std::vector{FlashPage(4)});
  CHECK(f.programmed[4] == 4);  // a bad block counts as full
}

TEST_CASE("one page of each block known to the checkpoint is read") {
  const std::vector<std::uint64_t> torn{no_unit, no_unit};
  Flash f(10, 20,
          {{0, {.pages = 4, .stamp = 7}},
           {1, {.pages = 2, .stamp = 8}},
           {2, {.pages = 4, .stamp = 9}},
           {3, {.pages = 4, .stamp = 9}},
           {4, {.pages = 4, .stamp = 9, .retired = true}}});
  for (std::uint64_t k = 0; k < 4; ++k) f.program(0, {k, stamped(k, 7)});  // unchanged
  f.program(1, {4, stamped(4, 8)});                                        // continued
  f.program(1, {5, stamped(5, 8)});
  f.program(1, {0, stamped(21, 8)});
  f.program(2, torn);  // erased and written again
  f.program(2, {6, stamped(6, 10)});
  f.program(2, {no_unit, stamped(0, 10)});
  // Block 3 has been erased, block 4 is retired, and block 5 is unknown to the checkpoint.
  f.program(5, {7, stamped(22, 3)});
  f.run();
  CHECK(f.scan.complete());
  CHECK(f.scan.pages_read() == 1 + 3 + 4 + 1 + 0 + 2);
  CHECK(f.changed == std::set<std::uint32_t>{2, 3});
  CHECK(f.programmed == std::map<std::uint32_t, std::uint32_t>{{0, 4}, {1, 3}, {2, 3}, {3, 0}, {5, 1}});
  CHECK(f.found_stamps == std::map<std::uint32_t, std::uint32_t>{{1, 8}, {2, 10}, {5, 3}});
  REQUIRE(f.units.size() == 3);
  CHECK(f.units[0].place == Ppa(6));
  // Moved after the checkpoint, so this place is valid although its version is older.
  CHECK(f.units[6].place == Ppa(9));
  CHECK(f.units[7].place == Ppa(20));
  CHECK(f.scan.newest_version() == 22);
  // A later trim must have a higher version than the unit and than the checkpoint.
  CHECK(f.scan.version(Lpn(0)) == 22);
  CHECK(f.scan.version(Lpn(3)) == 21);
}

TEST_CASE("a known block without a readable page is scanned to its end") {
  Flash f(10, 20, {{0, {.pages = 2, .stamp = 0}}, {1, {.pages = 4, .stamp = 0}}, {3, {.pages = 4, .stamp = 0}}});
  const std::vector<std::uint64_t> torn{no_unit, no_unit};
  f.program(0, torn);
  f.program(0, torn);
  f.program(0, {1, stamped(21, 1)});
  for (int page = 0; page < 4; ++page) f.program(1, torn);
  f.program(3, torn);
  for (std::uint64_t k = 1; k < 4; ++k) f.program(3, {k, 5});  // only the first page is torn
  f.run();
  CHECK(f.changed == std::set<std::uint32_t>{0, 1});
  CHECK(f.programmed == std::map<std::uint32_t, std::uint32_t>{{0, 3}, {1, 4}, {2, 0}, {3, 4}, {4, 0}, {5, 0}});
  REQUIRE(f.units.size() == 1);
  CHECK(f.units[1].place == Ppa(2));
}

TEST_CASE("a journal in a known block is read as a journal") {
  Flash f(10, 20, {{0, {.pages = 4, .stamp = 0}}});
  f.program(0, {journal_mark, 3, 0, 0});
  f.run();
  CHECK(f.changed == std::set<std::uint32_t>{0});
  CHECK(f.journal == std::vector{FlashPage(0)});
  CHECK(f.programmed[0] == 1);
}

TEST_CASE("a stamped tag never looks unreadable") {
  for (const std::uint32_t erases : {0u, 1u, stamps - 1, stamps, 5 * stamps + 3}) {
    std::vector<std::uint64_t> tag{no_unit, no_unit, 3, 12 | frontier_mark_bit};
    set_stamp(tag, stamp_of(erases));
    CHECK(tag[1] != no_unit);
    CHECK(stamp_in(tag[1]) == erases % stamps);
    CHECK(stamp_in(tag[3]) == erases % stamps);
    CHECK(version_in(tag[3]) == 12);
    CHECK((tag[3] & frontier_mark_bit) != 0);
  }
}

}  // namespace
}  // namespace nandscape::controller
