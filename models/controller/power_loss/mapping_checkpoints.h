// SPDX-License-Identifier: Apache-2.0
// The checkpoint of the mapping on flash. With it, the controller can restore the mapping at power-on without reading
// the tags of all pages. Like the firmware of a drive, it is stored in flash blocks that `nand.geometry` does not
// count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "controller/flash_ops/data_path.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/writing/write_frontier.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class MappingCheckpoints {
 public:
  // If `kept` is false, the drive writes no checkpoints.
  MappingCheckpoints(bool kept, std::uint32_t entry_bytes, const FlashLayout& layout, const PageTimes& times,
                     UnitMap& map, MappingTable& table, BlockTable& blocks, const MappingCache& mapping_cache,
                     TrimmedRanges& trimmed, JournalWriter& journal);

  bool kept() const { return kept_; }
  // The times that reading and writing the checkpoint take.
  Tick read_time() const { return time(times_.read); }
  Tick write_time() const { return time(times_.program); }

  // write() writes the current mapping to the checkpoint, and load() restores the mapping from it. If `complete` is
  // true, nothing else is written after this checkpoint, so the state of the journal is part of it. `frontier` knows
  // how many rows of each member of an open block are programmed.
  void write(bool complete, const WriteFrontier& frontier);
  void load(bool complete);
  // Returns whether the latest checkpoint is complete. Clears this flag, because the drive will write again, and the
  // checkpoint will not contain those writes.
  [[nodiscard]] bool take_complete() { return std::exchange(complete_, false); }
  // Loads the checkpoint that a recovery would load, to detect errors in it now. Must be called before all other state
  // is restored, because that state must replace the loaded mapping.
  void try_load(const Archive& archive);

  // Return the number of rows that were programmed when the loaded checkpoint was written, in a member of a block or in
  // all members; the latter is nothing if the members have different numbers. The block must have been open then.
  std::uint32_t rows_of_open(Superblock block, std::uint32_t member) const;
  std::optional<std::uint32_t> even_rows_of_open(Superblock block) const;

  std::uint64_t pages_written() const { return pages_written_; }
  // Saves or restores the content of the checkpoint on flash.
  void persist(Archive& archive) { archive(state_, complete_); }
  void persist_counters(Archive& archive) { archive(pages_written_); }

 private:
  std::uint64_t pages() const;
  Tick time(Tick array) const;
  void persist_mapping(Archive& archive);
  void note_uneven(const WriteFrontier& frontier);
  void persist_uneven(Archive& archive);

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
  // The open superblocks whose members have different numbers of programmed rows, with these numbers.
  std::map<Superblock, std::vector<std::uint32_t>> uneven_;
  std::vector<std::byte> state_;  // empty: the checkpoint describes the state after preconditioning
  bool complete_ = false;         // nothing has been written to the flash since the checkpoint
  std::uint64_t pages_written_ = 0;
};

}  // namespace nandscape::controller
