// SPDX-License-Identifier: Apache-2.0
// What commands put on the link at the least, for closed forms: a bound that no run is above.
//
// Counted are the data, the PRP list, the completion entry, and the command's share of a fetch of as many submission
// entries as one brings. Doorbells and interrupts, one of which may serve many commands, are left out.
#pragma once

#include <cstdint>

#include "host/parameters.h"

namespace nandscape::host {

// Bytes on the wire, packet overhead included.
struct CommandTraffic {
  double upstream = 0;
  double downstream = 0;
};

// Of a read or a write of so many bytes, in as many commands as its size takes.
CommandTraffic read_traffic(const HostParameters& parameters, std::uint32_t bytes);
CommandTraffic write_traffic(const HostParameters& parameters, std::uint32_t bytes);

}  // namespace nandscape::host
