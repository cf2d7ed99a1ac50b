// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/host_block.h"

#include <cstdint>

#include "host/memory/host_memory.h"
#include "host/memory/host_memory_module.h"
#include "host/pcie/endpoint/pci_port_module.h"

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

// Passes the requests of a function to a host that comes and goes.
class HostRelay final : public host::PciHost {
 public:
  void attach(host::PciHost* host) { host_ = host; }
  const host::PciHost* attached() const { return host_; }

  bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) override {
    return host_ != nullptr && host_->dma_read(address, into, now);
  }
  bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) override {
    return host_ != nullptr && host_->dma_write(address, from, now);
  }
  void message(std::uint64_t address, std::uint32_t data, Tick now) override {
    if (host_ != nullptr) host_->message(address, data, now);
  }
  void set_intx(bool asserted, Tick now) override {
    if (host_ != nullptr) host_->set_intx(asserted, now);
  }

 private:
  host::PciHost* host_ = nullptr;
};

class PciPortHost final : public HostBlock, private PciPort {
 public:
  using Parameters = NoParameters;
  PciPortHost(const Parameters&, const HostContext& c) : port_("pci", c.calendar, relay_) {}

  Tick lookahead() const override { return never; }
  tlm::tlm_initiator_socket<32>& registers() override { return port_.registers; }
  tlm::tlm_target_socket<32>& memory() override { return port_.dma; }
  PciPort* pci_port() override { return this; }

 private:
  host::PciFunction& function() override { return port_; }
  void attach(host::PciHost* host) override { relay_.attach(host); }
  const host::PciHost* attached() const override { return relay_.attached(); }
  tlm::tlm_initiator_socket<32>& configuration() override { return port_.configuration; }

  HostRelay relay_;
  host::PciPortModule port_;
};

}  // namespace

HostBlocks& host_blocks() {
  static HostBlocks blocks("hosts", [](HostBlocks& r) {
    r.add<BuiltInHost>("built_in", "an NVMe driver with its workloads, and memory");
    r.add<PciPortHost>("pci_port", "a PCI port for a host in another program: a Linux guest (nandscape guest)");
  });
  return blocks;
}

}  // namespace nandscape
