// SPDX-License-Identifier: Apache-2.0
#include "controller/state_maps/mapped_reads.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A drive in which units 0 and 1 form one wordline, whose states were mapped when it was written.
struct Bench final : FakeDrive {
  explicit Bench(std::uint8_t map) {
    reader.set_listener(*this);
    reader.set_undo(engine);
    write_all(0, 2);
    FakeFlash::Page& first = page(place(0));
    FakeFlash::Page& last = page(place(1));
    StateMapping(map).apply(first.data, last.data);
    for (FakeFlash::Page* const page : {&first, &last}) set_coding(page->tag, ordinary_code, map);
  }

  void read_unit(std::uint64_t lpn) { run(read, io, reader, place(lpn), 0, 4096); }
  Bytes data() const { return Bytes(read.command.data, read.command.data + 4096); }

  FlashIo io{mapping.layout, facts.path, reading.scheduler, ecc, true};
  PageReader reader{parameters.read_retry, facts.retries, io,          reading.scheduler,
                    mapping.blocks,        mapping.pins,  mapping.ages};
  MappedReads engine{io, reader, mapping.blocks, writing.writer.ledger().undurable()};
  Read read{reader};
};

TEST_CASE("a mapped page reads as it was written, with the other page of its wordline if the map mixes them") {
  const auto map = static_cast<std::uint8_t>(GENERATE(range(0, 24)));
  const std::uint64_t lpn = GENERATE(0u, 1u);
  Bench b(map);
  b.read_unit(lpn);
  CHECK_FALSE(b.read.ecc.uncorrectable);
  CHECK(b.data() == b.bytes(static_cast<int>(lpn)));
  CHECK(b.engine.other_reads() == (StateMapping(map).mixes(static_cast<PairedPage>(lpn)) ? 1 : 0));
}

TEST_CASE("a mixed page is lost with the other page of its wordline") {
  std::uint8_t mixing = 1;
  while (!StateMapping(mixing).mixes(static_cast<PairedPage>(0))) ++mixing;
  Bench b(mixing);
  SECTION("uncorrectable") { b.damage(b.place(1)); }
  SECTION("of another map") { set_coding(b.page(b.place(1)).tag, ordinary_code, 0); }
  b.read_unit(0);
  CHECK(b.read.ecc.uncorrectable);
}

TEST_CASE("a tag that names no map makes its page uncorrectable") {
  Bench b(0);
  set_coding(b.page(b.place(0)).tag, ordinary_code, StateMapping::mappings);
  b.read_unit(0);
  CHECK(b.read.ecc.uncorrectable);
}

}  // namespace
}  // namespace nandscape::controller
