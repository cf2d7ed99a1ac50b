// SPDX-License-Identifier: Apache-2.0
// How a preconditioned device holds some of its data otherwise than unit after unit (InitialFill). These take the first
// ranks, so that the first blocks hold nothing else.
#pragma once

#include <cstdint>

namespace nandscape::controller {

class FillPattern {
 public:
  // Of a plane's `slots`, how many lie in the pattern.
  virtual std::uint64_t patterned(std::uint64_t slots) const = 0;
  // The rank of a slot, of so many; and back.
  virtual std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const = 0;
  virtual std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const = 0;
  // In a block that holds nothing else, the place of its k-th unit; and back.
  virtual std::uint32_t place_of(std::uint32_t k) const = 0;
  virtual std::uint32_t at(std::uint32_t place) const = 0;

 protected:
  ~FillPattern() = default;
};

}  // namespace nandscape::controller
