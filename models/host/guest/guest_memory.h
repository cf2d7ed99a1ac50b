// SPDX-License-Identifier: Apache-2.0
// The memory of the guest, as far as the guest shares it. Addresses are guest-physical; to the drive they are bus
// addresses, because there is no IOMMU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/guest/stream_socket.h"

namespace nandscape::host::guest {

class GuestMemory {
 public:
  struct Region {
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t offset;  // in the file that is mapped
  };

  GuestMemory() = default;
  ~GuestMemory() { unmap(); }
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;

  // Maps the regions, one file each, in place of what was mapped. Throws GuestError if a region is not in its file or
  // cannot be mapped.
  void map(std::span<const Region> regions, std::span<const Descriptor> files);
  void unmap();

  // Returns the memory at an address, or an empty span if these bytes are not all within one region.
  std::span<std::byte> find(std::uint64_t address, std::uint64_t bytes) const {
    for (const Mapped& region : mapped_) {
      if (address < region.address || address - region.address > region.bytes) continue;
      const std::uint64_t offset = address - region.address;
      if (bytes <= region.bytes - offset) return {region.data + offset, bytes};
    }
    return {};
  }
  // Copy bytes. Return false, and copy nothing, if they are not all within one region.
  bool read(std::uint64_t address, std::span<std::byte> into) const;
  bool write(std::uint64_t address, std::span<const std::byte> from) const;

 private:
  struct Mapped {
    std::uint64_t address;
    std::uint64_t bytes;
    std::byte* data;
  };

  std::vector<Mapped> mapped_;
};

}  // namespace nandscape::host::guest
