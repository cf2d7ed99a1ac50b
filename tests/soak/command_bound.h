// SPDX-License-Identifier: Apache-2.0
// The longest that a command may take, on the worst path that a configuration allows: no two things at the same
// time, and for each page that the host has asked for and has no answer about yet
//
//   its own read with every retry, and its program
//   the collection of a block that gains a page: all of its pages are read and programmed elsewhere, and it is erased;
//   where the victim is not chosen by its valid pages, that of each block of a plane
//
// and once, where blocks are renewed in the background, every page of the drive read and programmed.
#pragma once

#include <cstdint>

#include "core/ticks.h"
#include "platform/config/parameters.h"

namespace nandscape::soak {

class CommandBound {
 public:
  explicit CommandBound(const PlatformParameters& parameters);

  // Of a command that waits for `pages` pages at most, its own among them.
  Tick longest(std::uint64_t pages) const;

 private:
  Tick page_;        // a page is read with every retry, and programmed
  Tick collection_;  // until a page is gained
  Tick waits_;       // for company, by choice
  Tick renewal_;     // of all blocks
  std::uint64_t cached_pages_;
};

}  // namespace nandscape::soak
