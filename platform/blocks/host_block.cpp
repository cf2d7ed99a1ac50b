// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/host_block.h"

#include <cstdint>

#include "host/memory/host_memory.h"
#include "host/memory/host_memory_module.h"

namespace nandscape {

namespace {

// The size of host memory, which holds the queues, PRP lists and buffers. Its pages are allocated at the first access.
constexpr std::uint64_t host_memory_bytes = std::uint64_t{16} << 30;

class BuiltInHost final : public HostBlock {
 public:
  using Parameters = NoParameters;
  BuiltInHost(const Parameters&, const HostContext& c)
      : memory_(host_memory_bytes),
        driver_("driver", c.calendar, c.parameters.driver, memory_),
        memory_module_("memory", c.calendar, memory_, driver_.driver()) {
    if (c.times != nullptr) driver_.driver().keep_times(*c.times);
  }

  Tick lookahead() const override { return never; }
  bool persists() const override { return true; }  // it has no persistent state
  tlm::tlm_initiator_socket<32>& registers() override { return driver_.registers; }
  tlm::tlm_target_socket<32>& memory() override { return memory_module_.target; }
  host::Driver* driver() override { return &driver_.driver(); }

 private:
  host::HostMemory memory_;
  host::DriverModule driver_;
  host::HostMemoryModule memory_module_;
};

}  // namespace

HostBlocks& host_blocks() {
  static HostBlocks blocks(
      "hosts", [](HostBlocks& r) { r.add<BuiltInHost>("built_in", "an NVMe driver with its workloads, and memory"); });
  return blocks;
}

}  // namespace nandscape
