// SPDX-License-Identifier: Apache-2.0
// Tests operation names that the user configures in place of the default names of a trace format.
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

TEST_CASE("given names replace the default ones, ignoring case", "[trace]") {
  const std::string text = "time_us,op,offset,size\n0,RD,0,512\n1,ws,512,512\n2,WA,1024,512\n3,N,0,512\n4,zero,0,512\n";
  const auto requests = requests_of_trace(text, {{"format", "csv"},
                                                 {"operations.read", "rd"},
                                                 {"operations.write", "WS  wa"},
                                                 {"operations.write_zeroes", "Zero"},
                                                 {"operations.ignored", "n"}});
  REQUIRE(requests.size() == 4);
  check_request(requests[0], RequestKind::read, 0, 1, 0);
  check_request(requests[1], RequestKind::write, 1, 1, 1 * microsecond);
  check_request(requests[2], RequestKind::write, 2, 1, 2 * microsecond);
  check_request(requests[3], RequestKind::write_zeroes, 0, 1, 4 * microsecond);
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace("time_us,op,offset,size\n0,r,0,512\n", {{"format", "csv"}, {"operations.read", "rd"}});
             }),
             ContainsSubstring("'r' is not a valid operation (rd, write, w, "));
}

TEST_CASE("a name can be moved from one operation to another, but not used for two", "[trace]") {
  const std::string text = "0,48,512,r,0.5\n0,56,512,w,0.6\n";
  const auto swapped =
      requests_of_trace(text, {{"format", "spc"}, {"operations.read", "w"}, {"operations.write", "r"}});
  CHECK(swapped[0].kind == RequestKind::write);
  CHECK(swapped[1].kind == RequestKind::read);
  const auto moved = requests_of_trace(text, {{"format", "spc"}, {"operations.trim", "w"}});
  CHECK(moved[1].kind == RequestKind::trim);
  CHECK_THAT(message_of<ConfigError>([&] {
               requests_of_trace(text, {{"format", "spc"}, {"operations.read", "x R"}, {"operations.write", "r"}});
             }),
             ContainsSubstring("operations: 'r' is given for two operations"));
}

TEST_CASE("every format with operation names accepts others", "[trace]") {
  const std::map<std::string, std::string> texts{
      {"msr", "128166372003061629,src1,0,RD,8192,4096,1331\n"},
      {"spc", "0,20941264,8192,RD,0.551706\n"},
      {"fio", "fio version 3 iolog\n10 /dev/sdb RD 0 4096\n"},
      {"fiu", "1 2 a 8 8 RD 6 0 531e779fbc5ba1d5f6a2c9b1d8a70e3f\n"},
      {"csv", "op,offset,size\nRD,0,512\n"},
  };
  for (const auto& [format, text] : texts) {
    INFO(format);
    const Keys keys{{"format", format}, {"pacing", "closed"}};
    CHECK_THROWS_AS(requests_of_trace(text, keys), InputError);
    Keys with_words = keys;
    with_words["operations.read"] = "rd";
    CHECK(requests_of_trace(text, with_words).at(0).kind == RequestKind::read);
  }
}
