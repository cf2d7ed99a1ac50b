// SPDX-License-Identifier: Apache-2.0
#include "host/driver/host_buffer_grant.h"

#include <algorithm>
#include <span>
#include <vector>

namespace nandscape::host {

bool HostBufferGrant::decide(std::uint32_t preferred, std::uint32_t minimum) {
  constexpr std::uint64_t unit = 4096;
  bytes_ = std::min(preferred * unit, most_bytes_) / memory_page_bytes_ * memory_page_bytes_;
  return bytes_ != 0 && bytes_ >= minimum * unit;
}

nvme::SubmissionEntry HostBufferGrant::command() {
  const bool returned = list_ != 0;  // the drive had this memory before a reset
  if (!returned) reserve();
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::set_features);
  e.cdw10 = static_cast<std::uint32_t>(nvme::Feature::host_memory_buffer);
  e.cdw11 = nvme::host_buffer_enable | (returned ? nvme::host_buffer_returned : 0);
  e.cdw12 = static_cast<std::uint32_t>(bytes_ / memory_page_bytes_);
  e.cdw13 = static_cast<std::uint32_t>(list_);
  e.cdw14 = static_cast<std::uint32_t>(list_ >> 32);
  e.cdw15 = descriptors_;
  return e;
}

void HostBufferGrant::reserve() {
  std::vector<nvme::HostBufferDescriptor> list;
  for (std::uint64_t done = 0; done < bytes_; done += piece_bytes) {
    const std::uint64_t bytes = std::min(piece_bytes, bytes_ - done);
    list.push_back(
        {memory_.reserve(bytes, memory_page_bytes_), static_cast<std::uint32_t>(bytes / memory_page_bytes_)});
  }
  descriptors_ = static_cast<std::uint32_t>(list.size());
  list_ = memory_.reserve(list.size() * sizeof list[0], memory_page_bytes_);
  memory_.write(list_, std::as_bytes(std::span(list)));
}

}  // namespace nandscape::host
