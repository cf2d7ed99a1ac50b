// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/identify.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "host/nvme/async_events.h"
#include "host/pcie/endpoint/configuration_space.h"

namespace nandscape::host {
namespace {

constexpr std::array<std::uint8_t, 8> eui64 = {0x02, 0x00, 0x00, 0x6e, 0x61, 0x6e, 0x64, 0x01};  // locally administered

// ASCII fields are padded with spaces.
template <std::size_t N>
void put_text(std::array<char, N>& field, std::string_view text) {
  field.fill(' ');
  std::copy_n(text.begin(), std::min(N, text.size()), field.begin());
}

}  // namespace

nvme::IdentifyController identify_controller(const ControllerParts& parts) {
  const NvmeParameters& p = parts.parameters;
  nvme::IdentifyController id;
  id.vid = id.ssvid = pci::vendor;
  put_text(id.serial_number, "NANDSCAPE0001");
  put_text(id.model_number, "nandscape virtual SSD");
  put_text(id.firmware_revision, firmware_revision);
  id.rab = static_cast<std::uint8_t>(p.arbitration_burst);
  // MDTS is an exponent of two, in units of the smallest memory page, 4 KiB.
  id.mdts = static_cast<std::uint8_t>(std::bit_width(parts.max_transfer_bytes() / 4096) - 1);
  id.cntlid = 1;
  id.ver = nvme::version_1_4;
  id.cntrltype = 1;  // I/O controller
  id.acl = 3;        // four Abort commands at a time, counted from 0
  id.aerl = AsyncEvents::limit - 1;
  id.frmw = 1u << 1 | 1u;  // one firmware slot, read only
  id.lpa = 1u << 2;        // extended data of Get Log Page: offsets, 32-bit NUMD
  id.elpe = Health::error_entries - 1;
  id.wctemp = 273 + 85;
  id.cctemp = 273 + 95;
  const std::uint64_t bytes = parts.namespace_sectors * sector_bytes;
  id.tnvmcap = {bytes, 0};
  id.sqes = 0x66;  // 2^6 bytes required, 2^6 at most
  id.cqes = 0x44;
  id.nn = 1;
  id.oncs = 1u << 2 | 1u << 3;  // Dataset Management, Write Zeroes
  id.vwc = parts.features.has_write_cache() ? 1 : 0;
  std::strcpy(id.subnqn.data(), "nqn.2014-08.org.nvmexpress:uuid:6e616e64-7363-4170-a500-000000000001");
  return id;
}

nvme::IdentifyNamespace identify_namespace(const ControllerParts& parts) {
  nvme::IdentifyNamespace id;
  id.nsze = id.ncap = id.nuse = parts.namespace_sectors;
  id.nsfeat = 1u << 4;       // NPWG .. NOWS are defined
  id.dlfeat = 1u | 1u << 3;  // deallocated blocks read as zeroes; Write Zeroes deallocates
  id.nvmcap = {parts.namespace_sectors * sector_bytes, 0};
  // Writes and deallocations of whole logical pages need no extra work. All fields count from 0.
  id.npwg = id.npwa = id.npdg = id.npda = static_cast<std::uint16_t>(parts.sectors_per_page.value() - 1);
  id.eui64 = eui64;
  id.lbaf[0] = std::uint32_t{std::bit_width(sector_bytes) - 1u} << 16;
  return id;
}

std::vector<std::byte> namespace_descriptors() {
  std::vector<std::byte> list(4096);
  list[0] = std::byte{1};  // NIDT: EUI-64
  list[1] = std::byte{sizeof eui64};
  std::memcpy(list.data() + 4, eui64.data(), sizeof eui64);
  return list;
}

}  // namespace nandscape::host
