// SPDX-License-Identifier: Apache-2.0
// What each sector of a drive may hold, by the commands that a host has given and the answers that it has had.
//
// A change (a write or a trim) has a number, and a write puts into each sector contents of its own, so that what a read
// returns names the write. Of each sector the model keeps the versions that may still be seen:
//
//   - A read finds a change that was answered for before the read was given, or one given before the read was answered
//     for, and none that another one, given after its end, has replaced by then. Changes that overlap in time come in
//     any order; the reads that see one of them settle it.
//   - A change that ends badly may have come to something or not. Where reads have not found it, a power cut may still
//     bring it back: what was programmed of it stays on flash, and a drive without room cannot take that back. One that
//     a reset aborts may still do so after the reset, until a later change of the sector is answered for.
//   - In what one read returns of a mapping unit, of two writes that both cover two sectors not one is in the first and
//     the other in the second: units change as a whole. (Writes that are larger than a command may be are several.)
//   - A power cut leaves of each sector one of the versions since the last durable one. Durable is a forced write that
//     was answered for, and what was answered for before a flush that ended well was given; on a drive whose capacitor
//     has saved everything, all that was answered for.
//   - What was found after a power cut stays.
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
  answered,        // it has come to pass
  durable,         // and outlives power cuts
  open,            // it may have or not
  aborted,         // it may have or may yet
  without_effect,  // it has not
};

class SectorModel {
 public:
  // Moments are counted in calls of the model.
  using Moment = std::uint64_t;

  // `most_sectors`: of an NVMe command; larger reads and writes are several.
  SectorModel(std::uint64_t sectors, std::uint32_t unit_sectors, std::uint64_t most_sectors);

  std::uint64_t sectors() const { return versions_.size(); }

  // A write or trim begins; its number.
  std::uint64_t start_write(std::uint64_t first, std::uint64_t count);
  std::uint64_t start_trim(std::uint64_t first, std::uint64_t count);
  void end(std::uint64_t change, Ending ending);

  Moment start_read();
  // What is wrong with what a read has returned; empty when nothing is.
  std::string check_read(Moment started, std::uint64_t first, std::span<const std::byte> data);
  void end_read(Moment started);

  Moment start_flush() { return ++now_; }
  void flushed(Moment started);

  // All changes must have ended. What may be there afterwards: `saved` says that a capacitor has saved all that was
  // answered for.
  void power_cut(bool saved);
  // After a power cut: nobody knows which of the versions that it ever had a sector holds now.
  void forget();
  // All that the drive was at has come to its end, and is durable.
  void came_to_rest();

  // What a write puts into its sectors.
  std::vector<std::byte> contents(std::uint64_t change) const;
  // Sectors that were written or trimmed, in order.
  std::vector<std::uint64_t> touched() const;

 private:
  static constexpr Moment never = std::numeric_limits<Moment>::max();

  struct Version {
    std::uint64_t change = 0;
    Moment start = 0;
    Moment end = 0;          // never: under way
    Moment gone = never;     // reads given from then on do not find it
    bool zeroes = true;      // what it holds
    bool answered = true;    // by a change that ended well
    bool aborted = false;    // may yet come to pass
    bool durable = true;     // on flash, if it ever came to pass
    bool replaced = false;   // what it is gone by was answered for
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
  // The number of the write that has put that into the sector, 0 for zeroes; `torn` when it is nothing of that kind.
  static constexpr std::uint64_t torn = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number_in(std::uint64_t sector, std::span<const std::byte> data) const;
  bool written_since_cut(const Versions& versions) const;
  Version found_again(std::uint64_t number, const Versions& since) const;
  std::string mixture(std::uint64_t first, std::span<const std::uint64_t> numbers) const;
  std::string describe(const Versions& versions, Moment started) const;
  bool covers(std::uint64_t change, std::uint64_t sector) const {
    return sector - changes_[change].first < changes_[change].count;
  }

  // Whether one command of the change covers both.
  bool covers(std::uint64_t change, std::uint64_t sector, std::uint64_t other) const {
    const std::uint64_t first = changes_[change].first;
    return covers(change, sector) && covers(change, other) &&
           (sector - first) / most_sectors_ == (other - first) / most_sectors_;
  }

  const std::uint32_t unit_sectors_;
  const std::uint64_t most_sectors_;
  Moment now_ = 1;
  std::vector<Change> changes_;
  std::vector<Versions> versions_;  // by sector; empty: zeroes from the start
  std::vector<Moment> known_from_;  // by sector: reads given before may find any version it ever had
  // By sector: what the next power cut may bring back is any version it ever had.
  std::vector<bool> unknown_below_;
  Moment last_cut_ = 0;
  std::multiset<Moment> reads_;  // under way
};

}  // namespace nandscape::soak
