// SPDX-License-Identifier: Apache-2.0
// The data that each sector of a drive may hold, given the host's commands and the drive's answers.
//
// A change (a write or a trim) has a number. A write puts unique data into each sector, so that the data of a read
// identify the write. The model keeps the versions of each sector that a read may still find:
//
//   - A read finds a change that was submitted before the read completed. It does not find a replaced change. A change
//     is replaced if another change was submitted after its end, and completed before the read was submitted. Changes
//     that overlap in time take effect in any order; a read that finds one of them settles the order.
//   - A failed change may have taken effect or not. Even if reads have not found it, a power cut may still bring it
//     back: its programmed pages stay on flash, and a drive without room cannot undo them. A change aborted by a reset
//     may also take effect after the reset, until a later change of the sector completes.
//   - Mapping units change as a whole. If two writes both cover two sectors of a unit, one read does not find the first
//     write in one sector and the second write in the other. (A write above the limit of a command is several writes.)
//   - After a power cut each sector holds its last durable version or a later one. A completed forced write is durable,
//     and so are changes completed before a successful flush was submitted. If a capacitor has saved everything, all
//     completed changes are durable.
//   - Once a read after a power cut has found a version, later reads find the same version until the next change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "protocol/storage.h"

namespace nandscape::soak {

enum class Ending {
  answered,        // it has taken effect
  durable,         // it has taken effect, and survives power cuts
  open,            // it may have taken effect or not
  aborted,         // it may have taken effect or may still do so
  without_effect,  // it has not taken effect
};

class SectorModel {
 public:
  // Moments are counted in calls of the model.
  using Moment = std::uint64_t;

  // `most_sectors` is the limit of an NVMe command; larger reads and writes are several commands.
  SectorModel(std::uint64_t sectors, std::uint32_t unit_sectors, std::uint64_t most_sectors);

  std::uint64_t sectors() const { return versions_.size(); }

  // Begins a write or trim. Returns its number.
  std::uint64_t start_write(std::uint64_t first, std::uint64_t count);
  std::uint64_t start_trim(std::uint64_t first, std::uint64_t count);
  void end(std::uint64_t change, Ending ending);

  Moment start_read();
  // Returns a description of the error in the data of a read; empty if the data are allowed.
  std::string check_read(Moment started, std::uint64_t first, std::span<const std::byte> data);
  void end_read(Moment started);

  Moment start_flush() { return ++now_; }
  void flushed(Moment started);

  // All changes must have ended. `saved`: a capacitor has saved all completed changes.
  void power_cut(bool saved);
  // Called after a power cut if each sector may hold any version that it ever had.
  void forget();
  // Called when the drive has finished all of its work, which is now durable.
  void came_to_rest();

  // The data that a write puts into its sectors.
  std::vector<std::byte> contents(std::uint64_t change) const;
  // Sectors that were written or trimmed, in order.
  std::vector<std::uint64_t> touched() const;

 private:
  static constexpr Moment never = std::numeric_limits<Moment>::max();

  struct Version {
    std::uint64_t change = 0;
    Moment start = 0;
    Moment end = 0;          // never: under way
    Moment gone = never;     // reads submitted at this moment or later do not find it
    bool zeroes = true;      // whether it holds zeroes
    bool answered = true;    // its change completed without an error
    bool aborted = false;    // may still take effect
    bool durable = true;     // on flash, if it took effect
    bool replaced = false;   // another change replaced it, and completed
    bool may_return = true;  // after a power cut
  };
  struct Change {
    std::uint64_t first, count;
    bool zeroes;
  };
  using Versions = std::vector<Version>;

  std::uint64_t start(std::uint64_t first, std::uint64_t count, bool zeroes);
  Versions& versions(std::uint64_t sector);
  void forget_gone(Versions& versions) const;
  // Returns the number of the write that puts these data into the sector: 0 for zeroes, `torn` for any other data.
  static constexpr std::uint64_t torn = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number_in(std::uint64_t sector, std::span<const std::byte> data) const;
  bool written_since_cut(const Versions& versions) const;
  Version found_again(std::uint64_t number, const Versions& since) const;
  std::string mixture(std::uint64_t first, std::span<const std::uint64_t> numbers) const;
  std::string describe(const Versions& versions, Moment started) const;
  bool covers(std::uint64_t change, std::uint64_t sector) const {
    return sector - changes_[change].first < changes_[change].count;
  }

  // Whether one command of the change covers both sectors.
  bool covers(std::uint64_t change, std::uint64_t sector, std::uint64_t other) const {
    const std::uint64_t first = changes_[change].first;
    return covers(change, sector) && covers(change, other) &&
           (sector - first) / most_sectors_ == (other - first) / most_sectors_;
  }

  const std::uint32_t unit_sectors_;
  const std::uint64_t most_sectors_;
  Moment now_ = 1;
  std::vector<Change> changes_;
  std::vector<Versions> versions_;  // by sector; empty if the sector was never written
  std::vector<Moment> known_from_;  // by sector; reads submitted earlier may find any version of it
  // For each sector, whether the next power cut may bring back any version that it ever had.
  std::vector<bool> unknown_below_;
  Moment last_cut_ = 0;
  std::multiset<Moment> reads_;  // under way
};

}  // namespace nandscape::soak
