// SPDX-License-Identifier: Apache-2.0
// Coordinates reads that are sent to their die as one operation, until they are decoded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "controller/reading/page_read.h"
#include "core/archive.h"

namespace nandscape::controller {

class GroupedReads {
 public:
  virtual ~GroupedReads() = default;

  // The read of its page at which a new read is likely to be decoded.
  virtual std::uint16_t expected_round(Superblock, std::uint32_t /*layer*/) const { return 1; }
  // The reads are about to be sent together. All must be GroupedRead objects.
  virtual void gathered(std::span<FlashOp* const> group) = 0;
  // The read has failed and is ready to be sent again.
  virtual void again(GroupedRead& read, Tick now) = 0;
  // The read is done, or continues elsewhere. Only called for reads with a `group`.
  virtual void leave(GroupedRead& read, Tick now) = 0;
  // Called when the page is decoded.
  virtual void succeeded(const PageRead&, std::uint32_t /*layer*/) {}
  virtual void erased(Superblock) {}

  // The name of the state that persist() saves; empty if there is none.
  virtual std::string_view memory() const { return ""; }
  virtual void persist(Archive&) {}
};

}  // namespace nandscape::controller
