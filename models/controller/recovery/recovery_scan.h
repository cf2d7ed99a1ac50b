// SPDX-License-Identifier: Apache-2.0
// Finds out from the flash alone what it holds, after a loss of power. Each block is read page by page, up to the first
// page that is erased; the tags tell whose data a page holds, and of which version. The newest version of a unit is
// what the unit holds. Planes are gone through side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "controller/mapping/flash_layout.h"
#include "controller/writing/page_tag.h"
#include "core/ids.h"

namespace nandscape {

class RecoveryScan {
 public:
  // What the scan learns.
  class Client {
   public:
    // The place holds a version of the unit that is newer than all that were found before.
    virtual void found(Lpn lpn, Ppn place, bool lost) = 0;
    // The place holds the newest version that was found so far, too: it was being moved.
    virtual void found_copy(Lpn lpn, Ppn place) = 0;
    // So many pages of the flash's block, the first ones, are programmed.
    virtual void block_scanned(BlockId flash_block, std::uint32_t programmed_pages) = 0;
    virtual void journal_page_found(Ppn flash_page) = 0;
    virtual void fullpages_found(BlockId block) = 0;

   protected:
    ~Client() = default;
  };

  // What reading a page has told.
  struct ScannedPage {
    bool erased = false;
    bool factory_bad = false;  // of the block
    std::span<const std::uint64_t> tag;
  };

  RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client);

  // The page of the flash to read next on that plane of the flash, or none once it has been gone through.
  std::optional<Ppn> next(PlaneId flash_plane) const;
  // That page was read.
  void scanned(PlaneId flash_plane, const ScannedPage& page);

  bool complete() const { return planes_left_ == 0; }
  std::uint64_t pages_read() const { return pages_read_; }
  // Whether there is a plane on which nothing could be read, not even that a page is erased: its die is dead.
  bool finds_dead_plane() const { return std::find(readable_.begin(), readable_.end(), false) != readable_.end(); }
  // Of all that was found; 0 when nothing was.
  std::uint64_t newest_version() const { return newest_version_; }
  std::uint64_t version(Lpn lpn) const { return versions_[lpn.value]; }

 private:
  struct Cursor {
    std::uint32_t block = 0;
    std::uint32_t page = 0;
  };

  void take_in(Ppn flash_page, std::span<const std::uint64_t> tag);

  const FlashLayout& layout_;
  Client& client_;
  std::vector<Cursor> cursors_;          // by plane of the flash
  std::vector<bool> readable_;           // likewise
  std::vector<std::uint64_t> versions_;  // by unit: one more than the newest one found, 0 without any
  std::uint32_t planes_left_;
  std::uint64_t pages_read_ = 0;
  std::uint64_t newest_version_ = 0;
};

}  // namespace nandscape
