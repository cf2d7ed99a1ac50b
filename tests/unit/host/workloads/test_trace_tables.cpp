// SPDX-License-Identifier: Apache-2.0
// Tests tables without a header line: tables whose columns the user names, and published traces with fixed columns.
#include <random>
#include <sstream>

#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

struct Drawn {
  RequestKind kind = RequestKind::read;
  std::uint64_t sector = 0;
  std::uint64_t sectors = 0;
  std::uint64_t time_us = 0;
};

// Returns random reads and writes. Their times start at 0 and do not decrease.
std::vector<Drawn> drawn_requests(std::uint32_t seed, std::uint64_t time_step_us = 1) {
  std::mt19937 random(seed);
  std::vector<Drawn> requests;
  std::uint64_t time_us = 0;
  for (int k = 0; k < 200; ++k) {
    requests.push_back({random() % 2 == 0 ? RequestKind::read : RequestKind::write, random() % 1'000'000,
                        1 + random() % 2048, time_us});
    time_us += random() % 3 * time_step_us;
  }
  return requests;
}

void check_same(const std::vector<HostRequest>& read, const std::vector<Drawn>& written) {
  REQUIRE(read.size() == written.size());
  for (std::size_t k = 0; k < read.size(); ++k) {
    check_request(read[k], written[k].kind, written[k].sector, written[k].sectors, written[k].time_us * microsecond);
  }
}

template <class WriteLine>
std::string text_of(const std::vector<Drawn>& requests, WriteLine write_line) {
  std::ostringstream text;
  for (const Drawn& request : requests) write_line(text, request);
  return text.str();
}

std::string padded(std::uint64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

}  // namespace

TEST_CASE("alibaba: device, opcode, offset and length in bytes, microseconds", "[trace]") {
  const std::string text = "0,R,126703644672,4096,1577808000000626\n7,W,512,8192,1577808000001626\n";
  const auto requests = read_both_ways(text, "alibaba");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::read, 247468056, 8, 0);
  check_request(requests[1], RequestKind::write, 1, 16, 1 * millisecond);
  CHECK(requests_of_trace(text, {{"format", "alibaba"}, {"device", "7"}}).size() == 1);
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace("0,R,0,4096,1\n0,X,0,4096,1\n", {{"format", "alibaba"}});
             }),
             ContainsSubstring("trace.txt:2: 'X' is not a valid operation (r, w") &&
                 ContainsSubstring("expected \"device_id,opcode,offset,length,timestamp\""));
}

TEST_CASE("tencent: seconds, sectors, 0 for reads and 1 for writes, the volume", "[trace]") {
  const auto requests = read_both_ways("1538323200,12910952,128,0,1063\n1538323201,6265984,8,1,1107\n", "tencent");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::read, 12910952, 128, 0);
  check_request(requests[1], RequestKind::write, 6265984, 8, 1 * second);
}

TEST_CASE("tencent: five whole numbers are not detected unless they begin with a Unix time", "[trace]") {
  const std::string text = "100,12910952,128,0,1063\n";
  CHECK(requests_of_trace(text, {{"format", "tencent"}}).size() == 1);
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace(text); }),
             ContainsSubstring("tencent: a line does not begin with a Unix time"));
}

TEST_CASE("systor17: with or without its header, requests without a response time are skipped", "[trace]") {
  const std::string lines =
      "1456135200.013118000,0.001074000,W,4,1024,4096\n1456135200.013218000,,,4,0,512\n"
      "1456135200.014118000,0.000241000,R,0,8192,512\n";
  for (const std::string& text : {lines, "Timestamp,Response,IOType,LUN,Offset,Size\n" + lines}) {
    const auto requests = read_both_ways(text, "systor17");
    REQUIRE(requests.size() == 2);
    check_request(requests[0], RequestKind::write, 2, 8, 0);
    check_request(requests[1], RequestKind::read, 16, 1, 1 * millisecond);
  }
}

