// SPDX-License-Identifier: Apache-2.0
// Determines the content of the flash after a loss of power. All planes are scanned in parallel. Each block is read
// page by page up to the first erased page. The tag of a page contains its logical units and their versions. The newest
// version of a unit that is found is valid.
//
// If the block is known from a checkpoint of the mapping, the stamp in a tag shows whether the block has been erased
// since. If it has not, the scan reads only one of the pages that the checkpoint knows, and all pages after these. The
// later pages were written after the checkpoint. If a unit in them is not newer than the checkpoint, it has been moved
// since, and the checkpoint contains its old location.
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

// The versions of units, stored as a sparse array. The value is 0 for a unit that was never set.
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
  // The information about a block of the flash that the checkpoint contains.
  struct KnownBlock {
    std::uint32_t pages = 0;  // number of pages programmed at the checkpoint; 0 if the block is not known
    std::uint32_t stamp = 0;
    bool retired = false;  // the block is not scanned
  };

  // Receives the results of the scan.
  class Client {
   public:
    virtual KnownBlock known_of(FlashBlock flash_block) const = 0;
    // Returns the number of pages of the block in its write mode, as far as the mode is known.
    virtual std::uint32_t pages_of(FlashBlock flash_block) const = 0;
    // Called if the block may have been erased since the checkpoint. The client must discard the pages of the block
    // that it knows from the checkpoint.
    virtual void block_changed(FlashBlock flash_block) = 0;
    virtual void stamp_found(FlashBlock flash_block, std::uint32_t stamp) = 0;
    // Called if the location holds a newer version of the unit than any location found before.
    virtual void found(Lpn lpn, Ppa place, bool lost) = 0;
    // Called if the location holds the same version as the newest found so far, because the unit was being moved.
    virtual void found_copy(Lpn lpn, Ppa place) = 0;
    // Called before found() if the unit has been moved since the checkpoint, which contains its old location.
    virtual void found_moved(Lpn lpn) = 0;
    // Called when the scan of the block has ended. Its first `programmed_pages` pages are programmed.
    virtual void block_scanned(FlashBlock flash_block, std::uint32_t programmed_pages) = 0;
    virtual void journal_page_found(FlashPage flash_page) = 0;
    virtual void frontier_mark_found(Superblock block) = 0;
    virtual void write_mode_found(Superblock block, std::uint8_t mode) = 0;
    // Called for each page that is read of a block in SLC mode. A torn page has no tag, but tells the mode all the
    // same.
    virtual void slc_block_found(FlashBlock flash_block) = 0;

   protected:
    ~Client() = default;
  };

  // The result of reading a page.
  struct ScannedPage {
    bool erased = false;
    bool factory_bad = false;  // the block was marked as bad by the manufacturer
    bool slc = false;          // the block is in SLC mode
    std::span<const std::uint64_t> tag;
  };

  // `known_version` is the version of the latest write that the checkpoint contains. It is empty if there is no
  // checkpoint.
  RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client,
               std::optional<std::uint64_t> known_version = std::nullopt);

  // Returns the next page to read on that plane of the flash, or nothing if the scan of the plane is complete.
  [[nodiscard]] std::optional<FlashPage> next(FlashPlane flash_plane) const;
  // Must be called when the page returned by next() has been read.
  void scanned(FlashPlane flash_plane, const ScannedPage& page);

  [[nodiscard]] bool complete() const { return planes_left_ == 0; }
  std::uint64_t pages_read() const { return pages_read_; }
  // Returns whether a die is dead: on one of its planes, no read has returned a readable tag or an empty page.
  [[nodiscard]] bool finds_dead_plane() const;
  // Returns the newest version found, or 0 if none has been found.
  std::uint64_t newest_version() const { return newest_version_; }
  // Returns a number that is greater than the version of the unit's data. A unit from before the checkpoint counts as
  // if it had the newest version in the checkpoint.
  std::uint64_t version(Lpn lpn) const { return std::max(versions_.at(lpn), versions_known_); }
  const UnitVersions& versions_found() const { return versions_; }

 private:
  struct Cursor {
    BlockInPlane block{0};
    std::uint32_t page = 0;
    KnownBlock known;  // what the checkpoint says about the block; cleared when it has been checked
    bool stamped = false;
  };

  void take_in(FlashPage flash_page, std::span<const std::uint64_t> tag);
  // Returns whether the page was already known from the checkpoint. If so, advances the cursor.
  bool is_known(Cursor& cursor, FlashBlock block, const ScannedPage& page);
  void end_block(FlashPlane flash_plane, std::uint32_t programmed_pages);
  // Starts the scan of the block at the cursor, or of the first block after it that is not retired.
  void begin_block(FlashPlane flash_plane);

  const FlashLayout& layout_;
  const std::uint64_t logical_pages_;
  Client& client_;
  const std::uint64_t versions_known_;  // all versions below this number are in the checkpoint
  IdVector<FlashPlane, Cursor> cursors_;
  IdVector<FlashPlane, bool> scanned_;   // whether any page of the plane has been read
  IdVector<FlashPlane, bool> readable_;  // whether any read of the plane has returned a readable tag or an empty page
  UnitVersions versions_;                // for each unit, the newest version found plus one
  std::uint32_t planes_left_;
  std::uint64_t pages_read_ = 0;
  std::uint64_t newest_version_ = 0;
};

}  // namespace nandscape::controller
