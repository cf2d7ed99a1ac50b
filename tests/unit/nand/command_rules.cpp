// SPDX-License-Identifier: Apache-2.0
#include "nand/command_rules.h"

#include "core/error.h"
#include "unit/nand/array_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;

struct Ruled : ArrayHarness {
  using ArrayHarness::ArrayHarness;

  const std::string name = "die 3";
  CommandRules rules{name, geometry, timing, features, array};
};

TEST_CASE("an error message gives the command, the reason and the preceding commands") {
  Ruled h;
  const NandCommand command = h.command(erase, 0, 4);
  CHECK_THROWS_WITH(h.rules.refuse(command, "no"), "die 3: " + to_string(command) + ": no\n  before it: nothing");
  // The message lists only the last eight of these ten commands.
  std::string known;
  for (std::uint32_t page = 0; page < 10; ++page) {
    const NandCommand before = h.command(program, 1, 2, page);
    h.rules.remember(before);
    if (page >= 2) known += "\n    " + to_string(before);
  }
  CHECK_THROWS_WITH(h.rules.refuse(command, "no"), "die 3: " + to_string(command) + ": no\n  before it:" + known);
}

TEST_CASE("a suspended operation's target cannot be read") {
  Ruled h;
  h.program_pages(0, 1, 3);
  NandCommand suspended = h.command(program, 0, 1, 3);
  SECTION("the page of a program") {
    NandCommand* const commands[] = {&suspended};
    CHECK_THROWS_WITH(h.rules.check_read(h.command(read, 0, 1, 3), commands, {}),
                      ContainsSubstring("reads cells of a suspended operation"));
    CHECK_NOTHROW(h.rules.check_read(h.command(read, 0, 1, 2), commands, {}));
    CHECK_NOTHROW(h.rules.check_read(h.command(read, 1, 1, 3), commands, {}));
  }
  SECTION("the block of an erase") {
    suspended.operation = erase;
    NandCommand* const commands[] = {&suspended};
    CHECK_THROWS_WITH(h.rules.check_read(h.command(read, 0, 1, 0), commands, {}),
                      ContainsSubstring("reads cells of a suspended operation"));
    CHECK_NOTHROW(h.rules.check_read(h.command(read, 0, 2, 0), commands, {}));
  }
  SECTION("the wordline of an adjustment") {
    suspended.operation = adjust_voltage;
    NandCommand* const commands[] = {&suspended};
    CHECK_THROWS_WITH(h.rules.check_read(h.command(read, 0, 1, 5), commands, {}),
                      ContainsSubstring("reads cells of a suspended operation"));
    CHECK_NOTHROW(h.rules.check_read(h.command(read, 0, 1, 2), commands, {}));
  }
}

TEST_CASE("reads of one operation share neither bitlines nor a block decoder") {
  Ruled h;
  NandCommand queued = h.command(read, 0, 1);
  queued.single_operation = true;
  queued.subpages = 1;
  NandCommand* const commands[] = {&queued};
  NandCommand other = h.command(read, 0, 2);
  other.single_operation = true;
  other.subpages = 1;
  CHECK_THROWS_WITH(h.rules.check_read(other, {}, commands), ContainsSubstring("bitlines"));
  other.subpages = 2;
  other.first_byte = 128;
  other.bytes = 128;
  CHECK_NOTHROW(h.rules.check_read(other, {}, commands));
  other.block = BlockInPlane(1);
  CHECK_THROWS_WITH(h.rules.check_read(other, {}, commands), ContainsSubstring("block decoder"));
  CHECK_NOTHROW(h.rules.check_read(other, {}, {}));
}

TEST_CASE("programs must match the state of the block and of the page register") {
  Ruled h;
  CHECK_NOTHROW(h.rules.check_program(h.command(program, 0, 1, 0)));
  h.program_pages(0, 1, 2);
  CHECK_THROWS_WITH(h.rules.check_program(h.command(program, 0, 1, 1)), ContainsSubstring("programmed already"));
  CHECK_THROWS_WITH(h.rules.check_program(h.command(program, 0, 1, 3)), ContainsSubstring("page 2 is next"));
  const NandCommand copy = h.command(copyback_program, 0, 1, 2);
  CHECK_THROWS_WITH(h.rules.check_program(copy), ContainsSubstring("holds no page"));
  h.array.registers().fill(PlaneInDie(0));
  CHECK_NOTHROW(h.rules.check_program(copy));
  h.array.interrupt(h.command(erase, 0, 1));
  CHECK_THROWS_WITH(h.rules.check_program(copy), ContainsSubstring("must be erased"));
}

TEST_CASE("any cells can be programmed with a custom ISPP step") {
  FakeCells cells;
  Ruled ideal;
  Ruled real(&cells);
  NandCommand c = ideal.command(program, 0, 1, 0);
  c.program_step_mv = 300;
  CHECK_NOTHROW(ideal.rules.check_program(c));
  CHECK_NOTHROW(real.rules.check_program(c));
}

}  // namespace
}  // namespace nandscape::nand
