// SPDX-License-Identifier: Apache-2.0
// Tests each text format of traces: the conversion of records, format detection, and errors.
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

const std::string msr_text =
    "128166372003061629,src1,0,Read,8192,4096,1331\n"
    "128166372003061639,src1,1,Write,512,1024,2000\n"
    "128166372013061629,src1,0,Write,1048576,65536,5000\n";
const std::string spc_text = "0,20941264,8192,W,0.551706\n1,48,512,r,0.554041,extra\n";
const std::string ascii_text = "100 0 303567 7 0\n1100 2 16 8 1\n";
const std::string disksim_text = "7961.833 0 20228336 8 0\n8346.206001 1 6397360 496 3\n";
const std::string fio3_text =
    "fio version 3 iolog\n"
    "0 /dev/sdb add\n"
    "1 /dev/sdb open\n"
    "10 /dev/sdb write 0 4096\n"
    "25 /dev/sdb read 8192 512\n"
    "30 /dev/sdb sync 0 0\n"
    "31 /dev/sdb trim 4096 4096\n"
    "40 /dev/sdb close\n";
const std::string blkparse_text =
    "  8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]\n"
    "  8,0    3        2     0.000001829   697  G   W 223490 + 8 [kjournald]\n"
    "  8,0    3        3     0.000002000   697  P   N [kjournald]\n"
    "  8,0    3        0     0.000003000     0  m   N cfq697S / alloced + 8\n"
    "  8,0    3        4     0.000005000   697  D   W 223490 + 8 [kjournald]\n"
    "  8,0    1        5     0.001000000   698  Q  RA 64 + 16 [cat]\n"
    "  8,0    1        6     0.002000000   698  Q FWS [jbd2]\n"
    "  8,0    1        7     0.003000000   698  Q  DS 128 + 2048 [fstrim]\n"
    "  8,0    1        8     0.004000000   698  Q   N 36 (12 00 00 00 24 00) [smartd]\n"
    "  8,0    1        9     0.005000000   698  Q FWFSM 8 + 8 [jbd2]\n"
    "  8,0    1       10     0.006000000   698  Q WZS 8 + 8 [mkfs]\n"
    "CPU0 (sda):\n"
    " Reads Queued:           1,        8KiB\t Writes Queued:           3,       12KiB\n"
    "Total (sda):\n"
    "Throughput (R/W): 1000KiB/s / 2000KiB/s\n";

}  // namespace

TEST_CASE("msr: filetimes become times since the first request, bytes become sectors", "[trace]") {
  const auto requests = read_both_ways(msr_text, "msr");
  REQUIRE(requests.size() == 3);
  check_request(requests[0], RequestKind::read, 16, 8, 0);
  check_request(requests[1], RequestKind::write, 1, 2, 1 * microsecond);
  check_request(requests[2], RequestKind::write, 2048, 128, 1 * second);
}

TEST_CASE("spc: opcodes in either case, extra columns ignored", "[trace]") {
  const auto requests = read_both_ways(spc_text, "spc");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::write, 20941264, 16, 0);
  check_request(requests[1], RequestKind::read, 48, 1, 2335 * microsecond);
}

TEST_CASE("ascii: the user chooses which number means a read", "[trace]") {
  const auto requests = read_both_ways(ascii_text, "ascii");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::write, 303567, 7, 0);
  check_request(requests[1], RequestKind::read, 16, 8, 1 * microsecond);
  const auto other = requests_of_trace(ascii_text, {{"format", "ascii"}, {"read_code", "0"}});
  CHECK(other[0].kind == RequestKind::read);
  CHECK(other[1].kind == RequestKind::write);
}

TEST_CASE("disksim: bit 0 of the flags means a read", "[trace]") {
  const auto requests = read_both_ways(disksim_text, "disksim");
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::write, 20228336, 8, 0);
  check_request(requests[1], RequestKind::read, 6397360, 496, 384'373'001 * nanosecond);
}

