// SPDX-License-Identifier: Apache-2.0
// The accesses that both drivers, this example's and nandscape's, send to the drive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "protocol/nvme.h"

struct Access {
  nandscape::nvme::IoOpcode opcode;
  std::uint64_t lba;
  std::uint32_t bytes;
};

inline constexpr std::array<Access, 6> io_sequence{{{nandscape::nvme::IoOpcode::write, 0, 4096},
                                                    {nandscape::nvme::IoOpcode::write, 1024, 8192},
                                                    {nandscape::nvme::IoOpcode::flush, 0, 0},
                                                    {nandscape::nvme::IoOpcode::read, 1024, 8192},
                                                    {nandscape::nvme::IoOpcode::read, 0, 4096},
                                                    {nandscape::nvme::IoOpcode::read, 1028, 512}}};

inline std::string text_of(const Access& access) {
  switch (access.opcode) {
    case nandscape::nvme::IoOpcode::write:
      return "write " + std::to_string(access.bytes) + " bytes at " + std::to_string(access.lba);
    case nandscape::nvme::IoOpcode::read:
      return "read " + std::to_string(access.bytes) + " bytes at " + std::to_string(access.lba);
    default: return "flush";
  }
}

// Returns byte `k` of the data of an access. The value depends only on the byte's address on the drive.
inline std::byte pattern_at(const Access& access, std::uint32_t k) {
  return static_cast<std::byte>((access.lba * 512 + k) * 167 >> 5);
}
inline void fill_pattern(const Access& access, std::byte* data) {
  for (std::uint32_t k = 0; k < access.bytes; ++k) data[k] = pattern_at(access, k);
}
inline bool has_pattern(const Access& access, const std::byte* data) {
  for (std::uint32_t k = 0; k < access.bytes; ++k) {
    if (data[k] != pattern_at(access, k)) return false;
  }
  return true;
}
