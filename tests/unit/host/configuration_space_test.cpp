// SPDX-License-Identifier: Apache-2.0
// Tests configuration space as a PCI driver sees it.
#include "host/pcie/endpoint/configuration_space.h"

#include <map>
#include <vector>

#include "catch.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

struct Function {
  explicit Function(std::uint32_t vectors = 17, const PcieLinkParameters& link = {}) : space(link, vectors) {}

  std::uint32_t read(std::uint32_t offset, std::uint32_t bytes) const {
    std::uint32_t value = 0;
    space.read(offset, std::as_writable_bytes(std::span(&value, 1)).first(bytes), line_waits);
    return value;
  }
  bool write(std::uint32_t offset, std::uint32_t value, std::uint32_t bytes) {
    return space.write(offset, std::as_bytes(std::span(&value, 1)).first(bytes));
  }
  // Follows the capability list, and returns the offset of each capability by its identifier.
  std::map<std::uint32_t, std::uint32_t> capabilities() const {
    std::map<std::uint32_t, std::uint32_t> found;
    for (std::uint32_t at = read(pci::capabilities, 1); at != 0; at = read(at + 1, 1)) {
      REQUIRE(at % 4 == 0);
      REQUIRE(found.emplace(read(at, 1), at).second);
    }
    return found;
  }

  ConfigurationSpace space;
  bool line_waits = false;
};

}  // namespace

TEST_CASE("the header identifies an NVMe controller, in accesses of any width") {
  Function f;
  CHECK(f.read(0x00, 4) == 0x10f0'1af4);
  CHECK(f.read(0x02, 2) == 0x10f0);
  CHECK(f.read(0x03, 1) == 0x10);
  CHECK(f.read(0x09, 1) == 0x02);  // NVM Express
  CHECK(f.read(0x0a, 2) == 0x0108);
  CHECK(f.read(0x0e, 1) == 0);  // type 0, one function
  CHECK(f.read(0x06, 2) == 0x0010);
  CHECK(f.read(0x3d, 1) == 1);
  CHECK(f.read(0x100, 4) == 0);  // no extended capabilities
  CHECK(f.read(0xffc, 4) == 0);
  f.line_waits = true;
  CHECK(f.read(0x06, 2) == 0x0018);
  CHECK(f.read(0x04, 4) == 0x0018'0000);
}

TEST_CASE("writes change only writable bits, and no neighbouring bytes") {
  Function f;
  f.write(0x00, 0xffff'ffff, 4);
  CHECK(f.read(0x00, 4) == 0x10f0'1af4);
  f.write(0x04, 0xffff'ffff, 4);
  CHECK(f.read(0x04, 4) == 0x0010'0546);
  f.write(0x05, 0x00, 1);
  CHECK(f.read(0x04, 2) == 0x0046);
  f.write(0x3c, 0xab0b, 2);
  CHECK(f.read(0x3c, 2) == 0x010b);
  f.write(0x2c, 0x1234'5678, 4);
  CHECK(f.read(0x2c, 4) == 0x10f0'1af4);
  f.write(0xffc, 0x1234'5678, 4);
  CHECK(f.read(0xffc, 4) == 0);
}

TEST_CASE("BAR0 is sized by writing ones") {
  Function f;
  f.write(0x10, 0xffff'ffff, 4);
  f.write(0x14, 0xffff'ffff, 4);
  const std::uint64_t ones = f.read(0x10, 4) | std::uint64_t{f.read(0x14, 4)} << 32;
  CHECK((ones & 0xf) == 0x4);  // memory, 64 bits
  CHECK(~(ones & ~std::uint64_t{0xf}) + 1 == 32 * 1024);
  f.write(0x10, 0xfeb1'2345, 4);
  f.write(0x14, 0x12, 4);
  CHECK(f.read(0x10, 4) == 0xfeb1'0004);
  CHECK(f.read(0x14, 4) == 0x12);
  for (const std::uint32_t bar : {0x18u, 0x1cu, 0x20u, 0x24u, 0x30u}) {
    f.write(bar, 0xffff'ffff, 4);
    CHECK(f.read(bar, 4) == 0);
  }
}

TEST_CASE("the PCI Express capability describes the link") {
  const auto [generation, lanes] = GENERATE(std::pair(1u, 1u), std::pair(3u, 4u), std::pair(5u, 16u));
  PcieLinkParameters link;
  link.generation = generation;
  link.lanes = lanes;
  link.max_payload_bytes = 512;
  Function f(17, link);
  const std::uint32_t express = f.capabilities().at(0x10);
  CHECK(f.read(express + 2, 2) == 2);
  CHECK((f.read(express + 0x4, 4) & 7) == 2);
  CHECK((f.read(express + 0x4, 4) >> 28 & 1) == 1);
  CHECK((f.read(express + 0xc, 4) & 0xf) == generation);
  CHECK((f.read(express + 0xc, 4) >> 4 & 0x3f) == lanes);
  CHECK((f.read(express + 0x12, 2) & 0x3ff) == (generation | lanes << 4));
  CHECK(f.read(express + 0x2c, 4) == ((2u << generation) - 2));
  // The size of read requests is limited to 512 bytes until the host changes the limit.
  CHECK((f.read(express + 0x8, 2) >> 12 & 7) == 2);
  f.write(express + 0x9, 0x50, 1);
  CHECK((f.read(express + 0x8, 2) >> 12 & 7) == 5);
}

TEST_CASE("the host's settings can be queried, and are cleared by a reset") {
  Function f(300 / 4);
  const auto capabilities = f.capabilities();
  const std::uint32_t power = capabilities.at(0x01), express = capabilities.at(0x10), msix = capabilities.at(0x11);
  CHECK(f.read(msix + 2, 2) == 74);
  CHECK(f.read(msix + 4, 4) == 0x3000);
  CHECK(f.read(msix + 8, 4) == 0x4000);
  CHECK_FALSE(f.space.memory_enabled());
  CHECK_FALSE(f.space.bus_master());
  CHECK_FALSE(f.space.interrupts().msix);
  CHECK(f.space.interrupts().line_allowed);

  f.write(0x04, 0x0406, 2);
  f.write(msix + 2, 0xc000, 2);
  CHECK(f.read(msix + 2, 2) == (0xc000 | 74));
  CHECK(f.space.memory_enabled());
  CHECK(f.space.bus_master());
  CHECK(f.space.interrupts().msix);
  CHECK(f.space.interrupts().function_masked);
  CHECK(f.space.interrupts().may_send);
  CHECK_FALSE(f.space.interrupts().line_allowed);

  // In the power state D3hot, only configuration space responds. The return to D0 must restore everything else
  // unchanged.
  f.write(power + 4, 3, 2);
  CHECK_FALSE(f.space.memory_enabled());
  CHECK_FALSE(f.space.bus_master());
  f.write(power + 4, 0, 2);
  CHECK(f.space.memory_enabled());

  CHECK_FALSE(f.write(express + 8, 0x2810, 2));
  CHECK(f.write(express + 8, 0xa810, 2));
  CHECK((f.read(express + 8, 2) & 0x8000) == 0);  // reads as 0
  f.space.reset();
  CHECK(f.read(0x04, 2) == 0);
  CHECK(f.read(msix + 2, 2) == 74);
  CHECK_FALSE(f.space.memory_enabled());
}
