// SPDX-License-Identifier: Apache-2.0
// Computes an upper bound for the latency of a command, on the worst path that the drive's configuration allows. The
// bound assumes that nothing on this path happens in parallel. For each outstanding page of the host, the path contains
//
//   - one read of the page with every retry, and one program of the page
//   - the collection of a block that gains a free page: all its pages are read and programmed elsewhere, and the block
//     is erased. A policy that does not choose victims by their valid pages may collect every other block of the plane
//     before.
//
// If the drive renews blocks in the background, the path also contains one read and one program of every page.
//
// Each failed block adds one failed program or erase, and the move of its data. A dead die counts as the failure of all
// of its blocks. Failed blocks may leave so little room that collection gains nothing. The drive then collects
// `blocks_per_plane` + `pages_per_block` blocks before it becomes read-only, and pages that have no room wait for other
// pages to be placed.
#pragma once

#include <cstdint>

#include "core/ticks.h"
#include "platform/config/parameters.h"

namespace nandscape::soak {

class CommandBound {
 public:
  explicit CommandBound(const PlatformParameters& parameters);

  // Returns the bound for a command on a drive with `failed_blocks` failed blocks. `pages` is the largest number of
  // pages that the command waits for, including its own pages.
  Tick longest(std::uint64_t pages, std::uint64_t failed_blocks) const;

 private:
  Tick page_;        // time to read a page with every retry and to program it
  Tick block_;       // time to read and program all pages of a superblock, and to erase its blocks
  Tick collection_;  // time to gain a free page by collection
  Tick waits_;  // configured waiting times until enough units have arrived for a page, and enough pages for a wordline
  Tick renewal_;  // time to renew all blocks
  Tick in_vain_;  // time to collect blocks of a plane until it is known that collection gains nothing
  std::uint64_t cached_pages_;
};

}  // namespace nandscape::soak