TEST_CASE("csv: the user names columns of a file without a header, whatever its separator", "[trace]") {
  for (const std::string& text :
       {std::string("5,x,r,8,4096\n7,y,w,16,512\n"), std::string("5;x;r;8;4096\n7;y;w;16;512\n"),
        std::string("5 x  r 8 4096\n 7 y w 16   512 \n")}) {
    const auto requests = requests_of_trace(text, {{"format", "csv"}, {"columns", "time_us host op lba size_bytes"}});
    REQUIRE(requests.size() == 2);
    check_request(requests[0], RequestKind::read, 8, 8, 0);
    check_request(requests[1], RequestKind::write, 16, 1, 2 * microsecond);
  }
}

TEST_CASE("csv: a list of names without a required column, and lines without a field, are errors", "[trace]") {
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace("5,r,4096\n", {{"format", "csv"}, {"columns", "time_us op size"}});
             }),
             ContainsSubstring("trace.txt:1: the list 'columns' has no column known as the offset"));
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace("5,r,0,512\n6,r\n", {{"format", "csv"}, {"columns", "time_us op offset size"}});
             }),
             ContainsSubstring("trace.txt:2: there are 2 columns where the list 'columns' has 4"));
}

TEST_CASE("csv: a header line in place of the list of names is an error", "[trace]") {
  CHECK_THAT(message_of<ConfigError>([] {
               requests_of_trace("5,r,0,512\n", {{"format", "csv"}, {"columns", "time_us,op,offset,size"}});
             }),
             ContainsSubstring("columns: 'time_us,op,offset,size' is more than one name; write a list of names, ["));
}

TEST_CASE("a written table of each preset is read back", "[trace]") {
  const auto letter = [](const Drawn& request) { return request.kind == RequestKind::read ? 'R' : 'W'; };
  const std::vector<Drawn> requests = drawn_requests(1);
  check_same(read_both_ways(text_of(requests,
                                    [&](std::ostream& text, const Drawn& r) {
                                      text << r.sector % 7 << ',' << letter(r) << ',' << r.sector * 512 << ','
                                           << r.sectors * 512 << ',' << 1577808000000626 + r.time_us << '\n';
                                    }),
                            "alibaba"),
             requests);
  check_same(read_both_ways(text_of(requests,
                                    [&](std::ostream& text, const Drawn& r) {
                                      text << "1456135200." << padded(r.time_us * 1000, 9) << ",0.001," << letter(r)
                                           << ",2," << r.sector * 512 << ',' << r.sectors * 512 << '\n';
                                    }),
                            "systor17"),
             requests);
  check_same(read_both_ways(text_of(requests,
                                    [&](std::ostream& text, const Drawn& r) {
                                      text << 89966607371969 + r.time_us * 1000 << " 4253 a b " << r.sector << ' '
                                           << r.sectors << ' ' << letter(r) << " 6 0 "
                                           << "531e779fbc5ba1d5f6a2c9b1d8a70e3f\n";
                                    }),
                            "fiu"),
             requests);
  const std::vector<Drawn> slow = drawn_requests(2, 1'000'000);
  check_same(read_both_ways(text_of(slow,
                                    [&](std::ostream& text, const Drawn& r) {
                                      text << 1538323200 + r.time_us / 1'000'000 << ',' << r.sector << ',' << r.sectors
                                           << ',' << (r.kind == RequestKind::write) << ",1063\n";
                                    }),
                            "tencent"),
             slow);
}

TEST_CASE("fiu: times in ns, sectors, a process name with blanks", "[trace]") {
  const auto requests = read_both_ways(
      "89966607371969 4253 nfsd 508455456 8 W 6 0 531e779fbc5ba1d5f6a2c9b1d8a70e3f\n"
      "89968195792462 20782 gzip -d 283193184 8 R 6 0 56f11b711d91a065a2b6458eca924523\n",
      "fiu");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::write, 508455456, 8, 0);
  check_request(requests[1], RequestKind::read, 283193184, 8, 1'588'420'493 * nanosecond);
  CHECK(requests_of_trace("1 2 a 8 8 W 6 0 531e779fbc5ba1d5f6a2c9b1d8a70e3f\n", {{"device", "6 0"}}).size() == 1);
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace("1 2 a 8 8 W 6 0 nothing\n", {{"format", "fiu"}});
             }),
             ContainsSubstring("trace.txt:1: 'nothing' is not a valid digest of the data"));
}
