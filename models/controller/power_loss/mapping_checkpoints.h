// SPDX-License-Identifier: Apache-2.0
// The checkpoint of the mapping on flash: what the controller knows of it at power-on without reading tags. It lies in
// blocks that nand.geometry leaves out, as firmware does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/flash_ops/data_path.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/power_loss/journal_writer.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class MappingCheckpoints {
 public:
  // Unless they are `kept`, there is none.
  MappingCheckpoints(bool kept, std::uint32_t entry_bytes, const FlashLayout& layout, const PageTimes& times,
                     UnitMap& map, MappingTable& table, BlockTable& blocks, const MappingCache& mapping_cache,
                     TrimmedRanges& trimmed, JournalWriter& journal);

  bool kept() const { return kept_; }
  // To read and to write it.
  Tick read_time() const { return time(times_.read); }
  Tick write_time() const { return time(times_.program); }

  // `complete`: nothing will be written any more, so that the journal belongs to it.
  void write(bool complete);
  void load(bool complete);
  // Whether the latest one is complete; what is written from now on is not in it.
  bool take_complete() { return std::exchange(complete_, false); }
  // What a recovery will begin with is read once before all else, which takes its place: what is wrong with it is told
  // now.
  void try_load(const Archive& archive);

  std::uint64_t pages_written() const { return pages_written_; }
  // On flash.
  void persist(Archive& archive) { archive(state_, complete_); }
  void persist_counters(Archive& archive) { archive(pages_written_); }

 private:
  std::uint64_t pages() const;
  Tick time(Tick array) const;
  void persist_mapping(Archive& archive);

  const bool kept_;
  const std::uint32_t entry_bytes_;
  const FlashLayout& layout_;
  const PageTimes times_;
  UnitMap& map_;
  MappingTable& table_;
  BlockTable& blocks_;
  const MappingCache& mapping_cache_;
  TrimmedRanges& trimmed_;
  JournalWriter& journal_;
  std::vector<std::byte> state_;  // empty: what the device was preconditioned with
  bool complete_ = false;         // nothing has been written since
  std::uint64_t pages_written_ = 0;
};

}  // namespace nandscape::controller
