// SPDX-License-Identifier: Apache-2.0
// Computes the minimum number of bytes that a command transfers on the PCIe link. The throughput that follows from it
// is an upper limit, which no simulation exceeds.
//
// The bytes include the data, the PRP list, the completion entry, and the submission entry. Submission entries are
// assumed to be fetched `fetch_entries` at a time. Doorbells and interrupts are not included, because a single one may
// serve many commands.
#pragma once

#include <cstdint>

#include "host/parameters.h"

namespace nandscape::host {

// Bytes on the link in each direction, including the overhead of packets.
struct CommandTraffic {
  double upstream = 0;
  double downstream = 0;
};

// Returns the traffic of a read or write of `bytes` bytes, which is split into commands of at most the maximum transfer
// size.
CommandTraffic read_traffic(const HostParameters& parameters, std::uint32_t bytes);
CommandTraffic write_traffic(const HostParameters& parameters, std::uint32_t bytes);
// Returns the traffic if the drive reads or writes `bytes` bytes of host memory that belong to no command.
CommandTraffic host_read_traffic(const HostParameters& parameters, std::uint32_t bytes);
CommandTraffic host_write_traffic(const HostParameters& parameters, std::uint32_t bytes);

}  // namespace nandscape::host
