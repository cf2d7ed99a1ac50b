// SPDX-License-Identifier: Apache-2.0
// The data structures of Identify that every command set shares. The command set supplies the others (command_set.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "host/nvme/command_set.h"
#include "host/nvme/controller_parts.h"
#include "protocol/nvme.h"

namespace nandscape::host {

nvme::IdentifyController identify_controller(const ControllerParts& parts, const CommandSet& set);
// The Namespace Identification Descriptor list of the only namespace: its EUI-64, and the identifier of its command set
// unless that is the NVM command set.
std::vector<std::byte> namespace_descriptors(const CommandSet& set);
// The I/O Command Set data structure: the combinations of command sets that the controller supports.
std::vector<std::byte> command_set_combinations(const CommandSet& set);

inline constexpr std::string_view firmware_revision = "1.0";
inline constexpr std::array<std::uint8_t, 8> namespace_eui64 = {0x02, 0x00, 0x00, 0x6e,
                                                                0x61, 0x6e, 0x64, 0x01};  // locally administered

}  // namespace nandscape::host
