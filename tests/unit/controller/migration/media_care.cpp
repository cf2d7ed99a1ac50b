// SPDX-License-Identifier: Apache-2.0
// Tests which blocks media care empties, and for which reasons.
#include "controller/migration/media_care.h"

#include <optional>

#include "assign_parameters.h"
#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A drive with one full block, which contains units 0 to 5.
struct Bench final : FakeDrive {
  explicit Bench(const ControllerParameters& p) : FakeDrive(one_plane, p) {
    write_all(0, 6);
    block = FakeDrive::block(0);
  }
  // Returns the reason for which the block was emptied, or nullopt if it was not emptied.
  std::optional<Reason> reason() const { return moves.empty() ? std::nullopt : std::optional(moves.front().reason); }

  MediaCare care{parameters.refresh,
                 facts.refresh,
                 parameters.scrub,
                 parameters.wear_levelling,
                 *chosen.write_mode,
                 {clock, reading.io, mapping.blocks, mapping.ages, mapping.lives, mapping.reads, reading.reader,
                  writing.writer, collector, calendar}};
  Superblock block;
};

TEST_CASE("the patrol reads each page with data once per period, and empties blocks with many errors") {
  ControllerParameters p = small_controller();
  p.scrub.period_hours = 1;
  p.scrub.relocate_error_fraction = 0.75;
  Bench b(p);
  const std::uint32_t errors = GENERATE(29u, 30u);  // of 40 errors that can be corrected
  b.page(b.place(3)).errors = errors;
  const Tick end = ticks_from_s(3600) - 1;
  b.calendar.advance(end);
  REQUIRE(b.care.due(end));
  b.care.look(end);
  b.run();
  CHECK(b.care.scrubbed_pages() == 6);
  CHECK_FALSE(b.care.due(end));
  CHECK(b.reason() == (errors < 30 ? std::nullopt : std::optional(Reason::errors)));
}

TEST_CASE("data are refreshed at their age, also when time has passed unsimulated") {
  ControllerParameters p = small_controller();
  assign(p.refresh, {{"policy", "period"}, {"period_days", "2"}, {"check_hours", "24"}});
  Bench b(p);
  b.care.advance(47, b.calendar.now());
  CHECK_FALSE(b.reason());
  b.care.advance(1.1, b.calendar.now());
  CHECK(b.reason() == Reason::refresh);
}

TEST_CASE("a block is emptied after its limit of reads, counted from its erase") {
  ControllerParameters p = small_controller();
  p.read_disturb.limit_reads = 10;
  Bench b(p);
  b.care.block_read(b.block, 9, 0);
  b.care.block_erased(b.block, true, 0);
  b.care.block_read(b.block, 9, 0);
  CHECK_FALSE(b.reason());
  b.care.block_read(b.block, 1, 0);
  CHECK(b.reason() == Reason::read_disturb);
}

TEST_CASE("a block with a page that had to be rebuilt is emptied") {
  Bench b(small_controller());
  b.care.page_remade(b.block, 0);
  CHECK(b.reason() == Reason::errors);
}

}  // namespace
}  // namespace nandscape::controller
