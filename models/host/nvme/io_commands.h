// SPDX-License-Identifier: Apache-2.0
// The NVM command set: Read, Write, Flush, Write Zeroes and Dataset Management, split into accesses to logical pages.
//
// A read submits its accesses as soon as it is fetched, in order; its PRP list comes in meanwhile. The data of each
// access go to host memory as it completes. The completion entry may follow at once, since posted writes keep their
// order. A write fetches the data of its accesses, one behind the other, and submits each as its data are there.
//
// Only a few transfers of data are handed to the link at a time. All of them at once would leave the entries, PRP lists
// and completions of other commands to wait behind everything that has been read or is to be written.
#pragma once

#include "core/ring.h"
#include "core/time_at_limit.h"
#include "host/nvme/controller_parts.h"

namespace nandscape::host {

class IoCommands {
 public:
  explicit IoCommands(ControllerParts& parts) : parts_(parts) {}

  void start(Command& command);

  // The device has done an access.
  void accessed(CommandAccess& access);
  // All PRP entries of a command are known, or `command.status` says why they are not.
  void prps_known(Command& command);
  // The ranges of a Dataset Management command have come in.
  void ranges_read(Command& command, bool ok);
  // Data of an access have come in from host memory.
  void data_read(CommandAccess& access, bool ok);
  // Data of an access were taken by the link.
  void data_taken(CommandAccess& access);

  // Ends the command's part in accesses that are not in the device.
  void drop_parked(Command& command);

  // Data waited for one of the data_transfers, towards the host and towards the device.
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

  // The next sectors of a Dataset Management command to be deallocated, whole pages or a part of one; none: all are.
  struct Portion {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  Portion next_portion(Command& command) const;
  void deallocate_portion(std::uint64_t command_index);
  void deallocated(CommandAccess& access);
  // Writes zeroes to some sectors of a page.
  bool forced(const Command& command) const;
  void make_durable(CommandAccess& access);
  CommandAccess& make_zeroes(Command& command, std::uint64_t first, std::uint64_t end);

  CommandAccess& make_access(Command& command, AccessKind kind, std::uint64_t lpn);
  // Some sectors of a page, from its sector `first` on.
  CommandAccess& make_transfer(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t first,
                               std::uint32_t sectors);
  void submit(CommandAccess& access);
  // The access has a sheet of its own, which goes on from that of its command; and, once it has ended, the command's
  // goes on from there.
  static CommandAccess& give_times(CommandAccess& access);
  static void take_times(const CommandAccess& access);
  void park(CommandAccess& access);
  void fetch_data(CommandAccess& access);
  void return_data(CommandAccess& access);
  void transfer_waiting();
  void start_fetch(CommandAccess& access);
  void start_return(CommandAccess& access);
  void end(CommandAccess& access);

  // Transfers in one direction.
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
