// SPDX-License-Identifier: Apache-2.0
// Tests operations that overlap, end early or never end, at the pins of an ONFI target.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "catch.h"
#include "channel/channel_module.h"
#include "onfi_bench.h"

namespace nandscape {
namespace {

using namespace rtl::onfi;
using enum NandOperation;
using Sent = OnfiBench::Sent;

constexpr Tick us = microsecond;
// An upper bound for the duration of a status read plus the cycles of a command.
constexpr Tick cycles_take = 60 * us;

PlayerSettings settings(Interface interface = Interface::sdr) {
  return {.timing = {interface, 4}, .spare = {.parity_bytes = 32}};
}

void check_obeyed(const OnfiBench& b) {
  for (const Violation& violation : b.device->violations().list()) FAIL_CHECK(violation.text);
}

TEST_CASE("R/B_n is low for the array times") {
  OnfiBench b(Way::pins, settings(GENERATE(Interface::sdr, Interface::nv_ddr)));
  for (std::uint32_t page = 0; page < 3; ++page) b.execute(b.make_program(0, 1, page, true));
  for (std::uint32_t page = 0; page < 3; ++page) b.execute(b.make(read, 0, 1, page));
  b.execute(b.make(erase, 0, 1));
  CHECK(b.busy_times() ==
        std::vector<Tick>{701 * us, 701 * us, 701 * us, 61 * us, 83 * us + 500 * nanosecond, 70 * us, 3003 * us});
}

TEST_CASE("a read takes its cycles, tR and its data-out") {
  OnfiBench b(Way::pins, {.timing = {Interface::sdr, 5}});
  b.execute(b.make(reset));
  const Tick begun = b.calendar.now();
  Sent& sent = b.execute(b.make(read, 0, 1, 0));
  // The die is selected by CE_n and receives 7 cycles of 20 ns. tR begins at the last rising edge of WE_n. After tR,
  // the 05h sequence and 512 bytes of 20 ns each are transferred.
  CHECK(sent.accepted - begun >= 7 * 20 * nanosecond);
  CHECK(sent.accepted - begun <= 7 * 20 * nanosecond + 200 * nanosecond);
  CHECK(sent.answered - sent.accepted >= 61 * us + 512 * 20 * nanosecond - 200 * nanosecond);
  CHECK(sent.answered - sent.accepted <= 61 * us + 512 * 20 * nanosecond + 2 * us);
  CHECK(sent.completed == sent.answered);
}

TEST_CASE("cache reads overlap, and return the pages in order") {
  OnfiBench b(Way::pins, settings(GENERATE(Interface::sdr, Interface::nv_ddr)));
  std::vector<Sent*> programs, reads;
  for (std::uint32_t page = 0; page < 4; ++page) programs.push_back(&b.execute(b.make_program(1, 2, page, true)));
  for (std::uint32_t page = 0; page < 4; ++page) {
    reads.push_back(&b.make(read, 1, 2, page));
    reads.back()->command.cache = page != 0;
  }
  // Read 1 is sent as soon as read 0 has been accepted. Reads 2 and 3 are sent when reads 0 and 1 have completed.
  reads[0]->next = reads[1];
  reads[0]->then = reads[2];
  reads[1]->then = reads[3];
  b.execute(*reads[0]);
  for (std::uint32_t page = 0; page < 4; ++page) {
    CAPTURE(page);
    CHECK(reads[page]->completed != never);
    CHECK((reads[page]->data == programs[page]->data));
  }
  check_obeyed(b);
  // Pages 1 and 2 are sensed in the background while the target is ready, so they add no long busy time.
  CHECK(b.busy_times().size() <= 4 + 2);
}

TEST_CASE("a cache read that arrives too late is an ordinary read") {
  OnfiBench b(Way::pins, settings());
  Sent& first = b.execute(b.make_program(0, 2, 0, true));
  Sent& second = b.execute(b.make_program(0, 2, 1, true));
  Sent& one = b.make(read, 0, 2, 0);
  Sent& late = b.make(read, 0, 2, 1);
  late.command.cache = true;
  const Tick begun = b.calendar.now();
  b.send(one);
  b.send_at(begun + 70 * us, late);  // arrives while the data of the first read are being transferred
  b.run();
  CHECK((one.data == first.data));
  CHECK((late.data == second.data));
  CHECK(late.answered > one.answered + 83 * us);
  check_obeyed(b);
}

TEST_CASE("cache programs overlap, and each has its own status") {
  OnfiBench b(Way::pins, settings(GENERATE(Interface::sdr, Interface::nv_ddr)));
  const bool first_fails = GENERATE(false, true);
  std::vector<Sent*> sent;
  for (std::uint32_t page = 0; page < 4; ++page) {
    sent.push_back(&b.make_program(0, 2, page, true));
    sent.back()->command.cache = page != 3;
    if (page != 0) sent[page - 1]->next = sent.back();
  }
  if (first_fails) b.die->die().faults().fail_next(program, 1);
  const Tick begun = b.calendar.now();
  b.execute(*sent[0]);
  for (std::uint32_t page = 0; page < 4; ++page) {
    CAPTURE(page);
    CHECK(sent[page]->command.status == (first_fails && page == 0 ? NandStatus::fail : NandStatus::pass));
  }
  // The cache register becomes free tPCBSY after the end of the previous program.
  const std::vector<Tick>& ready = b.ready_times();
  REQUIRE(ready.size() >= 4);
  const std::size_t first = ready.size() - 4;
  for (std::size_t k = first; k < first + 2; ++k) CHECK(ready[k + 1] - ready[k] == (701 + 3) * us);
  CHECK(ready[first + 3] - ready[first + 2] == 2 * 701 * us);
  // Data-in of all pages except the first takes place during the array time of the previous page.
  CHECK(sent[3]->answered - begun < 4 * 701 * us + cycles_take);
  CHECK((b.execute(b.make(read, 0, 2, 3)).data == sent[3]->data));
  check_obeyed(b);
}

TEST_CASE("cache programs of both planes have a status for each plane") {
  OnfiBench b(Way::pins, settings(GENERATE(Interface::sdr, Interface::nv_ddr)));
  std::vector<Sent*> sent;
  for (std::uint32_t page = 0; page < 3; ++page) {
    for (std::uint32_t plane = 0; plane < 2; ++plane) {
      sent.push_back(&b.make_program(plane, 3, page, true));
      sent.back()->command.more_planes = plane == 0;
      sent.back()->command.cache = page != 2;
      if (sent.size() > 1) sent[sent.size() - 2]->next = sent.back();
    }
  }
  b.die->die().faults().fail_block(BlockInDie(5 + 3));  // block of plane 1
  b.execute(*sent[0]);
  // The status of each plane is read after the last operation. FAILC covers both planes.
  CHECK(sent[4]->command.status == NandStatus::pass);
  CHECK(sent[5]->command.status == NandStatus::fail);
  CHECK(sent[0]->command.status == NandStatus::fail);
  CHECK(sent[1]->command.status == NandStatus::fail);
  for (std::uint32_t page = 0; page < 3; ++page) {
    CHECK((b.execute(b.make(read, 0, 3, page)).data == sent[std::size_t{2} * page]->data));
  }
  check_obeyed(b);
}

TEST_CASE("a cache program without a successor is answered when the array is done") {
  OnfiBench b(Way::pins, settings());
  b.execute(b.make(reset));
  Sent& last = b.make_program(0, 2, 0, true);
  last.command.cache = true;
  const Tick begun = b.calendar.now();
  b.execute(last);
  CHECK(last.accepted - begun < cycles_take);
  CHECK(last.answered - begun > 701 * us);
  CHECK(last.answered - begun < 701 * us + cycles_take);
  check_obeyed(b);
}

TEST_CASE("a reset ends the die's operation, and the next command finds the die ready") {
  OnfiBench b(Way::pins, settings(GENERATE(Interface::sdr, Interface::nv_ddr)));
  b.execute(b.make_program(0, 1, 0, true));
  const NandOperation interrupted = GENERATE(erase, program, read);
  Sent& victim = interrupted == program ? b.make_program(0, 2, 0, true) : b.make(interrupted, 0, 1, 0);
  Sent& stop = b.make(reset);
  // The reset arrives during the array time of a program or erase, or during the data-out of a read.
  const Tick begun = b.calendar.now();
  b.send(victim);
  b.send_at(begun + (victim.command.operation == read ? 65 : 200) * us, stop);
  b.run();
  CHECK(victim.command.status == NandStatus::aborted);
  CHECK(stop.command.status == NandStatus::pass);
  CHECK(stop.completed > victim.completed);
  CHECK(b.device->timing_mode() == settings(b.device->timing_mode().interface).timing);
  CHECK(b.die->die().idle());
  Sent& after = b.execute(b.make_program(1, 1, 0, true));
  CHECK((b.execute(b.make(read, 1, 1, 0)).data == after.data));
  check_obeyed(b);
}

// A page has 32 spare bytes. They hold 12 bytes of parity, followed by 20 bytes of the tag.
constexpr SpareUse parity_and_tag{.parity_bytes = 12, .tag_words = 2};

Sent& with_tag(Sent& sent, std::span<std::uint64_t> words) {
  sent.command.tag = words;
  return sent;
}

TEST_CASE("parity and tag share the spare bytes") {
  const Interface interface = GENERATE(Interface::sdr, Interface::nv_ddr);
  OnfiBench b(Way::pins, {.timing = {interface, 5}, .spare = parity_and_tag});
  std::array<std::uint64_t, 2> words{0x0123456789abcdef, 42}, found{};
  const Sent& write = b.execute(with_tag(b.make_program(0, 1, 0, true), words));
  const Sent& back = b.execute(with_tag(b.make(read, 0, 1, 0), found));
  CHECK(found == words);
  CHECK_FALSE(back.command.erased_page);
  CHECK(std::equal(back.data.begin(), back.data.begin() + 512 + 12, write.data.begin()));
  // `data` does not contain the tag.
  CHECK(std::all_of(back.data.begin() + 512 + 12, back.data.end(), [](std::byte byte) { return byte == std::byte{}; }));
  // A read of a part of the page must also return the whole parity and the tag.
  Sent& part = with_tag(b.make(read, 0, 1, 0), found);
  part.command.first_byte = 128;
  part.command.bytes = 64;
  found = {};
  b.execute(part);
  CHECK(found == words);
  CHECK(std::equal(part.data.begin() + 128, part.data.begin() + 192, write.data.begin() + 128));
  CHECK(part.data[200] == std::byte{});
  CHECK(std::equal(part.data.begin() + 512, part.data.begin() + 512 + 12, write.data.begin() + 512));
  // A read that requests fewer tag words than the page holds must return the first ones.
  std::array<std::uint64_t, 1> first{};
  b.execute(with_tag(b.make(read, 0, 1, 0), first));
  CHECK(first[0] == words[0]);
  check_obeyed(b);
}

TEST_CASE("an erased page and one whose program failed are recognised by their tag") {
  OnfiBench b(Way::pins, {.timing = {Interface::nv_ddr, 5}, .spare = parity_and_tag});
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::array<std::uint64_t, 2> words{7, 8}, found{};
  const Sent& erased = b.execute(with_tag(b.make(read, 0, 1, 0), found));
  CHECK(erased.command.erased_page);
  CHECK(erased.command.raw_bit_errors == 0);
  CHECK(found == std::array{none, none});
  // A page that was programmed with all ones and without a tag must not be recognised as erased.
  Sent& ones = b.make_program(0, 1, 0, true);
  std::fill(ones.data.begin(), ones.data.end(), std::byte{0xff});
  b.execute(ones);
  CHECK_FALSE(b.execute(with_tag(b.make(read, 0, 1, 0), found)).command.erased_page);
  CHECK(found == std::array{none, none});
  b.die->die().faults().fail_next(program, 1);
  CHECK(b.execute(with_tag(b.make_program(0, 1, 1, true), words)).command.status == NandStatus::fail);
  const Sent& torn = b.execute(with_tag(b.make(read, 0, 1, 1), found));
  CHECK_FALSE(torn.command.erased_page);
  CHECK(torn.command.worst_codeword_errors == 512 * 4);
  CHECK(found == std::array{none, none});
  check_obeyed(b);
}

TEST_CASE("a tag that is longer than its field is stored in the data bytes") {
  const Interface interface = GENERATE(Interface::sdr, Interface::nv_ddr);
  OnfiBench b(Way::pins, {.timing = {interface, 4}, .spare = parity_and_tag});
  std::array<std::uint64_t, 64> words{}, found{};
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = k * 0x0101010101010101;
  b.execute(with_tag(b.make_program(1, 2, 0, true), words));
  b.execute(with_tag(b.make(read, 1, 2, 0), found));
  CHECK(found == words);
  std::array<std::uint64_t, 2> first{};
  b.execute(with_tag(b.make(read, 1, 2, 0), first));
  CHECK(first == std::array{words[0], words[1]});
  // The tag of this page has two words. A read that requests 64 words must return ~0 for the others.
  std::array<std::uint64_t, 2> two{3, 4};
  b.execute(with_tag(b.make_program(1, 2, 1, true), two));
  b.execute(with_tag(b.make(read, 1, 2, 1), found));
  CHECK(found[1] == 4);
  CHECK(found[2] == ~std::uint64_t{0});
  check_obeyed(b);
}

TEST_CASE("copyback moves the tag, or writes another one") {
  OnfiBench b(Way::pins, {.timing = {Interface::nv_ddr, 5}, .spare = parity_and_tag});
  std::array<std::uint64_t, 2> words{11, 12}, others{13, 14}, found{};
  const Sent& write = b.execute(with_tag(b.make_program(0, 1, 0, true), words));
  b.execute(with_tag(b.make(copyback_read, 0, 1, 0), found));
  CHECK(found == words);
  b.execute(b.make(copyback_program, 0, 2, 0));
  found = {};
  b.execute(with_tag(b.make(read, 0, 2, 0), found));
  CHECK(found == words);
  b.execute(b.make(copyback_read, 0, 1, 0));
  b.execute(with_tag(b.make(copyback_program, 0, 2, 1), others));
  const Sent& moved = b.execute(with_tag(b.make(read, 0, 2, 1), found));
  CHECK(found == others);
  CHECK(std::equal(moved.data.begin(), moved.data.begin() + 512 + 12, write.data.begin()));
  check_obeyed(b);
}

TEST_CASE("the error for too few spare bytes names their key") {
  CHECK_THROWS_WITH(OnfiBench(Way::pins, {.spare = {.parity_bytes = 16, .tag_words = 2}}),
                    ContainsSubstring("nand.geometry.spare_bytes") && ContainsSubstring("is 32") &&
                        ContainsSubstring("16 bytes of parity") && ContainsSubstring("make it 36 or more"));
}

TEST_CASE("errors are not counted at pins, and the span of the counts is returned empty") {
  OnfiBench b(Way::pins, settings(Interface::nv_ddr));
  std::array<std::uint16_t, 1> errors{};
  Sent& sent = b.make(read, 0, 1, 0);
  sent.command.codeword_errors = errors;
  CHECK(b.execute(sent).command.codeword_errors.empty());
}

TEST_CASE("a command that wires do not carry is refused with the reason") {
  OnfiBench b(Way::pins, settings(Interface::nv_ddr));
  std::array<std::uint64_t, 1> tag{};
  Sent& sent = b.make(read, 0, 1, 0);
  NandCommand& c = sent.command;
  const auto refused = [&](const char* why) {
    b.send(sent);
    CHECK_THROWS_WITH(b.run(), ContainsSubstring("player: ") && ContainsSubstring(why));
  };
  SECTION("a tag") {
    c.tag = tag;
    refused("SpareUse::tag_words");
  }
  SECTION("a retry step") {
    c.retry_step = 2;
    refused("retry step");
  }
  SECTION("soft senses") {
    c.sensing_levels = 3;
    refused("sensing_levels");
  }
  SECTION("subpages") {
    c.single_operation = true;
    refused("single-operation");
  }
  SECTION("a voltage adjustment") {
    c.operation = adjust_voltage;
    refused("adjust_voltage");
  }
  SECTION("suspend") {
    c.operation = suspend;
    refused("suspend");
  }
  SECTION("SLC mode") {
    c.operation = program;
    c.mode = ProgramMode::slc;
    refused("SLC mode");
  }
  SECTION("an ISPP step") {
    c.operation = program;
    c.program_step_mv = 300;
    refused("program_step_mv");
  }
  SECTION("odd bytes over NV-DDR") {
    c.first_byte = 1;
    refused("must be even");
  }
  SECTION("the player's own feature") {
    c.operation = set_feature;
    c.feature = timing_mode_feature;
    refused("PlayerSettings::timing");
  }
}

TEST_CASE("a target that never becomes ready is reported by the watchdog") {
  PlayerSettings impatient = settings(GENERATE(Interface::sdr, Interface::nv_ddr));
  impatient.watchdog = 2 * millisecond;
  impatient.poll_status = GENERATE(false, true);
  OnfiBench b(Way::pins, impatient);
  b.send(b.make(erase, 0, 3));  // takes 3003 us
  CHECK_THROWS_WITH(b.run(), ContainsSubstring("player: the ONFI target makes no progress for 2000") &&
                                 ContainsSubstring("at erase die 0 plane 0 block 3") &&
                                 ContainsSubstring(impatient.poll_status ? "its status" : "R/B_n stays low") &&
                                 ContainsSubstring("PlayerSettings::watchdog"));
}

}  // namespace
}  // namespace nandscape
