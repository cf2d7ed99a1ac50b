// SPDX-License-Identifier: Apache-2.0
// The longest time that a command may take on the worst path that its configuration allows. Nothing on that path
// overlaps. For each outstanding page of the host, the path has
//
//   a read of the page with every retry, and its program
//   the collection of a block that gains a page: the drive reads all its pages, programs them elsewhere, and erases it.
//   A policy that does not choose victims by their valid pages may collect each block of a plane first.
//
// If the drive renews blocks in the background, the path also has one read and one program of every page. A failing
// block costs one failed program or erase, and its data move elsewhere. A dead die fails in each of its blocks. Failed
// blocks may leave so little room that collection gains nothing. Before the drive then becomes read-only, it collects
// `blocks_per_plane` + `pages_per_block` blocks, and pages without a place wait for other pages to be placed.
#pragma once

#include <cstdint>

#include "core/ticks.h"
#include "platform/config/parameters.h"

namespace nandscape::soak {

class CommandBound {
 public:
  explicit CommandBound(const PlatformParameters& parameters);

  // The longest time of a command on a drive with `failed_blocks` failed blocks. `pages` is the largest number of pages
  // that the command waits for, including its own.
  Tick longest(std::uint64_t pages, std::uint64_t failed_blocks) const;

 private:
  Tick page_;        // to read a page with every retry and to program it
  Tick block_;       // to read and program all pages of a superblock, and to erase its blocks
  Tick collection_;  // to gain a free page
  Tick waits_;       // configured times to wait until units fill a page and pages fill a wordline
  Tick renewal_;     // to renew all blocks
  Tick in_vain_;     // to collect a plane until collection is known to gain nothing
  std::uint64_t cached_pages_;
};

}  // namespace nandscape::soak
