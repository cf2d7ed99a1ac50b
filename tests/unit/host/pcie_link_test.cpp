// SPDX-License-Identifier: Apache-2.0
// Compares the times of the link with closed forms, to the picosecond.
#include "host/pcie/pcie_link.h"

#include <array>

#include "catch.h"
#include "core/error.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t high_address = std::uint64_t{1} << 32;
constexpr Tick propagation = 150 * nanosecond;
// ps per byte for generation 3 with four lanes: 8 GT/s x 4 x 128/130 / 8 = 3.938 GB/s
constexpr double byte_ps = 253.90625;

Tick wire(double bytes) { return static_cast<Tick>(bytes * byte_ps + 0.5); }

}  // namespace

TEST_CASE("a posted write takes its bytes, their packet overhead and the propagation") {
  PcieLink link{PcieLinkParameters{}};
  // The write is sent in 16 packets of 256 bytes. Each packet has 8 bytes of framing and a header of 16 bytes.
  CHECK(link.write_upstream(1000, high_address, 4096) == 1000 + wire(4096 + 16 * 24) + propagation);
  // Below 4 GiB, the header has 12 bytes. An unaligned write needs one more packet. This write must also wait for the
  // previous one.
  CHECK(link.write_upstream(1000, 0x1080, 512) == 1000 + wire(4480) + wire(512 + 3 * 20) + propagation);
}

TEST_CASE("a read is a request upstream and a completion downstream") {
  PcieLink link{PcieLinkParameters{}};
  PcieLink::Read read;
  link.begin_read(5000, read, high_address, 4096);
  const Tick expected = link.oldest_read_expected();
  // The read is sent as 8 requests of 512 bytes. When the first request arrives, the answer begins: 16 packets with 20
  // bytes of overhead each.
  CHECK(expected == 5000 + wire(24) + propagation + wire(4096 + 16 * 20) + propagation);
  CHECK(link.oldest_read_end(expected) == expected);
  CHECK(link.counters().upstream_bytes == 8 * 24);
  CHECK(link.counters().downstream_bytes == 4096 + 16 * 20);
}

TEST_CASE("a completion waits for packets sent downstream before its request arrived, and for no later ones") {
  PcieLink link{PcieLinkParameters{}};
  PcieLink::Read read;
  link.begin_read(0, read, high_address, 64);
  const Tick expected = link.oldest_read_expected();
  const Tick arrival = wire(24) + propagation;
  link.write_downstream(arrival - 1, 4);  // 28 bytes, which are still being sent when the request arrives
  link.write_downstream(arrival + 1, 4);  // behind the completion
  const Tick end = arrival - 1 + wire(28) + wire(64 + 20) + propagation;
  CHECK(expected < end);
  CHECK(link.oldest_read_end(expected) == end);
}

TEST_CASE("the completion of a later read follows the earlier one") {
  PcieLink link{PcieLinkParameters{}};
  std::array<PcieLink::Read, 2> reads;
  link.begin_read(0, reads[0], high_address, 4096);
  link.begin_read(0, reads[1], high_address, 64);
  const Tick first = link.oldest_read_expected();
  const Tick second = first + wire(64 + 20);
  CHECK(link.oldest_read_end(first) == first);
  link.end_oldest_read();
  CHECK(link.oldest_read_end(first) == second);
  link.end_oldest_read();
  CHECK(link.oldest_read_end(second) == never);
}

TEST_CASE("a register read waits for the device's packets but delays none of them") {
  PcieLink link{PcieLinkParameters{}};
  CHECK(link.read_register(0, 4) == wire(24) + propagation + wire(24) + propagation);
  CHECK(link.write_upstream(0, high_address, 4) == wire(28) + propagation);
}

TEST_CASE("a saturated link carries payload at its rate less the overhead") {
  for (const std::uint32_t generation : {1u, 2u, 3u, 4u, 5u}) {
    PcieLinkParameters p;
    p.generation = generation;
    PcieLink link{p};
    constexpr std::uint64_t writes = 10'000;
    Tick end = 0;
    for (std::uint64_t k = 0; k < writes; ++k) end = link.write_upstream(0, high_address, 4096);
    const double gt = generation == 1 ? 2.5 : 5.0 * (1u << (generation - 2)) * (generation >= 3 ? 0.8 : 1.0);
    const double raw = gt * 1e9 * 4 / 8 * (generation <= 2 ? 0.8 : 128.0 / 130.0);
    const double expected = raw * 256 / 280;
    const double measured = writes * 4096.0 / s_from_ticks(end - propagation);
    INFO("generation " << generation);
    CHECK(measured == Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("packet sizes must be powers of two") {
  PcieLinkParameters p;
  p.max_payload_bytes = 300;
  CHECK_THROWS_AS(PcieLink{p}, ConfigError);
}
