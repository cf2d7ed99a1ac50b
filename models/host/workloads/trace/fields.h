// SPDX-License-Identifier: Apache-2.0
// Reads fixed-width integers from a binary record.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace nandscape::host {

// Returns the integer at `offset`. The record must be long enough.
template <std::unsigned_integral T>
T number_at(std::string_view record, std::size_t offset, std::endian order = std::endian::little) {
  T value = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k) {
    const std::size_t place = order == std::endian::little ? k : sizeof(T) - 1 - k;
    value = static_cast<T>(
        value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(record[offset + k])) << (8 * place)));
  }
  return value;
}

}  // namespace nandscape::host
