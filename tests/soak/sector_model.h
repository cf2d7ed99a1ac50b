// SPDX-License-Identifier: Apache-2.0
// The reference model of the soak test. It computes which data each sector of a drive may hold, given the host's
// commands and the drive's answers.
//
// Each change (a write or a trim) has a number. A write puts unique data into each sector, so that the data of a read
// identify the write. For each sector, the model stores the versions that a read may still find. The rules are:
//
//   - A read may find any change that was submitted before the read completed, unless the change has been replaced.
//     A change is replaced if another change was submitted after its end, and completed before the read was submitted.
//     Changes that overlap in time take effect in any order; a read that finds one of them settles the order.
//   - A failed change may or may not have taken effect. Even if reads have not found it, a power cut may bring it back:
//     its programmed pages stay on flash, and a drive without room cannot undo them. A change that a reset aborted may
//     also take effect after the reset, until a later change of the sector completes.
//   - Mapping units change as a whole. If two writes both cover two sectors of a unit, a read never finds the first
//     write in one sector and the second write in the other. (A write above the limit of a command is several writes.)
//   - After a power cut, each sector holds its last durable version or a later one. A completed forced write is
//   durable,
//     and so are changes that completed before a successful flush was submitted. If a capacitor has saved everything,
//     all completed changes are durable.
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
  durable,         // it has taken effect, and will survive power cuts
  open,            // it may or may not have taken effect
  aborted,         // it may have taken effect, or may still take effect later
  without_effect,  // it has not taken effect
};

class SectorModel {
 public:
  // A point in time of the model. Each call of the model that changes its state is a new moment.
  using Moment = std::uint64_t;

  // `most_sectors` is the size limit of an NVMe command. Larger reads and writes are split into several commands.
  SectorModel(std::uint64_t sectors, std::uint32_t unit_sectors, std::uint64_t most_sectors);

  std::uint64_t sectors() const { return versions_.size(); }

  // Begins a write or a trim. Returns the number of the change.
  std::uint64_t start_write(std::uint64_t first, std::uint64_t count);
  std::uint64_t start_trim(std::uint64_t first, std::uint64_t count);
  void end(std::uint64_t change, Ending ending);

  Moment start_read();
  // Checks the data of a read. Returns a description of the error, or an empty string if the read may return these
  // data.
  std::string check_read(Moment started, std::uint64_t first, std::span<const std::byte> data);
  void end_read(Moment started);

  Moment start_flush() { return ++now_; }
  void flushed(Moment started);

  // Records a power cut. All changes must have ended before. `saved` is true if a capacitor has saved all completed
  // changes.
  void power_cut(bool saved);
  // Call this after power_cut() if the power cut may have brought back any version that a sector ever had.
  void forget();
  // Call this when the drive has finished all of its work. All completed changes are then durable.
  void came_to_rest();

  // Returns the data that the write `change` puts into its sectors.
  std::vector<std::byte> contents(std::uint64_t change) const;
  // Returns the sectors that were written or trimmed, in ascending order.
  std::vector<std::uint64_t> touched() const;

 private:
  static constexpr Moment never = std::numeric_limits<Moment>::max();

  struct Version {
    std::uint64_t change = 0;
    Moment start = 0;
    Moment end = 0;          // `never` if the change has not ended
    Moment gone = never;     // reads submitted at this moment or later cannot find the version
    bool zeroes = true;      // whether this version holds zeroes
    bool answered = true;    // its change completed without an error
    bool aborted = false;    // an aborted change, which may still take effect
    bool durable = true;     // whether the version is on flash, if it took effect
    bool replaced = false;   // whether another change replaced it and has completed
    bool may_return = true;  // whether a power cut may bring the version back
  };
  struct Change {
    std::uint64_t first, count;
    bool zeroes;
  };
  using Versions = std::vector<Version>;

  std::uint64_t start(std::uint64_t first, std::uint64_t count, bool zeroes);
  Versions& versions(std::uint64_t sector);
  void forget_gone(Versions& versions) const;
  // Returns the number of the write that puts these data into this sector. Returns 0 for zeroes, and `torn` for data
  // that no write puts into it.
  static constexpr std::uint64_t torn = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number_in(std::uint64_t sector, std::span<const std::byte> data) const;
  bool written_since_cut(const Versions& versions) const;
  Version found_again(std::uint64_t number, const Versions& since) const;
  std::string mixture(std::uint64_t first, std::span<const std::uint64_t> numbers) const;
  std::string describe(const Versions& versions, Moment started) const;
  bool covers(std::uint64_t change, std::uint64_t sector) const {
    return sector - changes_[change].first < changes_[change].count;
  }

  // Returns whether both sectors are covered by the same command of the change.
  bool covers(std::uint64_t change, std::uint64_t sector, std::uint64_t other) const {
    const std::uint64_t first = changes_[change].first;
    return covers(change, sector) && covers(change, other) &&
           (sector - first) / most_sectors_ == (other - first) / most_sectors_;
  }

  const std::uint32_t unit_sectors_;
  const std::uint64_t most_sectors_;
  Moment now_ = 1;
  std::vector<Change> changes_;
  std::vector<Versions> versions_;  // by sector; empty if the sector has never been written or trimmed
  // by sector; reads submitted before this moment may find any version that the sector ever had
  std::vector<Moment> known_from_;
  // By sector: whether the next power cut may bring back any version that the sector ever had.
  std::vector<bool> unknown_below_;
  Moment last_cut_ = 0;
  std::multiset<Moment> reads_;  // moments at which outstanding reads were submitted
};

}  // namespace nandscape::soak
