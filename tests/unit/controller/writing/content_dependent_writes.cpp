// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "catch.h"
#include "controller/content/cdber_engine.h"
#include "controller/content/content_profile.h"
#include "controller/content/state_mapping.h"
#include "controller/writing/write_mode.h"
#include "core/error.h"
#include "fakes/fake_unit.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t page_bytes = 64;
constexpr std::uint32_t cells = 8 * page_bytes;

// Steps and their limits. A step of 400 mV is correctable if at most half of the cells are in 01 (MSB page), and at
// most a quarter are in 01 or 00 (LSB page). For 600 mV the limits are one eighth and none.
std::shared_ptr<const WordlineSpeedTable> speeds() {
  const auto step = [](double mv, double most_01, double most_01_and_00) {
    return WordlineSpeedTable::Step{
        mv, 200 * 300 / mv, {0, 0, 1e-3 / most_01, 1e-3 / most_01_and_00}, std::vector<double>(cell_states)};
  };
  return std::make_shared<WordlineSpeedTable>(
      std::vector<std::uint8_t>{0b11, 0b10, 0b01, 0b00},
      std::vector{step(300, 1, 1), step(400, 0.5, 0.25), step(600, 0.125, 1e-6)}, 1e-3);
}

struct NoStages final : PlacingStage, ProgrammingStage {
  Placement place(PageProgram&, Tick) override { return Placement::placed; }
  void withdrawn(PageProgram&, Tick) override {}
  ProgramPlace next_page(const PageProgram&) const override { return {.page = 0}; }
  void program_ended(PageProgram&, Tick) override {}
};

// A wordline of two pages. The first bits of each page are 0, as many as given, and all other bits are 1.
struct Wordline {
  Wordline(std::uint32_t zeros_of_lsb, std::uint32_t zeros_of_msb) {
    fill(lsb_bytes, zeros_of_lsb);
    fill(msb_bytes, zeros_of_msb);
    lsb.command.data = lsb_bytes.data();
    msb.command.data = msb_bytes.data();
    units[0].lpn = Lpn(7);
    units[1].lpn = Lpn(8);
    lsb.units = &units[0];
    msb.units = &units[1];
  }

  static void fill(std::array<std::byte, page_bytes>& bytes, std::uint32_t zeros) {
    bytes.fill(std::byte{0xff});
    for (std::uint32_t bit = 0; bit < zeros; ++bit) bytes[bit / 8] &= ~(std::byte{1} << bit % 8);
  }

  PlacedPage first() { return {lsb, 0, 0, nullptr}; }
  PlacedPage last() { return {msb, 1, 0, &lsb}; }

  NoStages none;
  const PageStages stages{nullptr, none, none};
  std::array<PlainUnit, 2> units;
  std::array<std::byte, page_bytes> lsb_bytes, msb_bytes;
  PageProgram lsb{stages}, msb{stages};
};

struct Drive {
  explicit Drive(bool keeps_bytes) {
    facts.content.speeds = speeds();
    facts.content.cells = cells;
    facts.content.keeps_bytes = keeps_bytes;
  }
  std::unique_ptr<WriteModePolicy> policy() const {
    WriteFacts with_engine = facts;
    with_engine.content_kept_for = [content = facts.content](double) {
      ContentFacts with_tables = content;
      with_tables.engine = std::make_shared<CdberEngine>(content.speeds, cells, content.parameters.bound);
      return with_tables;
    };
    return write_mode_registry().make(by_content.policy, {by_content, with_engine, clock});
  }
  ContentParameters& parameters() { return facts.content.parameters; }

  DriveClock clock{1};
  WriteFacts facts;
  WriteModeParameters by_content{.by_content = true};
};

TEST_CASE("content-dependent writes: the last page takes the step that is correctable for both pages") {
  const auto policy = Drive(true).policy();
  // All cells are in 11, where none can be misread.
  CHECK(policy->step_mv(Wordline(0, 0).last()) == 600);
  // An eighth of the cells are in 01. With the largest step, only the MSB page would be correctable.
  CHECK(policy->step_mv(Wordline(0, cells / 8).last()) == 400);
  CHECK(policy->step_mv(Wordline(0, cells / 4).last()) == 400);
  CHECK(policy->step_mv(Wordline(0, cells / 4 + 1).last()) == 0);
  // Cells in 00 are weak for the LSB page, so the limit is exceeded here too.
  CHECK(policy->step_mv(Wordline(cells, cells / 4 + 1).last()) == 0);
  // All cells are in 10, which is weak for neither page.
  CHECK(policy->step_mv(Wordline(cells, 0).last()) == 600);
}

TEST_CASE("content-dependent writes: in a relaxed block no page takes a smaller step than its retention time allows") {
  Drive drive(true);
  drive.by_content.kept_weeks = 2;
  drive.by_content.step_ratio = 1.6;  // 400 mV
  const auto policy = drive.policy();
  const auto step_mv = [&](std::uint32_t zeros_of_msb, std::uint8_t block_mode) {
    Wordline wordline(0, zeros_of_msb);
    PlacedPage last = wordline.last();
    last.block_mode = block_mode;
    return policy->step_mv(last);
  };
  CHECK(step_mv(0, 7) == 600);
  CHECK(step_mv(cells / 2, 7) == 400);
  CHECK(step_mv(0, 0) == 600);
  CHECK(step_mv(cells / 2, 0) == 0);
}

