// SPDX-License-Identifier: Apache-2.0
#include "host/command_traffic.h"

#include "host/pcie/pcie_link.h"
#include "protocol/nvme.h"

namespace nandscape::host {

namespace {

// The address does not matter as long as it is aligned to a memory page and below 4 GiB, where the headers of requests
// are shortest.
constexpr std::uint64_t buffer = 0x10'0000;

std::uint32_t parts(std::uint32_t bytes, std::uint32_t of_each) { return (bytes + of_each - 1) / of_each; }

CommandTraffic& operator+=(CommandTraffic& sum, const CommandTraffic& other) {
  sum.upstream += other.upstream;
  sum.downstream += other.downstream;
  return sum;
}

// Returns one command's share of the traffic for reading `bytes` bytes of host memory, if the read serves `shared_by`
// commands.
CommandTraffic reads(const PcieLink& link, std::uint32_t bytes, std::uint32_t shared_by = 1) {
  return {static_cast<double>(link.read_request_burst(buffer, bytes).wire_bytes) / shared_by,
          static_cast<double>(link.read_answer_burst(buffer, bytes).wire_bytes) / shared_by};
}

CommandTraffic writes(const PcieLink& link, std::uint32_t bytes) {
  return {static_cast<double>(link.write_burst(buffer, bytes).wire_bytes), 0};
}

// Returns the traffic of the queue entries and of the PRP list of one command.
CommandTraffic of_command(const HostParameters& p, const PcieLink& link, std::uint32_t bytes) {
  constexpr std::uint32_t prp_bytes = 8;
  const std::uint32_t entries = p.nvme.fetch_entries;
  CommandTraffic sum = reads(link, entries * static_cast<std::uint32_t>(sizeof(nvme::SubmissionEntry)), entries);
  sum += writes(link, sizeof(nvme::CompletionEntry));
  // The first two PRP entries are part of the command itself.
  const std::uint32_t pages = parts(bytes, p.driver.memory_page_bytes);
  if (pages > 2) sum += reads(link, (pages - 1) * prp_bytes);
  return sum;
}

template <class Data>
CommandTraffic traffic(const HostParameters& p, std::uint32_t bytes, Data data) {
  const PcieLink link(p.link);
  const std::uint32_t most = p.nvme.max_transfer_kib * 1024;
  CommandTraffic sum;
  for (std::uint32_t left = bytes; left > 0;) {
    const std::uint32_t part = left < most ? left : most;
    sum += of_command(p, link, part);
    sum += data(link, part);
    left -= part;
  }
  return sum;
}

}  // namespace

CommandTraffic read_traffic(const HostParameters& p, std::uint32_t bytes) { return traffic(p, bytes, &writes); }

CommandTraffic write_traffic(const HostParameters& p, std::uint32_t bytes) {
  return traffic(p, bytes, [](const PcieLink& link, std::uint32_t part) { return reads(link, part); });
}

CommandTraffic host_read_traffic(const HostParameters& p, std::uint32_t bytes) {
  return reads(PcieLink(p.link), bytes);
}

CommandTraffic host_write_traffic(const HostParameters& p, std::uint32_t bytes) {
  return writes(PcieLink(p.link), bytes);
}

}  // namespace nandscape::host
