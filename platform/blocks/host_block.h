// SPDX-License-Identifier: Apache-2.0
// The interface of a host. A host accesses the registers of the device, and has the memory that the device reads and
// writes.
#pragma once

#include "core/registry.h"
#include "host/driver/driver_module.h"
#include "host/parameters.h"
#include "host/pcie/endpoint/pci_function.h"
#include "platform/blocks/block.h"
#include "protocol/command_times.h"

namespace nandscape {

// The end of the link at a host in another program, which brings its own PCI core.
class PciPort {
 public:
  virtual host::PciFunction& function() = 0;
  // Sends the requests of the function to `host` from now on. Without one (null), the function finds no memory, and its
  // interrupts are lost.
  virtual void attach(host::PciHost* host) = 0;
  virtual const host::PciHost* attached() const = 0;
  // Bound to the link; see PciPortModule.
  virtual tlm::tlm_initiator_socket<32>& configuration() = 0;

 protected:
  ~PciPort() = default;
};

struct HostContext {
  Calendar& calendar;
  const host::HostParameters& parameters;
  CommandTimes* times = nullptr;  // the time sheets of the driver's commands; null if times are not recorded
};

class HostBlock : public Block {
 public:
  virtual tlm::tlm_initiator_socket<32>& registers() = 0;
  virtual tlm::tlm_target_socket<32>& memory() = 0;

  // Returns the built-in driver, which runs the configured workloads and the commands of the simulation's caller. A
  // host without a driver returns null: its own processes generate its accesses, and the simulation runs until done()
  // returns true.
  virtual host::Driver* driver() { return nullptr; }
  virtual bool done() const { return true; }

  // Returns the port for a host in another program; null for every other host. The function then starts as at power-on,
  // without an address.
  virtual PciPort* pci_port() { return nullptr; }
};

using HostBlocks = Registry<HostBlock, const HostContext&>;
HostBlocks& host_blocks();

}  // namespace nandscape
