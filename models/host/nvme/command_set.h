// SPDX-License-Identifier: Apache-2.0
// A command set: the I/O commands of the namespace, and the Identify data and log pages that belong to them.
//
// The controller fetches the submission entries and gives each I/O command to the set. The set owns the command until
// it calls ControllerParts::finish(), or one_ended() for the last of the command's `pending` parts. In between, the set
// accesses the storage device (device_accesses.h) and moves data between it and host memory (data_transfers.h).
//
// To add a command set, put its files into command_sets/, and declare and register it in command_sets/variants.cpp. A
// program outside the source tree adds its own set to command_sets().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/registry.h"
#include "protocol/nvme.h"

namespace nandscape::host {

struct Command;
struct CommandAccess;
struct ControllerParts;
class DataTransfers;
class DeviceAccesses;

// The objects that the controller gives to its command set.
struct CommandServices {
  ControllerParts& parts;
  DeviceAccesses& accesses;
  DataTransfers& transfers;
};

// How a command counts in the SMART log.
enum class HostTraffic : std::uint8_t { none, read, write };

class CommandSet {
 public:
  virtual ~CommandSet() = default;

  // The Command Set Identifier (CSI) [NVM Express 2.0, I/O Command Sets].
  virtual std::uint8_t identifier() const = 0;
  // Also called for commands that are refused.
  virtual HostTraffic traffic(const nvme::SubmissionEntry& entry) const = 0;

  // Begins a command, and ends it at once if it is not valid.
  virtual void start(Command& command) = 0;
  // Called when the device has completed an access. If it failed, `command.status` says why. The set must move the data
  // of the access or end the access.
  virtual void accessed(CommandAccess& access) = 0;
  // Called when DataTransfers::move() has fetched the data of a write access; the set must submit the access.
  virtual void data_fetched(CommandAccess& access) = 0;
  // Called when DataTransfers::fetch_data() has filled `command.data`. The set must end the one pending part that is
  // left.
  virtual void data_fetched(Command& command) = 0;

  // Fills the fields of Identify Controller that depend on the command set.
  virtual void add_to(nvme::IdentifyController& id) const = 0;
  // Returns the data structure for one of identify_namespace, command_set_namespace and command_set_controller; empty
  // if the set has none.
  virtual std::vector<std::byte> identify(nvme::IdentifyWhat what) const = 0;
  // Returns a log page that is specific to the command set; empty if the set has none with this identifier.
  virtual std::vector<std::byte> log_page(nvme::LogPage) const { return {}; }

  // Saves or restores the state that outlives a power cycle.
  virtual void persist(Archive&) {}
};

using CommandSets = Registry<CommandSet, const CommandServices&>;
CommandSets& command_sets();

}  // namespace nandscape::host
