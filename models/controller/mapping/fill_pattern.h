// SPDX-License-Identifier: Apache-2.0
// Describes data of a preconditioned device that are not stored unit after unit (InitialFill). Such data take the first
// ranks, so that the first blocks hold nothing else.
#pragma once

#include <cstdint>

namespace nandscape::controller {

class FillPattern {
 public:
  // Number of a plane's `slots` that are stored in the pattern.
  virtual std::uint64_t patterned(std::uint64_t slots) const = 0;
  // The rank of a slot among `slots`, and the slot of a rank.
  virtual std::uint64_t rank_of(std::uint64_t slot, std::uint64_t slots) const = 0;
  virtual std::uint64_t slot_of(std::uint64_t rank, std::uint64_t slots) const = 0;
  // In a block that holds only such data: the place of its k-th unit, and the unit at a place.
  virtual std::uint32_t place_of(std::uint32_t k) const = 0;
  virtual std::uint32_t at(std::uint32_t place) const = 0;

 protected:
  ~FillPattern() = default;
};

}  // namespace nandscape::controller
