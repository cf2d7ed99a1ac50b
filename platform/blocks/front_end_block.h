// SPDX-License-Identifier: Apache-2.0
// The interface of a front end between the host link and the drive, for example an NVMe controller.
#pragma once

#include <string>

#include "core/registry.h"
#include "host/nvme/nvme_module.h"
#include "platform/blocks/block.h"
#include "platform/blocks/busy_times.h"
#include "protocol/command_times.h"
#include "protocol/host_buffer.h"
#include "protocol/power_limit.h"
#include "protocol/storage.h"

namespace nandscape {

struct FrontEndContext {
  std::string name;  // name of its SystemC module
  Calendar& calendar;
  const host::NvmeParameters& parameters;
  const host::PcieLinkParameters& link;  // link parameters that the front end reports in its configuration space
  StorageDevice& device;                 // the drive
  bool keeps_data;
  // The time sheets that the host's driver opens for its commands. Null if times are not recorded.
  CommandTimes* times = nullptr;
  // The part of the drive that uses a host memory buffer. Null if the drive wants none.
  HostBufferUser* buffer_user = nullptr;
  // The part of the drive that enforces the maximum power of operational power states. Null if it has none.
  PowerLimit* power_limit = nullptr;
  // Whether the function starts enabled, as firmware leaves it, or as at power-on, for a host with its own PCI core.
  host::PciStart start = host::PciStart::enabled;
};

class FrontEndBlock : public Block {
 public:
  virtual tlm::tlm_target_socket<32>& registers() = 0;  // host accesses, at offsets in BAR0
  virtual tlm::tlm_initiator_socket<32>& dma() = 0;     // to host memory, including MSI writes
  // Accesses to configuration space. Null if the front end has none; a host with its own PCI core cannot use it then.
  using ConfigurationSocket =
      tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  virtual ConfigurationSocket* configuration() { return nullptr; }

  // Called when the supply fails. From now on the host does not receive anything.
  virtual void host_lost() {}
  // Saves or restores the non-volatile state and the counters at simulated time `now`. Called instead of persist().
  virtual void persist_lasting(Archive&, Tick /*now*/) {}
  // Adds the time for which commands waited at each limit of the front end. Every call adds the same kinds and units.
  virtual void add_busy_times(BusyTimes&) const {}
  // Saves or restores the state that a checkpoint holds and a power cycle loses.
  virtual void persist_settled(Archive&, Tick /*now*/) {}
  // Returns the time until `now` in which the drive was at rest in non-operational power states, and the energy that it
  // took in this time. Then controller, DRAM, link and dies draw no other static power.
  virtual host::PowerStates::Rest rest(Tick /*now*/) const { return {}; }
  virtual void describe_power_states(StatisticsVisitor&, Tick /*now*/) const {}
};

using FrontEndBlocks = Registry<FrontEndBlock, const FrontEndContext&>;
FrontEndBlocks& front_end_blocks();

}  // namespace nandscape
