// SPDX-License-Identifier: Apache-2.0
// A command set: executes the I/O commands of the namespace, and supplies the Identify data and log pages that belong
// to these commands.
//
// The controller fetches the submission entries and passes each I/O command to the command set. The command set owns
// the command until it calls ControllerParts::finish(), or until it has called ControllerParts::one_ended() for each of
// the command's `pending` accesses and transfers. Until then, the command set accesses the storage device
// (device_accesses.h) and moves data between the device and host memory (data_transfers.h).
//
// To add a command set, put its files into command_sets/, and declare and register it in command_sets/variants.cpp. A
// program outside the source tree registers its command set by calling command_sets().
#pragma once

#include <array>
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

// How the SMART log counts a command: as a read, as a write, or not at all.
enum class HostTraffic : std::uint8_t { none, read, write };

class CommandSet {
 public:
  virtual ~CommandSet() = default;

  // Returns the Command Set Identifier (CSI) [NVM Express 2.0, I/O Command Sets].
  virtual std::uint8_t identifier() const = 0;
  // Returns how the SMART log counts commands with this opcode, also those that are refused.
  HostTraffic traffic(std::uint8_t opcode) const { return traffic_[opcode]; }

  // Begins to execute a command. Finishes the command at once if it is not valid.
  virtual void start(Command& command) = 0;
  // Called when the device has completed an access. `command.status` contains an error if the access failed. The
  // command set must either move the data of the access or end the access.
  virtual void accessed(CommandAccess& access) = 0;
  // Called when DataTransfers::move() has fetched the data of a write access from host memory. The command set must
  // then submit the access to the device.
  virtual void data_fetched(CommandAccess& access) = 0;
  // Called when DataTransfers::fetch_data() has filled `command.data` from host memory. At this time the command has
  // one pending part, which the command set must end by ControllerParts::one_ended().
  virtual void data_fetched(Command& command) = 0;

  // Sets the fields of Identify Controller that depend on the command set.
  virtual void add_to(nvme::IdentifyController& id) const = 0;
  // Returns the Identify data structure `what`, which is identify_namespace, command_set_namespace or
  // command_set_controller. Returns an empty vector if the command set does not have this structure.
  virtual std::vector<std::byte> identify(nvme::IdentifyWhat what) const = 0;
  // Returns a log page that is specific to the command set, or an empty vector if the command set has no such page.
  virtual std::vector<std::byte> log_page(nvme::LogPage) const { return {}; }

  // Saves or restores the state that survives a power cycle.
  virtual void persist(Archive&) {}

 protected:
  // Call in the constructor for each opcode that reads or writes.
  void count_as(std::uint8_t opcode, HostTraffic traffic) { traffic_[opcode] = traffic; }

 private:
  std::array<HostTraffic, 256> traffic_{};
};

using CommandSets = Registry<CommandSet, const CommandServices&>;
CommandSets& command_sets();

}  // namespace nandscape::host
