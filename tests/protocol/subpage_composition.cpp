// SPDX-License-Identifier: Apache-2.0
// Tests which reads of subpages the scheduler combines in one operation.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "catch.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;
using Asked = SchedulerBench::Asked;
using Operation = std::vector<const Asked*>;

FlashDeviceParameters device(controller::SubpageReads subpage_reads) {
  FlashDeviceParameters p = small_device();
  p.controller.subpages.reads = subpage_reads;
  return p;
}

// Unlocks the die whenever the last read of an operation has ended.
void end_operations(SchedulerBench& h) {
  h.on_done = [&h](Asked& asked) {
    if (h.gathered.empty() || h.gathered.back().back() != &asked) return;
    h.scheduler.unlock_die(ChannelId(0), DieInChannel(0), h.calendar.now());
  };
}

Asked& subpage(SchedulerBench& h, Tick time, std::uint32_t position, std::uint32_t block, std::uint32_t plane = 0,
               std::uint32_t subpages = 1, OpKind kind = OpKind::host_read) {
  Asked& asked = h.at(time, kind, plane, block);
  asked.command.first_byte = position * 2048;
  asked.command.bytes = subpages * 2048;
  return asked;
}

constexpr Tick page = read_command + t_read[0] + page_out;
constexpr Tick operation =
    4 * (cycle + read_command) + 3 * busy + t_read[0] + 4 * (21 * ns + burst + 2 * codeword_data);  // four subpages

// Time at which the tested reads arrive. The die is still busy with an earlier read.
constexpr Tick meanwhile = 10 * us;

TEST_CASE("the oldest read is combined with later ones that share neither bitlines nor block decoders") {
  const controller::SubpageReads subpage_reads =
      GENERATE(controller::SubpageReads::soml, controller::SubpageReads::srs);
  SchedulerBench h(device(subpage_reads));
  if (subpage_reads == controller::SubpageReads::soml) end_operations(h);
  h.at(0, OpKind::tag_read, 0, 19);
  const Asked& a = subpage(h, meanwhile, 1, 3);
  const Asked& same_bitlines = subpage(h, meanwhile, 1, 4);
  const Asked& same_block = subpage(h, meanwhile, 2, 3);
  const Asked& other_plane = subpage(h, meanwhile, 3, 5, 1);
  const Asked& two_subpages = subpage(h, meanwhile, 2, 6, 0, 2);
  const Asked& b = subpage(h, meanwhile, 0, 7);
  const Asked& c = subpage(h, meanwhile, 3, 8);
  const Asked& d = subpage(h, meanwhile, 2, 9);
  const Asked& one_too_many = subpage(h, meanwhile, 0, 10);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &other_plane, &two_subpages, &b},
                                             {&same_bitlines, &same_block, &c, &one_too_many},
                                             {&d}});
  for (const SchedulerBench::Sent& sent : h.sent) {
    if (!sent.command.single_operation) continue;
    CHECK(sent.command.subpages == ((1 << sent.command.bytes / 2048) - 1) << sent.command.first_byte / 2048);
  }
  const controller::SchedulerCounters counters = h.scheduler.counters();
  CHECK(counters.multi_location_operations == 3);
  CHECK(counters.locations == 9);
  CHECK(counters.subpages == 10);
  CHECK(counters.operations == 4);
  CHECK(counters.planes == 5);
  CHECK(counters.multi_plane_operations == 1);
}

TEST_CASE("a part of a subpage uses its bitlines, and a read that reaches into the next uses both") {
  SchedulerBench h(device(controller::SubpageReads::soml));
  end_operations(h);
  h.at(0, OpKind::tag_read, 0, 19);
  Asked& part = subpage(h, meanwhile, 1, 3);
  part.command.first_byte += 1024;
  part.command.bytes = 1024;
  Asked& across = subpage(h, meanwhile, 2, 4);
  across.command.first_byte += 1024;
  Asked& whole = subpage(h, meanwhile, 3, 5);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&part, &across}, {&whole}});
  CHECK(part.command.subpages == 0b0010);
  CHECK(across.command.subpages == 0b1100);
}

TEST_CASE("reads of tags and of other queues are not combined") {
  SchedulerBench h(device(controller::SubpageReads::soml));
  end_operations(h);
  h.at(0, OpKind::tag_read, 0, 19);
  const Asked& a = subpage(h, meanwhile, 0, 3);
  subpage(h, meanwhile, 1, 4, 0, 1, OpKind::tag_read);
  const Asked& moved = subpage(h, meanwhile, 2, 5, 0, 1, OpKind::background_read);
  const Asked& moved_too = subpage(h, meanwhile, 3, 6, 0, 1, OpKind::background_read);
  const Asked& merged = subpage(h, meanwhile, 3, 7, 0, 1, OpKind::host_read);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &merged}, {&moved, &moved_too}});
}

TEST_CASE("without single-operation reads, subpages of two planes are read as pages") {
  SchedulerBench h(device(controller::SubpageReads::none));
  h.at(0, OpKind::host_read, 0, 19);
  subpage(h, meanwhile, 0, 3);
  subpage(h, meanwhile, 1, 4);
  subpage(h, meanwhile, 2, 5, 1);
  h.run();
  CHECK(h.gathered.empty());
  CHECK(h.scheduler.counters().operations == 3);
  CHECK(h.scheduler.counters().multi_plane_operations == 1);
}

