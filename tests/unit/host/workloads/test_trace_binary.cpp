// SPDX-License-Identifier: Apache-2.0
// Tests binary traces: the conversion of records, format detection, and errors for truncated or damaged files.
#include <random>

#include "host/workloads/trace/trace_format.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

// Appends fixed-width integers to a string.
class Bytes {
 public:
  explicit Bytes(bool big_endian = false) : big_endian_(big_endian) {}

  template <class T>
  Bytes& put(T number) {
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      const std::size_t place = big_endian_ ? sizeof(T) - 1 - k : k;
      text_ += static_cast<char>(number >> (8 * place) & 0xff);
    }
    return *this;
  }
  Bytes& put(const std::string& bytes) {
    text_ += bytes;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  bool big_endian_;
  std::string text_;
};

struct Access {
  RequestKind kind = RequestKind::read;
  std::uint64_t sector = 0;
  std::uint32_t sectors = 0;
  std::uint64_t time_us = 0;
};

std::vector<Access> drawn_accesses(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Access> accesses;
  std::uint64_t time_us = 0;
  for (int k = 0; k < 300; ++k) {
    accesses.push_back({random() % 2 == 0 ? RequestKind::read : RequestKind::write, random() % 1'000'000,
                        1 + static_cast<std::uint32_t>(random() % 2048), time_us});
    time_us += random() % 1000;
  }
  return accesses;
}

void check_same(const std::vector<HostRequest>& read, const std::vector<Access>& written) {
  REQUIRE(read.size() == written.size());
  for (std::size_t k = 0; k < read.size(); ++k) {
    check_request(read[k], written[k].kind, written[k].sector, written[k].sectors, written[k].time_us * microsecond);
  }
}

std::string vscsi(int version, std::uint16_t command, std::uint32_t bytes, std::uint64_t block, std::uint64_t time_us) {
  Bytes record;
  const auto version_field = static_cast<std::uint16_t>(version << 8);
  if (version == 1) {
    record.put(std::uint32_t{0x800000f4}).put(bytes).put(std::uint32_t{1}).put(command).put(version_field);
    record.put(block).put(time_us);
  } else {
    record.put(command).put(version_field).put(std::uint32_t{0x800000f4}).put(bytes).put(std::uint32_t{1});
    record.put(block).put(time_us).put(std::uint64_t{350});
  }
  return record.text();
}

std::string oracle(std::uint32_t time_s, std::uint64_t object, std::uint32_t bytes) {
  return Bytes().put(time_s).put(object).put(bytes).put(~std::uint64_t{0}).text();
}

constexpr std::uint32_t blk_queue = 1 | 1u << 20;
constexpr std::uint32_t blk_issue = 7 | 1u << 22;
constexpr std::uint32_t blk_complete = 8 | 1u << 23;
constexpr std::uint32_t blk_read = 1u << 16;
constexpr std::uint32_t blk_write = 1u << 17;
constexpr std::uint32_t blk_flush = 1u << 18;
constexpr std::uint32_t blk_discard = 1u << 29;

std::string blk(std::uint32_t action, std::uint64_t sector, std::uint32_t bytes, std::uint64_t time_ns,
                bool big_endian = false, const std::string& data = "", std::uint32_t device = 8u << 20) {
  Bytes record(big_endian);
  record.put(std::uint32_t{0x65617407}).put(std::uint32_t{1}).put(time_ns).put(sector).put(bytes).put(action);
  record.put(std::uint32_t{697}).put(device).put(std::uint32_t{3}).put(std::uint16_t{0});
  return record.put(static_cast<std::uint16_t>(data.size())).put(data).text();
}

}  // namespace

TEST_CASE("vscsi: both layouts, in which only reads, writes and flushes are requests", "[trace]") {
  for (const int version : {1, 2}) {
    INFO("version " << version);
    const auto requests = read_both_ways(vscsi(version, 0x28, 4096, 8, 1'000'000) +            // READ (10)
                                             vscsi(version, 0x8a, 512, 42932745, 1'000'007) +  // WRITE (16)
                                             vscsi(version, 0x12, 36, 0, 1'000'008) +          // INQUIRY
                                             vscsi(version, 0x35, 0, 0, 1'000'009),            // SYNCHRONIZE CACHE
                                         "vscsi");
    REQUIRE(requests.size() == 3);
    check_request(requests[0], RequestKind::read, 8, 8, 0);
    check_request(requests[1], RequestKind::write, 42932745, 1, 7 * microsecond);
    check_request(requests[2], RequestKind::flush, 0, 0, 9 * microsecond);
  }
}

