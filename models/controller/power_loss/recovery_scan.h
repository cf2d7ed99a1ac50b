// SPDX-License-Identifier: Apache-2.0
// Finds out from the flash what it holds, after a loss of power. Each block is read page by page, up to the first page
// that is erased; the tags tell whose data a page holds, and of which version. The newest version of a unit is what the
// unit holds. Planes are gone through side by side.
//
// Of blocks that a checkpoint of the mapping knows only one page is read, as long as its stamp says that the block has
// not been erased since, and those that were not programmed then. Whatever is found in other pages was written after
// the checkpoint: data that are no newer than it are those that it knows, and have moved.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/addresses/ids.h"
#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

// Versions of units, of which few may be known. 0: none.
class UnitVersions {
 public:
  std::uint64_t at(Lpn lpn) const {
    const auto found = chunks_.find(lpn.value / chunk_units);
    return found == chunks_.end() ? 0 : found->second[lpn.value % chunk_units];
  }
  std::uint64_t& operator[](Lpn lpn) { return chunks_[lpn.value / chunk_units][lpn.value % chunk_units]; }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [number, versions] : chunks_) {
      for (std::uint64_t k = 0; k < chunk_units; ++k) {
        if (versions[k] != 0) visit(Lpn(number * chunk_units + k), versions[k]);
      }
    }
  }

 private:
  static constexpr std::uint64_t chunk_units = 64;
  std::unordered_map<std::uint64_t, std::array<std::uint64_t, chunk_units>> chunks_;
};

class RecoveryScan {
 public:
  // What a checkpoint says of a block of the flash.
  struct KnownBlock {
    std::uint32_t pages = 0;  // programmed by then, the first ones; 0 when nothing is known
    std::uint32_t stamp = 0;
    bool retired = false;  // it is not to be looked at
  };

  // What the scan learns.
  class Client {
   public:
    virtual KnownBlock known_of(FlashBlock flash_block) const = 0;
    // The block may have been erased since the checkpoint, and holds nothing but what is found from now on.
    virtual void block_changed(FlashBlock flash_block) = 0;
    virtual void stamp_found(FlashBlock flash_block, std::uint32_t stamp) = 0;
    // The place holds a version of the unit that is newer than all that were found before.
    virtual void found(Lpn lpn, Ppa place, bool lost) = 0;
    // The place holds the newest version that was found so far, too: it was being moved.
    virtual void found_copy(Lpn lpn, Ppa place) = 0;
    // What is found next of the unit was moved there since the checkpoint, which knows the place that it came from.
    virtual void found_moved(Lpn lpn) = 0;
    // So many pages of the flash's block, the first ones, are programmed.
    virtual void block_scanned(FlashBlock flash_block, std::uint32_t programmed_pages) = 0;
    virtual void journal_page_found(FlashPage flash_page) = 0;
    virtual void frontier_mark_found(Superblock block) = 0;
    virtual void write_mode_found(Superblock block, std::uint8_t mode) = 0;

   protected:
    ~Client() = default;
  };

  // What reading a page has told.
  struct ScannedPage {
    bool erased = false;
    bool factory_bad = false;  // of the block
    std::span<const std::uint64_t> tag;
  };

  // `known_version`: of the latest write that the checkpoint knows; none without one.
  RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client,
               std::optional<std::uint64_t> known_version = std::nullopt);

  // The page of the flash to read next on that plane of the flash, or none once it has been gone through.
  std::optional<FlashPage> next(FlashPlane flash_plane) const;
  // That page was read.
  void scanned(FlashPlane flash_plane, const ScannedPage& page);

  bool complete() const { return planes_left_ == 0; }
  std::uint64_t pages_read() const { return pages_read_; }
  // Whether there is a plane on which nothing could be read, not even that a page is erased: its die is dead.
  bool finds_dead_plane() const;
  // Of all that was found; 0 when nothing was.
  std::uint64_t newest_version() const { return newest_version_; }
  // One more than that of what the unit holds, or more: what the checkpoint knows is as new as that is.
  std::uint64_t version(Lpn lpn) const { return std::max(versions_.at(lpn), versions_known_); }
  const UnitVersions& versions_found() const { return versions_; }

 private:
  struct Cursor {
    std::uint32_t block = 0;
    std::uint32_t page = 0;
    KnownBlock known;  // of the block, as long as it may be as the checkpoint knows it
    bool stamped = false;
  };

  void take_in(FlashPage flash_page, std::span<const std::uint64_t> tag);
  // Whether the page tells nothing that the checkpoint does not know.
  bool is_known(Cursor& cursor, FlashBlock block, const ScannedPage& page);
  void end_block(FlashPlane flash_plane, std::uint32_t programmed_pages);
  // The cursor is at the beginning of a block; those that are not to be looked at are passed over.
  void begin_block(FlashPlane flash_plane);

  const FlashLayout& layout_;
  const std::uint64_t logical_pages_;
  Client& client_;
  const std::uint64_t versions_known_;    // those below
  IdVector<FlashPlane, Cursor> cursors_;  // by plane of the flash
  IdVector<FlashPlane, bool> scanned_;    // likewise: whether a page was read
  IdVector<FlashPlane, bool> readable_;   // and whether that has told anything
  UnitVersions versions_;                 // one more than the newest one found
  std::uint32_t planes_left_;
  std::uint64_t pages_read_ = 0;
  std::uint64_t newest_version_ = 0;
};

}  // namespace nandscape::controller
