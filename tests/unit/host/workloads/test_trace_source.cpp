// SPDX-License-Identifier: Apache-2.0
// Tests what all trace formats have in common: times, addresses, limits, and errors that concern the whole file.
#include "host/workloads/trace/trace_source.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

const Keys ascii{{"format", "ascii"}};
const std::string text = "0 0 0 8 1\n1000 1 8 8 0\n3000 0 16 8 1\n";

Keys with(Keys keys) {
  keys.insert(ascii.begin(), ascii.end());
  return keys;
}

}  // namespace

TEST_CASE("carriage returns, comments, blank lines and a missing last newline are harmless", "[trace]") {
  CHECK(requests_of_trace("# made by hand\r\n\r\n0 0 0 8 1\r\n  \r\n1000 0 8 8 1", ascii).size() == 2);
}

TEST_CASE("speed, limit and repeat", "[trace]") {
  const auto fast = requests_of_trace(text, with({{"speed", "2"}}));
  CHECK(fast[1].at == 500 * nanosecond);
  CHECK(fast[2].at == 1500 * nanosecond);

  CHECK(requests_of_trace(text, with({{"limit", "2"}})).size() == 2);

  // The second pass starts one mean interarrival time (1500 ns) after the last request of the first pass.
  const auto twice = requests_of_trace(text, with({{"repeat", "2"}}));
  REQUIRE(twice.size() == 6);
  CHECK(twice[3].at == 4500 * nanosecond);
  CHECK(twice[5].at == 7500 * nanosecond);
  CHECK(twice[5].first == twice[2].first);
}

TEST_CASE("a closed loop ignores the recorded times", "[trace]") {
  for (const HostRequest& request : requests_of_trace(text, with({{"pacing", "closed"}}))) CHECK(request.at == 0);
}

TEST_CASE("one device of several", "[trace]") {
  const auto requests = requests_of_trace(text, with({{"device", "1"}}));
  REQUIRE(requests.size() == 1);
  check_request(requests[0], RequestKind::write, 8, 8, 0);
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace(text, with({{"device", "7"}}));
             }),
             ContainsSubstring("none is of device '7'; it has '0' '1'"));
}

TEST_CASE("a time before the latest one is replaced by it, and counted", "[trace]") {
  const TemporaryFile file("trace.txt", "500 0 0 8 1\n400 0 8 8 1\n0 0 8 0 1\n700 0 16 8 1\n");
  TraceParameters parameters;
  assign(parameters, {{"path", file.path()}, {"format", "ascii"}});
  TraceSource source(parameters, {1000, 1, 1, "host.workload", true, 0});
  const auto requests = all_requests(source);
  REQUIRE(requests.size() == 3);
  CHECK(requests[1].at == 0);
  CHECK(requests[2].at == 200 * nanosecond);
  CHECK(source.counters().requests == 3);
  CHECK(source.counters().reordered == 1);
  CHECK(source.counters().empty == 1);
}

TEST_CASE("byte ranges are extended to whole sectors", "[trace]") {
  const auto requests = requests_of_trace("op,offset,size\nr,511,2\nr,512,1\nr,1023,1026\nr,0,1024\n",
                                          {{"format", "csv"}, {"pacing", "closed"}});
  check_request(requests[0], RequestKind::read, 0, 2, 0);
  check_request(requests[1], RequestKind::read, 1, 1, 0);
  check_request(requests[2], RequestKind::read, 1, 4, 0);
  check_request(requests[3], RequestKind::read, 0, 2, 0);
}

TEST_CASE("an address past the capacity is an error with its line", "[trace]") {
  CHECK(requests_of_trace(text, ascii, 24).size() == 3);
  CHECK_THAT(message_of<InputError>([] { requests_of_trace(text, ascii, 23); }),
             ContainsSubstring("trace.txt:3:") && ContainsSubstring("8 sectors at sector 16") &&
                 ContainsSubstring("address_policy: wrap"));
}

TEST_CASE("a wrapped address keeps its alignment and stays inside", "[trace]") {
  const Keys wrap = with({{"address_policy", "wrap"}});
  // The device has 100 sectors. A request for eight sectors at sector 1000 is aligned to 8 sectors, so its address must
  // wrap at 96 to stay aligned.
  check_request(requests_of_trace("0 0 1000 8 1\n", wrap, 100)[0], RequestKind::read, 1000 % 96, 8, 0);
  check_request(requests_of_trace("0 0 191 8 1\n", wrap, 100)[0], RequestKind::read, 91, 8, 0);
  check_request(requests_of_trace("0 0 199 8 1\n", wrap, 100)[0], RequestKind::read, 92, 8, 0);
  for (int first = 0; first < 4096; ++first) {
    const auto request = requests_of_trace("0 0 " + std::to_string(first) + " 24 1\n", wrap, 1000)[0];
    CHECK(request.first.value + request.sectors <= 1000);
    if (first % 8 == 0) CHECK(request.first.value % 8 == 0);
  }
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace("0 0 0 101 1\n", wrap, 100); }),
             ContainsSubstring("the device must be larger"));
}

TEST_CASE("a trace without requests is an error", "[trace]") {
  for (const std::string nothing : {"", "\n\n", "# only a comment\n"}) {
    CHECK_THAT(message_of<InputError>([&] { requests_of_trace(nothing); }), ContainsSubstring("no usable record"));
    CHECK_THAT(message_of<InputError>([&] { requests_of_trace(nothing, ascii); }),
               ContainsSubstring("no usable record"));
  }
  CHECK_THAT(message_of<InputError>([] { requests_of_trace("0 0 0 0 1\n", ascii); }),
             ContainsSubstring("no usable record") && ContainsSubstring("empty"));
  CHECK_THAT(message_of<InputError>([] { requests_of_trace("fio version 3 iolog\n0 f add\n"); }),
             ContainsSubstring("no usable record"));
}

TEST_CASE("a missing file and a missing path are errors", "[trace]") {
  CHECK_THAT(message_of<InputError>([] {
               requests_of({{"kind", "trace"}, {"path", "/no/such/trace.csv"}});
             }),
             ContainsSubstring("/no/such/trace.csv: cannot be opened: No such file"));
  CHECK_THROWS_AS(requests_of({{"kind", "trace"}}), ConfigError);
}

TEST_CASE("an endless line is refused, not collected", "[trace]") {
  CHECK_THAT(message_of<InputError>([] { requests_of_trace(std::string(1 << 20, '7'), ascii); }),
             ContainsSubstring("is this a text file?"));
}
