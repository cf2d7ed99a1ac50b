// SPDX-License-Identifier: Apache-2.0
// The memory in which the controller keeps translation pages, and what a look-up in it costs. MappingCache decides
// which translation pages are in this memory. A drive without such an object looks entries up in no time.
#pragma once

#include <cstdint>

#include "core/component.h"
#include "core/ids.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

// The base class of objects that wait for a mapping entry.
struct MappingWaiter {
  // The look-up has ended. The entry may leave the memory later.
  virtual void translated(Tick now) = 0;

  Lpn lpn;
  MappingWaiter* next_waiter = nullptr;

 protected:
  ~MappingWaiter() = default;
};

// A list of waiters in their order of arrival.
class MappingWaiters {
 public:
  bool empty() const { return first_ == nullptr; }
  const MappingWaiter* first() const { return first_; }
  void push(MappingWaiter& waiter) {
    waiter.next_waiter = nullptr;
    (first_ == nullptr ? first_ : last_->next_waiter) = &waiter;
    last_ = &waiter;
  }
  MappingWaiter& pop() {
    MappingWaiter& waiter = *first_;
    first_ = waiter.next_waiter;
    return waiter;
  }

 private:
  MappingWaiter* first_ = nullptr;
  MappingWaiter* last_ = nullptr;
};

// Look-ups by the memory that answered them, and the traffic of a host memory buffer.
struct MappingMemoryCounters {
  std::uint64_t dram = 0;
  std::uint64_t sram = 0;
  std::uint64_t host = 0;
  std::uint64_t host_bytes_read = 0;
  std::uint64_t host_bytes_written = 0;
};

struct MappingMemoryFigures {
  MappingMemoryCounters counters;
  std::uint64_t moves = 0;          // part of the look-ups: those of units that the drive moves
  std::uint64_t flash = 0;          // look-ups that waited for a translation page
  std::uint64_t granted_bytes = 0;  // size of the host memory buffer
};
void describe(const MappingMemoryFigures& figures, StatisticsVisitor& visitor);

class MappingMemory : public Component {
 public:
  // Bytes that a look-up reads: as many as a line of the host's caches. They hold the entries of several units.
  static constexpr std::uint32_t line_bytes = 64;

  // Called by the memory, possibly from within a call of the memory's functions.
  class Client {
   public:
    // The bytes of the translation page have left the memory, see take().
    virtual void taken(std::uint64_t page, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~MappingMemory() = default;

  // Looks up an entry whose translation page is in the memory. Returns true if this takes no time. Otherwise
  // MappingWaiter::translated() is called later. Look-ups of the same entry end in their order.
  [[nodiscard]] virtual bool look_up(MappingWaiter& waiter, Tick now) = 0;
  // Looks up an entry whose translation page has just been put into the memory.
  [[nodiscard]] virtual bool look_up_loaded(MappingWaiter& waiter, Tick now) = 0;
  // Returns whether an earlier look-up of the entry, or of its neighbours, is under way; the waiter then ends with it.
  [[nodiscard]] virtual bool joins(MappingWaiter&) { return false; }
  // Changes an entry whose translation page is in the memory.
  virtual void change(Lpn lpn, Tick now) = 0;

  // Puts a translation page that has been read from flash into the memory.
  virtual void put(std::uint64_t page, Tick now) = 0;
  // Reads the bytes of a translation page, which leaves the memory and is then written to flash; see taken().
  virtual void take(std::uint64_t page, Tick now) = 0;
  // Removes an unchanged translation page.
  virtual void drop(std::uint64_t page) = 0;

  virtual MappingMemoryCounters counters() const = 0;
};

}  // namespace nandscape::controller
