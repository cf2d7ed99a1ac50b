// SPDX-License-Identifier: Apache-2.0
// The checkpoint of the mapping on flash, from which the controller knows the mapping at power-on without reading tags.
// Like firmware, it is stored in blocks that nand.geometry does not count.
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
  // Without `kept`, there is no checkpoint.
  MappingCheckpoints(bool kept, std::uint32_t entry_bytes, const FlashLayout& layout, const PageTimes& times,
                     UnitMap& map, MappingTable& table, BlockTable& blocks, const MappingCache& mapping_cache,
                     TrimmedRanges& trimmed, JournalWriter& journal);

  bool kept() const { return kept_; }
  // Times to read and to write the checkpoint.
  Tick read_time() const { return time(times_.read); }
  Tick write_time() const { return time(times_.program); }

  // `complete`: nothing will be written after this checkpoint, so the journal is part of the checkpoint.
  void write(bool complete);
  void load(bool complete);
  // Whether the latest checkpoint is complete. Resets the answer, since the checkpoint does not hold later writes.
  [[nodiscard]] bool take_complete() { return std::exchange(complete_, false); }
  // Loads the checkpoint that a recovery would begin with, so that errors in it are reported now. Call this before all
  // other state is restored, which replaces the loaded state.
  void try_load(const Archive& archive);

  std::uint64_t pages_written() const { return pages_written_; }
  // Saves or restores the checkpoint that is on flash.
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
  std::vector<std::byte> state_;  // empty: the state that the device was preconditioned with
  bool complete_ = false;         // nothing has been written since
  std::uint64_t pages_written_ = 0;
};

}  // namespace nandscape::controller