TEST_CASE("fio version 3: times on every line, syncs flush", "[trace]") {
  const auto requests = read_both_ways(fio3_text, "fio");
  REQUIRE(requests.size() == 4);
  check_request(requests[0], RequestKind::write, 0, 8, 0);
  check_request(requests[1], RequestKind::read, 16, 1, 15 * microsecond);
  check_request(requests[2], RequestKind::flush, 0, 0, 20 * microsecond);
  check_request(requests[3], RequestKind::trim, 8, 8, 21 * microsecond);
  const auto slow = requests_of_trace(fio3_text, {{"format", "fio"}, {"time_unit", "ms"}});
  CHECK(slow[1].at == 15 * millisecond);
}

TEST_CASE("fio version 2: only wait lines carry times", "[trace]") {
  const std::string text =
      "fio version 2 iolog\n/dev/sdb add\n/dev/sdb open\n/dev/sdb write 0 4096\n/dev/sdb wait 5 0\n"
      "/dev/sdb read 0 4096\n/dev/sdb wait 7 0\n/dev/sdb read 4096 4096\n/dev/sdb close\n";
  const auto closed = requests_of_trace(text, {{"pacing", "closed"}, {"think_time_us", "3"}});
  REQUIRE(closed.size() == 3);
  for (const HostRequest& request : closed) CHECK(request.at == 3 * microsecond);

  CHECK_THAT(message_of<ConfigError>([&] { requests_of_trace(text); }), ContainsSubstring("set pacing: closed"));

  const auto since_start = requests_of_trace(text, {{"format", "fio"}, {"wait_time", "since_start_ms"}});
  CHECK(since_start[1].at == 5 * millisecond);
  CHECK(since_start[2].at == 7 * millisecond);
  const auto since_last = requests_of_trace(text, {{"format", "fio"}, {"wait_time", "since_last_us"}});
  CHECK(since_last[1].at == 5 * microsecond);
  CHECK(since_last[2].at == 12 * microsecond);
}

TEST_CASE("blkparse: one event per request counts, RWBS gives its kind", "[trace]") {
  const auto requests = read_both_ways(blkparse_text, "blkparse");
  REQUIRE(requests.size() == 6);
  check_request(requests[0], RequestKind::write, 223490, 8, 0);
  check_request(requests[1], RequestKind::read, 64, 16, 1 * millisecond);
  check_request(requests[2], RequestKind::flush, 0, 0, 2 * millisecond);
  check_request(requests[3], RequestKind::trim, 128, 2048, 3 * millisecond);
  check_request(requests[4], RequestKind::write, 8, 8, 5 * millisecond);
  check_request(requests[5], RequestKind::write_zeroes, 8, 8, 6 * millisecond);
  CHECK(requests_of_trace(blkparse_text, {{"format", "blkparse"}, {"issue_action", "D"}}).size() == 1);
}

TEST_CASE("blkparse: with issue_action C, completions count as issues", "[trace]") {
  const std::string text =
      "  8,0    1       11     0.009507758     0  C   W 223490 + 56 [0]\n"
      "  8,0    1       12     0.009607758     0  C   R 8 + 8 [0]\n"
      "  8,0    1       13     0.009707758     0  C  WS 0 [0]\n"
      "  8,0    1       14     0.009807758     0  C FWS [0]\n";
  const auto requests = requests_of_trace(text, {{"format", "blkparse"}, {"issue_action", "C"}});
  REQUIRE(requests.size() == 3);
  check_request(requests[0], RequestKind::write, 223490, 56, 0);
  check_request(requests[1], RequestKind::read, 8, 8, 100 * microsecond);
  check_request(requests[2], RequestKind::flush, 0, 0, 300 * microsecond);
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace(text); }),
             ContainsSubstring("it has no events of kind Q, only of C; name the format and set issue_action"));
}

TEST_CASE("csv: columns by their usual names, in any order", "[trace]") {
  const std::string text =
      "id,operation,time_us,lba,size_bytes,latency_us\n"
      "0,read,10.5,8,4096,80\n1,W,11,16,512,90\n2,flush,12,,,1\n3,trim,13,0,8192,1\n4,write_zeroes,14,0,512,1\n";
  const auto requests = read_both_ways(text, "csv");
  REQUIRE(requests.size() == 5);
  check_request(requests[0], RequestKind::read, 8, 8, 0);
  check_request(requests[1], RequestKind::write, 16, 1, 500 * nanosecond);
  check_request(requests[2], RequestKind::flush, 0, 0, 1500 * nanosecond);
  check_request(requests[3], RequestKind::trim, 0, 16, 2500 * nanosecond);
  check_request(requests[4], RequestKind::write_zeroes, 0, 1, 3500 * nanosecond);
}

