// SPDX-License-Identifier: Apache-2.0
// A host: who accesses the registers of the device, and the memory that the device reads and writes.
#pragma once

#include "core/registry.h"
#include "host/driver/driver_module.h"
#include "host/parameters.h"
#include "platform/blocks/block.h"
#include "protocol/command_times.h"

namespace nandscape {

struct HostContext {
  Calendar& calendar;
  const host::HostParameters& parameters;
  CommandTimes* times = nullptr;  // where the driver is to keep those of its commands; null: nowhere
};

class HostBlock : public Block {
 public:
  virtual tlm::tlm_initiator_socket<32>& registers() = 0;
  virtual tlm::tlm_target_socket<32>& memory() = 0;

  // The built-in driver, which runs the workloads of the configuration and the commands of the simulation's user. A
  // host without it does what its own processes do, and the simulation runs until that is done.
  virtual host::Driver* driver() { return nullptr; }
  virtual bool done() const { return true; }
};

using HostBlocks = Registry<HostBlock, const HostContext&>;
HostBlocks& host_blocks();

}  // namespace nandscape
