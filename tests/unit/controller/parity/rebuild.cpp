// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/rebuild.h"

#include <algorithm>
#include <span>

#include "catch.h"
#include "controller/reading/page_reader.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A drive with three dies. Units 0 and 1 and their parity form one row.
struct Bench final : FakeDrive {
  Bench() : FakeDrive(three_dies, with_parity()) {
    reading.reader.set_last_resort(rebuild);
    write_all(0, 2);
  }
  static ControllerParameters with_parity() {
    ControllerParameters p = small_controller();
    p.parity.stripe_dies = 3;
    return p;
  }

  void read_unit(std::uint64_t lpn) { run(read, reading.io, reading.reader, place(lpn), 0, 4096); }

  Rebuild rebuild{reading.io, reading.reader, mapping.blocks};
  Read read{reading.reader};
};

TEST_CASE("a page that cannot be corrected is the sum of the others of its row") {
  Bench b;
  const std::uint64_t tag = b.page(b.place(1)).tag[0];
  b.damage(b.place(1));
  b.read_unit(1);
  CHECK_FALSE(b.read.ecc.uncorrectable);
  CHECK(Bench::Bytes(b.read.command.data, b.read.command.data + 4096) == b.bytes(1));
  CHECK(b.read.tag[0] == tag);
  CHECK(b.rebuild.counters().rebuilds == 1);
  CHECK(b.remade == std::vector{b.block(1)});
}

TEST_CASE("a page is lost if another one of its row cannot be read either") {
  Bench b;
  b.damage(b.place(0));
  b.damage(b.place(1));
  b.read_unit(1);
  CHECK(b.read.ecc.uncorrectable);
  CHECK(b.rebuild.counters().failed_rebuilds == 1);
}

// After a power loss, the version in the tag of a moved unit decides which copy is the newest.
TEST_CASE("a page that cannot be rebuilt keeps the tag that was read with it") {
  Bench b;
  const auto tag = b.page(b.place(1)).tag;
  b.damage(b.place(0));
  b.damage(b.place(1));
  b.read.command.tag = std::span(b.read.tag).first(2);
  b.read_unit(1);
  CHECK(b.read.ecc.uncorrectable);
  CHECK(std::ranges::equal(b.read.command.tag, tag));
}

TEST_CASE("pages whose content nothing needs are not rebuilt") {
  Bench b;
  b.damage(b.place(1));
  b.read.worth_remaking = false;
  b.read_unit(1);
  CHECK(b.read.ecc.uncorrectable);
  CHECK(b.remade.empty());
  CHECK(b.rebuild.counters().failed_rebuilds == 0);
}

}  // namespace
}  // namespace nandscape::controller
