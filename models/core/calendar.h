// SPDX-License-Identifier: Apache-2.0
// The event calendar. Each simulation has one, and simulated time advances only here.
//
// Events of the next 252 to 268 us are stored in a timing wheel of 16 rows of 64 slots. Each slot covers 2^18 ticks
// (262 ns) and holds a list of its events, sorted by time. A slot usually holds a handful of events, and most new
// events belong at the end of the list. One word per row tells which slots have events, so that its lowest bit leads to
// the next event. Events of the next 17 ms, such as the ends of programs and erases, wait in a list per row, in the
// order in which they were scheduled, and enter the wheel as it turns from row to row. Later events wait in a heap.
// Events at equal times run in the order in which they were scheduled. The lists preserve this order, and the heap
// numbers its events for this purpose. No memory is allocated once the pools are large enough for the run.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "core/ticks.h"

namespace nandscape {

class Calendar {
 public:
  using Action = void (*)(void* target, std::uint64_t argument);

  // Runs the calendar from outside, for example from a process of the SystemC kernel. wake() is called when an event is
  // scheduled outside of run_until(), so that the driver can run the event in time.
  class Driver {
   public:
    virtual void wake(Tick at) = 0;

   protected:
    ~Driver() = default;
  };

  // Starts at time `start` with `events_run` events already counted. This continues a simulation whose earlier part ran
  // in another calendar.
  explicit Calendar(Tick start = 0, std::uint64_t events_run = 0)
      : now_(start), events_run_(events_run), events_scheduled_(events_run) {}
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  void set_driver(Driver* driver) { driver_ = driver; }

  // The time of the event that is being run, or the time to which advance() moved the clock if that is later.
  Tick now() const { return now_; }
  bool running() const { return reach_ != 0; }
  // The time of the SystemC kernel while run_until() runs. now() may be ahead of the kernel's time.
  Tick kernel_time() const { return kernel_time_; }
  void set_kernel_time(Tick time) { kernel_time_ = time; }
  bool empty() const { return pending() == 0; }
  std::uint64_t pending() const { return events_scheduled_ - events_run_; }
  std::uint64_t events_run() const { return events_run_; }

  // Calls (target.*Method)() at time `at`, which must not be earlier than now().
  template <auto Method, class Target>
  requires std::is_invocable_v<decltype(Method), Target&>
  void schedule(Tick at, Target& target) {
    schedule_action(
        at, [](void* t, std::uint64_t) { (static_cast<Target*>(t)->*Method)(); }, &target, 0);
  }

  // Calls (target.*Method)(argument) at time `at`, which must not be earlier than now().
  template <auto Method, class Target>
  requires std::is_invocable_v<decltype(Method), Target&, std::uint64_t>
  void schedule(Tick at, Target& target, std::uint64_t argument = 0) {
    schedule_action(
        at, [](void* t, std::uint64_t a) { (static_cast<Target*>(t)->*Method)(a); }, &target, argument);
  }

  // Calls (target.*Method)(object) at time `at`. The object must exist until then.
  template <auto Method, class Target, class Object>
  requires std::is_class_v<Object>
  void schedule(Tick at, Target& target, Object& object) {
    schedule_action(
        at,
        [](void* t, std::uint64_t a) {
          (static_cast<Target*>(t)->*Method)(*reinterpret_cast<Object*>(static_cast<std::uintptr_t>(a)));
        },
        &target, reinterpret_cast<std::uintptr_t>(&object));
  }

  void schedule_action(Tick at, Action action, void* target, std::uint64_t argument) {
    assert(at >= now_);
    const std::uint64_t slot = at >> slot_bits;
    const bool usual = free_ != nullptr && slot - first_slot_ < reach_;
    if (!usual) [[unlikely]]
      return schedule_elsewhere(at, action, target, argument);
    put_into_wheel(slot, take(at, action, target, argument));
  }

  // Returns the time of the next event, or `never` if there is no event.
  Tick next_time() const { return *occupied_ == 0 ? time_after_row() : next_slot().first->at; }

  // Runs every event up to and including time `limit`, in order. Returns early, with events left in the calendar, if an
  // event calls stop().
  void run_until(Tick limit) {
    const Running running(*this);
    end_ = limit == never ? never : limit + 1;
    while (*occupied_ != 0 || turn()) {
      Slot& slot = next_slot();
      Event& event = *slot.first;
      const Tick at = event.at;
      if (at >= end_) return;
      now_ = at;
      ++events_run_;
      slot.first = event.next;
      if (slot.first == nullptr) [[likely]]
        *occupied_ &= *occupied_ - 1;
      const Action action = event.action;
      void* const target = event.target;
      const std::uint64_t argument = event.argument;
      event.next = free_;
      free_ = &event;
      action(target, argument);
    }
  }

  // Ends run_until() after the current event.
  void stop() { end_ = 0; }
  bool stopped() const { return end_ == 0; }

  // Announces work outside the calendar that will schedule an event when it ends, for example a process that runs cycle
  // by cycle. While such work is under way, the simulation has not ended even if the calendar is empty. Each hold()
  // needs a release().
  void hold() { ++holds_; }
  void release() { --holds_; }
  bool held() const { return holds_ != 0; }

  // Sets the clock to `at` without running any event. No event may be pending before `at`.
  void advance(Tick at) {
    assert(at >= now_ && at <= next_time());
    now_ = at;
  }

