// SPDX-License-Identifier: Apache-2.0
// Erases superblocks with all of their members. A page of the block may be invalid only because its unit was trimmed,
// while an older version of the unit exists elsewhere on the flash. If the trim were lost after the erase, the older
// version would become valid again. The trim must therefore be durable before the block is erased.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/firmware/firmware_stage.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/power_state.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/power_loss/journal_writer.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

// Tracks the erases of superblocks, each of which consists of one erase per member. The erase of a superblock has ended
// when the erases of all its members have ended.
class SuperblockErases {
 public:
  void start(Superblock block, std::uint32_t members) { under_way_.push_back({block, members, true}); }
  // Called when the erase of one member has ended; `erased` is false if it has failed. Returns whether it was the last
  // one.
  bool ended(Superblock block, bool erased) {
    Erase& erase = *find(block);
    erase.good &= erased;
    return --erase.missing == 0;
  }
  // Removes the superblock from the list. Returns whether all members were erased successfully.
  [[nodiscard]] bool take(Superblock block) {
    const auto erase = find(block);
    const bool good = erase->good;
    under_way_.erase(erase);
    return good;
  }

 private:
  struct Erase {
    Superblock block;
    std::uint32_t missing;
    bool good;
  };

  std::vector<Erase>::iterator find(Superblock block) {
    return std::find_if(under_way_.begin(), under_way_.end(), [block](const Erase& e) { return e.block == block; });
  }

  std::vector<Erase> under_way_;  // only a few at a time, so a linear search is fast
};

class BlockErases final : public Component, public GarbageCollector::Eraser {
 public:
  BlockErases(FlashIo& io, JournalWriter& journal, const PowerState& power, Calendar& calendar)
      : io_(io), journal_(journal), power_(power), calendar_(calendar), erases_(io, *this) {}

  // Adds a listener. Listeners are notified in the order in which they were added.
  void subscribe(EraseListener& listener) { listeners_.push_back(&listener); }
  // Makes each erase use processor time of the firmware. Without this call, erases use none.
  void set_firmware(FirmwareStage& firmware) { firmware_ = &firmware; }

  void erase(Superblock block, Tick now) override;
  // Sends the erases that wait for the journal of trims. Called when the journal is durable, or when the journal itself
  // waits for an erase and therefore cannot become durable first.
  void send_waiting(Tick now);
  std::size_t waiting() const { return waiting_.size(); }

  std::uint64_t failed() const { return failed_; }
  void persist_counters(Archive& archive) override { archive(failed_); }
  void list_waiting(std::ostream& out) const override;

 private:
  struct MemberErase final : FlashOp {
    explicit MemberErase(BlockErases& erases) : owner(erases) { queue = QueueKind::erase; }
    void array_done(Tick now) override { owner.ended(*this, now); }

    BlockErases& owner;
  };

  void send(Superblock block, Tick now);
  void start(std::uint64_t block);
  void ended(MemberErase& erase, Tick now);

  FlashIo& io_;
  JournalWriter& journal_;
  const PowerState& power_;
  Calendar& calendar_;
  std::vector<EraseListener*> listeners_;
  FirmwareStage* firmware_ = nullptr;
  OpPool<MemberErase, BlockErases> erases_;
  SuperblockErases superblocks_;
  std::vector<Superblock> waiting_;  // blocks whose erases wait for the journal
  std::uint64_t failed_ = 0;
};

}  // namespace nandscape::controller
