// SPDX-License-Identifier: Apache-2.0
// Empties blocks: moves their valid pages to other blocks of the plane and then erases them. When a plane has few free
// blocks, the victim policy chooses a block to be emptied. Other classes also request that blocks be emptied, for
// example because their data are old or because an operation has failed. In each plane, one block is emptied at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iosfwd>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "controller/writing/block_supply.h"
#include "core/component.h"
#include "core/statistics.h"

namespace nandscape::controller {

// The reason for which a block is emptied.
enum class Reason : std::uint8_t { space, refresh, read_disturb, wear, errors, guarantee, fold, failure };
inline constexpr std::size_t reasons = 8;

class BlockRenewal;

// Names blocks that are emptied for space before those that the victim policy chooses.
class VictimSource {
 public:
  // Returns a full block of the plane to which no command is pending, or an invalid id.
  virtual Superblock victim(FtlPlane plane) = 0;
  // Returns whether the host waits until a block of this source has been erased.
  virtual bool host_waits(FtlPlane plane) const = 0;
  // Called when a block of this source has been emptied, but stays pinned, for example until the moved data are
  // durable.
  virtual void held_back(Superblock block, Tick now) = 0;

 protected:
  ~VictimSource() = default;
};

// The result of moving a unit.
enum class MoveEnd : std::uint8_t {
  moved,
  overtaken,    // the moved copy was written, but is obsolete because the host overwrote the unit meanwhile
  not_written,  // no copy was written: the host overwrote the unit first, or no free page was left
};

struct GarbageCollectionCounters {
  std::uint64_t victims = 0;
  std::uint64_t moved_units = 0;
  std::uint64_t overtaken_pages = 0;
  std::uint64_t skipped_pages = 0;
  std::uint64_t retired_blocks = 0;
  std::array<std::uint64_t, reasons> emptied{};
  // The valid flash pages and units that were in the emptied blocks.
  std::array<std::uint64_t, reasons> emptied_pages{};
  std::array<std::uint64_t, reasons> emptied_units{};
};
void describe(const GarbageCollectionCounters& counters, StatisticsVisitor& visitor);

class GarbageCollector final : public Component, public BlockSupply, public BlockPins::Listener, public EraseListener {
 public:
  class Mover {
   public:
    // Called when the collector begins to empty the block.
    virtual void victim_chosen(Superblock /*victim*/, Reason /*reason*/) {}
    // Starts to move the valid units of the flash page that begins at `first_unit` to other pages. Returns the number
    // of units. page_moved() is called once for each of them when its move has ended.
    virtual std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now) = 0;

   protected:
    ~Mover() = default;
  };

  class Eraser {
   public:
    // Erases the block. Calls block_erased() when the erase has ended.
    virtual void erase(Superblock block, Tick now) = 0;

   protected:
    ~Eraser() = default;
  };

  // Receives notifications when planes have lost space for data.
  class RoomListener {
   public:
    virtual void block_retired(Superblock block, Tick now) = 0;
    // Called when emptying blocks of the plane has not gained enough space, although no new data were written to the
    // plane meanwhile.
    virtual void nothing_gained(FtlPlane plane, Tick now) = 0;

   protected:
    ~RoomListener() = default;
  };

  // Is told when the collector begins to empty or erase blocks, and when it comes to rest.
  class WorkListener {
   public:
    virtual void collection_works(bool under_way, Tick now) = 0;

   protected:
    ~WorkListener() = default;
  };

  // The engines that garbage collection uses.
  struct Helpers {
    Mover& mover;
    Eraser& eraser;
    BlockSupply::Client& writing;
    RoomListener& room;
  };

