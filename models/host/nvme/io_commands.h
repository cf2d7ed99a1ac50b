// SPDX-License-Identifier: Apache-2.0
// Executes the NVM command set: Read, Write, Flush, Write Zeroes and Dataset Management. Splits commands into accesses
// to logical pages.
//
// A read submits its accesses in order as soon as it is fetched, while its PRP list is being read. The data of each
// access are sent to host memory when it completes. The completion entry may follow at once, since posted writes keep
// their order. A write fetches the data of its accesses one after the other, and submits each when its data are there.
//
// Only `data_transfers` transfers are handed to the link at a time. Otherwise the entries, PRP lists and completions of
// other commands would wait behind all data read or to be written.
#pragma once

#include "core/ring.h"
#include "core/time_at_limit.h"
#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class IoCommands {
 public:
  explicit IoCommands(ControllerParts& parts) : parts_(parts) {}

  void start(Command& command);

  // Call when the device has completed an access.
  void accessed(CommandAccess& access);
  // Call when all PRP entries of a command are known, or when `command.status` says why they are not.
  void prps_known(Command& command);
  // Call when a read of the ranges of a Dataset Management command has ended.
  void ranges_read(Command& command, bool ok);
  // Call when a read of an access's data from host memory has ended.
  void data_read(CommandAccess& access, bool ok);
  // Call when the link has released data of an access.
  void data_taken(CommandAccess& access);

  // Ends the command's accesses that wait for the PRP list.
  void drop_parked(Command& command);

  // Time that data waited for one of the data_transfers, towards the host and towards the device.
  const TimeAtLimit& returns_at_limit() const { return returns_.at_limit; }
  const TimeAtLimit& fetches_at_limit() const { return fetches_.at_limit; }
  void persist_counters(Archive& archive) { archive(returns_.at_limit, fetches_.at_limit); }

 private:
  nvme::Status check(const Command& command) const;
  nvme::Status check_range(std::uint64_t first, std::uint64_t sectors) const;
  void refuse(Command& command, nvme::Status status);
  void start_transfer(Command& command, AccessKind kind);
  void flush(Command& command);
  void write_zeroes(Command& command);
  void dataset_management(Command& command);

  // The next sectors that a Dataset Management command deallocates: whole pages, or a part of one page. Empty when all
  // are done.
  struct Portion {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  Portion next_portion(Command& command) const;
  void deallocate_portion(std::uint64_t command_index);
  void deallocated(CommandAccess& access);
  bool forced(const Command& command) const;
  void make_durable(CommandAccess& access);
  // A write of zeroes to the sectors [first, end) of a page.
  CommandAccess& make_zeroes(Command& command, std::uint64_t first, std::uint64_t end);

  CommandAccess& make_access(Command& command, AccessKind kind, std::uint64_t lpn);
  // An access to `sectors` of a page, from its sector `first` on.
  CommandAccess& make_transfer(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t first,
                               std::uint32_t sectors);
  void submit(CommandAccess& access);
  // give_times() starts an access's own time sheet as a copy of its command's. take_times() copies it back when the
  // access ends.
  static CommandAccess& give_times(CommandAccess& access);
  static void take_times(const CommandAccess& access);
  void park(CommandAccess& access);
  void fetch_data(CommandAccess& access);
  void return_data(CommandAccess& access);
  void transfer_waiting();
  void start_fetch(CommandAccess& access);
  void start_return(CommandAccess& access);
  void end(CommandAccess& access);

  // Data transfers in one direction.
  struct Transfers {
    std::uint32_t under_way = 0;
    Ring<CommandAccess*> waiting;
    TimeAtLimit at_limit;
  };

  ControllerParts& parts_;
  Transfers fetches_;
  Transfers returns_;
};

}  // namespace nandscape::host
