// SPDX-License-Identifier: Apache-2.0
// Determines the content of the flash after a loss of power. Reads each block page by page, up to the first erased
// page, all planes in parallel. The tag of a page names its units and their versions; the copy with the newest version
// holds the unit's data.
//
// If a checkpoint of the mapping knows a block, its stamp tells whether the block was erased since. If it was not, the
// scan reads only one of the pages programmed at the checkpoint, and the pages after these. All other pages were
// written after the checkpoint. Units in them that are no newer than the checkpoint were moved there since; the
// checkpoint knows their old places.
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

// Versions of units, stored sparsely; 0 for a unit without one.
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
  // A checkpoint's knowledge of a block of the flash.
  struct KnownBlock {
    std::uint32_t pages = 0;  // pages programmed at the checkpoint; 0: nothing is known
    std::uint32_t stamp = 0;
    bool retired = false;  // the block is not read
  };

  // Takes the results of the scan.
  class Client {
   public:
    virtual KnownBlock known_of(FlashBlock flash_block) const = 0;
    // Number of pages of the block in its write mode, as known or found so far.
    virtual std::uint32_t pages_of(FlashBlock flash_block) const = 0;
    // The block may have been erased since the checkpoint. Only pages found from now on count.
    virtual void block_changed(FlashBlock flash_block) = 0;
    virtual void stamp_found(FlashBlock flash_block, std::uint32_t stamp) = 0;
    // The place holds a newer version of the unit than any found before.
    virtual void found(Lpn lpn, Ppa place, bool lost) = 0;
    // The place also holds the newest version found so far: the unit was being moved.
    virtual void found_copy(Lpn lpn, Ppa place) = 0;
    // The unit that found() reports next was moved since the checkpoint, which knows the old place.
    virtual void found_moved(Lpn lpn) = 0;
    // The first `programmed_pages` pages of the block are programmed.
    virtual void block_scanned(FlashBlock flash_block, std::uint32_t programmed_pages) = 0;
    virtual void journal_page_found(FlashPage flash_page) = 0;
    virtual void frontier_mark_found(Superblock block) = 0;
    virtual void write_mode_found(Superblock block, std::uint8_t mode) = 0;

   protected:
    ~Client() = default;
  };

  // Result of reading a page.
  struct ScannedPage {
    bool erased = false;
    bool factory_bad = false;  // the block was bad when delivered
    std::span<const std::uint64_t> tag;
  };

  // `known_version`: version of the latest write that the checkpoint knows; none without a checkpoint.
  RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client,
               std::optional<std::uint64_t> known_version = std::nullopt);

  // The next page to read on that plane of the flash; none if the plane is complete.
  [[nodiscard]] std::optional<FlashPage> next(FlashPlane flash_plane) const;
  // The page that next() returned was read.
  void scanned(FlashPlane flash_plane, const ScannedPage& page);

  [[nodiscard]] bool complete() const { return planes_left_ == 0; }
  std::uint64_t pages_read() const { return pages_read_; }
  // Whether a die is dead: on one of its planes no read found a readable tag or an empty page.
  [[nodiscard]] bool finds_dead_plane() const;
  // The newest version found; 0 if none was.
  std::uint64_t newest_version() const { return newest_version_; }
  // At least one more than the version of the unit's data: every unit counts as no older than the checkpoint.
  std::uint64_t version(Lpn lpn) const { return std::max(versions_.at(lpn), versions_known_); }
  const UnitVersions& versions_found() const { return versions_; }

 private:
  struct Cursor {
    BlockInPlane block{0};
    std::uint32_t page = 0;
    KnownBlock known;  // what the checkpoint says about the block; cleared once checked
    bool stamped = false;
  };

  void take_in(FlashPage flash_page, std::span<const std::uint64_t> tag);
  // Whether the page adds nothing to the checkpoint. If so, advances the cursor.
  bool is_known(Cursor& cursor, FlashBlock block, const ScannedPage& page);
  void end_block(FlashPlane flash_plane, std::uint32_t programmed_pages);
  // Begins the block at the cursor, or the first one after it that is not retired.
  void begin_block(FlashPlane flash_plane);

  const FlashLayout& layout_;
  const std::uint64_t logical_pages_;
  Client& client_;
  const std::uint64_t versions_known_;  // versions below this one
  IdVector<FlashPlane, Cursor> cursors_;
  IdVector<FlashPlane, bool> scanned_;   // whether a page of the plane was read
  IdVector<FlashPlane, bool> readable_;  // whether a read of the plane found a readable tag or an empty page
  UnitVersions versions_;                // one more than the newest version found of each unit
  std::uint32_t planes_left_;
  std::uint64_t pages_read_ = 0;
  std::uint64_t newest_version_ = 0;
};

}  // namespace nandscape::controller
