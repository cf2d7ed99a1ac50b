// SPDX-License-Identifier: Apache-2.0
// A test fixture with one die. The test passes the time of each command to the die. Array operations must end exactly
// at their announced time and not a picosecond earlier.
#pragma once

#include <deque>
#include <optional>

#include "catch.h"
#include "core/error.h"
#include "nand/die.h"
#include "unit/nand/fake_cells.h"

namespace nandscape::nand {

inline NandParameters die_parameters() {
  NandParameters p;
  p.coding = "tlc_232";
  p.timing.read = ReadTime::per_page_type;
  p.timing.t_read_us = {60, 90, 70};
  p.timing.t_prog_us = 700;
  p.timing.t_prog_slc_us = 190;
  p.timing.t_adjust_us = 400;
  p.timing.t_bers_us = 3000;
  p.timing.t_suspend_us = 20;
  p.timing.t_resume_us = 25;
  p.timing.t_rcbsy_us = 3;
  p.timing.t_rst_read_us = 5;
  p.timing.t_rst_program_us = 11;
  p.timing.t_rst_erase_us = 510;
  p.timing.t_feat_us = 2;
  return p;
}

struct DieHarness {
  explicit DieHarness(CellArray* cells = nullptr, const NandParameters& parameters = die_parameters())
      : timing(parameters), die("die", geometry, timing, &store, cells, &tags) {}

  Geometry geometry{.planes_per_die = 2, .blocks_per_plane = 6, .pages_per_block = 9, .page_bytes = 512};
  NandTiming timing;
  PageStore store{PageLayout::sharing_spare(512, 0, 512), PageStore::Spare::left_out};
  PageTags tags{12, 9, 2};
  Die die;
  std::deque<NandCommand> commands;
  std::deque<std::vector<std::uint64_t>> tag_buffers;

  NandCommand& make(NandOperation operation, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0) {
    NandCommand& command = commands.emplace_back();
    command.operation = operation;
    command.plane = PlaneInDie(plane);
    command.block = BlockInPlane(block);
    command.page = page;
    return command;
  }
  NandCommand& make_queued(NandOperation operation, std::uint32_t plane, std::uint32_t block = 0,
                           std::uint32_t page = 0) {
    NandCommand& command = make(operation, plane, block, page);
    command.more_planes = true;
    return command;
  }
  NandCommand& make_cache_read(std::uint32_t block, std::uint32_t page) {
    NandCommand& command = make(NandOperation::read, 0, block, page);
    command.cache = true;
    return command;
  }

  NandCommand& make_set_feature(std::uint8_t address, std::array<std::uint8_t, 4> value) {
    NandCommand& command = make(NandOperation::set_feature);
    command.feature = address;
    command.feature_value = value;
    return command;
  }

  // Programs the first `pages` pages of a block.
  void program_pages(std::uint32_t plane, std::uint32_t block, std::uint32_t pages,
                     ProgramMode mode = ProgramMode::native) {
    for (std::uint32_t page = 0; page < pages; ++page) {
      NandCommand& command = make(NandOperation::program, plane, block, page);
      command.mode = mode;
      complete(command, 0);
    }
  }

  // Issues a command, which the die must accept. Returns the time at which its array operation ends.
  Tick issue(NandCommand& command, Tick now) {
    REQUIRE(die.accepts(command, now));
    return die.issue(command, now);
  }

  // Checks that the die refuses the command with an error message that contains `reason`.
  void refuses(NandCommand& command, Tick now, const std::string& reason = "the die cannot take it now") {
    CHECK_THROWS_WITH(die.issue(command, now), ContainsSubstring(reason));
  }

  // Checks that the array is busy until one picosecond before `end`, and that the response is ready at `end`.
  void finishes_at(Tick end) {
    CHECK(die.response() == nullptr);
    CHECK_THROWS_AS(die.finish(end - 1), ProtocolError);
    die.finish(end);
    CHECK(die.response() != nullptr);
  }

  // Releases the response, which must be the response to the given command.
  Tick release(const NandCommand& command, Tick now) {
    REQUIRE(die.response() == &command);
    return die.release(now);
  }

  // Issues a command and completes it.
  void complete(NandCommand& command, Tick now) {
    const Tick end = issue(command, now);
    die.finish(end);
    release(command, end);
  }

  using Tag = std::vector<std::uint64_t>;

  NandCommand& program_tagged(std::uint32_t block, std::uint32_t page, Tag tag, Tick now = 0) {
    NandCommand& command = make(NandOperation::program, 0, block, page);
    Tag& words = tag_buffers.emplace_back(std::move(tag));
    command.tag = words;
    complete(command, now);
    return command;
  }
  // Reads the page and returns its tag.
  Tag tag_of(std::uint32_t block, std::uint32_t page, std::size_t words = 2, Tick now = 100 * second) {
    Tag tag(words, 12345);
    NandCommand& command = make(NandOperation::read, 0, block, page);
    command.tag = tag;
    complete(command, now);
    return tag;
  }
  NandCommand& read_whole(std::uint32_t block, std::uint32_t page, Tick now = 100 * second) {
    NandCommand& command = make(NandOperation::read, 0, block, page);
    command.bytes = geometry.page_bytes;
    complete(command, now);
    return command;
  }
  bool torn(std::uint32_t block, std::uint32_t page, Tick now = 100 * second) {
    const NandCommand& command = read_whole(block, page, now);
    return command.raw_bit_errors == geometry.page_bytes * 4 && !command.erased_page;
  }

  // Returns whether the die accepts a command at the given time. The command is a read of an erased block.
  bool ready_at(Tick now) { return die.accepts(make(NandOperation::read, 0, 5), now); }
};

}  // namespace nandscape::nand
