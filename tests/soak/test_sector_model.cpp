// SPDX-License-Identifier: Apache-2.0
// Checks that the sector model reports forbidden behaviour of a drive, and accepts everything that is allowed.
#include <cstring>

#include "catch.h"
#include "sector_model.h"

namespace nandscape::soak {
namespace {

constexpr std::uint32_t unit_sectors = 4;
constexpr std::uint64_t most_sectors = 10;

// A host and a drive whose reads return the data that the test specifies.
class Bench {
 public:
  SectorModel model{64, unit_sectors, most_sectors};

  std::uint64_t written(Ending ending, std::uint64_t first = 0, std::uint64_t count = unit_sectors) {
    const std::uint64_t change = model.start_write(first, count);
    model.end(change, ending);
    return change;
  }
  // Returns whether the model allows a read to find this write in the sector; if `change` is 0, to find zeroes. The
  // model then takes it as found.
  bool reads(std::uint64_t change, std::uint64_t sector = 0) { return reads_from(model.start_read(), change, sector); }
  bool reads_from(SectorModel::Moment started, std::uint64_t change, std::uint64_t sector = 0) {
    const bool allowed = model.check_read(started, sector, data_of(change, sector)).empty();
    model.end_read(started);
    return allowed;
  }
  std::vector<std::byte> data_of(std::uint64_t change, std::uint64_t sector) const {
    if (change == 0) return std::vector<std::byte>(sector_bytes);
    const std::vector<std::byte> all = model.contents(change);
    // Finds the requested sector among the sectors that the change writes.
    for (std::size_t at = 0; at < all.size(); at += sector_bytes) {
      std::uint64_t number;
      std::memcpy(&number, &all[at + 8], sizeof number);
      if (number == sector)
        return {all.begin() + static_cast<std::ptrdiff_t>(at),
                all.begin() + static_cast<std::ptrdiff_t>(at + sector_bytes)};
    }
    return all;
  }
  void flush() { model.flushed(model.start_flush()); }
};

TEST_CASE("a sector holds zeroes, and then written data") {
  Bench b;
  CHECK(b.reads(0));
  const std::uint64_t first = b.written(Ending::answered);
  CHECK_FALSE(b.reads(0));
  CHECK(b.reads(first));
  const std::uint64_t second = b.written(Ending::answered);
  CHECK_FALSE(b.reads(first));
  CHECK(b.reads(second));
  b.model.end(b.model.start_trim(0, 4), Ending::answered);
  CHECK_FALSE(b.reads(second));
  CHECK(b.reads(0));
}

TEST_CASE("bytes that were never written are refused") {
  Bench b;
  const std::uint64_t write = b.written(Ending::answered);
  std::vector<std::byte> data = b.data_of(write, 0);
  data[300] ^= std::byte{1};
  const SectorModel::Moment started = b.model.start_read();
  CHECK_FALSE(b.model.check_read(started, 0, data).empty());
  CHECK_FALSE(b.model.check_read(started, 1, b.data_of(write, 0)).empty());  // data of another sector
  CHECK_FALSE(b.model.check_read(started, 40, b.data_of(write, 0)).empty());
}

TEST_CASE("a read during a write finds either version, and later reads nothing older") {
  Bench b;
  const std::uint64_t old = b.written(Ending::answered);
  const std::uint64_t write = b.model.start_write(0, 4);
  CHECK(b.reads(old));
  const SectorModel::Moment early = b.model.start_read();
  CHECK(b.reads(write));
  CHECK_FALSE(b.reads(old));
  CHECK(b.reads_from(early, old));
  b.model.end(write, Ending::answered);
  CHECK(b.reads(write));
}

TEST_CASE("overlapping writes take effect in any order, and reads settle it") {
  Bench b;
  const std::uint64_t one = b.model.start_write(0, 4), other = b.model.start_write(0, 4);
  b.model.end(other, Ending::answered);
  b.model.end(one, Ending::answered);
  CHECK_FALSE(b.reads(0));
  CHECK(b.reads(other));
  CHECK_FALSE(b.reads(one));
}

TEST_CASE("a failed write may have taken effect, and a refused one has not") {
  Bench b;
  const std::uint64_t old = b.written(Ending::answered);
  const std::uint64_t failed = b.written(Ending::open);
  SECTION("old") {
    CHECK(b.reads(old));
    CHECK_FALSE(b.reads(failed));
  }
  SECTION("new") {
    CHECK(b.reads(failed));
    CHECK_FALSE(b.reads(old));
  }
  const std::uint64_t refused = b.written(Ending::without_effect);
  CHECK_FALSE(b.reads(refused));
}

TEST_CASE("a power cut may bring back a write that failed, unless a durable one has replaced it") {
  Bench b;
  const std::uint64_t old = b.written(Ending::durable);
  const std::uint64_t failed = b.written(Ending::open);
  CHECK(b.reads(old));
  SECTION("back") {
    b.model.power_cut(false);
    CHECK(b.reads(failed));
    CHECK_FALSE(b.reads(old));
  }
  SECTION("not back") {
    b.model.power_cut(false);
    CHECK(b.reads(old));
    CHECK_FALSE(b.reads(failed));
  }
  SECTION("replaced") {
    b.written(Ending::durable);
    b.model.power_cut(false);
    CHECK_FALSE(b.reads(failed));
  }
}

TEST_CASE("an aborted write may take effect late, but not over a completed one") {
  Bench b;
  const std::uint64_t old = b.written(Ending::answered);
  const std::uint64_t aborted = b.written(Ending::aborted);
  CHECK(b.reads(old));
  SECTION("late") {
    CHECK(b.reads(aborted));
    CHECK_FALSE(b.reads(old));
  }
  SECTION("never") {
    const std::uint64_t later = b.written(Ending::answered);
    CHECK_FALSE(b.reads(aborted));
    CHECK(b.reads(later));
  }
}

TEST_CASE("a power cut leaves flushed or later data") {
  Bench b;
  const std::uint64_t older = b.written(Ending::answered);
  const std::uint64_t flushed = b.written(Ending::answered);
  b.flush();
  const std::uint64_t late = b.written(Ending::answered);
  const std::uint64_t latest = b.written(Ending::answered);
  b.model.power_cut(false);
  CHECK_FALSE(b.reads(0));
  CHECK_FALSE(b.reads(older));
  SECTION("flushed") { CHECK(b.reads(flushed)); }
  SECTION("in between") {
    CHECK(b.reads(late));
    CHECK_FALSE(b.reads(flushed));
    CHECK_FALSE(b.reads(latest));
    b.model.power_cut(false);
    CHECK_FALSE(b.reads(flushed));
    CHECK(b.reads(late));
  }
  SECTION("latest") { CHECK(b.reads(latest)); }
  SECTION("a later flush does not settle which") {
    b.flush();
    b.model.power_cut(false);
    CHECK(b.reads(flushed));
  }
}

TEST_CASE("a flush covers writes completed before it") {
  Bench b;
  const std::uint64_t early = b.model.start_write(0, 4);
  const SectorModel::Moment flush = b.model.start_flush();
  b.model.end(early, Ending::answered);
  b.model.flushed(flush);
  b.model.power_cut(false);
  CHECK(b.reads(0));
}

TEST_CASE("a forced write survives a power cut, and so do data saved by a capacitor") {
  Bench b;
  const std::uint64_t forced = b.written(Ending::durable);
  SECTION("forced") {
    b.model.power_cut(false);
    CHECK_FALSE(b.reads(0));
    CHECK(b.reads(forced));
  }
  SECTION("saved") {
    const std::uint64_t late = b.written(Ending::answered);
    b.model.power_cut(true);
    CHECK_FALSE(b.reads(forced));
    CHECK(b.reads(late));
  }
}

TEST_CASE("a write under way when the power fails may have taken effect") {
  Bench b;
  const std::uint64_t write = b.model.start_write(0, 4);
  b.model.end(write, Ending::open);
  b.model.power_cut(true);
  SECTION("there") { CHECK(b.reads(write)); }
  SECTION("not") {
    CHECK(b.reads(0));
    CHECK_FALSE(b.reads(write));
  }
}

TEST_CASE("a read that found a flushed write rules out older data, also after a power cut") {
  Bench b;
  const std::uint64_t one = b.model.start_write(0, 4), other = b.model.start_write(0, 4);
  b.model.end(one, Ending::answered);
  b.model.end(other, Ending::answered);
  CHECK(b.reads(one));
  b.flush();
  b.model.power_cut(false);
  CHECK_FALSE(b.reads(other));
  CHECK(b.reads(one));
}

TEST_CASE("a unit must not mix two writes that both cover it") {
  Bench b;
  const std::uint64_t one = b.model.start_write(0, 16), other = b.model.start_write(0, 16);
  b.model.end(one, Ending::answered);
  b.model.end(other, Ending::answered);
  const auto two_sectors = [&](std::uint64_t first, std::uint64_t a, std::uint64_t c) {
    std::vector<std::byte> data = b.data_of(a, first);
    const std::vector<std::byte> second = b.data_of(c, first + 1);
    data.insert(data.end(), second.begin(), second.end());
    const SectorModel::Moment started = b.model.start_read();
    const bool fine = b.model.check_read(started, first, data).empty();
    b.model.end_read(started);
    return fine;
  };
  SECTION("within a unit") { CHECK_FALSE(two_sectors(1, one, other)); }
  SECTION("across two") { CHECK(two_sectors(3, one, other)); }
  SECTION("of several commands") { CHECK(two_sectors(9, one, other)); }
}

TEST_CASE("unknown contents are settled by the first read") {
  Bench b;
  const std::uint64_t older = b.written(Ending::durable);
  const std::uint64_t newer = b.written(Ending::durable);
  b.model.power_cut(false);
  b.model.forget();
  CHECK(b.reads(older));
  CHECK_FALSE(b.reads(newer));
}

TEST_CASE("unknown contents found by a read are older than a later write") {
  Bench b;
  b.written(Ending::durable);
  b.model.power_cut(false);
  b.model.forget();
  const SectorModel::Moment started = b.model.start_read();
  const std::uint64_t write = b.written(Ending::answered);
  CHECK(b.model.check_read(started, 0, b.data_of(0, 0)).empty());
  b.model.end_read(started);
  SECTION("at once") { CHECK_FALSE(b.reads(0)); }
  SECTION("after a flush and a power cut") {
    b.flush();
    b.model.power_cut(false);
    CHECK_FALSE(b.reads(0));
    CHECK(b.reads(write));
  }
}

TEST_CASE("unknown contents are below a write that a power cut undoes") {
  Bench b;
  const std::uint64_t older = b.written(Ending::durable);
  b.written(Ending::durable);
  b.model.power_cut(false);
  b.model.forget();
  const std::uint64_t write = b.written(Ending::answered);
  CHECK_FALSE(b.reads(older));
  SECTION("undone") {
    b.model.power_cut(false);
    CHECK(b.reads(older));
    CHECK_FALSE(b.reads(write));
  }
  SECTION("kept") {
    SECTION("by a flush") {
      b.flush();
      b.model.power_cut(false);
    }
    SECTION("by a capacitor") { b.model.power_cut(true); }
    SECTION("by a shutdown") {
      b.model.came_to_rest();
      b.model.power_cut(false);
    }
    CHECK_FALSE(b.reads(older));
    CHECK(b.reads(write));
  }
}

TEST_CASE("unknown contents stay unknown after another power cut") {
  Bench b;
  const std::uint64_t older = b.written(Ending::durable);
  const std::uint64_t newer = b.written(Ending::durable);
  b.model.power_cut(false);
  b.model.forget();
  b.model.power_cut(true);
  CHECK(b.reads(older));
  CHECK_FALSE(b.reads(newer));
}

}  // namespace
}  // namespace nandscape::soak
