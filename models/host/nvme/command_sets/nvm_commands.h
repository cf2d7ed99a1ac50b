// SPDX-License-Identifier: Apache-2.0
// The NVM command set: Read, Write, Flush, Write Zeroes and Dataset Management. Splits each command into accesses to
// logical pages.
//
// A read submits its accesses in order as soon as the command has been fetched, even while its PRP list is still being
// read. The data of each access are sent to host memory when the access completes. A write starts to fetch the data of
// its accesses in order, and submits each access when the data of this access have arrived.
//
// A command set with additional commands for the same logical blocks derives from this class.
#pragma once

#include "host/nvme/command_set.h"
#include "host/nvme/data_transfers.h"
#include "host/nvme/device_accesses.h"

namespace nandscape::host {

class NvmCommands : public CommandSet {
 public:
  using Parameters = NoParameters;
  NvmCommands(const Parameters&, const CommandServices& services);

  std::uint8_t identifier() const override { return nvme::nvm_command_set; }
  void start(Command& command) override;
  void accessed(CommandAccess& access) override;
  void data_fetched(CommandAccess& access) override { accesses_.submit(access); }
  // Called when the ranges of a Dataset Management command have arrived. Checks them and starts to deallocate.
  void data_fetched(Command& command) override;
  void add_to(nvme::IdentifyController& id) const override;
  std::vector<std::byte> identify(nvme::IdentifyWhat what) const override;

 protected:
  ControllerParts& parts_;
  DeviceAccesses& accesses_;
  DataTransfers& transfers_;

 private:
  void start_other(Command& command);
  void refuse(Command& command, nvme::Status why);
  nvme::Status check(const nvme::SubmissionEntry& entry) const;
  nvme::Status check_transfer(const nvme::SubmissionEntry& entry) const;
  nvme::Status check_range(std::uint64_t first, std::uint64_t sectors) const;
  void start_transfer(Command& command, AccessKind kind);
  // Starts the accesses of a command whose data begin `within` sectors after the start of page `page`.
  [[gnu::noinline]] void start_accesses(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t within);
  // Starts one of these accesses. Its data begin `offset` bytes after the start of the command's data.
  void start_access(Command& command, AccessKind kind, std::uint64_t page, std::uint32_t within, std::uint32_t sectors,
                    std::uint32_t offset);
  void flush(Command& command);
  void write_zeroes(Command& command);
  void dataset_management(Command& command);

  // The progress of a Dataset Management command.
  struct Deallocation {
    std::uint32_t range = 0;        // the range that is being deallocated
    std::uint64_t next_sector = 0;  // sectors of `range` before this sector have been deallocated
  };
  // The sectors [first, end) that a Dataset Management command deallocates next: either whole pages, or a part of one
  // page. The portion is empty when all sectors have been deallocated.
  struct Portion {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  Portion next_portion(const Command& command);
  void deallocate_portion(std::uint64_t command_index);
  void changed(CommandAccess& access);
  void deallocated(CommandAccess& access);
  bool forced(const Command& command) const;
  void make_durable(CommandAccess& access);
  // Makes an access to `sectors` sectors of page `lpn`, beginning with sector `first` of the page. If the command must
  // be durable when it completes, a write has Force Unit Access set.
  CommandAccess& make_transfer(Command& command, AccessKind kind, std::uint64_t lpn, std::uint32_t first,
                               std::uint32_t sectors);
  // Makes an access that writes zeroes to the sectors [first, end) of the namespace. These sectors must lie in one
  // page.
  CommandAccess& make_zeroes(Command& command, std::uint64_t first, std::uint64_t end);

  std::vector<Deallocation> deallocations_;  // by command slot
};

}  // namespace nandscape::host
