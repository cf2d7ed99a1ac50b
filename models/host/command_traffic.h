// SPDX-License-Identifier: Apache-2.0
// The fewest bytes that commands put on the link. A throughput computed from them is a limit that no run exceeds.
//
// The bytes include the data, the PRP list, the completion entry, and the command's share of a fetch of `fetch_entries`
// submission entries. Doorbells and interrupts are left out, since one of them may serve many commands.
#pragma once

#include <cstdint>

#include "host/parameters.h"

namespace nandscape::host {

// Bytes on the wire, packet overhead included.
struct CommandTraffic {
  double upstream = 0;
  double downstream = 0;
};

// Traffic of a read or write of `bytes`, split into commands of at most the maximum transfer size.
CommandTraffic read_traffic(const HostParameters& parameters, std::uint32_t bytes);
CommandTraffic write_traffic(const HostParameters& parameters, std::uint32_t bytes);

}  // namespace nandscape::host