TEST_CASE("content-dependent writes: a first page with an unknown wordline counts as the worst case") {
  const auto policy = Drive(true).policy();
  CHECK(policy->step_mv(Wordline(0, 0).first()) == 0);
}

TEST_CASE("content-dependent writes: by page, each page takes its own step") {
  Drive drive(true);
  drive.parameters().step_rule = StepRule::page;
  CHECK(drive.policy()->step_mv(Wordline(0, cells / 8).last()) == 600);
  CHECK(drive.policy()->step_mv(Wordline(0, cells / 2).last()) == 400);
}

TEST_CASE("content-dependent writes: pages that are not to be faster are programmed with the default step") {
  Drive drive(true);
  drive.parameters().faster_pages = FasterPages::lsb;
  CHECK(drive.policy()->step_mv(Wordline(0, 0).last()) == 0);
  drive.parameters().faster_pages = FasterPages::msb;
  CHECK(drive.policy()->step_mv(Wordline(0, 0).last()) == 600);
}

TEST_CASE("content-dependent writes: padding and moves within the flash hide the wordline's content") {
  const auto policy = Drive(true).policy();
  Wordline padded(0, 0);
  padded.msb.units = nullptr;
  CHECK(policy->step_mv(padded.last()) == 0);
  struct Mover final : PageMover {
    void lost(PageProgram&, Tick) override {}
  } mover;
  Wordline moved(0, 0);
  moved.lsb.mover = &mover;
  CHECK(policy->step_mv(moved.last()) == 0);
  moved.msb.mover = &mover;
  CHECK(policy->step_mv(moved.last()) == 0);
}

TEST_CASE("content-dependent writes: without bytes, a profile gives the content of the first page's wordline") {
  Drive drive(false);
  const auto policy = drive.policy();
  const ContentProfile profile(ContentKind::mixed);
  const CdberEngine engine(speeds(), cells, ContentBound::relaxed);
  int faster = 0;
  for (std::uint64_t version = 1; version <= 200; ++version) {
    Wordline wordline(0, 0);
    wordline.units[0].version = version;
    const StateCounts states = counts_of(profile.page(content_key(7, version)), cells);
    const std::uint32_t lsb = engine.relaxed(PairedPage::lsb, states);
    const std::uint32_t both = std::min(lsb, engine.relaxed(PairedPage::msb, states));
    const std::array<std::uint16_t, 3> step_mv{0, 400, 600};
    CHECK(policy->step_mv(wordline.first()) == step_mv[lsb]);
    CHECK(policy->step_mv(wordline.last()) == step_mv[both]);
    faster += lsb > 0;
  }
  CHECK(faster > 10);
  CHECK(faster < 190);
}

TEST_CASE("content-dependent writes: state mapping never makes the two pages slower") {
  Drive plain(false);
  Drive mapped(false);
  mapped.parameters().state_mapping = true;
  int faster = 0;
  for (std::uint64_t version = 1; version <= 200; ++version) {
    Wordline wordline(0, 0);
    wordline.units[0].version = version;
    const auto program_us = [&](const Drive& drive) {
      double us = 0;
      for (const PlacedPage& page : {wordline.first(), wordline.last()}) {
        const std::uint16_t step = drive.policy()->step_mv(page);
        us += 200.0 * 300 / (step == 0 ? 300 : step);
      }
      return us;
    };
    CHECK(program_us(mapped) <= program_us(plain));
    faster += program_us(mapped) < program_us(plain);
  }
  CHECK(faster > 10);
}

TEST_CASE("content-dependent writes: a first page that is gathered with the last takes its own step") {
  const auto policy = Drive(true).policy();
  CHECK(policy->goes_by_wordline());
  const auto first_step = [&](std::uint32_t zeros_of_lsb, std::uint32_t zeros_of_msb) {
    Wordline wordline(zeros_of_lsb, zeros_of_msb);
    return policy->step_mv({wordline.lsb, 0, 0, &wordline.msb});
  };
  CHECK(first_step(0, 0) == 600);
  CHECK(first_step(0, cells / 4) == 400);
  CHECK(first_step(0, cells / 4 + 1) == 0);
  // All cells are in 10, which is weak for neither page.
  CHECK(first_step(cells, 0) == 600);
}

TEST_CASE("content-dependent writes: bytes are mapped to the states that are written fastest") {
  Drive drive(true);
  drive.parameters().state_mapping = true;
  const auto policy = drive.policy();
  CHECK(policy->maps_states());
  // All cells are in 00.
  const Wordline wordline(cells, cells);
  const StateMapping mapping(policy->state_map(wordline.lsb_bytes, wordline.msb_bytes));
  CHECK((mapping(CellState::s00) == CellState::s11 || mapping(CellState::s00) == CellState::s10));
  CHECK(Drive(true).policy()->state_map(wordline.lsb_bytes, wordline.msb_bytes) == 0);
  CHECK_FALSE(Drive(false).policy()->maps_states());
}

}  // namespace
}  // namespace nandscape::controller