 private:
  struct Event {
    Tick at;
    Action action;
    void* target;
    std::uint64_t argument;
    Event* next;  // next event of the slot, or next unused event
    Event* previous;
  };

  static constexpr unsigned slot_bits = 18;
  static constexpr std::uint64_t row_slots = 64;
  static constexpr std::uint64_t rows = 16;
  static constexpr std::uint64_t slots = rows * row_slots;
  static constexpr std::uint64_t far_rows = 1024;
  static constexpr std::uint64_t far_slots = far_rows * row_slots;
  static constexpr std::uint64_t nowhere = never;  // means no event; the wheel never reaches this slot

  // The list of a slot's events, sorted by time. Events at equal times are in the order in which they were scheduled.
  // If the slot is empty, `first` is null and `last` is not valid. The lists of far rows are not sorted by time.
  struct Slot {
    Event* first = nullptr;
    Event* last = nullptr;
  };
  struct Beyond {
    Tick at;
    std::uint64_t order;
    Event* event;
  };

  // Sets `reach_` for the duration of run_until(), and clears it even if an event throws.
  class Running {
   public:
    explicit Running(Calendar& calendar) : calendar_(calendar) { calendar_.reach_ = slots; }
    ~Running() { calendar_.reach_ = 0; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Calendar& calendar_;
  };

  // Takes an unused event, which must exist.
  Event& take(Tick at, Action action, void* target, std::uint64_t argument) {
    Event& event = *free_;
    free_ = event.next;
    ++events_scheduled_;
    event.at = at;
    event.action = action;
    event.target = target;
    event.argument = argument;
    return event;
  }

  // Returns the lowest value of first_slot_ at which the far row that contains `slot` is in the wheel.
  static std::uint64_t entry_of_far(std::uint64_t slot) { return (slot / row_slots - rows + 1) * row_slots; }

  // Returns the first slot of the current row that has events. The row must have events.
  Slot& next_slot() const { return row_[static_cast<unsigned>(std::countr_zero(*occupied_))]; }

  void put_into_wheel(std::uint64_t number, Event& event) {
    const std::uint64_t index = number % slots;
    Slot& slot = wheel_[index];
    if (slot.first == nullptr) [[likely]] {
      slot.first = &event;
      words_[index / row_slots] |= std::uint64_t{1} << (index % row_slots);
    } else if (event.at >= slot.last->at) {
      slot.last->next = &event;
      event.previous = slot.last;
    } else {
      return put_before_last(slot, event);
    }
    event.next = nullptr;
    slot.last = &event;
  }

  // schedule_elsewhere() schedules an event for which there is no free Event, that lies outside the wheel's range, or
  // that is scheduled outside run_until(). It is not inline and is called last, so that schedule() stays small where it
  // is inlined, and saves no registers there. schedule_rarely() schedules those of these events that are not in the far
  // rows.
  void schedule_elsewhere(Tick at, Action action, void* target, std::uint64_t argument);
  void schedule_rarely(Tick at, Action action, void* target, std::uint64_t argument);
  static void put_before_last(Slot& slot, Event& event);
  void put_beyond(std::uint64_t slot, Event& event);
  void put_far(std::uint64_t slot, Event& event);
  bool turn();
  void let_in();
  void let_in(std::uint64_t index);
  void let_in_from_heap();
  std::uint64_t slot_after_row() const;
  Tick time_after_row() const;
  std::uint64_t far_slot() const;
  std::uint64_t slot_after_wheel() const;
  Tick time_of_first(std::uint64_t slot) const;
  Tick time_after_wheel(std::uint64_t slot) const;

  std::array<Slot, slots> wheel_;            // a ring of the slots from first_slot_ to first_slot_ + 1023
  std::array<std::uint64_t, rows> words_{};  // bit k of word r is set if slot k of row r has events
  // The current row, which contains the slot of the current time: the number of its first slot, its slots and its word.
  std::uint64_t first_slot_ = 0;
  Slot* row_ = wheel_.data();
  std::uint64_t* occupied_ = words_.data();
  std::uint64_t reach_ = 0;  // events less than this many slots after first_slot_ are put into the wheel directly;
                             // 1024 during run_until(), otherwise 0
  Event* free_ = nullptr;
  std::deque<Event> events_;

  // The events of the rows after the wheel, up to row 1023 from the current row on. Row r has the index r % 1024, and a
  // bit of far_words_ tells whether it has events.
  std::array<Slot, far_rows> far_;
  std::array<std::uint64_t, far_rows / 64> far_words_{};

  std::vector<Beyond> beyond_;           // heap of the events beyond the far rows, earliest first
  std::uint64_t beyond_slot_ = nowhere;  // slot of the earliest event in beyond_, or `nowhere`
  std::uint64_t beyond_order_ = 0;
  // The lowest value of first_slot_ at which events of the far rows or of the heap must move, or `nowhere`.
  std::uint64_t entry_ = nowhere;

  Tick now_;
  Tick end_ = never;  // run_until() runs the events before this time; 0 after stop()
  Tick kernel_time_ = 0;
  std::size_t holds_ = 0;
  std::uint64_t events_run_;
  std::uint64_t events_scheduled_;
  Driver* driver_ = nullptr;
};

}  // namespace nandscape