TEST_CASE("vscsi: a record with a different version is named with its number and its place", "[trace]") {
  const std::string bytes = vscsi(1, 0x28, 4096, 8, 0) + vscsi(2, 0x28, 4096, 8, 0);
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace(bytes); }),
             ContainsSubstring("trace.txt: record 2, at byte 32: its version is not 1, that of the records before; "
                               "expected \"vscsi record of version 1 or 2\", got: 28 00 00 02 f4 00 00 80"));
}

TEST_CASE("oracle_general: seconds, addresses in sectors or bytes, and reads by default", "[trace]") {
  const std::string bytes = oracle(5633898, 42932745, 512) + oracle(5633899, 8, 1024);
  const auto requests = requests_of_trace(bytes, {{"format", "oracle_general"}});
  REQUIRE(requests.size() == 2);
  check_request(requests[0], RequestKind::read, 42932745, 1, 0);
  check_request(requests[1], RequestKind::read, 8, 2, 1 * second);
  const auto writes = requests_of_trace(
      oracle(0, 8192, 1024), {{"format", "oracle_general"}, {"object_unit", "bytes"}, {"accesses", "write"}});
  check_request(writes[0], RequestKind::write, 16, 2, 0);
}

TEST_CASE("oracle_general: without a signature, it is only read when named", "[trace]") {
  CHECK_THAT(message_of<InputError>([] { requests_of_trace(oracle(0, 0, 512) + oracle(0, 8, 512)); }),
             ContainsSubstring("no known trace format fits; the file is not text") &&
                 ContainsSubstring("oracle_general: its records have no signature") &&
                 ContainsSubstring("vscsi: its version is neither 1 nor 2") &&
                 ContainsSubstring("blktrace: it does not begin with the magic number"));
}

TEST_CASE("a file is binary when any of its first bytes is 0, not only the very first", "[trace]") {
  CHECK_THAT(message_of<InputError>([] { requests_of_trace("once upon a time\n" + std::string(1, '\0') + "\n"); }),
             ContainsSubstring("the file is not text"));
}

TEST_CASE("oracle_general: an address past the capacity is refused with possible remedies", "[trace]") {
  CHECK_THAT(
      message_of<InputError>([] {
        requests_of_trace(oracle(0, 1000, 512), {{"format", "oracle_general"}}, 100);
      }),
      ContainsSubstring("record 1, at byte 0: the request for 1 sectors at sector 1000 ends past the capacity") &&
          ContainsSubstring("use a larger device or set address_policy: wrap"));
  CHECK_THAT(message_of<InputError>([] {
               requests_of_trace(oracle(0, ~std::uint64_t{0}, 512), {{"format", "oracle_general"}});
             }),
             ContainsSubstring("is not a valid sector") && ContainsSubstring("hash"));
}

TEST_CASE("blktrace: one event per request counts, in either byte order", "[trace]") {
  for (const bool big_endian : {false, true}) {
    INFO((big_endian ? "big" : "little") << " endian");
    const auto event = [big_endian](std::uint32_t action, std::uint64_t sector, std::uint32_t bytes,
                                    std::uint64_t time_ns, const std::string& data = "") {
      return blk(action, sector, bytes, time_ns, big_endian, data);
    };
    const std::string bytes = event(1u << 26, 0, 0, 0, "process") +                 // a notice
                              event(blk_queue | blk_write, 223490, 4096, 1000) +    //
                              event(2 | 1u << 20 | blk_write, 223498, 512, 1100) +  // a merge
                              event(blk_issue | blk_write, 223490, 4608, 1500) +    //
                              event(blk_queue | 1u << 8 | blk_read, 64, 512, 2000, "cgroup..") +
                              event(blk_queue | 1u << 25 | blk_read, 0, 36, 2500) +  // a packet command
                              event(blk_queue | blk_write | blk_flush, 0, 0, 3000) +
                              event(blk_queue | blk_write | blk_discard, 128, 1 << 20, 4000) +
                              event(blk_complete | blk_write, 223490, 4608, 5000);
    const auto requests = read_both_ways(bytes, "blktrace");
    REQUIRE(requests.size() == 4);
    check_request(requests[0], RequestKind::write, 223490, 8, 0);
    check_request(requests[1], RequestKind::read, 64, 1, 1 * microsecond);
    check_request(requests[2], RequestKind::flush, 0, 0, 2 * microsecond);
    check_request(requests[3], RequestKind::trim, 128, 2048, 3 * microsecond);
    for (const char* action : {"D", "C"}) {
      const auto others = requests_of_trace(bytes, {{"format", "blktrace"}, {"issue_action", action}});
      REQUIRE(others.size() == 1);
      check_request(others[0], RequestKind::write, 223490, 9, 0);
    }
  }
}

