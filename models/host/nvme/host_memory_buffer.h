// SPDX-License-Identifier: Apache-2.0
// The feature Host Memory Buffer: takes the memory that the host grants, and gives the drive access to it. The host
// describes the memory by a list of ranges in host memory, which the controller reads before the command completes. A
// reset of the controller ends the feature.
#pragma once

#include <cstdint>
#include <vector>

#include "host/nvme/controller_parts.h"
#include "protocol/host_buffer.h"
#include "protocol/nvme.h"

namespace nandscape::host {

class HostMemoryBuffer final : private HostBuffer {
 public:
  explicit HostMemoryBuffer(ControllerParts& parts) : parts_(parts) {}

  // Sets the part of the drive that uses the buffer. Without this call, the controller does not support the feature.
  void lend_to(HostBufferUser& user) { user_ = &user; }
  bool supported() const { return user_ != nullptr; }
  // HMPRE and HMMIN of Identify Controller, in units of 4 KiB.
  std::uint32_t preferred() const { return user_ == nullptr ? 0 : units(user_->preferred_bytes()); }
  std::uint32_t minimum() const { return user_ == nullptr ? 0 : units(user_->least_bytes()); }

  // Executes Set Features. CDW11 holds MR 1 and EHM 0, CDW12 HSIZE in memory pages, CDW13 and CDW14 the address of the
  // list, and CDW15 the number of its entries. Finishes the command, now or later.
  void set(Command& command);
  // Executes Get Features, and stores the attributes in `command.data`. SEL, bits 10:8 of CDW10, is 0 for the current
  // attributes, 1 or 2 for those without a buffer, and 3 for the capabilities of the feature, which have no data.
  nvme::Status get(Command& command) const;

  // Call when a transfer with one of the purposes of this class has ended.
  void read_ended(DmaTag tag, bool ok);
  // Ends the feature without waiting for the reads under way.
  void reset();

 private:
  static constexpr std::uint32_t most_descriptors = 4096;

  struct Range {
    std::uint64_t address;
    std::uint64_t bytes;
  };
  // A read for the drive, in pieces if it crosses a border of ranges.
  struct Read {
    std::uint32_t tag = 0;
    std::uint32_t pieces = 0;
  };

  static std::uint32_t units(std::uint64_t bytes) { return static_cast<std::uint32_t>((bytes + 4095) / 4096); }

  // HostBuffer
  void read(std::uint64_t offset, std::uint32_t bytes, std::uint32_t tag) override;
  void write(std::uint64_t offset, std::uint32_t bytes) override;

  nvme::Status enable(Command& command);
  void list_read(Command& command, bool ok);
  nvme::Status take_ranges();
  template <class Visit>
  std::uint32_t for_each_piece(std::uint64_t offset, std::uint32_t bytes, Visit visit) const;

  ControllerParts& parts_;
  HostBufferUser* user_ = nullptr;
  bool enabled_ = false;
  bool memory_returned_ = false;  // MR of the latest Set Features
  nvme::HostBufferAttributes attributes_;
  std::vector<nvme::HostBufferDescriptor> list_;
  std::vector<Range> ranges_;
  std::vector<Read> reads_;
  std::vector<std::uint32_t> free_reads_;
  std::uint32_t under_way_ = 0;
  Command* ending_ = nullptr;  // the command that ends the feature and waits for the reads under way
};

}  // namespace nandscape::host
