// SPDX-License-Identifier: Apache-2.0
// What reads that go to their die in one operation owe each other until they are decoded.
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

  // At which read of its page one that begins is likely to be decoded.
  virtual std::uint16_t expected_round(Superblock, std::uint32_t /*layer*/) const { return 1; }
  // They are about to go to their die together. All of them are GroupedReads' own.
  virtual void gathered(std::span<FlashOp* const> group) = 0;
  // The read has failed, and is ready to be sent once more.
  virtual void again(GroupedRead& read, Tick now) = 0;
  // There is nothing more to be done for the read, or not here. Called of reads with a `group` only.
  virtual void leave(GroupedRead& read, Tick now) = 0;
  // The page is decoded.
  virtual void succeeded(const PageRead&, std::uint32_t /*layer*/) {}
  virtual void erased(Superblock) {}

  // What it remembers, and the name of that; none if it remembers nothing.
  virtual std::string_view memory() const { return ""; }
  virtual void persist(Archive&) {}
};

}  // namespace nandscape::controller
