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

// Copies a string to an ASCII field and fills the rest of the field with spaces.
template <std::size_t N>
void put_text(std::array<char, N>& field, std::string_view text) {
  field.fill(' ');
  std::copy_n(text.begin(), std::min(N, text.size()), field.begin());
}

}  // namespace

nvme::IdentifyController identify_controller(const ControllerParts& parts, const HostMemoryBuffer& buffer,
                                             const CommandSet& set) {
  const NvmeParameters& p = parts.parameters;
  nvme::IdentifyController id;
  id.vid = id.ssvid = pci::vendor;
  put_text(id.serial_number, "NANDSCAPE0001");
  put_text(id.model_number, "nandscape virtual SSD");
  put_text(id.firmware_revision, firmware_revision);
  id.rab = static_cast<std::uint8_t>(p.arbitration_burst);
  // MDTS is the base-2 logarithm of the maximum transfer size in units of the smallest memory page, 4 KiB.
  id.mdts = static_cast<std::uint8_t>(std::bit_width(parts.max_transfer_bytes() / 4096) - 1);
  id.cntlid = 1;
  id.ver = nvme::version_1_4;
  id.cntrltype = 1;  // I/O controller
  id.acl = 3;        // at most four Abort commands at a time (0's based)
  id.aerl = AsyncEvents::limit - 1;
  id.frmw = 1u << 1 | 1u;  // one firmware slot, read only
  id.lpa = 1u << 2;        // Get Log Page accepts extended data: offsets and a NUMD of 32 bits
  id.elpe = Health::error_entries - 1;
  id.wctemp = 273 + 85;
  id.cctemp = 273 + 95;
  id.hmpre = buffer.preferred();
  id.hmmin = buffer.minimum();
  const std::uint64_t bytes = parts.namespace_sectors * sector_bytes;
  id.tnvmcap = {bytes, 0};
  id.sqes = 0x66;  // log2 of the minimum and maximum entry size: 64 bytes
  id.cqes = 0x44;
  id.nn = 1;
  std::strcpy(id.subnqn.data(), "nqn.2014-08.org.nvmexpress:uuid:6e616e64-7363-4170-a500-000000000001");
  parts.power.add_to(id);
  set.add_to(id);
  return id;
}

std::vector<std::byte> namespace_descriptors(const CommandSet& set) {
  std::vector<std::byte> list(4096);
  list[0] = std::byte{1};  // NIDT: EUI-64
  list[1] = std::byte{sizeof namespace_eui64};
  std::memcpy(list.data() + 4, namespace_eui64.data(), sizeof namespace_eui64);
  if (set.identifier() != nvme::nvm_command_set) {
    std::byte* const next = list.data() + 4 + sizeof namespace_eui64;
    next[0] = std::byte{4};  // NIDT: CSI
    next[1] = std::byte{1};
    next[4] = std::byte{set.identifier()};
  }
  return list;
}

std::vector<std::byte> command_set_combinations(const CommandSet& set) {
  std::vector<std::byte> vectors(4096);
  // Sets the bit of the command set in combination 0, which is the only one.
  vectors[set.identifier() / 8] = static_cast<std::byte>(1u << set.identifier() % 8);
  return vectors;
}

}  // namespace nandscape::host
