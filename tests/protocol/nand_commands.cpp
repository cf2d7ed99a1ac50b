// SPDX-License-Identifier: Apache-2.0
// Tests the commands of a die over its channel. The time of each protocol phase is checked to the picosecond, with and
// without protocol checkers in the links.
#include <array>
#include <cstring>
#include <vector>

#include "catch.h"
#include "command_bench.h"
#include "nand/features.h"
#include "nand/parameter_page.h"

namespace nandscape {
namespace {

using namespace small_times;
using enum NandOperation;
using Sent = CommandBench::Sent;

constexpr Tick feature_command = 3 * cycle + 151 * ns + burst + 4 * ns + tail;

void check_aborted(const Sent& sent, Tick at) {
  CHECK(sent.command.status == NandStatus::aborted);
  CHECK(sent.command.response_time == 0);
  CHECK(sent.answered == at);
  CHECK(sent.completed == at);
}

TEST_CASE("a reset ends a read, and the die takes the next command tRST later") {
  CommandBench bench(GENERATE(false, true));
  Sent& victim = bench.make(read, 0, 1, 1);
  Sent& stop = bench.make(reset);
  Sent& next = bench.make(read, 1, 2, 0);
  bench.at(0, victim);
  bench.at(20 * us, stop);
  const Tick ended = 20 * us + control_command;
  bench.at(ended + 5 * us - read_command, next);
  bench.run();
  CHECK(victim.accepted == read_command);
  check_aborted(victim, ended);
  CHECK(stop.completed == ended);
  CHECK(stop.command.response_time == 5 * us);
  CHECK(next.completed == ended + 5 * us + t_read[0] + page_out);
  CHECK(next.command.status == NandStatus::pass);
  CHECK(bench.die[0]->die().counters().page_reads == 1);
}

TEST_CASE("a reset ends independent reads, whether their arrays work or their data wait") {
  FlashDeviceParameters p = small_device();
  p.nand.independent_plane_reads = true;
  CommandBench bench(GENERATE(false, true), p);
  const Tick resets = GENERATE(30 * us, 62 * us);
  Sent& first = bench.make(read, 0, 1, 0);
  Sent& other = bench.make(read, 1, 2, 0);
  Sent& stop = bench.make(reset);
  first.command.independent = other.command.independent = true;
  bench.at(0, {&first, &other});
  bench.at(resets, stop);
  bench.run();
  const Tick plane_out = bench.bus_timing.response(first.command);
  const bool in_data_out = resets > t_read[0];
  const Tick ended = (in_data_out ? read_command + t_read[0] + plane_out : resets) + control_command;
  CHECK(stop.completed == ended);
  check_aborted(other, ended);
  if (in_data_out) {
    CHECK(first.completed == ended - control_command);
    CHECK(first.command.status == NandStatus::pass);
  } else {
    check_aborted(first, ended);
  }
  CHECK(bench.die[0]->die().idle());
}

TEST_CASE("a command too early after a reset is refused") {
  CommandBench bench(true);
  Sent& stop = bench.make(reset);
  bench.at(0, {&stop, &bench.make(read)});
  CHECK_THROWS_WITH(bench.run(), ContainsSubstring("the die cannot take it now\n  before it:\n    reset die 0"));
}

TEST_CASE("a reset drops the cache read that is sensed while a page is transferred") {
  CommandBench bench(GENERATE(false, true));
  Sent& first = bench.make(read, 0, 1, 0);
  Sent& cached = bench.make(read, 0, 1, 1);
  cached.command.cache = true;
  cached.command.retry_step = 3;
  Sent& stop = bench.make(reset);
  Sent& next = bench.make(read, 0, 1, 2);
  bench.at(0, first);
  bench.at(20 * us, cached);
  // The data-out of the first page begins after the cycles of the cache read, including those of its retry step, and
  // tRCBSY.
  const Tick first_out = read_command + t_read[0] + read_command + 2 * cycle + 3 * us + page_out;
  bench.at(first_out, stop);
  bench.at(first_out + 10 * us, next);
  bench.run();
  CHECK(first.completed == first_out);
  check_aborted(cached, first_out + control_command);
  CHECK(next.completed == first_out + 10 * us + read_command + t_read[2] + page_out);
}

TEST_CASE("a reset before the data-out of a read drops the read and the cache read behind it") {
  CommandBench bench(GENERATE(false, true));
  Sent& first = bench.make(read, 0, 1, 0);
  Sent& cached = bench.make(read, 0, 1, 1);
  cached.command.cache = true;
  bench.at(0, first);
  bench.at(20 * us, cached);
  bench.at(30 * us, bench.make(reset));
  // The aborted cache read must not delay the next data-out.
  Sent& next = bench.make(read, 0, 1, 2);
  bench.at(100 * us, next);
  bench.run();
  check_aborted(first, 30 * us + control_command);
  check_aborted(cached, 30 * us + control_command);
  CHECK(next.completed == 100 * us + read_command + t_read[2] + page_out);
}

TEST_CASE("data that wait for the bus when their die is reset are dropped") {
  CommandBench bench(GENERATE(false, true));
  // Die 0 transfers its page. Meanwhile the data of both planes of die 1 wait for the bus, and a cache read waits
  // behind them.
  Sent& other = bench.make(read, 0, 1, 1);
  Sent& plane0 = bench.make(read, 0, 1, 1);
  Sent& plane1 = bench.make(read, 1, 1, 1);
  Sent& cached = bench.make(read, 0, 2, 0);
  Sent& stop = bench.make(reset);
  Sent& next = bench.make(read, 0, 1, 0);
  for (Sent* sent : {&plane0, &plane1, &cached, &stop, &next}) sent->command.die = DieInChannel(1);
  plane0.command.more_planes = true;
  cached.command.cache = true;
  const bool with_cache_read = GENERATE(false, true);
  bench.at(0, {&other, &plane0, &plane1});
  if (with_cache_read) bench.at(20 * us, cached);
  const Tick other_ready = read_command + t_read[1];
  bench.at(other_ready + 8 * us, stop);
  const Tick ended = other_ready + page_out + control_command;
  bench.at(ended + 5 * us, next);
  bench.run();
  CHECK(other.completed == other_ready + page_out);
  check_aborted(plane0, ended);
  check_aborted(plane1, ended);
  if (with_cache_read) check_aborted(cached, ended);
  CHECK(stop.command.response_time == 5 * us);
  CHECK(next.completed == ended + 5 * us + read_command + t_read[0] + page_out);
}

TEST_CASE("a reset ends a suspended program and a running one") {
  CommandBench bench(GENERATE(false, true));
  Sent& victim = bench.make(program, 0, 1, 0);
  Sent& stop = bench.make(reset);
  bench.at(0, victim);
  const bool suspended = GENERATE(false, true);
  if (suspended) bench.at(200 * us, bench.make(suspend));
  bench.at(300 * us, stop);
  bench.run();
  check_aborted(victim, 300 * us + control_command);
  CHECK(stop.command.response_time == 10 * us);
}

TEST_CASE("a feature that shortens senses shortens the reads after it, to the picosecond") {
  FlashDeviceParameters p = small_device();
  p.nand.timing.read = nand::ReadTime::senses;  // phases of a sense: 24 + 5 + 10 us
  CommandBench bench(GENERATE(false, true), p);
  Sent& set = bench.make(set_feature);
  set.command.feature = feature::sense_timing;
  set.command.feature_value = {51, 85, 0, 0};  // shortens tPRE to 4/5 and tEVAL to 2/3
  Sent& fast = bench.make(read, 0, 1, 1);
  Sent& get = bench.make(get_feature);
  get.command.feature = feature::sense_timing;
  Sent& slow = bench.make(read, 0, 1, 1);
  slow.command.die = DieInChannel(1);
  bench.at(0, set);
  bench.at(feature_command + 1 * us, fast);
  bench.at(second, get);
  bench.at(2 * second, slow);
  bench.run();
  CHECK(set.completed == feature_command);
  CHECK(set.command.response_time == 1 * us);
  CHECK(fast.answered == fast.begun + read_command + 97'600'000);
  CHECK(get.accepted == second + 3 * cycle + tail);
  CHECK(get.answered == get.accepted + 1 * us);
  CHECK(get.completed == get.answered + 21 * ns + burst + 4 * ns);
  CHECK(get.command.feature_value == set.command.feature_value);
  // Setting the feature must not change the read time of the other die.
  CHECK(slow.answered == slow.begun + read_command + 117 * us);
}

TEST_CASE("subpages of one operation are transferred one after another") {
  CommandBench bench(GENERATE(false, true));
  Sent* reads[4];
  for (std::uint32_t k = 0; k < 4; ++k) {
    reads[k] = &bench.make(read, 0, 2 + k, k);  // the slowest subpage needs t_read[1]
    NandCommand& command = reads[k]->command;
    command.single_operation = true;
    command.subpages = static_cast<std::uint8_t>(1 << k);
    command.first_byte = k * 2048;
    command.bytes = 2048;
    command.more_planes = k < 3;
  }
  bench.at(0, {reads[0], reads[1], reads[2], reads[3]});
  bench.run();
  const Tick started = 4 * (read_command + cycle) + 3 * busy;
  constexpr Tick subpage_out = 21 * ns + burst + page_data / 4;
  CHECK(reads[3]->accepted == started);
  for (Tick k = 0; k < 4; ++k) {
    CHECK(reads[k]->answered == started + t_read[1] + k * subpage_out);
    CHECK(reads[k]->completed == reads[k]->answered + subpage_out);
  }
}

TEST_CASE("a soft read takes array time for its senses and bus time for its bits") {
  CommandBench bench(GENERATE(false, true));
  Sent& soft = bench.make(read, 0, 1, 1);
  soft.command.sensing_levels = 3;
  Sent& hard = bench.make(read, 0, 1, 1);
  bench.at(0, soft);
  bench.at(second, hard);
  bench.run();
  CHECK(soft.accepted == read_command + 2 * cycle);
  CHECK(soft.answered == soft.accepted + 3 * t_read[1]);
  CHECK(soft.completed == soft.answered + 21 * ns + burst + 2 * page_data);
  CHECK(hard.completed == second + read_command + t_read[1] + page_out);
  CHECK(bench.channel.counters().bytes_out == 3 * 8192);
}

TEST_CASE("a read that continues another transfers only the new bits") {
  CommandBench bench(GENERATE(false, true));
  Sent& more = bench.make(read, 0, 1, 1);
  more.command.sensing_levels = 4;
  more.command.earlier_levels = 3;
  bench.at(0, more);
  bench.run();
  CHECK(more.accepted == read_command + 2 * cycle);
  CHECK(more.answered == more.accepted + t_read[1]);
  CHECK(more.completed == more.answered + page_out);
  CHECK(bench.channel.counters().bytes_out == 8192);
}

TEST_CASE("subpages of one operation that need more levels delay the others") {
  CommandBench bench(GENERATE(false, true));
  Sent* reads[4];
  for (std::uint32_t k = 0; k < 4; ++k) {
    reads[k] = &bench.make(read, 0, 2 + k, 0);
    NandCommand& command = reads[k]->command;
    command.single_operation = true;
    command.subpages = static_cast<std::uint8_t>(1 << k);
    command.first_byte = k * 2048;
    command.bytes = 2048;
    command.more_planes = k < 3;
    command.sensing_levels = k == 2 ? 4 : 1;
  }
  bench.at(0, {reads[0], reads[1], reads[2], reads[3]});
  bench.run();
  const Tick started = 4 * (read_command + cycle) + 2 * cycle + 3 * busy;
  Tick out = started + 4 * t_read[0];
  for (Tick k = 0; k < 4; ++k) {
    CHECK(reads[k]->answered == out);
    out += 21 * ns + burst + (k == 2 ? 3 : 1) * page_data / 4;
    CHECK(reads[k]->completed == out);
  }
}

TEST_CASE("a page moves within its plane without its data on the bus") {
  CommandBench bench(GENERATE(false, true));
  std::vector<std::byte> data(8192, std::byte{0x3c}), out(8192);
  Sent& before = bench.make(program, 0, 1, 0);
  before.command.data = data.data();
  Sent& from = bench.make(copyback_read, 0, 1, 0);
  Sent& to = bench.make(copyback_program, 0, 2, 0);
  Sent& modified = bench.make(copyback_program, 0, 2, 1);
  data.resize(8192);
  modified.command.data = data.data();
  modified.command.bytes = 1024;
  Sent& after = bench.make(read, 0, 2, 0);
  after.command.data = out.data();
  bench.at(0, before);
  bench.at(second, from);
  bench.at(2 * second, to);
  bench.at(3 * second, modified);
  bench.at(4 * second, after);
  bench.run();
  CHECK(from.completed == second + read_command + t_read[0] + status);
  CHECK(to.completed == 2 * second + read_command + t_prog + status);
  CHECK(modified.completed == 3 * second + read_command + 151 * ns + burst + codeword_data + t_prog + status);
  CHECK(out == data);
  CHECK(bench.channel.counters().bytes_in == 8192 + 1024);
  CHECK(bench.channel.counters().bytes_out == 8192);
}

TEST_CASE("a block in SLC mode programs and reads fast") {
  CommandBench bench(GENERATE(false, true));
  Sent& write = bench.make(program, 0, 1, 0);
  write.command.mode = ProgramMode::slc;
  Sent& r = bench.make(read, 0, 1, 0);
  bench.at(0, write);
  bench.at(second, r);
  bench.run();
  CHECK(write.completed == cycle + program_command + 200 * us + status);
  CHECK(r.completed == second + read_command + t_read[0] / 2 + page_out);
}

TEST_CASE("the parameter page is transferred over the bus") {
  CommandBench bench(GENERATE(false, true));
  std::array<std::byte, 768> data{};
  Sent& ask = bench.make(read_parameter_page);
  ask.command.data = data.data();
  ask.command.bytes = 768;
  bench.at(0, ask);
  bench.run();
  CHECK(ask.accepted == 2 * cycle + tail);
  CHECK(ask.completed == ask.accepted + t_read[0] + 21 * ns + burst + 768 * ns);
  nand::ParameterPage page;
  std::memcpy(&page, data.data() + 512, sizeof page);
  CHECK(std::uint32_t{page.page_bytes} == 8192);
  CHECK(std::uint32_t{page.crc} == nand::onfi_crc(std::span(data).first(254)));
}

TEST_CASE("an adjusted wordline reads with fewer senses") {
  CommandBench bench(GENERATE(false, true));
  bench.die[0]->die().precondition(PlaneInDie(0), BlockInPlane(1), 12);
  Sent& adjust = bench.make(adjust_voltage, 0, 1, 0);
  adjust.command.valid_pages = 0b110;
  Sent& r = bench.make(read, 0, 1, 1);
  bench.at(0, adjust);
  bench.at(second, r);
  bench.run();
  CHECK(adjust.accepted == 4 * cycle + row + tail);
  CHECK(adjust.completed == adjust.accepted + t_prog + status);
  const auto senses = bench.nand_timing.codings.merging(0b110).coding.senses(0);
  CHECK(senses == 1);
  // Every page of the coding that the cells were programmed with needs at least two senses. With a single sense, a read
  // needs half of the shortest read time.
  CHECK(r.answered == second + read_command + t_read[0] / 2);
}

TEST_CASE("failures in the cells are reported in the status") {
  nand::FakeCells cells;
  cells.succeed = false;
  CommandBench bench(GENERATE(false, true), small_device(), &cells);
  Sent& write = bench.make(program, 0, 1, 0);
  write.command.program_step_mv = 400;
  Sent& empty = bench.make(erase, 0, 2);
  bench.at(0, write);
  bench.at(second, empty);
  bench.run();
  CHECK(write.command.status == NandStatus::fail);
  CHECK(write.completed == 3 * cycle + program_command + t_prog / 2 + status);
  CHECK(empty.command.status == NandStatus::fail);
}

TEST_CASE("an initiator must complete aborted commands in the call that reports them") {
  CommandBench bench(false);
  Sent& victim = bench.make(read);
  bench.at(0, victim);
  bench.at(20 * us, bench.make(reset));
  bench.completes_aborted = false;
  CHECK_THROWS_WITH(bench.run(), ContainsSubstring("was aborted, but its response was not completed within the call"));
}

}  // namespace
}  // namespace nandscape