TEST_CASE("a program suspended by subpage reads continues after them") {
  SchedulerBench h(device(controller::SubpageReads::soml));
  end_operations(h);
  const Asked& write = h.at(0, OpKind::host_write);
  const Asked& a = subpage(h, 100 * us, 0, 3);
  const Asked& b = subpage(h, 100 * us, 1, 4);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &b}});
  CHECK(h.scheduler.counters().suspends == 1);
  CHECK(write.done > b.done);
}

TEST_CASE("cache reads wait behind subpages, and are not combined") {
  FlashDeviceParameters p = device(controller::SubpageReads::soml);
  p.controller.scheduler.cache_read = true;
  SchedulerBench h(p);
  end_operations(h);
  h.at(0, OpKind::host_read, 0, 19);
  const Asked& a = subpage(h, meanwhile, 0, 3);
  const Asked& b = subpage(h, meanwhile, 1, 4);
  h.at(meanwhile, OpKind::host_read, 0, 18);
  h.at(meanwhile, OpKind::host_read, 0, 17);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &b}});
  CHECK(std::ranges::count_if(h.sent, [](const auto& sent) { return sent.command.cache; }) == 1);
}

TEST_CASE("reads of the oldest read's command precede those of other commands") {
  SchedulerBench h(device(controller::SubpageReads::srs));
  h.at(0, OpKind::tag_read, 0, 19);
  Asked& a = subpage(h, meanwhile, 0, 3);
  const Asked& other = subpage(h, meanwhile, 1, 4);
  Asked& two_more = subpage(h, meanwhile, 1, 5, 0, 2);
  Asked& page_of_other_plane = subpage(h, meanwhile, 0, 3, 1, 4);
  const Asked& fits = subpage(h, meanwhile, 3, 6);
  for (Asked* asked : {&a, &two_more, &page_of_other_plane}) {
    asked->command.request = 5;
    asked->expected_round = asked == &a ? 1 : 4;
  }
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &two_more, &page_of_other_plane, &fits}, {&other}});
  CHECK(h.scheduler.counters().subpages == 9);
}

// Rule 1 of Nie et al. for combining reads with a retry.
TEST_CASE("reads likely to be decoded in the same round as the oldest go first") {
  SchedulerBench h(device(controller::SubpageReads::srs));
  const auto expect = [](Asked& asked, std::uint16_t round) -> const Asked& {
    asked.expected_round = round;
    return asked;
  };
  h.at(0, OpKind::tag_read, 0, 19);
  const Asked& a = expect(subpage(h, meanwhile, 0, 3), 3);
  const Asked& less = expect(subpage(h, meanwhile, 1, 4), 1);
  const Asked& more = expect(subpage(h, meanwhile, 1, 5), 6);
  const Asked& nearest = expect(subpage(h, meanwhile, 1, 6), 4);
  const Asked& as_near = expect(subpage(h, meanwhile, 1, 7), 2);
  const Asked& far = expect(subpage(h, meanwhile, 2, 8), 9);
  const Asked& alike = expect(subpage(h, meanwhile, 3, 9), 3);
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &alike, &nearest, &far}, {&less}, {&more}, {&as_near}});
}

// Rule 2 of Nie et al.
TEST_CASE("repeated reads are combined with waiting ones, in the order of age") {
  SchedulerBench h(device(controller::SubpageReads::srs));
  h.at(0, OpKind::tag_read, 0, 19);
  const Asked& a = subpage(h, meanwhile, 0, 3);
  const Asked& second = subpage(h, meanwhile, 0, 4);
  const Asked& third = subpage(h, meanwhile, 0, 8);
  Asked& failing = subpage(h, meanwhile, 1, 5);
  const Asked& newcomer = subpage(h, 150 * us, 1, 6);
  const Asked& partner = subpage(h, 150 * us, 2, 7);
  h.on_done = [&, again = false](Asked& asked) mutable {
    if (&asked == &failing && !std::exchange(again, true))
      h.scheduler.enqueue(asked, h.calendar.now(), controller::QueuePosition::again);
  };
  h.run();
  CHECK(h.gathered == std::vector<Operation>{{&a, &failing}, {&second}, {&third, &failing, &partner}, {&newcomer}});
}

TEST_CASE("no read waits forever behind retries and the reads combined with them") {
  FlashDeviceParameters p = device(controller::SubpageReads::srs);
  p.controller.scheduler.multi_plane = false;
  SchedulerBench h(p);
  // Submits six reads on plane 0, each of which fails once per attempt, and one read on the other plane.
  int left = 40;
  std::map<const Asked*, int> times_read;
  h.on_done = [&](Asked& read) {
    if (read.command.plane != PlaneInDie(0) || !read.command.single_operation) return;
    if (times_read[&read]++ % 2 == 0)
      return h.scheduler.enqueue(read, h.calendar.now(), controller::QueuePosition::again);
    if (left-- > 0) h.again(read);
  };
  h.at(0, OpKind::tag_read, 0, 19);
  for (std::uint32_t k = 0; k < 6; ++k) subpage(h, meanwhile, k % 4, 3 + k);
  const Asked& other = subpage(h, meanwhile + us, 0, 3, 1);
  h.run();
  CHECK(left < 0);
  // At most two operations begin with each of the six earlier reads. Then the other read must have been served.
  CHECK(other.latency() < page + 13 * operation);
}

}  // namespace
}  // namespace nandscape
