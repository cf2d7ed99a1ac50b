// SPDX-License-Identifier: Apache-2.0
// What stands between the link to the host and the drive: an NVMe controller, or another front end.
#pragma once

#include <string>

#include "core/registry.h"
#include "host/nvme/nvme_module.h"
#include "platform/blocks/block.h"
#include "platform/blocks/busy_times.h"
#include "protocol/command_times.h"
#include "protocol/storage.h"

namespace nandscape {

struct FrontEndContext {
  std::string name;  // of its SystemC module
  Calendar& calendar;
  const host::NvmeParameters& parameters;
  const host::PcieLinkParameters& link;  // which its configuration space tells of
  StorageDevice& device;                 // the drive
  bool keeps_data;
  CommandTimes* times = nullptr;  // of the host's driver, where it keeps them
};

class FrontEndBlock : public Block {
 public:
  virtual tlm::tlm_target_socket<32>& registers() = 0;  // accesses of the host, at the addresses of BAR0
  virtual tlm::tlm_initiator_socket<32>& dma() = 0;     // to the memory of the host, messages of interrupts included

  // The supply fails: the host hears of nothing any more.
  virtual void host_lost() {}
  // What lasts without power, and what was counted, in a simulation whose time is `now`; in the place of persist().
  virtual void persist_lasting(Archive&, Tick /*now*/) {}
  // For how long commands waited at each of its limits. The kinds and units are the same ones each time.
  virtual void add_busy_times(BusyTimes&) const {}
};

using FrontEndBlocks = Registry<FrontEndBlock, const FrontEndContext&>;
FrontEndBlocks& front_end_blocks();

}  // namespace nandscape
