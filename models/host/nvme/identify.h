// SPDX-License-Identifier: Apache-2.0
// The Identify data structures that are the same for every command set. The command set supplies the others
// (command_set.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "host/nvme/command_set.h"
#include "host/nvme/controller_parts.h"
#include "host/nvme/host_memory_buffer.h"
#include "protocol/nvme.h"

namespace nandscape::host {

nvme::IdentifyController identify_controller(const ControllerParts& parts, const HostMemoryBuffer& buffer,
                                             const CommandSet& set);
// Returns the Namespace Identification Descriptor list of the only namespace. It contains the namespace's EUI-64 and,
// for a command set other than the NVM command set, the Command Set Identifier.
std::vector<std::byte> namespace_descriptors(const CommandSet& set);
// Returns the I/O Command Set data structure, which lists the combinations of command sets that the controller
// supports.
std::vector<std::byte> command_set_combinations(const CommandSet& set);

inline constexpr std::string_view firmware_revision = "1.0";
inline constexpr std::array<std::uint8_t, 8> namespace_eui64 = {0x02, 0x00, 0x00, 0x6e,
                                                                0x61, 0x6e, 0x64, 0x01};  // locally administered

}  // namespace nandscape::host