TEST_CASE("blktrace: devices are named as in blkparse", "[trace]") {
  const std::string bytes =
      blk(blk_queue | blk_read, 8, 512, 0) + blk(blk_queue | blk_read, 9, 512, 0, false, "", (259u << 20) + 3);
  CHECK(requests_of_trace(bytes, {{"device", "259,3"}}).size() == 1);
  CHECK_THAT(message_of<InputError>([&] {
               requests_of_trace(bytes, {{"device", "sda"}});
             }),
             ContainsSubstring("it has '8,0' '259,3'"));
}

TEST_CASE("blktrace: another version, another structure and a trace of completions only are reported", "[trace]") {
  std::string bytes = blk(blk_queue | blk_read, 8, 512, 0);
  bytes[0] = 8;
  CHECK_THAT(message_of<InputError>([&] {
               requests_of_trace(bytes, {{"format", "blktrace"}});
             }),
             ContainsSubstring("record 1, at byte 0: its version is 8; expected \"struct blk_io_trace"));
  const std::string damaged = blk(blk_queue | blk_read, 8, 512, 0, false, "12345") + std::string(48, 'x');
  CHECK_THAT(message_of<InputError>([&] { requests_of_trace(damaged); }),
             ContainsSubstring("record 2, at byte 53: it does not begin with the magic number") &&
                 ContainsSubstring("got: 78 78"));
  CHECK_THAT(message_of<InputError>([] { requests_of_trace(blk(blk_complete | blk_read, 8, 512, 0)); }),
             ContainsSubstring("it has no events of kind Q, only of C"));
}

TEST_CASE("a binary trace that ends within a record is reported, wherever it ends", "[trace]") {
  const std::map<std::string, std::string> records{
      {"vscsi", vscsi(2, 0x28, 4096, 8, 0)},
      {"oracle_general", oracle(0, 8, 512)},
      {"blktrace", blk(blk_queue | blk_read, 8, 512, 0, false, "data")},
  };
  for (const auto& [format, record] : records) {
    INFO(format);
    for (std::size_t cut = 1; cut < record.size(); ++cut) {
      const std::string whole = record + record.substr(0, cut);
      CHECK_THAT(message_of<InputError>([&, name = format] {
                   requests_of_trace(whole, {{"format", name}});
                 }),
                 ContainsSubstring("record 2, at byte " + std::to_string(record.size()) + ": the file ends after " +
                                   std::to_string(cut) + " of its "));
    }
  }
  CHECK_THAT(message_of<InputError>([] { requests_of_trace(vscsi(1, 0x28, 512, 8, 0) + "\1\2"); }),
             ContainsSubstring("record 2, at byte 32: the file ends after 2 of its 16 bytes; it is truncated"));
}

TEST_CASE("written binary traces are read back, across the reader's buffers", "[trace]") {
  const std::vector<Access> accesses = drawn_accesses(5);
  for (const int version : {1, 2}) {
    std::string bytes;
    for (const Access& a : accesses) {
      bytes += vscsi(version, a.kind == RequestKind::read ? 0x88 : 0x2a, a.sectors * 512, a.sector, 77 + a.time_us);
    }
    check_same(read_both_ways(bytes, "vscsi"), accesses);
  }
  for (const bool big_endian : {false, true}) {
    std::string bytes;
    for (const Access& a : accesses) {
      const std::uint32_t kind = a.kind == RequestKind::read ? blk_read : blk_write;
      bytes += blk(blk_queue | kind, a.sector, a.sectors * 512, 77'000 + a.time_us * 1000, big_endian,
                   std::string(a.sector % 3000, 'd'));
    }
    CHECK(bytes.size() > (1 << 18));
    check_same(read_both_ways(bytes, "blktrace"), accesses);
  }
  std::string bytes;
  std::vector<Access> reads = accesses;
  for (Access& a : reads) {
    a.kind = RequestKind::read;
    bytes += oracle(static_cast<std::uint32_t>(a.time_us), a.sector, a.sectors * 512);
    a.time_us *= 1'000'000;
  }
  check_same(requests_of_trace(bytes, {{"format", "oracle_general"}}), reads);
}