TEST_CASE("csv: columns and units named by the user", "[trace]") {
  const std::string text = "when;what;where;how much\n1.5e0;r;2;1\n1.75;w;4;2\n";
  const auto requests = requests_of_trace(text, {{"format", "csv"},
                                                 {"time_column", "when"},
                                                 {"time_unit", "s"},
                                                 {"operation_column", "what"},
                                                 {"offset_column", "where"},
                                                 {"offset_unit", "sectors"},
                                                 {"size_column", "how much"},
                                                 {"size_unit", "sectors"}});
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::read, 2, 1, 0);
  check_request(requests[1], RequestKind::write, 4, 2, 250 * millisecond);
}

TEST_CASE("csv: an unspecified unit and a missing column are errors", "[trace]") {
  const Keys csv{{"format", "csv"}};
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace("timestamp,op,offset,size\n1,r,0,512\n", csv); }),
             ContainsSubstring("'timestamp' does not say the unit") && ContainsSubstring("time_unit"));
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace("time_s,op,size\n1,r,512\n", csv); }),
             ContainsSubstring("no column known as the offset") && ContainsSubstring("offset_column"));
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace("time_s,op,offset,size\n1,r,0\n", csv); }),
             ContainsSubstring(":2: there are 3 columns where the header has 4"));
}

TEST_CASE("a malformed line is named with its number, its text and the expected form", "[trace]") {
  const std::string text = "# a comment\n\n" + msr_text + "128166372003061629,web,0,Read,abc,4096,1331\n";
  const std::string message = message_of<InputError>([&] { requests_of_trace(text, {{"format", "msr"}}); });
  CHECK_THAT(message, ContainsSubstring("trace.txt:6: 'abc' is not a valid offset in bytes; expected "
                                        "\"filetime,host,disk,Read|Write,offset,size,response\", got: "
                                        "\"128166372003061629,web,0,Read,abc,4096,1331\""));
}

TEST_CASE("every format refuses the lines of another", "[trace]") {
  const std::map<std::string, std::string> texts{{"msr", msr_text},
                                                 {"spc", spc_text},
                                                 {"ascii", ascii_text},
                                                 {"disksim", disksim_text},
                                                 {"fio", fio3_text},
                                                 {"blkparse", blkparse_text},
                                                 {"csv", "op,offset,size\nr,0,512\n"},
                                                 {"alibaba", "0,R,4096,4096,1577808000000626\n"},
                                                 {"tencent", "1538323200,8,128,0,1063\n"},
                                                 {"systor17", "1456135200.0131,0.001,W,4,1024,4096\n"},
                                                 {"fiu", "9 3 a 8 8 W 6 0 531e779fbc5ba1d5f6a2c9b1d8a70e3f\n"}};
  for (const auto& [format, own] : texts) {
    for (const auto& [other, text] : texts) {
      // Integer milliseconds are also valid times in DiskSim format, so only detection can distinguish these two
      // formats.
      if (other == format || (format == "disksim" && other == "ascii")) continue;
      INFO(format << " reads " << other);
      CHECK_THROWS_AS(requests_of_trace(text, {{"format", format}}), InputError);
    }
  }
}

TEST_CASE("an error for an unknown format names the formats that were tried", "[trace]") {
  const std::string message = message_of<InputError>([] { requests_of_trace("once upon a time\n"); });
  for (const char* format : {"msr: ", "spc: ", "ascii: ", "disksim: ", "fio: ", "blkparse: ", "csv: ", "alibaba: ",
                             "tencent: ", "systor17: ", "fiu: "}) {
    CHECK_THAT(message, ContainsSubstring(format));
  }
  CHECK_THAT(message, ContainsSubstring("once upon a time"));
}

TEST_CASE("a broken early line does not hide the format of the lines before it", "[trace]") {
  const std::string text = "time_us,operation,offset_bytes,size_bytes\n0,read,0,4096\n1,raed,0,4096\n";
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace(text); }),
             ContainsSubstring("trace.txt:3: 'raed' is not a valid operation"));
}
