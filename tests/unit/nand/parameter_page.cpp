// SPDX-License-Identifier: Apache-2.0
#include "nand/parameter_page.h"

#include <cstring>
#include <vector>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

TEST_CASE("the CRC is ONFI's") {
  // The second value was computed by polynomial division over GF(2), independently of the model.
  CHECK(onfi_crc({}) == 0x4f4e);
  CHECK(onfi_crc(std::as_bytes(std::span("123456789", 9))) == 0x2771);
  // The CRC of a message followed by its own CRC (high byte first) is 0.
  std::vector<std::byte> message;
  for (int k = 0; k < 100; ++k) message.push_back(static_cast<std::byte>(7 * k));
  const std::uint16_t crc = onfi_crc(message);
  message.push_back(static_cast<std::byte>(crc >> 8));
  message.push_back(static_cast<std::byte>(crc & 0xff));
  CHECK(onfi_crc(message) == 0);
  message[3] ^= std::byte{0x10};
  CHECK(onfi_crc(message) != 0);
}

TEST_CASE("the parameter page has three copies, with geometry and times") {
  DieHarness h;
  h.geometry.page_bytes = 16384;
  h.geometry.spare_bytes = 1872;
  std::vector<std::byte> data(1024, std::byte{0xee});
  NandCommand& command = h.make(NandOperation::read_parameter_page);
  command.data = data.data();
  command.bytes = 768;
  const Tick end = h.issue(command, 0);
  CHECK(end == 60 * microsecond);
  h.finishes_at(end);
  h.release(command, end);

  ParameterPage copies[3];
  std::memcpy(copies, data.data(), sizeof copies);
  CHECK(std::memcmp(&copies[0], &copies[1], 256) == 0);
  CHECK(std::memcmp(&copies[0], &copies[2], 256) == 0);
  CHECK(data[768] == std::byte{0xee});
  const ParameterPage& page = copies[0];
  CHECK(std::string(page.signature, 4) == "ONFI");
  CHECK(page.copies == 3);
  CHECK(std::uint32_t{page.page_bytes} == 16384);
  CHECK(std::uint32_t{page.spare_bytes} == 1872);
  CHECK(std::uint32_t{page.pages_per_block} == 9);
  CHECK(std::uint32_t{page.blocks_per_die} == 12);
  CHECK(page.dies == 1);
  CHECK(page.address_cycles == 0x21);
  CHECK(page.bits_per_cell == 3);
  CHECK(page.plane_address_bits == 1);
  CHECK(std::uint32_t{page.t_prog_us} == 700);
  CHECK(std::uint32_t{page.t_bers_us} == 3000);
  CHECK(std::uint32_t{page.t_read_us} == 90);
  CHECK(std::uint32_t{page.t_prog_slc_us} == 190);
  CHECK(std::uint32_t{page.t_adjust_us} == 400);
  CHECK(page.senses[0] == 2);
  CHECK(page.senses[1] == 3);
  CHECK(page.senses[3] == 0);
  CHECK(page.subpages == 4);
  CHECK(onfi_crc(std::span(data).first(254)) == std::uint32_t{page.crc});
  // Checks some raw bytes at their offsets, as a host reads them. Fields are little-endian.
  CHECK(data[80] == std::byte{0x00});
  CHECK(data[81] == std::byte{0x40});
  CHECK(data[102] == std::byte{3});
}

TEST_CASE("values that do not fit are replaced by the largest that do") {
  NandParameters p = die_parameters();
  p.timing.t_bers_us = 70000;
  const NandTiming timing(p);
  CHECK(std::uint32_t{make_parameter_page(Geometry{}, timing).t_bers_us} == 65535);
}

TEST_CASE("reads past the parameter pages are refused") {
  DieHarness h;
  NandCommand& command = h.make(NandOperation::read_parameter_page);
  command.bytes = 769;
  h.refuses(command, 0, "extend past the parameter pages");
  command.bytes = 768;
  command.more_planes = true;
  h.refuses(command, 0, "is for the whole die");
}

}  // namespace
}  // namespace nandscape::nand