  // `units_per_page` is the number of mapping units in a flash page, and `planes` the number of flash planes over which
  // a block is spread. If `moves_are_durable` is false, moved data may be lost with the power until their wordline is
  // complete. Emptied blocks then stay pinned until the moved data are durable.
  GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, PlaneRoom& room,
                   std::uint64_t seed, std::uint32_t units_per_page = 1, bool moves_are_durable = true,
                   std::uint32_t planes = 1);

  // Must be called before any other function.
  void connect(const Helpers& helpers) { helpers_.emplace(helpers); }

  void set_work_listener(WorkListener& listener) { work_listener_ = &listener; }

  // Sets the renewal, which may then renew blocks in place instead of having them emptied.
  void set_renewal(BlockRenewal& renewal) { renewal_ = &renewal; }

  // Sets the source that is asked for victims before the victim policy, which never chooses its blocks.
  void set_first_victims(VictimSource& source) { first_victims_ = &source; }
  // From now on, `count` free blocks of the plane are neither for data of the host nor for moved data.
  void keep_blocks(FtlPlane plane, std::uint32_t count) { planes_[plane].kept = count; }
  // Returns the number of free blocks of the plane without those that are kept.
  std::uint32_t free_for_data(FtlPlane plane) const {
    const std::uint32_t free = blocks_.free_blocks(plane);
    return free - std::min(free, planes_[plane].kept);
  }

  // Starts to empty a block of the plane if the plane needs free space or a requested block can be emptied now.
  void check(FtlPlane plane, Tick now) override;
  // Requests that a full block be emptied as soon as it is not pinned. Has no effect if the block is not full or has
  // already been requested.
  void empty(Superblock block, Reason reason, Tick now);

  // Called when the host waits until a block of the first victims has been erased (VictimSource::host_waits()). If only
  // pins hold up the block, the data are made durable of which it holds an older version.
  void hurry(FtlPlane plane) {
    if (waits_for_pins(plane)) await_durable_moves(plane);
  }

  // Erases a block that contains no valid data, or retires it if it has failed.
  void discard(Superblock block, Tick now);

  // Called when the move of a unit out of the block has ended.
  void page_moved(Superblock source, MoveEnd end, Tick now);
  // steps_begun() is called when additional steps of the block's renewal have begun, and step_ended() when one of its
  // steps has ended. Both are also called if the renewal has been abandoned meanwhile.
  void steps_begun(Superblock block, std::uint32_t steps) {
    planes_[blocks_.geometry().plane_of(block)].in_flight += steps;
  }
  void step_ended(Superblock block, Tick now);
  // Called when no pin on the block is left, for example because no command to the block is pending. Starts to empty or
  // erase the block if this has been waiting.
  void unpinned(Superblock block, Tick now) override;
  // Called when the erase has ended. If `erased` is false, the erase has failed, and the block is retired.
  void block_erased(Superblock block, bool erased, Tick now) override;

  // See BlockSupply.
  //
  // After a power loss, the data that must be saved may use all free blocks of the plane except for one. After the next
  // power-on, garbage collection continues with only this block, or with the rest of it if collection had already begun
  // to write to it. As long as the block contains only copies, PowerOnRecovery can undo the moves to it.
  bool host_may_take_block(FtlPlane plane) const override {
    return free_for_data(plane) > (halted_ ? 1 : parameters_.reserved_blocks);
  }
  bool host_may_share_block(FtlPlane plane) const override {
    return free_for_data(plane) > (halted_ ? 0 : parameters_.reserved_blocks);
  }
  bool host_may_write(FtlPlane plane) const override;
  // Returns the number of units of the plane that are being moved, including steps of a renewal.
  std::uint32_t in_flight(FtlPlane plane) const { return planes_[plane].in_flight; }
  // Returns whether a block of the plane is being erased, so that the plane will soon have one more free block.
  bool frees_block(FtlPlane plane) const override { return planes_[plane].erasing != 0; }
  // From now on, moved data are not durable immediately after they have been programmed.
  void wait_for_durable_moves() { moves_are_durable_ = false; }
  // Called when the drive has become read-only. Moves and erases in flight still end, but no other block is emptied
  // from now on.
  void stop() { stopped_ = true; }
  bool stopped() const override { return stopped_; }
  // Suspends garbage collection after a power loss, because the remaining energy is needed for other work.
  void halt();
  // Resumes halted collection on the plane until a block has been erased, because a page that must be written is
  // waiting for a block.
  void go_on_for_a_block(FtlPlane plane, Tick now) override;
  // Resumes halted collection on the planes where a block is being emptied, until it has been erased.
  void finish_victims(Tick now);
  void block_failed(Superblock block, Tick now) override;
  const GarbageCollectionCounters& counters() const { return counters_; }

  // Prints the state of garbage collection on each plane.
  void list_waiting(std::ostream& out) const override;

  // Returns whether no block is being emptied or erased and no emptied block is waiting to be erased.
  bool at_rest() const;
  // Saves or loads the requests and the state of the victim policy. at_rest() must be true.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  struct Request {
    Superblock block;
    Reason reason;
    // Equal to requested_[block] as long as the request is valid; it becomes invalid if the block is emptied otherwise.
    std::uint64_t number;
  };

  // The members that wants_nothing() needs are in the first cache line.
  struct alignas(64) PlaneState {
    Superblock victim;
    std::uint32_t kept = 0;             // see keep_blocks()
    bool awaits_durable_moves = false;  // last value passed to await_durable_moves()
    // Blocks that have been emptied, but are still pinned by pending reads or until the moved data are durable.
    std::vector<Superblock> held_back;
    std::list<Request> requests;  // the requests to empty blocks, in order of arrival
    Reason reason = Reason::space;
    bool renewed = false;         // the victim is renewed in place: some of its pages stay
    bool unread = false;          // all pages have been copied or moved, and no command to the victim is pending
    std::uint32_t next_page = 0;  // unit of the victim with which the next move begins
    std::uint32_t in_flight = 0;
    std::uint32_t erasing = 0;
    std::uint32_t gain = 0;           // number of invalid units in the victim when it was chosen
    std::uint64_t new_units = 0;      // PlaneRoom::new_units() when the victim was chosen
    std::optional<bool> urgent;       // last value passed to set_urgent()
    bool works = false;               // a block is being emptied or erased, as far as the work listener knows
    bool goes_on = false;             // garbage collection continues on this plane although halted_ is set
    std::uint64_t valid_in_vain = 0;  // number of valid units in the plane when the latest victim was chosen
  };

  [[nodiscard]] bool may_start(Superblock block) const {
    return blocks_.state(block) == BlockTable::State::full && !blocks_.pinned(block);
  }
  // Returns whether the plane has enough free blocks and no block is to be emptied or erased. This is usually the case
  // when a block is unpinned after a read, so it is checked first.
  bool wants_nothing(FtlPlane plane) const {
    const PlaneState& state = planes_[plane];
    return !state.victim.valid() && state.requests.empty() && state.held_back.empty() &&
           free_for_data(plane) >= enough_free_blocks_ && !state.awaits_durable_moves && !halted_;
  }
  // Called when a block has been unpinned and garbage collection on the plane may have been waiting for this.
  void wanted_block_unpinned(FtlPlane plane, Superblock block, Tick now);
  bool halted(const PlaneState& state) const { return halted_ && !state.goes_on; }
  void add_request(Superblock block, Reason reason);
  bool start_requested(FtlPlane plane);
  bool start_for_space(FtlPlane plane, Tick now);
  bool choose_victim(FtlPlane plane, Tick now);
  void update_urgency(FtlPlane plane);
  // From now on, wordlines are completed as soon as they hold data of which a pinned block holds an older version.
  void await_durable_moves(FtlPlane plane);
  // Whether a block is pinned that has been emptied, or that is to be folded next.
  bool waits_for_pins(FtlPlane plane) const {
    const PlaneState& state = planes_[plane];
    const auto pinned_fold = [this](const Request& r) { return r.reason == Reason::fold && blocks_.pinned(r.block); };
    return !state.held_back.empty() || (!state.victim.valid() && std::ranges::any_of(state.requests, pinned_fold));
  }
  // Whether the host waits for such a block.
  bool host_awaits_durable_moves(FtlPlane plane) const {
    return first_victims_ != nullptr && waits_for_pins(plane) && first_victims_->host_waits(plane);
  }
  void move_on(FtlPlane plane, Tick now);
  void leave(Superblock victim, Tick now);
  std::uint32_t take_page(const PlaneState& state, Ppa first_unit, Tick now);
  std::uint32_t move_page(Ppa first_unit, Reason reason, Tick now);
  bool renewal_goes_on(PlaneState& state, Tick now);
  // Tells the work listener if the plane is the first that works, or the last that has come to rest.
  void look_at_work(PlaneState& state, Tick now);

  const GarbageCollectionParameters parameters_;
  // A plane with this many free blocks is not collected, and the host may take a block of it.
  const std::uint32_t enough_free_blocks_ = std::max(parameters_.start_free_blocks, parameters_.reserved_blocks + 1);
  std::unique_ptr<VictimPolicy> policy_;
  BlockTable& blocks_;
  PlaneRoom& room_;
  std::optional<Helpers> helpers_;
  BlockRenewal* renewal_ = nullptr;
  VictimSource* first_victims_ = nullptr;
  WorkListener* work_listener_ = nullptr;
  const std::uint32_t units_per_page_;
  const std::uint32_t most_in_flight_;  // units that are moved out of a plane at the same time
  bool moves_are_durable_;
  bool stopped_ = false;
  bool halted_ = false;
  std::uint32_t planes_at_work_ = 0;
  IdVector<FtlPlane, PlaneState> planes_;
  // Number of the valid request to empty the block, or 0 if there is none.
  IdVector<Superblock, std::uint64_t> requested_;
  std::uint64_t requests_ = 0;  // number of the latest request
  GarbageCollectionCounters counters_;
};

}  // namespace nandscape::controller
