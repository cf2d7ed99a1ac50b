// SPDX-License-Identifier: Apache-2.0
// The memory that the driver grants a drive as its host memory buffer. Like the driver of Linux, it grants as much as
// the drive prefers up to a limit of its own, in pieces of up to 4 MiB, or nothing if the drive needs more. The memory
// stays with the drive over resets of the controller.
#pragma once

#include <cstdint>

#include "host/memory/host_memory.h"
#include "protocol/nvme.h"

namespace nandscape::host {

class HostBufferGrant {
 public:
  HostBufferGrant(HostMemory& memory, std::uint64_t most_bytes, std::uint32_t memory_page_bytes)
      : memory_(memory), most_bytes_(most_bytes), memory_page_bytes_(memory_page_bytes) {}

  // Decides how much memory the drive gets. `preferred` and `minimum` are HMPRE and HMMIN of Identify Controller, in
  // units of 4 KiB. Returns whether it gets any.
  [[nodiscard]] bool decide(std::uint32_t preferred, std::uint32_t minimum);
  // Returns the Set Features command that gives the memory to the drive. decide() must have returned true.
  nvme::SubmissionEntry command();

 private:
  static constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

  // Reserves the memory and writes its list of descriptors.
  void reserve();

  HostMemory& memory_;
  const std::uint64_t most_bytes_;
  const std::uint32_t memory_page_bytes_;
  std::uint64_t bytes_ = 0;
  std::uint64_t list_ = 0;  // address of the list of descriptors; 0: the memory is not reserved yet
  std::uint32_t descriptors_ = 0;
};

}  // namespace nandscape::host
