// SPDX-License-Identifier: Apache-2.0
#include "host/guest/guest_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

void GuestMemory::map(std::span<const Region> regions, std::span<const Descriptor> files) {
  unmap();
  for (std::size_t k = 0; k < regions.size(); ++k) {
    const Region& region = regions[k];
    const std::string name = "memory region " + std::to_string(k);
    struct stat file {};
    if (::fstat(files[k].get(), &file) != 0) throw GuestError(name + ": " + std::strerror(errno));
    const auto size = static_cast<std::uint64_t>(file.st_size);
    // Accesses beyond the end of the file would end this process with SIGBUS.
    if (region.bytes == 0 || region.offset > size || region.bytes > size - region.offset) {
      throw GuestError(name + " has " + std::to_string(region.bytes) + " bytes at offset " +
                       std::to_string(region.offset) + " of a file of " + std::to_string(size) + " bytes");
    }
    if (region.address + region.bytes < region.address) throw GuestError(name + " ends beyond the last address");
    void* const data = ::mmap(nullptr, region.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, files[k].get(),
                              static_cast<off_t>(region.offset));
    if (data == MAP_FAILED) throw GuestError(name + " cannot be mapped: " + std::strerror(errno));
    mapped_.push_back({region.address, region.bytes, static_cast<std::byte*>(data)});
  }
}

void GuestMemory::unmap() {
  for (const Mapped& region : mapped_) ::munmap(region.data, region.bytes);
  mapped_.clear();
}

bool GuestMemory::read(std::uint64_t address, std::span<std::byte> into) const {
  const std::span<std::byte> memory = find(address, into.size());
  if (memory.size() != into.size()) return false;
  std::ranges::copy(memory, into.begin());
  return true;
}

bool GuestMemory::write(std::uint64_t address, std::span<const std::byte> from) const {
  const std::span<std::byte> memory = find(address, from.size());
  if (memory.size() != from.size()) return false;
  std::ranges::copy(from, memory.begin());
  return true;
}

}  // namespace nandscape::host::guest
